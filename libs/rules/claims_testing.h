// Claims to have won, for tests and benchmarks, made from a seed.
#pragma once

#include <cstdint>
#include <vector>

#include "libs/rules/hands_testing.h"
#include "libs/rules/variant.h"

namespace mj::rules {

// A claim, small enough for a million of them.
struct SmallClaim {
  TileCounts concealed;  // with the winning tile
  Tile tile;
  Seat seat = Seat::k0;
  WinWay way = WinWay::kSelfDraw;
  WinFlags flags;
};

// Makes one round and one claim in it after another.
class ClaimRunner {
 public:
  // A deal of this game: winds where it has them, the wild tile where the options give one.
  ClaimRunner(const Variant& variant, const Options& options);

  const FinishedRound& round() const { return round_; }
  const WinQuestion& question() const { return question_; }

  // Puts the claim into the round.
  void Set(const SmallClaim& claim) {
    Win& win = round_.wins[0];
    win.hand.concealed = claim.concealed;
    win.hand.concealed.Remove(claim.tile);
    win.tile = claim.tile;
    win.seat = claim.seat;
    win.way = claim.way;
    win.from = claim.way == WinWay::kSelfDraw ? std::nullopt : std::optional(Before(claim.seat));
    win.flags = claim.flags;
  }

  ClaimRunner(const ClaimRunner&) = delete;
  ClaimRunner& operator=(const ClaimRunner&) = delete;

 private:
  FinishedRound round_;
  WinQuestion question_;
};

// `count` claims of fourteen concealed tiles that are wins in this game, from every seat and in
// every way that it allows; rarely heavenly, earthly or on the wall's last tile. With `wild` > 0
// that many tiles of each, any ones, have been exchanged for the wild kind, which stands nowhere
// else.
std::vector<SmallClaim> WinningClaims(std::uint64_t seed, std::int64_t count,
                                      const Variant& variant, const Options& options, int wild = 0);

}  // namespace mj::rules
