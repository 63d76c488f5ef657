#include "services/table/store/pg_lobby.h"

#include <string>
#include <string_view>

#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/table/store/rows.h"

namespace mj::table::store {
namespace {

absl::Status Lost(std::string_view what) { return absl::DataLossError(base::ToAbsl(what)); }

// "0:player" and so on.
absl::StatusOr<PerSeat<PlayerId>> PlayersOf(std::string_view seats) {
  PerSeat<PlayerId> players;
  if (seats.empty()) return players;
  for (const std::string_view seat : base::Split(seats, ',')) {
    if (seat.size() < 3 || seat[0] < '0' || seat[0] > '3') return Lost("seats");
    players[static_cast<Seat>(seat[0] - '0')] = PlayerId(std::string(seat.substr(2)));
  }
  return players;
}

}  // namespace

absl::StatusOr<std::vector<LobbyTable>> PgLobby::List(const LobbyFilter& filter,
                                                      const TableId& after, std::int64_t limit) {
  MJ_ASSIGN_OR_RETURN(
      const pg::Result found,
      pool_.Execute(
          {.deadline = clock_.Monotonic() + timeout_},
          "SELECT t.id, t.base, t.room_base, t.state, CASE WHEN t.watchable THEN 1 ELSE 0 END,"
          "       coalesce((SELECT string_agg(key || '=' || value, E'\\n')"
          "                   FROM jsonb_each_text(t.options)), ''),"
          "       coalesce(s.seats, '')"
          "  FROM tables.tables t"
          " CROSS JOIN LATERAL ("
          "   SELECT count(*) AS taken, string_agg(seat || ':' || player_id, ',') AS seats"
          "     FROM tables.seats WHERE opened_on = t.opened_on AND table_id = t.id) s"
          " WHERE t.variant = $1 AND t.currency = $2 AND t.state <> 'closed' AND t.id > $3"
          "   AND ($4::bigint = 0 OR t.room_base = $4) AND (NOT $5 OR s.taken < 4)"
          " ORDER BY t.id LIMIT $6",
          filter.variant, ToSql(filter.currency), after.value(), filter.room, filter.free_seats,
          limit));
  MJ_ASSIGN_OR_RETURN(const auto rows,
                      (found.Rows<std::string, std::int64_t, std::int64_t, std::string,
                                  std::int64_t, std::string, std::string>()));
  std::vector<LobbyTable> tables;
  tables.reserve(rows.size());
  for (const auto& [id, base, room, state, watchable, options, seats] : rows) {
    LobbyTable& table = tables.emplace_back();
    table.id = TableId(id);
    table.options = ParseOptionLines(options);
    table.base = base;
    table.room = room;
    table.watchable = watchable != 0;
    MJ_ASSIGN_OR_RETURN(table.stage, ParseStage(state));
    MJ_ASSIGN_OR_RETURN(table.players, PlayersOf(seats));
  }
  return tables;
}

}  // namespace mj::table::store
