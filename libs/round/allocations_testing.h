// Counts allocations. A program that links this has its operator new replaced.
#pragma once

#include <cstdint>

namespace mj::round {

// How often this thread has called operator new so far.
std::uint64_t Allocations();

}  // namespace mj::round
