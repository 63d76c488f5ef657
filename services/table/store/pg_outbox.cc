#include "services/table/store/pg_outbox.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <tuple>

#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/table/store/rows.h"

namespace mj::table::store {
namespace {

using base::Cat;

constexpr std::int64_t kNumberedAtOnce = 1'000;
constexpr std::int64_t kDroppedAtOnce = 10'000;

absl::Status Lost(std::string_view what) { return absl::DataLossError(base::ToAbsl(what)); }

// Currency as the tables name it.
absl::StatusOr<Currency> ParseCurrency(std::string_view text) {
  for (const Currency currency : {Currency::kCoin, Currency::kPractice}) {
    if (ToSql(currency) == text) return currency;
  }
  return Lost("currency");
}

// Items of a page follow each other: a hole would be an item that nobody is ever shown.
absl::Status CheckNumber(std::int64_t number, std::int64_t after, std::size_t before) {
  if (number == after + static_cast<std::int64_t>(before) + 1) return absl::OkStatus();
  return Lost(Cat("a feed goes on with ", std::to_string(number), " after ",
                  std::to_string(after + static_cast<std::int64_t>(before))));
}

// The database's clock may be set back.
std::chrono::milliseconds LagOf(std::int64_t milliseconds) {
  return std::chrono::milliseconds(std::max<std::int64_t>(milliseconds, 0));
}

// How far a feed has come. Whoever holds this row is the only one who hands out its numbers; whoever
// comes second does not wait.
constexpr std::string_view kHold = R"sql(
SELECT last FROM tables.outbox WHERE feed = $1 FOR UPDATE SKIP LOCKED
)sql";
constexpr std::string_view kAdvance = R"sql(
UPDATE tables.outbox SET last = $2 WHERE feed = $1
)sql";
constexpr std::string_view kHead = R"sql(
SELECT last, dropped FROM tables.outbox WHERE feed = $1
)sql";
constexpr std::string_view kHoldToDrop = R"sql(
SELECT dropped FROM tables.outbox WHERE feed = $1 FOR UPDATE
)sql";
constexpr std::string_view kDropTo = R"sql(
UPDATE tables.outbox SET dropped = $2 WHERE feed = $1
)sql";

}  // namespace

struct PgOutbox::Feed {
  std::string_view name;
  std::string_view has_new;  // whether anything has no number
  std::string_view number;   // after $1, at most $2
  std::string_view read;     // after $1, at most $2
  std::string_view
      last_old;           // the last number after $1 that is older than $2 days, at most $3 later
  std::string_view drop;  // up to $1
};

// Numbers are handed out in the order of writing, to what is committed and so is seen here: a
// table's events come in their order, for the later one was written after the earlier was committed.
const PgOutbox::Feed PgOutbox::kRounds = {
    .name = "rounds",
    .has_new = "SELECT EXISTS (SELECT FROM tables.ended_rounds WHERE number IS NULL)",
    .number = R"sql(
UPDATE tables.ended_rounds r SET number = $1 + n.place
  FROM (SELECT id, row_number() OVER (ORDER BY id) AS place
          FROM tables.ended_rounds WHERE number IS NULL ORDER BY id LIMIT $2) n
 WHERE r.id = n.id
)sql",
    .read = R"sql(
SELECT e.number, e.round_id, r.table_id, t.request_id, t.variant, r.base, t.currency,
       array_to_string(r.player_ids, ','), e.void_reason, e.coins,
       (extract(epoch FROM r.ended_at) * 1000000)::bigint,
       (extract(epoch FROM clock_timestamp() - e.written_at) * 1000)::bigint
  FROM tables.ended_rounds e
  JOIN tables.rounds r ON r.id = e.round_id
  JOIN tables.tables t ON t.id = r.table_id
 WHERE e.number > $1 ORDER BY e.number LIMIT $2
)sql",
    .last_old = R"sql(
SELECT max(number) FROM tables.ended_rounds
 WHERE number > $1 AND number <= $1 + $3
   AND written_at < clock_timestamp() - make_interval(days => $2::integer)
)sql",
    .drop = "DELETE FROM tables.ended_rounds WHERE number <= $1"};

const PgOutbox::Feed PgOutbox::kSeatChanges = {
    .name = "seats",
    .has_new = "SELECT EXISTS (SELECT FROM tables.seat_changes WHERE number IS NULL)",
    .number = R"sql(
UPDATE tables.seat_changes c SET number = $1 + n.place
  FROM (SELECT id, row_number() OVER (ORDER BY id) AS place
          FROM tables.seat_changes WHERE number IS NULL ORDER BY id LIMIT $2) n
 WHERE c.id = n.id
)sql",
    .read = R"sql(
