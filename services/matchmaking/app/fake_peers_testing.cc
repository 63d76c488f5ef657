#include "services/matchmaking/app/fake_peers_testing.h"

#include <algorithm>
#include <utility>

#include "libs/base/reasons.h"

namespace mj::matchmaking {
namespace {

using base::Error;
using base::MutexLock;
using base::Reason;

constexpr std::int64_t kMinimum = 160;

absl::Status NobodyKnows() { return Error(Reason::kDeadlineExceeded); }

}  // namespace

Fault FakeTables::NextFault() { return faults_ ? faults_() : Fault::kNone; }

absl::StatusOr<TablePlace> FakeTables::CreateTable(const Match& match,
                                                   base::MonotonicTime /*until*/) {
  MutexLock lock(mutex_);
  const Fault fault = NextFault();
  if (fault == Fault::kLostOnTheWay) return NobodyKnows();
  auto known = by_match_.find(match.id);
  if (known == by_match_.end()) {
    if (!refusal_.ok()) return refusal_;
    for (const Member& member : match.members) {
      if (!seats_.contains(member.player)) continue;
      return Error(Reason::kPlayerBusy, {}, {.metadata = {{"player_id", member.player.value()}}});
    }
    const TableId id("table-" + std::to_string(tables_.size()));
    tables_[id].match = match.id;
    for (const Member& member : match.members) {
      const int seat = static_cast<int>(tables_[id].seated.size());
      tables_[id].seated.emplace(member.player, seat);
      tables_[id].tokens[member.player] = member.token;
      seats_.emplace(member.player, id);
    }
    known = by_match_.emplace(match.id, id).first;
  }
  if (fault == Fault::kAnswerLost) return NobodyKnows();
  return TablePlace{known->second, tables_.at(known->second).address};
}

absl::StatusOr<TablePlace> FakeTables::JoinTable(const Match& match,
                                                 base::MonotonicTime /*until*/) {
  MutexLock lock(mutex_);
  const Fault fault = NextFault();
  if (fault == Fault::kLostOnTheWay) return NobodyKnows();
  const PlayerId& player = match.members.front().player;
  const TableId& id = match.refill->place.table;
  const auto found = tables_.find(id);
  if (found == tables_.end()) return Error(Reason::kTableNotFound);
  Table& table = found->second;
  if (table.closed) return Error(Reason::kTableClosed);
  if (!table.seated.contains(player)) {
    if (!refusal_.ok()) return refusal_;
    if (seats_.contains(player)) {
      return Error(Reason::kPlayerBusy, {}, {.metadata = {{"player_id", player.value()}}});
    }
    if (table.seated.size() >= kSeats) return Error(Reason::kTableFull);
    for (const auto& [other, seat] : table.seated) {
      if (seat == match.refill->seat) return Error(Reason::kSeatTaken);
    }
    table.seated.emplace(player, match.refill->seat);
    table.tokens[player] = match.members.front().token;
    seats_.emplace(player, id);
    Tell(id, {});
  }
  if (fault == Fault::kAnswerLost) return NobodyKnows();
  return TablePlace{id, table.address};
}

absl::StatusOr<TableNow> FakeTables::GetTable(const TablePlace& place) {
  MutexLock lock(mutex_);
  return Look(place.table);
}

absl::StatusOr<TableNow> FakeTables::GetTableFor(const LiveSeat& seat) {
  MutexLock lock(mutex_);
  absl::StatusOr<TableNow> now = Look(seat.place.table);
  if (!now.ok()) return now;
  if (!now->Has(seat.player)) return Error(Reason::kNotSeated);
  const Table& table = tables_.at(seat.place.table);
  const auto token = table.tokens.find(seat.player);
  if (token != table.tokens.end() && token->second != seat.token) {
    return Error(Reason::kBadJoinToken);
  }
  const auto deadline = table.deadlines.find(seat.player);
  if (deadline != table.deadlines.end()) now->deadline = deadline->second;
  return now;
}

absl::StatusOr<TableNow> FakeTables::Look(const TableId& id) {
  if (NextFault() != Fault::kNone) return NobodyKnows();
  const auto table = tables_.find(id);
  if (table == tables_.end()) return Error(Reason::kTableNotFound);
  TableNow now;
  now.closed = table->second.closed;
  for (const auto& [player, seat] : table->second.seated) now.seated.push_back(player);
  now.address = table->second.address;
  now.round_id = table->second.round_id;
  return now;
}

absl::Status FakeTables::LeaveTable(const TablePlace& place, const PlayerId& player) {
  Fault fault;
  {
    MutexLock lock(mutex_);
    fault = NextFault();
  }
  if (fault != Fault::kLostOnTheWay) Leave(place.table, player);
  return fault == Fault::kNone ? absl::OkStatus() : NobodyKnows();
}

void FakeTables::SetFaults(std::function<Fault()> next) {
  MutexLock lock(mutex_);
  faults_ = std::move(next);
}

void FakeTables::Refuse(absl::Status refusal) {
  MutexLock lock(mutex_);
  refusal_ = std::move(refusal);
}

void FakeTables::Leave(const TableId& table, const PlayerId& player) {
  MutexLock lock(mutex_);
  const auto found = tables_.find(table);
  if (found == tables_.end() || found->second.seated.erase(player) == 0) return;
  seats_.erase(player);
  Tell(table, {player});
}

void FakeTables::Tell(const TableId& id, const std::vector<PlayerId>& left) {
  const Table& table = tables_.at(id);
  SeatChange& change = changes_.emplace_back();
  change.place = {id, table.address};
  change.match = table.match;
  for (const auto& [player, seat] : table.seated) {
    change.seated[static_cast<std::size_t>(seat)] = player;
  }
  // The last to go closes it.
  change.open = !table.closed && !table.seated.empty() && table.seated.size() < kSeats;
  change.left = left;
}

std::vector<SeatChange> FakeTables::ChangesAfter(std::size_t changes) const {
  MutexLock lock(mutex_);
  return {changes_.begin() + static_cast<std::ptrdiff_t>(changes), changes_.end()};
}

void FakeTables::Play(const TableId& table, const std::string& round_id) {
  MutexLock lock(mutex_);
  tables_.at(table).round_id = round_id;
}

void FakeTables::Ask(const TableId& table, const PlayerId& player, base::WallTime until) {
  MutexLock lock(mutex_);
  tables_.at(table).deadlines[player] = until;
}

void FakeTables::Move(const TableId& table, const std::string& address) {
  MutexLock lock(mutex_);
  tables_.at(table).address = address;
}

void FakeTables::Close(const TableId& table) {
  MutexLock lock(mutex_);
  std::vector<PlayerId> left;
  for (const auto& [player, seat] : tables_.at(table).seated) {
    seats_.erase(player);
    left.push_back(player);
  }
  tables_.at(table).seated.clear();
  tables_.at(table).closed = true;
  Tell(table, left);
}

void FakeTables::Forget(const TableId& table) {
  Close(table);
  MutexLock lock(mutex_);
  tables_.erase(table);
}

TableId FakeTables::Occupy(const PlayerId& player) {
  MutexLock lock(mutex_);
  const TableId id("own-" + player.value());
  tables_[id].seated.emplace(player, 0);
  seats_.emplace(player, id);
  return id;
}

std::map<PlayerId, TableId> FakeTables::Seated() const {
  MutexLock lock(mutex_);
  return seats_;
}

std::size_t FakeTables::tables_made() const {
  MutexLock lock(mutex_);
  return by_match_.size();
}

absl::StatusOr<std::int64_t> FakeWallet::OpenTier(const PlayerId& player,
                                                  std::string_view /*variant*/,
                                                  std::string_view /*currency*/,
                                                  std::int64_t asked_base) {
  MutexLock lock(mutex_);
  ++calls_;
  if (!failure_.ok()) return failure_;
  const auto balance = balances_.find(player);
  if (balance == balances_.end()) return Error(Reason::kAccountNotFound);
  std::int64_t base = asked_base == 0 ? 10 : asked_base;
  if (balance->second < base * kMinimum / 10) {
    return Error(Reason::kBelowMinimum, {},
                 {.metadata = {{"balance", std::to_string(balance->second)},
                               {"minimum", std::to_string(base * kMinimum / 10)}}});
  }
  while (asked_base == 0 && base < kBaseMax && balance->second >= base * kMinimum) base *= 10;
  return base;
}

void FakeWallet::SetBalance(const PlayerId& player, std::int64_t coins) {
  MutexLock lock(mutex_);
  balances_[player] = coins;
}

void FakeWallet::SetFailure(absl::Status failure) {
  MutexLock lock(mutex_);
  failure_ = std::move(failure);
}

int FakeWallet::calls() const {
  MutexLock lock(mutex_);
  return calls_;
}

}  // namespace mj::matchmaking
