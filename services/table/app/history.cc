#include "services/table/app/history.h"

#include <cstdint>
#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/status.h"

namespace mj::table {
namespace {

constexpr std::int64_t kPage = 512;  // entries read at once

}  // namespace

absl::StatusOr<std::vector<Showing>> Fold::Apply(const LogEntry& entry) {
  MJ_RETURN_IF_ERROR(table::Apply(state, entry));
  return numbers.Show(state, entry);
}

absl::StatusOr<Fold> Replay(EventLog& log, const TableId& table,
                            const std::function<void(const Showing&)>& see) {
  Fold fold;
  while (true) {
    MJ_ASSIGN_OR_RETURN(const std::vector<LogEntry> page,
                        log.Read(table, fold.state.last_seq, kPage));
    for (const LogEntry& entry : page) {
      MJ_ASSIGN_OR_RETURN(const std::vector<Showing> showings, fold.Apply(entry));
      if (!see) continue;
      for (const Showing& showing : showings) see(showing);
    }
    if (static_cast<std::int64_t>(page.size()) < kPage) break;
  }
  if (fold.state.last_seq == 0) return base::Error(base::Reason::kTableNotFound);
  return fold;
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

}  // namespace mj::table
