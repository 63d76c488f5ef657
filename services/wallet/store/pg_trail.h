// What operators did to accounts, from the account events and the journal.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "libs/pg/pool.h"
#include "services/wallet/app/trail.h"

namespace mj::wallet::store {

// Thread-safe; no state of its own. Keeps a reference: the pool must outlive it.
class PgTrail final : public Trail {
 public:
  explicit PgTrail(pg::Pool& pool) : pool_(pool) {}

  absl::StatusOr<std::vector<TrailLine>> List(const TrailFilter& filter,
                                              const std::optional<TrailPlace>& before,
                                              std::int64_t limit,
                                              base::MonotonicTime deadline) override;

 private:
  pg::Pool& pool_;
};

}  // namespace mj::wallet::store
