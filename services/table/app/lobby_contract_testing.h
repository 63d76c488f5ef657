// What every Lobby must show of what was journalled, as tests. Include in one test file of a room and
// instantiate:
//
//   INSTANTIATE_TEST_SUITE_P(Memory, LobbyContract, ::testing::Values([] { return … ; }));
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/status_testing.h"
#include "services/table/app/bench_testing.h"
#include "services/table/app/event_log.h"
#include "services/table/app/lobby.h"

namespace mj::table {

// A journal, and the lobby over it.
class LobbyFixture {
 public:
  virtual ~LobbyFixture() = default;
  virtual EventLog& log() = 0;
  virtual Lobby& lobby() = 0;
};
using MakeLobby = std::function<std::unique_ptr<LobbyFixture>()>;

class LobbyContract : public ::testing::TestWithParam<MakeLobby> {
 protected:
  // Makes a table at which nobody sits; what happens there is journalled by Do.
  void Make(const std::string& id, const std::string& variant, Coins base = 0,
            Currency currency = Currency::kCoin, bool watchable = true) {
    TableSpec spec;
    spec.settings.watchable = watchable ? 1 : 0;
    spec.variant = variant;
    spec.base = base;
    spec.currency = currency;
    Make(id, spec);
  }
  void Make(const std::string& id, const TableSpec& spec) {
    const LogEntry first{1, {}, TableCreated{TableId(id), RequestId("r" + id), *CheckSpec(spec)}};
    ASSERT_THAT(Apply(states_[id], first), base::IsOk());
    ASSERT_THAT(fixture_->log().Create(first, OwnerId("a")), base::IsOkAndHolds(Creation(Made{})));
  }
  void Do(const std::string& id, const Events& events) {
    TableState& state = states_[id];
    Append append{TableId(id), 1, {}};
    for (const TableEvent& event : events) {
      append.entries.push_back({state.last_seq + 1, {}, event});
      ASSERT_THAT(Apply(state, append.entries.back()), base::IsOk());
    }
    ASSERT_THAT(fixture_->log().Write(std::vector<Append>{append}),
                base::IsOkAndHolds(::testing::ElementsAre(Appended::kWritten)));
  }
  void Join(const std::string& id, Seat seat) {
    Do(id, {SeatTaken{seat, PlayerId(id + std::to_string(rules::IndexOf(seat)))}});
  }
  static TableSpec TableOfFour(const std::string& id, const std::string& variant, Coins base) {
    TableSpec spec;
    spec.variant = variant;
    spec.base = base;
    for (Seat seat : rules::kSeats) {
      spec.players[seat] = PlayerId(id + std::to_string(rules::IndexOf(seat)));
    }
    return spec;
  }
  std::vector<LobbyTable> List(const LobbyFilter& filter, const std::string& after = "",
                               std::int64_t limit = 100) {
    const auto listed = fixture_->lobby().List(filter, TableId(after), limit);
    EXPECT_THAT(listed, base::IsOk());
    return listed.ok() ? *listed : std::vector<LobbyTable>{};
  }
  std::vector<std::string> Ids(const LobbyFilter& filter, const std::string& after = "",
                               std::int64_t limit = 100) {
    std::vector<std::string> ids;
    for (const LobbyTable& table : List(filter, after, limit)) ids.push_back(table.id.value());
    return ids;
  }

  // The one table that there is.
  LobbyTable Only(const LobbyFilter& filter) {
    const std::vector<LobbyTable> all = List(filter);
    EXPECT_EQ(all.size(), 1U);
    return all.empty() ? LobbyTable{} : all.front();
  }

