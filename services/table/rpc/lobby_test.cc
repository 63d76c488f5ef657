// How a table is formed and agrees on its stakes, as clients see it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/status_testing.h"
#include "services/table/rpc/client_testing.h"
#include "services/table/rpc/table_server_testing.h"

namespace mj::table::rpc {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using Stub = proto::TableService::StubInterface;

const std::vector<std::string> kFour = {"p0", "p1", "p2", "p3"};

// ---------------------------------------------------------------------------------------- stakes

class StakesTest : public ::testing::Test {
 protected:
  StakesTest() {
    server_.wallet.SetRooms({{10, 500, 0, 640}, {50, 2'500, 0, 3'200}});
    proto::CreateTableRequest create;
    create.set_request_id("empty");
    create.set_variant("guangdong");
    const auto made = server_.Call(&Stub::CreateTable, create);
    EXPECT_THAT(made, IsOk());
    table_ = made->table().table_id();
    EXPECT_EQ(made->table().base(), 0);
    EXPECT_FALSE(made->table().has_proposer_seat());
  }
  Client& Sit(Seat seat) {
    proto::JoinTableRequest join;
    join.set_table_id(table_);
    const std::string player = "p" + std::to_string(rules::IndexOf(seat));
    join.set_player_id(player);
    join.set_seat(static_cast<std::uint32_t>(rules::IndexOf(seat)));
    EXPECT_THAT(server_.Call(&Stub::JoinTable, join), IsOk());
    clients_.push_back(std::make_unique<Client>(server_, table_, player, seat));
    clients_.back()->Subscribe();
    return *clients_.back();
  }
  static proto::Choice Propose(std::int64_t base) {
    proto::Choice choice;
    choice.mutable_propose()->set_base(base);
    return choice;
  }
  static proto::Choice Accept() {
    proto::Choice choice;
    choice.mutable_accept();
    return choice;
  }
  static proto::Choice Refuse() {
    proto::Choice choice;
    choice.mutable_refuse();
    return choice;
  }
  // The decision of the latest event that asks this seat about the stakes.
  static proto::Decision Asked(Client& client) {
    EXPECT_TRUE(client.ReadUntil([](const proto::TableEvent& event) {
      return event.has_consent_asked() || event.stakes_asked().has_decision();
    }));
    const proto::TableEvent& event = client.events().back();
    return event.has_consent_asked() ? event.consent_asked().decision()
                                     : event.stakes_asked().decision();
  }

