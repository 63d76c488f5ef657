#include "services/table/store/rows.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/table/app/state.h"
#include "services/table/store/operation_kind.h"
#include "services/table/store/record.h"

namespace mj::table::store {
namespace {

using base::Cat;

std::int64_t Number(Seat seat) { return rules::IndexOf(seat); }

constexpr std::array<std::pair<std::string_view, VoidReason>, 5> kVoidReasons = {{
    {"escape", VoidReason::kEscape},
    {"connection_lost", VoidReason::kConnectionLost},
    {"all_absent", VoidReason::kAllAbsent},
    {"operator", VoidReason::kOperator},
    {"refused", VoidReason::kRefused},
}};

// One row of tables.seat_changes for table $1 as the statements before have left it, with who has
// left ($2); and one only if it is open.
constexpr std::string_view kTellSeats = R"sql(
INSERT INTO tables.seat_changes (table_id, state, player_ids, left_ids)
SELECT t.id, t.state,
       (SELECT array_agg(coalesce(s.player_id, '') ORDER BY n)
          FROM generate_series(0, 3) n
          LEFT JOIN tables.seats s
            ON s.opened_on = t.opened_on AND s.table_id = t.id AND s.seat = n),
       $2::text[]
  FROM tables.tables t WHERE t.id = $1
)sql";
constexpr std::string_view kTellWanting = R"sql(
INSERT INTO tables.seat_changes (table_id, state, player_ids, left_ids)
SELECT t.id, t.state, p.player_ids, '{}'
  FROM tables.tables t
 CROSS JOIN LATERAL (
   SELECT array_agg(coalesce(s.player_id, '') ORDER BY n) AS player_ids, count(s.seat) AS taken
     FROM generate_series(0, 3) n
     LEFT JOIN tables.seats s
       ON s.opened_on = t.opened_on AND s.table_id = t.id AND s.seat = n) p
 WHERE t.id = $1 AND t.state = 'waiting' AND p.taken < 4
)sql";

absl::Status TellSeats(pg::Transaction& tx, const TableId& table,
                       const std::vector<std::string>& left) {
  return tx.Execute(kTellSeats, table.value(), left).status();
}

// For who waits for a free seat, if there is one.
absl::Status TellWanting(pg::Transaction& tx, const TableId& table) {
  return tx.Execute(kTellWanting, table.value()).status();
}

absl::Status Set(pg::Transaction& tx, const TableId& table, std::string_view state) {
  return tx
      .Execute(
          "UPDATE tables.tables"
          "   SET state = $2, closed_at = CASE WHEN $2 = 'closed' THEN clock_timestamp() END"
          " WHERE id = $1",
          table.value(), state)
      .status();
}

absl::Status OneRound(const pg::Result& moved) {
  if (moved.affected() == 1) return absl::OkStatus();
  return absl::FailedPreconditionError("the table has no such round");
}

// Moves the table's one live round on, which then is neither settled nor void.
absl::Status SetRound(pg::Transaction& tx, const TableId& table, std::string_view from,
                      std::string_view to) {
  MJ_ASSIGN_OR_RETURN(
      const pg::Result moved,
      tx.Execute("UPDATE tables.rounds SET state = $3"
                 " WHERE table_id = $1 AND state = $2"
                 "   AND opened_on = (SELECT opened_on FROM tables.tables WHERE id = $1)",
                 table.value(), from, to));
  return OneRound(moved);
}

