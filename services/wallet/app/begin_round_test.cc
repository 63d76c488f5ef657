#include <chrono>

#include "services/wallet/app/wallet_testing.h"

namespace mj::wallet {
namespace {

using base::Reason;
using std::chrono::minutes;

class BeginRoundTest : public WalletTestBase {
 protected:
  BeginRoundTest() {
    for (const char* const id : {"a", "b", "c", "d"}) Open(id, 1000);
  }

  void SitAll() {
    for (const char* const id : {"a", "b", "c", "d"}) EXPECT_TRUE(Sit(id).ok());
  }

  void ExpectRefused(const BeginRoundRequest& request, Reason reason, std::string_view field) {
    EXPECT_THAT(wallet_.BeginRound(Context(), request), FailsWith(reason, field));
    for (const char* const id : {"a", "b", "c", "d"}) {
      EXPECT_EQ(wallet_.GetAccount(Context(), {id})->standing.round_id, "");
    }
  }

  absl::StatusOr<MoneyAnswer> Withdraw(const std::string& id, std::int64_t coins) {
    return wallet_.Withdraw(Context(),
                            {"w" + std::to_string(++asked_), id, Currency::kCoin, coins, ""});
  }
};

TEST_F(BeginRoundTest, ItLocksWholeBalancesAndHoldsTheSeatsAnew) {
  SitAll();
  clock_.Advance(minutes(50));
  const auto begun = wallet_.BeginRound(Context(), Beginning());
  ASSERT_TRUE(begun.ok()) << begun.status();
  EXPECT_EQ(begun->tier_id, "chaozhou-10");
  EXPECT_EQ(begun->escape_penalty.value(), 640);
  EXPECT_EQ(begun->begun_at, clock_.Now());
  EXPECT_EQ(begun->close_due, clock_.Now() + minutes(120));
  EXPECT_EQ(HoldOf("a")->until, clock_.Now() + minutes(60));
  EXPECT_EQ(wallet_.GetAccount(Context(), {"a"})->standing.round_id, "round-1");
  EXPECT_THAT(Withdraw("a", 1), FailsWith(Reason::kRoundInProgress, "account_id"));
  EXPECT_TRUE(wallet_.Deposit(Context(), {"d", "a", Currency::kCoin, 5, ""}).ok());
  EXPECT_EQ(Balance("a"), 1005);
}

TEST_F(BeginRoundTest, AWithdrawalRefusedInARoundIsNotRemembered) {
  Begin();
  const MoneyRequest withdraw{"w", "a", Currency::kCoin, 840, ""};
  EXPECT_THAT(wallet_.Withdraw(Context(), withdraw),
              FailsWith(Reason::kRoundInProgress, "account_id"));
  ASSERT_TRUE(wallet_.VoidRound(Context(), {"round-1", "test", "ops"}).ok());
  EXPECT_TRUE(wallet_.Withdraw(Context(), withdraw).ok());
}

TEST_F(BeginRoundTest, TheSameRoundBeginsOnce) {
  SitAll();
  const auto first = wallet_.BeginRound(Context(), Beginning());
  ASSERT_TRUE(first.ok()) << first.status();
  clock_.Advance(minutes(1));
  EXPECT_EQ(*wallet_.BeginRound(Context("another replica"), Beginning()), *first);
  ASSERT_TRUE(wallet_.VoidRound(Context(), {"round-1", "test", "ops"}).ok());
  // Even when it is over: it has begun, and nothing begins again.
  EXPECT_EQ(*wallet_.BeginRound(Context(), Beginning()), *first);
  EXPECT_EQ(wallet_.GetAccount(Context(), {"a"})->standing.round_id, "");
  std::vector<BeginRoundRequest> poisoned(4, Beginning());
  poisoned[0].table_id = "table-2";
  poisoned[1].base = 100;
  std::swap(poisoned[2].player_ids[0], poisoned[2].player_ids[1]);
  poisoned[3].tier_id = "chaozhou-10";
  for (const BeginRoundRequest& other : poisoned) {
    EXPECT_THAT(wallet_.BeginRound(Context(), other),
                FailsWith(Reason::kRequestIdReused, "round_id"));
  }
}

TEST_F(BeginRoundTest, EveryPlayerIsChecked) {
  ExpectRefused(Beginning(), Reason::kReservationNotFound, "player_ids[0]");
  SitAll();
  BeginRoundRequest request = Beginning();
  request.player_ids[3] = "nobody";
  ExpectRefused(request, Reason::kAccountNotFound, "player_ids[3]");
  request.player_ids[3] = "issue";
  ExpectRefused(request, Reason::kNotAPlayerAccount, "player_ids[3]");
  request = Beginning();
  request.currency = Currency::kPractice;
  ExpectRefused(request, Reason::kCurrencyMixed, "player_ids[0]");
  request = Beginning();
  request.table_id = "table-2";
  ExpectRefused(request, Reason::kReservationNotFound, "player_ids[0]");
  // Whose hold has expired has no seat; the others are as they were.
  clock_.Advance(minutes(59));
  for (const char* const id : {"a", "b", "d"}) EXPECT_TRUE(Sit(id).ok());
  clock_.Advance(minutes(1));
  ExpectRefused(Beginning(), Reason::kReservationNotFound, "player_ids[2]");
  EXPECT_TRUE(Sit("c").ok());
  ASSERT_TRUE(
      wallet_
          .Freeze(Context(),
                  {.request_id = "f", .account_id = "b", .reason = "fraud", .requested_by = "ops"})
          .ok());
  ExpectRefused(Beginning(), Reason::kAccountFrozen, "player_ids[1]");
}

TEST_F(BeginRoundTest, WhoHasTooLittleIsNamed) {
  SitAll();
  BeginRoundRequest request = Beginning();
  request.base = 100;  // another room at the same table: 1,600
  const auto refused = wallet_.BeginRound(Context(), request);
  EXPECT_THAT(refused, FailsWith(Reason::kBelowMinimum, "player_ids[0]"));
  const auto facts = base::CarriedBy(refused.status())->details.metadata;
  EXPECT_EQ(facts.at("player_id"), "a");
  EXPECT_EQ(facts.at("balance"), "1000");
  EXPECT_EQ(facts.at("minimum"), "1600");
  // Nothing of it is remembered.
  ASSERT_TRUE(wallet_.BeginRound(Context(), Beginning()).ok());
}

TEST_F(BeginRoundTest, APlayerIsInOneRound) {
  Begin();
  EXPECT_THAT(wallet_.BeginRound(Context(), Beginning("round-2")),
              FailsWith(Reason::kRoundInProgress, "player_ids[0]"));
  EXPECT_EQ(wallet_.GetAccount(Context(), {"a"})->standing.round_id, "round-1");
}

TEST_F(BeginRoundTest, TheRoomAndTheRulebookAreKnown) {
  SitAll();
  BeginRoundRequest request = Beginning();
  request.rulebook_version = "v2";
  ExpectRefused(request, Reason::kRulebookVersionUnknown, "rulebook_version");
  request = Beginning();
  request.variant = "no-such-game";
  ExpectRefused(request, Reason::kUnknownVariant, "variant");
  request = Beginning();
  request.base = 20;
  ExpectRefused(request, Reason::kTierNotFound, "base");
  request = Beginning();
  request.tier_id = "chaozhou-100";
  ExpectRefused(request, Reason::kTierNotFound, "tier_id");
  request.tier_id = "chaozhou-10";
  EXPECT_TRUE(wallet_.BeginRound(Context(), request).ok());
}

TEST_F(BeginRoundTest, ARoomOutOfItsDatesTakesNobody) {
  SitAll();
  PutStakeTierRequest end{.request_id = "end",
                          .tier_id = "chaozhou-10",
                          .variant = "chaozhou",
                          .base = 10,
                          .minimum_balance = 160,
                          .valid_from = {},
                          .valid_until = clock_.Now() + minutes(5),
                          .requested_by = "ops"};
  ASSERT_TRUE(wallet_.PutStakeTier(Context(), end).ok());
  clock_.Advance(minutes(5));
  ExpectRefused(Beginning(), Reason::kTierNotFound, "base");
  EXPECT_THAT(Sit("a"), FailsWith(Reason::kTierNotFound, "base"));
}

TEST_F(BeginRoundTest, TheRequestIsChecked) {
  SitAll();
  BeginRoundRequest request = Beginning("");
  ExpectRefused(request, Reason::kFieldRequired, "round_id");
  request = Beginning("round 1");
  ExpectRefused(request, Reason::kBadId, "round_id");
  request = Beginning();
  request.player_ids.pop_back();
  ExpectRefused(request, Reason::kBadSeat, "player_ids");
  request.player_ids = {"a", "b", "a", "d"};
  ExpectRefused(request, Reason::kDuplicatePlayer, "player_ids[2]");
  request = Beginning();
  request.rulebook_version = "";
  ExpectRefused(request, Reason::kFieldRequired, "rulebook_version");
  request = Beginning();
  request.base = 10001;
  ExpectRefused(request, Reason::kBadBase, "base");
  request = Beginning();
  request.tier_id = "a tier";
  ExpectRefused(request, Reason::kBadId, "tier_id");
}

TEST(BuiltInRuleIdsTest, AreThoseOfTheGamesOfThisProgram) {
  EXPECT_EQ(BuiltInRuleIds()("chaozhou", "no such version"), std::nullopt);
  EXPECT_EQ(BuiltInRuleIds()("no-such-game", ""), std::nullopt);
}

}  // namespace
}  // namespace mj::wallet
