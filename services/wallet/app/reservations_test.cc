#include <chrono>

#include "services/wallet/app/wallet_testing.h"

namespace mj::wallet {
namespace {

using base::Reason;
using std::chrono::minutes;

class ReservationsTest : public WalletTestBase {
 protected:
  static ReserveRequest Request() {
    return {.request_id = "r1",
            .player_id = "a",
            .table_id = "table-1",
            .variant = "chaozhou",
            .base = 10};
  }

  absl::StatusOr<bool> Leave(const std::string& id, const std::string& table = "table-1") {
    return wallet_.Release(
        Context(),
        {.request_id = "leave-" + std::to_string(++asked_), .player_id = id, .table_id = table});
  }

  absl::StatusOr<MoneyAnswer> Withdraw(const std::string& id, std::int64_t coins) {
    return wallet_.Withdraw(Context(),
                            {"w" + std::to_string(++asked_), id, Currency::kCoin, coins, ""});
  }
};

TEST_F(ReservationsTest, ASeatHoldsTheRoomsMinimum) {
  Open("a", 500);
  const auto seat = wallet_.Reserve(Context(), Request());
  ASSERT_TRUE(seat.ok()) << seat.status();
  EXPECT_EQ(seat->hold.coins.value(), 160);
  EXPECT_EQ(seat->hold.until, clock_.Now() + minutes(60));
  EXPECT_EQ(seat->balance.value(), 500);
  EXPECT_EQ(HoldOf("a"), seat->hold);
  const auto refused = Withdraw("a", 341);
  EXPECT_THAT(refused, FailsWith(Reason::kInsufficientFunds, "coins"));
  EXPECT_EQ(base::CarriedBy(refused.status())->details.metadata.at("available"), "340");
  EXPECT_TRUE(Withdraw("a", 340).ok());
  EXPECT_TRUE(*Leave("a"));
  EXPECT_EQ(HoldOf("a"), std::nullopt);
  EXPECT_TRUE(Withdraw("a", 160).ok());
}

TEST_F(ReservationsTest, AHoldEndsByTheClockWhoeverSweeps) {
  Open("a", 500);
  Open("b", 500);
  ASSERT_TRUE(Sit("a").ok());
  ASSERT_TRUE(Sit("b").ok());
  clock_.Advance(minutes(60) - std::chrono::microseconds(1));
  EXPECT_THAT(Withdraw("a", 500), FailsWith(Reason::kInsufficientFunds, "coins"));
  EXPECT_THAT(Sit("a", "table-2"), FailsWith(Reason::kPlayerBusy, "player_id"));
  clock_.Advance(std::chrono::microseconds(1));
  EXPECT_EQ(HoldOf("a"), std::nullopt);
  EXPECT_TRUE(Withdraw("a", 500).ok());
  EXPECT_TRUE(Sit("b", "table-2").ok());
  EXPECT_FALSE(*Leave("b", "table-1"));
}

TEST_F(ReservationsTest, APlayerHasOneSeat) {
  Open("a", 5000);
  ASSERT_TRUE(Sit("a").ok());
  const auto other = Sit("a", "table-2");
  EXPECT_THAT(other, FailsWith(Reason::kPlayerBusy, "player_id"));
  EXPECT_EQ(base::CarriedBy(other.status())->details.metadata.at("table_id"), "table-1");
  // At the same table it is held anew: longer, and for the room that is asked now.
  clock_.Advance(minutes(10));
  const auto again = Sit("a", "table-1", "chaozhou", 100);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->hold.coins.value(), 1600);
  EXPECT_EQ(again->hold.until, clock_.Now() + minutes(60));
}

TEST_F(ReservationsTest, ALostReplyIsAskedForAgain) {
  Open("a", 500);
  const auto first = wallet_.Reserve(Context(), Request());
  clock_.Advance(minutes(5));
  ASSERT_TRUE(wallet_.Deposit(Context(), {"d", "a", Currency::kCoin, 100, ""}).ok());
  const auto again = wallet_.Reserve(Context(), Request());
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->hold, first->hold);
  EXPECT_EQ(again->balance, first->balance);
  EXPECT_EQ(HoldOf("a"), first->hold);
  ReserveRequest poisoned = Request();
  poisoned.table_id = "table-2";
  EXPECT_THAT(wallet_.Reserve(Context(), poisoned),
              FailsWith(Reason::kRequestIdReused, "request_id"));
}

