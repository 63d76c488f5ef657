// Several replicas and impatient players at one database: what must come out exactly once does.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/entropy.h"
#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"
#include "libs/base/uuid.h"
#include "services/matchmaking/app/fake_peers_testing.h"
#include "services/matchmaking/app/match_round.h"
#include "services/matchmaking/app/saga_sim_testing.h"
#include "services/matchmaking/app/seating.h"
#include "services/matchmaking/store/pg_harness_testing.h"
#include "tests/support/counts.h"

namespace mj::matchmaking::store {
namespace {

using base::HasReason;
using base::IsOk;
using base::Reason;

// Runs all at the same moment and waits for all.
void AtOnce(const std::vector<std::function<void()>>& actions) {
  std::atomic<std::size_t> ready = 0;
  std::vector<std::thread> threads;
  for (const auto& action : actions) {
    threads.emplace_back([&] {
      ++ready;
      while (ready < actions.size()) std::this_thread::yield();
      action();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

class RacesTest : public ::testing::Test {
 protected:
  static constexpr Millis kLifetime{600'000};

  static Wish WishOf(const std::string& player, const std::string& request,
                     std::int64_t base = 100) {
    Wish wish;
    wish.request = RequestId(request);
    wish.player = PlayerId(player);
    wish.pool = {
        .variant = "some-game", .options = {{"cap", "10"}}, .base = base, .currency = "COIN"};
    return wish;
  }
  TicketId Queue(const std::string& player, std::int64_t base = 100) {
    const TicketId id(ids_.Next());
    EXPECT_THAT(store().TakeTickets({id}, {WishOf(player, id.value(), base)}, kLifetime).status(),
                IsOk());
    return id;
  }
  Ticket Find(const TicketId& id) {
    const auto found = store().FindTickets(std::span(&id, 1));
    return found.ok() && found->size() == 1 ? found->front() : Ticket();
  }
  Store& store() { return harness_.store(); }
  // The cluster's own vacuum is off: without any, each round of a long loop costs more than the one before.
  void Tidy(std::int64_t round) {
    if (round % 1'000 == 999) harness_.database().Execute("VACUUM ANALYZE");
  }
  // A replica has its own connections to the same database.
  class Replica {
   public:
    explicit Replica(const PgHarness& harness)
        : pool_({.url = harness.database().url(),
                 .connections_max = 2,
                 .connect_timeout = std::chrono::seconds(60)},
                clock_),
          store_(pool_, clock_, PgHarness::kPatience) {}
    Store& store() { return store_; }

   private:
    base::SystemClock clock_;
    pg::Pool pool_;
    PgStore store_;
  };

  PgHarness harness_{8};
  base::SystemClock clock_;
  base::SystemEntropy entropy_;
  base::UuidGenerator ids_{clock_, entropy_};
};

TEST_F(RacesTest, CancelAndMatchHaveOneOutcome) {
  std::array<TicketId, 3> partners;
  const auto fill = [&] {
    for (std::size_t i = 0; i < partners.size(); ++i) {
      if (partners[i].empty()) partners[i] = Queue(ids_.Next());
    }
  };
  std::int64_t cancelled = 0;
  const std::int64_t rounds = mj::testing::Count(100'000);
  for (std::int64_t round = 0; round < rounds; ++round) {
    Tidy(round);
    fill();
    const TicketId id = Queue(ids_.Next());
    absl::StatusOr<Ticket> cancel;
    absl::StatusOr<std::vector<Match>> matches;
    AtOnce({[&] { cancel = store().CancelTicket(id); },
            [&] { matches = MatchPools(store(), ids_, {}); }});
    ASSERT_THAT(matches, IsOk());
    const TicketState state = Find(id).state;
    if (cancel.ok()) {
      ++cancelled;
      ASSERT_EQ(state, TicketState::kCancelled);
      ASSERT_TRUE(matches->empty());
    } else {
      ASSERT_TRUE(HasReason(cancel.status(), Reason::kTicketClosed)) << cancel.status();
      ASSERT_EQ(state, TicketState::kMatched);
      ASSERT_EQ(matches->size(), 1u);
      partners = {};
    }
  }
  // Both come about, else it was no race.
  EXPECT_GT(cancelled, 0);
  EXPECT_LT(cancelled, rounds);
}

TEST_F(RacesTest, TwoDevicesOfOnePlayerGetOneTicket) {
  for (std::int64_t round = 0; round < mj::testing::Count(20'000); ++round) {
    Tidy(round);
    const std::string player = ids_.Next();
    std::array<absl::StatusOr<Taking>, 3> takings;
    std::vector<std::function<void()>> devices;
    for (auto& taking : takings) {
      devices.push_back([&] {
        const std::string id = ids_.Next();
        taking = store().TakeTickets({TicketId(id)}, {WishOf(player, id)}, kLifetime);
      });
    }
    AtOnce(devices);
    int taken = 0;
    for (const auto& taking : takings) {
      if (taking.ok()) {
        ++taken;
      } else {
        ASSERT_TRUE(HasReason(taking.status(), Reason::kTicketExists)) << taking.status();
      }
    }
    ASSERT_EQ(taken, 1);
  }
}

TEST_F(RacesTest, ARequestSentTwiceAtOnceTakesOneTicket) {
  for (std::int64_t round = 0; round < mj::testing::Count(20'000); ++round) {
    Tidy(round);
    const Wish wish = WishOf(ids_.Next(), ids_.Next());
    std::array<absl::StatusOr<Taking>, 2> takings;
    std::vector<std::function<void()>> sends;
    for (auto& taking : takings) {
      sends.push_back(
          [&] { taking = store().TakeTickets({TicketId(ids_.Next())}, {wish}, kLifetime); });
    }
    AtOnce(sends);
    ASSERT_THAT(takings[0], IsOk());
    ASSERT_THAT(takings[1], IsOk());
    ASSERT_EQ(std::get<Tickets>(*takings[0]).front().id, std::get<Tickets>(*takings[1]).front().id);
  }
}

TEST_F(RacesTest, ReplicasThatMatchAtOnceShareTheTicketsOut) {
  constexpr int kReplicas = 4;
  std::vector<std::unique_ptr<Replica>> replicas;
  for (int i = 0; i < kReplicas; ++i) replicas.push_back(std::make_unique<Replica>(harness_));
  for (std::int64_t round = 0; round < mj::testing::Count(1'000); ++round) {
    Tidy(round);
    constexpr int kPools = 3;
    std::vector<TicketId> tickets;
    for (int i = 0; i < 8 * kPools; ++i) tickets.push_back(Queue(ids_.Next(), 100 + i % kPools));
    std::vector<std::vector<Match>> made(kReplicas);
    std::vector<std::function<void()>> work;
    for (std::size_t i = 0; i < kReplicas; ++i) {
      work.push_back([&, i] {
        for (int pass = 0; pass < 3; ++pass) {
          const auto matches = MatchPools(replicas[i]->store(), ids_, {.queue = {.limit = 4}});
          ASSERT_THAT(matches, IsOk());
          made[i].insert(made[i].end(), matches->begin(), matches->end());
        }
      });
    }
    AtOnce(work);
    // Whoever found a pool taken comes again.
    const auto rest = MatchPools(store(), ids_, {});
    ASSERT_THAT(rest, IsOk());
    made.push_back(*rest);
    std::set<TicketId> matched;
    for (const auto& matches : made) {
      for (const Match& match : matches) {
        for (const Member& member : match.members) {
          ASSERT_TRUE(matched.insert(member.ticket).second) << "in two matches";
          ASSERT_EQ(Find(member.ticket).match, match.id);
        }
      }
    }
    ASSERT_EQ(matched, std::set<TicketId>(tickets.begin(), tickets.end())) << "nobody left over";
  }
}

TEST_F(RacesTest, ADueMatchIsTakenOverByOneReplica) {
  for (std::int64_t round = 0; round < mj::testing::Count(5'000); ++round) {
    Tidy(round);
    for (int i = 0; i < 4; ++i) Queue(ids_.Next());
    const auto made = MatchPools(store(), ids_, {.queue = {.lease = Millis(0)}});
    ASSERT_THAT(made, base::IsOkAndHolds(::testing::SizeIs(1)));
    std::array<absl::StatusOr<std::vector<Match>>, 3> claims;
    std::vector<std::function<void()>> work;
    for (auto& claim : claims) {
      work.push_back([&] { claim = store().ClaimDueMatches(10, Millis(600'000)); });
    }
    AtOnce(work);
    std::size_t claimed = 0;
    for (const auto& claim : claims) {
      ASSERT_THAT(claim, IsOk());
      claimed += claim->size();
    }
    ASSERT_EQ(claimed, 1u);
  }
}

TEST_F(RacesTest, AssignAndCancelOfAnAbandonedMatchHaveOneOutcome) {
  const TablePlace place{TableId("table"), "127.0.0.1:1"};
  for (std::int64_t round = 0; round < mj::testing::Count(10'000); ++round) {
    Tidy(round);
    std::vector<TicketId> tickets;
    for (int i = 0; i < 4; ++i) tickets.push_back(Queue(ids_.Next()));
    const auto made = MatchPools(store(), ids_, {});
    ASSERT_THAT(made, base::IsOkAndHolds(::testing::SizeIs(1)));
    ASSERT_THAT(store().AbandonMatch(made->front(), "UNAVAILABLE", Millis(600'000)), IsOk());
    absl::StatusOr<Ticket> cancel;
    absl::StatusOr<std::vector<Assigned>> assign;
    const Standing standing{made->front().id, place};
    AtOnce({[&] { cancel = store().CancelTicket(tickets[1]); },
            [&] { assign = store().AssignMatches(std::span(&standing, 1), Millis(1'000)); }});
    ASSERT_THAT(assign, IsOk());
    ASSERT_NE(cancel.ok(), assign->front() == Assigned::kDone) << "both or neither";
    ASSERT_EQ(Find(tickets[0]).state, cancel.ok() ? TicketState::kQueued : TicketState::kAssigned);
    // Out of the way of the next round.
    if (cancel.ok()) {
      ASSERT_THAT(store().ReleaseMatch(made->front(), "TICKET_CLOSED", {}), IsOk());
      for (const TicketId& id : tickets) (void)store().CancelTicket(id);
    }
  }
}

TEST_F(RacesTest, ManyPlayersComeAndGoAndNobodyIsSeatedTwice) {
  // Players on three replicas queue, are seated, leave and queue again, as fast as they can.
  constexpr std::size_t kReplicas = 3;
  constexpr int kPlayers = 24;
  const std::int64_t cycles = mj::testing::Count(10'000);
  FakeTables tables;
  std::atomic<std::int64_t> seatings = 0;
  std::atomic<bool> done = false;
  std::vector<std::function<void()>> work;
  std::vector<std::unique_ptr<Replica>> replicas;
  for (std::size_t i = 0; i < kReplicas; ++i) {
    replicas.push_back(std::make_unique<Replica>(harness_));
    work.push_back([&, i] {
      Store& here = replicas[i]->store();
      Seating seating(here, tables, {});
      while (!done) {
        // The clock stands still: who had met once would never meet again.
        const auto matches = MatchPools(here, ids_, {.queue = {.met_for = Millis(0)}});
        for (const Match& match : matches.value_or(std::vector<Match>())) {
          ASSERT_THAT(seating.Drive(match, clock_.Monotonic() + PgHarness::kPatience.timeout),
                      base::IsOkAndHolds(Seated::kAssigned));
        }
      }
    });
  }
  work.push_back([&] {
    std::vector<TicketId> waiting;
    for (int i = 0; i < kPlayers; ++i) waiting.push_back(Queue("player-" + std::to_string(i)));
    while (seatings < cycles && !HasFailure()) {
      const auto found = store().FindTickets(waiting);
      ASSERT_THAT(found, IsOk());
      for (const Ticket& ticket : *found) {
        if (!ticket.assignment) continue;
        const PlayerId player = ticket.wish.player;
        EXPECT_EQ(tables.Seated().at(player), ticket.assignment->place.table);
        Tidy(seatings++);
        tables.Leave(ticket.assignment->place.table, player);
        EXPECT_THAT(store().FreeSeats(ticket.assignment->match, std::span(&player, 1)), IsOk());
        std::replace(waiting.begin(), waiting.end(), ticket.id, Queue(player.value()));
      }
    }
    done = true;
  });
  AtOnce(work);
  EXPECT_GE(seatings, cycles);
}

TEST_F(RacesTest, TheSimulatedSagaEndsTheSameOnPostgreSql) {
  for (std::int64_t seed = 0; seed < mj::testing::Count(300); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    PgHarness harness(2);
    RunSagaSim(static_cast<std::uint64_t>(seed), harness.store(), harness.feeds(),
               [&harness](Millis by) { harness.Advance(by); });
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace mj::matchmaking::store
