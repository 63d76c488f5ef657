#include "services/table/store/pg_event_log.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "libs/base/check.h"
#include "libs/base/status.h"
#include "services/table/store/rows.h"

namespace mj::table::store {
namespace {

// A failure that says nothing about what was to be written: the call may be made again.
bool MayPass(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status) || absl::IsAborted(status);
}

absl::Status ProjectAll(pg::Transaction& tx, const Append& append) {
  for (const LogEntry& entry : append.entries) {
    MJ_RETURN_IF_ERROR(Project(tx, append.table, entry.event));
  }
  return absl::OkStatus();
}

bool IsJournalAlone(const Append& append) {
  return std::all_of(append.entries.begin(), append.entries.end(),
                     [](const LogEntry& entry) { return store::IsJournalAlone(entry.event); });
}

// Most of what happens at a table: one round trip, the commit in it. The rest takes one for each
// statement more.
absl::Status WriteAll(pg::Transaction& tx, std::span<const Append> appends) {
  if (std::all_of(appends.begin(), appends.end(),
                  [](const Append& append) { return IsJournalAlone(append); })) {
    const pg::Statement insert = EventsOf(appends);
    return tx.ExecuteAndCommit(std::span(&insert, 1)).status();
  }
  MJ_RETURN_IF_ERROR(InsertEvents(tx, appends));
  for (const Append& append : appends) MJ_RETURN_IF_ERROR(ProjectAll(tx, append));
  return absl::OkStatus();
}

// Whether exactly these entries are there already.
absl::StatusOr<bool> IsThere(pg::Transaction& tx, const Append& append) {
  const std::int64_t first = append.entries.front().seq;
  const auto size = static_cast<std::int64_t>(append.entries.size());
  MJ_ASSIGN_OR_RETURN(const std::vector<LogEntry> there,
                      ReadEntries(tx, append.table, first - 1, size));
  return there == append.entries;
}

}  // namespace

pg::RunOptions PgEventLog::Options() const {
  return {.deadline = clock_.Monotonic() + options_.timeout};
}

absl::StatusOr<Creation> PgEventLog::Create(const LogEntry& first, const OwnerId& owner) {
  const auto& created = std::get<TableCreated>(first.event);
  std::optional<Creation> creation;
  const absl::Status status = pool_.Run(Options(), [&](pg::Transaction& tx) -> absl::Status {
    creation.reset();
    MJ_ASSIGN_OR_RETURN(const bool made, InsertTable(tx, created, owner));
    if (made) {
      creation = Made{};
      return InsertEvents(tx, std::vector<Append>{{created.table, 1, {first}}});
    }
    MJ_ASSIGN_OR_RETURN(
        const pg::Result found,
        tx.Execute("SELECT id FROM tables.tables WHERE request_id = $1", created.request.value()));
    MJ_ASSIGN_OR_RETURN(const auto row, found.One<std::string>());
    const TableId before(std::get<0>(row));
    creation = before == created.table ? Creation(Made{}) : Creation(MadeBefore{before});
    return absl::OkStatus();
  });
  if (status.ok()) return *creation;
  if (!absl::IsAlreadyExists(status)) return status;
  std::optional<PlayerId> busy;
  MJ_RETURN_IF_ERROR(pool_.Run(Options(), [&](pg::Transaction& tx) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(busy, FindBusy(tx, created.spec.players));
    return absl::OkStatus();
  }));
  // Whoever was in the way has left again: the caller may ask once more.
  if (!busy) return absl::AbortedError("a player's seat was given up meanwhile");
  return Creation(Busy{*busy});
}

absl::StatusOr<std::vector<Appended>> PgEventLog::Write(std::span<const Append> appends) {
  const absl::Status together =
      pool_.Run(Options(), [&](pg::Transaction& tx) { return WriteAll(tx, appends); });
  if (together.ok()) return std::vector<Appended>(appends.size(), Appended::kWritten);
  if (MayPass(together)) return together;
  std::vector<Appended> written;
  for (const Append& append : appends) {
    MJ_ASSIGN_OR_RETURN(written.emplace_back(), WriteAlone(append));
  }
  return written;
}

absl::StatusOr<Appended> PgEventLog::WriteAlone(const Append& append) {
  MJ_CHECK(!append.entries.empty());
  Appended appended = Appended::kRefused;
  bool raced = false;  // somebody wrote between our look and our write
  const absl::Status status = pool_.Run(Options(), [&](pg::Transaction& tx) -> absl::Status {
    appended = Appended::kNotOwner;
    MJ_ASSIGN_OR_RETURN(const std::optional<JournalEnd> end, FindEnd(tx, append.table));
    if (!end || end->epoch != append.epoch) return absl::OkStatus();
    if (append.entries.front().seq <= end->last_seq) {
      MJ_ASSIGN_OR_RETURN(const bool there, IsThere(tx, append));
      if (there) appended = Appended::kWritten;
      return absl::OkStatus();
    }
    if (append.entries.front().seq != end->last_seq + 1) return absl::OkStatus();
    const absl::Status inserted = InsertEvents(tx, std::span(&append, 1));
    raced = absl::IsAlreadyExists(inserted) || absl::IsFailedPrecondition(inserted);
    MJ_RETURN_IF_ERROR(inserted);
    MJ_RETURN_IF_ERROR(ProjectAll(tx, append));
    appended = Appended::kWritten;
    return absl::OkStatus();
  });
  if (status.ok()) return appended;
  if (MayPass(status)) return status;
  if (raced) return Appended::kNotOwner;
  if (absl::IsAlreadyExists(status)) {
    const bool acted = std::any_of(
        append.entries.begin(), append.entries.end(),
        [](const LogEntry& entry) { return std::holds_alternative<OperatorActed>(entry.event); });
    if (acted) return Appended::kRequestReused;
    const bool seats = std::any_of(
        append.entries.begin(), append.entries.end(),
        [](const LogEntry& entry) { return std::holds_alternative<SeatTaken>(entry.event); });
    if (seats) return Appended::kPlayerBusy;
  }
  if (refused_) refused_(append.table, status);
  return Appended::kRefused;
}

absl::StatusOr<std::vector<LogEntry>> PgEventLog::Read(const TableId& table, std::int64_t after,
                                                       std::int64_t limit) {
  std::vector<LogEntry> entries;
  MJ_RETURN_IF_ERROR(pool_.Run(Options(), [&](pg::Transaction& tx) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(entries, ReadEntries(tx, table, after, limit));
    return absl::OkStatus();
  }));
  return entries;
}

absl::Status PgEventLog::Check() {
  return pool_
      .Execute(
          Options(),
          "SELECT 1 FROM tables.tables, tables.events, tables.seats, tables.rounds, tables.owners,"
          "       tables.outbox, tables.ended_rounds, tables.seat_changes,"
          "       tables.operations"
          " WHERE false")
      .status();
}

}  // namespace mj::table::store
