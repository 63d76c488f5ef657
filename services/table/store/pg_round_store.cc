#include "services/table/store/pg_round_store.h"

#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/packing/packing.h"
#include "libs/wire/kept_round.h"
#include "services/table/store/record.h"
#include "services/table/store/rows.h"

namespace mj::table::store {
namespace {

using base::Cat;

// A round is a few hundred events; this is a hundred times the largest.
constexpr std::size_t kRecordBytesMax = 16U << 20U;

absl::Status Lost(std::string_view what) { return absl::DataLossError(base::ToAbsl(what)); }

constexpr std::string_view kFind = R"sql(
SELECT state, recorded_at IS NOT NULL FROM tables.rounds WHERE id = $1
)sql";

constexpr std::string_view kWhere = R"sql(
SELECT opened_on::text, table_id, number FROM tables.rounds WHERE id = $1
)sql";

// Which part of a table's journal tells of its round $3: what made the table, its last stakes before
// the round, and the round.
constexpr std::string_view kReadRound = R"sql(
WITH marks AS MATERIALIZED (
  SELECT seq, kind FROM tables.events
   WHERE opened_on = $1::date AND table_id = $2
     AND kind IN ('round_begun', 'round_posted', 'round_voided', 'stakes_proposed')),
first AS (
  SELECT seq FROM marks WHERE kind = 'round_begun' ORDER BY seq OFFSET $3 - 1 LIMIT 1),
last AS (
  SELECT min(m.seq) AS seq FROM marks m, first
   WHERE m.kind IN ('round_posted', 'round_voided') AND m.seq > first.seq),
stakes AS (
  SELECT max(m.seq) AS seq FROM marks m, first
   WHERE m.kind = 'stakes_proposed' AND m.seq < first.seq)
SELECT seq, payload FROM tables.events
 WHERE opened_on = $1::date AND table_id = $2 AND seq = 1
UNION ALL
SELECT seq, payload FROM tables.events
 WHERE opened_on = $1::date AND table_id = $2 AND seq = (SELECT seq FROM stakes) AND seq > 1
UNION ALL
SELECT seq, payload FROM tables.events
 WHERE opened_on = $1::date AND table_id = $2
   AND seq BETWEEN (SELECT seq FROM first) AND (SELECT seq FROM last)
ORDER BY 1
)sql";

// The row that says whether there is a record, locked: of several who make one, one keeps it.
constexpr std::string_view kLock = R"sql(
SELECT recorded_at IS NOT NULL FROM tables.rounds
 WHERE id = $1 AND state IN ('settled', 'void') FOR UPDATE
)sql";

constexpr std::string_view kInsertRecord = R"sql(
INSERT INTO tables.records (ended_on, round_id, table_id, number, variant, base, currency,
                            player_ids, state, began_at, ended_at, format, payload)
SELECT (r.ended_at AT TIME ZONE 'UTC')::date, r.id, r.table_id, r.number, $2, r.base, $3,
       r.player_ids, r.state, r.began_at, r.ended_at, $4, $5
  FROM tables.rounds r WHERE r.id = $1
)sql";

constexpr std::string_view kInsertPlayers = R"sql(
INSERT INTO tables.record_players (ended_on, player_id, ended_at, round_id)
SELECT (r.ended_at AT TIME ZONE 'UTC')::date, p.player_id, r.ended_at, r.id
  FROM tables.rounds r, unnest(r.player_ids) p(player_id) WHERE r.id = $1
)sql";

constexpr std::string_view kSetRecorded = R"sql(
UPDATE tables.rounds SET recorded_at = clock_timestamp() WHERE id = $1
)sql";

constexpr std::string_view kReadRecord = R"sql(
SELECT c.payload FROM tables.rounds r
  JOIN tables.records c ON c.ended_on = (r.ended_at AT TIME ZONE 'UTC')::date AND c.round_id = r.id
 WHERE r.id = $1 AND r.recorded_at IS NOT NULL
)sql";

constexpr std::string_view kClaim = R"sql(
WITH due AS (
  SELECT opened_on, table_id, number FROM tables.rounds
   WHERE state IN ('settled', 'void') AND recorded_at IS NULL
     AND (record_tried_at IS NULL
          OR record_tried_at < clock_timestamp() - $2 * interval '1 millisecond')
   ORDER BY ended_at LIMIT $1 FOR UPDATE SKIP LOCKED),
