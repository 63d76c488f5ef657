#include "libs/fairness/verify.h"

namespace mj::fairness {
namespace {

Verdict CheckWall(const Wall& wall, const tiles::TileCounts& tiles, const Wall& promised) {
  if (wall.size() != promised.size()) return {Misfit::kWallSize, wall.size()};
  tiles::TileCounts left = tiles;
  for (std::size_t i = 0; i < wall.size(); ++i) {
    if (!left.Has(wall[i])) return {Misfit::kWallTiles, i};
    left.Remove(wall[i]);
  }
  for (std::size_t i = 0; i < wall.size(); ++i) {
    if (wall[i] != promised[i]) return {Misfit::kWallOrder, i};
  }
  return {};
}

}  // namespace

std::string_view MisfitText(Misfit misfit) {
  switch (misfit) {
    case Misfit::kFits:
      return "fits";
    case Misfit::kSeed:
      return "seed";
    case Misfit::kNonceOutcome:
      return "nonce_outcome";
    case Misfit::kWallSize:
      return "wall_size";
    case Misfit::kWallTiles:
      return "wall_tiles";
    case Misfit::kWallOrder:
      return "wall_order";
    case Misfit::kDice:
      return "dice";
    case Misfit::kDealer:
      return "dealer";
    case Misfit::kWinds:
      return "winds";
  }
  return "";
}

Verdict VerifyDeal(const PublishedDeal& deal, const tiles::TileCounts& tiles) {
  if (CommitSeed(deal.seed) != deal.commitment) return {Misfit::kSeed, 0};

  RoundContext context{{}, deal.round_id, deal.variant, deal.options};
  for (std::size_t seat = 0; seat < kSeats; ++seat) {
    if (CheckNonce(deal.nonces[seat]) != deal.nonce_outcomes[seat]) {
      return {Misfit::kNonceOutcome, seat};
    }
    context.nonces[seat] = EffectiveNonce(deal.nonces[seat]);
  }
  const Digest digest = ContextDigest(context);

  const Verdict wall = CheckWall(deal.wall, tiles, ShuffleWall(tiles, digest, deal.seed));
  if (!wall.fits()) return wall;
  if (deal.dice && *deal.dice != RollDice(digest, deal.seed)) return {Misfit::kDice, 0};
  if (deal.dealer && *deal.dealer != DrawDealer(digest, deal.seed)) return {Misfit::kDealer, 0};
  if (deal.winds) {
    const SeatWinds promised = DrawWinds(digest, deal.seed);
    for (std::size_t seat = 0; seat < kSeats; ++seat) {
      if ((*deal.winds)[seat] != promised[seat]) return {Misfit::kWinds, seat};
    }
  }
  return {};
}

}  // namespace mj::fairness
