// The bots' strengths against each other, in this process.
#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <string>

#include "libs/bots/strength.h"
#include "libs/rules/variant.h"

namespace mj::mahjongctl {

struct TournamentArguments {
  std::string variant;          // empty: every game
  std::int64_t rounds = 2'000;  // of each game, rounded up to whole deals of kRotations
  std::uint64_t seed = 1;
  bool json = false;
};

// Each deal is played so often, everybody one seat on each time: no strength has the better tiles.
inline constexpr int kRotations = 4;
// With fewer there is no saying how sure a figure is.
inline constexpr std::int64_t kRoundsMin = 8 * kRotations;

// A mean and how far the true one may lie from it, with a confidence of 95 %: deals are what is
// independent of each other.
struct Estimate {
  double mean = 0;
  double within = 0;
};

// How one strength fared, each figure of one seat in one round.
struct Standing {
  bots::Strength strength = bots::Strength::kWeak;
  std::int64_t seats = 0;  // seats times rounds
  Estimate coins;          // kTournamentBase a base, before rake
  Estimate won;            // of 1
  Estimate fed;            // of 1: threw the tile, or showed the kong, with which another won
};

// What the better of two made in a round beyond the other, deal by deal.
struct Lead {
  bots::Strength better = bots::Strength::kWeak;
  bots::Strength worse = bots::Strength::kWeak;
  Estimate coins;
};

inline constexpr std::int64_t kTournamentBase = 100;

struct Tournament {
  const rules::Variant* game = nullptr;
  std::int64_t deals = 0;
  std::int64_t rounds = 0;
  std::int64_t exhausted = 0;
  std::array<Standing, bots::kStrengths.size()> standings;  // strongest first
  std::array<Lead, bots::kStrengths.size()> leads;  // strong-medium, medium-weak, strong-weak
};

// At each table sit one of each strength and a second one of one of them, in turn. With the options'
// defaults; the same arguments give the same figures. REQUIRES: rounds >= kRoundsMin.
[[nodiscard]] Tournament PlayTournament(const rules::Variant& game, std::int64_t rounds,
                                        std::uint64_t seed);

// Prints one tournament a game: a table for people, or an object a line. An exit code (exit_code.h):
// kFailed for a game that there is not, with why in `err`.
int HoldTournament(const TournamentArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace mj::mahjongctl
