#include "services/table/upkeep.h"

#include <utility>

#include "libs/base/check.h"
#include "libs/base/status.h"

namespace mj::table {
namespace {

constexpr int kDaysAhead = 7;

}  // namespace

Upkeep::Upkeep(store::PgRoundStore& store, store::PgOutbox& outbox, Records& records,
               const base::Clock& clock, obs::Metrics& metrics, const obs::Logger& log,
               UpkeepOptions options)
    : store_(store),
      outbox_(outbox),
      records_(records),
      clock_(clock),
      log_(log),
      options_(options),
      made_(metrics.Counter("mahjong_round_records_total", "Records of rounds made.")),
      failed_(metrics.Counter("mahjong_round_record_failures_total",
                              "Rounds whose record could not be made and is tried again.")),
      unrecorded_(metrics.Gauge("mahjong_rounds_unrecorded",
                                "Rounds that are over and have no record yet.")),
      lag_(metrics.Gauge("mahjong_round_record_lag_seconds",
                         "Since the oldest round without a record ended; 0: there is none.")),
      days_ahead_(metrics.Gauge("mahjong_table_partition_days_ahead",
                                "Days to come that have their partition of events.")),
      misplaced_(metrics.Gauge("mahjong_table_misplaced_events",
                               "Events in the default partition; 0 is right.")),
      dropped_events_(metrics.Counter("mahjong_table_partitions_dropped_total",
                                      "Partitions that were let go.", {{"what", "events"}})),
      dropped_records_(metrics.Counter("mahjong_table_partitions_dropped_total",
                                       "Partitions that were let go.", {{"what", "records"}})),
      dropped_outbox_(metrics.Counter("mahjong_table_outbox_dropped_total",
                                      "Rows of the feeds that were let go.")),
      failures_(metrics.Counter("mahjong_table_upkeep_failures_total",
                                "Rounds of upkeep that failed and were tried again.")),
      rounds_("upkeep", [this] { DoARound(); }) {
  MJ_CHECK(options_.keep_events_days >= 1 && options_.keep_records_days >= 1 &&
           options_.batch >= 1);
}

void Upkeep::Start(std::chrono::nanoseconds pause) { rounds_.Start(pause); }

void Upkeep::Stop() { rounds_.Stop(); }

void Upkeep::DoARound() {
  const absl::Status status = DoOnce();
  if (status.ok()) return;
  failures_.Increment();
  log_.Warn("upkeep failed", {{"status", status.ToString()}});
}

absl::Status Upkeep::DoOnce() {
  base::MutexLock lock(round_);
  absl::Status days;
  // Before the records: they may need their day.
  if (!days_kept_ || clock_.Monotonic() - *days_kept_ >= options_.days_every) {
    days = KeepDays();
    if (days.ok()) days_kept_ = clock_.Monotonic();
  }
  MJ_RETURN_IF_ERROR(MakeRecords());
  return days;
}

absl::Status Upkeep::MakeRecords() {
  const auto failed = [this](const RoundId& round, const absl::Status& why) {
    failed_.Increment();
    log_.Error("no record of a round", {{"round_id", round.value()}, {"status", why.ToString()}});
  };
  while (!rounds_.stopping()) {
    MJ_ASSIGN_OR_RETURN(const Records::Run run, records_.MakeDue(options_.batch, failed));
    made_.Increment(static_cast<double>(run.made));
    if (run.claimed < options_.batch) break;
  }
  MJ_ASSIGN_OR_RETURN(const RoundStore::Backlog backlog, store_.ReadBacklog());
  unrecorded_.Set(static_cast<double>(backlog.rounds));
  lag_.Set(std::chrono::duration<double>(backlog.oldest).count());
  return absl::OkStatus();
}

absl::Status Upkeep::KeepDays() {
  MJ_ASSIGN_OR_RETURN(const store::PgRoundStore::Partitions partitions,
                      store_.MakePartitions(kDaysAhead));
  days_ahead_.Set(static_cast<double>(partitions.days_ahead));
  misplaced_.Set(static_cast<double>(partitions.misplaced_events));
  MJ_ASSIGN_OR_RETURN(const std::int64_t events, store_.DropEvents(options_.keep_events_days));
  MJ_ASSIGN_OR_RETURN(const std::int64_t records, store_.DropRecords(options_.keep_records_days));
  MJ_ASSIGN_OR_RETURN(const std::int64_t told, outbox_.Drop(options_.keep_events_days));
  dropped_outbox_.Increment(static_cast<double>(told));
  dropped_events_.Increment(static_cast<double>(events));
  dropped_records_.Increment(static_cast<double>(records));
  if (events + records > 0) {
    log_.Info("old days dropped", {{"event_partitions", events}, {"record_partitions", records}});
  }
  return absl::OkStatus();
}

}  // namespace mj::table
