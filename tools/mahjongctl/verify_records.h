// `mahjongctl verify`: whether rounds were what their records say, without a server.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace mj::mahjongctl {

struct VerifyArguments {
  std::vector<std::string> files;  // *.mjr; "-" is standard input
  bool brief = false;              // a line a file
  bool json = false;               // a JSON object a line
};

// A block for each file: every claim that its record makes, proved or not, the first thing that does
// not fit and where, and what no record can prove. Where a table's round before is among the files,
// the dealer is held to it. kDone when all fit; kFailed when one does not, or
// is no record; kNoInput, with why on `err`, when a file cannot be read.
int VerifyRecords(const VerifyArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace mj::mahjongctl
