// A table service of one process or several, without gRPC and PostgreSQL, moved by the test's own
// hand: nothing runs but in Run.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/manual_runner_testing.h"
#include "libs/base/simulated_clock_testing.h"
#include "libs/base/uuid.h"
#include "services/table/app/fakes_testing.h"
#include "services/table/app/keeper.h"
#include "services/table/app/memory_event_log_testing.h"
#include "services/table/app/tables.h"

namespace mj::table {

// Plays from its own stream alone, well enough to win now and then.
class TestPlayer {
 public:
  TestPlayer(PlayerId id, Seat seat) : id_(std::move(id)), seat_(seat) {}

  void See(const Shown& shown);

  // The decision that it is asked for, if any, and what it would choose.
  struct Wish {
    DecisionRef decision = 0;
    round::Choice choice;
  };
  [[nodiscard]] std::optional<Wish> wish() const;

  // The question about the stakes that it has not answered, if any, and what it would: the least base,
  // and yes.
  struct StakesWish {
    DecisionRef decision = 0;
    StakesAnswer answer;
  };
  [[nodiscard]] const std::optional<StakesWish>& stakes_wish() const { return stakes_wish_; }
  [[nodiscard]] const std::optional<round::Offer>& offer() const { return offer_; }

  [[nodiscard]] const PlayerId& id() const { return id_; }
  [[nodiscard]] Seat seat() const { return seat_; }
  [[nodiscard]] const std::vector<Shown>& seen() const { return seen_; }
  [[nodiscard]] StreamSeq last() const { return seen_.empty() ? 0 : seen_.back().sequence; }

 private:
  void SeePlay(const PlayShown& play);
  void SeeStakes(const ShownEvent& event);