// Ends the table's one live round, and tells so.
absl::Status EndRound(pg::Transaction& tx, const TableId& table, std::string_view from,
                      const PerSeat<Coins>& coins, std::optional<VoidReason> voided) {
  std::vector<std::int64_t> by_seat;
  for (const Coins of_seat : coins) by_seat.push_back(of_seat);
  MJ_ASSIGN_OR_RETURN(
      const pg::Result told,
      tx.Execute("WITH ended AS ("
                 "  UPDATE tables.rounds"
                 "     SET state = CASE WHEN $4::text IS NULL THEN 'settled' ELSE 'void' END,"
                 "         ended_at = clock_timestamp()"
                 "   WHERE table_id = $1 AND state = $2"
                 "     AND opened_on = (SELECT opened_on FROM tables.tables WHERE id = $1)"
                 "  RETURNING id)"
                 " INSERT INTO tables.ended_rounds (round_id, coins, void_reason)"
                 " SELECT id, $3::bigint[], $4 FROM ended",
                 table.value(), from, by_seat,
                 voided ? std::optional(ToSql(*voided)) : std::nullopt));
  return OneRound(told);
}

PerSeat<Coins> NetOf(const PerSeat<SeatPosted>& seats) {
  PerSeat<Coins> coins{};
  for (Seat seat : rules::kSeats) coins[seat] = seats[seat].net;
  return coins;
}

absl::Status InsertSeats(pg::Transaction& tx, const TableId& table,
                         const std::vector<std::int64_t>& seats,
                         const std::vector<std::string>& players) {
  // Sorted, so that two tables that want the same players wait for each other in one order.
  MJ_ASSIGN_OR_RETURN(
      const pg::Result seated,
      tx.Execute("INSERT INTO tables.seats (opened_on, table_id, seat, player_id)"
                 " SELECT t.opened_on, t.id, s.seat, s.player_id"
                 "   FROM tables.tables t, unnest($2::bigint[], $3::text[]) s(seat, player_id)"
                 "  WHERE t.id = $1 ORDER BY s.player_id"
                 " ON CONFLICT (player_id) DO NOTHING",
                 table.value(), seats, players));
  if (seated.affected() == static_cast<std::int64_t>(seats.size())) return absl::OkStatus();
  return absl::AlreadyExistsError("a player has a seat");
}

struct OptionColumns {
  explicit OptionColumns(const OptionTexts& options) {
    for (const auto& [name, value] : options) {
      names.push_back(name);
      values.push_back(value);
    }
  }
  std::vector<std::string> names;
  std::vector<std::string> values;
};

template <typename Event, typename... Others>
constexpr bool kIsOneOf = (std::is_same_v<Event, Others> || ...);

// What needs no row but its own in the journal.
template <typename Event>
constexpr bool kJournalAlone =
    kIsOneOf<Event, SeatReadied, QuestionAsked, ClocksRestarted, AutoPlaySet, SeatLeaving,
             HandShown, ConsentAsked, StakesAccepted, NonceRevealed, DealDrawn, RoundsStopped>;

bool EndsPlay(const RoundPlayed& event) {
  return std::holds_alternative<round::RoundEnded>(event.event);
}

class Projection {
 public:
  Projection(pg::Transaction& tx, const TableId& table) : tx_(tx), table_(table) {}

