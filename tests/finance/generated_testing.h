// A large ledger in no time: entries made by SQL, behind the triggers' back.
#pragma once

#include <cstdint>
#include <string>

#include "libs/pg/cluster_testing.h"

namespace mj::finance {

struct Generated {
  std::int64_t settlements = 1;  // eight entries each, spread over 2025
  std::int64_t players = 4;      // a multiple of 4
};

// Fills wallet.entries, with accounts "p1" … and journal rows, and gathers statistics. What the
// finance views read is right (entries add up, sequences have no gaps); hashes, balances and
// settlements are not made.
void Generate(const pg::testing::Database& database, const Generated& what);

// Seals every day from the first entry's to this one ("2025-11-30") at once.
void SealUntil(const pg::testing::Database& database, const std::string& day);

}  // namespace mj::finance
