// The demo: bots play, a person reads.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "tools/demo/evening.h"

namespace mj::demo {

// Rounds in all when nobody says how many.
inline constexpr std::uint32_t kRoundsInAll = 8;

struct DemoOptions {
  Addresses addresses;
  std::string scoring;                // host:port
  std::string database;               // libpq URL of the wallet's database, read only
  std::vector<std::string> variants;  // one table for each, all played at once; none: every game
  std::uint32_t rounds = 0;           // at each table; 0: kRoundsInAll shared among the tables
  std::uint64_t seed = 1;
  std::string records = {};  // folder for the rounds' records; empty: none are written
};

// Plays and prints, table by table: who sits there, every round; then the books of all, and a
// verdict in the last line. Progress and failures go to `err`. True only if every round was settled
// as it was told, every deal was fair, and the books balance.
bool RunDemo(const DemoOptions& options, std::ostream& out, std::ostream& err);

}  // namespace mj::demo
