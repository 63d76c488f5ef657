// What was asked for on the command line.
#pragma once

#include <string>
#include <variant>

#include "tools/mahjongctl/audit_books.h"
#include "tools/mahjongctl/audit_collusion.h"
#include "tools/mahjongctl/explain_hand.h"
#include "tools/mahjongctl/make_keys.h"
#include "tools/mahjongctl/operate.h"
#include "tools/mahjongctl/play_seat.h"
#include "tools/mahjongctl/practice.h"
#include "tools/mahjongctl/queue_players.h"
#include "tools/mahjongctl/replay_round.h"
#include "tools/mahjongctl/tournament.h"
#include "tools/mahjongctl/verify_records.h"
#include "tools/mahjongctl/watch_table.h"

namespace mj::mahjongctl {

struct ScoreCommand {
  std::string cases;   // a file, or "-"
  std::string target;  // host:port of a scoring service; empty: in this process
};
struct ExplainCommand {
  HandArguments hand;
};
struct RoundCommand {
  std::string rounds;  // a file, or "-"
};
struct VariantsCommand {
  std::string variant;  // empty: all
  bool json = false;
};
struct AuditCommand {
  AuditArguments arguments;
};
struct CollusionCommand {
  CollusionArguments arguments;
};
struct OpsCommand {
  OpsArguments arguments;
};
struct QueueCommand {
  QueueArguments arguments;
};
struct WatchCommand {
  WatchArguments arguments;
};
struct PlayCommand {
  PlayArguments arguments;
};
struct TournamentCommand {
  TournamentArguments arguments;
};
struct PracticeCommand {
  PracticeArguments arguments;
};
struct VerifyCommand {
  VerifyArguments arguments;
};
struct ReplayCommand {
  ReplayArguments arguments;
};
struct KeysCommand {
  KeysArguments arguments;
};
// Help, the version, a shell's completion, or what is wrong with the command line has been printed already.
struct Answered {
  int exit_code = 0;
};

using Command = std::variant<ScoreCommand, ExplainCommand, RoundCommand, VariantsCommand,
                             AuditCommand, CollusionCommand, OpsCommand, QueueCommand, WatchCommand,
                             PlayCommand, PracticeCommand, TournamentCommand, VerifyCommand,
                             ReplayCommand, KeysCommand, Answered>;

// Prints help, version and completion to standard output, mistakes to standard error (Answered with kUsage).
Command ParseCommandLine(int argc, const char* const* argv);

}  // namespace mj::mahjongctl
