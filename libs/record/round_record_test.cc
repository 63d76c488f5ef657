#include "libs/record/round_record.h"

#include <gtest/gtest.h>

namespace mj::record {
namespace {

// A record whose deal is as its seed and nonces give it.
RoundRecord Dealt(bool drawn, bool winds, const tiles::TileCounts& tiles) {
  RoundRecord record;
  record.round_id = "round";
  record.variant = "game";
  record.options = {{"a", "1"}};
  record.seed.fill(7);
  record.seed_hash = fairness::CommitSeed(record.seed);
  const fairness::Bytes nonce(16, 3);
  record.nonces[Seat::k2] = {{fairness::CommitNonce(nonce), nonce},
                             fairness::NonceOutcome::kRevealed};
  fairness::RoundContext context;
  context.nonces[2] = nonce;
  context.round_id = record.round_id;
  context.variant = record.variant;
  context.options = record.options;
  const fairness::Digest digest = fairness::ContextDigest(context);
  record.wall = fairness::ShuffleWall(tiles, digest, record.seed);
  record.dice = fairness::RollDice(digest, record.seed);
  record.drawn = drawn;
  if (winds) {
    const fairness::SeatWinds drawn_winds = fairness::DrawWinds(digest, record.seed);
    record.round_wind = tiles::kEast;
    record.seat_winds = PerSeat<tiles::Tile>(drawn_winds);
    for (const Seat seat : rules::kSeats) {
      if ((*record.seat_winds)[seat] == tiles::kEast) record.dealer = seat;
    }
  } else {
    record.dealer = static_cast<Seat>(fairness::DrawDealer(digest, record.seed));
  }
  return record;
}

tiles::TileCounts SomeTiles() {
  tiles::TileCounts tiles;
  for (const tiles::Tile tile : tiles::kAllKinds) tiles.Add(tile, 4);
  return tiles;
}

TEST(RoundRecordTest, ItsDealIsVerifiedAsItWasDrawn) {
  for (const bool drawn : {false, true}) {
    for (const bool winds : {false, true}) {
      const RoundRecord record = Dealt(drawn, winds, SomeTiles());
      const fairness::PublishedDeal deal = PublishedDealOf(record);
      EXPECT_TRUE(fairness::VerifyDeal(deal, SomeTiles()).fits());
      EXPECT_EQ(deal.dealer.has_value(), drawn && !winds) << "East deals";
      EXPECT_EQ(deal.winds.has_value(), drawn && winds);
    }
  }
}

TEST(RoundRecordTest, AnyPartOfTheDealThatIsWrongIsFound) {
  using fairness::Misfit;
  const auto misfit = [](const RoundRecord& record) {
    return fairness::VerifyDeal(PublishedDealOf(record), SomeTiles()).misfit;
  };
  RoundRecord seed = Dealt(true, false, SomeTiles());
  seed.seed[0] ^= 1;
  EXPECT_EQ(misfit(seed), Misfit::kSeed);
  RoundRecord nonce = Dealt(true, false, SomeTiles());
  nonce.nonces[Seat::k2].outcome = fairness::NonceOutcome::kMismatch;
  EXPECT_EQ(misfit(nonce), Misfit::kNonceOutcome);
  RoundRecord options = Dealt(true, false, SomeTiles());
  options.options["a"] = "2";
  EXPECT_EQ(misfit(options), Misfit::kWallOrder);
  RoundRecord dice = Dealt(true, false, SomeTiles());
  dice.dice->first = dice.dice->first % 6 + 1;
  EXPECT_EQ(misfit(dice), Misfit::kDice);
  RoundRecord dealer = Dealt(true, false, SomeTiles());
  dealer.dealer = rules::After(dealer.dealer);
  EXPECT_EQ(misfit(dealer), Misfit::kDealer);
  RoundRecord winds = Dealt(true, true, SomeTiles());
  std::swap((*winds.seat_winds)[Seat::k0], (*winds.seat_winds)[Seat::k1]);
  EXPECT_EQ(misfit(winds), Misfit::kWinds);
}

}  // namespace
}  // namespace mj::record
