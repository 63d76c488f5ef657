// `mahjongctl audit --collusion`: who may be playing for each other, and with which rounds for evidence.
#pragma once

#include <ostream>
#include <string>

namespace mj::mahjongctl {

struct CollusionArguments {
  std::string database;  // libpq's URL, of a role that reads schemas matchmaking and tables
  std::string from;      // YYYY-MM-DD, UTC; empty: from the beginning
  std::string to;        // YYYY-MM-DD; empty: to the end
  int keep_apart_days =
      0;  // whom it names is kept apart in the queue so long; 0: nothing is written
  bool json = false;
};

// A finding a paragraph, or a JSON object a line and one with the totals at the end. kDone, whatever was found: it is a
// report; kUsage for days that are none; kUnavailable with why on `err`.
int AuditCollusion(const CollusionArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace mj::mahjongctl
