// Stakes over a sitting, through the service: what the wallet has to do with them, what players are
// told, and what outlives a process.
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
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = StakesAnswer::Kind;

absl::Status Away() { return base::Error(Reason::kUnavailable); }

template <typename T>
std::vector<T> AllOf(const std::vector<Shown>& shown) {
  std::vector<T> found;
  for (const Shown& each : shown) {
    if (const auto* event = std::get_if<T>(each.event.get())) found.push_back(*event);
  }
  return found;
}

class SittingTest : public ::testing::Test {
 protected:
  SittingTest() {
    world_.wallet.SetRooms({{10, 500, 0, 640}, {50, 2'500, 0, 3'200}, {100, 5'000, 0, 6'400}});
  }

  TableId MakeEmpty(const std::string& variant = "guangdong") {
    const auto made = world_.Create("empty", World::EmptySpec(variant));
    EXPECT_THAT(made, IsOk());
    return made->id;
  }
  std::vector<Shown> SeenBy(const std::string& player) { return world_.ReadAll(table_, player); }

  absl::StatusOr<StreamSeq> Propose(const std::string& player, Coins base,
                                    OptionTexts options = {}) {
    const auto wanted = AllOf<StakesWanted>(SeenBy(player));
    if (wanted.empty()) return absl::NotFoundError("not asked");
    return world_.AnswerStakes(table_, player, wanted.back().decision,
                               {Kind::kPropose, base, std::move(options)});
  }
  absl::StatusOr<StreamSeq> Accept(const std::string& player) {
    const auto wanted = AllOf<ConsentWanted>(SeenBy(player));
    if (wanted.empty()) return absl::NotFoundError("not asked");
    return world_.AnswerStakes(table_, player, wanted.back().decision, {Kind::kAccept, 0, {}});
  }
  TableInfo Info() { return *world_.Get(table_); }
  TableId HeldAt(const std::string& player) { return world_.wallet.held_at(PlayerId(player)); }

  // Four who agree on base 50, the first of them its proposer.
  void Agree() {
    table_ = MakeEmpty();
    ASSERT_THAT(world_.Join(table_, "p0", Seat::k0), IsOk());
    ASSERT_THAT(Propose("p0", 50), IsOk());
    for (const auto& [player, seat] :
         {std::pair("p1", Seat::k1), std::pair("p2", Seat::k2), std::pair("p3", Seat::k3)}) {
      ASSERT_THAT(world_.Join(table_, player, seat), IsOk());
      ASSERT_THAT(Accept(player), IsOk());
    }
  }

  World world_;
  TableId table_;
};

TEST_F(SittingTest, FourAgreeOnABaseAndPlayForIt) {
  Agree();
  EXPECT_EQ(Info().base, 50);
  EXPECT_EQ(Info().proposer, Seat::k0);
  Company company(world_, table_);
  EXPECT_THAT(AllOf<PlayOnAsked>(company.player(Seat::k1).seen()), SizeIs(1));
  company.PlayRound();
  EXPECT_EQ(world_.wallet.rounds(), 1U);
  EXPECT_EQ(AllOf<RoundOpened>(company.player(Seat::k3).seen()).front().base, 50);
  // For the next one they are asked whether they play on, and nothing else.
  EXPECT_THAT(AllOf<PlayOnAsked>(company.player(Seat::k1).seen()), SizeIs(2));
  EXPECT_THAT(AllOf<ConsentWanted>(company.player(Seat::k1).seen()), SizeIs(1));
  company.PlayRound();
  EXPECT_EQ(world_.wallet.rounds(), 2U);
}

