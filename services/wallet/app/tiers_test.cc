#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "services/wallet/app/wallet_testing.h"

namespace mj::wallet {
namespace {

using base::Reason;

using TiersTest = WalletTestBase;

StakeTierRequest Request(std::int64_t base = 0) {
  return {"ann", "chaozhou", Currency::kCoin, base};
}

TEST_F(TiersTest, ThePlayersOwnTierFollowsItsCoins) {
  Open("ann", 1599);
  auto answer = wallet_.GetStakeTier(Context(), Request());
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->tier.id, "chaozhou-10");
  EXPECT_EQ(answer->balance, 1599);
  ASSERT_TRUE(wallet_.Deposit(Context(), {"d", "ann", Currency::kCoin, 1, ""}).ok());
  answer = wallet_.GetStakeTier(Context(), Request());
  EXPECT_EQ(answer->tier.id, "chaozhou-100");
  EXPECT_EQ(answer->tier.stakes.minimum.value(), 1600);
}

TEST_F(TiersTest, ALowerTierIsOpenTooAHigherIsNot) {
  Open("ann", 1600);
  EXPECT_EQ(wallet_.GetStakeTier(Context(), Request(10))->tier.id, "chaozhou-10");
  const auto refused = wallet_.GetStakeTier(Context(), Request(1000));
  EXPECT_THAT(refused, FailsWith(Reason::kBelowMinimum, "player_id"));
  const auto metadata = base::CarriedBy(refused.status())->details.metadata;
  EXPECT_EQ(metadata.at("balance"), "1600");
  EXPECT_EQ(metadata.at("minimum"), "16000");
}

TEST_F(TiersTest, BelowTheLowestNobodyPlays) {
  Open("ann", 159);
  const auto refused = wallet_.GetStakeTier(Context(), Request());
  EXPECT_THAT(refused, FailsWith(Reason::kBelowMinimum, "player_id"));
  EXPECT_EQ(base::CarriedBy(refused.status())->details.metadata.at("minimum"), "160");
}

TEST_F(TiersTest, WhatIsNotThereIsSaid) {
  Open("ann", 1000);
  StakeTierRequest request = Request();
  request.variant = "no-such-game";
  EXPECT_THAT(wallet_.GetStakeTier(Context(), request),
              FailsWith(Reason::kUnknownVariant, "variant"));
  for (const std::int64_t base : {11, -1, 20000}) {
    EXPECT_THAT(wallet_.GetStakeTier(Context(), Request(base)),
                FailsWith(Reason::kTierNotFound, "base"));
  }
  request = Request();
  request.player_id = "nobody";
  EXPECT_THAT(wallet_.GetStakeTier(Context(), request),
              FailsWith(Reason::kAccountNotFound, "player_id"));
  request.player_id = "issue";
  EXPECT_THAT(wallet_.GetStakeTier(Context(), request),
              FailsWith(Reason::kNotAPlayerAccount, "player_id"));
  request = Request();
  request.currency = Currency::kPractice;
  EXPECT_THAT(wallet_.GetStakeTier(Context(), request),
              FailsWith(Reason::kCurrencyMixed, "player_id"));
  request = Request();
  request.player_id = "";
  EXPECT_THAT(wallet_.GetStakeTier(Context(), request),
              FailsWith(Reason::kFieldRequired, "player_id"));
  request = Request();
  request.variant = "";
  EXPECT_THAT(wallet_.GetStakeTier(Context(), request),
              FailsWith(Reason::kFieldRequired, "variant"));
  request.variant = "no game";
  EXPECT_THAT(wallet_.GetStakeTier(Context(), request), FailsWith(Reason::kBadId, "variant"));
}

class PutTierTest : public WalletTestBase {
 protected:
  PutStakeTierRequest Request() {
    return {.request_id = "put-" + std::to_string(++asked_),
            .tier_id = "chaozhou-10",
            .variant = "chaozhou",
            .base = 10,
            .minimum_multiple = 20,
            .rake_per_player = 3,
            .escape_penalty = 640,
            .escape_compensation = 600,
            .valid_from = {},
            .valid_until = {},
            .requested_by = "ops"};
  }