claimed AS (
  UPDATE tables.rounds r SET record_tried_at = clock_timestamp() FROM due
   WHERE r.opened_on = due.opened_on AND r.table_id = due.table_id AND r.number = due.number
  RETURNING r.id, r.ended_at)
SELECT id FROM claimed ORDER BY ended_at
)sql";

constexpr std::string_view kBacklog = R"sql(
SELECT count(*),
       coalesce((extract(epoch FROM clock_timestamp() - min(ended_at)) * 1000)::bigint, 0)
  FROM tables.rounds WHERE state IN ('settled', 'void') AND recorded_at IS NULL
)sql";

// Rounds whose records are kept, and those that are over and have none yet: the few of the last seconds.
constexpr std::string_view kOfTable = R"sql(
SELECT l.id, l.table_id, l.number, l.variant, l.base, l.currency, l.players, l.state,
       (extract(epoch FROM l.began_at) * 1000000)::bigint,
       (extract(epoch FROM l.ended_at) * 1000000)::bigint
  FROM ((SELECT c.round_id AS id, c.table_id, c.number, c.variant, c.base, c.currency,
                array_to_string(c.player_ids, ',') AS players, c.state, c.began_at, c.ended_at
           FROM tables.records c
          WHERE c.table_id = $1
            AND c.ended_on <= ($2::timestamptz AT TIME ZONE 'UTC')::date
            AND (c.ended_on, c.ended_at, c.round_id)
                < (($2::timestamptz AT TIME ZONE 'UTC')::date, $2::timestamptz, $3)
          ORDER BY c.ended_on DESC, c.ended_at DESC, c.round_id DESC LIMIT $4)
        UNION ALL
        (SELECT r.id, r.table_id, r.number, t.variant, r.base, t.currency,
                array_to_string(r.player_ids, ','), r.state, r.began_at, r.ended_at
           FROM tables.rounds r JOIN tables.tables t USING (opened_on)
          WHERE t.id = r.table_id AND r.state IN ('settled', 'void') AND r.recorded_at IS NULL
            AND r.table_id = $1 AND (r.ended_at, r.id) < ($2::timestamptz, $3)
          ORDER BY r.ended_at DESC, r.id DESC LIMIT $4)) l
 ORDER BY l.ended_at DESC, l.id DESC LIMIT $4
)sql";

constexpr std::string_view kOfPlayer = R"sql(
SELECT l.id, l.table_id, l.number, l.variant, l.base, l.currency, l.players, l.state,
       (extract(epoch FROM l.began_at) * 1000000)::bigint,
       (extract(epoch FROM l.ended_at) * 1000000)::bigint
  FROM ((SELECT c.round_id AS id, c.table_id, c.number, c.variant, c.base, c.currency,
                array_to_string(c.player_ids, ',') AS players, c.state, c.began_at, c.ended_at
           FROM (SELECT p.ended_on, p.ended_at, p.round_id FROM tables.record_players p
                  WHERE p.player_id = $1
                    AND p.ended_on <= ($2::timestamptz AT TIME ZONE 'UTC')::date
                    AND (p.ended_on, p.ended_at, p.round_id)
                        < (($2::timestamptz AT TIME ZONE 'UTC')::date, $2::timestamptz, $3)
                  ORDER BY p.ended_on DESC, p.ended_at DESC, p.round_id DESC LIMIT $4) p
           JOIN tables.records c ON c.ended_on = p.ended_on AND c.round_id = p.round_id)
        UNION ALL
        (SELECT r.id, r.table_id, r.number, t.variant, r.base, t.currency,
                array_to_string(r.player_ids, ','), r.state, r.began_at, r.ended_at
           FROM tables.rounds r JOIN tables.tables t USING (opened_on)
          WHERE t.id = r.table_id AND r.state IN ('settled', 'void') AND r.recorded_at IS NULL
            AND $1 = ANY (r.player_ids) AND (r.ended_at, r.id) < ($2::timestamptz, $3)
          ORDER BY r.ended_at DESC, r.id DESC LIMIT $4)) l
 ORDER BY l.ended_at DESC, l.id DESC LIMIT $4
)sql";

