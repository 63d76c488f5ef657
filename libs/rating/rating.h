// What is believed of a player's skill, and what a round changes in it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mj::rating {

// A belief as it is kept: a normal distribution, in millionths.
struct Rating {
  std::int64_t mean = 25'000'000;
  std::int64_t spread = 8'333'333;  // standard deviation, > 0

  bool operator==(const Rating&) const = default;
};

// The model's constants, in the scale in which a newcomer's mean is 25.
struct Model {
  double beta = 25.0 / 6;   // how much chance there is in one round, as a standard deviation
  double tau = 25.0 / 300;  // by how much a belief is doubted anew before each round
  double kappa = 1e-4;      // the part of a variance that one round cannot take away
};

// No belief is vaguer, or lies farther out, than this.
inline constexpr std::int64_t kSpreadMax = 25'000'000;
inline constexpr std::int64_t kMeanMax = 1'000'000'000;

// One player's part in a round.
struct Part {
  Rating before;
  std::int64_t result = 0;  // more is better, equal is a tie; only the order counts
};

// The beliefs after the round, in the order of `parts`. Pure; the parts' order does not matter.
// A round of fewer than two players changes nothing.
//
//   before.spread   outside 1 … kSpreadMax, and before.mean outside ±kMeanMax: taken as the nearest
//                   value inside.
[[nodiscard]] std::vector<Rating> AfterRound(std::span<const Part> parts, const Model& model = {});

}  // namespace mj::rating
