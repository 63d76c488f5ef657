// Ratings under races, lost connections and replays: each round counts once, in the order of the feed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/base/strings.h"
#include "services/matchmaking/app/rate.h"
#include "services/matchmaking/store/pg_harness_testing.h"
#include "tests/support/counts.h"
#include "tests/support/random.h"

namespace mj::matchmaking::store {
namespace {

// A feed that tells `rounds` in batches of what size ever; a position is how many were told.
class Story {
 public:
  explicit Story(int rounds) {
    testing::Random random(7);
    for (int i = 0; i < rounds; ++i) {
      EndedRound& round = rounds_.emplace_back();
      round.round = "r" + std::to_string(i);
      round.variant = i % 3 == 0 ? "chaozhou" : "guangdong";
      round.currency = "COIN";
      round.settled = i % 7 != 0;
      const auto first = static_cast<std::size_t>(random.Below(8));
      for (std::size_t seat = 0; seat < kSeats; ++seat) {
        round.players[seat] = PlayerId("p" + std::to_string((first + seat * 3) % 13));
        round.coins[seat] = static_cast<std::int64_t>(random.Below(5)) - 2;
      }
      round.ended_at = base::WallTime(std::chrono::seconds(1'000'000'000 + i));
    }
  }
  [[nodiscard]] std::size_t size() const { return rounds_.size(); }
  [[nodiscard]] FeedBatch<EndedRound> After(const std::string& position, std::size_t most) const {
    const std::size_t from = position.empty() ? 0 : std::stoul(position);
    const std::size_t to = std::min(rounds_.size(), from + most);
    return {{rounds_.begin() + static_cast<std::ptrdiff_t>(from),
             rounds_.begin() + static_cast<std::ptrdiff_t>(to)},
            std::to_string(to)};
  }
  // "player variant mean spread rounds" of everybody, sorted.
  [[nodiscard]] std::string Expected() const {
    std::map<std::pair<std::string, std::string>, std::pair<rating::Rating, int>> ratings;
    for (const EndedRound& round : rounds_) {
      if (!Counts(round)) continue;
      std::array<rating::Rating, kSeats> before;
      for (std::size_t seat = 0; seat < kSeats; ++seat) {
        before[seat] = ratings[{round.players[seat].value(), round.variant}].first;
      }
      const auto after = RatingsAfter(round, before);
      for (std::size_t seat = 0; seat < kSeats; ++seat) {
        auto& [rating, count] = ratings[{round.players[seat].value(), round.variant}];
        rating = after[seat];
        ++count;
      }
    }
    std::string lines;
    for (const auto& [who, row] : ratings) {
      lines += base::Cat(who.first, " ", who.second, " ", std::to_string(row.first.mean), " ",
                         std::to_string(row.first.spread), " ", std::to_string(row.second), "\n");
    }
    return lines;
  }

 private:
  std::vector<EndedRound> rounds_;
};

std::string Ratings(const pg::testing::Database& database) {
  return database.Execute(
      "SELECT string_agg(concat_ws(' ', player_id, variant, mean, spread, rounds) || E'\\n', ''"
      "                  ORDER BY player_id COLLATE \"C\", variant) FROM matchmaking.ratings");
}

// A replica that follows without asking whose turn it is, as one that was paused does; and hears of no
// answer now and then.
void Follow(FeedStore& store, const Story& story, std::uint64_t seed, std::atomic<bool>& told) {
  testing::Random random(seed);
  std::string position;
  while (!told) {
    const auto claimed =
        store.ClaimFeed(Feed::kEndedRounds, "replica-" + std::to_string(seed), Millis(0));
    if (!claimed.ok() || !*claimed) continue;
    position = **claimed;
    // Several batches without looking where the feed is: the other is there meanwhile.
    for (int batches = 1 + random.Below(4); batches > 0; --batches) {
      const auto batch = story.After(position, static_cast<std::size_t>(1 + random.Below(5)));
      const auto applied = store.ApplyRounds(position, batch);
      if (!applied.ok()) break;  // nobody knows whether it was written
      if (*applied && batch.position == std::to_string(story.size())) told = true;
      // What another has written is tried once more all the same, as by one who does not know.
      if (*applied || random.OneIn(2)) position = batch.position;
    }
  }
}

TEST(FeedRacesTest, TwoReplicasAndCutConnectionsCountEachRoundOnce) {
  const Story story(static_cast<int>(testing::Count(2'000)));
  PgHarness harness(4);
  std::atomic<bool> told = false;
  std::vector<std::thread> replicas;
  for (const std::uint64_t seed : {1U, 2U}) {
    replicas.emplace_back([&, seed] { Follow(harness.feeds(), story, seed, told); });
  }
  while (!told) {
    harness.database().Execute(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        "   AND state = 'idle in transaction'");
  }
  for (std::thread& replica : replicas) replica.join();
  EXPECT_EQ(Ratings(harness.database()), story.Expected());
  EXPECT_EQ(
      harness.database().Execute("SELECT count(*) = 4 * (SELECT count(*) FROM"
                                 " matchmaking.rated_rounds) FROM matchmaking.rating_changes"),
      "t");

  // Told all over again, from the oldest.
  ASSERT_THAT(harness.feeds().ApplyRounds(std::to_string(story.size()), {{}, ""}),
              base::IsOkAndHolds(true));
  for (std::string position; position != std::to_string(story.size());) {
    const auto batch = story.After(position, 50);
    ASSERT_THAT(harness.feeds().ApplyRounds(position, batch), base::IsOkAndHolds(true));
    position = batch.position;
  }
  EXPECT_EQ(Ratings(harness.database()), story.Expected());
}

// Every rating can be followed back through what each round changed.
TEST(FeedRacesTest, ChangesLeadFromANewcomerToTheRating) {
  const Story story(60);
  PgHarness harness;
  ASSERT_THAT(harness.feeds().ApplyRounds("", story.After("", 60)), base::IsOkAndHolds(true));
  EXPECT_EQ(harness.database().Execute(
                "SELECT count(*) FROM matchmaking.ratings r WHERE NOT EXISTS"
                " (SELECT FROM matchmaking.rating_changes c JOIN matchmaking.rated_rounds d"
                "    USING (round_id) WHERE c.player_id = r.player_id AND d.variant = r.variant"
                "     AND c.mean_after = r.mean AND c.spread_after = r.spread)"),
            "0");
}

}  // namespace
}  // namespace mj::matchmaking::store
