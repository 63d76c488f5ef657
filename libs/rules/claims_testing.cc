#include "libs/rules/claims_testing.h"

#include "libs/rules/score.h"

namespace mj::rules {

ClaimRunner::ClaimRunner(const Variant& variant, const Options& options) {
  const PlayRules play = variant.play(options);
  if (play.winds) {
    round_.deal.round_wind = tiles::kSouth;
    round_.deal.seat_winds =
        PerSeat<Tile>({tiles::kEast, tiles::kSouth, tiles::kWest, tiles::kNorth});
  }
  if (play.wild != WildMode::kNone) round_.deal.wild = play.fixed_wild;
  round_.wins.push_back({});
  question_ = {.win = round_.wins.begin(), .deal = &round_.deal, .winners = 1};
}

std::vector<SmallClaim> WinningClaims(std::uint64_t seed, std::int64_t count,
                                      const Variant& variant, const Options& options, int wild) {
  const PlayRules play = variant.play(options);
  TileCounts wall = play.wall;
  const bool has_wild = play.wild != WildMode::kNone;
  if (has_wild) wall.Remove(play.fixed_wild, wall[play.fixed_wild]);
  HandMaker maker(seed, wall, variant.shapes(options));
  testing::Random random(seed + 1);
  const auto any_of = [&random](const TileCounts& tiles) {
    for (;;) {
      const Tile tile = Tile::At(random.Below(tiles::kKindCount));
      if (tiles.Has(tile)) return tile;
    }
  };
  ClaimRunner runner(variant, options);
  std::vector<SmallClaim> claims;
  claims.reserve(static_cast<std::size_t>(count));
  while (static_cast<std::int64_t>(claims.size()) < count) {
    SmallClaim claim;
    claim.concealed = maker.Winning();
    for (int k = 0; k < wild; ++k) claim.concealed.Remove(any_of(claim.concealed));
    claim.concealed.Add(play.fixed_wild, wild);
    claim.tile = any_of(claim.concealed);
    claim.seat = kSeats[static_cast<std::size_t>(random.Below(kSeatCount))];
    claim.way = static_cast<WinWay>(random.Below(3));
    if (claim.way == WinWay::kSelfDraw) {
      claim.flags.last_tile = random.OneIn(16);
      claim.flags.heavenly = claim.seat == Seat::k0 && random.OneIn(16);
    }
    claim.flags.earthly = claim.seat != Seat::k0 && random.OneIn(16);
    runner.Set(claim);
    if (Judge(variant, options, runner.round(), runner.question()).legal()) claims.push_back(claim);
  }
  return claims;
}

}  // namespace mj::rules
