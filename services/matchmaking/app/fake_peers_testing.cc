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
    for (const Member& member : match.members) {
      tables_[id].seated.insert(member.player);
      seats_.emplace(member.player, id);
    }
    known = by_match_.emplace(match.id, id).first;
  }
  if (fault == Fault::kAnswerLost) return NobodyKnows();
  return TablePlace{known->second, tables_.at(known->second).address};
}

absl::StatusOr<TableNow> FakeTables::GetTable(const TablePlace& place) {
  MutexLock lock(mutex_);
  if (NextFault() != Fault::kNone) return NobodyKnows();
  const auto table = tables_.find(place.table);
  if (table == tables_.end()) return Error(Reason::kTableNotFound);
  return TableNow{table->second.closed,
                  {table->second.seated.begin(), table->second.seated.end()},
                  table->second.address,
                  table->second.round_id};
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
}

void FakeTables::Play(const TableId& table, const std::string& round_id) {
  MutexLock lock(mutex_);
  tables_.at(table).round_id = round_id;
}

void FakeTables::Move(const TableId& table, const std::string& address) {
  MutexLock lock(mutex_);
  tables_.at(table).address = address;
}

void FakeTables::Close(const TableId& table) {
  MutexLock lock(mutex_);
  for (const PlayerId& player : tables_.at(table).seated) seats_.erase(player);
  tables_.at(table).closed = true;
}

void FakeTables::Forget(const TableId& table) {
  Close(table);
  MutexLock lock(mutex_);
  tables_.erase(table);
}

TableId FakeTables::Occupy(const PlayerId& player) {
  MutexLock lock(mutex_);
  const TableId id("own-" + player.value());
  tables_[id].seated.insert(player);
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
