// What the table service does about time that passes: records of rounds that are over, partitions for
// the days to come, and old days let go.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "libs/base/clock.h"
#include "libs/base/mutex.h"
#include "libs/base/periodic.h"
#include "libs/obs/log.h"
#include "libs/obs/metrics.h"
#include "services/table/app/records.h"
#include "services/table/store/pg_outbox.h"
#include "services/table/store/pg_round_store.h"

namespace mj::table {

struct UpkeepOptions {
  int keep_events_days = 7;     // of closed tables whose rounds have their records, and of what
                                // the feeds told; 1 or more
  int keep_records_days = 180;  // 1 or more
  std::int64_t batch = 16;      // rounds at once
  std::chrono::hours days_every{1};  // how often partitions are made and dropped
};

// Metrics:
//   mahjong_round_records_total           records made by this process
//   mahjong_round_record_failures_total   rounds whose record could not be made and is tried again; the
//                                         log tells which and why
//   mahjong_rounds_unrecorded             rounds that are over and have no record yet
//   mahjong_round_record_lag_seconds      since the oldest of them ended; 0 when there is none
//   mahjong_table_partition_days_ahead    days to come that have their partition of events
//   mahjong_table_misplaced_events        events in the default partition; 0 is right
//   mahjong_table_partitions_dropped_total{what}   "events", "records"
//   mahjong_table_outbox_dropped_total   rows of the feeds that were let go
//   mahjong_table_upkeep_failures_total  rounds of this that failed
//
// Any number of replicas may do all of it at once: each round's record is made once. Thread-safe.
class Upkeep {
 public:
  // All must outlive it, which stops with its end. Nothing happens before Start.
  Upkeep(store::PgRoundStore& store, store::PgOutbox& outbox, Records& records,
         const base::Clock& clock, obs::Metrics& metrics, const obs::Logger& log,
         UpkeepOptions options = {});
  // Does a round now and then, with so much time in between, until Stop.
  void Start(std::chrono::nanoseconds pause);
  // Returns when the round that is on its way is over.
  void Stop();

  // One round: every record that is due; and the days, when it is time for them. What fails is told
  // after all else was done.
  [[nodiscard]] absl::Status DoOnce();

 private:
  void DoARound();
  [[nodiscard]] absl::Status MakeRecords();
  [[nodiscard]] absl::Status KeepDays();

  store::PgRoundStore& store_;
  store::PgOutbox& outbox_;
  Records& records_;
  const base::Clock& clock_;
  const obs::Logger log_;
  const UpkeepOptions options_;
  prometheus::Counter& made_;
  prometheus::Counter& failed_;
  prometheus::Gauge& unrecorded_;
  prometheus::Gauge& lag_;
  prometheus::Gauge& days_ahead_;
  prometheus::Gauge& misplaced_;
  prometheus::Counter& dropped_events_;
  prometheus::Counter& dropped_records_;
  prometheus::Counter& dropped_outbox_;
  prometheus::Counter& failures_;

  base::Mutex round_;  // one round at a time
  std::optional<base::MonotonicTime> days_kept_ ABSL_GUARDED_BY(round_);

  base::Periodic rounds_;  // last: ends before what it uses
};

}  // namespace mj::table
