// Practice over real gRPC: one player, and bots of the house at the other seats.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "libs/base/status_testing.h"
#include "libs/variants/registry.h"
#include "services/table/app/bot_seats.h"
#include "services/table/rpc/client_testing.h"
#include "services/table/rpc/table_server_testing.h"

namespace mj::table::rpc {
namespace {

namespace common = ::mahjong::common::v1;
using base::FailsWith;
using base::IsOk;
using base::Reason;
using Stub = proto::TableService::StubInterface;

proto::CreateTableRequest Asked(const std::string& variant = "guangdong") {
  proto::CreateTableRequest request;
  request.set_request_id("practice");
  request.set_variant(variant);
  request.set_base(100);
  request.set_currency(common::CURRENCY_PRACTICE);
  request.add_player_ids("p0");
  request.set_bots(3);
  (*request.mutable_settings())["bot_think_ms"] = 0;
  return request;
}

class PracticeRefusalTest : public ::testing::Test {
 protected:
  std::string Make(const proto::CreateTableRequest& request) {
    const auto made = server_.Call(&Stub::CreateTable, request);
    EXPECT_THAT(made, IsOk());
    return made.ok() ? made->table().table_id() : "";
  }

  TableServer server_;
};

class PracticeTest : public PracticeRefusalTest,
                     public ::testing::WithParamInterface<const rules::Variant*> {};

INSTANTIATE_TEST_SUITE_P(Games, PracticeTest,
                         ::testing::ValuesIn(variants::All().begin(), variants::All().end()),
                         [](const auto& game) { return std::string(game.param->info().id); });

// A new process takes the table over in the middle of the second round.
TEST_P(PracticeTest, WholeRoundsAndATakeover) {
  const std::string table = Make(Asked(std::string(GetParam()->info().id)));
  Client client(server_, table, "p0", Seat::k0);
  client.Subscribe();
  ASSERT_TRUE(client.Play(1)) << client.end;
  ASSERT_THAT(client.Ready(), IsOk());
  bool second = false;
  ASSERT_TRUE(client.ReadUntil([&second](const proto::TableEvent& event) {
    second |= event.has_round_began() && event.round_began().round_number() == 2;
    return second && event.has_decision_offered();
  }));
  client.Hang();
  server_.Restart();
  client.Subscribe();
  ASSERT_TRUE(client.Answer());
  ASSERT_TRUE(client.Play(1)) << client.end;
  EXPECT_EQ(server_.wallet.rounds(), 2U);
  EXPECT_EQ(server_.wallet.open_rounds(), 0U);

  const proto::Table formed = client.events().front().table_formed().table();
  EXPECT_FALSE(formed.seats(0).bot());
  for (int seat : {1, 2, 3}) {
    EXPECT_TRUE(formed.seats(seat).bot());
    EXPECT_EQ(formed.seats(seat).player_id(),
              BotIdOf(TableId(table), static_cast<Seat>(seat)).value());
  }

  proto::LeaveTableRequest leave;
  leave.set_table_id(table);
  leave.set_player_id("p0");
  ASSERT_THAT(server_.Call(&Stub::LeaveTable, leave), IsOk());
  proto::GetTableRequest get;
  get.set_table_id(table);
  const auto closed = server_.Call(&Stub::GetTable, get);
  ASSERT_THAT(closed, IsOk());
  EXPECT_EQ(closed->table().state(), proto::TABLE_STATE_CLOSED);
}

TEST_F(PracticeRefusalTest, BotsSitAtPracticeTablesAlone) {
  proto::CreateTableRequest request = Asked();
  request.set_currency(common::CURRENCY_COIN);
  EXPECT_THAT(server_.Call(&Stub::CreateTable, request),
              FailsWith(Reason::kBotsForPracticeOnly, "bots"));
  request = Asked();
  request.clear_player_ids();
  request.set_base(0);
  EXPECT_THAT(server_.Call(&Stub::CreateTable, request),
              FailsWith(Reason::kBotsForPracticeOnly, "bots"));
  for (std::uint32_t bots : {4U, 0xffffffffU}) {
    request = Asked();
    request.set_bots(bots);
    EXPECT_THAT(server_.Call(&Stub::CreateTable, request), FailsWith(Reason::kBadSeat, "bots"));
  }
  EXPECT_EQ(server_.wallet.grants(), 0U);
}

TEST_F(PracticeRefusalTest, NobodySpeaksForABot) {
  const std::string table = Make(Asked());
  const std::string bot = BotIdOf(TableId(table), Seat::k1).value();
  const auto refused = FailsWith(Reason::kNotAPlayerAccount, "player_id");
  const auto named = [&](auto request) {
    request.set_table_id(table);
    request.set_player_id(bot);
    return request;
  };
  EXPECT_THAT(server_.Call(&Stub::JoinTable, named(proto::JoinTableRequest())), refused);
  EXPECT_THAT(server_.Call(&Stub::Ready, named(proto::ReadyRequest())), refused);
  EXPECT_THAT(server_.Call(&Stub::Act, named(proto::ActRequest())), refused);
  EXPECT_THAT(server_.Call(&Stub::RevealNonce, named(proto::RevealNonceRequest())), refused);
  EXPECT_THAT(server_.Call(&Stub::TakeOver, named(proto::TakeOverRequest())), refused);
  EXPECT_THAT(server_.Call(&Stub::LeaveTable, named(proto::LeaveTableRequest())), refused);
  EXPECT_THAT(server_.Call(&Stub::ShowHand, named(proto::ShowHandRequest())), refused);
  Client spy(server_, table, bot, Seat::k1);
  spy.Subscribe();
  EXPECT_FALSE(spy.Read());
  EXPECT_THAT(spy.end, refused);

  proto::CreateTableRequest request = Asked();
  request.set_request_id("another");
  request.set_player_ids(0, bot);
  EXPECT_THAT(server_.Call(&Stub::CreateTable, request),
              FailsWith(Reason::kNotAPlayerAccount, "player_ids[0]"));
}

}  // namespace
}  // namespace mj::table::rpc
