// An EventLog and a Lobby in memory. Held to the same contracts as PostgreSQL's
// (event_log_contract_testing.h, lobby_contract_testing.h).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "libs/base/mutex.h"
#include "services/table/app/event_log.h"
#include "services/table/app/lobby.h"

namespace mj::table {

// Thread-safe.
class MemoryEventLog final : public EventLog, public Lobby {
 public:
  absl::StatusOr<Creation> Create(const LogEntry& first) override;
  absl::StatusOr<std::vector<Appended>> Write(std::span<const Append> appends) override;
  absl::StatusOr<std::vector<LogEntry>> Read(const TableId& table, std::int64_t after,
                                             std::int64_t limit) override;
  absl::StatusOr<std::vector<TableId>> ListOpen(const TableId& after, std::int64_t limit) override;

  absl::StatusOr<std::vector<LobbyTable>> List(const LobbyFilter& filter, const TableId& after,
                                               std::int64_t limit) override;

  // A whole journal.
  [[nodiscard]] std::vector<LogEntry> All(const TableId& table) const;
  // Gives the table another owner: appends of the epoch before are refused from now on.
  void TakeOver(const TableId& table);

 private:
  struct Stored {
    RequestId request;
    std::int64_t epoch = 1;
    std::vector<LogEntry> entries;
  };

  Appended WriteOne(const Append& append) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool Seat(const TableId& table, const LogEntry& entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable base::Mutex mutex_;
  std::map<TableId, Stored> tables_ ABSL_GUARDED_BY(mutex_);
  std::map<PlayerId, TableId> seated_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::table