constexpr std::string_view kMakePartitions = "SELECT tables.make_partitions($1)";

constexpr std::string_view kLookAtPartitions = R"sql(
SELECT (SELECT count(*) FROM tables.partition_days('tables.events')
         WHERE day > (clock_timestamp() AT TIME ZONE 'UTC')::date),
       tables.misplaced_events()
)sql";

// After every moment that a round can have ended.
constexpr std::chrono::sys_days kEndOfTime{std::chrono::year{9999} / 1 / 1};

absl::StatusOr<RoundListing> ListingOf(
    const std::tuple<std::string, std::string, std::int64_t, std::string, std::int64_t, std::string,
                     std::string, std::string, base::WallTime, base::WallTime>& row) {
  const auto& [round, table, number, variant, base, currency, players, state, began_at, ended_at] =
      row;
  RoundListing listing;
  listing.round = RoundId(round);
  listing.table = TableId(table);
  listing.number = static_cast<int>(number);
  listing.variant = variant;
  listing.base = base;
  listing.currency = currency == ToSql(Currency::kCoin) ? Currency::kCoin : Currency::kPractice;
  MJ_ASSIGN_OR_RETURN(listing.players, ParsePlayers(players));
  listing.settled = state == "settled";
  listing.began_at = began_at;
  listing.ended_at = ended_at;
  return listing;
}

}  // namespace

pg::RunOptions PgRoundStore::Options(bool read_only) const {
  return {.deadline = clock_.Monotonic() + timeout_, .read_only = read_only};
}

absl::StatusOr<RoundStore::Standing> PgRoundStore::Find(const RoundId& round) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found, pool_.Execute(Options(true), kFind, round.value()));
  MJ_ASSIGN_OR_RETURN(const auto row, (found.AtMostOne<std::string, bool>()));
  if (!row) return Standing::kUnknown;
  const auto& [state, recorded] = *row;
  if (recorded) return Standing::kRecorded;
  return state == "settled" || state == "void" ? Standing::kOver : Standing::kLive;
}

absl::StatusOr<std::vector<LogEntry>> PgRoundStore::ReadRound(const RoundId& round) {
  std::vector<LogEntry> entries;
  MJ_RETURN_IF_ERROR(pool_.Run(Options(true), [&](pg::Transaction& tx) -> absl::Status {
    entries.clear();
    MJ_ASSIGN_OR_RETURN(const pg::Result where, tx.Execute(kWhere, round.value()));
    MJ_ASSIGN_OR_RETURN(const auto row,
                        (where.AtMostOne<std::string, std::string, std::int64_t>()));
    if (!row) return absl::OkStatus();
    const auto& [opened_on, table, number] = *row;
    MJ_ASSIGN_OR_RETURN(const pg::Result found, tx.Execute(kReadRound, opened_on, table, number));
    MJ_ASSIGN_OR_RETURN(const auto rows, (found.Rows<std::int64_t, pg::Bytes>()));
    entries.reserve(rows.size());
    for (const auto& [seq, payload] : rows) {
      auto entry = Decode(seq, payload.data);
      if (!entry.ok()) {
        return Lost(Cat("table ", table, " event ", std::to_string(seq), ": ",
                        base::ToStd(entry.status().message())));
      }
      entries.push_back(*std::move(entry));
    }
    return absl::OkStatus();
  }));
  return entries;
}

absl::StatusOr<bool> PgRoundStore::Keep(const record::RoundRecord& record) {
  ::mahjong::record::v1::RoundRecord message;
  wire::ToRecord(record, message);
  const pg::Bytes payload{packing::Pack(wire::Serialized(message))};
  bool kept = false;
  const absl::Status status = pool_.Run(Options(), [&](pg::Transaction& tx) -> absl::Status {
    kept = false;
    MJ_ASSIGN_OR_RETURN(const pg::Result found, tx.Execute(kLock, record.round_id));
    MJ_ASSIGN_OR_RETURN(const auto row, found.AtMostOne<bool>());
    if (!row) return Lost(Cat("round ", record.round_id, " is not over"));
    if (std::get<0>(*row)) return absl::OkStatus();
    MJ_RETURN_IF_ERROR(tx.Execute(kInsertRecord, record.round_id, record.variant,
                                  ToSql(record.currency), message.format(), payload)
                           .status());
    MJ_RETURN_IF_ERROR(tx.Execute(kInsertPlayers, record.round_id).status());
    kept = true;
    return tx.Execute(kSetRecorded, record.round_id).status();
  });
  MJ_RETURN_IF_ERROR(status);
  return kept;
}

