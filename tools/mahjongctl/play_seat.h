// A person at a terminal against three bots of the house.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "tools/mahjongctl/practice_seat.h"

namespace mj::mahjongctl {

struct PlayArguments {
  SuiteAddresses addresses;  // empty ones: no stack runs
  std::string variant;       // empty: the first of the registry
  std::int64_t base = 100;   // in practice coins
  std::string bots;          // their strength; empty: as the suite is configured
  bool ascii = false;
  bool colour = true;
};

// Takes a seat at a practice table and plays it by keys until the player leaves or is no longer seated.
// Shows nothing but what the seat is told. An exit code (exit_code.h): kDone after leaving; kUsage without
// a terminal or a stack; else why it could not go on, in `err`.
//
//   terminal   whether standard input and output are one.
int PlaySeat(const PlayArguments& arguments, bool terminal, std::ostream& err);

}  // namespace mj::mahjongctl
