// `mahjongctl replay`: a recorded round, event by event.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <string_view>

namespace mj::mahjongctl {

struct ReplayArguments {
  std::string file;   // a *.mjr, "-" for standard input
  bool all = false;   // everything at once
  bool json = false;  // the record as one JSON object
  std::string html;   // write a page to this file instead, "-" for standard output
};

// The next key; 0 when there are no more.
using ReadKey = std::function<char()>;

// With `json` the record as the protos' JSON has it. On a terminal (`read_key` given, and not `all`) the table behind one event at a time, and keys to
// step; else a line an event, with the table behind the deal and at the end. kDone; kFailed for
// what is no record, for a game that this program does not have, and where the events do not fit
// the rules (shown up to there), with why on `err`; kNoInput, kNoOutput.
int ReplayRound(const ReplayArguments& arguments, const ReadKey& read_key, std::ostream& out,
                std::ostream& err);

}  // namespace mj::mahjongctl