SELECT c.number, c.table_id, t.request_id, coalesce(o.address, ''), t.variant,
       coalesce((SELECT string_agg(key || '=' || value, E'\n') FROM jsonb_each_text(t.options)), ''),
       t.base, t.currency, c.state, array_to_string(c.player_ids, ','),
       array_to_string(c.left_ids, ','), t.media_room_id,
       (extract(epoch FROM clock_timestamp() - c.written_at) * 1000)::bigint
  FROM tables.seat_changes c
  JOIN tables.tables t ON t.id = c.table_id
  LEFT JOIN tables.owners o ON o.id = t.owner_id
 WHERE c.number > $1 ORDER BY c.number LIMIT $2
)sql",
    .last_old = R"sql(
SELECT max(number) FROM tables.seat_changes
 WHERE number > $1 AND number <= $1 + $3
   AND written_at < clock_timestamp() - make_interval(days => $2::integer)
)sql",
    .drop = "DELETE FROM tables.seat_changes WHERE number <= $1"};

pg::RunOptions PgOutbox::Options() const { return {.deadline = clock_.Monotonic() + timeout_}; }

absl::Status PgOutbox::Number() {
  for (const Feed* feed : {&kRounds, &kSeatChanges}) {
    std::int64_t numbered = kNumberedAtOnce;
    while (numbered == kNumberedAtOnce) {
      MJ_ASSIGN_OR_RETURN(numbered, NumberSome(*feed));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::int64_t> PgOutbox::NumberSome(const Feed& feed) {
  std::int64_t numbered = 0;
  MJ_RETURN_IF_ERROR(pool_.Run(Options(), [&](pg::Transaction& tx) -> absl::Status {
    numbered = 0;
    // Most of the time there is nothing, and nothing need be written for that.
    MJ_ASSIGN_OR_RETURN(const pg::Result found, tx.Execute(feed.has_new));
    MJ_ASSIGN_OR_RETURN(const auto has_new, found.One<bool>());
    if (!std::get<0>(has_new)) return absl::OkStatus();
    MJ_ASSIGN_OR_RETURN(const pg::Result held, tx.Execute(kHold, feed.name));
    MJ_ASSIGN_OR_RETURN(const auto head, held.AtMostOne<std::int64_t>());
    if (!head) return absl::OkStatus();
    // A statement of its own, so that it sees whatever was numbered before the row was ours.
    MJ_ASSIGN_OR_RETURN(const pg::Result done,
                        tx.Execute(feed.number, std::get<0>(*head), kNumberedAtOnce));
    numbered = done.affected();
    return tx.Execute(kAdvance, feed.name, std::get<0>(*head) + numbered).status();
  }));
  return numbered;
}

template <typename Item>
absl::StatusOr<pg::Result> PgOutbox::ReadPage(const Feed& feed, std::int64_t after,
                                              std::int64_t limit, OutboxPage<Item>& page) {
  pg::Result items;
  pg::RunOptions options = Options();
  // Head and items as of one moment.
  options.isolation = pg::RunOptions::Isolation::kRepeatableRead;
  options.read_only = true;
  MJ_RETURN_IF_ERROR(pool_.Run(options, [&](pg::Transaction& tx) -> absl::Status {
    items = pg::Result();
    MJ_ASSIGN_OR_RETURN(const pg::Result found, tx.Execute(kHead, feed.name));
    MJ_ASSIGN_OR_RETURN(const auto head, (found.One<std::int64_t, std::int64_t>()));
    std::tie(page.last, page.dropped) = head;
    if (after < page.dropped || after >= page.last) return absl::OkStatus();
    MJ_ASSIGN_OR_RETURN(items, tx.Execute(feed.read, after, limit));
    return absl::OkStatus();
  }));
  return items;
}

absl::StatusOr<OutboxPage<EndedRound>> PgOutbox::ReadRounds(std::int64_t after,
                                                            std::int64_t limit) {
  using std::string;
  OutboxPage<EndedRound> page;
  MJ_ASSIGN_OR_RETURN(const pg::Result found, ReadPage(kRounds, after, limit, page));
  MJ_ASSIGN_OR_RETURN(
      const auto rows,
      (found.Rows<std::int64_t, string, string, string, string, std::int64_t, string, string,
                  std::optional<string>, std::vector<std::int64_t>, WallTime, std::int64_t>()));
  for (const auto& [number, round, table, request, variant, base, currency, players, reason, coins,
                    ended_at, age] : rows) {
    MJ_RETURN_IF_ERROR(CheckNumber(number, after, page.items.size()));
    if (page.items.empty()) page.lag = LagOf(age);
    EndedRound& item = page.items.emplace_back();
    item.round = RoundId(round);
    item.table = TableId(table);
    item.request = RequestId(request);
    item.variant = variant;
    item.base = base;
    MJ_ASSIGN_OR_RETURN(item.currency, ParseCurrency(currency));
    MJ_ASSIGN_OR_RETURN(item.players, ParsePlayers(players));
    if (reason) {
      item.void_reason = ParseVoidReason(*reason);
      if (!item.void_reason) return Lost("void_reason");
    }
    if (coins.size() != rules::kSeatCount) return Lost("coins");
    for (const Seat seat : rules::kSeats) {
      item.coins[seat] = coins[static_cast<std::size_t>(rules::IndexOf(seat))];
    }
    item.ended_at = ended_at;
  }
  return page;
}

absl::StatusOr<OutboxPage<SeatChange>> PgOutbox::ReadSeats(std::int64_t after, std::int64_t limit) {
  using std::string;
  OutboxPage<SeatChange> page;
  MJ_ASSIGN_OR_RETURN(const pg::Result found, ReadPage(kSeatChanges, after, limit, page));
  MJ_ASSIGN_OR_RETURN(
      const auto rows,
      (found.Rows<std::int64_t, string, string, string, string, string, std::int64_t, string,
                  string, string, string, string, std::int64_t>()));
  for (const auto& [number, table, request, address, variant, options, base, currency, state,
                    players, left, media_room, age] : rows) {
    MJ_RETURN_IF_ERROR(CheckNumber(number, after, page.items.size()));
    if (page.items.empty()) page.lag = LagOf(age);
    SeatChange& item = page.items.emplace_back();
    item.table = TableId(table);
    item.request = RequestId(request);
    item.address = address;
    item.variant = variant;
    item.options = ParseOptionLines(options);
    item.base = base;
    MJ_ASSIGN_OR_RETURN(item.currency, ParseCurrency(currency));
    MJ_ASSIGN_OR_RETURN(item.stage, ParseStage(state));
    MJ_ASSIGN_OR_RETURN(item.players, ParsePlayers(players));
    item.media_room = media_room;
    if (left.empty()) continue;
    for (const std::string_view player : base::Split(left, ',')) {
      item.left.push_back(PlayerId(string(player)));
    }
  }
  return page;
}

absl::StatusOr<std::int64_t> PgOutbox::Drop(int keep_days) {
  // What has no number would go untold: whoever comes back late is to learn that it missed something.
  MJ_RETURN_IF_ERROR(Number());
  std::int64_t all = 0;
  for (const Feed* feed : {&kRounds, &kSeatChanges}) {
    std::int64_t dropped = 1;
    while (dropped > 0) {
      MJ_ASSIGN_OR_RETURN(dropped, DropSome(*feed, keep_days));
      all += dropped;
    }
  }
  return all;
}

absl::StatusOr<std::int64_t> PgOutbox::DropSome(const Feed& feed, int keep_days) {
  std::int64_t dropped = 0;
  MJ_RETURN_IF_ERROR(pool_.Run(Options(), [&](pg::Transaction& tx) -> absl::Status {
    dropped = 0;
    MJ_ASSIGN_OR_RETURN(const pg::Result held, tx.Execute(kHoldToDrop, feed.name));
    MJ_ASSIGN_OR_RETURN(const auto head, held.One<std::int64_t>());
    MJ_ASSIGN_OR_RETURN(const pg::Result found,
                        tx.Execute(feed.last_old, std::get<0>(head), keep_days, kDroppedAtOnce));
    MJ_ASSIGN_OR_RETURN(const auto old, found.One<std::optional<std::int64_t>>());
    if (!std::get<0>(old)) return absl::OkStatus();
    MJ_ASSIGN_OR_RETURN(const pg::Result gone, tx.Execute(feed.drop, *std::get<0>(old)));
    dropped = gone.affected();
    return tx.Execute(kDropTo, feed.name, *std::get<0>(old)).status();
  }));
  return dropped;
}

}  // namespace mj::table::store
