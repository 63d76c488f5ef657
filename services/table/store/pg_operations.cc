#include "services/table/store/pg_operations.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/table/store/operation_kind.h"
#include "services/table/store/rows.h"

namespace mj::table::store {
namespace {

// One row, or a page of them: what is not asked about is NULL.
constexpr std::string_view kOperations = R"sql(
SELECT number, kind, request_id, operator, reason, coalesce(table_id, ''), coalesce(round_id, ''),
       coalesce(player_id, ''), at_once, (extract(epoch FROM stop_from) * 1000000)::bigint,
       (extract(epoch FROM written_at) * 1000000)::bigint
  FROM tables.operations
 WHERE ($1::text IS NULL OR request_id = $1) AND ($2::text IS NULL OR table_id = $2)
   AND ($3::text IS NULL OR player_id = $3) AND ($4::text IS NULL OR operator = $4)
   AND ($5::bigint IS NULL OR number < $5)
 ORDER BY number DESC LIMIT $6
)sql";

// While a table settles the last event of its engine is the end of play.
constexpr std::string_view kTables = R"sql(
SELECT t.id, t.variant, t.base, t.currency, t.state, coalesce(s.players, ',,,'),
       coalesce(o.address, ''), (extract(epoch FROM t.created_at) * 1000000)::bigint,
       (extract(epoch FROM coalesce(latest.written_at, t.created_at)) * 1000000)::bigint,
       coalesce(r.id, ''), coalesce(r.number, 0), (extract(epoch FROM r.began_at) * 1000000)::bigint
  FROM tables.tables t
  LEFT JOIN tables.owners o ON o.id = t.owner_id AND o.alive_until > clock_timestamp()
  LEFT JOIN tables.rounds r
    ON r.opened_on = t.opened_on AND r.table_id = t.id AND r.state IN ('playing', 'scored')
 CROSS JOIN LATERAL (
   SELECT string_agg(coalesce(seat.player_id, ''), ',' ORDER BY n) AS players
     FROM generate_series(0, 3) n
     LEFT JOIN tables.seats seat
       ON seat.opened_on = t.opened_on AND seat.table_id = t.id AND seat.seat = n) s
  LEFT JOIN LATERAL (
    SELECT e.written_at FROM tables.events e
     WHERE e.opened_on = t.opened_on AND e.table_id = t.id ORDER BY e.seq DESC LIMIT 1) latest ON true
 WHERE t.state <> 'closed' AND t.id > $1
   AND ($2 = '' OR t.variant = $2) AND ($3 = '' OR t.state = $3)
   AND ($4 = '' OR EXISTS (SELECT FROM tables.seats p
                            WHERE p.opened_on = t.opened_on AND p.table_id = t.id
                              AND p.player_id = $4))
   AND ($5::bigint = 0 OR t.state = 'settling' AND (
     SELECT e.written_at FROM tables.events e
      WHERE e.opened_on = t.opened_on AND e.table_id = t.id AND e.kind = 'round_event'
      ORDER BY e.seq DESC LIMIT 1) <= clock_timestamp() - make_interval(secs => $5::bigint))
   AND ($6::bigint = 0
        OR coalesce(latest.written_at, t.created_at)
           <= clock_timestamp() - make_interval(secs => $6::bigint))
   AND (NOT $7::boolean OR o.id IS NULL)
 ORDER BY t.id LIMIT $8
)sql";

std::string_view NameOf(const std::optional<TableStage>& stage) {
  if (!stage) return "";
  switch (*stage) {
    case TableStage::kWaiting:
      return "waiting";
    case TableStage::kPlaying:
      return "playing";
    case TableStage::kSettling:
      return "settling";
    case TableStage::kClosed:
      return "closed";
  }
  return "";
}

std::optional<std::string> Some(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

absl::StatusOr<std::vector<Operation>> OperationsOf(const pg::Result& found) {
  using std::string;
  MJ_ASSIGN_OR_RETURN(const auto rows,
                      (found.Rows<std::int64_t, string, string, string, string, string, string,
                                  string, bool, std::optional<WallTime>, WallTime>()));
  std::vector<Operation> operations;
  operations.reserve(rows.size());
  for (const auto& [number, kind, request, who, reason, table, round, player, at_once, from,
                    written_at] : rows) {
    const std::optional<OperationKind> known = ParseOperationKind(kind);
    if (!known) return absl::DataLossError("kind of an operation");
    operations.push_back({number, *known, RequestId(request), who, reason, TableId(table),
                          RoundId(round), PlayerId(player), at_once, from, written_at});
  }
  return operations;
}

}  // namespace

