#include "tools/mahjongctl/crowd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace mj::mahjongctl {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CrowdTest, EverybodyComesOnceInPartiesThatCanBeSeated) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    std::set<std::string> players;
    std::size_t with_friends = 0;
    std::size_t fickle = 0;
    milliseconds last{0};
    for (const Party& party : DrawCrowd(2'000, milliseconds(5'000), "p", seed)) {
      EXPECT_THAT((std::set<std::size_t>{1, 2, 4}), ::testing::Contains(party.players.size()));
      players.insert(party.players.begin(), party.players.end());
      with_friends += party.players.size() > 1 ? 1U : 0U;
      fickle += party.changes_its_mind.has_value() ? 1U : 0U;
      EXPECT_GE(party.comes, last) << "by when they come";
      EXPECT_LT(party.comes, milliseconds(5'000));
      last = party.comes;
    }
    EXPECT_EQ(players.size(), 2'000U);
    EXPECT_GT(with_friends, 20U);
    EXPECT_GT(fickle, 100U);
  }
}

TEST(CrowdTest, TheSameSeedIsTheSameCrowd) {
  const auto names = [](std::uint64_t seed) {
    std::string text;
    for (const Party& party : DrawCrowd(40, milliseconds(1'000), "p", seed)) {
      for (const std::string& player : party.players) text += player + " ";
    }
    return text;
  };
  EXPECT_EQ(names(7), names(7));
  EXPECT_NE(names(7), names(8));
}

class FaultsTest : public ::testing::Test {
 protected:
  static Party Of(std::vector<std::string> players) {
    return {.players = std::move(players), .changes_its_mind = std::nullopt};
  }

  const std::vector<Party> crowd_{Of({"a", "b"}), Of({"c"}), Of({"d"})};
  std::vector<GivenSeat> seats_{{"a", "t", 0}, {"b", "t", 1}, {"c", "t", 2}, {"d", "t", 3}};
};

TEST_F(FaultsTest, NoneWhereEverybodySitsOnce) { EXPECT_THAT(FaultsOf(crowd_, seats_), IsEmpty()); }

TEST_F(FaultsTest, WhoHasNoSeat) {
  seats_.pop_back();
  EXPECT_THAT(FaultsOf(crowd_, seats_),
              ElementsAre("d has no seat", "table t has 3 players on 3 seats"));
}

TEST_F(FaultsTest, WhoSitsTwiceOrWithThemselves) {
  seats_[3].player = "c";
  EXPECT_THAT(FaultsOf(crowd_, seats_),
              ElementsAre("c has 2 seats", "d has no seat", "table t has 3 players on 4 seats"));
}

TEST_F(FaultsTest, TwoOnOneSeatAndASeatThatIsNone) {
  seats_[3].seat = 2;
  EXPECT_THAT(FaultsOf(crowd_, seats_), ElementsAre("table t has 4 players on 3 seats"));
  seats_[3].seat = 4;
  EXPECT_THAT(FaultsOf(crowd_, seats_), ElementsAre("table t has 4 players on 4 seats"));
}

TEST_F(FaultsTest, FriendsApartAndStrangers) {
  seats_[0] = {"e", "t", 0};
  for (const auto& [player, seat] :
       std::vector<std::pair<std::string, std::uint32_t>>{{"a", 0}, {"f", 1}, {"g", 2}, {"h", 3}}) {
    seats_.push_back({player, "u", seat});
  }
  EXPECT_THAT(
      FaultsOf(crowd_, seats_),
      ElementsAre("a sits without its friends", "e was not in the queue", "f was not in the queue",
                  "g was not in the queue", "h was not in the queue"));
}

TEST(PercentileTest, WhatSoManyDidNotExceed) {
  EXPECT_EQ(Percentile({}, 99), milliseconds(0));
  EXPECT_EQ(Percentile({milliseconds(5)}, 50), milliseconds(5));
  std::vector<milliseconds> times;
  for (int i = 200; i > 0; --i) times.emplace_back(i);
  EXPECT_EQ(Percentile(times, 50), milliseconds(100));
  EXPECT_EQ(Percentile(times, 99), milliseconds(198));
  EXPECT_EQ(Percentile(times, 100), milliseconds(200));
  EXPECT_EQ(Percentile(times, 0), milliseconds(1));
}

}  // namespace
}  // namespace mj::mahjongctl
