// Pairs that are kept apart, as matching is told of them.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "libs/base/entropy.h"
#include "libs/base/status_testing.h"
#include "libs/base/uuid.h"
#include "services/matchmaking/app/match_round.h"
#include "services/matchmaking/store/pg_harness_testing.h"

namespace mj::matchmaking::store {
namespace {

using base::IsOk;

class KeptApartTest : public ::testing::Test {
 protected:
  static Wish WishOf(const std::string& player, const std::string& request) {
    Wish wish;
    wish.request = RequestId(request);
    wish.player = PlayerId(player);
    wish.pool = {.variant = "some-game", .base = 100, .currency = "COIN"};
    return wish;
  }
  void Queue(const std::vector<std::string>& party) {
    std::vector<TicketId> ids;
    std::vector<Wish> wishes;
    for (const std::string& player : party) {
      ids.push_back(TicketId(ids_.Next()));
      wishes.push_back(WishOf(player, party.front()));
    }
    EXPECT_THAT(harness_.store().TakeTickets(ids, wishes, Millis(3'600'000)), IsOk());
    harness_.Advance(Millis(1));
  }
  void KeepApart(const std::string& one, const std::string& other, const std::string& time) {
    harness_.database().Execute(
        "INSERT INTO matchmaking.kept_apart (player_id, other_id, kinds, round_ids, found_at,"
        " ends_at) SELECT '" +
        one + "', '" + other + "', '{flow}', '{}', t, t + interval '" + time +
        "' FROM clock.stands_at");
  }
  // Who is put together now.
  std::set<std::string> Matched() {
    std::set<std::string> players;
    const auto matches = MatchPools(harness_.store(), ids_, {});
    EXPECT_THAT(matches, IsOk());
    for (const Match& match : matches.value_or(std::vector<Match>())) {
      for (const Member& member : match.members) players.insert(member.player.value());
    }
    return players;
  }

  PgHarness harness_{2};
  base::SystemClock clock_;
  base::SystemEntropy entropy_;
  base::UuidGenerator ids_{clock_, entropy_};
};

TEST_F(KeptApartTest, TheTwoAreNotSeatedTogetherAndEachPlaysWithEverybodyElse) {
  KeepApart("a", "b", "30 days");
  for (const char* player : {"a", "b", "c", "d"}) Queue({player});
  EXPECT_EQ(Matched(), std::set<std::string>());
  harness_.Advance(Millis(60'000));
  EXPECT_EQ(Matched(), std::set<std::string>()) << "however long they wait";
  Queue({"e"});
  EXPECT_EQ(Matched(), (std::set<std::string>{"a", "c", "d", "e"})) << "no ban";
}

TEST_F(KeptApartTest, WhenItsTimeIsOverTheyMeetAgain) {
  KeepApart("a", "b", "1 minute");
  for (const char* player : {"a", "b", "c", "d"}) Queue({player});
  EXPECT_EQ(Matched(), std::set<std::string>());
  harness_.Advance(Millis(60'000));
  EXPECT_EQ(Matched().size(), 4U);
}

TEST_F(KeptApartTest, FriendsWhoComeTogetherAreNotParted) {
  KeepApart("a", "b", "30 days");
  Queue({"a", "b"});
  for (const char* player : {"c", "d"}) Queue({player});
  EXPECT_EQ(Matched(), (std::set<std::string>{"a", "b", "c", "d"}));
}

}  // namespace
}  // namespace mj::matchmaking::store
