// The port to where tables' journals are kept: what is in there has happened, whatever becomes of
// this process.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/table/app/events.h"

namespace mj::table {

// Consecutive events of one table, to be journalled all or none.
struct Append {
  TableId table;
  std::int64_t epoch = 1;         // the ownership under which they happened
  std::vector<LogEntry> entries;  // never empty; their numbers follow each other
};

// What became of one Append.
enum class Appended : std::uint8_t {
  kWritten,        // durable, by this call or by an earlier one whose answer was lost
  kPlayerBusy,     // it seats a player who sits elsewhere; nothing was written
  kRequestReused,  // an operator's request id was used for another operation; nothing was written
  kNotOwner,  // the table has another owner, or its journal does not end where the append begins
              // (somebody else wrote); nothing was written
  kRefused,   // the log cannot take it, now or later: a fault of this program; nothing was written
};

// A table made; or the one that this request had made before; or the player who sits elsewhere.
struct Made {
  bool operator==(const Made&) const = default;
};
struct MadeBefore {
  TableId table;
  bool operator==(const MadeBefore&) const = default;
};
struct Busy {
  PlayerId player;
  bool operator==(const Busy&) const = default;
};
using Creation = std::variant<Made, MadeBefore, Busy>;

// Calls block; they are made on executor threads. Thread-safe. A call that fails may be made again
// as it is, and nobody knows whether what it was to write has been written. Read fails with
// DATA_LOSS when what is stored cannot be read by this program; all other failures may pass by
// themselves.
//
// Invariants, whoever calls and however many at once:
//   1. a table's entries are numbered from 1 without gaps, and never change;
//   2. a request has made at most one table;
//   3. an operator's request id is that of one operation (OperatorActed), whatever table it is of;
//   4. a player is seated at one table at most, a seat being taken by TableCreated and SeatTaken,
//      and given up by SeatLeft and TableEnded.
class EventLog {
 public:
  virtual ~EventLog() = default;

  // Makes a table, which `owner` holds under epoch 1 (leases.h). `first` has number 1 and holds the
  // TableCreated.
  virtual absl::StatusOr<Creation> Create(const LogEntry& first, const OwnerId& owner) = 0;

  // Appends to several tables in one durable step; one answer for each, in order. The tables are
  // different ones, and one that fails does not hinder the others.
  virtual absl::StatusOr<std::vector<Appended>> Write(std::span<const Append> appends) = 0;

  // At most `limit` entries of a table after number `after`, in order. Empty at the end, and for a
  // table that does not exist.
  virtual absl::StatusOr<std::vector<LogEntry>> Read(const TableId& table, std::int64_t after,
                                                     std::int64_t limit) = 0;
};

}  // namespace mj::table
