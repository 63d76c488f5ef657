// What every EventLog must do, as tests. Include in one test file of a room and instantiate:
//
//   INSTANTIATE_TEST_SUITE_P(Memory, EventLogContract, ::testing::Values([] { return … ; }));
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libs/base/status_testing.h"
#include "services/table/app/event_log.h"
#include "services/table/app/leases.h"

namespace mj::table {

// A log, who holds its tables, and whatever both live on.
class EventLogFixture {
 public:
  virtual ~EventLogFixture() = default;
  virtual EventLog& log() = 0;
  virtual Leases& leases() = 0;
};
using MakeEventLog = std::function<std::unique_ptr<EventLogFixture>()>;

class EventLogContract : public ::testing::TestWithParam<MakeEventLog> {
 protected:
  static TableSpec Spec(const std::vector<std::string>& players) {
    TableSpec spec;
    spec.variant = "chaozhou";
    spec.options = {{"max_multiplier", "10"}};
    spec.base = 100;
    for (std::size_t i = 0; i < players.size(); ++i) {
      spec.players[rules::kSeats[i]] = PlayerId(players[i]);
    }
    return spec;
  }

  static WallTime At(int ms) { return WallTime(std::chrono::milliseconds(1'767'225'600'000 + ms)); }

  static LogEntry First(const std::string& table, const std::string& request,
                        const std::vector<std::string>& players) {
    return {1, At(0), TableCreated{TableId(table), RequestId(request), Spec(players)}};
  }

  // Makes a table of four players "<table>-0" to "-3".
  void Make(const std::string& table) {
    std::vector<std::string> players;
    for (int i = 0; i < 4; ++i) players.push_back(table + "-" + std::to_string(i));
    ASSERT_THAT(log().Create(First(table, "request-" + table, players), kOwner),
                base::IsOkAndHolds(Creation(Made{})));
  }

  static LogEntry Readied(std::int64_t seq, Seat seat) {
    return {seq, At(static_cast<int>(seq)), SeatReadied{seat, 1, {}}};
  }

  Appended WriteOne(const Append& append) {
    const auto written = log().Write(std::vector<Append>{append});
    EXPECT_THAT(written, base::IsOk());
    return written.ok() ? written->at(0) : Appended::kRefused;
  }

  std::vector<LogEntry> All(const std::string& table) {
    const auto all = log().Read(TableId(table), 0, 1'000);
    EXPECT_THAT(all, base::IsOk());
    return all.ok() ? *all : std::vector<LogEntry>{};
  }

  static inline const OwnerId kOwner{"a"};

  EventLog& log() { return fixture_->log(); }

  std::unique_ptr<EventLogFixture> fixture_ = GetParam()();
};

TEST_P(EventLogContract, ReadsBackWhatWasWrittenInOrder) {
  Make("t");
  const std::vector<LogEntry> more{Readied(2, Seat::k0), Readied(3, Seat::k3)};
  EXPECT_EQ(WriteOne({TableId("t"), 1, more}), Appended::kWritten);
  const auto all = All("t");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0], First("t", "request-t", {"t-0", "t-1", "t-2", "t-3"}));
  EXPECT_EQ(all[1], more[0]);
  EXPECT_EQ(all[2], more[1]);
}

TEST_P(EventLogContract, ReadsInPages) {
  Make("t");
  EXPECT_EQ(WriteOne({TableId("t"), 1, {Readied(2, Seat::k0), Readied(3, Seat::k1)}}),
            Appended::kWritten);
  const auto page = log().Read(TableId("t"), 1, 1);
  ASSERT_THAT(page, base::IsOk());
  ASSERT_EQ(page->size(), 1U);
  EXPECT_EQ(page->at(0).seq, 2);
  EXPECT_THAT(log().Read(TableId("t"), 3, 10), base::IsOkAndHolds(::testing::IsEmpty()));
  EXPECT_THAT(log().Read(TableId("nobody"), 0, 10), base::IsOkAndHolds(::testing::IsEmpty()));
}

TEST_P(EventLogContract, ARequestMakesOneTable) {
  Make("t");
  EXPECT_THAT(log().Create(First("other", "request-t", {"x"}), kOwner),
              base::IsOkAndHolds(Creation(MadeBefore{TableId("t")})));
  EXPECT_TRUE(All("other").empty());
}

TEST_P(EventLogContract, MakingTheSameTableAgainIsMakingIt) {
  Make("t");
  Make("t");
  EXPECT_EQ(All("t").size(), 1U);
}

TEST_P(EventLogContract, ABusyPlayerMakesNoTable) {
  Make("t");
  EXPECT_THAT(log().Create(First("u", "request-u", {"new", "t-2"}), kOwner),
              base::IsOkAndHolds(Creation(Busy{PlayerId("t-2")})));
  EXPECT_TRUE(All("u").empty());
  EXPECT_THAT(log().Create(First("v", "request-v", {"new"}), kOwner),
              base::IsOkAndHolds(Creation(Made{})));
}

