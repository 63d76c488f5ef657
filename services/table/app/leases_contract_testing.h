// What every Leases must do, as tests. Include in one test file of a room and instantiate:
//
//   INSTANTIATE_TEST_SUITE_P(Memory, LeasesContract, ::testing::Values([] { return … ; }));
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "libs/base/status_testing.h"
#include "services/table/app/event_log.h"
#include "services/table/app/leases.h"

namespace mj::table {

// Leases, the log whose tables are held, and whatever both live on.
class LeasesFixture {
 public:
  virtual ~LeasesFixture() = default;
  virtual EventLog& log() = 0;
  virtual Leases& leases() = 0;
  // Lets time pass, by the store's clock.
  virtual void Wait(std::chrono::milliseconds time) = 0;
};
using MakeLeases = std::function<std::unique_ptr<LeasesFixture>()>;

class LeasesContract : public ::testing::TestWithParam<MakeLeases> {
 protected:
  using Holding = std::variant<HeldTable, Elsewhere>;
  static constexpr std::chrono::milliseconds kLong{60'000};
  static constexpr std::chrono::milliseconds kShort{30};

  static Owner Process(const std::string& id, const std::string& instance = "") {
    return {OwnerId(id), instance, id + ":1"};
  }
  void Begin(const std::string& id, const std::string& instance = "",
             std::chrono::milliseconds time = kLong) {
    ASSERT_THAT(leases().Begin(Process(id, instance), time), base::IsOk());
  }
  // Its lease is over when this returns.
  void BeginAndDie(const std::string& id) {
    Begin(id, "", kShort);
    fixture_->Wait(kShort * 2);
  }
  void Make(const std::string& table, const std::string& owner) {
    TableSpec spec;
    spec.variant = "chaozhou";
    spec.base = 100;
    const LogEntry first{1, {}, TableCreated{TableId(table), RequestId("r-" + table), spec}};
    ASSERT_THAT(log().Create(first, OwnerId(owner)), base::IsOkAndHolds(Creation(Made{})));
  }
  Appended Append(const std::string& table, std::int64_t epoch, std::int64_t seq,
                  TableEvent event = ClocksRestarted{}) {
    const auto written = log().Write(
        std::vector<mj::table::Append>{{TableId(table), epoch, {{seq, {}, std::move(event)}}}});
    EXPECT_THAT(written, base::IsOk());
    return written.ok() ? written->at(0) : Appended::kRefused;
  }
  absl::StatusOr<Holding> Take(const std::string& table, const std::string& owner) {
    return leases().Take(TableId(table), OwnerId(owner));
  }
  std::vector<std::string> TakeSome(const std::string& owner, std::int64_t limit = 100) {
    const auto taken = leases().TakeSome(OwnerId(owner), limit);
    EXPECT_THAT(taken, base::IsOk());
    std::vector<std::string> ids;
    if (!taken.ok()) return ids;
    for (const HeldTable& held : *taken) ids.push_back(held.table.value());
    std::sort(ids.begin(), ids.end());
    return ids;
  }
  static Holding Held(const std::string& table, std::int64_t epoch) {
    return HeldTable{TableId(table), epoch};
  }

  EventLog& log() { return fixture_->log(); }
  Leases& leases() { return fixture_->leases(); }

  std::unique_ptr<LeasesFixture> fixture_ = GetParam()();
};

TEST_P(LeasesContract, WhoMakesATableHoldsIt) {
  Begin("a");
  Begin("b");
  Make("t", "a");
  EXPECT_THAT(Take("t", "b"), base::IsOkAndHolds(Holding(Elsewhere{"a:1"})));
  EXPECT_THAT(TakeSome("b"), ::testing::IsEmpty());
  EXPECT_THAT(leases().ListHeld(OwnerId("a")),
              base::IsOkAndHolds(::testing::ElementsAre(HeldTable{TableId("t"), 1})));
}

TEST_P(LeasesContract, EachTakingIsAnEpochOfItsOwn) {
  Begin("a");
  Make("t", "a");
  EXPECT_THAT(Take("t", "a"), base::IsOkAndHolds(Held("t", 2)));
  EXPECT_THAT(Take("t", "a"), base::IsOkAndHolds(Held("t", 3)));
  EXPECT_EQ(Append("t", 2, 2), Appended::kNotOwner);
  EXPECT_EQ(Append("t", 3, 2), Appended::kWritten);
}

TEST_P(LeasesContract, ATableOfADeadProcessIsTakenAndFencedAgainstIt) {
  BeginAndDie("a");
  Make("t", "a");
  Begin("b");
  EXPECT_EQ(Append("t", 1, 2), Appended::kWritten) << "nobody has taken it yet";
  EXPECT_THAT(Take("t", "b"), base::IsOkAndHolds(Held("t", 2)));
  EXPECT_EQ(Append("t", 1, 3), Appended::kNotOwner);
  EXPECT_EQ(Append("t", 2, 3), Appended::kWritten);
}

TEST_P(LeasesContract, ATableOfAProcessThatNeverWasIsTaken) {
  Make("t", "ghost");
  Begin("b");
  EXPECT_THAT(TakeSome("b"), ::testing::ElementsAre("t"));
}

// A process that is slow would else take its own tables from itself, again and again.
TEST_P(LeasesContract, WhatAProcessHasTakenItDoesNotTakeAnewWhenItsLeaseIsOver) {
  BeginAndDie("a");
  Make("t", "a");
  Make("u", "ghost");
  EXPECT_THAT(TakeSome("a"), ::testing::ElementsAre("u"));
  EXPECT_THAT(TakeSome("a"), ::testing::IsEmpty());
}

TEST_P(LeasesContract, ALeaseLastsAsItsLatestRenewalSays) {
  Begin("a");
  BeginAndDie("b");
  Make("t", "a");
  Make("u", "b");
  EXPECT_THAT(leases().Renew(Process("b"), kLong), base::IsOkAndHolds(false));
  EXPECT_THAT(leases().Renew(Process("a"), kShort), base::IsOkAndHolds(true));
  fixture_->Wait(kShort * 2);
  Begin("c");
  EXPECT_THAT(Take("t", "c"), base::IsOkAndHolds(Held("t", 2)));
  EXPECT_THAT(Take("u", "c"), base::IsOkAndHolds(Holding(Elsewhere{"b:1"})));
}

TEST_P(LeasesContract, ALeaseThatHadRunOutIsSaidSo) {
  BeginAndDie("a");
  EXPECT_THAT(leases().Renew(Process("a"), kLong), base::IsOkAndHolds(false));
  EXPECT_THAT(leases().Renew(Process("a"), kLong), base::IsOkAndHolds(true));
  EXPECT_THAT(leases().Renew(Process("never-began"), kLong), base::IsOkAndHolds(false));
}

TEST_P(LeasesContract, AnAddressMayBecomeKnownLater) {
  Owner a = Process("a");
  a.address.clear();
  ASSERT_THAT(leases().Begin(a, kLong), base::IsOk());
  Make("t", "a");
  Begin("b");
  EXPECT_THAT(Take("t", "b"), base::IsOkAndHolds(Holding(Elsewhere{""})));
  ASSERT_THAT(leases().Renew(Process("a"), kLong), base::IsOk());
  EXPECT_THAT(Take("t", "b"), base::IsOkAndHolds(Holding(Elsewhere{"a:1"})));
}

TEST_P(LeasesContract, AnInstanceThatBeginsAnewEndsItsFormerSelf) {
  Begin("a1", "a");
  Make("t", "a1");
  Begin("b", "b");
  EXPECT_THAT(TakeSome("b"), ::testing::IsEmpty());
  Begin("a2", "a");
  EXPECT_THAT(TakeSome("a2"), ::testing::ElementsAre("t"));
  EXPECT_THAT(leases().Renew(Process("a1", "a"), kLong), base::IsOkAndHolds(false));
  EXPECT_THAT(Take("t", "b"), base::IsOkAndHolds(Holding(Elsewhere{"a2:1"})))
      << "a former self that still lives takes nothing back";
}

TEST_P(LeasesContract, WhoEndsHoldsNothing) {
  Begin("a");
  Make("t", "a");
  ASSERT_THAT(leases().End(OwnerId("a")), base::IsOk());
  Begin("b");
  EXPECT_THAT(TakeSome("b"), ::testing::ElementsAre("t"));
}

TEST_P(LeasesContract, ManyAreTakenInParts) {
  for (const char* table : {"t1", "t2", "t3", "t4", "t5"}) Make(table, "ghost");
  Begin("a");
  Begin("b");
  EXPECT_THAT(TakeSome("a", 2), ::testing::SizeIs(2));
  EXPECT_THAT(TakeSome("b", 2), ::testing::SizeIs(2));
  EXPECT_THAT(TakeSome("a", 2), ::testing::SizeIs(1));
  EXPECT_THAT(TakeSome("a", 2), ::testing::IsEmpty());
  EXPECT_THAT(leases().ListHeld(OwnerId("a")), base::IsOkAndHolds(::testing::SizeIs(3)));
  EXPECT_THAT(leases().ListHeld(OwnerId("b")), base::IsOkAndHolds(::testing::SizeIs(2)));
}

TEST_P(LeasesContract, AClosedTableIsNobodysToHold) {
  Begin("a");
  Begin("b");
  Make("t", "a");
  ASSERT_EQ(Append("t", 1, 2, TableEnded{}), Appended::kWritten);
  EXPECT_THAT(Take("t", "b"), base::IsOkAndHolds(Held("t", 1)));
  EXPECT_THAT(Take("t", "a"), base::IsOkAndHolds(Held("t", 1)));
  ASSERT_THAT(leases().End(OwnerId("a")), base::IsOk());
  EXPECT_THAT(TakeSome("b"), ::testing::IsEmpty());
  EXPECT_THAT(leases().ListHeld(OwnerId("a")), base::IsOkAndHolds(::testing::IsEmpty()));
}

TEST_P(LeasesContract, AnUnknownTableIsSaidSo) {
  Begin("a");
  EXPECT_THAT(Take("nothing", "a"), base::FailsWith(base::Reason::kTableNotFound));
}

TEST_P(LeasesContract, TablesAreGivenEvenlyToThoseWhoLive) {
  Begin("a");
  Begin("b");
  Begin("c");
  BeginAndDie("d");
  Begin("e");
  ASSERT_THAT(leases().Retire(OwnerId("e")), base::IsOk());
  std::vector<HeldTable> all;
  for (const char* table : {"t1", "t2", "t3", "t4"}) {
    Make(table, "a");
    all.push_back({TableId(table), 1});
  }
  const auto given = leases().GiveAway(OwnerId("a"), all);
  ASSERT_THAT(given, base::IsOk());
  ASSERT_EQ(given->size(), 4U);
  EXPECT_EQ(std::count(given->begin(), given->end(), "b:1"), 2);
  EXPECT_EQ(std::count(given->begin(), given->end(), "c:1"), 2);
  EXPECT_EQ(Append("t1", 1, 2), Appended::kNotOwner);
  const std::vector<std::string> to_b = TakeSome("b");
  EXPECT_THAT(to_b, ::testing::SizeIs(2));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_b = std::count(to_b.begin(), to_b.end(), all[i].table.value()) > 0;
    EXPECT_EQ(given->at(i), is_b ? "b:1" : "c:1") << i;
    const auto taken = Take(all[i].table.value(), is_b ? "b" : "c");
    ASSERT_THAT(taken, base::IsOk());
    EXPECT_EQ(Append(all[i].table.value(), std::get<HeldTable>(*taken).epoch, 2),
              Appended::kWritten);
  }
  EXPECT_THAT(leases().ListHeld(OwnerId("a")), base::IsOkAndHolds(::testing::IsEmpty()));
}

TEST_P(LeasesContract, WhatNobodyCanBeGivenIsNobodys) {
  Begin("a");
  Make("t", "a");
  EXPECT_THAT(leases().GiveAway(OwnerId("a"), std::vector<HeldTable>{{TableId("t"), 1}}),
              base::IsOkAndHolds(::testing::ElementsAre("")));
  Begin("b");
  EXPECT_THAT(TakeSome("b"), ::testing::ElementsAre("t"));
}

TEST_P(LeasesContract, WhatIsSomebodyElsesIsNotGiven) {
  BeginAndDie("a");
  Begin("b");
  Begin("c");
  Make("t", "a");
  ASSERT_THAT(Take("t", "b"), base::IsOkAndHolds(Held("t", 2)));
  EXPECT_THAT(leases().GiveAway(OwnerId("a"), std::vector<HeldTable>{{TableId("t"), 1}}),
              base::IsOkAndHolds(::testing::ElementsAre("")));
  EXPECT_THAT(leases().GiveAway(OwnerId("b"), std::vector<HeldTable>{{TableId("t"), 1}}),
              base::IsOkAndHolds(::testing::ElementsAre("")))
      << "an epoch that is over";
  EXPECT_THAT(Take("t", "c"), base::IsOkAndHolds(Holding(Elsewhere{"b:1"})));
}

}  // namespace mj::table
