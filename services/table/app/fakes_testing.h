// What stands in for the world around the tables: a log that fails on demand, a scorer, a wallet.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "libs/base/entropy.h"
#include "libs/base/mutex.h"
#include "libs/base/reasons.h"
#include "services/table/app/event_log.h"
#include "services/table/app/leases.h"
#include "services/table/app/monitor.h"
#include "services/table/app/peers.h"
#include "services/table/app/records.h"
#include "tests/support/random.h"

namespace mj::table {

// Bytes that depend on the seed alone. Thread-safe.
class SeededEntropy final : public base::Entropy {
 public:
  explicit SeededEntropy(std::uint64_t seed) : random_(seed) {}
  void Fill(std::span<std::byte> out) override;

 private:
  base::Mutex mutex_;
  testing::Random random_ ABSL_GUARDED_BY(mutex_);
};

// Another log, made to fail. Thread-safe.
class FaultyEventLog final : public EventLog {
 public:
  explicit FaultyEventLog(EventLog& inner) : inner_(inner) {}

  enum class When { kBeforeWriting, kAfterWriting };
  // The next `times` calls of Create and Write fail with UNAVAILABLE: written or not.
  void FailWrites(int times, When when);
  // The next `times` calls of Read fail with `status`.
  void FailReads(int times, absl::Status status);
  // From now on this table's journal reads as one of another format.
  void Spoil(const TableId& table);
  // Called with what each Write is to write, before it is.
  void OnWrite(std::function<void(std::span<const Append>)> see);

  absl::StatusOr<Creation> Create(const LogEntry& first, const OwnerId& owner) override;
  absl::StatusOr<std::vector<Appended>> Write(std::span<const Append> appends) override;
  absl::StatusOr<std::vector<LogEntry>> Read(const TableId& table, std::int64_t after,
                                             std::int64_t limit) override;

 private:
  std::optional<When> TakeWriteFault();
  absl::Status TakeReadFault(const TableId& table);

  EventLog& inner_;
  base::Mutex mutex_;
  int write_faults_ ABSL_GUARDED_BY(mutex_) = 0;
  When when_ ABSL_GUARDED_BY(mutex_) = When::kBeforeWriting;
  int read_faults_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Status read_status_ ABSL_GUARDED_BY(mutex_);
  TableId spoilt_ ABSL_GUARDED_BY(mutex_);
  std::function<void(std::span<const Append>)> see_ ABSL_GUARDED_BY(mutex_);
};

// Other leases, made to fail. Thread-safe.
class FaultyLeases final : public Leases {
 public:
  explicit FaultyLeases(Leases& inner) : inner_(inner) {}

  // The next `times` calls fail with UNAVAILABLE, and have no effect.
  void Fail(int times);
  // The most pages of tables that were taken without a lease being prolonged between them.
  [[nodiscard]] int pages_at_once() const;

  absl::Status Begin(const Owner& self, std::chrono::milliseconds time) override;
  absl::StatusOr<bool> Renew(const Owner& self, std::chrono::milliseconds time) override;
  absl::Status End(const OwnerId& self) override;
  absl::StatusOr<std::variant<HeldTable, Elsewhere>> Take(const TableId& table,
                                                          const OwnerId& self) override;
  absl::StatusOr<std::vector<HeldTable>> TakeSome(const OwnerId& self, std::int64_t limit) override;
  absl::StatusOr<std::vector<HeldTable>> ListHeld(const OwnerId& self) override;
  absl::Status Retire(const OwnerId& self) override;
  absl::StatusOr<std::vector<std::string>> GiveAway(const OwnerId& self,
                                                    std::span<const HeldTable> tables) override;

 private:
  absl::Status TakeFault();

  Leases& inner_;
  mutable base::Mutex mutex_;
  int faults_ ABSL_GUARDED_BY(mutex_) = 0;
  int pages_ ABSL_GUARDED_BY(mutex_) = 0;  // since the latest renewal
  int pages_max_ ABSL_GUARDED_BY(mutex_) = 0;
};

// Scores by the registry's rules, in this process. Answers at once. Thread-safe.
class FakeScorer final : public Scorer {
 public:
  void ScoreRound(const ScoreQuestion& question,
                  std::function<void(absl::StatusOr<Score>)> done) override;

  // The next calls fail with these, one each.
  void FailWith(std::vector<absl::Status> failures);
  // The next call says that it scored by another rulebook.
  void AnswerByAnotherRulebook();
  [[nodiscard]] int calls() const;

 private:
  mutable base::Mutex mutex_;
  std::vector<absl::Status> failures_ ABSL_GUARDED_BY(mutex_);
  bool other_rulebook_ ABSL_GUARDED_BY(mutex_) = false;
  int calls_ ABSL_GUARDED_BY(mutex_) = 0;
};

// Holds seats, begins rounds whose four seats are held, pays every debt in full, and each round that
// was begun once. Answers at once, and has a row of every round that it closed. Thread-safe.
class FakeWallet final : public Wallet, public JournalRows {
 public:
  static constexpr Coins kOpening = 1'000'000;  // everybody's balance before the first round

