// The journal of tables in PostgreSQL.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "libs/base/clock.h"
#include "libs/pg/pool.h"
#include "services/table/app/event_log.h"

namespace mj::table::store {

struct PgEventLogOptions {
  std::chrono::milliseconds timeout{5'000};  // of one transaction
};

// Thread-safe; every call blocks. Keeps references: pool and clock must outlive it.
class PgEventLog final : public EventLog {
 public:
  PgEventLog(pg::Pool& pool, const base::Clock& clock, PgEventLogOptions options = {})
      : pool_(pool), clock_(clock), options_(options) {}

  absl::StatusOr<Creation> Create(const LogEntry& first, const OwnerId& owner) override;
  // One transaction for all; when the database refuses that, one for each.
  absl::StatusOr<std::vector<Appended>> Write(std::span<const Append> appends) override;
  absl::StatusOr<std::vector<LogEntry>> Read(const TableId& table, std::int64_t after,
                                             std::int64_t limit) override;

  // Whether the schema is there and readable. For the start, and for health.
  [[nodiscard]] absl::Status Check();

  // What an append was refused for that no caller can mend; for logs. Set before use.
  void OnRefused(std::function<void(const TableId&, const absl::Status&)> tell) {
    refused_ = std::move(tell);
  }

 private:
  [[nodiscard]] pg::RunOptions Options() const;
  absl::StatusOr<Appended> WriteAlone(const Append& append);

  pg::Pool& pool_;
  const base::Clock& clock_;
  const PgEventLogOptions options_;
  std::function<void(const TableId&, const absl::Status&)> refused_;
};

}  // namespace mj::table::store
