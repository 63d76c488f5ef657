// Practice rounds against the house's bots, played on a running suite and told.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "tools/mahjongctl/practice_seat.h"

namespace mj::mahjongctl {

struct PracticeArguments {
  SuiteAddresses addresses;
  std::string variant;
  std::int64_t base = 100;   // in practice coins
  std::string bots;          // their strength; empty: as the suite is configured
  std::uint32_t rounds = 1;  // 1 or more
  std::string records;       // a folder for the rounds' records; empty: they are not kept
  bool json = false;
};

// Opens an account in practice coins for a new player, queues it for a table with three bots at once,
// plays its seat by libs/bots from what that seat is shown, and leaves. Tells what the seat sees, a line
// an event, and verifies each round's record when it is over; with `json` each line is an object: an
// event as the table sent it, and behind a settled round {"round_id", "record", "fits"} (the record's file,
// null when it is not kept). An exit code (exit_code.h), with why in `err`.
int Practise(const PracticeArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace mj::mahjongctl
