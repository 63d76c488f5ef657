// A table that is watched, and what its journal has to tell: for tests of watching.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/status_testing.h"
#include "services/table/app/history.h"
#include "services/table/app/world_testing.h"

namespace mj::table {

using WatchStream = std::shared_ptr<WatchSubscription>;

template <typename T>
int Count(const std::vector<Watched>& seen) {
  int count = 0;
  for (const Watched& watched : seen) count += std::holds_alternative<T>(*watched.event) ? 1 : 0;
  return count;
}

class WatchedTable : public ::testing::Test {
 protected:
  explicit WatchedTable(TableLimits limits = {}) : world_(1, limits) {}

  TableId Make(SettingValues settings = {{"watch_delay_ms", 0}},
               const std::string& variant = "chaozhou") {
    const auto made = world_.Create("match", World::Spec(variant), settings);
    EXPECT_THAT(made, base::IsOk());
    return made->id;
  }

  // Everything that there is to take now.
  std::vector<Watched> Read(const WatchStream& stream) {
    std::vector<Watched> seen;
    while (true) {
      world_.Run();
      WatchSubscription::Taken taken = stream->Take(7);
      end_ = taken.end;
      if (taken.events.empty()) return seen;
      seen.insert(seen.end(), taken.events.begin(), taken.events.end());
    }
  }
  std::vector<Watched> ReadAll(const TableId& table, Seat seat, StreamSeq after = 0) {
    const auto stream = world_.Watch(table, "x", seat, after);
    EXPECT_THAT(stream, base::IsOk());
    std::vector<Watched> seen = Read(*stream);
    // As it is now, whatever becomes of the stream.
    for (Watched& watched : seen) {
      const auto hand = watched.hand.Look();
      watched.hand = hand ? LentHand(std::make_shared<Lending>(), *hand) : LentHand();
    }
    (*stream)->Cancel();
    world_.Run();
    return seen;
  }

  // What the journal has to tell, with `seat`'s true hand after each event.
  struct Truth {
    StreamSeq sequence = 0;
    WallTime time{};
    std::shared_ptr<const WatchedEvent> event;
    tiles::TileCounts hand;
    bool playing = false;
  };
  std::vector<Truth> TruthOf(const TableId& table, Seat seat = Seat::k0) {
    std::vector<Truth> all;
    Fold fold;
    for (const LogEntry& entry : world_.memory.All(table)) {
      EXPECT_THAT(fold.Apply(entry), base::IsOk());
      if (!IsWatched(entry.event)) continue;
      const StreamSeq sequence = fold.numbers.last_watched();
      Truth truth{sequence, entry.time, SceneOf(fold.state, entry, sequence).event, {}, false};
      truth.playing = fold.state.stage() == TableStage::kPlaying;
      if (truth.playing) truth.hand = fold.state.round->play.seats[seat].hand.concealed;
      all.push_back(std::move(truth));
    }
    return all;
  }
  static void ExpectTold(const std::vector<Watched>& seen, const std::vector<Truth>& truth,
                         std::size_t from = 0) {
    ASSERT_EQ(seen.size() + from, truth.size());
    for (std::size_t i = 0; i < seen.size(); ++i) {
      EXPECT_EQ(seen[i].sequence, truth[from + i].sequence);
      EXPECT_EQ(seen[i].time, truth[from + i].time);
      EXPECT_TRUE(*seen[i].event == *truth[from + i].event) << i;
    }
  }

  std::optional<int> Told(const std::shared_ptr<Subscription>& stream) {
    world_.Run();
    const Subscription::Taken taken = stream->Take(1'000);
    if (!taken.notice) return std::nullopt;
    return taken.notice->observers;
  }

  World world_;
  std::optional<absl::Status> end_;
};

}  // namespace mj::table
