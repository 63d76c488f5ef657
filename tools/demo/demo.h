// The demo: four bots play, a person reads.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "tools/demo/evening.h"

namespace mj::demo {

struct DemoOptions {
  Addresses addresses;
  std::string scoring;   // host:port
  std::string database;  // libpq URL of the wallet's database, read only
  std::string variant;
  std::uint32_t rounds = 8;
  std::uint64_t seed = 1;
};

// Plays and prints: the table, every round, the books, and a verdict in the last line. Progress and
// failures go to `err`. True only if every round was settled as it was told, every deal was fair,
// and the books balance.
bool RunDemo(const DemoOptions& options, std::ostream& out, std::ostream& err);

}  // namespace mj::demo
