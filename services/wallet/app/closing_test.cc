#include <chrono>
#include <functional>

#include "services/wallet/app/settle_testing.h"
#include "services/wallet/app/wallet_testing.h"

namespace mj::wallet {
namespace {

using base::Reason;
using std::chrono::minutes;

class ClosingTest : public WalletTestBase {
 protected:
  ClosingTest() {
    for (const char* const id : {"a", "b", "c", "d"}) Open(id, 1000);
  }

  static SettleRoundRequest Settlement(const std::string& round_id = "round-1") {
    return {.round_id = round_id,
            .table_id = "table-1",
            .variant = "chaozhou",
            .rulebook_version = "v1",
            .base = 10,
            .player_ids = {"a", "b", "c", "d"},
            .transfers = {{0, 1, 900, "CZ-11"}}};
  }

  absl::Status Close(int how) {
    switch (how) {
      case 0:
        return SettleAndWait(wallet_, Context(), Settlement()).status();
      case 1:
        return wallet_.ApplyPenalty(Context(), {"round-1", 2, "left"}).status();
      default:
        return wallet_.VoidRound(Context(), {"round-1", "all absent", "ops"}).status();
    }
  }

  void ExpectOpen(const std::string& round_id) {
    for (const char* const id : {"a", "b", "c", "d"}) {
      EXPECT_EQ(wallet_.GetAccount(Context(), {id})->standing.round_id, round_id);
    }
  }
};

TEST_F(ClosingTest, APenaltyIsSharedByThoseWhoStayed) {
  Begin();
  const auto answer = wallet_.ApplyPenalty(Context(), {"round-1", 2, "left"});
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->penalty.escaper, 2U);
  EXPECT_EQ(answer->penalty.penalty.value(), 640);
  EXPECT_EQ(answer->penalty.shares.share.value(), 213);
  EXPECT_EQ(answer->penalty.shares.house.value(), 1);
  EXPECT_EQ(answer->penalty.balance_after[2].value(), 360);
  EXPECT_EQ(Balance("a"), 1213);
  EXPECT_EQ(Balance("c"), 360);
  EXPECT_EQ(Balance("penalties"), 1);
  ExpectOpen("");
  EXPECT_EQ(wallet_.ApplyPenalty(Context("another"), {"round-1", 2, "left"})->penalty,
            answer->penalty);
  EXPECT_THAT(wallet_.ApplyPenalty(Context(), {"round-1", 1, "left"}),
              FailsWith(Reason::kRequestIdReused, "round_id"));
  EXPECT_EQ(Balance("a"), 1213);
}

TEST_F(ClosingTest, APenaltyGoesAsFarAsTheEscapersCoins) {
  Open("e", 500);
  BeginRoundRequest begin = Beginning();
  begin.player_ids[0] = "e";
  Begin(begin);
  const auto answer = wallet_.ApplyPenalty(Context(), {"round-1", 0, ""});
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->penalty.shares.taken.value(), 500);  // cl-7
  EXPECT_EQ(answer->penalty.shares.share.value(), 166);
  EXPECT_EQ(answer->penalty.shares.house.value(), 2);
  EXPECT_EQ(answer->penalty.shares.shortfall.value(), 140);
  EXPECT_EQ(Balance("e"), 0);
  EXPECT_EQ(HoldOf("e")->coins.value(), 0);
}

TEST_F(ClosingTest, NobodyPaysForAVoidRound) {
  Begin();
  VoidRoundRequest request{"round-1", "all absent", "ops"};
  request.validate_only = true;
  EXPECT_EQ(wallet_.VoidRound(Context(), request)->journal_id, "");
  ExpectOpen("round-1");
  request.validate_only = false;
  const auto answer = wallet_.VoidRound(Context(), request);
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_NE(answer->journal_id, "");
  ExpectOpen("");
  EXPECT_EQ(Balance("a"), 1000);
  EXPECT_EQ(wallet_.VoidRound(Context(), request)->journal_id, answer->journal_id);
}

