#include "services/table/app/memory_round_store_testing.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace mj::table {

std::map<RoundId, MemoryRoundStore::Begun> MemoryRoundStore::Rounds() const {
  std::map<RoundId, Begun> rounds;
  for (const TableId& table : log_.AllTables()) {
    const std::vector<LogEntry> journal = log_.All(table);
    const TableSpec& spec = std::get<TableCreated>(journal.front().event).spec;
    Begun* last = nullptr;
    for (const LogEntry& entry : journal) {
      if (const auto* begun = std::get_if<RoundBegun>(&entry.event)) {
        last = &rounds[begun->round];
        last->journal = journal;
        last->listing = {begun->round,  table,          begun->number, spec.variant, begun->base,
                         spec.currency, begun->players, false,         entry.time,   {}};
      } else if (last != nullptr && (std::holds_alternative<RoundPosted>(entry.event) ||
                                     std::holds_alternative<RoundVoided>(entry.event))) {
        last->ended_at = last->listing.ended_at = entry.time;
        last->listing.settled = std::holds_alternative<RoundPosted>(entry.event);
      }
    }
  }
  return rounds;
}

absl::StatusOr<RoundStore::Standing> MemoryRoundStore::Find(const RoundId& round) {
  const auto rounds = Rounds();
  const auto found = rounds.find(round);
  if (found == rounds.end()) return Standing::kUnknown;
  if (!found->second.ended_at) return Standing::kLive;
  base::MutexLock lock(mutex_);
  return kept_.contains(round) || forgotten_.contains(round) ? Standing::kRecorded
                                                             : Standing::kOver;
}

absl::StatusOr<std::vector<LogEntry>> MemoryRoundStore::ReadRound(const RoundId& round) {
  auto rounds = Rounds();
  const auto found = rounds.find(round);
  return found == rounds.end() ? std::vector<LogEntry>() : std::move(found->second.journal);
}

absl::StatusOr<bool> MemoryRoundStore::Keep(const record::RoundRecord& record) {
  base::MutexLock lock(mutex_);
  const RoundId round(record.round_id);
  return !forgotten_.contains(round) && kept_.emplace(round, record).second;
}

absl::StatusOr<std::optional<std::string>> MemoryRoundStore::ReadRecord(const RoundId& round) {
  const auto record = kept(round);
  if (!record) return std::optional<std::string>();
  return std::optional(write_ ? write_(*record) : record->round_id);
}

absl::StatusOr<std::vector<RoundId>> MemoryRoundStore::Claim(std::int64_t limit,
                                                             std::chrono::milliseconds lease) {
  std::vector<std::pair<WallTime, RoundId>> over;
  for (const auto& [round, begun] : Rounds()) {
    if (begun.ended_at) over.emplace_back(*begun.ended_at, round);
  }
  std::sort(over.begin(), over.end());
  base::MutexLock lock(mutex_);
  std::vector<RoundId> due;
  for (const auto& [ended_at, round] : over) {
    if (static_cast<std::int64_t>(due.size()) == limit) break;
    if (kept_.contains(round) || forgotten_.contains(round)) continue;
    const auto claimed = claimed_.find(round);
    if (claimed != claimed_.end() && clock_.Monotonic() < claimed->second) continue;
    claimed_[round] = clock_.Monotonic() + lease;
    due.push_back(round);
  }
  return due;
}

absl::StatusOr<RoundStore::Backlog> MemoryRoundStore::ReadBacklog() {
  Backlog backlog;
  const WallTime now = clock_.Now();
  for (const auto& [round, begun] : Rounds()) {
    base::MutexLock lock(mutex_);
    if (!begun.ended_at || kept_.contains(round) || forgotten_.contains(round)) continue;
    ++backlog.rounds;
    backlog.oldest =
        std::max(backlog.oldest,
                 std::chrono::duration_cast<std::chrono::milliseconds>(now - *begun.ended_at));
  }
  return backlog;
}

absl::StatusOr<std::vector<RoundListing>> MemoryRoundStore::List(
    const RoundFilter& filter, const std::optional<RoundPosition>& after, std::int64_t limit) {
  std::vector<RoundListing> listed;
  for (const auto& [round, begun] : Rounds()) {
    const RoundListing& listing = begun.listing;
    base::MutexLock lock(mutex_);
    if (!begun.ended_at || forgotten_.contains(round)) continue;
    const bool plays = std::find(listing.players.begin(), listing.players.end(), filter.player) !=
                       listing.players.end();
    if (filter.player.empty() ? listing.table != filter.table : !plays) continue;
    if (after && std::pair(listing.ended_at, round) >= std::pair(after->ended_at, after->round)) {
      continue;
    }
    listed.push_back(listing);
  }
  std::sort(listed.begin(), listed.end(), [](const RoundListing& a, const RoundListing& b) {
    return std::pair(a.ended_at, a.round) > std::pair(b.ended_at, b.round);
  });
  if (static_cast<std::int64_t>(listed.size()) > limit) {
    listed.resize(static_cast<std::size_t>(limit));
  }
  return listed;
}

std::optional<record::RoundRecord> MemoryRoundStore::kept(const RoundId& round) const {
  base::MutexLock lock(mutex_);
  const auto found = kept_.find(round);
  if (found == kept_.end()) return std::nullopt;
  return found->second;
}

void MemoryRoundStore::Forget(const RoundId& round) {
  base::MutexLock lock(mutex_);
  kept_.erase(round);
  forgotten_.insert(round);
}

}  // namespace mj::table