TEST_P(EventLogContract, TheSameAppendAgainIsWrittenOnce) {
  Make("t");
  const Append append{TableId("t"), 1, {Readied(2, Seat::k0), Readied(3, Seat::k1)}};
  EXPECT_EQ(WriteOne(append), Appended::kWritten);
  EXPECT_EQ(WriteOne(append), Appended::kWritten);
  EXPECT_EQ(All("t").size(), 3U);
}

TEST_P(EventLogContract, AnotherEventUnderATakenNumberIsRefused) {
  Make("t");
  EXPECT_EQ(WriteOne({TableId("t"), 1, {Readied(2, Seat::k0)}}), Appended::kWritten);
  EXPECT_EQ(WriteOne({TableId("t"), 1, {Readied(2, Seat::k1)}}), Appended::kNotOwner);
  EXPECT_EQ(WriteOne({TableId("t"), 1, {Readied(2, Seat::k0), Readied(3, Seat::k1)}}),
            Appended::kNotOwner);
  EXPECT_EQ(All("t").size(), 2U);
}

TEST_P(EventLogContract, AGapIsRefused) {
  Make("t");
  EXPECT_EQ(WriteOne({TableId("t"), 1, {Readied(3, Seat::k0)}}), Appended::kNotOwner);
  EXPECT_EQ(All("t").size(), 1U);
}

TEST_P(EventLogContract, AnUnknownTableIsRefused) {
  EXPECT_EQ(WriteOne({TableId("nobody"), 1, {Readied(2, Seat::k0)}}), Appended::kNotOwner);
}

TEST_P(EventLogContract, AnotherEpochIsFenced) {
  Make("t");
  // Its owner has no lease.
  ASSERT_THAT(fixture_->leases().TakeSome(OwnerId("b"), 1), base::IsOk());
  EXPECT_EQ(WriteOne({TableId("t"), 1, {Readied(2, Seat::k0)}}), Appended::kNotOwner);
  EXPECT_EQ(WriteOne({TableId("t"), 2, {Readied(2, Seat::k0)}}), Appended::kWritten);
  EXPECT_EQ(WriteOne({TableId("t"), 3, {Readied(3, Seat::k0)}}), Appended::kNotOwner);
}

TEST_P(EventLogContract, OneBadAppendDoesNotHinderTheOthersOfItsGroup) {
  Make("a");
  Make("b");
  Make("c");
  const auto written = log().Write(std::vector<Append>{
      {TableId("a"), 1, {Readied(2, Seat::k0)}},
      {TableId("b"), 1, {Readied(7, Seat::k0)}},
      {TableId("nobody"), 1, {Readied(2, Seat::k0)}},
      {TableId("c"), 1, {Readied(2, Seat::k0), Readied(3, Seat::k1)}},
  });
  EXPECT_THAT(written,
              base::IsOkAndHolds(::testing::ElementsAre(Appended::kWritten, Appended::kNotOwner,
                                                        Appended::kNotOwner, Appended::kWritten)));
  EXPECT_EQ(All("a").size(), 2U);
  EXPECT_EQ(All("b").size(), 1U);
  EXPECT_EQ(All("c").size(), 3U);
}

TEST_P(EventLogContract, APlayerSitsAtOneTable) {
  Make("t");
  ASSERT_THAT(log().Create(First("u", "request-u", {"x"}), kOwner),
              base::IsOkAndHolds(Creation(Made{})));
  const Append busy{TableId("u"), 1, {{2, At(2), SeatTaken{Seat::k1, PlayerId("t-0")}}}};
  EXPECT_EQ(WriteOne(busy), Appended::kPlayerBusy);
  EXPECT_EQ(All("u").size(), 1U);
  EXPECT_EQ(WriteOne({TableId("t"), 1, {{2, At(2), SeatLeft{Seat::k0, PlayerId("t-0"), {}}}}}),
            Appended::kWritten);
  EXPECT_EQ(WriteOne(busy), Appended::kWritten);
}

TEST_P(EventLogContract, AnEndedTableKeepsNobody) {
  Make("t");
  EXPECT_EQ(
      WriteOne({TableId("t"),
                1,
                {{2, At(2), SeatLeft{Seat::k0, PlayerId("t-0"), {}}}, {3, At(2), TableEnded{}}}}),
      Appended::kWritten);
  EXPECT_THAT(log().Create(First("u", "request-u", {"t-0", "t-1", "t-2", "t-3"}), kOwner),
              base::IsOkAndHolds(Creation(Made{})));
}

}  // namespace mj::table