TEST_F(ClosingTest, ARoundIsClosedOnce) {
  for (int first = 0; first < 3; ++first) {
    const std::string round = "round-" + std::to_string(first);
    Begin(round);
    const std::vector<std::function<absl::Status()>> ways = {
        [&] {
          SettleRoundRequest request = Settlement(round);
          request.transfers[0].coins = 100;
          return SettleAndWait(wallet_, Context(), request).status();
        },
        [&] { return wallet_.ApplyPenalty(Context(), {round, 2, ""}).status(); },
        [&] { return wallet_.VoidRound(Context(), {round, "test", "ops"}).status(); }};
    const auto at = [&](int way) { return ways[static_cast<std::size_t>(way)](); };
    EXPECT_TRUE(at(first).ok());
    const std::int64_t balance = Balance("a");
    EXPECT_THAT(at((first + 1) % 3), FailsWith(Reason::kRoundFinished, "round_id"));
    EXPECT_THAT(at((first + 2) % 3), FailsWith(Reason::kRoundFinished, "round_id"));
    EXPECT_TRUE(at(first).ok());
    EXPECT_EQ(Balance("a"), balance);
  }
}

TEST_F(ClosingTest, ARoundThatWasNeverBegunIsNotClosed) {
  for (int how = 0; how < 3; ++how) {
    EXPECT_THAT(Close(how), FailsWith(Reason::kRoundNotFound, "round_id"));
  }
}

TEST_F(ClosingTest, NothingAboutThePlayersRefusesAClose) {
  Begin();
  ASSERT_TRUE(
      wallet_
          .Freeze(Context(),
                  {.request_id = "f", .account_id = "a", .reason = "fraud", .requested_by = "ops"})
          .ok());
  const PutStakeTierRequest end{.request_id = "end",
                                .tier_id = "chaozhou-10",
                                .variant = "chaozhou",
                                .base = 10,
                                .minimum_balance = 160,
                                .rake_per_player = 77,
                                .valid_from = {},
                                .valid_until = clock_.Now() + minutes(5),
                                .requested_by = "ops"};
  ASSERT_TRUE(wallet_.PutStakeTier(Context(), end).ok());
  clock_.Advance(minutes(600));  // the reservations are over, the tier too
  const auto settled = SettleAndWait(wallet_, Context(), Settlement());
  ASSERT_TRUE(settled.ok()) << settled.status();
  EXPECT_EQ(settled->settlement.rake.value(), 0);  // as when it was begun
  EXPECT_EQ(HoldOf("b"), std::nullopt);
  ExpectOpen("");
}

TEST_F(ClosingTest, HoldsShrinkToWhatIsLeft) {
  Begin();
  ASSERT_TRUE(SettleAndWait(wallet_, Context(), Settlement()).ok());
  EXPECT_EQ(Balance("a"), 100);
  EXPECT_EQ(HoldOf("a")->coins.value(), 100);
  EXPECT_EQ(HoldOf("b")->coins.value(), 160);
  EXPECT_THAT(wallet_.Withdraw(Context(), {"w", "a", Currency::kCoin, 1, ""}),
              FailsWith(Reason::kInsufficientFunds, "coins"));
}

TEST_F(ClosingTest, RequestsAreChecked) {
  Begin();
  EXPECT_THAT(wallet_.ApplyPenalty(Context(), {"round-1", 4, ""}),
              FailsWith(Reason::kBadSeat, "escaper_seat"));
  EXPECT_THAT(wallet_.ApplyPenalty(Context(), {"", 1, ""}),
              FailsWith(Reason::kFieldRequired, "round_id"));
  EXPECT_THAT(wallet_.ApplyPenalty(Context(), {"round-1", 1, "\xff"}),
              FailsWith(Reason::kBadText, "reason"));
  EXPECT_THAT(wallet_.VoidRound(Context(), {"round-1", "", "ops"}),
              FailsWith(Reason::kFieldRequired, "reason"));
  EXPECT_THAT(wallet_.VoidRound(Context(), {"round-1", "x", ""}),
              FailsWith(Reason::kFieldRequired, "requested_by"));
  EXPECT_THAT(wallet_.VoidRound(Context(), {"round 1", "x", "ops"}),
              FailsWith(Reason::kBadId, "round_id"));
  ExpectOpen("round-1");
}

}  // namespace
}  // namespace mj::wallet