  std::map<std::string, TableState> states_;
  std::unique_ptr<LobbyFixture> fixture_ = GetParam()();
};

TEST_P(LobbyContract, ShowsOpenTablesOfAGameByAge) {
  Make("b", "guangdong");
  Make("a", "guangdong");
  Make("c", "guangdong");
  Make("d", "shaoguan");
  Make("e", "guangdong", 0, Currency::kPractice);
  EXPECT_THAT(Ids({.variant = "guangdong"}), ::testing::ElementsAre("a", "b", "c"));
  EXPECT_THAT(Ids({.variant = "guangdong"}, "a"), ::testing::ElementsAre("b", "c"));
  EXPECT_THAT(Ids({.variant = "guangdong"}, "a", 1), ::testing::ElementsAre("b"));
  EXPECT_THAT(Ids({.variant = "guangdong"}, "c"), ::testing::IsEmpty());
  EXPECT_THAT(Ids({.variant = "shaoguan"}), ::testing::ElementsAre("d"));
  EXPECT_THAT(Ids({.variant = "guangdong", .currency = Currency::kPractice}),
              ::testing::ElementsAre("e"));
  EXPECT_THAT(Ids({.variant = "chaozhou"}), ::testing::IsEmpty());
  Do("b", {TableEnded{}});
  EXPECT_THAT(Ids({.variant = "guangdong"}), ::testing::ElementsAre("a", "c"));
}

TEST_P(LobbyContract, ShowsWhoSitsWhereAndTheFreeSeats) {
  Make("a", "guangdong");
  Join("a", Seat::k2);
  EXPECT_EQ(Only({.variant = "guangdong"}).players,
            PerSeat<PlayerId>({PlayerId(), PlayerId(), PlayerId("a2"), PlayerId()}));
  for (Seat seat : {Seat::k0, Seat::k1, Seat::k3}) Join("a", seat);
  Make("b", "guangdong");
  EXPECT_THAT(Ids({.variant = "guangdong"}), ::testing::ElementsAre("a", "b"));
  EXPECT_THAT(Ids({.variant = "guangdong", .free_seats = true}), ::testing::ElementsAre("b"));
  Do("a", {SeatLeft{Seat::k1, PlayerId("a1"), LeaveReason::kLeft}});
  EXPECT_THAT(Ids({.variant = "guangdong", .free_seats = true}), ::testing::ElementsAre("a", "b"));
}

TEST_P(LobbyContract, ShowsTheStakesAsTheyStand) {
  Make("a", "shaoguan");
  Join("a", Seat::k0);
  Do("a", AskForStakes(states_["a"], NextProposer(states_["a"], 0), {10, 100}));
  EXPECT_EQ(Only({.variant = "shaoguan"}).base, 0);
  const StakesAnswer answer{StakesAnswer::Kind::kPropose, 100, {{"with_characters", "false"}}};
  Do("a", *DecideStakes(states_["a"], PlayerId("a0"), StakesRef(1), answer));
  const LobbyTable table = Only({.variant = "shaoguan"});
  EXPECT_EQ(table.base, 100);
  EXPECT_EQ(table.room, 100);
  EXPECT_EQ(table.options.at("with_characters"), "false");
  EXPECT_EQ(table.options.at("horses"), "4");
  EXPECT_THAT(Ids({.variant = "shaoguan", .room = 100}), ::testing::ElementsAre("a"));
  EXPECT_THAT(Ids({.variant = "shaoguan", .room = 10}), ::testing::IsEmpty());
  // Its player leaves, and another one is asked.
  Join("a", Seat::k1);
  Do("a", {SeatLeft{Seat::k0, PlayerId("a0"), LeaveReason::kLeft}});
  EXPECT_EQ(Only({.variant = "shaoguan"}).base, 0) << "void, before another one is asked";
  Do("a", AskForStakes(states_["a"], NextProposer(states_["a"], 0), {10, 100}));
  EXPECT_EQ(Only({.variant = "shaoguan"}).base, 0);
  EXPECT_THAT(Ids({.variant = "shaoguan", .room = 100}), ::testing::IsEmpty());
}

TEST_P(LobbyContract, TheStakesGoWithTheProposerOfThePlayersThatATableWasMadeWith) {
  Make("a", TableOfFour("a", "guangdong", 50));
  EXPECT_EQ(Only({.variant = "guangdong"}).base, 50);
  Do("a", {SeatLeft{Seat::k1, PlayerId("a1"), LeaveReason::kLeft}});
  EXPECT_EQ(Only({.variant = "guangdong"}).base, 50);
  Do("a", {SeatLeft{Seat::k0, PlayerId("a0"), LeaveReason::kLeft}});
  EXPECT_EQ(Only({.variant = "guangdong"}).base, 0);
  // Where they follow the coins they stay.
  Make("b", TableOfFour("b", "chaozhou", 100));
  Do("b", {SeatLeft{Seat::k0, PlayerId("b0"), LeaveReason::kLeft}});
  EXPECT_EQ(Only({.variant = "chaozhou"}).base, 100);
}

TEST_P(LobbyContract, ATableOfTheCoinsKeepsItsRoomWhateverItsBase) {
  Make("a", "chaozhou", 1'000);
  EXPECT_EQ(Only({.variant = "chaozhou"}).base, 1'000);
  Do("a", {BaseSet{10}});
  const LobbyTable table = Only({.variant = "chaozhou", .room = 1'000});
  EXPECT_EQ(table.base, 10);
  EXPECT_EQ(table.room, 1'000);
}

TEST_P(LobbyContract, ShowsWhetherATableCanBeWatched) {
  Make("a", "guangdong");
  Make("b", "guangdong", 0, Currency::kCoin, false);
  const auto tables = List({.variant = "guangdong"});
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_TRUE(tables[0].watchable);
  EXPECT_FALSE(tables[1].watchable);
}

TEST_P(LobbyContract, ShowsWhereATableStands) {
  Make("a", "chaozhou", 100);
  for (Seat seat : rules::kSeats) Join("a", seat);
  const auto stage = [this] { return Only({.variant = "chaozhou"}).stage; };
  EXPECT_EQ(stage(), TableStage::kWaiting);
  for (Seat seat : rules::kSeats) Do("a", {SeatReadied{seat, 1, {}}});
  Do("a", BeginRound(states_["a"], RoundId("r1"), {}));
  EXPECT_EQ(stage(), TableStage::kPlaying);
  EXPECT_EQ(states_["a"].stage(), TableStage::kPlaying);
}

}  // namespace mj::table
