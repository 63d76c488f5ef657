// Rounds that are over, as clients read and list them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/fairness/verify.h"
#include "libs/variants/registry.h"
#include "libs/wire/kept_round.h"
#include "services/table/rpc/client_testing.h"
#include "services/table/rpc/table_server_testing.h"

namespace mj::table::rpc {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using Stub = proto::TableService::StubInterface;

class RecordsTest : public ::testing::Test {
 protected:
  RecordsTest() {
    table_ = server_.MakeTable("match", {"p0", "p1", "p2", "p3"});
    for (const Seat seat : rules::kSeats) {
      const std::string player = "p" + std::to_string(rules::IndexOf(seat));
      clients_.push_back(std::make_unique<Client>(server_, table_, player, seat));
      clients_.back()->Subscribe();
    }
  }
  ~RecordsTest() override {
    for (const auto& client : clients_) client->Hang();
  }
  void Play(int rounds) {
    std::vector<std::thread> threads;
    for (const auto& client : clients_) {
      threads.emplace_back([&client, rounds] { EXPECT_TRUE(client->Play(rounds)); });
    }
    for (std::thread& thread : threads) thread.join();
  }
  absl::StatusOr<proto::GetRoundRecordResponse> Get(const std::string& round) const {
    proto::GetRoundRecordRequest request;
    request.set_round_id(round);
    return server_.Call(&Stub::GetRoundRecord, request);
  }
  static proto::ListRoundsRequest Listing(const std::string& player, const std::string& table,
                                          int size = 0, const std::string& token = "") {
    proto::ListRoundsRequest request;
    request.set_player_id(player);
    request.set_table_id(table);
    request.set_page_size(size);
    request.set_page_token(token);
    return request;
  }
  absl::StatusOr<proto::ListRoundsResponse> List(const proto::ListRoundsRequest& request) const {
    return server_.Call(&Stub::ListRounds, request);
  }

  TableServer server_;
  std::string table_;
  std::vector<std::unique_ptr<Client>> clients_;
};

TEST_F(RecordsTest, ARoundIsListedReadAndVerified) {
  Play(2);
  for (const auto& request : {Listing("p2", ""), Listing("", table_)}) {
    const auto listed = List(request);
    ASSERT_THAT(listed, IsOk());
    ASSERT_EQ(listed->rounds_size(), 2);
    EXPECT_EQ(listed->next_page_token(), "");
    for (const proto::RoundListing& round : listed->rounds()) {
      EXPECT_EQ(round.table_id(), table_);
      EXPECT_EQ(round.variant(), "chaozhou");
      EXPECT_GT(round.base(), 0);
      EXPECT_EQ(round.currency(), ::mahjong::common::v1::CURRENCY_COIN);
      EXPECT_EQ(round.player_ids_size(), 4);
      EXPECT_EQ(round.end(), proto::ROUND_END_SETTLED);
      EXPECT_LE(round.begin_time().seconds(), round.end_time().seconds());

      const auto read = Get(round.round_id());
      ASSERT_THAT(read, IsOk());
      const auto record = wire::ParseRoundRecord(read->record());
      ASSERT_THAT(record, IsOk());
      EXPECT_EQ(record->round_id, round.round_id());
      EXPECT_EQ(record->number, static_cast<int>(round.round_number()));
      const auto* game = variants::Find(record->variant);
      ASSERT_NE(game, nullptr);
      const auto options = rules::ParseOptions(game->options(), record->options);
      EXPECT_TRUE(fairness::VerifyDeal(record::PublishedDealOf(*record),
                                       game->play(std::get<rules::Options>(options)).wall)
                      .fits());
      // Again, the same bytes.
      EXPECT_EQ(Get(round.round_id())->record(), read->record());
    }
  }
}

TEST_F(RecordsTest, NobodyReadsALiveRound) {
  for (const auto& client : clients_) ASSERT_THAT(client->Ready(), IsOk());
  std::string round;
  ASSERT_TRUE(clients_[0]->ReadUntil([&round](const proto::TableEvent& event) {
    if (event.has_round_began()) round = event.round_began().round_id();
    return !round.empty();
  }));
  EXPECT_THAT(Get(round), FailsWith(Reason::kRoundInProgress, "round_id"));
  EXPECT_EQ(List(Listing("p0", ""))->rounds_size(), 0);
  EXPECT_EQ(List(Listing("", table_))->rounds_size(), 0);
}

TEST_F(RecordsTest, BadRequestsAreRefusedByName) {
  EXPECT_THAT(Get(""), FailsWith(Reason::kFieldRequired, "round_id"));
  EXPECT_THAT(Get("no id"), FailsWith(Reason::kBadId, "round_id"));
  EXPECT_THAT(Get("nothing"), FailsWith(Reason::kRoundNotFound, "round_id"));
  EXPECT_THAT(List(Listing("", "")), FailsWith(Reason::kFieldRequired, "player_id"));
  EXPECT_THAT(List(Listing("p0", table_)), FailsWith(Reason::kFieldRequired, "player_id"));
  EXPECT_THAT(List(Listing("no id", "")), FailsWith(Reason::kBadId, "player_id"));
  EXPECT_THAT(List(Listing("", "no id")), FailsWith(Reason::kBadId, "table_id"));
  EXPECT_THAT(List(Listing("p0", "", -1)), FailsWith(Reason::kBadPageSize, "page_size"));
  EXPECT_THAT(List(Listing("p0", "", 101)), FailsWith(Reason::kBadPageSize, "page_size"));
  EXPECT_THAT(List(Listing("p0", "", 0, "x")), FailsWith(Reason::kBadPageToken, "page_token"));
}

TEST_F(RecordsTest, PagesAreBoundToTheirList) {
  Play(3);
  const auto first = List(Listing("p0", "", 2));
  ASSERT_THAT(first, IsOk());
  ASSERT_EQ(first->rounds_size(), 2);
  ASSERT_NE(first->next_page_token(), "");
  const auto second = List(Listing("p0", "", 2, first->next_page_token()));
  ASSERT_THAT(second, IsOk());
  EXPECT_EQ(second->rounds_size(), 1);
  EXPECT_EQ(second->next_page_token(), "");
  EXPECT_THAT(List(Listing("p1", "", 2, first->next_page_token())),
              FailsWith(Reason::kBadPageToken, "page_token"));
  EXPECT_THAT(List(Listing("", table_, 2, first->next_page_token())),
              FailsWith(Reason::kBadPageToken, "page_token"));
}

TEST_F(RecordsTest, AWalletThatIsAwayIsSaidToBe) {
  Play(1);
  const std::string round = List(Listing("p0", ""))->rounds(0).round_id();
  server_.wallet.FailRowsWith({base::Error(Reason::kUnavailable)});
  EXPECT_THAT(Get(round), FailsWith(Reason::kUnavailable));
  EXPECT_THAT(Get(round), IsOk());
  server_.rounds.Forget(RoundId(round));
  EXPECT_THAT(Get(round), FailsWith(Reason::kRecordExpired, "round_id"));
  EXPECT_EQ(List(Listing("p0", ""))->rounds_size(), 0);
}

}  // namespace
}  // namespace mj::table::rpc
