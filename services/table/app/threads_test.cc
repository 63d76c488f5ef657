// Many tables on real threads: for ThreadSanitizer, and for what only a race can show.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/entropy.h"
#include "libs/base/executor.h"
#include "libs/base/status_testing.h"
#include "services/table/app/world_testing.h"
#include "tests/support/counts.h"

namespace mj::table {
namespace {

using base::Executor;
using base::FailsWith;
using base::Reason;

class ThreadsTest : public ::testing::Test {
 protected:
  ~ThreadsTest() override { End(); }

  void End() {
    tables_.Stop();
    journal_.Stop();
    writer_.Stop();
    queues_.Stop();
    readers_.Stop();
  }

  template <typename T>
  absl::StatusOr<T> Call(const std::function<void(Done<T>)>& call) {
    auto answer = std::make_shared<std::promise<absl::StatusOr<T>>>();
    call([answer](absl::StatusOr<T> value) { answer->set_value(std::move(value)); });
    return answer->get_future().get();
  }

  // Four players of one table, on the caller's thread, until `rounds` rounds are paid or the
  // streams end.
  void Play(int number, int rounds) {
    const std::string name = "t" + std::to_string(number);
    TableSpec spec = World::Spec();
    for (Seat seat : rules::kSeats) {
      spec.players[seat] = PlayerId(name + "-" + std::to_string(rules::IndexOf(seat)));
    }
    const auto made = Call<TableInfo>(
        [&](Done<TableInfo> done) { tables_.Create(RequestId(name), spec, {}, std::move(done)); });
    if (!made.ok()) return;
    std::vector<TestPlayer> players;
    std::vector<std::shared_ptr<Subscription>> streams;
    for (Seat seat : rules::kSeats) {
      players.emplace_back(spec.players[seat], seat);
      const auto stream = Subscribe(made->id, spec.players[seat], 0);
      if (!stream.ok()) return;
      streams.push_back(*stream);
    }
    int paid = -1;  // before the first ready
    while (paid < rounds) {
      if (paid < 0 || AllPaid(players, paid + 1)) {
        ++paid;
        if (paid == rounds) break;
        for (TestPlayer& player : players) {
          const auto ready = Call<StreamSeq>([&](Done<StreamSeq> done) {
            tables_.Ready(made->id, player.id(), paid + 1, std::nullopt, std::move(done));
          });
          if (!ready.ok()) return Close(streams);
        }
      }
      for (std::size_t i = 0; i < players.size(); ++i) {
        const Subscription::Taken taken = streams[i]->Take(20);
        for (const Shown& shown : taken.events) players[i].See(shown);
        if (taken.end) return Close(streams);
        const auto wish = players[i].wish();
        if (!taken.events.empty() || !wish) continue;
        // Too late, when another's claim was first: the stream will say so.
        (void)Call<StreamSeq>([&](Done<StreamSeq> done) {
          tables_.Act(made->id, players[i].id(), wish->decision, wish->choice, std::move(done));
        });
      }
    }
    paid_ += rounds;
    Close(streams);
  }

  static bool AllPaid(const std::vector<TestPlayer>& players, int rounds) {
    for (const TestPlayer& player : players) {
      int paid = 0;
      for (const Shown& shown : player.seen()) {
        paid += std::holds_alternative<RoundPaid>(*shown.event) ? 1 : 0;
      }
      if (paid < rounds) return false;
    }
    return true;
  }

  absl::StatusOr<std::shared_ptr<Subscription>> Subscribe(const TableId& table,
                                                          const PlayerId& player, StreamSeq after) {
    return Call<std::shared_ptr<Subscription>>([&](Done<std::shared_ptr<Subscription>> done) {
      tables_.Subscribe(table, {player, {}}, after, std::move(done));
    });
  }

