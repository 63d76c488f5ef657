#include "libs/wire/seat_events.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <array>
#include <variant>

#include "libs/base/status_testing.h"
#include "libs/tiles/mpsz.h"
#include "libs/wire/played_testing.h"

namespace mj::wire {
namespace {

namespace table = ::mahjong::table::v1;
using base::Reason;
using round::SeatEvent;

// As a client sees it: the numbers of decisions are the stream's own.
SeatEvent WithoutNumbers(SeatEvent event) {
  if (auto* asked = std::get_if<round::YouAreAsked>(&event)) asked->ask.decision = 0;
  if (auto* answered = std::get_if<round::YouAnswered>(&event)) answered->decision = 0;
  return event;
}

bool ToldByTheTable(const SeatEvent& event) {
  return std::holds_alternative<round::RoundBegan>(event) ||
         std::holds_alternative<round::Won>(event) ||
         std::holds_alternative<round::RoundEnded>(event);
}

TEST(SeatEventsTest, WhatASeatSeesOfPlayComesBack) {
  std::array<int, std::variant_size_v<SeatEvent>> seen{};
  ForEachPlayedStep(50, [&](const PlayedStep& step) {
    for (const rules::Seat seat : rules::kSeats) {
      const auto event = round::Filter(step.event, round::Viewer::Player(seat));
      if (!event) continue;
      ++seen[event->index()];
      table::TableEvent message;
      if (ToldByTheTable(*event)) {
        EXPECT_FALSE(ToProto(*event, 77, message));
        EXPECT_EQ(message.event_case(), table::TableEvent::EVENT_NOT_SET);
        continue;
      }
      ASSERT_TRUE(ToProto(*event, 77, message));
      const auto read = PlayedFromProto(message);
      ASSERT_THAT(read, base::IsOk());
      ASSERT_TRUE(read->has_value());
      ASSERT_EQ((*read)->event, WithoutNumbers(*event)) << message.DebugString();
      const bool decision = std::holds_alternative<round::YouAreAsked>(*event) ||
                            std::holds_alternative<round::YouAnswered>(*event);
      EXPECT_EQ((*read)->decision_id, decision ? 77U : 0U);
    }
  });
  for (std::size_t kind = 0; kind < seen.size(); ++kind) {
    // Random play hardly ever wins with horses: see below.
    const bool rare = kind == SeatEvent(round::HorsesTurned{}).index();
    EXPECT_TRUE(seen[kind] > 0 || rare) << "kind " << kind;
  }
}

TEST(SeatEventsTest, HorsesComeBack) {
  round::HorsesTurned turned;
  for (const char* horse : {"1p", "5s", "7z"}) {
    ASSERT_TRUE(turned.horses.push_back(*tiles::ParseTile(horse)));
  }
  table::TableEvent message;
  ASSERT_TRUE(ToProto(SeatEvent(turned), 0, message));
  EXPECT_EQ(message.horses_turned().tiles(), "1p5s7z");
  EXPECT_EQ((*PlayedFromProto(message))->event, SeatEvent(turned));
}

TEST(SeatEventsTest, AnotherSeatsDrawHasNoTile) {
  ForEachPlayedStep(2, [&](const PlayedStep& step) {
    const auto* drew = std::get_if<round::Drew>(&step.event);
    if (drew == nullptr) return;
    for (const rules::Seat seat : rules::kSeats) {
      table::TableEvent message;
      ASSERT_TRUE(ToProto(*round::Filter(step.event, round::Viewer::Player(seat)), 0, message));
      EXPECT_EQ(message.tile_drawn().tile().empty(), seat != drew->seat);
    }
  });
}

TEST(SeatEventsTest, OtherEventsAreNotOfPlay) {
  table::TableEvent message;
  const auto none = PlayedFromProto(message);
  ASSERT_THAT(none, base::IsOk());
  EXPECT_FALSE(none->has_value());
  message.mutable_seat_ready();
  EXPECT_FALSE(PlayedFromProto(message)->has_value());
}

struct BadRow {
  const char* event;
  Reason reason;
  const char* field;
};
void PrintTo(const BadRow& row, std::ostream* out) { *out << row.event; }
class BadEventTest : public ::testing::TestWithParam<BadRow> {};

TEST_P(BadEventTest, IsRefusedWithItsField) {
  table::TableEvent message;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(GetParam().event, &message));
  EXPECT_THAT(PlayedFromProto(message), base::FailsWith(GetParam().reason, GetParam().field));
}

INSTANTIATE_TEST_SUITE_P(
    Every, BadEventTest,
    ::testing::Values(
        BadRow{"dice_rolled { faces: 3 }", Reason::kFieldRequired, "dice_rolled.faces"},
        BadRow{"dice_rolled { faces: 3 faces: 256 }", Reason::kBadTiles, "dice_rolled.faces"},
        BadRow{"tiles_dealt { hand: \"1\" }", Reason::kBadTiles, "tiles_dealt.hand"},
        BadRow{"indicator_turned { wild: \"1m\" }", Reason::kBadTiles,
               "indicator_turned.indicator"},
        BadRow{"tile_drawn { seat: 4 }", Reason::kBadSeat, "tile_drawn.seat"},
        BadRow{"tile_drawn { }", Reason::kFieldRequired, "tile_drawn.source"},
        BadRow{"tile_drawn { source: 9 }", Reason::kUnknownEnumValue, "tile_drawn.source"},
        BadRow{"tile_drawn { source: DRAW_SOURCE_WALL wall_left: 1000 }", Reason::kBadTiles,
               "tile_drawn.wall_left"},
        BadRow{"decision_offered { decision { tile: \"x\" } }", Reason::kBadTiles,
               "decision_offered.decision.tile"},
        BadRow{"decision_answered { choice { } }", Reason::kFieldRequired,
               "decision_answered.choice.choice"},
        BadRow{"decision_answered { choice { win { } } }", Reason::kFieldRequired,
               "decision_answered.by"},
        BadRow{"tile_discarded { tile: \"\" }", Reason::kBadTiles, "tile_discarded.tile"},
        BadRow{"meld_called { meld { kind: MELD_KIND_PUNG tiles: \"123m\" } }", Reason::kBadMeld,
               "meld_called.meld.tiles"},
        BadRow{"kong_declared { tile: \"99p\" }", Reason::kBadTiles, "kong_declared.tile"},
        BadRow{"kong_made { kong { seat: 5 } }", Reason::kBadSeat, "kong_made.kong.seat"},
        BadRow{"horses_turned { tiles: \"0m\" }", Reason::kBadHorses, "horses_turned.tiles"}));

}  // namespace
}  // namespace mj::wire
