// What must be refused when the services stand together, with reasons, and change nothing.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "libs/base/status_testing.h"
#include "libs/base/strings.h"
#include "libs/player/lobby.h"
#include "libs/rpc/client.h"
#include "tests/e2e/suite_testing.h"

namespace mj::e2e {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using demo::table::TableService;

constexpr std::chrono::seconds kSeating{30};
const rpc::CallOptions kOptions{.timeout = std::chrono::seconds(10)};

class RefusalsTest : public ::testing::Test {
 protected:
  absl::Status Open(const std::string& player, std::int64_t coins) {
    return player::OpenFunded(*suite_.stubs().wallet, player, coins);
  }
  auto Queue(const std::string& request, const std::string& player, std::int64_t base = 0,
             const std::string& variant = "chaozhou") {
    return player::Queue(*suite_.stubs().matchmaking, request, player, variant, base);
  }
  absl::Status Act(const std::string& table, const std::string& player, std::uint64_t decision) {
    demo::table::ActRequest request;
    request.set_table_id(table);
    request.set_player_id(player);
    request.set_decision_id(decision);
    request.mutable_choice()->mutable_pass();
    return rpc::Invoke(*suite_.stubs().table, &TableService::StubInterface::Act, request, kOptions)
        .status();
  }
  absl::Status Ready(const std::string& table, const std::string& player) {
    demo::table::ReadyRequest request;
    request.set_table_id(table);
    request.set_player_id(player);
    return rpc::Invoke(*suite_.stubs().table, &TableService::StubInterface::Ready, request,
                       kOptions)
        .status();
  }

  Suite suite_;
};

TEST_F(RefusalsTest, OnePlayerIsNotQueuedTwice) {
  ASSERT_THAT(Open("twice", 5'000), IsOk());
  const auto first = Queue("request-1", "twice");
  ASSERT_THAT(first, IsOk());
  EXPECT_THAT(Queue("request-2", "twice"), FailsWith(Reason::kTicketExists));
  EXPECT_THAT(Queue("request-3", "twice", 10), FailsWith(Reason::kTicketExists));
  const auto again = Queue("request-1", "twice");  // the same wish, sent twice
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(again->ticket_id(), first->ticket_id());
  EXPECT_EQ(suite_.database().Execute("SELECT count(*) FROM matchmaking.tickets"), "1");
}

TEST_F(RefusalsTest, WhoSitsAtATableIsNotQueued) {
  const auto sitting = demo::SeatFour(suite_.stubs(), "busy", "chaozhou", kSeating);
  ASSERT_THAT(sitting, IsOk());
  for (const demo::Guest& guest : sitting->guests) {
    EXPECT_THAT(Queue("more-" + guest.player_id, guest.player_id), FailsWith(Reason::kPlayerBusy));
  }
}

TEST_F(RefusalsTest, OnlyWhoCanPayIsQueued) {
  EXPECT_THAT(Queue("nobody", "nobody"), FailsWith(Reason::kAccountNotFound));
  ASSERT_THAT(Open("poor", 159), IsOk());
  EXPECT_THAT(Queue("poor-1", "poor"), FailsWith(Reason::kBelowMinimum));
  ASSERT_THAT(Open("modest", 1'599), IsOk());
  EXPECT_THAT(Queue("modest-1", "modest", 100), FailsWith(Reason::kBelowMinimum));
  EXPECT_THAT(Queue("modest-2", "modest", 77), FailsWith(Reason::kTierNotFound));
  EXPECT_THAT(Queue("modest-3", "modest", -10), FailsWith(Reason::kBadBase));
  EXPECT_THAT(Queue("modest-4", "modest", 0, "bridge"), FailsWith(Reason::kUnknownVariant));
  EXPECT_THAT(Queue("modest-5", "modest"), IsOk());
}

TEST_F(RefusalsTest, ActsThatAreNone) {
  EXPECT_THAT(Act("no-such-table", "anybody", 1), FailsWith(Reason::kTableNotFound));
  const auto sitting = demo::SeatFour(suite_.stubs(), "acts", "chaozhou", kSeating);
  ASSERT_THAT(sitting, IsOk());
  const std::string& table = sitting->table_id;
  const std::string& player = sitting->guests[rules::Seat::k0].player_id;
  EXPECT_THAT(Act(table, "a-stranger", 1), FailsWith(Reason::kNotSeated));
  EXPECT_THAT(Act(table, player, 1), FailsWith(Reason::kRoundNotInProgress));
  EXPECT_THAT(Ready(table, "a-stranger"), FailsWith(Reason::kNotSeated));
  const std::string before = suite_.database().Execute("SELECT count(*) FROM tables.events");

  for (const demo::Guest& guest : sitting->guests) {
    ASSERT_THAT(Ready(table, guest.player_id), IsOk());
  }
  // The round begins once the wallet has been asked.
  const std::string begun =
      base::Cat("SELECT count(*) FROM tables.rounds WHERE table_id = '", table, "'");
  while (suite_.database().Execute(begun) == "0") std::this_thread::yield();
  // A decision that nobody was offered, and one of no sort.
  EXPECT_THAT(Act(table, player, 999'999), FailsWith(Reason::kDecisionNotOffered));
  demo::table::ActRequest empty;
  empty.set_table_id(table);
  empty.set_player_id(player);
  empty.set_decision_id(1);
  EXPECT_THAT(
      rpc::Invoke(*suite_.stubs().table, &TableService::StubInterface::Act, empty, kOptions),
      FailsWith(Reason::kFieldRequired));
  EXPECT_LT(std::stoll(before),
            std::stoll(suite_.database().Execute("SELECT count(*) FROM tables.events")));
}

TEST_F(RefusalsTest, AStreamOfAnothersSeat) {
  const auto sitting = demo::SeatFour(suite_.stubs(), "streams", "chaozhou", kSeating);
  ASSERT_THAT(sitting, IsOk());
  const auto open = [&](const std::string& table, const std::string& player, std::uint64_t after,
                        const std::string& token = "") {
    demo::table::SubscribeRequest request;
    request.set_join_token(token);
    request.set_table_id(table);
    request.set_player_id(player);
    request.set_after_sequence(after);
    grpc::ClientContext context;
    rpc::Prepare(context, kOptions);
    const auto reader = suite_.stubs().table->Subscribe(&context, request);
    demo::table::SubscribeResponse response;
    EXPECT_FALSE(reader->Read(&response)) << response.ShortDebugString();
    return rpc::FromGrpc(reader->Finish());
  };
  EXPECT_THAT(open("no-such-table", "anybody", 0), FailsWith(Reason::kTableNotFound));
  EXPECT_THAT(open(sitting->table_id, "a-stranger", 0), FailsWith(Reason::kNotSeated));
  const demo::Guest& guest = sitting->guests[rules::Seat::k0];
  const std::string& other = sitting->guests[rules::Seat::k1].join_token;
  for (const std::string& token : {std::string(), other, std::string("0", 32)}) {
    EXPECT_THAT(open(sitting->table_id, guest.player_id, 0, token),
                FailsWith(Reason::kBadJoinToken, "join_token"));
  }
  EXPECT_THAT(open(sitting->table_id, guest.player_id, 1'000'000, guest.join_token),
              FailsWith(Reason::kSequenceAhead));
}

}  // namespace
}  // namespace mj::e2e