  TableServer server_;
  std::string table_;
  std::vector<std::unique_ptr<Client>> clients_;
};

TEST_F(StakesTest, AreProposedAndAcceptedByActAndPlayedFor) {
  Client& first = Sit(Seat::k0);
  const proto::Decision asked = Asked(first);
  EXPECT_EQ(asked.kind(), proto::DECISION_KIND_STAKES);
  EXPECT_THAT(asked.offers().bases(), ::testing::ElementsAre(10, 50));
  EXPECT_TRUE(asked.offers().refuse());
  EXPECT_TRUE(asked.has_deadline());
  EXPECT_THAT(first.Act(asked.decision_id(), Propose(50)), IsOk());
  EXPECT_THAT(first.Act(asked.decision_id(), Propose(50)), IsOk()) << "the same again";
  for (Seat seat : {Seat::k1, Seat::k2, Seat::k3}) {
    Client& client = Sit(seat);
    const proto::Decision consent = Asked(client);
    EXPECT_EQ(consent.kind(), proto::DECISION_KIND_CONSENT);
    EXPECT_TRUE(consent.offers().accept());
    EXPECT_TRUE(consent.offers().refuse());
    const proto::ConsentAsked& event = client.events().back().consent_asked();
    EXPECT_EQ(event.base(), 50);
    EXPECT_EQ(event.proposer_seat(), 0U);
    EXPECT_THAT(client.Act(consent.decision_id(), Accept()), IsOk());
  }
  for (const auto& client : clients_) EXPECT_THAT(client->Ready(1), IsOk());
  EXPECT_TRUE(first.ReadUntil([](const auto& event) { return event.has_round_began(); }));
  EXPECT_EQ(first.events().back().round_began().base(), 50);
  proto::GetTableRequest get;
  get.set_table_id(table_);
  const auto got = server_.Call(&Stub::GetTable, get);
  ASSERT_THAT(got, IsOk());
  EXPECT_EQ(got->table().base(), 50);
  EXPECT_EQ(got->table().proposer_seat(), 0U);
  EXPECT_TRUE(got->table().seats(3).agreed());
}

TEST_F(StakesTest, WhatIsNotOfferedIsRefused) {
  Client& first = Sit(Seat::k0);
  const proto::Decision asked = Asked(first);
  for (std::int64_t base : {0, -50, 20, 10'001}) {
    EXPECT_THAT(first.Act(asked.decision_id(), Propose(base)),
                FailsWith(Reason::kChoiceNotOffered, "choice.propose.base"));
  }
  EXPECT_THAT(first.Act(asked.decision_id(), Accept()), FailsWith(Reason::kChoiceNotOffered));
  proto::Choice pass;
  pass.mutable_pass();
  EXPECT_THAT(first.Act(asked.decision_id(), pass), FailsWith(Reason::kChoiceNotOffered));
  proto::Choice option = Propose(50);
  (*option.mutable_propose()->mutable_options())["allow_chicken"] = "false";
  EXPECT_THAT(first.Act(asked.decision_id(), option),
              FailsWith(Reason::kChoiceNotOffered, "choice.propose.options"));
  EXPECT_THAT(first.Act(asked.decision_id() + 7, Propose(50)),
              FailsWith(Reason::kDecisionNotOffered, "decision_id"));
  Client& second = Sit(Seat::k1);
  EXPECT_THAT(second.Act(asked.decision_id(), Propose(50)),
              FailsWith(Reason::kDecisionNotOffered, "decision_id"));
  EXPECT_THAT(first.Act(asked.decision_id(), Propose(50)), IsOk());
  EXPECT_THAT(first.Act(asked.decision_id(), Propose(10)),
              FailsWith(Reason::kDecisionStale, "decision_id"));
}

TEST_F(StakesTest, ARefusalLeavesTheTable) {
  Client& first = Sit(Seat::k0);
  EXPECT_THAT(first.Act(Asked(first).decision_id(), Propose(50)), IsOk());
  Client& second = Sit(Seat::k1);
  EXPECT_THAT(second.Act(Asked(second).decision_id(), Refuse()), IsOk());
  ASSERT_TRUE(first.ReadUntil([](const auto& event) { return event.has_player_left(); }));
  EXPECT_EQ(first.events().back().player_left().reason(), proto::LEAVE_REASON_DISAGREED);
  EXPECT_EQ(first.events().back().player_left().error_reason(), "");
}

// COM-16: besides what the receipt says of the wins.
TEST(ToldTest, TheResultTellsBalancesAndWhoDealsNext) {
  TableServer server;
  const std::string table = server.MakeTable("match", kFour);
  std::array<Client, 4> clients = {
      Client(server, table, "p0", Seat::k0), Client(server, table, "p1", Seat::k1),
      Client(server, table, "p2", Seat::k2), Client(server, table, "p3", Seat::k3)};
  std::vector<std::future<bool>> plays;
  for (Client& client : clients) {
    plays.push_back(std::async(std::launch::async, [&client] {
      client.Subscribe();
      return client.Play(8);
    }));
  }
  for (auto& play : plays) EXPECT_TRUE(play.get());
  for (Client& client : clients) {
    std::array<std::int64_t, 4> balances{};
    balances.fill(FakeWallet::kOpening);
    std::optional<std::uint32_t> next;
    int rounds = 0;
    for (const proto::TableEvent& event : client.events()) {
      if (event.has_deal_drawn() && next) {
        EXPECT_EQ(event.deal_drawn().dealer(), *next);
      }
      if (event.has_round_ended()) {
        ASSERT_EQ(event.round_ended().hands_size(), 4);
        for (const std::string& hand : event.round_ended().hands()) EXPECT_NE(hand, "");
      }
      if (!event.has_round_settled()) continue;
      ++rounds;
      next = event.round_settled().next_dealer();
      ASSERT_EQ(event.round_settled().seats_size(), 4);
      for (const proto::SeatResult& seat : event.round_settled().seats()) {
        balances.at(seat.seat()) += seat.net();
        EXPECT_EQ(seat.balance(), balances.at(seat.seat()));
      }
    }
    EXPECT_EQ(rounds, 8);
  }
}

// COM-15, in the words of 001 1.4.3.
TEST(ToldTest, ThePoorAreToldSoInTheTextsWords) {
  TableServer server;
  server.wallet.Refuse(PlayerId("p3"), Reason::kBelowMinimum);
  Client client(server, server.MakeTable("match", kFour), "p0", Seat::k0);
  client.Subscribe();
  ASSERT_TRUE(client.ReadUntil([](const auto& event) { return event.has_player_left(); }));
  const proto::PlayerLeft& left = client.events().back().player_left();
  EXPECT_EQ(left.reason(), proto::LEAVE_REASON_BELOW_MINIMUM);
  EXPECT_EQ(left.error_reason(), "BELOW_MINIMUM");
  EXPECT_EQ(left.message(), "您的积分不足，不能进行下一局");
}

// COM-14, likewise.
TEST(ToldTest, TheQuestionWhetherToPlayOnHasTheTextsTwoAnswers) {
  TableServer server;
  Client client(server, server.MakeTable("match", kFour), "p0", Seat::k0);
  client.Subscribe();
  ASSERT_TRUE(client.ReadUntil([](const auto& event) { return event.has_play_on_asked(); }));
  const proto::PlayOnAsked& asked = client.events().back().play_on_asked();
  EXPECT_EQ(asked.play_on_text(), "继续游戏");
  EXPECT_EQ(asked.leave_text(), "退出");
  EXPECT_TRUE(asked.has_deadline());
}

// ----------------------------------------------------------------------------------------- lobby

TEST(LobbyTest, RoomsAreTheWalletsAndSayHowATableComesToOne) {
  TableServer server;
  proto::ListRoomsRequest request;
  EXPECT_THAT(server.Call(&Stub::ListRooms, request), FailsWith(Reason::kFieldRequired, "variant"));
  request.set_variant("bridge");
  EXPECT_THAT(server.Call(&Stub::ListRooms, request),
              FailsWith(Reason::kUnknownVariant, "variant"));
  for (const auto& [variant, source] : {std::pair("chaozhou", proto::BASE_SOURCE_COINS),
                                        std::pair("jieyang", proto::BASE_SOURCE_COINS),
                                        std::pair("guangdong", proto::BASE_SOURCE_AGREEMENT),
                                        std::pair("shaoguan", proto::BASE_SOURCE_FIRST_PLAYER)}) {
    request.set_variant(variant);
    const auto rooms = server.Call(&Stub::ListRooms, request);
    ASSERT_THAT(rooms, IsOk());
    EXPECT_EQ(rooms->base_source(), source) << variant;
    ASSERT_EQ(rooms->rooms_size(), 4);
    EXPECT_EQ(rooms->rooms(1).base(), 100);
    EXPECT_EQ(rooms->rooms(1).minimum_balance(), 1'600);
    EXPECT_EQ(rooms->rooms(1).escape_penalty(), 6'400);
  }
  request.set_currency(static_cast<::mahjong::common::v1::Currency>(9));
  EXPECT_THAT(server.Call(&Stub::ListRooms, request),
              FailsWith(Reason::kUnknownEnumValue, "currency"));
  server.wallet.FailRoomsWith({base::Error(Reason::kUnavailable)});
  request.clear_currency();
  EXPECT_THAT(server.Call(&Stub::ListRooms, request), FailsWith(Reason::kUnavailable));
}

TEST(LobbyTest, TablesArePagedWithTheirFreeSeats) {
  TableServer server;
  std::vector<std::string> tables;
  for (const char* request : {"one", "two", "three"}) {
    proto::CreateTableRequest create;
    create.set_request_id(request);
    create.set_variant("shaoguan");
    (*create.mutable_options())["horses"] = "2";
    tables.push_back(server.Call(&Stub::CreateTable, create)->table().table_id());
  }
  proto::JoinTableRequest join;
  join.set_table_id(tables[1]);
  join.set_player_id("a");
  join.set_seat(2);
  ASSERT_THAT(server.Call(&Stub::JoinTable, join), IsOk());

  proto::ListTablesRequest list;
  list.set_variant("shaoguan");
  list.set_page_size(2);
  const auto first = server.Call(&Stub::ListTables, list);
  ASSERT_THAT(first, IsOk());
  ASSERT_EQ(first->tables_size(), 2);
  const proto::TableListing& listed = first->tables(1);
  EXPECT_EQ(listed.table_id(), tables[1]);
  EXPECT_EQ(listed.options().at("horses"), "2");
  EXPECT_EQ(listed.options().size(), 1U) << "what differs";
  EXPECT_EQ(listed.base(), 0);
  EXPECT_EQ(listed.state(), proto::TABLE_STATE_WAITING);
  EXPECT_TRUE(listed.watchable());
  EXPECT_THAT(listed.player_ids(), ::testing::ElementsAre("", "", "a", ""));
  list.set_page_token(first->next_page_token());
  const auto second = server.Call(&Stub::ListTables, list);
  ASSERT_THAT(second, IsOk());
  ASSERT_EQ(second->tables_size(), 1);
  EXPECT_EQ(second->tables(0).table_id(), tables[2]);
  EXPECT_EQ(second->next_page_token(), "");

  list.set_base(10);
  EXPECT_THAT(server.Call(&Stub::ListTables, list), FailsWith(Reason::kBadPageToken, "page_token"));
  list.clear_page_token();
  EXPECT_EQ(server.Call(&Stub::ListTables, list)->tables_size(), 0);
  list.set_base(-1);
  EXPECT_THAT(server.Call(&Stub::ListTables, list), FailsWith(Reason::kBadBase, "base"));
  list.clear_base();
  list.set_page_size(101);
  EXPECT_THAT(server.Call(&Stub::ListTables, list), FailsWith(Reason::kBadPageSize, "page_size"));
  list.clear_page_size();
  list.set_currency(static_cast<::mahjong::common::v1::Currency>(9));
  EXPECT_THAT(server.Call(&Stub::ListTables, list),
              FailsWith(Reason::kUnknownEnumValue, "currency"));
  list.clear_currency();
  list.set_variant("bridge");
  EXPECT_THAT(server.Call(&Stub::ListTables, list), FailsWith(Reason::kUnknownVariant, "variant"));
  list.clear_variant();
  EXPECT_THAT(server.Call(&Stub::ListTables, list), FailsWith(Reason::kFieldRequired, "variant"));
}

}  // namespace
}  // namespace mj::table::rpc
