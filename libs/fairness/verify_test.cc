#include "libs/fairness/verify.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <utility>

#include "libs/fairness/fairness_testing.h"

namespace mj::fairness {
namespace {

PublishedDeal HonestDeal() {
  PublishedDeal deal;
  deal.seed = TestSeed(42);
  deal.commitment = CommitSeed(deal.seed);
  deal.nonces[0] = {CommitNonce(Bytes(32, 7)), Bytes(32, 7)};
  deal.nonces[2] = {CommitNonce(Bytes(16, 9)), Bytes(16, 8)};
  deal.nonces[3] = {CommitNonce(Bytes(20, 9)), std::nullopt};
  deal.nonce_outcomes = {NonceOutcome::kRevealed, NonceOutcome::kNotCommitted,
                         NonceOutcome::kMismatch, NonceOutcome::kNotRevealed};
  deal.round_id = "round-1";
  deal.variant = "some-game";
  deal.options = {{"cap", "10"}};
  const Digest context =
      ContextDigest({{Bytes(32, 7), {}, {}, {}}, deal.round_id, deal.variant, deal.options});
  deal.wall = ShuffleWall(FullSet(), context, deal.seed);
  deal.dice = RollDice(context, deal.seed);
  deal.dealer = DrawDealer(context, deal.seed);
  deal.winds = DrawWinds(context, deal.seed);
  return deal;
}

TEST(VerifyTest, AnHonestDealFits) {
  PublishedDeal deal = HonestDeal();
  EXPECT_EQ(VerifyDeal(deal, FullSet()), Verdict());
  deal.dice.reset();
  deal.dealer.reset();
  deal.winds.reset();
  EXPECT_TRUE(VerifyDeal(deal, FullSet()).fits());
}

struct Forgery {
  std::string_view name;
  std::function<void(PublishedDeal&)> forge;
  Misfit misfit;
  std::size_t at = 0;
};

void PrintTo(const Forgery& f, std::ostream* os) { *os << f.name; }

class ForgeryTest : public ::testing::TestWithParam<Forgery> {};

TEST_P(ForgeryTest, IsFoundAndNamed) {
  PublishedDeal deal = HonestDeal();
  GetParam().forge(deal);
  const Verdict verdict = VerifyDeal(deal, FullSet());
  EXPECT_EQ(MisfitText(verdict.misfit), MisfitText(GetParam().misfit));
  EXPECT_EQ(verdict.at, GetParam().at);
}

// Each forgery also spoils everything that comes later in the order of Misfit where it can, so the
// rows show which one is named.
INSTANTIATE_TEST_SUITE_P(
    All, ForgeryTest,
    ::testing::Values(
        Forgery{"AnotherSeed",
                [](auto& d) {
                  d.seed[127] ^= 1;
                  d.wall.pop_back();
                },
                Misfit::kSeed},
        Forgery{"AnotherCommitment", [](auto& d) { d.commitment[0] ^= 1; }, Misfit::kSeed},
        Forgery{"ARevealedNonceIgnored",
                [](auto& d) {
                  d.nonce_outcomes[0] = NonceOutcome::kNotRevealed;
                  d.wall.clear();
                },
                Misfit::kNonceOutcome, 0},
        Forgery{"AWrongNonceCounted",
                [](auto& d) { d.nonce_outcomes[2] = NonceOutcome::kRevealed; },
                Misfit::kNonceOutcome, 2},
        Forgery{"ATileMissing",
                [](auto& d) {
                  d.wall.pop_back();
                  d.wall[0] = d.wall[1];
                },
                Misfit::kWallSize, 135},
        Forgery{"ATileTooMany", [](auto& d) { d.wall.push_back(tiles::kRed); }, Misfit::kWallSize,
                137},
        Forgery{"AllOneKind",
                [](auto& d) {
                  d.wall.assign(136, tiles::kRed);
                  d.dice = Dice{7, 0};
                },
                Misfit::kWallTiles, 4},
        Forgery{"TwoTilesSwapped",
                [](auto& d) {
                  std::size_t other = 10;
                  while (d.wall[other] == d.wall[9]) ++other;
                  std::swap(d.wall[9], d.wall[other]);
                  d.dealer = (*d.dealer + 1) % 4;
                },
                Misfit::kWallOrder, 9},
        Forgery{"AnotherRound", [](auto& d) { d.round_id = "round-2"; }, Misfit::kWallOrder, 0},
        Forgery{"OtherOptions", [](auto& d) { d.options["cap"] = "0"; }, Misfit::kWallOrder, 0},
        Forgery{"OtherDice",
                [](auto& d) {
                  d.dice->second = d.dice->second % 6 + 1;
                  d.dealer = 9;
                },
                Misfit::kDice},
        Forgery{"DiceSwapped",
                [](auto& d) { d.dice = Dice{d.dice->first % 6 + 1, d.dice->second}; },
                Misfit::kDice},
        Forgery{"AnotherDealer",
                [](auto& d) {
                  d.dealer = (*d.dealer + 1) % 4;
                  std::swap((*d.winds)[0], (*d.winds)[1]);
                },
                Misfit::kDealer},
        Forgery{"OtherWinds", [](auto& d) { std::swap((*d.winds)[2], (*d.winds)[3]); },
                Misfit::kWinds, 2}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(VerifyTest, TheTileSetComesFromTheRules) {
  tiles::TileCounts smaller = FullSet();
  smaller.Remove(tiles::kRed);
  EXPECT_EQ(VerifyDeal(HonestDeal(), smaller), (Verdict{Misfit::kWallSize, 136}));
  tiles::TileCounts other = smaller;
  other.Add(tiles::kGreen);
  EXPECT_EQ(VerifyDeal(HonestDeal(), other).misfit, Misfit::kWallTiles);
}

TEST(VerifyTest, EveryMisfitHasItsWord) {
  std::set<std::string_view> words;
  for (int i = 0; i <= static_cast<int>(Misfit::kWinds); ++i) {
    words.insert(MisfitText(static_cast<Misfit>(i)));
  }
  EXPECT_EQ(words.size(), static_cast<std::size_t>(Misfit::kWinds) + 1);
  EXPECT_FALSE(words.contains(""));
}

}  // namespace
}  // namespace mj::fairness
