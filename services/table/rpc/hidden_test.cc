// Tiles that nobody may see make no difference to the bytes that are sent, to a seat or to whoever
// watches.
#include <gmock/gmock.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <gtest/gtest.h>

#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libs/variants/registry.h"
#include "services/table/app/gallery.h"
#include "services/table/app/hidden_testing.h"
#include "services/table/rpc/messages.h"
#include "tests/support/counts.h"
#include "tests/support/random.h"

namespace mj::table::rpc {
namespace {

// Maps in one order.
std::string Bytes(const google::protobuf::Message& message) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    message.SerializeToCodedStream(&coded);
  }
  return bytes;
}

std::vector<std::string> SentTo(const Replayed& play, Seat seat) {
  std::vector<std::string> sent;
  for (const Shown& shown : play.StreamOf(seat)) {
    proto::TableEvent event;
    ToProto(shown, event);
    sent.push_back(Bytes(event));
  }
  return sent;
}

struct SentToWatcher {
  std::vector<std::string> bytes;
  int hands = 0;
};
SentToWatcher SentToWhoWatches(const Replayed& play, Seat seat) {
  const std::vector<Scene> scenes = play.Scenes();
  Gallery gallery(8, std::chrono::milliseconds(0));
  gallery.Open(scenes.size(), play.bench.state.hand_shown);
  gallery.Settle(scenes);
  (void)gallery.Tell(play.bench.now);
  const auto reader = std::make_shared<WatchSubscription>(10'000);
  gallery.Enter(PlayerId("x"), seat, reader, 0, {}, [] {});
  SentToWatcher sent;
  for (const Watched& watched : reader->Take(10'000).events) {
    proto::WatchedEvent event;
    ToProto(watched, event);
    sent.hands += event.hand().empty() ? 0 : 1;
    sent.bytes.push_back(Bytes(event));
  }
  return sent;
}

class HiddenBytesTest : public ::testing::TestWithParam<const rules::Variant*> {
 protected:
  // `compare` gets each sample's two plays.
  template <typename Viewer, typename Compare>
  void ForSamples(Viewer viewer, Compare compare) {
    const std::string id(GetParam()->info().id);
    const std::int64_t samples = testing::Count(10'000);
    std::int64_t steps = 0;
    for (std::int64_t sample = 0; sample < samples; ++sample) {
      testing::Random random(static_cast<std::uint64_t>(sample) + 1);
      const auto seat = static_cast<Seat>(random.Below(4));
      const auto [hand, lender] = viewer(seat);
      const TwoPlays plays = PlayTwice(id, random, hand, lender);
      steps += plays.steps;
      SCOPED_TRACE(id + " sample " + std::to_string(sample));
      compare(plays, seat);
      if (HasFatalFailure()) return;
    }
    std::cout << "[  figures ] " << id << ": " << steps << " steps of " << samples << " samples\n";
    EXPECT_GT(steps, samples / 2);
  }
  struct Sees {
    std::optional<Seat> hand;
    std::optional<Seat> lender;
  };
};

INSTANTIATE_TEST_SUITE_P(Games, HiddenBytesTest,
                         ::testing::ValuesIn(variants::All().begin(), variants::All().end()),
                         [](const auto& game) { return std::string(game.param->info().id); });

TEST_P(HiddenBytesTest, ToASeat) {
  ForSamples([](Seat seat) { return Sees{seat, std::nullopt}; },
             [](const TwoPlays& plays, Seat seat) {
               ASSERT_EQ(SentTo(plays.one, seat), SentTo(plays.other, seat));
             });
}

TEST_P(HiddenBytesTest, ToWhoWatches) {
  ForSamples([](Seat) { return Sees{}; },
             [](const TwoPlays& plays, Seat seat) {
               const SentToWatcher sent = SentToWhoWatches(plays.one, seat);
               ASSERT_EQ(sent.bytes, SentToWhoWatches(plays.other, seat).bytes);
               ASSERT_EQ(sent.hands, 0);
             });
}

TEST_P(HiddenBytesTest, ToWhoWatchesFromASeatThatLendsItsHand) {
  int hands = 0;
  ForSamples([](Seat seat) { return Sees{seat, seat}; },
             [&hands](const TwoPlays& plays, Seat seat) {
               const SentToWatcher sent = SentToWhoWatches(plays.one, seat);
               ASSERT_EQ(sent.bytes, SentToWhoWatches(plays.other, seat).bytes);
               hands += sent.hands;
             });
  EXPECT_GT(hands, 0);
}

TEST_P(HiddenBytesTest, ToWhoWatchesFromAnotherSeatThanTheOneThatLends) {
  ForSamples([](Seat seat) { return Sees{std::nullopt, rules::After(seat)}; },
             [](const TwoPlays& plays, Seat seat) {
               const SentToWatcher sent = SentToWhoWatches(plays.one, seat);
               ASSERT_EQ(sent.bytes, SentToWhoWatches(plays.other, seat).bytes);
               ASSERT_EQ(sent.hands, 0);
             });
}

// Taken back, it is in nothing that is sent from then on, whatever happened before.
TEST_P(HiddenBytesTest, ToWhoWatchesFromASeatThatHasTakenItsHandBack) {
  ForSamples([](Seat seat) { return Sees{std::nullopt, seat}; },
             [](TwoPlays plays, Seat seat) {
               for (Replayed* play : {&plays.one, &plays.other}) {
                 play->bench.Do(DecideShowHand(play->bench.state, Bench::At(seat), false));
               }
               const SentToWatcher sent = SentToWhoWatches(plays.one, seat);
               ASSERT_EQ(sent.bytes, SentToWhoWatches(plays.other, seat).bytes);
               ASSERT_EQ(sent.hands, 0);
             });
}

}  // namespace
}  // namespace mj::table::rpc
