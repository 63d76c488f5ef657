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

}  // namespace
}  // namespace mj::wallet