  // Somebody who watches for a moment, while `player` lends its hand and takes it back.
  void LookOn(const TableId& table, const PlayerId& player, int i) {
    const auto show = [&](bool on) {
      (void)Call<StreamSeq>(
          [&](Done<StreamSeq> done) { tables_.ShowHand(table, player, on, done); });
    };
    show(true);
    const auto stream = Call<std::shared_ptr<WatchSubscription>>(
        [&](Done<std::shared_ptr<WatchSubscription>> done) {
          tables_.Watch(table, PlayerId("visitor"), Seat::k1, 0, done);
        });
    if (stream.ok()) {
      (*stream)->OnReady([] {});
      for (const Watched& watched : (*stream)->Take(static_cast<std::size_t>(1 + i % 7)).events) {
        (void)watched.hand.Look();
      }
    }
    show(false);
    if (stream.ok()) (*stream)->Cancel();
  }

  static TablesOptions NoDelay() {
    TablesOptions options = World::NoPauses();
    options.settings.watch_delay_ms = 0;
    return options;
  }

  static void Close(const std::vector<std::shared_ptr<Subscription>>& streams) {
    for (const auto& stream : streams) stream->Cancel();
  }

  base::SystemClock clock_;
  base::SystemEntropy entropy_;
  base::UuidGenerator ids_{clock_, entropy_};
  MemoryEventLog memory_;
  FaultyEventLog log_{memory_};
  FakeScorer scorer_;
  FakeWallet wallet_;
  CountingMonitor monitor_;
  Executor writer_{{.name = "journal", .threads = 1}};
  Executor readers_{{.name = "readers", .threads = 2}};
  Executor queues_{{.name = "tables", .threads = 4, .queue_max = 10'000}};
  Journal journal_{log_, writer_, clock_, monitor_};
  Tables tables_{Surroundings{log_,
                              journal_,
                              scorer_,
                              wallet_,
                              queues_,
                              readers_,
                              clock_,
                              entropy_,
                              ids_,
                              monitor_,
                              memory_,
                              OwnerId("here"),
                              {.kept_max = 8}},
                 NoDelay()};
  std::atomic<int> paid_ = 0;
};

TEST_F(ThreadsTest, TablesPlaySideBySide) {
  constexpr int kTables = 4;
  const int rounds = static_cast<int>(testing::Count(200));
  std::vector<std::future<void>> plays;
  for (int i = 0; i < kTables; ++i) {
    plays.push_back(std::async(std::launch::async, [this, i, rounds] { Play(i, rounds); }));
  }
  // Somebody who comes and goes, reads the past from the journal, and asks about tables.
  std::atomic<bool> over = false;
  std::future<void> visitor = std::async(std::launch::async, [&] {
    for (int i = 0; !over; ++i) {
      for (const TableId& table : memory_.Open()) {
        const auto info = Call<TableInfo>([&](Done<TableInfo> d) { tables_.Get(table, d); });
        if (!info.ok()) continue;
        const auto stream = Subscribe(table, info->seats[Seat::k1].player, 0);
        if (!stream.ok()) continue;
        (*stream)->OnReady([] {});
        (void)(*stream)->Take(static_cast<std::size_t>(1 + i % 7));
        (*stream)->Cancel();
        LookOn(table, info->seats[Seat::k1].player, i);
      }
      std::this_thread::yield();
    }
  });
  for (auto& play : plays) play.get();
  over = true;
  visitor.get();
  EXPECT_EQ(paid_, kTables * rounds);
  EXPECT_EQ(wallet_.rounds(), static_cast<std::size_t>(kTables * rounds));
}

TEST_F(ThreadsTest, AStopInTheMiddleAnswersEverybody) {
  std::vector<std::future<void>> plays;
  for (int i = 0; i < 4; ++i) {
    plays.push_back(std::async(std::launch::async, [this, i] { Play(i, 1'000'000); }));
  }
  while (wallet_.rounds() < 2) std::this_thread::yield();
  log_.FailWrites(1'000'000, FaultyEventLog::When::kBeforeWriting);  // and the log goes away
  // As the service does: first let go of everybody, then end the threads.
  tables_.Stop();
  journal_.Stop();
  for (auto& play : plays) play.get();
  EXPECT_THAT(Call<TableInfo>([&](Done<TableInfo> done) { tables_.Get(TableId("x"), done); }),
              FailsWith(Reason::kShuttingDown));
}

}  // namespace
}  // namespace mj::table
