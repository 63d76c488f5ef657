// A live table, for somebody who watches it.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

namespace mj::mahjongctl {

struct WatchArguments {
  std::string target;  // host:port of the table service
  std::string table;
  std::string player = "mahjongctl";  // who watches
  std::uint32_t seat = 0;             // from which
  std::uint32_t rounds = 0;           // until so many more are over; 0: until the table closes
  bool plain = false;                 // a line an event, whatever `out` is
  bool json = false;                  // … as a JSON object
};

// A line for each event; on a terminal, unless `plain` or `json`, the table drawn anew. An exit code
// (exit_code.h): done when the table closes or the rounds are over; failed when the table cannot be
// watched, unavailable when the service does not answer, with why in `err`.
//
//   terminal   whether `out` is one.
int WatchTable(const WatchArguments& arguments, bool terminal, std::ostream& out,
               std::ostream& err);

}  // namespace mj::mahjongctl
