// What the tests of this room start from: a store, peers and ids that stand still until a test
// moves them.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "libs/base/entropy.h"
#include "libs/base/simulated_clock_testing.h"
#include "libs/base/status_testing.h"
#include "libs/base/uuid.h"
#include "services/matchmaking/app/fake_peers_testing.h"
#include "services/matchmaking/app/match_round.h"
#include "services/matchmaking/app/memory_store_testing.h"
#include "services/matchmaking/app/wish.h"

namespace mj::matchmaking {

// Ids are then told apart by time and counting alone; secrets count.
class ZeroEntropy final : public base::Entropy {
 public:
  void Fill(std::span<std::byte> out) override {
    std::memset(out.data(), 0, out.size());
    const std::uint32_t secret = ++fills_;
    if (out.size() == 16) std::memcpy(out.data(), &secret, sizeof secret);
  }

 private:
  std::atomic<std::uint32_t> fills_ = 0;
};

class AppTest : public ::testing::Test {
 protected:
  static TicketRequest Asked(const std::string& player, const std::string& request = "") {
    return {RequestId(request.empty() ? "request-" + player : request),
            PlayerId(player),
            "chaozhou",
            {},
            0,
            "COIN"};
  }

  // Queues p0…p3 in the store.
  std::vector<TicketId> QueueFour(const std::string& prefix = "p") {
    std::vector<TicketId> ids;
    for (int i = 0; i < 4; ++i) {
      Wish wish = ReadWishes(Asked(prefix + std::to_string(i))).value().front();
      wish.pool.base = 100;
      ids.push_back(TicketId(ids_.Next()));
      EXPECT_THAT(store_.TakeTickets({ids.back()}, {wish}, Millis(60'000)), base::IsOk());
      clock_.Advance(Millis(1));
    }
    return ids;
  }
  // Matches what is queued; REQUIRES that it is one match.
  Match MatchFour() {
    const auto matches = MatchPools(store_, ids_, {});
    EXPECT_THAT(matches, base::IsOkAndHolds(::testing::SizeIs(1)));
    return matches.ok() && matches->size() == 1 ? matches->front() : Match();
  }
  Ticket Find(const TicketId& id) {
    const auto found = store_.FindTickets(std::span(&id, 1));
    return found.ok() && found->size() == 1 ? found->front() : Ticket();
  }
  std::vector<TicketState> States(const std::vector<TicketId>& ids) {
    std::vector<TicketState> states;
    for (const TicketId& id : ids) states.push_back(Find(id).state);
    return states;
  }

  base::SimulatedClock clock_;
  ZeroEntropy entropy_;
  base::UuidGenerator ids_{clock_, entropy_};
  MemoryStore store_{clock_};
  FakeTables tables_;
  FakeWallet wallet_;
};

}  // namespace mj::matchmaking
