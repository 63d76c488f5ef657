// Seats at the wallet: held when a player sits, begun before the deal, given back when it leaves.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "libs/base/status_testing.h"
#include "services/table/app/world_testing.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using std::chrono::milliseconds;

absl::Status Away() { return base::Error(Reason::kUnavailable); }

template <typename T>
const T* Latest(const std::vector<Shown>& shown) {
  for (auto it = shown.rbegin(); it != shown.rend(); ++it) {
    if (const auto* event = std::get_if<T>(it->event.get())) return event;
  }
  return nullptr;
}

class SeatsTest : public ::testing::Test {
 protected:
  TableId HeldAt(const std::string& player) { return world_.wallet.held_at(PlayerId(player)); }

  World world_;
};

TEST_F(SeatsTest, AreHeldWhenATableIsMadeAndGivenBackByWhoLeaves) {
  const TableId table = world_.MakeTable();
  for (const char* const player : {"p0", "p1", "p2", "p3"}) EXPECT_EQ(HeldAt(player), table);
  ASSERT_THAT(world_.Leave(table, "p1"), IsOk());
  EXPECT_EQ(HeldAt("p1"), TableId());
  EXPECT_EQ(HeldAt("p0"), table);
  for (const char* const player : {"p0", "p2", "p3"}) {
    ASSERT_THAT(world_.Leave(table, player), IsOk());
  }
  for (const char* const player : {"p0", "p1", "p2", "p3"}) EXPECT_EQ(HeldAt(player), TableId());
}

TEST_F(SeatsTest, WhoJoinsIsToldWhyTheWalletSaysNo) {
  const TableId table = world_.MakeTable();
  ASSERT_THAT(world_.Leave(table, "p1"), IsOk());
  for (const Reason reason : {Reason::kBelowMinimum, Reason::kAccountFrozen, Reason::kPlayerBusy}) {
    world_.wallet.Refuse(PlayerId("x"), reason);
    EXPECT_THAT(world_.Join(table, "x"), FailsWith(reason));
  }
  EXPECT_FALSE(world_.Get(table)->seats[Seat::k1].ready);
  EXPECT_TRUE(world_.Get(table)->seats[Seat::k1].player.empty());
  world_.wallet.Refuse(PlayerId("x"), std::nullopt);
  EXPECT_THAT(world_.Join(table, "x"), IsOk());
  EXPECT_EQ(HeldAt("x"), table);
  // Who sits already is not asked for again, nor is who finds no seat.
  world_.wallet.Refuse(PlayerId("x"), Reason::kBelowMinimum);
  EXPECT_THAT(world_.Join(table, "x"), IsOk());
  EXPECT_THAT(world_.Join(table, "y"), FailsWith(Reason::kTableFull));
  EXPECT_EQ(HeldAt("y"), TableId());
}

TEST_F(SeatsTest, AWalletThatIsAwayIsToldToWhoJoins) {
  const TableId table = world_.MakeTable();
  ASSERT_THAT(world_.Leave(table, "p1"), IsOk());
  world_.wallet.FailHoldsWith({Away()});
  EXPECT_THAT(world_.Join(table, "x"), FailsWith(Reason::kUnavailable));
  EXPECT_THAT(world_.Join(table, "x"), IsOk());
}

TEST_F(SeatsTest, WhoseSeatIsNotHeldIsRemovedAndTheOthersStay) {
  world_.wallet.Refuse(PlayerId("p2"), Reason::kAccountFrozen);
  const TableId table = world_.MakeTable();
  const auto info = world_.Get(table);
  ASSERT_THAT(info, IsOk());
  EXPECT_TRUE(info->seats[Seat::k2].player.empty());
  EXPECT_EQ(info->seats[Seat::k1].player, PlayerId("p1"));
  EXPECT_EQ(info->stage, TableStage::kWaiting);
}

TEST_F(SeatsTest, ATableThatNobodyMaySitAtCloses) {
  for (const char* const player : {"p0", "p1", "p2", "p3"}) {
    world_.wallet.Refuse(PlayerId(player), Reason::kBelowMinimum);
  }
  const TableId table = world_.MakeTable();
  const auto info = world_.Get(table);
  ASSERT_THAT(info, IsOk());
  EXPECT_EQ(info->stage, TableStage::kClosed);
}

// COM-15.
TEST_F(SeatsTest, WhoHasTooLittleAfterARoundIsToldSoAndRemoved) {
  Company company(world_, world_.MakeTable());
  company.ReadyAll();
  world_.wallet.Refuse(PlayerId("p3"), Reason::kBelowMinimum);
  company.PlayOn();
  company.Listen();
  const auto* left = Latest<PlayerLeft>(company.player(Seat::k3).seen());
  ASSERT_NE(left, nullptr);
  EXPECT_EQ(left->player, PlayerId("p3"));
  EXPECT_EQ(left->reason, LeaveReason::kBelowMinimum);
  EXPECT_EQ(left->why, "BELOW_MINIMUM");
  EXPECT_EQ(HeldAt("p3"), TableId());
  EXPECT_EQ(world_.wallet.rounds(), 1U);
  EXPECT_FALSE(world_.Get(company.table())->dealer.has_value());  // drawn anew
}

