// How improbable a count is. Probabilities, never coins: doubles.
#pragma once

#include <cstdint>

namespace mj::collusion {

// P(X >= count) of a Poisson variable of this mean (0 or more). What is smaller than a double can tell is 0.
[[nodiscard]] double PoissonTail(std::int64_t count, double mean);

// P(X >= count) of `trials` tosses that come out with `chance`, 0 to 1.
[[nodiscard]] double BinomialTail(std::int64_t count, std::int64_t trials, double chance);

}  // namespace mj::collusion
