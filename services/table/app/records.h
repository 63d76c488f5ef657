// Rounds that are over: their records, made once and read often.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/record/round_record.h"
#include "services/table/app/events.h"

namespace mj::table {

// A round that is over, as it is listed.
struct RoundListing {
  RoundId round;
  TableId table;
  int number = 0;  // counts the table's rounds from 1
  std::string variant;
  Coins base = 0;
  Currency currency = Currency::kCoin;
  PerSeat<PlayerId> players;
  bool settled = false;  // else it was void
  WallTime began_at{};   // by the store's clock
  WallTime ended_at{};
  bool operator==(const RoundListing&) const = default;
};

// Which rounds to list: exactly one is not empty.
struct RoundFilter {
  PlayerId player;
  TableId table;
};

// Where a list goes on: after the round of this moment and id.
struct RoundPosition {
  WallTime ended_at{};
  RoundId round;
};

// The port to where rounds and their records are kept. Calls block. Thread-safe. Failures are as
// EventLog's.
class RoundStore {
 public:
  virtual ~RoundStore() = default;

  enum class Standing : std::uint8_t {
    kUnknown,
    kLive,      // begun, neither settled nor void
    kOver,      // …and without a record yet
    kRecorded,  // its record has been made, and may have gone since
  };
  virtual absl::StatusOr<Standing> Find(const RoundId& round) = 0;

  // As much of the journal as Compact wants of a round that is over. Empty when its events are gone.
  virtual absl::StatusOr<std::vector<LogEntry>> ReadRound(const RoundId& round) = 0;

  // Keeps a round's record, once: false when there was one already, and nothing is changed.
  virtual absl::StatusOr<bool> Keep(const record::RoundRecord& record) = 0;

  // A record that was kept, serialised; nothing when it is not there, or not any more.
  virtual absl::StatusOr<std::optional<std::string>> ReadRecord(const RoundId& round) = 0;

  // Rounds that are over without a record, the oldest first, at most `limit`. For `lease` from now on
  // no other call gets them.
  virtual absl::StatusOr<std::vector<RoundId>> Claim(std::int64_t limit,
                                                     std::chrono::milliseconds lease) = 0;

  struct Backlog {
    std::int64_t rounds = 0;              // over, and without a record
    std::chrono::milliseconds oldest{0};  // since the first of them ended; 0 when there is none
  };
  virtual absl::StatusOr<Backlog> ReadBacklog() = 0;

  // Rounds that are over, but for those whose records are not kept any more, the newest first, after
  // `after` (nothing: from the newest).
  virtual absl::StatusOr<std::vector<RoundListing>> List(const RoundFilter& filter,
                                                         const std::optional<RoundPosition>& after,
                                                         std::int64_t limit) = 0;
};

// The port to the wallet's books. Calls block. Thread-safe.
class JournalRows {
 public:
  virtual ~JournalRows() = default;
  // The row that closed a round. JOURNAL_NOT_FOUND; a failure of which MayPass is true may pass by
  // itself.
  virtual absl::StatusOr<record::JournalRow> ReadRow(const RoundId& round) = 0;
};

inline constexpr std::int64_t kRoundPageDefault = 20;
inline constexpr std::int64_t kRoundPageMax = 100;
struct RoundPage {
  std::vector<RoundListing> rounds;
  std::string next;  // the token of the page after it; empty: this is the last
};

// Thread-safe; every call blocks. Any process may answer for any table.
class Records {
 public:
  // Both must outlive it.
  Records(RoundStore& store, JournalRows& rows) : store_(store), rows_(rows) {}

  // A round's record, serialised (mahjong.record.v1.RoundRecord). One that is not made yet is made now.
  // ROUND_NOT_FOUND; ROUND_IN_PROGRESS while the round is live, whoever asks; RECORD_EXPIRED;
  // what the store or the wallet fails with; INTERNAL for a round of which none can be made.
  [[nodiscard]] absl::StatusOr<std::string> Get(const RoundId& round);

  // One page, newest first. FIELD_REQUIRED (exactly one of both), BAD_PAGE_SIZE (0 is
  // kRoundPageDefault), BAD_PAGE_TOKEN (of another filter, too).
  [[nodiscard]] absl::StatusOr<RoundPage> List(const RoundFilter& filter, std::int64_t page_size,
                                               std::string_view token);

  // Makes records of at most `limit` rounds that are over. One that fails does not hinder the others,
  // is told to `failed`, and is tried again later. How many it set about; fewer than `limit`: there are
  // no more. Fails when the store does.
  using Failed = std::function<void(const RoundId& round, const absl::Status& why)>;
  struct Run {
    std::int64_t claimed = 0;
    std::int64_t made = 0;  // others may have been faster
  };
  [[nodiscard]] absl::StatusOr<Run> MakeDue(std::int64_t limit, const Failed& failed);

  // For which a round that failed is left to itself; also what one may take.
  static constexpr std::chrono::milliseconds kRetry{30'000};

 private:
  // Whether it was made by this call. DATA_LOSS when it cannot be.
  absl::StatusOr<bool> Make(const RoundId& round);

  RoundStore& store_;
  JournalRows& rows_;
};

}  // namespace mj::table
