// The lobby in PostgreSQL: the projections of every process's tables.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "libs/base/clock.h"
#include "libs/pg/pool.h"
#include "services/table/app/lobby.h"

namespace mj::table::store {

// Thread-safe; every call blocks. Keeps references: pool and clock must outlive it.
class PgLobby final : public Lobby {
 public:
  PgLobby(pg::Pool& pool, const base::Clock& clock,
          std::chrono::milliseconds timeout = std::chrono::milliseconds(5'000))
      : pool_(pool), clock_(clock), timeout_(timeout) {}

  absl::StatusOr<std::vector<LobbyTable>> List(const LobbyFilter& filter, const TableId& after,
                                               std::int64_t limit) override;

 private:
  pg::Pool& pool_;
  const base::Clock& clock_;
  const std::chrono::milliseconds timeout_;
};

}  // namespace mj::table::store