TEST_F(ReservationsTest, ARefusalStaysTheAnswer) {
  Open("a", 159);
  const auto refused = wallet_.Reserve(Context(), Request());
  EXPECT_THAT(refused, FailsWith(Reason::kBelowMinimum, "player_id"));
  const auto facts = base::CarriedBy(refused.status())->details.metadata;
  EXPECT_EQ(facts.at("balance"), "159");
  EXPECT_EQ(facts.at("minimum"), "160");
  ASSERT_TRUE(wallet_.Deposit(Context(), {"d", "a", Currency::kCoin, 1, ""}).ok());
  EXPECT_EQ(wallet_.Reserve(Context(), Request()).status(), refused.status());
  EXPECT_TRUE(Sit("a").ok());
}

TEST_F(ReservationsTest, ReleasingTwiceOrElsewhereIsNoHarm) {
  Open("a", 500);
  ASSERT_TRUE(Sit("a").ok());
  EXPECT_FALSE(*Leave("a", "table-2"));
  EXPECT_NE(HoldOf("a"), std::nullopt);
  const ReleaseRequest leave{.request_id = "l", .player_id = "a", .table_id = "table-1"};
  EXPECT_TRUE(*wallet_.Release(Context(), leave));
  EXPECT_TRUE(*wallet_.Release(Context(), leave));  // the first answer
  EXPECT_FALSE(*Leave("a"));
  // A retry of the first release does not take a later seat.
  ASSERT_TRUE(Sit("a").ok());
  EXPECT_TRUE(*wallet_.Release(Context(), leave));
  EXPECT_NE(HoldOf("a"), std::nullopt);
}

TEST_F(ReservationsTest, WhoMayNotSit) {
  Open("a", 500);
  Open("p", 500, Currency::kPractice);
  EXPECT_THAT(Sit("nobody"), FailsWith(Reason::kAccountNotFound, "player_id"));
  EXPECT_THAT(Sit("p"), FailsWith(Reason::kCurrencyMixed, "player_id"));
  EXPECT_THAT(Sit("issue"), FailsWith(Reason::kNotAPlayerAccount, "player_id"));
  EXPECT_THAT(Sit("a", "table-1", "no-such-game"), FailsWith(Reason::kUnknownVariant, "variant"));
  EXPECT_THAT(Sit("a", "table-1", "chaozhou", 11), FailsWith(Reason::kTierNotFound, "base"));
  EXPECT_THAT(Sit("a", "table-1", "chaozhou", 0), FailsWith(Reason::kBadBase, "base"));
  EXPECT_THAT(Sit("a", "table 1"), FailsWith(Reason::kBadId, "table_id"));
  EXPECT_THAT(Sit("a", ""), FailsWith(Reason::kFieldRequired, "table_id"));
  EXPECT_THAT(Sit(""), FailsWith(Reason::kFieldRequired, "player_id"));
  ReserveRequest request = Request();
  request.request_id = "";
  EXPECT_THAT(wallet_.Reserve(Context(), request), FailsWith(Reason::kFieldRequired, "request_id"));
  EXPECT_THAT(Leave("nobody"), FailsWith(Reason::kAccountNotFound, "player_id"));
  EXPECT_THAT(Leave("a", ""), FailsWith(Reason::kFieldRequired, "table_id"));
  EXPECT_EQ(HoldOf("a"), std::nullopt);
}

TEST_F(ReservationsTest, WhileARoundIsPlayedNobodySitsAnewOrLeaves) {
  for (const char* const id : {"a", "b", "c", "d"}) Open(id, 500);
  Begin();
  EXPECT_THAT(Sit("a"), FailsWith(Reason::kRoundInProgress, "player_id"));
  EXPECT_THAT(Sit("a", "table-2"), FailsWith(Reason::kRoundInProgress, "player_id"));
  const ReleaseRequest leave{.request_id = "l", .player_id = "a", .table_id = "table-1"};
  EXPECT_THAT(wallet_.Release(Context(), leave), FailsWith(Reason::kRoundInProgress, "player_id"));
  EXPECT_FALSE(*Leave("a", "table-2"));
  ASSERT_TRUE(wallet_.VoidRound(Context(), {"round-1", "test", "ops"}).ok());
  EXPECT_TRUE(*wallet_.Release(Context(), leave));  // that id was not used up
}

}  // namespace
}  // namespace mj::wallet
