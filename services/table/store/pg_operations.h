// The audit trail of operators, and what they look for, in PostgreSQL (migrations/0026). Rows about one
// table are written by the journal's projection (rows.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "libs/base/clock.h"
#include "libs/pg/pool.h"
#include "services/table/app/operations.h"

namespace mj::table::store {

// Thread-safe; every call blocks. Keeps references: pool and clock must outlive it.
class PgOperations final : public Operations {
 public:
  PgOperations(pg::Pool& pool, const base::Clock& clock,
               std::chrono::milliseconds timeout = std::chrono::milliseconds(5'000))
      : pool_(pool), clock_(clock), timeout_(timeout) {}

  absl::StatusOr<std::optional<Operation>> Find(const RequestId& request) override;
  absl::StatusOr<bool> WriteStop(const Operation& stop) override;
  absl::StatusOr<RoundsStopped> PresentStop() override;
  absl::StatusOr<std::vector<Operation>> ListOperations(const OperationFilter& filter,
                                                        std::int64_t before,
                                                        std::int64_t limit) override;
  absl::StatusOr<std::vector<FoundTable>> FindTables(const TableFilter& filter,
                                                     const TableId& after,
                                                     std::int64_t limit) override;
  absl::StatusOr<std::vector<JournalledEvent>> LatestEvents(const TableId& table,
                                                            std::int64_t limit) override;

 private:
  [[nodiscard]] pg::RunOptions Options() const {
    return {.deadline = clock_.Monotonic() + timeout_};
  }

  pg::Pool& pool_;
  const base::Clock& clock_;
  const std::chrono::milliseconds timeout_;
};

}  // namespace mj::table::store