TEST_F(SittingTest, EachIsToldWhatItIsAskedAndTheOthersWhoIs) {
  table_ = MakeEmpty();
  ASSERT_THAT(world_.Join(table_, "p0"), IsOk());
  ASSERT_THAT(world_.Join(table_, "p1"), IsOk());
  const auto own = AllOf<StakesWanted>(SeenBy("p0"));
  ASSERT_THAT(own, SizeIs(1));
  EXPECT_NE(own.front().decision, 0U);
  EXPECT_THAT(own.front().bases, ElementsAre(10, 50, 100));
  EXPECT_EQ(own.front().due, world_.clock.Now() + milliseconds(20'000));
  // Who came after the question knows of it by the table.
  EXPECT_THAT(AllOf<StakesWanted>(SeenBy("p1")), IsEmpty());
  ASSERT_THAT(world_.Leave(table_, "p0"), IsOk());
  ASSERT_THAT(world_.Join(table_, "p2"), IsOk());
  ASSERT_THAT(Propose("p1", 50), IsOk());
  const auto asked = AllOf<ConsentWanted>(SeenBy("p2"));
  ASSERT_THAT(asked, SizeIs(1));
  EXPECT_EQ(asked.front().base, 50);
  EXPECT_EQ(asked.front().proposer, Seat::k1);
  EXPECT_THAT(AllOf<ConsentWanted>(SeenBy("p1")), IsEmpty());
  EXPECT_THAT(AllOf<StakesNamed>(SeenBy("p2")), SizeIs(1));
  ASSERT_THAT(Accept("p2"), IsOk());
  EXPECT_EQ(AllOf<ConsentGiven>(SeenBy("p1")).front().seat, Seat::k0);
}

TEST_F(SittingTest, WhatTheOneWhoIsAskedMayNameIsNotTheOthersBusiness) {
  table_ = MakeEmpty("shaoguan");
  ASSERT_THAT(world_.Join(table_, "p0"), IsOk());
  ASSERT_THAT(world_.Join(table_, "p1"), IsOk());
  ASSERT_THAT(world_.Join(table_, "p2"), IsOk());
  ASSERT_THAT(world_.Leave(table_, "p0"), IsOk());
  int own = 0;
  for (const char* const player : {"p1", "p2"}) {
    const auto all = AllOf<StakesWanted>(SeenBy(player));
    ASSERT_FALSE(all.empty());
    const StakesWanted& wanted = all.back();
    if (wanted.decision != 0) {
      ++own;
      continue;
    }
    EXPECT_THAT(wanted.bases, IsEmpty());
    EXPECT_THAT(wanted.options, IsEmpty());
  }
  EXPECT_EQ(own, 1);
}

TEST_F(SittingTest, AnAgreementGoesOnInTheNextProcess) {
  table_ = MakeEmpty();
  ASSERT_THAT(world_.Join(table_, "p0", Seat::k0), IsOk());
  world_.Restart();
  ASSERT_THAT(Propose("p0", 50), IsOk());
  ASSERT_THAT(world_.Join(table_, "p1", Seat::k1), IsOk());
  world_.Restart();
  ASSERT_THAT(Accept("p1"), IsOk());
  EXPECT_THAT(Accept("p1"), IsOk()) << "said once more";
  ASSERT_THAT(world_.Join(table_, "p2", Seat::k2), IsOk());
  ASSERT_THAT(world_.Join(table_, "p3", Seat::k3), IsOk());
  world_.Restart();
  ASSERT_THAT(Accept("p3"), IsOk());
  EXPECT_THAT(AllOf<PlayOnAsked>(SeenBy("p0")), IsEmpty());
  ASSERT_THAT(Accept("p2"), IsOk());
  EXPECT_THAT(AllOf<PlayOnAsked>(SeenBy("p0")), SizeIs(1));
  Company company(world_, table_);
  company.PlayRound();
  EXPECT_EQ(AllOf<RoundOpened>(company.player(Seat::k3).seen()).front().base, 50);
}

// D-COM-10: what the table itself is late with is nobody's lateness.
TEST_F(SittingTest, AProcessThatComesLateGivesTheFullTimeAgain) {
  table_ = MakeEmpty();
  ASSERT_THAT(world_.Join(table_, "p0"), IsOk());
  world_.Advance(milliseconds(15'000));
  world_.Restart();
  ASSERT_THAT(world_.Get(table_), IsOk());
  world_.Advance(milliseconds(15'000));
  const std::vector<Shown> seen = SeenBy("p0");
  EXPECT_EQ(AllOf<ClockMoved>(seen).back().decision, AllOf<StakesWanted>(seen).back().decision);
  EXPECT_THAT(Propose("p0", 10), IsOk());
}

TEST_F(SittingTest, WhoIsSilentLeavesAndTheTableClosesWithTheLast) {
  table_ = MakeEmpty();
  ASSERT_THAT(world_.Join(table_, "p0"), IsOk());
  world_.Advance(milliseconds(20'100));
  EXPECT_EQ(Info().stage, TableStage::kClosed);
  EXPECT_EQ(HeldAt("p0"), TableId());
}

// COM-15, GD-91: fifty bases, also of who has agreed already.
TEST_F(SittingTest, WhoAcceptsABaseThatItHasNotEnoughForIsToldSoAndRemoved) {
  table_ = MakeEmpty();
  world_.wallet.SetBalance(PlayerId("p1"), 2'499);
  ASSERT_THAT(world_.Join(table_, "p0"), IsOk());
  ASSERT_THAT(world_.Join(table_, "p1"), IsOk());
  ASSERT_THAT(Propose("p0", 50), IsOk());
  ASSERT_THAT(Accept("p1"), IsOk());
  const auto left = AllOf<PlayerLeft>(SeenBy("p0"));
  ASSERT_THAT(left, SizeIs(1));
  EXPECT_EQ(left.front().reason, LeaveReason::kBelowMinimum);
  EXPECT_EQ(left.front().why, "BELOW_MINIMUM");
  EXPECT_EQ(HeldAt("p1"), TableId());
  EXPECT_EQ(Info().base, 50);
  // At the door it is told at once.
  EXPECT_THAT(world_.Join(table_, "p1"), FailsWith(Reason::kBelowMinimum));
}

TEST_F(SittingTest, AProposerNamesOnlyWhatItHasEnoughForItself) {
  table_ = MakeEmpty();
  world_.wallet.SetBalance(PlayerId("p0"), 4'999);
  ASSERT_THAT(world_.Join(table_, "p0"), IsOk());
  EXPECT_THAT(AllOf<StakesWanted>(SeenBy("p0")).front().bases, ElementsAre(10, 50));
  EXPECT_THAT(Propose("p0", 100), FailsWith(Reason::kChoiceNotOffered));
  world_.wallet.SetBalance(PlayerId("x"), 499);
  EXPECT_THAT(world_.Join(table_, "x"), FailsWith(Reason::kBelowMinimum));
}

TEST_F(SittingTest, WhoHasTooLittleAfterARoundTakesItsBaseAlong) {
  Agree();
  Company company(world_, table_);
  company.ReadyAll();
  world_.wallet.SetBalance(PlayerId("p0"), -1'000'000);  // whatever it wins
  company.PlayOn();
  company.Listen();
  const auto left = AllOf<PlayerLeft>(company.player(Seat::k1).seen());
  ASSERT_THAT(left, SizeIs(1));
  EXPECT_EQ(left.front().player, PlayerId("p0"));
  EXPECT_EQ(left.front().reason, LeaveReason::kBelowMinimum);
  EXPECT_EQ(Info().base, 0);
  EXPECT_THAT(AllOf<StakesWanted>(company.player(Seat::k1).seen()), SizeIs(1));
}

TEST_F(SittingTest, AWalletThatIsAwayIsWaitedForBeforeAnybodyIsAsked) {
  table_ = MakeEmpty();
  world_.wallet.FailRoomsWith({Away(), Away(), Away()});
  EXPECT_THAT(world_.Join(table_, "p0"), FailsWith(Reason::kUnavailable));
  ASSERT_THAT(world_.Leave(table_, "p0"), FailsWith(Reason::kNotSeated));
  world_.wallet.FailRoomsWith({});
  ASSERT_THAT(world_.Join(table_, "p0"), IsOk());
  ASSERT_THAT(Propose("p0", 50), IsOk());
  ASSERT_THAT(world_.Join(table_, "p1"), IsOk());
  world_.Advance(milliseconds(61'000));  // p1 is gone by now, and what was known of the rooms old
  ASSERT_THAT(world_.Join(table_, "p2"), IsOk());
  world_.wallet.FailRoomsWith({Away(), Away()});
  ASSERT_THAT(world_.Leave(table_, "p0"), IsOk());
  EXPECT_THAT(AllOf<StakesWanted>(SeenBy("p2")), IsEmpty());
  world_.Advance(milliseconds(1'000));
  EXPECT_THAT(AllOf<StakesWanted>(SeenBy("p2")), SizeIs(1));
}

TEST_F(SittingTest, RoomsThatBecomeDearerAreReadAgain) {
  table_ = MakeEmpty();
  world_.wallet.SetBalance(PlayerId("p1"), 600);
  ASSERT_THAT(world_.Join(table_, "p0"), IsOk());
  ASSERT_THAT(world_.Join(table_, "p1"), IsOk());
  world_.wallet.SetRooms({{10, 1'000, 0, 640}});
  world_.Advance(milliseconds(61'000));
  EXPECT_EQ(Info().stage, TableStage::kClosed) << "p0 said nothing, and p1 has not enough any more";
}

TEST_F(SittingTest, TheFirstAtAShaoguanTableChoosesBaseAndCharacters) {
  table_ = MakeEmpty("shaoguan");
  ASSERT_THAT(world_.Join(table_, "p0", Seat::k0), IsOk());
  ASSERT_THAT(Propose("p0", 100, {{"with_characters", "false"}}), IsOk());
  for (const auto& [player, seat] :
       {std::pair("p1", Seat::k1), std::pair("p2", Seat::k2), std::pair("p3", Seat::k3)}) {
    ASSERT_THAT(world_.Join(table_, player, seat), IsOk());
  }
  EXPECT_EQ(Info().options, (OptionTexts{{"with_characters", "false"}}));
  Company company(world_, table_);
  EXPECT_THAT(AllOf<PlayOnAsked>(company.player(Seat::k2).seen()), SizeIs(1));
  company.PlayRound();
  EXPECT_EQ(world_.wallet.rounds(), 1U);
  const auto over = AllOf<RoundOver>(company.player(Seat::k2).seen());
  ASSERT_THAT(over, SizeIs(1));
  EXPECT_EQ(over.front().options, (OptionTexts{{"with_characters", "false"}}));
  EXPECT_EQ(over.front().base, 100);
}

// ------------------------------------------------------------------------- the base of the coins

class CoinsTest : public ::testing::Test {
 protected:
  void Set(Coins a, Coins b, Coins c, Coins d) {
    for (const auto& [player, coins] :
         {std::pair("p0", a), std::pair("p1", b), std::pair("p2", c), std::pair("p3", d)}) {
      world_.wallet.SetBalance(PlayerId(player), coins);
    }
  }
  World world_;
};

// D-CZ-10: not removed, as long as there is enough for the least room.
TEST_F(CoinsTest, WhoFallsBelowTheRoomsMinimumLowersTheBase) {
  for (const char* variant : {"chaozhou", "jieyang"}) {
    World world;
    // Far apart, so that no round leads from one to the other.
    world.wallet.SetRooms({{10, 160, 0, 0}, {100, 500'000, 0, 0}});
    Company company(world, world.MakeTable(variant));
    company.ReadyAll();
    EXPECT_EQ(world.Get(company.table())->base, 100);
    world.wallet.SetBalance(PlayerId("p2"), 100'000);
    company.PlayOn();
    company.Listen();
    EXPECT_EQ(world.Get(company.table())->base, 10);
    const std::vector<Shown>& seen = company.player(Seat::k0).seen();
    EXPECT_THAT(AllOf<PlayerLeft>(seen), IsEmpty());
    ASSERT_THAT(AllOf<BaseChanged>(seen), SizeIs(1));
    EXPECT_EQ(AllOf<BaseChanged>(seen).front().base, 10);
    // Announced before the question.
    EXPECT_TRUE(std::holds_alternative<PlayOnAsked>(*seen.back().event));
    EXPECT_TRUE(std::holds_alternative<BaseChanged>(*seen[seen.size() - 2].event));
    company.PlayRound();
    EXPECT_EQ(AllOf<RoundOpened>(company.player(Seat::k0).seen()).back().base, 10);
    // And it rises again with the coins, up to that of the room.
    world.wallet.SetBalance(PlayerId("p2"), 900'000);
    company.PlayRound();
    EXPECT_EQ(world.Get(company.table())->base, 100);
  }
}

TEST_F(CoinsTest, WhoHasLessThanTheLeastIsToldSoAndRemoved) {
  Set(159, 160, 160'000, 160'000);
  const TableId table = world_.MakeTable();
  const auto left = AllOf<PlayerLeft>(world_.ReadAll(table, "p1"));
  ASSERT_THAT(left, SizeIs(1));
  EXPECT_EQ(left.front().player, PlayerId("p0"));
  EXPECT_EQ(left.front().reason, LeaveReason::kBelowMinimum);
  EXPECT_EQ(left.front().why, "BELOW_MINIMUM");
}

TEST_F(CoinsTest, WithoutARoomTheBaseIsThatOfTheLowestTier) {
  const auto made = world_.Create("empty", World::EmptySpec("chaozhou"));
  ASSERT_THAT(made, IsOk());
  Set(16'000, 160'000, 20'000, 1'000'000);
  for (const char* const player : {"p0", "p1", "p2", "p3"}) {
    EXPECT_EQ(world_.Get(made->id)->base, 0);
    ASSERT_THAT(world_.Join(made->id, player), IsOk());
  }
  EXPECT_EQ(world_.Get(made->id)->base, 1'000);
  // One leaves, and a poorer one comes.
  ASSERT_THAT(world_.Leave(made->id, "p3"), IsOk());
  world_.wallet.SetBalance(PlayerId("x"), 1'599);
  ASSERT_THAT(world_.Join(made->id, "x"), IsOk());
  EXPECT_EQ(world_.Get(made->id)->base, 10);
  world_.wallet.SetBalance(PlayerId("y"), 159);
  ASSERT_THAT(world_.Leave(made->id, "x"), IsOk());
  EXPECT_THAT(world_.Join(made->id, "y"), FailsWith(Reason::kBelowMinimum));
}

TEST_F(CoinsTest, ToSitDownInARoomTakesItsMinimum) {
  TableSpec spec = World::EmptySpec("chaozhou");
  spec.base = 1'000;
  const auto made = world_.Create("empty", spec);
  ASSERT_THAT(made, IsOk());
  Set(15'999, 16'000, 1'000'000, 1'000'000);
  EXPECT_THAT(world_.Join(made->id, "p0"), FailsWith(Reason::kBelowMinimum));
  for (const char* const player : {"p1", "p2", "p3"}) {
    ASSERT_THAT(world_.Join(made->id, player), IsOk());
  }
}

TEST_F(CoinsTest, ARichTableKeepsToItsRoom) {
  const TableId table = world_.MakeTable();
  EXPECT_EQ(world_.Get(table)->base, 100) << "each has a million";
}

TEST_F(CoinsTest, ARoundThatTheWalletDoesNotLetBeginIsAskedAboutWithTheNewBase) {
  Company company(world_, world_.MakeTable());
  world_.wallet.SetBalance(PlayerId("p1"), 1'000);  // withdrawn after the question
  world_.wallet.FailBeginsWith({base::Error(Reason::kBelowMinimum)});
  company.ReadyAll();
  company.Listen();
  EXPECT_EQ(world_.Get(company.table())->base, 10);
  company.ReadyAll();
  EXPECT_NE(company.asked(), nullptr);
  EXPECT_EQ(AllOf<RoundOpened>(company.player(Seat::k0).seen()).back().base, 10);
}

}  // namespace
}  // namespace mj::table