  PlayerId id_;
  Seat seat_;
  std::vector<Shown> seen_;
  tiles::TileCounts hand_;
  DecisionRef decision_ = 0;
  std::optional<round::Offer> offer_;
  std::optional<StakesWish> stakes_wish_;
};

// One process of the table service.
struct Process {
  base::ManualRunner runner{100'000};
  base::ManualRunner blocking{100'000};
  base::ManualRunner beats{100'000};
  Owner self;
  std::unique_ptr<Journal> journal;
  std::unique_ptr<Tables> tables;
  std::unique_ptr<Keeper> keeper;
  bool stopped = false;  // as by SIGSTOP: nothing of it runs
};

class World {
 public:
  // Without pauses, unless `options` or a table's settings have one.
  static TablesOptions NoPauses();
  explicit World(std::uint64_t seed = 1, TableLimits limits = {},
                 TablesOptions options = NoPauses());
  ~World();

  // Everything there is to do now, also on the journal's side.
  void Run();
  // …and what timers bring within `time`.
  void Advance(std::chrono::milliseconds time);
  // The process ends and another one begins on the same journal. Streams end with it. It loads what is
  // asked for; Keep makes it look for what it was left.
  void Restart();
  void Keep() { process().keeper->Start(); }

  // Another process begins, and keeps its tables. From now on calls go to process `number`, the first is
  // 0.
  void AddProcess();
  void Use(std::size_t number);
  [[nodiscard]] Process& process(std::size_t number) { return *processes_[number]; }
  [[nodiscard]] Process& process() { return *processes_[using_]; }
  // As by kill -9: it is no more, and has told nobody.
  void Kill(std::size_t number);

  // Calls and runs until there is an answer; DEADLINE_EXCEEDED when none comes.
  template <typename T>
  absl::StatusOr<T> Call(const std::function<void(Done<T>)>& call) {
    auto answer = std::make_shared<std::optional<absl::StatusOr<T>>>();
    call([answer](absl::StatusOr<T> value) { *answer = std::move(value); });
    Run();
    if (!*answer) return absl::DeadlineExceededError("no answer yet");
    return **answer;
  }

  // --- a table of four players "p0" to "p3", on seats 0 to 3

  TableId MakeTable(const std::string& variant = "chaozhou", const std::string& request = "match");
  absl::StatusOr<TableInfo> Create(const std::string& request, const TableSpec& spec,
                                   const SettingValues& settings = {});
  absl::StatusOr<Table::Seated> Join(const TableId& table, const std::string& player,
                                     std::optional<Seat> seat = std::nullopt,
                                     const std::string& token = {});
  absl::StatusOr<StreamSeq> Ready(const TableId& table, const std::string& player, int round = 0,
                                  const std::optional<fairness::Digest>& nonce_hash = std::nullopt);
  absl::StatusOr<StreamSeq> RevealNonce(const TableId& table, const std::string& player, int round,
                                        const fairness::Bytes& nonce);
  absl::StatusOr<StreamSeq> Act(const TableId& table, const std::string& player,
                                DecisionRef decision, const round::Choice& choice);
  absl::StatusOr<Table::Left> Leave(const TableId& table, const std::string& player);
  absl::StatusOr<StreamSeq> AnswerStakes(const TableId& table, const std::string& player,
                                         DecisionRef decision, const StakesAnswer& answer);
  absl::StatusOr<StreamSeq> TakeOver(const TableId& table, const std::string& player);
  absl::StatusOr<TableInfo> Get(const TableId& table);
  absl::StatusOr<std::shared_ptr<Subscription>> Subscribe(const TableId& table,
                                                          const std::string& player,
                                                          StreamSeq after = 0,
                                                          const std::string& token = {});
  absl::StatusOr<Table::Description> GetFor(const TableId& table, const std::string& player,
                                            const std::string& token = {});
  absl::StatusOr<StreamSeq> ShowHand(const TableId& table, const std::string& player, bool show);
  absl::StatusOr<std::shared_ptr<WatchSubscription>> Watch(const TableId& table,
                                                           const std::string& player, Seat seat,
                                                           StreamSeq after = 0);
  // Everything that a new reader gets now.
  std::vector<Shown> ReadAll(const TableId& table, const std::string& player, StreamSeq after = 0);

  // What happened at a table, but for clocks that were started anew.
  [[nodiscard]] std::vector<TableEvent> Happened(const TableId& table) const;

  static TableSpec Spec(const std::string& variant = "chaozhou");
  // Nobody sits there, and there is no base.
  static TableSpec EmptySpec(const std::string& variant);

  // What it is to play with: parts are public for tests to bend.
  base::SimulatedClock clock;
  SeededEntropy entropy;
  base::UuidGenerator ids;
  MemoryEventLog memory;
  FaultyEventLog log;
  FaultyLeases leases;
  FakeScorer scorer;
  FakeWallet wallet;
  CountingMonitor monitor;
  // Of the process in use.
  Tables* tables = nullptr;

 private:
  void Begin(Process& process);
  static void End(Process& process);

  std::vector<std::unique_ptr<Process>> processes_;
  std::size_t using_ = 0;
  int runs_ = 0;  // of processes so far
  const TableLimits limits_;
  const TablesOptions options_;
};

// Four players at one table, each with a stream.
class Company {
 public:
  // They are called "p0" to "p3", each with this behind it.
  Company(World& world, TableId table, const std::string& suffix = "");

  // Takes what the streams have.
  void Listen();
  // Opens the streams again, each after what it has seen; or one of them.
  void Resubscribe();
  void Resume(Seat seat);
  // Its stream ends on the client's side.
  void Hang(Seat seat);
  void ReadyAll();
  // One wish of one player, if anybody has one; the first in seat order. StepWithout: anybody but one.
  bool Step();
  bool StepWithout(Seat but);
  // Until nobody is asked for anything.
  void PlayOn();
  // Whoever is asked about the stakes answers.
  void Agree();
  // Whoever sat there has left; the same player takes the seat again, and all agree on the stakes.
  void Rejoin(Seat seat);
  // Ready, and a whole round to its payment.
  void PlayRound();

  TestPlayer& player(Seat seat) { return players_[static_cast<std::size_t>(seat)]; }
  std::array<TestPlayer, 4>& players() { return players_; }
  // Whoever is asked now.
  TestPlayer* asked();
  // A seat that is not asked now.
  TestPlayer* idle();
  [[nodiscard]] const TableId& table() const { return table_; }

 private:
  bool Do(TestPlayer* player);

  World& world_;
  TableId table_;
  std::array<TestPlayer, 4> players_;
  std::array<std::shared_ptr<Subscription>, 4> streams_;
};

}  // namespace mj::table
