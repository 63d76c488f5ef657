// An EventLog, its Leases, a Lobby and Operations in memory. Held to the same contracts as PostgreSQL's
// (event_log_contract_testing.h, leases_contract_testing.h, lobby_contract_testing.h, operations_contract_testing.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/mutex.h"
#include "services/table/app/event_log.h"
#include "services/table/app/leases.h"
#include "services/table/app/lobby.h"
#include "services/table/app/operations.h"

namespace mj::table {

// Thread-safe.
class MemoryEventLog final : public EventLog, public Leases, public Lobby, public Operations {
 public:
  // No lease ever runs out.
  MemoryEventLog() = default;
  // `clock` says when they do; it outlives the log.
  explicit MemoryEventLog(const base::Clock& clock) : clock_(&clock) {}

  absl::StatusOr<Creation> Create(const LogEntry& first, const OwnerId& owner) override;
  absl::StatusOr<std::vector<Appended>> Write(std::span<const Append> appends) override;
  absl::StatusOr<std::vector<LogEntry>> Read(const TableId& table, std::int64_t after,
                                             std::int64_t limit) override;

  absl::Status Begin(const Owner& self, std::chrono::milliseconds time) override;
  absl::StatusOr<bool> Renew(const Owner& self, std::chrono::milliseconds time) override;
  absl::Status End(const OwnerId& self) override;
  absl::StatusOr<std::variant<HeldTable, Elsewhere>> Take(const TableId& table,
                                                          const OwnerId& self) override;
  absl::StatusOr<std::vector<HeldTable>> TakeSome(const OwnerId& self, std::int64_t limit) override;
  absl::StatusOr<std::vector<HeldTable>> ListHeld(const OwnerId& self) override;
  absl::Status Retire(const OwnerId& self) override;
  absl::StatusOr<std::vector<std::string>> GiveAway(const OwnerId& self,
                                                    std::span<const HeldTable> tables) override;

  absl::StatusOr<std::vector<LobbyTable>> List(const LobbyFilter& filter, const TableId& after,
                                               std::int64_t limit) override;

  absl::StatusOr<std::optional<Operation>> Find(const RequestId& request) override;
  absl::StatusOr<bool> WriteStop(const Operation& stop) override;
  absl::StatusOr<RoundsStopped> PresentStop() override;
  absl::StatusOr<std::vector<Operation>> ListOperations(const OperationFilter& filter,
                                                        std::int64_t before,
                                                        std::int64_t limit) override;
  // Knows no ages: `unsettled` and `quiet` find nothing.
  absl::StatusOr<std::vector<FoundTable>> FindTables(const TableFilter& filter,
                                                     const TableId& after,
                                                     std::int64_t limit) override;
  absl::StatusOr<std::vector<JournalledEvent>> LatestEvents(const TableId& table,
                                                            std::int64_t limit) override;

  // Every table that was made.
  [[nodiscard]] std::vector<TableId> AllTables() const;
  // The tables that have not ended.
  [[nodiscard]] std::vector<TableId> Open() const;
  // Under which its holder appends now.
  [[nodiscard]] std::int64_t EpochOf(const TableId& table) const;
  // A whole journal.
  [[nodiscard]] std::vector<LogEntry> All(const TableId& table) const;

 private:
  struct Stored {
    RequestId request;
    OwnerId owner;
    bool taken = true;  // by its owner; false: it was only given
    std::int64_t epoch = 1;
    std::vector<LogEntry> entries;
  };
  struct Lease {
    Owner owner;
    base::MonotonicTime until;
    bool retired = false;
  };

  [[nodiscard]] base::MonotonicTime Now() const;
  [[nodiscard]] bool Alive(const OwnerId& owner) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] bool MayTake(const Stored& table, const OwnerId& self) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Appended WriteOne(const Append& append) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool Seat(const TableId& table, const LogEntry& entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] const Operation* FindOperation(const RequestId& request) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable base::Mutex mutex_;
  std::map<TableId, Stored> tables_ ABSL_GUARDED_BY(mutex_);
  std::map<PlayerId, TableId> seated_ ABSL_GUARDED_BY(mutex_);
  std::map<OwnerId, Lease> leases_ ABSL_GUARDED_BY(mutex_);
  std::vector<Operation> operations_ ABSL_GUARDED_BY(mutex_);  // by number, from 1
  const base::Clock* clock_ = nullptr;
};

}  // namespace mj::table
