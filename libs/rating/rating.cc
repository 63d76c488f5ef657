#include "libs/rating/rating.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace mj::rating {
namespace {

constexpr double kMillion = 1e6;

struct Belief {
  double mean;
  double variance;
  std::int64_t result;
};

Belief Doubted(const Part& part, const Model& model) {
  const double spread =
      static_cast<double>(std::clamp<std::int64_t>(part.before.spread, 1, kSpreadMax)) / kMillion;
  const double mean =
      static_cast<double>(std::clamp(part.before.mean, -kMeanMax, kMeanMax)) / kMillion;
  return {mean, spread * spread + model.tau * model.tau, part.result};
}

Rating Kept(double mean, double variance) {
  return {std::clamp<std::int64_t>(std::llround(mean * kMillion), -kMeanMax, kMeanMax),
          std::clamp<std::int64_t>(std::llround(std::sqrt(variance) * kMillion), 1, kSpreadMax)};
}

}  // namespace

std::vector<Rating> AfterRound(std::span<const Part> parts, const Model& model) {
  std::vector<Rating> after;
  if (parts.size() < 2) {
    for (const Part& part : parts) after.push_back(part.before);
    return after;
  }
  std::vector<Belief> beliefs;
  double chance = 0;
  for (const Part& part : parts) {
    beliefs.push_back(Doubted(part, model));
    chance += beliefs.back().variance + model.beta * model.beta;
  }
  const double c = std::sqrt(chance);
  // Only differences of means count: the highest is taken away, so that exp stays in its range.
  const double highest =
      std::max_element(beliefs.begin(), beliefs.end(), [](const Belief& a, const Belief& b) {
        return a.mean < b.mean;
      })->mean;
  const auto strength = [&](const Belief& belief) { return std::exp((belief.mean - highest) / c); };

  // Of each place: the strength of those who did no better, and how many share it.
  std::vector<double> strengths;
  std::vector<double> shared;
  for (const Belief& place : beliefs) {
    double sum = 0;
    double same = 0;
    for (const Belief& other : beliefs) {
      if (other.result <= place.result) sum += strength(other);
      if (other.result == place.result) same += 1;
    }
    strengths.push_back(sum);
    shared.push_back(same);
  }
  for (std::size_t i = 0; i < beliefs.size(); ++i) {
    const Belief& mine = beliefs[i];
    double omega = 0;
    double delta = 0;
    for (std::size_t q = 0; q < beliefs.size(); ++q) {
      if (beliefs[q].result < mine.result) continue;
      const double chosen = strength(mine) / strengths[q];  // the chance to have been put here
      omega += ((i == q ? 1 : 0) - chosen) / shared[q];
      delta += chosen * (1 - chosen) / shared[q];
    }
    const double gamma = std::sqrt(mine.variance) / c;
    delta *= gamma * mine.variance / (c * c);
    after.push_back(Kept(mine.mean + omega * mine.variance / c,
                         mine.variance * std::max(1 - delta, model.kappa)));
  }
  return after;
}

}  // namespace mj::rating
