// Tables with free seats, and who is sent there.
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/matchmaking/store/pg_store.h"
#include "services/matchmaking/store/queue_rows.h"
#include "services/matchmaking/store/rows.h"

namespace mj::matchmaking::store {
namespace {

using std::int64_t;
using std::string;

// Open tables with a free seat, for which somebody waits. A seat is free if the table told so and no place
// is held there, by who has been sent or is not known to have left. In no order: where there are more than
// are looked at, each has its turn.
constexpr std::string_view kTablesWithFreeSeats = R"(
    SELECT o.table_id
      FROM matchmaking.open_tables o JOIN matchmaking.matches m ON m.id = o.match_id
     WHERE EXISTS (
       SELECT FROM matchmaking.tickets t
        WHERE t.state = 'queued' AND t.variant = m.variant AND t.base = m.base
          AND t.currency = m.currency AND t.media = m.media AND t.room_id = m.room_id
          AND t.options = m.options AND t.expires_at > now() AND t.party_id IS NULL)
       AND EXISTS (
       SELECT FROM generate_series(0, 3) n
        WHERE o.player_ids[n + 1] = ''
          AND NOT EXISTS (
            SELECT FROM matchmaking.matches x JOIN matchmaking.live_seats s ON s.match_id = x.id
             WHERE s.seat = n AND (x.state = 'assigned' AND x.table_id = o.table_id
                                   OR x.refill_table = o.table_id)))
       AND o.changed_at <= now() - $2::bigint * interval '1 millisecond'
     ORDER BY random() LIMIT $1)";

// The table, locked, and what is played there.
absl::StatusOr<std::optional<OpenTable>> LockTable(pg::Transaction& tx, const string& id) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found, tx.Execute(R"(
      SELECT o.address, m.variant, matchmaking.option_lines(m.options), m.base, m.currency, m.media,
             m.room_id, m.region, coalesce(m.media_room_id, '')
        FROM matchmaking.open_tables o JOIN matchmaking.matches m ON m.id = o.match_id
       WHERE o.table_id = $1 FOR UPDATE OF o SKIP LOCKED)",
                                                         id));
  MJ_ASSIGN_OR_RETURN(
      const auto row,
      (found.AtMostOne<string, string, string, int64_t, string, string, string, string, string>()));
  if (!row) return std::optional<OpenTable>();
  const auto& [address, variant, options, base, currency, media, room, region, media_room] = *row;
  OpenTable table;
  table.place = {TableId(id), address};
  MJ_ASSIGN_OR_RETURN(table.pool, ReadPool(variant, options, base, currency, media, room));
  table.region = region;
  table.media_room = media_room;
  return std::optional(std::move(table));
}

