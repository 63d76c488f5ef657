// What operators ask of tables, over gRPC.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "libs/base/status_testing.h"
#include "services/table/rpc/client_testing.h"
#include "services/table/rpc/table_server_testing.h"

namespace mj::table::rpc {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using Stub = proto::TableOperatorService::StubInterface;

template <typename Request>
Request By(const std::string& request_id) {
  Request request;
  request.set_request_id(request_id);
  request.set_operator_("eve");
  request.set_reason("卡住了");
  return request;
}

class OperatorTest : public ::testing::Test {
 protected:
  OperatorTest() : table_(server_.MakeTable("m", {"p0", "p1", "p2", "p3"})) {
    for (const Seat seat : rules::kSeats) {
      clients_.emplace_back(server_, table_, "p" + std::to_string(rules::IndexOf(seat)), seat);
    }
  }
  void Begin() {
    for (Client& client : clients_) EXPECT_THAT(client.Ready(), IsOk());
    clients_[0].Subscribe();
    ASSERT_TRUE(clients_[0].ReadUntil(
        [](const proto::TableEvent& event) { return event.has_tiles_dealt(); }));
  }
  proto::InspectTableResponse Inspect() {
    proto::InspectTableRequest request;
    request.set_table_id(table_);
    const auto seen = server_.Operate(&Stub::InspectTable, request);
    EXPECT_THAT(seen, IsOk());
    return seen.ok() ? *seen : proto::InspectTableResponse();
  }
  std::vector<proto::Operation> Trail() {
    const auto listed = server_.Operate(&Stub::ListOperations, proto::ListOperationsRequest());
    EXPECT_THAT(listed, IsOk());
    if (!listed.ok()) return {};
    return {listed->operations().begin(), listed->operations().end()};
  }

