#include "libs/wire/round_record.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <variant>

#include "libs/base/status_testing.h"
#include "libs/round/decide.h"
#include "libs/tiles/mpsz.h"
#include "libs/wire/played_testing.h"

namespace mj::wire {
namespace {

namespace record = ::mahjong::record::v1;

// Through the bytes, as a journal does it.
absl::StatusOr<round::Event> StoredAndRead(const round::Event& event) {
  record::RoundEvent written;
  ToRecord(event, written);
  record::RoundEvent read;
  EXPECT_TRUE(read.ParseFromString(written.SerializeAsString()));
  return FromRecord(read);
}

TEST(RoundRecordTest, EveryEventOfPlayComesBack) {
  std::array<int, std::variant_size_v<round::Event>> seen{};
  ForEachPlayedStep(100, [&](const PlayedStep& step) {
    ++seen[step.event.index()];
    const auto read = StoredAndRead(step.event);
    ASSERT_THAT(read, base::IsOk());
    ASSERT_EQ(*read, step.event) << "kind " << step.event.index();
  });
  for (std::size_t kind = 0; kind < seen.size(); ++kind) {
    // Nobody leaves in random play, and hardly anybody wins with horses: see below.
    const bool rare = kind == round::Event(round::LeaveNoted{}).index() ||
                      kind == round::Event(round::HorsesTurned{}).index();
    EXPECT_TRUE(seen[kind] > 0 || rare) << "kind " << kind;
  }
}

TEST(RoundRecordTest, ReplayingWhatWasStoredGivesTheSameState) {
  round::State replayed;
  ForEachPlayedStep(5, [&](const PlayedStep& step) {
    if (std::holds_alternative<round::RoundBegan>(step.event)) replayed = {};
    const auto read = StoredAndRead(step.event);
    ASSERT_THAT(read, base::IsOk());
    round::Apply(step.setup, replayed, *read);
    ASSERT_EQ(replayed, step.state);
  });
}

TEST(RoundRecordTest, HorsesComeBack) {
  round::HorsesTurned turned;
  for (const char* horse : {"1p", "5s", "7z", "1p"}) {
    ASSERT_TRUE(turned.horses.push_back(*tiles::ParseTile(horse)));
  }
  EXPECT_THAT(StoredAndRead(turned), base::IsOkAndHolds(round::Event(turned)));
  EXPECT_THAT(StoredAndRead(round::HorsesTurned{}),
              base::IsOkAndHolds(round::Event(round::HorsesTurned{})));
}

TEST(RoundRecordTest, EndsThatNeedALeaverComeBack) {
  using round::Outcome;
  using round::VoidReason;
  for (const VoidReason reason : {VoidReason::kEscape, VoidReason::kConnectionLost,
                                  VoidReason::kAllAbsent, VoidReason::kOperator}) {
    for (const std::optional<rules::Seat> seat :
         {std::optional<rules::Seat>(), std::optional(rules::Seat::k0)}) {
      const round::Event ended = round::RoundEnded{Outcome::kVoid, reason, seat};
      EXPECT_THAT(StoredAndRead(ended), base::IsOkAndHolds(ended));
    }
    const round::Event noted = round::LeaveNoted{rules::Seat::k3, reason};
    EXPECT_THAT(StoredAndRead(noted), base::IsOkAndHolds(noted));
  }
  for (const round::AnswerBy by : {round::AnswerBy::kPlayer, round::AnswerBy::kOverrun,
                                   round::AnswerBy::kAutoPlay, round::AnswerBy::kAbsence}) {
    const round::Event answered = round::Answered{rules::Seat::k1, 7, round::Choice::Pass(), by};
    EXPECT_THAT(StoredAndRead(answered), base::IsOkAndHolds(answered));
  }
}

class LostTest : public ::testing::TestWithParam<const char*> {};

TEST_P(LostTest, IsLostData) {
  record::RoundEvent stored;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(GetParam(), &stored));
  EXPECT_THAT(FromRecord(stored), base::HasCode(absl::StatusCode::kDataLoss));
}

INSTANTIATE_TEST_SUITE_P(
    Every, LostTest,
    ::testing::Values(
        "", "began { dealer: 4 }", "began { seat_winds: \"1z\" }", "began { wild: \"55z\" }",
        "dice_rolled { faces: 1 }", "dice_rolled { faces: 1 faces: 300 }",
        "dealt { hands: \"1m\" }", "dealt { hands: \"\" hands: \"\" hands: \"\" hands: \"x\" }",
        "indicator_turned { indicator: \"1m\" }", "drawn { tile: \"1m\" source: \"hat\" }",
        "drawn { tile: \"1m\" source: \"wall\" wall_left: 256 }", "drawn { source: \"wall\" }",
        "drawn { seat: 9 tile: \"1m\" source: \"wall\" }", "asked { asks { seat: 4 } }",
        "asked { asks { choices: \"fly\" } }", "asked { asks { discards: \"m\" } }",
        "answered { choice: \"\" by: \"player\" }", "answered { choice: \"win\" by: \"\" }",
        "discarded { tile: \"\" }",
        "called { meld { kind: \"pung\" tiles: \"112m\" } tile: \"1m\" }",
        "called { meld { kind: \"pang\" tiles: \"111m\" } tile: \"1m\" }",
        "kong_declared { seat: 7 tile: \"1m\" }",
        "kong_made { kong { kind: \"pung\" tile: \"1m\" } }", "leave_noted { reason: \"bored\" }",
        "won { wins { tile: \"1m\" how: \"luck\" } }",
        "won { wins { tile: \"1m\" how: \"discard\" flags: \"lucky\" } }",
        "horses_turned { tiles: \"12345p\" }", "ended { outcome: \"draw\" }",
        "ended { outcome: \"void\" void_reason: \"bored\" }",
        "ended { outcome: \"win\" seat: 4 }"));

}  // namespace
}  // namespace mj::wire