absl::StatusOr<std::optional<Operation>> PgOperations::Find(const RequestId& request) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found, pool_.Execute(Options(), kOperations, request.value(),
                                                            nullptr, nullptr, nullptr, nullptr, 1));
  MJ_ASSIGN_OR_RETURN(std::vector<Operation> operations, OperationsOf(found));
  if (operations.empty()) return std::optional<Operation>();
  return std::optional(std::move(operations.front()));
}

absl::StatusOr<bool> PgOperations::WriteStop(const Operation& stop) {
  MJ_ASSIGN_OR_RETURN(
      const pg::Result written,
      pool_.Execute(Options(),
                    "INSERT INTO tables.operations"
                    "   (request_id, kind, operator, reason, at_once, stop_from)"
                    " VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (request_id) DO NOTHING",
                    stop.request.value(), ToSql(stop.kind), stop.who, stop.reason, stop.at_once,
                    stop.from));
  return written.affected() == 1;
}

absl::StatusOr<RoundsStopped> PgOperations::PresentStop() {
  MJ_ASSIGN_OR_RETURN(
      const pg::Result found,
      pool_.Execute(Options(),
                    "SELECT (extract(epoch FROM stop_from) * 1000000)::bigint"
                    "  FROM tables.operations WHERE kind IN ('stop_rounds', 'resume_rounds')"
                    " ORDER BY number DESC LIMIT 1"));
  MJ_ASSIGN_OR_RETURN(const auto row, found.AtMostOne<std::optional<WallTime>>());
  return row ? RoundsStopped{std::get<0>(*row)} : RoundsStopped{};
}

absl::StatusOr<std::vector<Operation>> PgOperations::ListOperations(const OperationFilter& filter,
                                                                    std::int64_t before,
                                                                    std::int64_t limit) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found,
                      pool_.Execute(Options(), kOperations, nullptr, Some(filter.table.value()),
                                    Some(filter.player.value()), Some(filter.who),
                                    before == 0 ? std::nullopt : std::optional(before), limit));
  return OperationsOf(found);
}

absl::StatusOr<std::vector<FoundTable>> PgOperations::FindTables(const TableFilter& filter,
                                                                 const TableId& after,
                                                                 std::int64_t limit) {
  using std::string;
  MJ_ASSIGN_OR_RETURN(
      const pg::Result found,
      pool_.Execute(Options(), kTables, after.value(), filter.variant, NameOf(filter.stage),
                    filter.player.value(), filter.unsettled.count(), filter.quiet.count(),
                    filter.unheld, limit));
  MJ_ASSIGN_OR_RETURN(
      const auto rows,
      (found.Rows<string, string, std::int64_t, string, string, string, string, WallTime, WallTime,
                  string, std::int64_t, std::optional<WallTime>>()));
  std::vector<FoundTable> tables;
  tables.reserve(rows.size());
  for (const auto& [id, variant, base, currency, state, players, address, created_at, last_event,
                    round, number, began_at] : rows) {
    FoundTable& table = tables.emplace_back();
    table.id = TableId(id);
    table.variant = variant;
    table.base = base;
    table.currency = currency == ToSql(Currency::kCoin) ? Currency::kCoin : Currency::kPractice;
    MJ_ASSIGN_OR_RETURN(table.stage, ParseStage(state));
    MJ_ASSIGN_OR_RETURN(table.players, ParsePlayers(players));
    table.address = address;
    table.created_at = created_at;
    table.last_event_at = last_event;
    table.round = RoundId(round);
    table.round_number = static_cast<int>(number);
    table.round_began_at = began_at;
  }
  return tables;
}

absl::StatusOr<std::vector<JournalledEvent>> PgOperations::LatestEvents(const TableId& table,
                                                                        std::int64_t limit) {
  MJ_ASSIGN_OR_RETURN(
      const pg::Result found,
      pool_.Execute(Options(),
                    "SELECT seq, kind, (extract(epoch FROM written_at) * 1000000)::bigint"
                    "  FROM tables.events"
                    " WHERE opened_on = (SELECT opened_on FROM tables.tables WHERE id = $1)"
                    "   AND table_id = $1 ORDER BY seq DESC LIMIT $2",
                    table.value(), limit));
  MJ_ASSIGN_OR_RETURN(const auto rows, (found.Rows<std::int64_t, std::string, WallTime>()));
  std::vector<JournalledEvent> latest;
  latest.reserve(rows.size());
  for (const auto& [number, kind, time] : rows) latest.push_back({number, kind, time});
  std::reverse(latest.begin(), latest.end());
  return latest;
}

}  // namespace mj::table::store
