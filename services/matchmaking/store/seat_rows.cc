// Live seats: which are to be looked at, which have ended.
#include "libs/base/status.h"
#include "services/matchmaking/store/pg_store.h"
#include "services/matchmaking/store/rows.h"

namespace mj::matchmaking::store {

absl::StatusOr<std::vector<SeatCheck>> PgStore::ClaimSeatChecks(std::size_t limit,
                                                                Millis interval) {
  MJ_ASSIGN_OR_RETURN(const pg::Result checks, pool_.Execute(Deadline(), R"(
      WITH claimed AS (
        UPDATE matchmaking.live_seats
           SET check_after = now() + $2::bigint * interval '1 millisecond'
         WHERE player_id IN (SELECT player_id FROM matchmaking.live_seats
                              WHERE check_after <= now()
                              ORDER BY check_after LIMIT $1 FOR UPDATE SKIP LOCKED)
        RETURNING match_id, player_id)
      SELECT m.id, m.table_id, m.table_address, c.player_id
        FROM claimed c JOIN matchmaking.matches m ON m.id = c.match_id
       WHERE m.state = 'assigned' ORDER BY m.id, c.player_id)",
                                                             limit, interval.count()));
  return ReadSeatChecks(checks);
}

absl::Status PgStore::FreeSeats(const MatchId& match, std::span<const PlayerId> players) {
  std::vector<std::string> ids;
  for (const PlayerId& player : players) ids.push_back(player.value());
  return pool_
      .Execute(Deadline(),
               "DELETE FROM matchmaking.live_seats WHERE match_id = $1"
               " AND player_id = ANY ($2::text[])",
               match.value(), ids)
      .status();
}

}  // namespace mj::matchmaking::store