  absl::Status operator()(const TableCreated&) {
    return absl::FailedPreconditionError("a table is made by Create");
  }
  absl::Status operator()(const SeatTaken& event) {
    MJ_RETURN_IF_ERROR(InsertSeats(tx_, table_, {Number(event.seat)}, {event.player.value()}));
    return TellSeats(tx_, table_, {});
  }
  template <typename Event>
    requires kJournalAlone<Event>
  absl::Status operator()(const Event&) {
    return absl::OkStatus();
  }
  absl::Status operator()(const StakesAsked&) { return DropStakes(); }
  absl::Status operator()(const StakesProposed& event) {
    return SetStakes(event.base, event.base, event.options, Number(event.seat));
  }
  // The base follows the coins, the room stays.
  absl::Status operator()(const BaseSet& event) { return SetStakes(event.base, {}, {}, {}); }
  absl::Status operator()(const SeatLeft& event) {
    MJ_RETURN_IF_ERROR(tx_.Execute("UPDATE tables.tables"
                                   "   SET base = 0, room_base = 0, proposer_seat = NULL"
                                   " WHERE id = $1 AND proposer_seat = $2",
                                   table_.value(), Number(event.seat))
                           .status());
    MJ_RETURN_IF_ERROR(
        tx_.Execute("DELETE FROM tables.seats WHERE table_id = $1 AND player_id = $2",
                    table_.value(), event.player.value())
            .status());
    return TellSeats(tx_, table_, {event.player.value()});
  }
  absl::Status operator()(const RoundBegun& event) {
    std::vector<std::string> players;
    for (const PlayerId& player : event.players) players.push_back(player.value());
    const auto hash = SeedHash(event);
    MJ_RETURN_IF_ERROR(
        tx_.Execute("INSERT INTO tables.rounds (opened_on, table_id, number, id,"
                    "                           rulebook_version, base, player_ids, seed_hash)"
                    " SELECT t.opened_on, t.id, $2, $3, $4, $5, $6::text[], $7"
                    "   FROM tables.tables t WHERE t.id = $1",
                    table_.value(), event.number, event.round.value(), event.rulebook_version,
                    event.base, players, pg::Bytes{std::string(hash.begin(), hash.end())})
            .status());
    return Set(tx_, table_, "playing");
  }
  absl::Status operator()(const RoundPlayed& event) {
    return EndsPlay(event) ? Set(tx_, table_, "settling") : absl::OkStatus();
  }
  absl::Status operator()(const RoundScored&) { return SetRound(tx_, table_, "playing", "scored"); }
  absl::Status operator()(const RoundPosted& event) {
    MJ_RETURN_IF_ERROR(EndRound(tx_, table_, "scored", NetOf(event.seats), {}));
    return Wait();
  }
  absl::Status operator()(const RoundVoided& event) {
    const PerSeat<Coins> coins = event.penalty ? NetOf(event.penalty->seats) : PerSeat<Coins>{};
    MJ_RETURN_IF_ERROR(EndRound(tx_, table_, "playing", coins, event.reason));
    return Wait();
  }
  absl::Status operator()(const OperatorActed& event) {
    const auto some = [](const std::string& id) {
      return id.empty() ? std::nullopt : std::optional(id);
    };
    return tx_
        .Execute(
            "INSERT INTO tables.operations"
            "   (request_id, kind, operator, reason, table_id, round_id, player_id, at_once)"
            " VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            event.request.value(), ToSql(event.kind), event.who, event.reason, table_.value(),
            some(event.round.value()), some(event.player.value()), event.at_once)
        .status();
  }
  absl::Status operator()(const TableEnded&) {
    MJ_ASSIGN_OR_RETURN(
        const pg::Result gone,
        tx_.Execute("DELETE FROM tables.seats WHERE table_id = $1 RETURNING player_id",
                    table_.value()));
    MJ_ASSIGN_OR_RETURN(const auto players, gone.Rows<std::string>());
    std::vector<std::string> left;
    for (const auto& [player] : players) left.push_back(player);
    MJ_RETURN_IF_ERROR(Set(tx_, table_, "closed"));
    return TellSeats(tx_, table_, left);
  }

 private:
  absl::Status Wait() {
    MJ_RETURN_IF_ERROR(Set(tx_, table_, "waiting"));
    return TellWanting(tx_, table_);
  }

  absl::Status DropStakes() { return SetStakes(0, 0, {}, {}); }

  // No room, no options: these stay.
  absl::Status SetStakes(Coins base, std::optional<Coins> room, const OptionTexts& options,
                         std::optional<std::int64_t> proposer) {
    const OptionColumns columns(options);
    MJ_RETURN_IF_ERROR(
        tx_.Execute("UPDATE tables.tables"
                    "   SET base = $2, room_base = coalesce($3, room_base),"
                    "       options = options || jsonb_object($4::text[], $5::text[]),"
                    "       proposer_seat = $6"
                    " WHERE id = $1",
                    table_.value(), base, room, columns.names, columns.values, proposer)
            .status());
    return TellWanting(tx_, table_);
  }

