#include "libs/collusion/tails.h"

#include <algorithm>
#include <cmath>

namespace mj::collusion {
namespace {

// Terms that are so much smaller than their sum add nothing.
constexpr double kNothing = 1e-17;

}  // namespace

double PoissonTail(std::int64_t count, double mean) {
  if (count <= 0) return 1;
  if (mean <= 0) return 0;
  const auto k = static_cast<double>(count);
  double term = std::exp(k * std::log(mean) - mean - std::lgamma(k + 1));
  double sum = 0;
  // Terms grow up to the mean, and shrink ever faster behind it.
  for (double at = k; at <= mean || term > sum * kNothing; at += 1) {
    sum += term;
    term *= mean / (at + 1);
  }
  return std::min(sum, 1.0);
}

double BinomialTail(std::int64_t count, std::int64_t trials, double chance) {
  if (count <= 0) return 1;
  if (count > trials || chance <= 0) return 0;
  if (chance >= 1) return 1;
  const auto n = static_cast<double>(trials);
  const auto k = static_cast<double>(count);
  double term = std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                         k * std::log(chance) + (n - k) * std::log1p(-chance));
  double sum = 0;
  for (double at = k; at <= n; at += 1) {
    sum += term;
    term *= (n - at) / (at + 1) * chance / (1 - chance);
  }
  return std::min(sum, 1.0);
}

}  // namespace mj::collusion