  // Those of CZ-70, whatever the game, or what SetRooms says.
  void ListRooms(const std::string& variant, Currency currency,
                 std::function<void(absl::StatusOr<std::vector<Room>>)> done) override;
  // BELOW_MINIMUM for whose balance was set, and is less than the room asks for.
  void Reserve(const SeatHold& seat, std::function<void(absl::StatusOr<Coins>)> done) override;
  void Release(const SeatHold& seat, std::function<void(absl::Status)> done) override;
  // A bot has no account before, and each grant counts once.
  void GrantBot(const BotGrant& grant, std::function<void(absl::Status)> done) override;
  void BeginRound(const Beginning& beginning, std::function<void(absl::Status)> done) override;
  void SettleRound(const Settlement& settlement,
                   std::function<void(absl::StatusOr<RoundPosted>)> done) override;
  // The escaper pays kPenalty bases, as far as it can, to the three others.
  void VoidRound(const Voiding& voiding,
                 std::function<void(absl::StatusOr<std::optional<PenaltyPosted>>)> done) override;
  static constexpr Coins kPenalty = 64;
  absl::StatusOr<record::JournalRow> ReadRow(const RoundId& round) override;
  // The next calls of ReadRow fail with these, one each.
  void FailRowsWith(std::vector<absl::Status> failures);

  // From now on this player's seat is not held, for this reason; nothing: it is again.
  void Refuse(const PlayerId& player, std::optional<base::Reason> reason);
  // The next calls of Reserve and Release, and of BeginRound, fail with these, one each.
  void FailHoldsWith(std::vector<absl::Status> failures);
  // How many grants bots have had.
  [[nodiscard]] std::size_t grants() const;
  void FailBeginsWith(std::vector<absl::Status> failures);
  // The next calls of ListRooms, one each.
  void FailRoomsWith(std::vector<absl::Status> failures);
  void SetRooms(std::vector<Room> rooms);
  // Where the player's seat is held; empty: nowhere.
  [[nodiscard]] TableId held_at(const PlayerId& player) const;
  // How a round was voided; nothing when it was not.
  [[nodiscard]] std::optional<VoidReason> voided(const RoundId& round) const;
  void SetBalance(const PlayerId& player, Coins coins);

  // Begun, and not closed.
  [[nodiscard]] std::size_t open_rounds() const;

  // The next calls of SettleRound fail with these, one each: before posting, or afterwards when `posted`.
  void FailWith(std::vector<absl::Status> failures, bool posted = false);
  [[nodiscard]] int calls() const;
  [[nodiscard]] std::size_t rounds() const;
  [[nodiscard]] Coins balance(const PlayerId& player) const;

 private:
  absl::StatusOr<Coins> Hold(const SeatHold& seat) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Coins& BalanceOf(const PlayerId& player) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool Open(const RoundId& round) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  PenaltyPosted Punish(const Beginning& round, Seat escaper) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  RoundPosted Post(const Settlement& settlement) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable base::Mutex mutex_;
  std::vector<absl::Status> failures_ ABSL_GUARDED_BY(mutex_);
  bool fail_after_ ABSL_GUARDED_BY(mutex_) = false;
  int calls_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<RoundId, RoundPosted> posted_ ABSL_GUARDED_BY(mutex_);
  std::map<RoundId, std::pair<VoidReason, std::optional<PenaltyPosted>>> voided_
      ABSL_GUARDED_BY(mutex_);
  std::map<PlayerId, Coins> balances_ ABSL_GUARDED_BY(mutex_);
  std::set<PlayerId> counted_ ABSL_GUARDED_BY(mutex_);  // whose balance was set
  std::vector<absl::Status> hold_failures_ ABSL_GUARDED_BY(mutex_);
  std::vector<absl::Status> begin_failures_ ABSL_GUARDED_BY(mutex_);
  std::vector<absl::Status> room_failures_ ABSL_GUARDED_BY(mutex_);
  std::vector<absl::Status> row_failures_ ABSL_GUARDED_BY(mutex_);
  std::vector<Room> rooms_ ABSL_GUARDED_BY(mutex_) = {{10, 160, 0, 640},
                                                      {100, 1'600, 0, 6'400},
                                                      {1'000, 16'000, 0, 64'000},
                                                      {10'000, 160'000, 0, 640'000}};
  std::map<PlayerId, base::Reason> refused_ ABSL_GUARDED_BY(mutex_);
  std::map<PlayerId, TableId> holds_ ABSL_GUARDED_BY(mutex_);
  std::map<RoundId, Beginning> begun_ ABSL_GUARDED_BY(mutex_);
  std::set<RequestId> granted_ ABSL_GUARDED_BY(mutex_);
};

// Counts what it hears. Thread-safe.
class CountingMonitor final : public Monitor {
 public:
  struct Counts {
    int journalled = 0;  // groups
    std::size_t events = 0;
    std::size_t tables_in_largest_group = 0;
    int journal_away = 0;
    int lost = 0;
    int replay_failed = 0;
    int rounds_begun = 0;
    int rounds_paid = 0;
    int rounds_voided = 0;
    int peer_failed = 0;
    int needs_person = 0;
    int slow = 0;
    std::size_t held = 0;
    int lease_failed = 0;
    int lease_lapsed = 0;
    std::size_t taken = 0;  // tables
    std::size_t given = 0;
  };
  [[nodiscard]] Counts counts() const;

  void OnJournalled(std::size_t tables, std::size_t events) override;
  void OnJournalAway(const absl::Status& status, std::size_t waiting) override;
  void OnTableLost(const TableId& table, std::string_view why) override;
  void OnReplayFailed(const TableId& table, const absl::Status& status) override;
  void OnRoundBegun(std::string_view variant) override;
  void OnRoundPaid(std::string_view variant) override;
  void OnRoundVoided(std::string_view variant) override;
  void OnPeerFailed(std::string_view peer, const RoundId& round, const absl::Status& status,
                    bool needs_person) override;
  void OnSlowSubscriber(const TableId& table) override;
  void OnLeaseFailed(const absl::Status& status) override;
  void OnLeaseLapsed() override;
  void OnTablesTaken(std::size_t tables) override;
  void OnTablesGiven(std::size_t tables) override;
  void OnTablesHeld(std::size_t tables) override;

 private:
  mutable base::Mutex mutex_;
  Counts counts_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::table