absl::StatusOr<std::optional<std::string>> PgRoundStore::ReadRecord(const RoundId& round) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found,
                      pool_.Execute(Options(true), kReadRecord, round.value()));
  MJ_ASSIGN_OR_RETURN(const auto row, found.AtMostOne<pg::Bytes>());
  if (!row) return std::optional<std::string>();
  MJ_ASSIGN_OR_RETURN(std::string record, packing::Unpack(std::get<0>(*row).data, kRecordBytesMax));
  return std::optional(std::move(record));
}

absl::StatusOr<std::vector<RoundId>> PgRoundStore::Claim(std::int64_t limit,
                                                         std::chrono::milliseconds lease) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found,
                      pool_.Execute(Options(), kClaim, limit, lease.count()));
  MJ_ASSIGN_OR_RETURN(const auto rows, found.Rows<std::string>());
  std::vector<RoundId> rounds;
  for (const auto& [round] : rows) rounds.emplace_back(round);
  return rounds;
}

absl::StatusOr<RoundStore::Backlog> PgRoundStore::ReadBacklog() {
  MJ_ASSIGN_OR_RETURN(const pg::Result found, pool_.Execute(Options(true), kBacklog));
  MJ_ASSIGN_OR_RETURN(const auto row, (found.One<std::int64_t, std::int64_t>()));
  return Backlog{std::get<0>(row), std::chrono::milliseconds(std::get<1>(row))};
}

absl::StatusOr<std::vector<RoundListing>> PgRoundStore::List(
    const RoundFilter& filter, const std::optional<RoundPosition>& after, std::int64_t limit) {
  const RoundPosition from = after.value_or(RoundPosition{kEndOfTime, RoundId()});
  MJ_ASSIGN_OR_RETURN(const pg::Result found,
                      filter.player.empty()
                          ? pool_.Execute(Options(true), kOfTable, filter.table.value(),
                                          from.ended_at, from.round.value(), limit)
                          : pool_.Execute(Options(true), kOfPlayer, filter.player.value(),
                                          from.ended_at, from.round.value(), limit));
  MJ_ASSIGN_OR_RETURN(
      const auto rows,
      (found.Rows<std::string, std::string, std::int64_t, std::string, std::int64_t, std::string,
                  std::string, std::string, base::WallTime, base::WallTime>()));
  std::vector<RoundListing> listed;
  listed.reserve(rows.size());
  for (const auto& row : rows) {
    MJ_ASSIGN_OR_RETURN(listed.emplace_back(), ListingOf(row));
  }
  return listed;
}

absl::StatusOr<PgRoundStore::Partitions> PgRoundStore::MakePartitions(int days_ahead) {
  MJ_RETURN_IF_ERROR(pool_.Execute(Options(), kMakePartitions, days_ahead).status());
  MJ_ASSIGN_OR_RETURN(const pg::Result found, pool_.Execute(Options(true), kLookAtPartitions));
  MJ_ASSIGN_OR_RETURN(const auto row, (found.One<std::int64_t, std::int64_t>()));
  return Partitions{std::get<0>(row), std::get<1>(row)};
}

absl::StatusOr<std::int64_t> PgRoundStore::Drop(std::string_view sql, int keep_days) {
  MJ_ASSIGN_OR_RETURN(const pg::Result dropped, pool_.Execute(Options(), sql, keep_days));
  MJ_ASSIGN_OR_RETURN(const auto row, dropped.One<std::int64_t>());
  return std::get<0>(row);
}

absl::StatusOr<std::int64_t> PgRoundStore::DropEvents(int keep_days) {
  return Drop("SELECT tables.drop_events($1)", keep_days);
}

absl::StatusOr<std::int64_t> PgRoundStore::DropRecords(int keep_days) {
  return Drop("SELECT tables.drop_records($1)", keep_days);
}

}  // namespace mj::table::store
