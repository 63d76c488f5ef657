#include "services/table/app/history.h"

#include <cstdint>
#include <utility>
#include <variant>

#include "libs/base/reasons.h"
#include "libs/base/status.h"

namespace mj::table {
namespace {

constexpr std::int64_t kPage = 512;  // entries read at once

// Replays a whole journal; `see` is called after each entry, with what it shows.
absl::StatusOr<Fold> ReplayEntries(
    EventLog& log, const TableId& table,
    const std::function<void(const Fold&, const LogEntry&, const std::vector<Showing>&)>& see) {
  Fold fold;
  while (true) {
    MJ_ASSIGN_OR_RETURN(const std::vector<LogEntry> page,
                        log.Read(table, fold.state.last_seq, kPage));
    for (const LogEntry& entry : page) {
      MJ_ASSIGN_OR_RETURN(const std::vector<Showing> showings, fold.Apply(entry));
      see(fold, entry, showings);
    }
    if (static_cast<std::int64_t>(page.size()) < kPage) break;
  }
  if (fold.state.last_seq == 0) return base::Error(base::Reason::kTableNotFound);
  return fold;
}

// Whoever begins to watch may begin here.
bool Begins(const WatchedEvent& event) {
  return std::holds_alternative<RoundStarted>(event) || std::holds_alternative<TableMade>(event);
}

}  // namespace

absl::StatusOr<std::vector<Showing>> Fold::Apply(const LogEntry& entry) {
  MJ_RETURN_IF_ERROR(table::Apply(state, entry));
  return numbers.Show(state, entry);
}

absl::StatusOr<Fold> Replay(EventLog& log, const TableId& table,
                            const std::function<void(const Showing&)>& see) {
  return ReplayEntries(log, table,
                       [&see](const Fold&, const LogEntry&, const std::vector<Showing>& showings) {
                         if (!see) return;
                         for (const Showing& showing : showings) see(showing);
                       });
}

absl::StatusOr<std::vector<Shown>> LoadStream(EventLog& log, const TableId& table, Seat seat,
                                              const PlayerId& player, StreamSeq after) {
  std::vector<Shown> stream;
  MJ_ASSIGN_OR_RETURN(const Fold fold, Replay(log, table, [&](const Showing& showing) {
                        if (showing.seat != seat) return;
                        // Of whoever sat there before.
                        if (showing.shown.sequence == 1) stream.clear();
                        if (showing.shown.sequence > after) stream.push_back(showing.shown);
                      }));
  if (fold.state.seats[seat].player != player) return base::Error(base::Reason::kNotSeated);
  return stream;
}

absl::StatusOr<std::vector<Scene>> LoadScenes(EventLog& log, const TableId& table, StreamSeq after,
                                              WallTime told_until) {
  std::vector<Scene> scenes;
  const auto see = [&](const Fold& fold, const LogEntry& entry, const std::vector<Showing>&) {
    if (!IsWatched(entry.event)) return;
    Scene scene = SceneOf(fold.state, entry, fold.numbers.last_watched());
    if (Begins(*scene.event) && scene.time <= told_until) {
      std::erase_if(scenes, [after](const Scene& earlier) { return earlier.sequence <= after; });
    }
    scenes.push_back(std::move(scene));
  };
  MJ_RETURN_IF_ERROR(ReplayEntries(log, table, see).status());
  return scenes;
}

}  // namespace mj::table
