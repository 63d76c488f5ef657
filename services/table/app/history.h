// From the journal to a table: recovery, replay and old events are one code.
#pragma once

#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/table/app/event_log.h"
#include "services/table/app/shown.h"
#include "services/table/app/state.h"
#include "services/table/app/watched.h"

namespace mj::table {

// A table as far as its journal says: its state, and the numbers of its streams.
struct Fold {
  TableState state;
  StreamNumbers numbers;

  // `entry` happens; what it shows. DATA_LOSS as table::Apply, and the fold is not to be used any
  // more.
  [[nodiscard]] absl::StatusOr<std::vector<Showing>> Apply(const LogEntry& entry);
};

// Replays a whole journal. `see` is called with what each entry shows. Blocks.
// TABLE_NOT_FOUND when there is no journal, DATA_LOSS when it cannot be one, the log's failures.
[[nodiscard]] absl::StatusOr<Fold> Replay(EventLog& log, const TableId& table,
                                          const std::function<void(const Showing&)>& see = {});

// The stream of `player` at `seat`, from `after` + 1 to its latest event. Blocks. As Replay, and
// NOT_SEATED when the journal ends with somebody else there.
[[nodiscard]] absl::StatusOr<std::vector<Shown>> LoadStream(EventLog& log, const TableId& table,
                                                            Seat seat, const PlayerId& player,
                                                            StreamSeq after);

// What whoever watches is told, to the latest event and without gaps: from `after` + 1 on, or from
// where the latest round began of which they have been told; that is whatever happened until
// `told_until`. Never empty. Blocks. As Replay.
[[nodiscard]] absl::StatusOr<std::vector<Scene>> LoadScenes(EventLog& log, const TableId& table,
                                                            StreamSeq after, WallTime told_until);

}  // namespace mj::table
