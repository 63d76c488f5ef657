#include "services/table/app/fakes_testing.h"

#include <algorithm>

#include "libs/audit/digest.h"
#include "libs/base/check.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/ledger/bot_account.h"
#include "libs/rules/score.h"
#include "libs/variants/registry.h"

namespace mj::table {
namespace {

// The first of `failures`, taken out; OK when there is none.
absl::Status TakeFirst(std::vector<absl::Status>& failures) {
  if (failures.empty()) return absl::OkStatus();
  const absl::Status first = failures.front();
  failures.erase(failures.begin());
  return first;
}

}  // namespace

void SeededEntropy::Fill(std::span<std::byte> out) {
  base::MutexLock lock(mutex_);
  for (std::byte& b : out) b = static_cast<std::byte>(random_.Below(256));
}

// ------------------------------------------------------------------------------------------ log

void FaultyEventLog::FailWrites(int times, When when) {
  base::MutexLock lock(mutex_);
  write_faults_ = times;
  when_ = when;
}

void FaultyEventLog::FailReads(int times, absl::Status status) {
  base::MutexLock lock(mutex_);
  read_faults_ = times;
  read_status_ = std::move(status);
}

void FaultyEventLog::OnWrite(std::function<void(std::span<const Append>)> see) {
  base::MutexLock lock(mutex_);
  see_ = std::move(see);
}

std::optional<FaultyEventLog::When> FaultyEventLog::TakeWriteFault() {
  base::MutexLock lock(mutex_);
  if (write_faults_ == 0) return std::nullopt;
  --write_faults_;
  return when_;
}

void FaultyEventLog::Spoil(const TableId& table) {
  base::MutexLock lock(mutex_);
  spoilt_ = table;
}

absl::Status FaultyEventLog::TakeReadFault(const TableId& table) {
  base::MutexLock lock(mutex_);
  if (!table.empty() && table == spoilt_) return absl::DataLossError("another format");
  if (read_faults_ == 0) return absl::OkStatus();
  --read_faults_;
  return read_status_;
}

absl::StatusOr<Creation> FaultyEventLog::Create(const LogEntry& first, const OwnerId& owner) {
  const auto fault = TakeWriteFault();
  if (fault == When::kBeforeWriting) return base::Error(base::Reason::kUnavailable);
  auto created = inner_.Create(first, owner);
  if (fault) return base::Error(base::Reason::kUnavailable);
  return created;
}

absl::StatusOr<std::vector<Appended>> FaultyEventLog::Write(std::span<const Append> appends) {
  std::function<void(std::span<const Append>)> see;
  {
    base::MutexLock lock(mutex_);
    see = see_;
  }
  if (see) see(appends);
  const auto fault = TakeWriteFault();
  if (fault == When::kBeforeWriting) return base::Error(base::Reason::kUnavailable);
  auto written = inner_.Write(appends);
  if (fault) return base::Error(base::Reason::kUnavailable);
  return written;
}

absl::StatusOr<std::vector<LogEntry>> FaultyEventLog::Read(const TableId& table, std::int64_t after,
                                                           std::int64_t limit) {
  if (const absl::Status fault = TakeReadFault(table); !fault.ok()) return fault;
  return inner_.Read(table, after, limit);
}

// --------------------------------------------------------------------------------------- leases

void FaultyLeases::Fail(int times) {
  base::MutexLock lock(mutex_);
  faults_ = times;
}

absl::Status FaultyLeases::TakeFault() {
  base::MutexLock lock(mutex_);
  if (faults_ == 0) return absl::OkStatus();
  --faults_;
  return base::Error(base::Reason::kUnavailable);
}

absl::Status FaultyLeases::Begin(const Owner& self, std::chrono::milliseconds time) {
  MJ_RETURN_IF_ERROR(TakeFault());
  {
    base::MutexLock lock(mutex_);
    pages_ = 0;
  }
  return inner_.Begin(self, time);
}

absl::StatusOr<bool> FaultyLeases::Renew(const Owner& self, std::chrono::milliseconds time) {
  MJ_RETURN_IF_ERROR(TakeFault());
  {
    base::MutexLock lock(mutex_);
    pages_ = 0;
  }
  return inner_.Renew(self, time);
}

absl::Status FaultyLeases::End(const OwnerId& self) {
  MJ_RETURN_IF_ERROR(TakeFault());
  return inner_.End(self);
}

absl::StatusOr<std::variant<HeldTable, Elsewhere>> FaultyLeases::Take(const TableId& table,
                                                                      const OwnerId& self) {
  MJ_RETURN_IF_ERROR(TakeFault());
  return inner_.Take(table, self);
}

absl::StatusOr<std::vector<HeldTable>> FaultyLeases::TakeSome(const OwnerId& self,
                                                              std::int64_t limit) {
  MJ_RETURN_IF_ERROR(TakeFault());
  {
    base::MutexLock lock(mutex_);
    pages_max_ = std::max(pages_max_, ++pages_);
  }
  return inner_.TakeSome(self, limit);
}

int FaultyLeases::pages_at_once() const {
  base::MutexLock lock(mutex_);
  return pages_max_;
}

absl::StatusOr<std::vector<HeldTable>> FaultyLeases::ListHeld(const OwnerId& self) {
  MJ_RETURN_IF_ERROR(TakeFault());
  return inner_.ListHeld(self);
}

absl::Status FaultyLeases::Retire(const OwnerId& self) {
  MJ_RETURN_IF_ERROR(TakeFault());
  return inner_.Retire(self);
}

absl::StatusOr<std::vector<std::string>> FaultyLeases::GiveAway(const OwnerId& self,
                                                                std::span<const HeldTable> tables) {
  MJ_RETURN_IF_ERROR(TakeFault());
  return inner_.GiveAway(self, tables);
}

// ---------------------------------------------------------------------------------------- peers

void FakeScorer::ScoreRound(const ScoreQuestion& question,
                            std::function<void(absl::StatusOr<Score>)> done) {
  bool other = false;
  {
    base::MutexLock lock(mutex_);
    ++calls_;
    const absl::Status failure = TakeFirst(failures_);
    other = std::exchange(other_rulebook_, false);
    if (!failure.ok()) return done(failure);
  }
  const rules::Variant* variant = variants::Find(question.variant);
  MJ_CHECK(variant != nullptr);
  const auto options = rules::ParseOptions(variant->options(), question.options);
  const rules::RoundScore scored =
      rules::ScoreRound(*variant, std::get<rules::Options>(options), question.round);
  Score score;
  score.rulebook_version = other ? "another" : question.rulebook_version;
  for (const rules::Transfer& transfer : scored.transfers) {
    score.scored.transfers.push_back(
        {transfer.from, transfer.to,
         transfer.units * question.base / variant->info().units_per_base,
         std::string(transfer.rule)});
  }
  score.scored.score = base::Cat("score of ", question.variant);
  done(std::move(score));
}

void FakeScorer::FailWith(std::vector<absl::Status> failures) {
  base::MutexLock lock(mutex_);
  failures_ = std::move(failures);
}

void FakeScorer::AnswerByAnotherRulebook() {
  base::MutexLock lock(mutex_);
  other_rulebook_ = true;
}

int FakeScorer::calls() const {
  base::MutexLock lock(mutex_);
  return calls_;
}

void FakeWallet::ListRooms(const std::string&, Currency,
                           std::function<void(absl::StatusOr<std::vector<Room>>)> done) {
  absl::StatusOr<std::vector<Room>> answer;
  {
    base::MutexLock lock(mutex_);
    const absl::Status failure = TakeFirst(room_failures_);
    answer = rooms_;
    if (!failure.ok()) answer = failure;
  }
  done(std::move(answer));
}

void FakeWallet::FailRoomsWith(std::vector<absl::Status> failures) {
  base::MutexLock lock(mutex_);
  room_failures_ = std::move(failures);
}

void FakeWallet::SetRooms(std::vector<Room> rooms) {
  base::MutexLock lock(mutex_);
  rooms_ = std::move(rooms);
}

void FakeWallet::Reserve(const SeatHold& seat, std::function<void(absl::StatusOr<Coins>)> done) {
  absl::StatusOr<Coins> answer;
  {
    base::MutexLock lock(mutex_);
    answer = Hold(seat);
  }
  done(std::move(answer));
}

absl::StatusOr<Coins> FakeWallet::Hold(const SeatHold& seat) {
  const absl::Status failure = TakeFirst(hold_failures_);
  if (!failure.ok()) return failure;
  const auto refused = refused_.find(seat.player);
  if (refused != refused_.end()) return base::Error(refused->second);
  if (ledger::IsBotAccount(seat.player.value())) {
    if (seat.currency != Currency::kPractice) return base::Error(base::Reason::kCurrencyMixed);
    if (!balances_.contains(seat.player)) return base::Error(base::Reason::kAccountNotFound);
  }
  const Coins balance = BalanceOf(seat.player);
  for (const Room& room : rooms_) {
    if (counted_.contains(seat.player) && room.base == seat.base && balance < room.minimum) {
      return base::Error(base::Reason::kBelowMinimum);
    }
  }
  TableId& at = holds_[seat.player];
  if (!at.empty() && at != seat.table) return base::Error(base::Reason::kPlayerBusy);
  at = seat.table;
  return balance;
}

void FakeWallet::Release(const SeatHold& seat, std::function<void(absl::Status)> done) {
  absl::Status answer;
  {
    base::MutexLock lock(mutex_);
    answer = TakeFirst(hold_failures_);
    const auto held = holds_.find(seat.player);
    if (answer.ok() && held != holds_.end() && held->second == seat.table) {
      for (const auto& [round, beginning] : begun_) {
        const bool open = Open(round);
        for (const PlayerId& player : beginning.players) {
          if (open && player == seat.player) answer = base::Error(base::Reason::kRoundInProgress);
        }
      }
      if (answer.ok()) holds_.erase(held);
    }
  }
  done(answer);
}

void FakeWallet::GrantBot(const BotGrant& grant, std::function<void(absl::Status)> done) {
  absl::Status answer;
  {
    base::MutexLock lock(mutex_);
    answer = TakeFirst(hold_failures_);
    if (answer.ok() && granted_.insert(grant.request).second) {
      balances_.try_emplace(grant.bot, 0).first->second += grant.coins;
    }
  }
  done(answer);
}

std::size_t FakeWallet::grants() const {
  base::MutexLock lock(mutex_);
  return granted_.size();
}

void FakeWallet::BeginRound(const Beginning& beginning, std::function<void(absl::Status)> done) {
  absl::Status answer;
  {
    base::MutexLock lock(mutex_);
    answer = TakeFirst(begin_failures_);
    for (const PlayerId& player : beginning.players) {
      if (answer.ok() && holds_[player] != beginning.table) {
        answer = base::Error(base::Reason::kReservationNotFound);
      }
    }
    if (answer.ok()) begun_.try_emplace(beginning.round, beginning);
  }
  done(answer);
}

void FakeWallet::Refuse(const PlayerId& player, std::optional<base::Reason> reason) {
  base::MutexLock lock(mutex_);
  refused_.erase(player);
  if (reason) refused_[player] = *reason;
}

void FakeWallet::FailHoldsWith(std::vector<absl::Status> failures) {
  base::MutexLock lock(mutex_);
  hold_failures_ = std::move(failures);
}

void FakeWallet::FailBeginsWith(std::vector<absl::Status> failures) {
  base::MutexLock lock(mutex_);
  begin_failures_ = std::move(failures);
}

TableId FakeWallet::held_at(const PlayerId& player) const {
  base::MutexLock lock(mutex_);
  const auto held = holds_.find(player);
  return held == holds_.end() ? TableId() : held->second;
}

std::size_t FakeWallet::open_rounds() const {
  base::MutexLock lock(mutex_);
  return begun_.size() - posted_.size() - voided_.size();
}

bool FakeWallet::Open(const RoundId& round) const {
  return posted_.count(round) == 0 && voided_.count(round) == 0;
}

Coins& FakeWallet::BalanceOf(const PlayerId& player) {
  return balances_.try_emplace(player, kOpening).first->second;
}

void FakeWallet::SetBalance(const PlayerId& player, Coins coins) {
  base::MutexLock lock(mutex_);
  balances_[player] = coins;
  counted_.insert(player);
}

std::optional<VoidReason> FakeWallet::voided(const RoundId& round) const {
  base::MutexLock lock(mutex_);
  const auto it = voided_.find(round);
  return it == voided_.end() ? std::nullopt : std::optional(it->second.first);
}

PenaltyPosted FakeWallet::Punish(const Beginning& round, Seat escaper) {
  PenaltyPosted penalty;
  penalty.journal_id = base::Cat("journal-penalty-", round.round.value());
  const Coins taken = std::min(kPenalty * round.base, BalanceOf(round.players[escaper]));
  const Coins share = taken / 3;
  penalty.shortfall = kPenalty * round.base - taken;
  for (Seat seat : rules::kSeats) {
    Coins& balance = BalanceOf(round.players[seat]);
    penalty.seats[seat].net = seat == escaper ? -taken : share;
    balance += penalty.seats[seat].net;
    penalty.seats[seat].balance = balance;
  }
  return penalty;
}

void FakeWallet::VoidRound(const Voiding& voiding,
                           std::function<void(absl::StatusOr<std::optional<PenaltyPosted>>)> done) {
  absl::StatusOr<std::optional<PenaltyPosted>> answer;
  {
    base::MutexLock lock(mutex_);
    const absl::Status failure = TakeFirst(failures_);
    const auto begun = begun_.find(voiding.round);
    const auto before = voided_.find(voiding.round);
    if (begun == begun_.end()) {
      answer = base::Error(base::Reason::kRoundNotFound);
    } else if (before != voided_.end()) {
      answer = before->second.second;
    } else if (posted_.count(voiding.round) > 0) {
      answer = base::Error(base::Reason::kRoundFinished);
    } else if (failure.ok() || fail_after_) {
      std::optional<PenaltyPosted> penalty;
      if (voiding.escaped) penalty = Punish(begun->second, *voiding.escaped);
      voided_[voiding.round] = {voiding.reason, penalty};
      answer = penalty;
    }
    if (!failure.ok()) answer = failure;
  }
  done(std::move(answer));
}

absl::StatusOr<record::JournalRow> FakeWallet::ReadRow(const RoundId& round) {
  base::MutexLock lock(mutex_);
  const absl::Status failure = TakeFirst(row_failures_);
  if (!failure.ok()) return failure;
  record::JournalRow row;
  const auto posted = posted_.find(round);
  const auto voided = voided_.find(round);
  if (posted != posted_.end()) {
    row.journal_id = posted->second.journal_id;
  } else if (voided == voided_.end()) {
    return base::Error(base::Reason::kJournalNotFound);
  } else if (voided->second.second) {
    row.journal_id = voided->second.second->journal_id;
  } else {
    row.journal_id = base::Cat("journal-void-", round.value());
  }
  row.canonical = base::Cat("journal=", row.journal_id, "\nround=", round.value(), "\n");
  row.hash = audit::Sha256(row.canonical);
  return row;
}

void FakeWallet::FailRowsWith(std::vector<absl::Status> failures) {
  base::MutexLock lock(mutex_);
  row_failures_ = std::move(failures);
}

void FakeWallet::SettleRound(const Settlement& settlement,
                             std::function<void(absl::StatusOr<RoundPosted>)> done) {
  absl::StatusOr<RoundPosted> answer;
  {
    base::MutexLock lock(mutex_);
    ++calls_;
    const absl::Status failure = TakeFirst(failures_);
    const bool begun = begun_.count(settlement.round) > 0;
    if (begun && (failure.ok() || fail_after_)) answer = Post(settlement);
    if (!begun) answer = base::Error(base::Reason::kRoundNotFound);
    if (!failure.ok()) answer = failure;
  }
  done(std::move(answer));
}

RoundPosted FakeWallet::Post(const Settlement& settlement) {
  const auto before = posted_.find(settlement.round);
  if (before != posted_.end()) return before->second;
  RoundPosted posted;
  posted.journal_id = base::Cat("journal-", std::to_string(posted_.size() + 1));
  for (const SeatTransfer& transfer : settlement.transfers) {
    posted.seats[transfer.from].net -= transfer.coins;
    posted.seats[transfer.to].net += transfer.coins;
  }
  for (Seat seat : rules::kSeats) {
    Coins& balance = BalanceOf(settlement.players[seat]);
    balance += posted.seats[seat].net;
    posted.seats[seat].balance = balance;
  }
  posted_[settlement.round] = posted;
  return posted;
}

void FakeWallet::FailWith(std::vector<absl::Status> failures, bool posted) {
  base::MutexLock lock(mutex_);
  failures_ = std::move(failures);
  fail_after_ = posted;
}

int FakeWallet::calls() const {
  base::MutexLock lock(mutex_);
  return calls_;
}

std::size_t FakeWallet::rounds() const {
  base::MutexLock lock(mutex_);
  return posted_.size();
}

Coins FakeWallet::balance(const PlayerId& player) const {
  base::MutexLock lock(mutex_);
  const auto it = balances_.find(player);
  return it == balances_.end() ? kOpening : it->second;
}

// -------------------------------------------------------------------------------------- monitor

CountingMonitor::Counts CountingMonitor::counts() const {
  base::MutexLock lock(mutex_);
  return counts_;
}

void CountingMonitor::OnJournalled(std::size_t tables, std::size_t events) {
  base::MutexLock lock(mutex_);
  ++counts_.journalled;
  counts_.events += events;
  counts_.tables_in_largest_group = std::max(counts_.tables_in_largest_group, tables);
}
void CountingMonitor::OnJournalAway(const absl::Status&, std::size_t) {
  base::MutexLock lock(mutex_);
  ++counts_.journal_away;
}
void CountingMonitor::OnTableLost(const TableId&, std::string_view) {
  base::MutexLock lock(mutex_);
  ++counts_.lost;
}
void CountingMonitor::OnReplayFailed(const TableId&, const absl::Status&) {
  base::MutexLock lock(mutex_);
  ++counts_.replay_failed;
}
void CountingMonitor::OnRoundBegun(std::string_view) {
  base::MutexLock lock(mutex_);
  ++counts_.rounds_begun;
}
void CountingMonitor::OnRoundPaid(std::string_view) {
  base::MutexLock lock(mutex_);
  ++counts_.rounds_paid;
}
void CountingMonitor::OnRoundVoided(std::string_view) {
  base::MutexLock lock(mutex_);
  ++counts_.rounds_voided;
}
void CountingMonitor::OnPeerFailed(std::string_view, const RoundId&, const absl::Status&,
                                   bool needs_person) {
  base::MutexLock lock(mutex_);
  ++counts_.peer_failed;
  if (needs_person) ++counts_.needs_person;
}
void CountingMonitor::OnSlowSubscriber(const TableId&) {
  base::MutexLock lock(mutex_);
  ++counts_.slow;
}
void CountingMonitor::OnLeaseFailed(const absl::Status& /*status*/) {
  base::MutexLock lock(mutex_);
  ++counts_.lease_failed;
}

void CountingMonitor::OnLeaseLapsed() {
  base::MutexLock lock(mutex_);
  ++counts_.lease_lapsed;
}

void CountingMonitor::OnTablesTaken(std::size_t tables) {
  base::MutexLock lock(mutex_);
  counts_.taken += tables;
}

void CountingMonitor::OnTablesGiven(std::size_t tables) {
  base::MutexLock lock(mutex_);
  counts_.given += tables;
}

void CountingMonitor::OnTablesHeld(std::size_t tables) {
  base::MutexLock lock(mutex_);
  counts_.held = tables;
}

}  // namespace mj::table