  TableServer server_;
  std::string table_;
  std::vector<Client> clients_;
};

TEST_F(OperatorTest, ARoundIsVoidAndItsSeatsAreToldSo) {
  Begin();
  const auto before = Inspect();
  EXPECT_EQ(before.table().table_id(), table_);
  EXPECT_EQ(before.table().address(), server_.address());
  EXPECT_EQ(before.round().step(), "playing");
  EXPECT_EQ(before.round().seed_hash().size(), 32U);
  EXPECT_EQ(before.seats_size(), 4);
  EXPECT_TRUE(before.seats(0).connected());
  EXPECT_FALSE(before.seats(1).connected());
  EXPECT_GE(before.latest_events_size(), 1);
  auto request = By<proto::VoidRoundRequest>("v");
  request.set_table_id(table_);
  request.set_round_id(before.round().round_id());
  EXPECT_THAT(server_.Operate(&Stub::VoidRound, request), IsOk());
  ASSERT_TRUE(
      clients_[0].ReadUntil([](const proto::TableEvent& event) { return event.has_round_void(); }));
  EXPECT_EQ(clients_[0].events().back().round_void().reason(), proto::VOID_REASON_OPERATOR);
  EXPECT_THAT(server_.Operate(&Stub::VoidRound, request), IsOk()) << "again";
  request.set_reason("another");
  EXPECT_THAT(server_.Operate(&Stub::VoidRound, request), FailsWith(Reason::kRequestIdReused));
  const auto trail = Trail();
  ASSERT_EQ(trail.size(), 1U);
  EXPECT_EQ(trail[0].kind(), proto::OPERATION_KIND_VOID_ROUND);
  EXPECT_EQ(trail[0].operator_(), "eve");
  EXPECT_EQ(trail[0].reason(), "卡住了");
  EXPECT_EQ(trail[0].table_id(), table_);
  EXPECT_EQ(trail[0].round_id(), before.round().round_id());
}

TEST_F(OperatorTest, NothingHiddenIsInAnInspectionOfALiveRound) {
  Begin();
  const std::string told = Inspect().DebugString();
  std::string hand;
  for (const proto::TableEvent& event : clients_[0].events()) {
    if (event.has_tiles_dealt()) hand = event.tiles_dealt().hand();
  }
  ASSERT_FALSE(hand.empty());
  EXPECT_EQ(told.find(hand), std::string::npos);
  // Fields by name, so that a new one is looked at.
  std::vector<std::string> names;
  const auto* seat = proto::InspectedSeat::descriptor();
  for (int i = 0; i < seat->field_count(); ++i) names.push_back(seat->field(i)->name());
  EXPECT_THAT(names,
              ::testing::ElementsAre("seat", "player_id", "concealed", "melds", "discards",
                                     "deadline", "auto_play", "leaving", "removing", "connected"));
}

TEST_F(OperatorTest, APlayerIsRemovedAndTheTableIsClosed) {
  clients_[1].Subscribe();
  // A stream that has yet to open when its player is gone is nobody's.
  ASSERT_TRUE(clients_[1].ReadUntil([](const proto::TableEvent&) { return true; }));
  auto remove = By<proto::RemovePlayerRequest>("r");
  remove.set_table_id(table_);
  remove.set_player_id("p1");
  const auto removed = server_.Operate(&Stub::RemovePlayer, remove);
  ASSERT_THAT(removed, IsOk());
  EXPECT_FALSE(removed->pending());
  ASSERT_TRUE(clients_[1].ReadUntil(
      [](const proto::TableEvent& event) { return event.has_player_left(); }));
  EXPECT_EQ(clients_[1].events().back().player_left().reason(), proto::LEAVE_REASON_OPERATOR);
  remove.set_request_id("s");
  EXPECT_THAT(server_.Operate(&Stub::RemovePlayer, remove), FailsWith(Reason::kNotSeated));
  auto close = By<proto::CloseTableRequest>("c");
  close.set_table_id(table_);
  EXPECT_THAT(server_.Operate(&Stub::CloseTable, close), IsOk());
  EXPECT_EQ(Inspect().table().state(), proto::TABLE_STATE_CLOSED);
  close.set_request_id("d");
  EXPECT_THAT(server_.Operate(&Stub::CloseTable, close), FailsWith(Reason::kTableClosed));
  EXPECT_EQ(Trail().size(), 2U) << "what was refused is not in the trail";
}

TEST_F(OperatorTest, RoundsStopAreToldOfAndGoOn) {
  clients_[0].Subscribe();
  auto stop = By<proto::StopNewRoundsRequest>("stop");
  stop.mutable_from_time()->set_seconds(4'000'000'000);
  const auto stopped = server_.Operate(&Stub::StopNewRounds, stop);
  ASSERT_THAT(stopped, IsOk());
  EXPECT_EQ(stopped->from_time().seconds(), 4'000'000'000);
  ASSERT_TRUE(clients_[0].ReadUntil(
      [](const proto::TableEvent& event) { return event.has_no_new_rounds(); }));
  EXPECT_EQ(clients_[0].events().back().no_new_rounds().from_time().seconds(), 4'000'000'000);
  EXPECT_EQ(Inspect().no_new_rounds_time().seconds(), 4'000'000'000);
  EXPECT_THAT(server_.Operate(&Stub::ResumeNewRounds, By<proto::ResumeNewRoundsRequest>("go")),
              IsOk());
  ASSERT_TRUE(clients_[0].ReadUntil(
      [](const proto::TableEvent& event) { return event.has_no_new_rounds(); }));
  EXPECT_FALSE(clients_[0].events().back().no_new_rounds().has_from_time());
  stop.set_request_id("late");
  stop.mutable_from_time()->set_seconds(1'000'000'000);
  EXPECT_THAT(server_.Operate(&Stub::StopNewRounds, stop), FailsWith(Reason::kBadPeriod));
  stop.clear_from_time();
  EXPECT_THAT(server_.Operate(&Stub::StopNewRounds, stop), IsOk());
  // Its own leave is the last that it is told.
  ASSERT_TRUE(clients_[0].ReadUntil(
      [](const proto::TableEvent& event) { return event.has_player_left(); }));
  EXPECT_EQ(clients_[0].events().back().player_left().reason(), proto::LEAVE_REASON_OPERATOR);
  EXPECT_EQ(server_.MakeTable("n", {"q0", "q1", "q2", "q3"}), "") << "ROUNDS_STOPPED";
}

TEST_F(OperatorTest, TablesAreFound) {
  proto::FindTablesRequest request;
  const auto all = server_.Operate(&Stub::FindTables, request);
  ASSERT_THAT(all, IsOk());
  ASSERT_EQ(all->tables_size(), 1);
  EXPECT_EQ(all->tables(0).table_id(), table_);
  EXPECT_EQ(all->tables(0).state(), proto::TABLE_STATE_WAITING);
  EXPECT_EQ(all->tables(0).player_ids(2), "p2");
  request.set_state(proto::TABLE_STATE_SETTLING);
  EXPECT_EQ(server_.Operate(&Stub::FindTables, request)->tables_size(), 0);
  request.set_state(proto::TABLE_STATE_CLOSED);
  EXPECT_THAT(server_.Operate(&Stub::FindTables, request), FailsWith(Reason::kUnknownEnumValue));
  request.set_state(proto::TABLE_STATE_UNSPECIFIED);
  request.set_unsettled_seconds(-1);
  EXPECT_THAT(server_.Operate(&Stub::FindTables, request), FailsWith(Reason::kBadAmount));
  request.set_unsettled_seconds(0);
  request.set_variant("chess");
  EXPECT_THAT(server_.Operate(&Stub::FindTables, request), FailsWith(Reason::kUnknownVariant));
  request.set_variant("");
  request.set_player_id("no id");
  EXPECT_THAT(server_.Operate(&Stub::FindTables, request), FailsWith(Reason::kBadId));
}

// Every write, with each field that it wants missing or malformed.
TEST_F(OperatorTest, WhatIsMalformedIsRefusedAndLeavesNoTrail) {
  auto voided = By<proto::VoidRoundRequest>("v");
  voided.set_table_id(table_);
  voided.set_round_id("r");
  const auto wrong = [&](const std::function<void(proto::VoidRoundRequest&)>& change,
                         Reason reason) {
    proto::VoidRoundRequest request = voided;
    change(request);
    EXPECT_THAT(server_.Operate(&Stub::VoidRound, request), FailsWith(reason))
        << request.ShortDebugString();
  };
  wrong([](auto& r) { r.clear_request_id(); }, Reason::kFieldRequired);
  wrong([](auto& r) { r.set_request_id("no id"); }, Reason::kBadId);
  wrong([](auto& r) { r.clear_operator_(); }, Reason::kFieldRequired);
  wrong([](auto& r) { r.set_operator_("a@b"); }, Reason::kBadId);
  wrong([](auto& r) { r.clear_reason(); }, Reason::kFieldRequired);
  wrong([](auto& r) { r.set_reason(std::string(201, 'x')); }, Reason::kBadText);
  wrong([](auto& r) { r.set_reason(std::string("a\0b", 3)); }, Reason::kBadText);
  wrong([](auto& r) { r.clear_table_id(); }, Reason::kFieldRequired);
  wrong([](auto& r) { r.set_table_id("none"); }, Reason::kTableNotFound);
  wrong([](auto& r) { r.clear_round_id(); }, Reason::kFieldRequired);
  wrong([](auto&) {}, Reason::kRoundNotFound);
  auto remove = By<proto::RemovePlayerRequest>("r");
  remove.set_table_id(table_);
  EXPECT_THAT(server_.Operate(&Stub::RemovePlayer, remove), FailsWith(Reason::kFieldRequired));
  remove.set_player_id("practice-bot-x");
  EXPECT_THAT(server_.Operate(&Stub::RemovePlayer, remove), FailsWith(Reason::kNotAPlayerAccount));
  EXPECT_THAT(server_.Operate(&Stub::CloseTable, By<proto::CloseTableRequest>("c")),
              FailsWith(Reason::kFieldRequired));
  EXPECT_THAT(server_.Operate(&Stub::StopNewRounds, proto::StopNewRoundsRequest()),
              FailsWith(Reason::kFieldRequired));
  EXPECT_THAT(server_.Operate(&Stub::ResumeNewRounds, proto::ResumeNewRoundsRequest()),
              FailsWith(Reason::kFieldRequired));
  EXPECT_THAT(server_.Operate(&Stub::InspectTable, proto::InspectTableRequest()),
              FailsWith(Reason::kFieldRequired));
  EXPECT_TRUE(Trail().empty());
}

}  // namespace
}  // namespace mj::table::rpc
