#include "tools/mahjongctl/watch_table.h"

#include <deque>
#include <memory>

#include "libs/base/reasons.h"
#include "libs/base/strings.h"
#include "libs/player/board.h"
#include "libs/player/watcher.h"
#include "libs/rpc/client.h"
#include "tools/mahjongctl/exit_code.h"
#include "tools/mahjongctl/message_json.h"
#include "tools/mahjongctl/no_answer.h"

namespace mj::mahjongctl {
namespace {

namespace v1 = ::mahjong::table::v1;

constexpr std::size_t kLatest = 8;  // lines below the table
constexpr std::string_view kClear = "\033[H\033[2J";

// "09:01:22 #12", UTC.
std::string Stamp(const v1::WatchedEvent& event) {
  const auto two = [](std::int64_t n) {
    const std::string text = std::to_string(n);
    return text.size() < 2 ? "0" + text : text;
  };
  const std::int64_t second = event.time().seconds() % 86'400;
  return base::Cat(two(second / 3'600), ":", two(second / 60 % 60), ":", two(second % 60), " #",
                   std::to_string(event.sequence()), " ");
}

bool EndsARound(const v1::WatchedEvent& event) {
  return event.event_case() == v1::WatchedEvent::kRoundSettled ||
         event.event_case() == v1::WatchedEvent::kRoundVoid;
}

int Failed(const WatchArguments& arguments, const absl::Status& status, std::ostream& err) {
  const auto carried = base::CarriedBy(status);
  err << "mahjongctl: " << arguments.target << ": " << (carried ? carried->reason + ": " : "")
      << base::ToStd(status.message()) << (IsNoAnswer(status) ? CureOf(status) : "") << '\n';
  return IsNoAnswer(status) ? kUnavailable : kFailed;
}

}  // namespace

int WatchTable(const WatchArguments& arguments, bool terminal, std::ostream& out,
               std::ostream& err) {
  const auto channel = rpc::MakeChannel({.target = arguments.target});
  const auto stub = v1::TableService::NewStub(channel);
  player::Board board(arguments.seat);
  std::deque<std::string> latest;
  std::uint32_t rounds = 0;
  player::Halt halt;
  const absl::Status watched = player::WatchTable(
      *stub, {.table_id = arguments.table, .player_id = arguments.player, .seat = arguments.seat},
      [&](const v1::WatchedEvent& event) {
        const std::string line = arguments.json ? JsonOf(event) : Stamp(event) + board.Take(event);
        if (terminal && !arguments.json && !arguments.plain) {
          latest.push_back(line);
          if (latest.size() > kLatest) latest.pop_front();
          out << kClear << board.Picture() << '\n';
          for (const std::string& each : latest) out << each << '\n';
        } else {
          out << line << '\n';
        }
        rounds += EndsARound(event) ? 1U : 0U;
        // Nobody reads any more: Run says so.
        return out.flush().good() && (arguments.rounds == 0 || rounds < arguments.rounds);
      },
      halt);
  return watched.ok() ? kDone : Failed(arguments, watched, err);
}

}  // namespace mj::mahjongctl