TEST_F(SeatsTest, ARoundBeginsAtTheWalletBeforeItIsDealt) {
  Company company(world_, world_.MakeTable());
  world_.wallet.FailBeginsWith({Away(), Away()});
  company.ReadyAll();
  EXPECT_EQ(world_.wallet.open_rounds(), 0U);
  EXPECT_EQ(company.asked(), nullptr);  // nothing is dealt yet
  world_.Advance(milliseconds(1000));
  company.Listen();
  EXPECT_EQ(world_.wallet.open_rounds(), 1U);
  EXPECT_NE(company.asked(), nullptr);
  company.PlayOn();
  EXPECT_EQ(world_.wallet.open_rounds(), 0U);
  EXPECT_EQ(world_.wallet.rounds(), 1U);
}

TEST_F(SeatsTest, ARoundThatMayNotBeginIsVoidAndTheNextOneMay) {
  Company company(world_, world_.MakeTable());
  world_.wallet.FailBeginsWith({base::Error(Reason::kAccountFrozen)});
  company.ReadyAll();
  for (TestPlayer& player : company.players()) {
    const auto* dropped = Latest<RoundDropped>(player.seen());
    ASSERT_NE(dropped, nullptr);
    EXPECT_EQ(fairness::CommitSeed(dropped->seed), Latest<RoundOpened>(player.seen())->seed_hash);
  }
  const auto info = world_.Get(company.table());
  EXPECT_EQ(info->stage, TableStage::kWaiting);
  EXPECT_EQ(info->round_number, 1);
  company.PlayRound();
  EXPECT_EQ(world_.Get(company.table())->round_number, 2);
  EXPECT_EQ(world_.wallet.rounds(), 1U);
  EXPECT_EQ(world_.wallet.open_rounds(), 0U);
}

TEST_F(SeatsTest, WhoeverIsFrozenWhenARoundBeginsIsRemoved) {
  Company company(world_, world_.MakeTable());
  world_.wallet.FailBeginsWith({base::Error(Reason::kAccountFrozen)});
  world_.wallet.Refuse(PlayerId("p0"), Reason::kAccountFrozen);
  company.ReadyAll();
  world_.Run();
  company.Listen();
  const auto* left = Latest<PlayerLeft>(company.player(Seat::k0).seen());
  ASSERT_NE(left, nullptr);
  EXPECT_EQ(left->reason, LeaveReason::kRefused);
  EXPECT_EQ(left->why, "ACCOUNT_FROZEN");
  EXPECT_EQ(world_.Get(company.table())->seats[Seat::k1].player, PlayerId("p1"));
}

TEST_F(SeatsTest, AWalletThatIsAwayIsWaitedFor) {
  world_.wallet.FailHoldsWith(std::vector<absl::Status>(6, Away()));
  Company company(world_, world_.MakeTable());
  company.ReadyAll();
  EXPECT_EQ(company.asked(), nullptr);
  world_.Advance(milliseconds(2000));
  company.Listen();
  EXPECT_NE(company.asked(), nullptr);
  for (const char* const player : {"p0", "p1", "p2", "p3"}) {
    EXPECT_EQ(HeldAt(player), company.table());
  }
}

TEST_F(SeatsTest, AProcessThatEndsBetweenBeginningAndDealGoesOn) {
  Company company(world_, world_.MakeTable());
  world_.wallet.FailBeginsWith({Away()});
  company.ReadyAll();
  EXPECT_EQ(world_.wallet.open_rounds(), 0U);
  world_.Restart();
  company.Resubscribe();
  world_.Run();
  company.Listen();
  EXPECT_EQ(world_.wallet.open_rounds(), 1U);
  company.PlayOn();
  EXPECT_EQ(world_.wallet.rounds(), 1U);
  EXPECT_EQ(world_.wallet.open_rounds(), 0U);
}

TEST_F(SeatsTest, WhoLeavesBeforeTheRoundIsPaidIsGivenBackAfterIt) {
  Company company(world_, world_.MakeTable());
  world_.wallet.FailWith({Away()});
  company.ReadyAll();
  company.PlayOn();
  ASSERT_THAT(world_.Leave(company.table(), "p2"), IsOk());
  EXPECT_EQ(HeldAt("p2"), company.table());  // the round is not paid yet
  world_.Advance(milliseconds(1000));
  EXPECT_EQ(world_.wallet.rounds(), 1U);
  EXPECT_EQ(HeldAt("p2"), TableId());
  EXPECT_EQ(HeldAt("p1"), company.table());
}

TEST_F(SeatsTest, AllMayLeaveWhileTheWalletIsAsked) {
  world_.wallet.FailHoldsWith(std::vector<absl::Status>(4, Away()));
  const TableId table = world_.MakeTable();
  // It is asked again, and refuses all four; its answers wait in the table's queue behind what the
  // players do.
  for (const char* const player : {"p0", "p1", "p2", "p3"}) {
    world_.wallet.Refuse(PlayerId(player), Reason::kBelowMinimum);
  }
  world_.clock.Advance(milliseconds(100));
  for (const char* const player : {"p0", "p1", "p2", "p3"}) {
    world_.tables->Leave(table, PlayerId(player), LeaveReason::kLeft, [](const auto&) {});
  }
  world_.Advance(milliseconds(2000));
  for (const char* const player : {"p0", "p1", "p2", "p3"}) EXPECT_EQ(HeldAt(player), TableId());
  EXPECT_EQ(world_.Get(table)->stage, TableStage::kClosed);
}

}  // namespace
}  // namespace mj::table
