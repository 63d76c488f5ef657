// Where players are, and how long they waited.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/matchmaking/store/pg_store.h"
#include "services/matchmaking/store/rows.h"

namespace mj::matchmaking::store {
namespace {

using std::int64_t;
using std::string;

const string kLiveTicket = base::Cat("SELECT", kTicketColumns, kTicketJoins, R"(
    WHERE t.player_id = $1 AND t.state IN ('queued', 'matched')
      AND (t.state = 'matched' OR t.expires_at > now()))");

}  // namespace

absl::StatusOr<Whereabouts> PgStore::Locate(const PlayerId& player) {
  // One snapshot for both: a ticket that is assigned in between would be in neither.
  pg::RunOptions options = Deadline();
  options.isolation = pg::RunOptions::Isolation::kRepeatableRead;
  options.read_only = true;
  Whereabouts known;
  MJ_RETURN_IF_ERROR(pool_.Run(options, [&](pg::Transaction& tx) -> absl::Status {
    known = {};
    const pg::Statement statements[] = {pg::Statement(kLiveTicket, player.value()),
                                        pg::Statement(R"(
        SELECT m.id, m.table_id, m.table_address, s.seat, mm.join_token,
               coalesce(m.media_room_id, '')
          FROM matchmaking.live_seats s
          JOIN matchmaking.matches m ON m.id = s.match_id
          JOIN matchmaking.match_members mm ON mm.match_id = s.match_id AND mm.seat = s.seat
         WHERE s.player_id = $1 AND m.state = 'assigned')",
                                                      player.value())};
    MJ_ASSIGN_OR_RETURN(const auto results, tx.ExecuteTogether(statements));
    MJ_ASSIGN_OR_RETURN(std::vector<Ticket> tickets, ReadTickets(results[0]));
    if (!tickets.empty()) known.ticket = std::move(tickets.front());
    MJ_ASSIGN_OR_RETURN(const auto row,
                        (results[1].AtMostOne<string, string, string, int64_t, string, string>()));
    if (row) {
      const auto& [match, table, address, seat, token, media_room] = *row;
      known.seat =
          LiveSeat{player, MatchId(match), {TableId(table), address}, static_cast<int>(seat),
                   token,  media_room};
    }
    return absl::OkStatus();
  }));
  return known;
}

absl::StatusOr<std::vector<Millis>> PgStore::RecentWaits(const matching::Pool& pool,
                                                         std::size_t limit) {
  const OptionArrays options = ToArrays(pool.options);
  MJ_ASSIGN_OR_RETURN(const pg::Result found,
                      pool_.Execute(Deadline(), R"(
      SELECT (extract(epoch FROM m.changed_at - t.queued_at) * 1000)::bigint
        FROM (SELECT id, changed_at FROM matchmaking.matches
               WHERE state = 'assigned' AND variant = $1 AND base = $2 AND currency = $3
                 AND media = $4 AND room_id = $5 AND options = jsonb_object($6::text[], $7::text[])
               ORDER BY changed_at DESC, id DESC LIMIT $8) m
        JOIN matchmaking.match_members mm ON mm.match_id = m.id
        JOIN matchmaking.tickets t ON t.id = mm.ticket_id
       ORDER BY m.changed_at DESC, m.id DESC, mm.seat LIMIT $8)",
                                    pool.variant, pool.base, pool.currency, ToText(pool.media),
                                    pool.room, options.names, options.values, limit));
  MJ_ASSIGN_OR_RETURN(const auto rows, found.Rows<int64_t>());
  std::vector<Millis> waits;
  for (const auto& [wait] : rows) waits.push_back(Millis(wait));
  return waits;
}

}  // namespace mj::matchmaking::store