  Tier Now() {
    const auto tiers = wallet_.ListStakeTiers(Context(), {"chaozhou", Currency::kCoin});
    EXPECT_TRUE(tiers.ok()) << tiers.status();
    return tiers.ok() && !tiers->empty() ? tiers->front() : Tier{};
  }
};

TEST_F(PutTierTest, ARoomGetsOtherTermsFromNowOnOrLater) {
  const Tier before = Now();
  PutStakeTierRequest later = Request();
  later.valid_from = clock_.Now() + std::chrono::hours(1);
  ASSERT_TRUE(wallet_.PutStakeTier(Context(), later).ok());
  EXPECT_EQ(Now(), before);
  clock_.Advance(std::chrono::hours(1));
  EXPECT_EQ(Now().stakes.rake.value(), 3);
  EXPECT_EQ(Now().stakes.minimum.value(), 200);
  EXPECT_EQ(Now().stakes.escape_compensation.value(), 600);
  clock_.Advance(std::chrono::hours(1));
  PutStakeTierRequest now = Request();
  now.minimum_multiple = 0;
  now.minimum_balance = 7;
  const auto put = wallet_.PutStakeTier(Context(), now);
  ASSERT_TRUE(put.ok()) << put.status();
  EXPECT_EQ(Now(), *put);
  EXPECT_EQ(*wallet_.PutStakeTier(Context(), now), *put);
  now.minimum_balance = 8;
  EXPECT_THAT(wallet_.PutStakeTier(Context(), now),
              FailsWith(Reason::kRequestIdReused, "request_id"));
}

TEST_F(PutTierTest, ARoomEnds) {
  PutStakeTierRequest end = Request();
  end.valid_until = clock_.Now() + std::chrono::hours(1);
  ASSERT_TRUE(wallet_.PutStakeTier(Context(), end).ok());
  EXPECT_EQ(Now().stakes.base.value(), 10);
  clock_.Advance(std::chrono::hours(1));
  EXPECT_EQ(Now().stakes.base.value(), 100);
}

TEST_F(PutTierTest, WhatIsNoPeriodOfTheRoom) {
  const auto refused = [this](const std::function<void(PutStakeTierRequest&)>& spoil, Reason reason,
                              std::string_view field) {
    PutStakeTierRequest request = Request();
    spoil(request);
    EXPECT_THAT(wallet_.PutStakeTier(Context(), request), FailsWith(reason, field));
  };
  refused([](auto& r) { r.request_id = ""; }, Reason::kFieldRequired, "request_id");
  refused([](auto& r) { r.tier_id = "a b"; }, Reason::kBadId, "tier_id");
  refused([](auto& r) { r.variant = ""; }, Reason::kFieldRequired, "variant");
  refused([](auto& r) { r.base = 0; }, Reason::kBadBase, "base");
  refused([](auto& r) { r.base = 10001; }, Reason::kBadBase, "base");
  refused([](auto& r) { r.minimum_balance = 5; }, Reason::kBadAmount, "minimum_multiple");
  refused([](auto& r) { r.minimum_multiple = -1; }, Reason::kBadAmount, "minimum_multiple");
  refused([](auto& r) { r.minimum_multiple = ledger::kCoinsMax; }, Reason::kBadAmount,
          "minimum_multiple");
  refused([](auto& r) { r.rake_per_player = -1; }, Reason::kBadAmount, "rake_per_player");
  refused([](auto& r) { r.escape_penalty = ledger::kCoinsMax + 1; }, Reason::kBadAmount,
          "escape_penalty");
  refused([](auto& r) { r.escape_compensation = 641; }, Reason::kBadAmount, "escape_compensation");
  refused([](auto& r) { r.requested_by = ""; }, Reason::kFieldRequired, "requested_by");
  refused([this](auto& r) { r.valid_from = clock_.Now() - std::chrono::seconds(1); },
          Reason::kBadPeriod, "valid_from");
  refused([this](auto& r) { r.valid_until = clock_.Now(); }, Reason::kBadPeriod, "valid_from");
  refused(
      [this](auto& r) {
        r.valid_from = clock_.Now() + std::chrono::hours(2);
        r.valid_until = clock_.Now() + std::chrono::hours(2);
      },
      Reason::kBadPeriod, "valid_until");
  refused([](auto& r) { r.tier_id = "chaozhou-100"; }, Reason::kTierConflict, "tier_id");
  refused([](auto& r) { r.tier_id = "new"; }, Reason::kTierConflict, "tier_id");
  PutStakeTierRequest later = Request();
  later.valid_from = clock_.Now() + std::chrono::hours(1);
  ASSERT_TRUE(wallet_.PutStakeTier(Context(), later).ok());
  refused([](auto&) {}, Reason::kTierConflict, "valid_from");
  EXPECT_EQ(Now().stakes.rake.value(), 0);
}

}  // namespace
}  // namespace mj::wallet
