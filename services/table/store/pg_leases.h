// Who holds which table, in PostgreSQL: tables.owners and tables.tables (migrations/0013).
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "libs/base/clock.h"
#include "libs/pg/pool.h"
#include "services/table/app/leases.h"

namespace mj::table::store {

struct PgLeasesOptions {
  std::chrono::milliseconds timeout{1'000};  // of one call: a lease is not worth more waiting
};

// Thread-safe. Keeps references to the pool and the clock. All times are the database's.
class PgLeases final : public Leases {
 public:
  PgLeases(pg::Pool& pool, base::Clock& clock, PgLeasesOptions options = {})
      : pool_(pool), clock_(clock), options_(options) {}

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

 private:
  [[nodiscard]] pg::RunOptions Options() const;

  pg::Pool& pool_;
  base::Clock& clock_;
  const PgLeasesOptions options_;
};

}  // namespace mj::table::store