  pg::Transaction& tx_;
  const TableId& table_;
};

}  // namespace

std::string_view ToSql(Currency currency) {
  return currency == Currency::kCoin ? "COIN" : "PRACTICE";
}

std::string_view ToSql(VoidReason reason) {
  for (const auto& [text, value] : kVoidReasons) {
    if (value == reason) return text;
  }
  return "";  // no such value: refused by the relation
}

std::optional<VoidReason> ParseVoidReason(std::string_view text) {
  for (const auto& [name, value] : kVoidReasons) {
    if (name == text) return value;
  }
  return std::nullopt;
}

absl::StatusOr<TableStage> ParseStage(std::string_view state) {
  if (state == "waiting") return TableStage::kWaiting;
  if (state == "playing") return TableStage::kPlaying;
  if (state == "settling") return TableStage::kSettling;
  if (state == "closed") return TableStage::kClosed;
  return absl::DataLossError("state of a table");
}

OptionTexts ParseOptionLines(std::string_view lines) {
  OptionTexts options;
  if (lines.empty()) return options;
  for (const std::string_view line : base::Split(lines, '\n')) {
    const std::size_t at = line.find('=');
    options[std::string(line.substr(0, at))] = std::string(line.substr(at + 1));
  }
  return options;
}

absl::StatusOr<PerSeat<PlayerId>> ParsePlayers(std::string_view ids) {
  const auto names = base::Split(ids, ',');
  if (names.size() != rules::kSeatCount) return absl::DataLossError("not four players");
  PerSeat<PlayerId> players;
  for (const Seat seat : rules::kSeats) {
    players[seat] = PlayerId(std::string(names[static_cast<std::size_t>(rules::IndexOf(seat))]));
  }
  return players;
}

pg::Statement EventsOf(std::span<const Append> appends) {
  std::vector<std::string> tables;
  std::vector<std::int64_t> seqs;
  std::vector<std::int64_t> epochs;
  std::vector<std::string> kinds;
  std::vector<pg::Bytes> payloads;
  for (const Append& append : appends) {
    for (const LogEntry& entry : append.entries) {
      EncodedEvent encoded = Encode(entry);
      tables.push_back(append.table.value());
      seqs.push_back(entry.seq);
      epochs.push_back(append.epoch);
      kinds.push_back(std::move(encoded.kind));
      payloads.push_back({std::move(encoded.payload)});
    }
  }
  // A table that does not exist has no day, which the relation refuses.
  return pg::Statement(
      "INSERT INTO tables.events (opened_on, table_id, seq, epoch, kind, payload)"
      " SELECT t.opened_on, e.table_id, e.seq, e.epoch, e.kind, e.payload"
      "   FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bytea[])"
      "        e(table_id, seq, epoch, kind, payload)"
      "   LEFT JOIN tables.tables t ON t.id = e.table_id",
      tables, seqs, epochs, kinds, payloads);
}

absl::Status InsertEvents(pg::Transaction& tx, std::span<const Append> appends) {
  const pg::Statement insert = EventsOf(appends);
  return tx.ExecuteTogether(std::span(&insert, 1)).status();
}

bool IsJournalAlone(const TableEvent& event) {
  return std::visit(
      [](const auto& one) {
        using Event = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<Event, RoundPlayed>) {
          return !EndsPlay(one);
        } else {
          return kJournalAlone<Event>;
        }
      },
      event);
}

absl::Status Project(pg::Transaction& tx, const TableId& table, const TableEvent& event) {
  return std::visit(Projection(tx, table), event);
}