// Fills in its free seats, and who sits there or has been sent there, by the ticket they came by if they
// did. A statement of its own: what was held before the table was ours is seen.
absl::Status ReadSeats(pg::Transaction& tx, OpenTable& table) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found,
                      tx.Execute(R"(
      WITH places AS (
        SELECT n AS seat, coalesce(nullif(o.player_ids[n + 1], ''), h.player_id) AS player_id
          FROM matchmaking.open_tables o
         CROSS JOIN generate_series(0, 3) n
          LEFT JOIN LATERAL (
            SELECT s.player_id
              FROM matchmaking.matches x JOIN matchmaking.live_seats s ON s.match_id = x.id
             WHERE s.seat = n AND (x.state = 'assigned' AND x.table_id = o.table_id
                                   OR x.refill_table = o.table_id)
             LIMIT 1) h ON true
         WHERE o.table_id = $1)
      SELECT p.seat, coalesce(p.player_id, ''), coalesce(t.rating, r.mean, 25000000),
             coalesce(t.device_id, ''), coalesce(t.network, ''),
             coalesce(array_to_string(t.avoid, ','), '')
        FROM places p
        LEFT JOIN LATERAL (
          SELECT t.* FROM matchmaking.match_members mm
            JOIN matchmaking.matches x ON x.id = mm.match_id
            JOIN matchmaking.tickets t ON t.id = mm.ticket_id
           WHERE mm.player_id = p.player_id AND (x.table_id = $1 OR x.refill_table = $1)
           ORDER BY x.made_at DESC LIMIT 1) t ON true
        LEFT JOIN matchmaking.ratings r ON r.player_id = p.player_id AND r.variant = $2
       ORDER BY p.seat)",
                                 table.place.table.value(), table.pool.variant));
  MJ_ASSIGN_OR_RETURN(const auto rows,
                      (found.Rows<int64_t, string, int64_t, string, string, string>()));
  for (const auto& [seat, player, rating, device, network, avoid] : rows) {
    if (player.empty()) {
      table.free.push_back(static_cast<int>(seat));
      continue;
    }
    matching::Ticket& there = table.seated.emplace_back();
    there.id = player;
    there.player = player;
    there.pool = table.pool;
    there.rating = rating;
    there.device = device;
    there.network = network;
    for (const PlayerId& avoided : SplitIds(avoid)) there.avoid.insert(avoided.value());
  }
  MJ_ASSIGN_OR_RETURN(const pg::Result been, tx.Execute(R"(
      SELECT mm.player_id
        FROM matchmaking.matches x JOIN matchmaking.match_members mm ON mm.match_id = x.id
       WHERE x.state = 'assigned' AND x.table_id = $1 OR x.refill_table = $1)",
                                                        table.place.table.value()));
  MJ_ASSIGN_OR_RETURN(const auto players, been.Rows<string>());
  for (const auto& [player] : players) table.been.insert(PlayerId(player));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<Match>> PgStore::MakeRefills(std::size_t tables,
                                                        const QueueOptions& options,
                                                        const FillSeats& fill) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found, pool_.Execute(Deadline(), kTablesWithFreeSeats,
                                                            tables, options.refill_after.count()));
  MJ_ASSIGN_OR_RETURN(const auto rows, found.Rows<string>());
  std::vector<Match> made;
  for (const auto& [table] : rows) {
    MJ_ASSIGN_OR_RETURN(std::vector<Match> here, RefillOne(table, options, fill));
    std::move(here.begin(), here.end(), std::back_inserter(made));
  }
  return made;
}

absl::StatusOr<std::vector<Match>> PgStore::RefillOne(const string& id, const QueueOptions& options,
                                                      const FillSeats& fill) {
  std::vector<Match> made;
  const absl::Status written = pool_.Run(Deadline(), [&](pg::Transaction& tx) -> absl::Status {
    made.clear();
    MJ_ASSIGN_OR_RETURN(std::optional<OpenTable> table, LockTable(tx, id));
    if (!table) return absl::OkStatus();
    MJ_ASSIGN_OR_RETURN(const bool mine, TakePool(tx, table->pool));
    if (!mine) return absl::OkStatus();
    MJ_RETURN_IF_ERROR(ReadSeats(tx, *table));
    if (table->free.empty()) return absl::OkStatus();
    MJ_ASSIGN_OR_RETURN(std::vector<matching::Ticket> all,
                        LockQueue(tx, table->pool, options.limit));
    const std::size_t queued = all.size();
    if (queued == 0) return absl::OkStatus();
    all.insert(all.end(), table->seated.begin(), table->seated.end());
    MJ_ASSIGN_OR_RETURN(const matching::TimeMs now, ReadPairs(tx, all, options.met_for));
    const auto end_of_queue = all.begin() + static_cast<std::ptrdiff_t>(queued);
    table->seated.assign(end_of_queue, all.end());
    all.erase(end_of_queue, all.end());
    MatchArrays rows;
    for (const NewRefill& wanted : fill(*table, all, now)) {
      const matching::Ticket& ticket = all.at(wanted.ticket);
      Match& match = made.emplace_back();
      match.id = wanted.id;
      match.pool = table->pool;
      match.media_room = table->media_room;
      match.members = {{TicketId(ticket.id), PlayerId(ticket.player), wanted.token}};
      match.refill = FreeSeat{table->place, wanted.seat};
      rows.Add(wanted.id, table->media_room, wanted.why, matching::BotStrength::kUsual,
               table->place);
      rows.AddMember(wanted.seat, ticket, wanted.token);
    }
    return made.empty() ? absl::OkStatus() : InsertMatches(tx, table->pool, rows, options.lease);
  });
  MJ_RETURN_IF_ERROR(written);
  return made;
}

}  // namespace mj::matchmaking::store
