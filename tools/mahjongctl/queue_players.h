// `mahjongctl queue`: a crowd of bots through the queue, and whether everybody was seated once.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

namespace mj::mahjongctl {

struct QueueArguments {
  std::string wallet;       // host:port
  std::string table;        // host:port, or several as gRPC resolves them
  std::string matchmaking;  // host:port of each replica, with commas in between
  std::string database;     // libpq's URL of the wallet's books
  std::string variant;
  int players = 40;         // a multiple of 4
  int over_seconds = 5;     // in which they come
  int limit_seconds = 600;  // for everything
  std::uint64_t seed = 1;
  std::string prefix;  // of their ids; empty: one that nobody had yet
  bool json = false;
};

// The moments of it go to `err`, over one another where that is a terminal; the summary to `out`. kDone when
// everybody was seated once, every round is closed and the books balance; kFailed, with what is wrong, when
// not; kUnavailable when accounts cannot be made or the books not be read; kUsage for an unknown game.
int QueuePlayers(const QueueArguments& arguments, bool terminal, std::ostream& out,
                 std::ostream& err);

}  // namespace mj::mahjongctl
