// mahjongctl score --hand: one hand's worth as a receipt for a person.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "tools/mahjongctl/exit_code.h"

namespace mj::mahjongctl {

// A hand as it stands on the command line. Texts as in the case format; empty where not given.
struct HandArguments {
  std::string variant;
  std::string hand;  // the concealed tiles without the winning one
  std::vector<std::string>
      melds;  // "pung:222s:1": kind, tiles, and the giver's seat if there is one
  std::string tile;
  std::string how = "self_draw";
  std::vector<std::string> flags;
  std::vector<std::string> options;  // "max_multiplier=0"
  int base = 100;
  int seat = 0;
  int dealer = 0;
  int from = -1;         // -1: nobody
  int kong_feeder = -1;  // -1: nobody; who threw the tile of the kong whose replacement won
  int killed = -1;       // -1: nobody; who alone pays this winner (SG-43)
  std::string wild;
  std::string round_wind;
  std::string seat_winds;  // four winds by seat, "1234z"
  std::string horses;
  bool json = false;
};

// The hand, every reading of it and why it did not count, the patterns with their names and rules,
// and the arithmetic from the base to the coins. kFailed, and the mistake on `err`, for a hand that
// cannot be; a hand that does not win is no failure. With `json` the line that `score --cases` writes
// for such a case.
ExitCode ExplainHand(const HandArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace mj::mahjongctl
