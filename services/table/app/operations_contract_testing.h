// What all Operations must show of what was journalled and asked for, as tests. Include in one test file of a
// room and instantiate:
//
//   INSTANTIATE_TEST_SUITE_P(Memory, OperationsContract, ::testing::Values([] { return … ; }));
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "libs/base/status_testing.h"
#include "services/table/app/bench_testing.h"
#include "services/table/app/event_log.h"
#include "services/table/app/operations.h"

namespace mj::table {

// A journal, and the operations over it.
class OperationsFixture {
 public:
  virtual ~OperationsFixture() = default;
  virtual EventLog& log() = 0;
  virtual Operations& operations() = 0;
};
using MakeOperations = std::function<std::unique_ptr<OperationsFixture>()>;

class OperationsContract : public ::testing::TestWithParam<MakeOperations> {
 protected:
  static TableSpec SpecOf(const std::string& id, const std::string& variant = "chaozhou") {
    TableSpec spec = Spec({id + "0", id + "1", id + "2", id + "3"});
    spec.variant = variant;
    return spec;
  }
  void Make(const std::string& id, const std::string& variant = "chaozhou") {
    const LogEntry first{
        1, {}, TableCreated{TableId(id), RequestId("r" + id), *CheckSpec(SpecOf(id, variant))}};
    ASSERT_THAT(Apply(states_[id], first), base::IsOk());
    ASSERT_THAT(fixture_->log().Create(first, OwnerId("a")), base::IsOkAndHolds(Creation(Made{})));
  }
  Appended Try(const std::string& id, const Events& events) {
    TableState& state = states_[id];
    Append append{TableId(id), 1, {}};
    std::int64_t seq = state.last_seq;
    for (const TableEvent& event : events) append.entries.push_back({++seq, {}, event});
    const auto written = fixture_->log().Write(std::vector<Append>{append});
    EXPECT_THAT(written, base::IsOk());
    if (!written.ok()) return Appended::kRefused;
    if (written->front() == Appended::kWritten) {
      for (const LogEntry& entry : append.entries) EXPECT_THAT(Apply(state, entry), base::IsOk());
    }
    return written->front();
  }
  static OperatorActed Close(const std::string& request, const std::string& who = "eve") {
    return {OperationKind::kCloseTable, RequestId(request), who, "broken", {}, {}, true};
  }
  static OperatorActed Remove(const std::string& request, const std::string& player) {
    return {
        OperationKind::kRemovePlayer, RequestId(request), "eve", "swears", {}, PlayerId(player)};
  }
  void Begin(const std::string& id) {
    for (Seat seat : rules::kSeats) ASSERT_EQ(Try(id, {SeatReadied{seat, 1, {}}}), Written());
    ASSERT_EQ(Try(id, BeginRound(states_[id], RoundId("round-" + id), {})), Written());
  }
  static Appended Written() { return Appended::kWritten; }
  Operation Stop(const std::string& request, std::optional<WallTime> from) {
    Operation stop;
    stop.kind = from ? OperationKind::kStopRounds : OperationKind::kResumeRounds;
    stop.request = RequestId(request);
    stop.who = "eve";
    stop.reason = "upkeep";
    stop.from = from;
    return stop;
  }
  std::vector<std::string> Requests(const OperationFilter& filter, std::int64_t before = 0,
                                    std::int64_t limit = 100) {
    std::vector<std::string> requests;
    const auto listed = operations().ListOperations(filter, before, limit);
    EXPECT_THAT(listed, base::IsOk());
    if (!listed.ok()) return requests;
    for (const Operation& one : *listed) requests.push_back(one.request.value());
    return requests;
  }
  std::vector<std::string> Ids(const TableFilter& filter, const std::string& after = "",
                               std::int64_t limit = 100) {
    std::vector<std::string> ids;
    const auto found = operations().FindTables(filter, TableId(after), limit);
    EXPECT_THAT(found, base::IsOk());
    if (!found.ok()) return ids;
    for (const FoundTable& table : *found) ids.push_back(table.id.value());
    return ids;
  }
  Operations& operations() { return fixture_->operations(); }

