// A RoundStore in memory, over a log in memory. Held to round_store_contract_testing.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/mutex.h"
#include "services/table/app/memory_event_log_testing.h"
#include "services/table/app/records.h"

namespace mj::table {

// Keeps records as they are; ReadRecord answers with the round's id instead of a serialised record
// unless it is told how to write one. Times are those of the journal. Thread-safe.
class MemoryRoundStore final : public RoundStore {
 public:
  using Write = std::function<std::string(const record::RoundRecord&)>;
  MemoryRoundStore(const MemoryEventLog& log, const base::Clock& clock, Write write = {})
      : log_(log), clock_(clock), write_(std::move(write)) {}

  absl::StatusOr<Standing> Find(const RoundId& round) override;
  absl::StatusOr<std::vector<LogEntry>> ReadRound(const RoundId& round) override;
  absl::StatusOr<bool> Keep(const record::RoundRecord& record) override;
  absl::StatusOr<std::optional<std::string>> ReadRecord(const RoundId& round) override;
  absl::StatusOr<std::vector<RoundId>> Claim(std::int64_t limit,
                                             std::chrono::milliseconds lease) override;
  absl::StatusOr<Backlog> ReadBacklog() override;
  absl::StatusOr<std::vector<RoundListing>> List(const RoundFilter& filter,
                                                 const std::optional<RoundPosition>& after,
                                                 std::int64_t limit) override;

  // What was kept of a round.
  [[nodiscard]] std::optional<record::RoundRecord> kept(const RoundId& round) const;
  // Its record goes, as it does with time.
  void Forget(const RoundId& round);

 private:
  // Every round of the log: its table's journal, and as it is listed once it has ended.
  struct Begun {
    std::vector<LogEntry> journal;
    RoundListing listing;
    std::optional<WallTime> ended_at;
  };
  [[nodiscard]] std::map<RoundId, Begun> Rounds() const;

  const MemoryEventLog& log_;
  const base::Clock& clock_;
  const Write write_;
  mutable base::Mutex mutex_;
  std::map<RoundId, record::RoundRecord> kept_ ABSL_GUARDED_BY(mutex_);
  std::set<RoundId> forgotten_ ABSL_GUARDED_BY(mutex_);
  std::map<RoundId, base::MonotonicTime> claimed_ ABSL_GUARDED_BY(mutex_);  // until then
};

}  // namespace mj::table
