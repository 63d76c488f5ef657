// What operators do and look for over all tables, and the trail of what they did.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "services/table/app/events.h"
#include "services/table/app/model.h"

namespace mj::table {

// A line of the audit trail. Never changed.
struct Operation {
  std::int64_t number = 0;  // rises, with gaps
  OperationKind kind = OperationKind::kVoidRound;
  RequestId request = {};
  std::string who = {};
  std::string reason = {};
  TableId table = {};                 // empty: of all
  RoundId round = {};                 // kVoidRound
  PlayerId player = {};               // kRemovePlayer
  bool at_once = false;               // kCloseTable; kStopRounds: no time was given
  std::optional<WallTime> from = {};  // kStopRounds
  WallTime written_at{};              // by the store's clock
  bool operator==(const Operation&) const = default;
};

// What of the trail to list; empty: whatever.
struct OperationFilter {
  TableId table = {};
  PlayerId player = {};
  std::string who = {};
};

// Which open tables to find; what is empty or 0 does not count.
struct TableFilter {
  std::string variant = {};
  std::optional<TableStage> stage = {};
  PlayerId player = {};               // who sits there
  std::chrono::seconds unsettled{0};  // its round is over, and neither paid nor void, for so long
  std::chrono::seconds quiet{0};      // nothing has happened there for so long
  bool unheld = false;                // no living process holds it
};

struct FoundTable {
  TableId id;
  std::string variant;
  Coins base = 0;
  Currency currency = Currency::kCoin;
  TableStage stage = TableStage::kWaiting;
  PerSeat<PlayerId> players;
  std::string address;  // of who holds it; empty: nobody who lives
  WallTime created_at{};
  WallTime last_event_at{};
  RoundId round;  // the live one; empty: none
  int round_number = 0;
  std::optional<WallTime> round_began_at;
  bool operator==(const FoundTable&) const = default;
};

// A line of a table's journal without its content.
struct JournalledEvent {
  std::int64_t number = 0;
  std::string kind;
  WallTime time{};
  bool operator==(const JournalledEvent&) const = default;
};

// The port to where it is kept. What is asked of one table is written with its journal (OperatorActed),
// what is asked of all by WriteStop. Calls block. Thread-safe. Failures are as EventLog's.
class Operations {
 public:
  virtual ~Operations() = default;

  // By its request.
  virtual absl::StatusOr<std::optional<Operation>> Find(const RequestId& request) = 0;
  // Writes a kStopRounds or kResumeRounds. False: its request id is another operation's, or this one's
  // from before; nothing was written.
  virtual absl::StatusOr<bool> WriteStop(const Operation& stop) = 0;
  // What is so now: the latest of these.
  virtual absl::StatusOr<RoundsStopped> PresentStop() = 0;
  // The newest first, at most `limit`, with numbers below `before` (0: from the newest).
  virtual absl::StatusOr<std::vector<Operation>> ListOperations(const OperationFilter& filter,
                                                                std::int64_t before,
                                                                std::int64_t limit) = 0;
  // By id, at most `limit`, with ids after `after`.
  virtual absl::StatusOr<std::vector<FoundTable>> FindTables(const TableFilter& filter,
                                                             const TableId& after,
                                                             std::int64_t limit) = 0;
  // The latest of a table's journal, oldest first.
  virtual absl::StatusOr<std::vector<JournalledEvent>> LatestEvents(const TableId& table,
                                                                    std::int64_t limit) = 0;
};

// Writes down that rounds stop (asked.from, or `now` where there is none), or go on; answers with what is
// written, the first time and whenever it is asked again. Blocks. REQUEST_ID_REUSED; BAD_PERIOD (a time
// before `now`).
[[nodiscard]] absl::StatusOr<Operation> StopRounds(Operations& operations, Operation asked,
                                                   WallTime now);

// One page each. Block. BAD_PAGE_SIZE (0 is kPageDefault), BAD_PAGE_TOKEN (of another filter, too);
// UNKNOWN_VARIANT, BAD_AMOUNT (times below 0).
struct OperationPage {
  std::vector<Operation> operations;
  std::string next;  // empty: this is the last
};
[[nodiscard]] absl::StatusOr<OperationPage> ListOperations(Operations& operations,
                                                           const OperationFilter& filter,
                                                           std::int64_t page_size,
                                                           std::string_view token);
struct FoundPage {
  std::vector<FoundTable> tables;
  std::string next;
};
[[nodiscard]] absl::StatusOr<FoundPage> FindTables(Operations& operations,
                                                   const TableFilter& filter,
                                                   std::int64_t page_size, std::string_view token);

}  // namespace mj::table