  std::unique_ptr<OperationsFixture> fixture_ = GetParam()();
  std::map<std::string, TableState> states_;
};

TEST_P(OperationsContract, WhatIsGrantedIsInTheTrail) {
  Make("a");
  Begin("a");
  const OperatorActed voided{OperationKind::kVoidRound, RequestId("v"), "eve", "stück, 卡住了",
                             RoundId("round-a")};
  ASSERT_EQ(Try("a", {voided}), Written());
  ASSERT_EQ(Try("a", {Remove("q", "a2")}), Written());
  ASSERT_EQ(Try("a", {Close("c", "bob")}), Written());
  EXPECT_THAT(Requests({}), ::testing::ElementsAre("c", "q", "v"));
  const auto found = operations().Find(RequestId("v"));
  ASSERT_TRUE(found.ok() && *found);
  EXPECT_EQ((*found)->kind, OperationKind::kVoidRound);
  EXPECT_EQ((*found)->who, "eve");
  EXPECT_EQ((*found)->reason, "stück, 卡住了");
  EXPECT_EQ((*found)->table, TableId("a"));
  EXPECT_EQ((*found)->round, RoundId("round-a"));
  EXPECT_TRUE((*found)->player.empty());
  const auto closed = operations().Find(RequestId("c"));
  ASSERT_TRUE(closed.ok() && *closed);
  EXPECT_TRUE((*closed)->at_once);
  EXPECT_THAT(operations().Find(RequestId("none")), base::IsOkAndHolds(std::nullopt));
}

TEST_P(OperationsContract, ARequestIsOneOperation) {
  Make("a");
  Make("b");
  ASSERT_EQ(Try("a", {Remove("q", "a2")}), Written());
  EXPECT_EQ(Try("b", {Remove("q", "b2")}), Appended::kRequestReused);
  EXPECT_THAT(operations().WriteStop(Stop("q", WallTime{})), base::IsOkAndHolds(false));
  EXPECT_THAT(Requests({}), ::testing::ElementsAre("q"));
  EXPECT_EQ(Try("b", {Remove("s", "b2")}), Written()) << "its journal goes on";
}

TEST_P(OperationsContract, TheTrailIsListedByTablePlayerAndOperator) {
  Make("a");
  Make("b");
  ASSERT_EQ(Try("a", {Remove("1", "a2")}), Written());
  ASSERT_EQ(Try("b", {Remove("2", "b2")}), Written());
  ASSERT_EQ(Try("b", {Close("3", "bob")}), Written());
  ASSERT_THAT(operations().WriteStop(Stop("4", WallTime{})), base::IsOkAndHolds(true));
  EXPECT_THAT(Requests({.table = TableId("b")}), ::testing::ElementsAre("3", "2"));
  EXPECT_THAT(Requests({.player = PlayerId("a2")}), ::testing::ElementsAre("1"));
  EXPECT_THAT(Requests({.who = "bob"}), ::testing::ElementsAre("3"));
  EXPECT_THAT(Requests({.who = "nobody"}), ::testing::IsEmpty());
  EXPECT_THAT(Requests({}, 0, 2), ::testing::ElementsAre("4", "3"));
  const auto third = operations().Find(RequestId("3"));
  EXPECT_THAT(Requests({}, (*third)->number), ::testing::ElementsAre("2", "1"));
}

TEST_P(OperationsContract, TheLatestStopCounts) {
  EXPECT_THAT(operations().PresentStop(), base::IsOkAndHolds(RoundsStopped{}));
  const WallTime from{std::chrono::microseconds(1'700'000'000'123'456)};
  EXPECT_THAT(operations().WriteStop(Stop("1", from)), base::IsOkAndHolds(true));
  EXPECT_THAT(operations().PresentStop(), base::IsOkAndHolds(RoundsStopped{from}));
  EXPECT_THAT(operations().WriteStop(Stop("2", std::nullopt)), base::IsOkAndHolds(true));
  EXPECT_THAT(operations().WriteStop(Stop("1", from)), base::IsOkAndHolds(false));
  EXPECT_THAT(operations().PresentStop(), base::IsOkAndHolds(RoundsStopped{}));
  EXPECT_THAT(operations().WriteStop(Stop("3", WallTime{})), base::IsOkAndHolds(true));
  EXPECT_THAT(operations().PresentStop(), base::IsOkAndHolds(RoundsStopped{WallTime{}}));
}

TEST_P(OperationsContract, AStopIsAnsweredTheSameAgain) {
  const WallTime now{std::chrono::seconds(1'700'000'000)};
  Operation asked = Stop("1", WallTime{});
  asked.from.reset();
  const auto first = StopRounds(operations(), asked, now);
  ASSERT_THAT(first, base::IsOk());
  EXPECT_EQ(first->from, now);
  EXPECT_THAT(StopRounds(operations(), asked, now + std::chrono::hours(1)),
              base::IsOkAndHolds(*first));
  asked.reason = "another";
  EXPECT_THAT(StopRounds(operations(), asked, now),
              base::FailsWith(base::Reason::kRequestIdReused));
  const auto timed = StopRounds(operations(), Stop("2", now), now);
  ASSERT_THAT(timed, base::IsOk());
  EXPECT_THAT(StopRounds(operations(), Stop("2", now), now + std::chrono::hours(1)),
              base::IsOkAndHolds(*timed))
      << "though its time has passed";
  EXPECT_THAT(StopRounds(operations(), Stop("3", now - std::chrono::microseconds(1)), now),
              base::FailsWith(base::Reason::kBadPeriod));
  EXPECT_THAT(StopRounds(operations(), Stop("2", std::nullopt), now),
              base::FailsWith(base::Reason::kRequestIdReused));
}

TEST_P(OperationsContract, OpenTablesAreFound) {
  Make("a");
  Make("b", "jieyang");
  Make("c");
  Begin("c");
  EXPECT_THAT(Ids({}), ::testing::ElementsAre("a", "b", "c"));
  EXPECT_THAT(Ids({}, "a", 1), ::testing::ElementsAre("b"));
  EXPECT_THAT(Ids({.variant = "jieyang"}), ::testing::ElementsAre("b"));
  EXPECT_THAT(Ids({.stage = TableStage::kPlaying}), ::testing::ElementsAre("c"));
  EXPECT_THAT(Ids({.stage = TableStage::kSettling}), ::testing::IsEmpty());
  EXPECT_THAT(Ids({.player = PlayerId("b2")}), ::testing::ElementsAre("b"));
  EXPECT_THAT(Ids({.player = PlayerId("x")}), ::testing::IsEmpty());
  EXPECT_THAT(Ids({.unheld = true}), ::testing::ElementsAre("a", "b", "c")) << "no lease was begun";
  const auto found = operations().FindTables({.stage = TableStage::kPlaying}, TableId(), 10);
  ASSERT_TRUE(found.ok() && found->size() == 1);
  const FoundTable& table = found->front();
  EXPECT_EQ(table.variant, "chaozhou");
  EXPECT_EQ(table.base, 100);
  EXPECT_EQ(table.players[Seat::k3], PlayerId("c3"));
  EXPECT_EQ(table.round, RoundId("round-c"));
  EXPECT_EQ(table.round_number, 1);
  EXPECT_EQ(table.address, "");
  ASSERT_EQ(Try("a", {TableEnded{}}), Written());
  EXPECT_THAT(Ids({}), ::testing::ElementsAre("b", "c"));
}

TEST_P(OperationsContract, TheLatestOfAJournalIsListed) {
  Make("a");
  Begin("a");
  const auto latest = operations().LatestEvents(TableId("a"), 2);
  ASSERT_TRUE(latest.ok() && latest->size() == 2);
  EXPECT_EQ(latest->front().number, 5);
  EXPECT_EQ(latest->back().number, 6);
  EXPECT_NE(latest->back().kind, "");
  EXPECT_EQ(operations().LatestEvents(TableId("a"), 100)->size(), 6U);
  EXPECT_EQ(operations().LatestEvents(TableId("none"), 100)->size(), 0U);
}

TEST_P(OperationsContract, PagesFollowEachOther) {
  for (const char* id : {"a", "b", "c"}) Make(id);
  for (const char* request : {"1", "2", "3"}) {
    ASSERT_THAT(operations().WriteStop(Stop(request, WallTime{})), base::IsOkAndHolds(true));
  }
  const auto first = ListOperations(operations(), {.who = "eve"}, 2, "");
  ASSERT_TRUE(first.ok() && first->operations.size() == 2 && !first->next.empty());
  const auto second = ListOperations(operations(), {.who = "eve"}, 2, first->next);
  ASSERT_TRUE(second.ok() && second->operations.size() == 1);
  EXPECT_EQ(second->operations.front().request, RequestId("1"));
  EXPECT_EQ(second->next, "");
  EXPECT_THAT(ListOperations(operations(), {}, 2, first->next),
              base::FailsWith(base::Reason::kBadPageToken));
  EXPECT_THAT(ListOperations(operations(), {}, 101, ""),
              base::FailsWith(base::Reason::kBadPageSize));
  EXPECT_THAT(ListOperations(operations(), {}, 2, "x"),
              base::FailsWith(base::Reason::kBadPageToken));
  const auto tables = FindTables(operations(), {}, 2, "");
  ASSERT_TRUE(tables.ok() && tables->tables.size() == 2);
  EXPECT_THAT(FindTables(operations(), {.unheld = true}, 2, tables->next),
              base::FailsWith(base::Reason::kBadPageToken));
  EXPECT_EQ(FindTables(operations(), {}, 2, tables->next)->tables.front().id, TableId("c"));
  EXPECT_THAT(FindTables(operations(), {.variant = "chess"}, 2, ""),
              base::FailsWith(base::Reason::kUnknownVariant));
  EXPECT_THAT(FindTables(operations(), {.unsettled = std::chrono::seconds(-1)}, 2, ""),
              base::FailsWith(base::Reason::kBadAmount));
  EXPECT_THAT(FindTables(operations(), {}, -1, ""), base::FailsWith(base::Reason::kBadPageSize));
}

}  // namespace mj::table
