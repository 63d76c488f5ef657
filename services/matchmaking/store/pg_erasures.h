// Erasures in PostgreSQL (migrations/0027).
#pragma once

#include <chrono>
#include <cstdint>

#include "libs/base/clock.h"
#include "libs/pg/pool.h"
#include "services/matchmaking/app/erasures.h"

namespace mj::matchmaking::store {

// Thread-safe; no state of its own. Keeps references: `pool` and `clock` must outlive it.
class PgErasures final : public Erasures {
 public:
  PgErasures(pg::Pool& pool, const base::Clock& clock, Millis timeout = Millis(3'000))
      : pool_(pool), clock_(clock), timeout_(timeout) {}

  absl::StatusOr<Erasure> Erase(const ErasureOrder& order) override;
  absl::StatusOr<std::int64_t> EraseEnded(const KeepOptions& keep, std::int64_t limit) override;

 private:
  [[nodiscard]] pg::RunOptions Options() const {
    return {.deadline = clock_.Monotonic() + timeout_};
  }

  pg::Pool& pool_;
  const base::Clock& clock_;
  const Millis timeout_;
};

}  // namespace mj::matchmaking::store
