// The players' part in a deal, over gRPC.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/fairness/commitment.h"
#include "services/table/rpc/client_testing.h"
#include "services/table/rpc/table_server_testing.h"

namespace mj::table::rpc {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using ::testing::ElementsAre;
using Stub = proto::TableService::StubInterface;

const std::vector<std::string> kFour = {"p0", "p1", "p2", "p3"};
constexpr std::uint32_t kHashBytes = 32;

std::string HashOf(const std::string& nonce) {
  const fairness::Digest hash = fairness::CommitNonce(fairness::Bytes(nonce.begin(), nonce.end()));
  return {hash.begin(), hash.end()};
}

std::string Nonce(std::size_t seat) {
  return std::string(kHashBytes, static_cast<char>('a' + static_cast<int>(seat)));
}

bool Begins(const proto::TableEvent& event) { return event.has_round_began(); }
bool Drawn(const proto::TableEvent& event) { return event.has_deal_drawn(); }

template <typename Nonces>
std::vector<proto::NonceOutcome> OutcomesOf(const Nonces& nonces) {
  std::vector<proto::NonceOutcome> outcomes;
  for (const proto::SeatNonce& nonce : nonces) outcomes.push_back(nonce.outcome());
  return outcomes;
}

class NonceServiceTest : public ::testing::Test {
 protected:
  // A slow machine is nobody's lateness.
  explicit NonceServiceTest(std::int64_t reveal_ms = 10'000)
      : server_({.settings = {.claim_pause_ms = 0, .reveal_ms = reveal_ms, .watch_delay_ms = 0}}) {}
  ~NonceServiceTest() override {
    for (Client& client : clients_) {
      if (client.last() > 0 && client.end.ok()) client.Hang();
    }
  }

  void Subscribe() {
    for (Client& client : clients_) client.Subscribe();
  }
  // All are ready, with the hashes of nonces where `has` says so, and all see the round begin.
  void Begin(const std::array<bool, 4>& has) {
    for (std::size_t seat = 0; seat < 4; ++seat) {
      ASSERT_THAT(clients_[seat].Ready(1, has[seat] ? HashOf(Nonce(seat)) : ""), IsOk());
    }
    for (Client& client : clients_) ASSERT_TRUE(client.ReadUntil(Begins)) << client.end;
  }
  const proto::DealDrawn& DrawnTo(Client& client) {
    const bool drawn = client.ReadUntil(Drawn);
    EXPECT_TRUE(drawn) << client.end;
    return client.events().back().deal_drawn();
  }

  TableServer server_;
  const std::string table_ = server_.MakeTable("match", kFour);
  std::array<Client, 4> clients_ = {
      Client(server_, table_, "p0", Seat::k0), Client(server_, table_, "p1", Seat::k1),
      Client(server_, table_, "p2", Seat::k2), Client(server_, table_, "p3", Seat::k3)};
};

TEST_F(NonceServiceTest, AreShownWithTheDealAndNotBefore) {
  Watcher watcher(server_, table_, "x", 2);
  watcher.Watch();
  Subscribe();
  Begin({true, false, true, true});
  const proto::RoundBegan& began = clients_[1].events().back().round_began();
  EXPECT_THAT(began.nonce_hashes(),
              ElementsAre(HashOf(Nonce(0)), "", HashOf(Nonce(2)), HashOf(Nonce(3))));
  EXPECT_TRUE(began.has_reveal_deadline());
  EXPECT_EQ(began.seed_hash().size(), kHashBytes);

  EXPECT_THAT(clients_[1].Reveal(1, Nonce(1)), FailsWith(Reason::kNonceNotCommitted));
  EXPECT_THAT(clients_[0].Reveal(2, Nonce(0)),
              FailsWith(Reason::kRoundNotInProgress, "round_number"));
  EXPECT_THAT(clients_[0].Reveal(1, "short"), FailsWith(Reason::kBadNonce, "nonce"));
  EXPECT_THAT(clients_[0].Reveal(1, Nonce(2)), FailsWith(Reason::kBadNonce, "nonce"));
  for (const std::size_t seat : {0U, 2U, 3U}) {
    EXPECT_THAT(clients_[seat].Reveal(1, Nonce(seat)), IsOk());
    EXPECT_THAT(clients_[seat].Reveal(1, Nonce(seat)), IsOk()) << "a double tap";
  }
  std::string told;
  for (Client& client : clients_) {
    const proto::DealDrawn& drawn = DrawnTo(client);
    EXPECT_THAT(OutcomesOf(drawn.nonces()),
                ElementsAre(proto::NONCE_OUTCOME_REVEALED, proto::NONCE_OUTCOME_NOT_COMMITTED,
                            proto::NONCE_OUTCOME_REVEALED, proto::NONCE_OUTCOME_REVEALED));
    EXPECT_TRUE(drawn.anew());
    told = drawn.SerializeAsString();
    for (std::size_t i = 0; i + 1 < client.events().size(); ++i) {
      for (std::size_t seat = 0; seat < 4; ++seat) {
        EXPECT_EQ(client.events()[i].SerializeAsString().find(Nonce(seat)), std::string::npos);
      }
    }
  }
  ASSERT_TRUE(watcher.ReadUntil([](const auto& event) { return event.has_deal_drawn(); }));
  EXPECT_EQ(watcher.events().back().deal_drawn().SerializeAsString(), told);
  for (std::size_t i = 0; i + 1 < watcher.events().size(); ++i) {
    for (std::size_t seat = 0; seat < 4; ++seat) {
      EXPECT_EQ(watcher.events()[i].SerializeAsString().find(Nonce(seat)), std::string::npos);
    }
  }
}

TEST_F(NonceServiceTest, AreSaidOnceMoreWithTheEndOfAVoidRound) {
  Subscribe();
  Begin({true, false, false, false});
  ASSERT_THAT(clients_[0].Reveal(1, Nonce(0)), IsOk());
  const proto::DealDrawn drawn = DrawnTo(clients_[1]);
  proto::LeaveTableRequest leave;
  leave.set_table_id(table_);
  leave.set_player_id("p0");
  ASSERT_THAT(server_.Call(&Stub::LeaveTable, leave), IsOk());
  ASSERT_TRUE(clients_[1].ReadUntil([](const auto& event) { return event.has_round_void(); }));
  const proto::RoundVoid& voided = clients_[1].events().back().round_void();
  EXPECT_EQ(voided.seed().size(), fairness::kSeedBytes);
  ASSERT_EQ(voided.nonces_size(), 4);
  for (int seat = 0; seat < 4; ++seat) {
    EXPECT_EQ(voided.nonces(seat).SerializeAsString(), drawn.nonces(seat).SerializeAsString());
  }
}

TEST_F(NonceServiceTest, AProcessThatEndsWhileTheyAreWaitedForLosesNone) {
  Subscribe();
  Begin({true, true, true, true});
  ASSERT_THAT(clients_[3].Reveal(1, Nonce(3)), IsOk());
  ASSERT_THAT(clients_[1].Reveal(1, Nonce(1)), IsOk());
  for (Client& client : clients_) client.Hang();
  server_.Restart();
  Subscribe();
  for (const std::size_t seat : {0U, 2U}) {
    ASSERT_THAT(clients_[seat].Reveal(1, Nonce(seat)), IsOk());
  }
  for (Client& client : clients_) {
    EXPECT_THAT(OutcomesOf(DrawnTo(client).nonces()),
                ElementsAre(proto::NONCE_OUTCOME_REVEALED, proto::NONCE_OUTCOME_REVEALED,
                            proto::NONCE_OUTCOME_REVEALED, proto::NONCE_OUTCOME_REVEALED));
    client.end = absl::OkStatus();  // of the stream before
  }
}

TEST_F(NonceServiceTest, WithoutAnyTheDealFollowsAtOnce) {
  Subscribe();
  Begin({false, false, false, false});
  EXPECT_FALSE(clients_[0].events().back().round_began().has_reveal_deadline());
  EXPECT_THAT(OutcomesOf(DrawnTo(clients_[0]).nonces()),
              ::testing::Each(proto::NONCE_OUTCOME_NOT_COMMITTED));
  for (std::size_t i = 1; i < 4; ++i) (void)DrawnTo(clients_[i]);
}

class LateNonceTest : public NonceServiceTest {
 protected:
  LateNonceTest() : NonceServiceTest(50) {}
};

TEST_F(LateNonceTest, IsRefusedAndCountsAsEmpty) {
  Subscribe();
  Begin({true, true, false, true});
  for (Client& client : clients_) {
    EXPECT_THAT(OutcomesOf(DrawnTo(client).nonces()),
                ElementsAre(proto::NONCE_OUTCOME_NOT_REVEALED, proto::NONCE_OUTCOME_NOT_REVEALED,
                            proto::NONCE_OUTCOME_NOT_COMMITTED, proto::NONCE_OUTCOME_NOT_REVEALED));
  }
  EXPECT_THAT(clients_[0].Reveal(1, Nonce(0)), FailsWith(Reason::kNonceTooLate));
}

TEST_F(NonceServiceTest, MalformedOnesAreRefusedAtTheDoor) {
  for (const std::size_t length : {std::size_t{1}, std::size_t{31}, std::size_t{33}}) {
    EXPECT_THAT(clients_[0].Ready(1, std::string(length, 'x')),
                FailsWith(Reason::kBadNonceHash, "nonce_hash"));
  }
  proto::GetTableRequest get;
  get.set_table_id(table_);
  const auto table = server_.Call(&Stub::GetTable, get);
  ASSERT_THAT(table, IsOk());
  EXPECT_FALSE(table->table().seats(0).ready()) << "nothing was changed";

  EXPECT_THAT(clients_[0].Reveal(0, Nonce(0)), FailsWith(Reason::kFieldRequired, "round_number"));
  EXPECT_THAT(clients_[0].Reveal(1, ""), FailsWith(Reason::kFieldRequired, "nonce"));
  EXPECT_THAT(clients_[0].Reveal(1, Nonce(0)), FailsWith(Reason::kRoundNotInProgress));
  EXPECT_THAT(clients_[0].Reveal(0xffff'ffff, Nonce(0)), FailsWith(Reason::kRoundNotInProgress));
  EXPECT_THAT(Client(server_, table_, "stranger", Seat::k0).Reveal(1, Nonce(0)),
              FailsWith(Reason::kNotSeated));
  EXPECT_THAT(Client(server_, "nowhere", "p0", Seat::k0).Reveal(1, Nonce(0)),
              FailsWith(Reason::kTableNotFound));
  EXPECT_THAT(Client(server_, "", "p0", Seat::k0).Reveal(1, Nonce(0)),
              FailsWith(Reason::kFieldRequired, "table_id"));
  EXPECT_THAT(Client(server_, table_, "a b", Seat::k0).Reveal(1, Nonce(0)),
              FailsWith(Reason::kBadId, "player_id"));
}

}  // namespace
}  // namespace mj::table::rpc
