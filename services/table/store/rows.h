// The statements of the journal: how events and what follows from them become rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/pg/pool.h"
#include "services/table/app/event_log.h"

namespace mj::table::store {

// As the tables name it.
[[nodiscard]] std::string_view ToSql(Currency currency);
[[nodiscard]] std::string_view ToSql(VoidReason reason);
[[nodiscard]] std::optional<VoidReason> ParseVoidReason(std::string_view text);

// Of tables.tables.state. DATA_LOSS for what is none.
[[nodiscard]] absl::StatusOr<TableStage> ParseStage(std::string_view state);
// Of "name=value" lines, as string_agg makes them of tables.tables.options.
[[nodiscard]] OptionTexts ParseOptionLines(std::string_view lines);
// Of four ids, by seat, with commas between them; an empty one is nobody. DATA_LOSS for other than four.
[[nodiscard]] absl::StatusOr<PerSeat<PlayerId>> ParsePlayers(std::string_view ids);

// Inserts all events of all appends. Fails when the database refuses them, or one of the tables does
// not exist.
[[nodiscard]] pg::Statement EventsOf(std::span<const Append> appends);
[[nodiscard]] absl::Status InsertEvents(pg::Transaction& tx, std::span<const Append> appends);

// Whether nothing but the event itself is to be written: Project has nothing to do.
[[nodiscard]] bool IsJournalAlone(const TableEvent& event);

// Writes what follows from one event into tables.tables, tables.seats and tables.rounds, and into the
// feeds that others follow. ALREADY_EXISTS when it seats a player who sits elsewhere.
[[nodiscard]] absl::Status Project(pg::Transaction& tx, const TableId& table,
                                   const TableEvent& event);

// Inserts the rows of a new table but for its events. False: its request has made one before.
// ALREADY_EXISTS as Project.
[[nodiscard]] absl::StatusOr<bool> InsertTable(pg::Transaction& tx, const TableCreated& created,
                                               const OwnerId& owner);

// The first of the players, in seat order, who has a seat.
[[nodiscard]] absl::StatusOr<std::optional<PlayerId>> FindBusy(pg::Transaction& tx,
                                                               const PerSeat<PlayerId>& players);

// Where the journal of a table ends. Nothing for a table that does not exist.
struct JournalEnd {
  std::int64_t epoch = 0;
  std::int64_t last_seq = 0;
};
[[nodiscard]] absl::StatusOr<std::optional<JournalEnd>> FindEnd(pg::Transaction& tx,
                                                                const TableId& table);

// Entries after number `after`, in order, at most `limit`. DATA_LOSS for a row that cannot be read.
[[nodiscard]] absl::StatusOr<std::vector<LogEntry>> ReadEntries(pg::Transaction& tx,
                                                                const TableId& table,
                                                                std::int64_t after,
                                                                std::int64_t limit);

}  // namespace mj::table::store
