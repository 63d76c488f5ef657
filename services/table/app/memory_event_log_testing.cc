#include "services/table/app/memory_event_log_testing.h"

#include <algorithm>
#include <variant>

#include "libs/base/check.h"
#include "libs/base/reasons.h"
#include "services/table/app/state.h"

namespace mj::table {

absl::StatusOr<Creation> MemoryEventLog::Create(const LogEntry& first, const OwnerId& owner) {
  const auto& created = std::get<TableCreated>(first.event);
  base::MutexLock lock(mutex_);
  for (const auto& [id, stored] : tables_) {
    if (stored.request == created.request) {
      return id == created.table ? Creation(Made{}) : Creation(MadeBefore{id});
    }
  }
  for (const PlayerId& player : created.spec.players) {
    if (!player.empty() && seated_.contains(player)) return Creation(Busy{player});
  }
  for (const PlayerId& player : created.spec.players) {
    if (!player.empty()) seated_[player] = created.table;
  }
  tables_[created.table] = {created.request, owner, true, 1, {first}};
  return Creation(Made{});
}

absl::StatusOr<std::vector<Appended>> MemoryEventLog::Write(std::span<const Append> appends) {
  base::MutexLock lock(mutex_);
  std::vector<Appended> written;
  for (const Append& append : appends) written.push_back(WriteOne(append));
  return written;
}

Appended MemoryEventLog::WriteOne(const Append& append) {
  MJ_CHECK(!append.entries.empty());
  const auto it = tables_.find(append.table);
  if (it == tables_.end() || it->second.epoch != append.epoch) return Appended::kNotOwner;
  std::vector<LogEntry>& stored = it->second.entries;
  const auto first = static_cast<std::size_t>(append.entries.front().seq - 1);
  if (stored.size() >= first + append.entries.size() &&
      std::equal(append.entries.begin(), append.entries.end(),
                 stored.begin() + static_cast<std::ptrdiff_t>(first))) {
    return Appended::kWritten;
  }
  if (stored.size() != first) return Appended::kNotOwner;
  std::vector<Operation> operations;
  for (const LogEntry& entry : append.entries) {
    const auto* acted = std::get_if<OperatorActed>(&entry.event);
    if (acted == nullptr) continue;
    if (FindOperation(acted->request) != nullptr) return Appended::kRequestReused;
    operations.push_back({static_cast<std::int64_t>(operations_.size() + operations.size()) + 1,
                          acted->kind, acted->request, acted->who, acted->reason, append.table,
                          acted->round, acted->player, acted->at_once, std::nullopt, entry.time});
  }
  const std::map<PlayerId, TableId> before = seated_;
  for (const LogEntry& entry : append.entries) {
    if (!Seat(append.table, entry)) {
      seated_ = before;
      return Appended::kPlayerBusy;
    }
  }
  stored.insert(stored.end(), append.entries.begin(), append.entries.end());
  operations_.insert(operations_.end(), operations.begin(), operations.end());
  return Appended::kWritten;
}

// What the entry does to who sits where; false when it cannot be.
bool MemoryEventLog::Seat(const TableId& table, const LogEntry& entry) {
  if (const auto* taken = std::get_if<SeatTaken>(&entry.event)) {
    return seated_.try_emplace(taken->player, table).second;
  }
  if (const auto* left = std::get_if<SeatLeft>(&entry.event)) seated_.erase(left->player);
  if (std::holds_alternative<TableEnded>(entry.event)) {
    std::erase_if(seated_, [&table](const auto& seat) { return seat.second == table; });
  }
  return true;
}

absl::StatusOr<std::vector<LogEntry>> MemoryEventLog::Read(const TableId& table, std::int64_t after,
                                                           std::int64_t limit) {
  std::vector<LogEntry> page;
  for (const LogEntry& entry : All(table)) {
    if (entry.seq > after && static_cast<std::int64_t>(page.size()) < limit) page.push_back(entry);
  }
  return page;
}

// --------------------------------------------------------------------------------------- leases

namespace {

bool Closed(const std::vector<LogEntry>& entries) {
  return std::holds_alternative<TableEnded>(entries.back().event);
}

}  // namespace

base::MonotonicTime MemoryEventLog::Now() const {
  return clock_ != nullptr ? clock_->Monotonic() : base::MonotonicTime{};
}

bool MemoryEventLog::Alive(const OwnerId& owner) const {
  const auto it = leases_.find(owner);
  return it != leases_.end() && it->second.until > Now();
}

bool MemoryEventLog::MayTake(const Stored& table, const OwnerId& self) const {
  if (Closed(table.entries)) return false;
  return table.owner == self ? !table.taken : !Alive(table.owner);
}

absl::Status MemoryEventLog::Begin(const Owner& self, std::chrono::milliseconds time) {
  base::MutexLock lock(mutex_);
  std::erase_if(leases_, [&self](const auto& lease) {
    return !self.instance.empty() && lease.second.owner.instance == self.instance;
  });
  leases_[self.id] = {self, Now() + time};
  return absl::OkStatus();
}

absl::StatusOr<bool> MemoryEventLog::Renew(const Owner& self, std::chrono::milliseconds time) {
  base::MutexLock lock(mutex_);
  const bool alive = Alive(self.id);
  Lease& lease = leases_[self.id];
  lease.owner = self;
  lease.until = Now() + time;
  return alive;
}

absl::Status MemoryEventLog::End(const OwnerId& self) {
  base::MutexLock lock(mutex_);
  leases_.erase(self);
  return absl::OkStatus();
}

absl::StatusOr<std::variant<HeldTable, Elsewhere>> MemoryEventLog::Take(const TableId& table,
                                                                        const OwnerId& self) {
  base::MutexLock lock(mutex_);
  const auto it = tables_.find(table);
  if (it == tables_.end()) return base::Error(base::Reason::kTableNotFound);
  Stored& stored = it->second;
  if (Closed(stored.entries)) return HeldTable{table, stored.epoch};
  if (stored.owner != self && !MayTake(stored, self)) {
    return Elsewhere{leases_.at(stored.owner).owner.address};
  }
  stored.owner = self;
  stored.taken = true;
  return HeldTable{table, ++stored.epoch};
}

absl::StatusOr<std::vector<HeldTable>> MemoryEventLog::TakeSome(const OwnerId& self,
                                                                std::int64_t limit) {
  base::MutexLock lock(mutex_);
  std::vector<HeldTable> taken;
  for (auto& [id, stored] : tables_) {
    if (static_cast<std::int64_t>(taken.size()) == limit) break;
    if (!MayTake(stored, self)) continue;
    stored.owner = self;
    stored.taken = true;
    taken.push_back({id, ++stored.epoch});
  }
  return taken;
}

absl::StatusOr<std::vector<HeldTable>> MemoryEventLog::ListHeld(const OwnerId& self) {
  base::MutexLock lock(mutex_);
  std::vector<HeldTable> held;
  for (const auto& [id, stored] : tables_) {
    if (stored.owner == self && stored.taken && !Closed(stored.entries)) {
      held.push_back({id, stored.epoch});
    }
  }
  return held;
}

absl::Status MemoryEventLog::Retire(const OwnerId& self) {
  base::MutexLock lock(mutex_);
  const auto it = leases_.find(self);
  if (it != leases_.end()) it->second.retired = true;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> MemoryEventLog::GiveAway(
    const OwnerId& self, std::span<const HeldTable> tables) {
  base::MutexLock lock(mutex_);
  std::vector<Owner> others;
  for (const auto& [id, lease] : leases_) {
    if (id != self && Alive(id) && !lease.retired) others.push_back(lease.owner);
  }
  std::vector<std::string> addresses(tables.size());
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const auto it = tables_.find(tables[i].table);
    if (it == tables_.end() || it->second.owner != self || it->second.epoch != tables[i].epoch) {
      continue;
    }
    Stored& stored = it->second;
    stored.owner = others.empty() ? OwnerId() : others[i % others.size()].id;
    stored.taken = false;
    ++stored.epoch;
    if (!others.empty()) addresses[i] = others[i % others.size()].address;
  }
  return addresses;
}

// ---------------------------------------------------------------------------------------- lobby

namespace {

bool HasFreeSeat(const LobbyTable& table) {
  return std::any_of(table.players.begin(), table.players.end(),
                     [](const PlayerId& player) { return player.empty(); });
}

LobbyTable ListingOf(const TableState& state) {
  LobbyTable table;
  table.id = state.id;
  table.options = rules::ToTexts(state.variant->options(), state.options, /*all=*/true);
  table.base = state.base;
  table.room = JoinBaseOf(state);
  table.stage = state.stage();
  table.watchable = state.spec.settings.watchable != 0;
  for (rules::Seat seat : rules::kSeats) table.players[seat] = state.seats[seat].player;
  return table;
}

}  // namespace

absl::StatusOr<std::vector<LobbyTable>> MemoryEventLog::List(const LobbyFilter& filter,
                                                             const TableId& after,
                                                             std::int64_t limit) {
  base::MutexLock lock(mutex_);
  std::vector<LobbyTable> listed;
  for (auto it = tables_.upper_bound(after); it != tables_.end(); ++it) {
    if (static_cast<std::int64_t>(listed.size()) == limit) break;
    TableState state;
    for (const LogEntry& entry : it->second.entries) MJ_CHECK(Apply(state, entry).ok());
    const LobbyTable table = ListingOf(state);
    if (state.closed || state.spec.variant != filter.variant ||
        state.spec.currency != filter.currency || (filter.room != 0 && table.room != filter.room) ||
        (filter.free_seats && !HasFreeSeat(table))) {
      continue;
    }
    listed.push_back(table);
  }
  return listed;
}

// ----------------------------------------------------------------------------------- operations

const Operation* MemoryEventLog::FindOperation(const RequestId& request) const {
  const auto it = std::find_if(operations_.begin(), operations_.end(),
                               [&request](const Operation& one) { return one.request == request; });
  return it == operations_.end() ? nullptr : &*it;
}

absl::StatusOr<std::optional<Operation>> MemoryEventLog::Find(const RequestId& request) {
  base::MutexLock lock(mutex_);
  const Operation* const found = FindOperation(request);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

absl::StatusOr<bool> MemoryEventLog::WriteStop(const Operation& stop) {
  base::MutexLock lock(mutex_);
  if (FindOperation(stop.request) != nullptr) return false;
  operations_.push_back(stop);
  operations_.back().number = static_cast<std::int64_t>(operations_.size());
  return true;
}

absl::StatusOr<RoundsStopped> MemoryEventLog::PresentStop() {
  base::MutexLock lock(mutex_);
  for (auto it = operations_.rbegin(); it != operations_.rend(); ++it) {
    if (it->kind == OperationKind::kStopRounds) return RoundsStopped{it->from};
    if (it->kind == OperationKind::kResumeRounds) break;
  }
  return RoundsStopped{};
}

absl::StatusOr<std::vector<Operation>> MemoryEventLog::ListOperations(const OperationFilter& filter,
                                                                      std::int64_t before,
                                                                      std::int64_t limit) {
  base::MutexLock lock(mutex_);
  std::vector<Operation> listed;
  for (auto it = operations_.rbegin(); it != operations_.rend(); ++it) {
    if (static_cast<std::int64_t>(listed.size()) == limit) break;
    if ((before != 0 && it->number >= before) ||
        (!filter.table.empty() && it->table != filter.table) ||
        (!filter.player.empty() && it->player != filter.player) ||
        (!filter.who.empty() && it->who != filter.who)) {
      continue;
    }
    listed.push_back(*it);
  }
  return listed;
}

absl::StatusOr<std::vector<FoundTable>> MemoryEventLog::FindTables(const TableFilter& filter,
                                                                   const TableId& after,
                                                                   std::int64_t limit) {
  base::MutexLock lock(mutex_);
  std::vector<FoundTable> tables;
  if (filter.unsettled.count() > 0 || filter.quiet.count() > 0) return tables;
  for (auto it = tables_.upper_bound(after); it != tables_.end(); ++it) {
    if (static_cast<std::int64_t>(tables.size()) == limit) break;
    const Stored& stored = it->second;
    TableState state;
    for (const LogEntry& entry : stored.entries) MJ_CHECK(Apply(state, entry).ok());
    const bool held = Alive(stored.owner);
    if (state.closed || (!filter.variant.empty() && state.spec.variant != filter.variant) ||
        (filter.stage && state.stage() != *filter.stage) ||
        (!filter.player.empty() && !state.SeatOf(filter.player)) || (filter.unheld && held)) {
      continue;
    }
    FoundTable& table = tables.emplace_back();
    table.id = state.id;
    table.variant = state.spec.variant;
    table.base = state.base;
    table.currency = state.spec.currency;
    table.stage = state.stage();
    for (rules::Seat seat : rules::kSeats) table.players[seat] = state.seats[seat].player;
    if (held) table.address = leases_.at(stored.owner).owner.address;
    table.created_at = state.created_at;
    table.last_event_at = stored.entries.back().time;
    table.round = state.info().round;
    table.round_number = table.round.empty() ? 0 : state.rounds_begun;
  }
  return tables;
}

absl::StatusOr<std::vector<JournalledEvent>> MemoryEventLog::LatestEvents(const TableId& table,
                                                                          std::int64_t limit) {
  std::vector<JournalledEvent> latest;
  for (const LogEntry& entry : All(table)) {
    latest.push_back({entry.seq, std::to_string(entry.event.index()), entry.time});
  }
  if (static_cast<std::int64_t>(latest.size()) > limit) {
    latest.erase(latest.begin(), latest.end() - static_cast<std::ptrdiff_t>(limit));
  }
  return latest;
}

std::vector<TableId> MemoryEventLog::Open() const {
  base::MutexLock lock(mutex_);
  std::vector<TableId> open;
  for (const auto& [id, stored] : tables_) {
    if (!Closed(stored.entries)) open.push_back(id);
  }
  return open;
}

std::int64_t MemoryEventLog::EpochOf(const TableId& table) const {
  base::MutexLock lock(mutex_);
  return tables_.at(table).epoch;
}

std::vector<TableId> MemoryEventLog::AllTables() const {
  base::MutexLock lock(mutex_);
  std::vector<TableId> ids;
  for (const auto& [id, stored] : tables_) ids.push_back(id);
  return ids;
}

std::vector<LogEntry> MemoryEventLog::All(const TableId& table) const {
  base::MutexLock lock(mutex_);
  const auto it = tables_.find(table);
  return it == tables_.end() ? std::vector<LogEntry>{} : it->second.entries;
}

}  // namespace mj::table
