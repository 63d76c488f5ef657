#include "tools/mahjongctl/run.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>
#include <optional>
#include <string>

#include "libs/base/clock.h"
#include "tools/mahjongctl/audit_books.h"
#include "tools/mahjongctl/audit_collusion.h"
#include "tools/mahjongctl/command_line.h"
#include "tools/mahjongctl/explain_hand.h"
#include "tools/mahjongctl/input.h"
#include "tools/mahjongctl/keyboard.h"
#include "tools/mahjongctl/list_variants.h"
#include "tools/mahjongctl/make_keys.h"
#include "tools/mahjongctl/operate.h"
#include "tools/mahjongctl/play_rounds.h"
#include "tools/mahjongctl/play_seat.h"
#include "tools/mahjongctl/practice.h"
#include "tools/mahjongctl/queue_players.h"
#include "tools/mahjongctl/remote_scorer.h"
#include "tools/mahjongctl/replay_round.h"
#include "tools/mahjongctl/score_cases.h"
#include "tools/mahjongctl/tournament.h"
#include "tools/mahjongctl/verify_records.h"
#include "tools/mahjongctl/watch_table.h"

namespace mj::mahjongctl {
namespace {

std::optional<std::string> Read(const std::string& path) {
  std::optional<std::string> text = ReadInput(path);
  if (!text) std::cerr << "mahjongctl: " << path << ": " << std::strerror(errno) << '\n';
  return text;
}

int Do(const ScoreCommand& command) {
  const std::optional<std::string> text = Read(command.cases);
  if (!text) return kNoInput;
  const Scorer scorer = command.target.empty() ? LocalScorer() : RemoteScorer(command.target);
  return ScoreCases(*text, scorer, std::cout, std::cerr);
}

int Do(const ExplainCommand& command) { return ExplainHand(command.hand, std::cout, std::cerr); }

int Do(const RoundCommand& command) {
  const std::optional<std::string> text = Read(command.rounds);
  return text ? PlayRounds(*text, std::cout) : kNoInput;
}

int Do(const VariantsCommand& command) {
  return ListVariants(command.variant, command.json, std::cout, std::cerr);
}

int Do(const AuditCommand& command) { return AuditBooks(command.arguments, std::cout, std::cerr); }

int Do(const CollusionCommand& command) {
  return AuditCollusion(command.arguments, std::cout, std::cerr);
}

int Do(const OpsCommand& command) { return Operate(command.arguments, std::cout, std::cerr); }

int Do(const QueueCommand& command) {
  return QueuePlayers(command.arguments, isatty(STDERR_FILENO) != 0, std::cout, std::cerr);
}

int Do(const WatchCommand& command) {
  return WatchTable(command.arguments, isatty(STDOUT_FILENO) != 0, std::cout, std::cerr);
}

int Do(const PracticeCommand& command) { return Practise(command.arguments, std::cout, std::cerr); }

int Do(const PlayCommand& command) {
  const bool terminal = isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
  return PlaySeat(command.arguments, terminal, std::cerr);
}

int Do(const TournamentCommand& command) {
  return HoldTournament(command.arguments, std::cout, std::cerr);
}

int Do(const VerifyCommand& command) {
  return VerifyRecords(command.arguments, std::cout, std::cerr);
}

int Do(const ReplayCommand& command) {
  const ReplayArguments& arguments = command.arguments;
  const bool terminal = isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
  if (!terminal || arguments.all || !arguments.html.empty()) {
    return ReplayRound(arguments, {}, std::cout, std::cerr);
  }
  Keyboard keyboard;
  return ReplayRound(arguments, [&] { return keyboard.Next(); }, std::cout, std::cerr);
}

int Do(const KeysCommand& command) {
  const base::SystemClock clock;
  return MakeKeys(command.arguments, clock, std::cout, std::cerr);
}

int Do(const Answered& answered) { return answered.exit_code; }

}  // namespace

int Run(int argc, const char* const* argv) {
  std::ios::sync_with_stdio(false);
  const Command command = ParseCommandLine(argc, argv);
  const int code = std::visit([](const auto& asked) { return Do(asked); }, command);
  if (std::cout.flush()) return code;
  std::cerr << "mahjongctl: standard output cannot be written\n";
  return kNoOutput;
}

}  // namespace mj::mahjongctl
