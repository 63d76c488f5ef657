#include "services/matchmaking/app/tiers.h"

#include <gtest/gtest.h>

#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"
#include "services/matchmaking/app/fake_peers_testing.h"

namespace mj::matchmaking {
namespace {

using base::FailsWith;
using base::IsOkAndHolds;
using base::Reason;

class TiersTest : public ::testing::Test {
 protected:
  static std::vector<Wish> Wishes(const std::vector<std::string>& players, std::int64_t asked = 0) {
    std::vector<Wish> wishes;
    for (const std::string& player : players) {
      Wish& wish = wishes.emplace_back();
      wish.player = PlayerId(player);
      wish.asked_base = asked;
    }
    return wishes;
  }
  FakeWallet wallet_;
};

TEST_F(TiersTest, TheLowestOfTheirOwnTiers) {
  wallet_.SetBalance(PlayerId("rich"), 200'000);
  wallet_.SetBalance(PlayerId("well"), 2'000);
  wallet_.SetBalance(PlayerId("poor"), 200);
  EXPECT_THAT(CommonTier(wallet_, Wishes({"rich"})), IsOkAndHolds(10'000));
  EXPECT_THAT(CommonTier(wallet_, Wishes({"rich", "well"})), IsOkAndHolds(100));
  EXPECT_THAT(CommonTier(wallet_, Wishes({"well", "poor", "rich"})), IsOkAndHolds(10));
  EXPECT_THAT(CommonTier(wallet_, Wishes({"rich", "well"}, 10)), IsOkAndHolds(10));
}

TEST_F(TiersTest, OneWithTooFewCoinsIsNamed) {
  wallet_.SetBalance(PlayerId("rich"), 200'000);
  wallet_.SetBalance(PlayerId("poor"), 159);
  const auto refused = CommonTier(wallet_, Wishes({"rich", "poor"}));
  EXPECT_THAT(refused, FailsWith(Reason::kBelowMinimum, "friends[0].player_id"));
  const auto metadata = base::CarriedBy(refused.status())->details.metadata;
  EXPECT_EQ(metadata.at("player_id"), "poor");
  EXPECT_EQ(metadata.at("minimum"), "160");
  EXPECT_THAT(CommonTier(wallet_, Wishes({"poor", "rich"})), FailsWith(Reason::kBelowMinimum));
  EXPECT_THAT(CommonTier(wallet_, Wishes({"rich", "nobody"})),
              FailsWith(Reason::kAccountNotFound, "friends[0].player_id"));
}

// A room whose lowest table is closed to whoever has outgrown it.
class OutgrownWallet final : public Wallet {
 public:
  absl::StatusOr<std::int64_t> OpenTier(const PlayerId& player, std::string_view, std::string_view,
                                        std::int64_t asked) override {
    if (player.value() == "rich" && asked == 10) return base::Error(Reason::kTierNotFound);
    return player.value() == "rich" ? 100 : 10;
  }
};

TEST_F(TiersTest, WhatIsOpenToOneMustBeOpenToAll) {
  OutgrownWallet wallet;
  EXPECT_THAT(CommonTier(wallet, Wishes({"poor", "rich"})),
              FailsWith(Reason::kTierNotFound, "friends[0].player_id"));
}

}  // namespace
}  // namespace mj::matchmaking