absl::StatusOr<bool> InsertTable(pg::Transaction& tx, const TableCreated& created,
                                 const OwnerId& owner) {
  const TableSpec& spec = created.spec;
  const OptionColumns options(spec.options);
  TableState state;
  MJ_RETURN_IF_ERROR(Apply(state, {1, {}, created}));
  const std::optional<Seat>& proposer = state.stakes.proposer;
  MJ_ASSIGN_OR_RETURN(
      const pg::Result made,
      tx.Execute(
          "INSERT INTO tables.tables"
          "   (id, request_id, variant, options, base, room_base, currency, watchable,"
          "    proposer_seat, owner_id, media_room_id)"
          " VALUES ($1, $2, $3, jsonb_object($4::text[], $5::text[]), $6, $6, $7, $8, $9, $10,"
          "         $11)"
          " ON CONFLICT (request_id) DO NOTHING",
          created.table.value(), created.request.value(), spec.variant, options.names,
          options.values, spec.base, ToSql(spec.currency), spec.settings.watchable != 0,
          proposer ? std::optional(Number(*proposer)) : std::nullopt, owner.value(),
          spec.media_room));
  if (made.affected() == 0) return false;
  std::vector<std::int64_t> seats;
  std::vector<std::string> players;
  for (Seat seat : rules::kSeats) {
    if (spec.players[seat].empty()) continue;
    seats.push_back(Number(seat));
    players.push_back(spec.players[seat].value());
  }
  MJ_RETURN_IF_ERROR(InsertSeats(tx, created.table, seats, players));
  MJ_RETURN_IF_ERROR(TellWanting(tx, created.table));
  return true;
}

absl::StatusOr<std::optional<PlayerId>> FindBusy(pg::Transaction& tx,
                                                 const PerSeat<PlayerId>& players) {
  std::vector<std::string> names;
  for (const PlayerId& player : players) {
    if (!player.empty()) names.push_back(player.value());
  }
  MJ_ASSIGN_OR_RETURN(
      const pg::Result found,
      tx.Execute("SELECT player_id FROM tables.seats WHERE player_id = ANY($1::text[])", names));
  MJ_ASSIGN_OR_RETURN(const auto rows, found.Rows<std::string>());
  for (const std::string& name : names) {
    for (const auto& [busy] : rows) {
      if (busy == name) return std::optional<PlayerId>(PlayerId(name));
    }
  }
  return std::optional<PlayerId>();
}

absl::StatusOr<std::optional<JournalEnd>> FindEnd(pg::Transaction& tx, const TableId& table) {
  MJ_ASSIGN_OR_RETURN(
      const pg::Result found,
      tx.Execute("SELECT t.epoch, (SELECT max(e.seq) FROM tables.events e"
                 "                  WHERE e.opened_on = t.opened_on AND e.table_id = t.id)"
                 "  FROM tables.tables t WHERE t.id = $1",
                 table.value()));
  MJ_ASSIGN_OR_RETURN(const auto row,
                      (found.AtMostOne<std::int64_t, std::optional<std::int64_t>>()));
  if (!row) return std::optional<JournalEnd>();
  return std::optional<JournalEnd>({std::get<0>(*row), std::get<1>(*row).value_or(0)});
}

absl::StatusOr<std::vector<LogEntry>> ReadEntries(pg::Transaction& tx, const TableId& table,
                                                  std::int64_t after, std::int64_t limit) {
  MJ_ASSIGN_OR_RETURN(
      const pg::Result found,
      tx.Execute("SELECT seq, payload FROM tables.events"
                 " WHERE opened_on = (SELECT opened_on FROM tables.tables WHERE id = $1)"
                 "   AND table_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
                 table.value(), after, limit));
  MJ_ASSIGN_OR_RETURN(const auto rows, (found.Rows<std::int64_t, pg::Bytes>()));
  std::vector<LogEntry> entries;
  entries.reserve(rows.size());
  for (const auto& [seq, payload] : rows) {
    absl::StatusOr<LogEntry> entry = Decode(seq, payload.data);
    if (!entry.ok()) {
      return absl::DataLossError(
          base::ToAbsl(Cat("table ", table.value(), " event ", std::to_string(seq), ": ",
                           base::ToStd(entry.status().message()))));
    }
    entries.push_back(*std::move(entry));
  }
  return entries;
}

}  // namespace mj::table::store
