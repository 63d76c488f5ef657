// What a player is shown: goldens at 80 x 24 for each game, in Unicode and in ASCII.
#include "tools/mahjongctl/seat_screen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "libs/base/files.h"
#include "libs/base/strings.h"
#include "libs/console/text.h"
#include "libs/tiles/mpsz.h"
#include "libs/variants/registry.h"
#include "tools/mahjongctl/played_seat_testing.h"
#include "tools/mahjongctl/seat_keys.h"

namespace mj::mahjongctl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Picture(const SeatTable& table, const ScreenNotes& notes, const ScreenStyle& style,
                    bool colour = false) {
  std::string text;
  for (const Line& line : Draw(table, notes, style)) text += TextOf(line, colour) + "\n";
  return text;
}

bool IsAscii(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); });
}

// In the middle of a round: its own turn, with discards to be seen.
bool MidRound(const SeatTable& table) {
  return table.dealt() && table.view().river.size() > 20 && table.asked() &&
         table.view().drawn.has_value();
}

class ScreenTest : public ::testing::TestWithParam<const rules::Variant*> {
 protected:
  static constexpr std::uint64_t kSeed = 3;
};

INSTANTIATE_TEST_SUITE_P(Games, ScreenTest,
                         ::testing::ValuesIn(variants::All().begin(), variants::All().end()),
                         [](const auto& game) { return std::string(game.param->info().id); });

// Made anew by MJ_UPDATE_GOLDEN=1.
TEST_P(ScreenTest, LooksAsItDid) {
  SeatTable playing;
  FollowRound(*GetParam(), kSeed, playing, MidRound);
  SeatTable over;
  FollowRound(*GetParam(), kSeed, over);
  std::string shown;
  for (const bool ascii : {false, true}) {
    const ScreenStyle style{.ascii = ascii, .columns = 80, .rows = 24};
    for (const SeatTable* table : {&playing, &over}) {
      const ScreenNotes notes{.waits = false,
                              .leaving = false,
                              .reconnecting = false,
                              .clock = std::chrono::seconds(17),
                              .notice = std::nullopt};
      shown += Picture(*table, notes, style) + "====\n";
    }
  }
  const std::string path =
      base::Cat("tools/mahjongctl/testdata/screen_", GetParam()->info().id, ".golden");
  if (std::getenv("MJ_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << shown;
  const auto golden = base::ReadFile(path);
  ASSERT_TRUE(golden.ok());
  EXPECT_EQ(shown, *golden) << path << " is stale: run MJ_UPDATE_GOLDEN=1 ./dev test -R ScreenTest";
}

// At every moment of a round, in every style and size.
TEST_P(ScreenTest, NoLineIsTooLongAndNoneTooMany) {
  for (const ScreenStyle& style :
       {ScreenStyle{false, 80, 24}, ScreenStyle{true, 80, 24}, ScreenStyle{false, 132, 50},
        ScreenStyle{false, 37, 9}, ScreenStyle{true, 5, 2}, ScreenStyle{false, 1, 1}}) {
    for (const bool waits : {false, true}) {
      SeatTable table;
      FollowRound(*GetParam(), kSeed + 1, table, [&](const SeatTable& now) {
        const ScreenNotes notes{.waits = waits,
                                .leaving = false,
                                .reconnecting = false,
                                .clock = std::nullopt,
                                .notice = LegalKeys(now)};
        const std::vector<Line> lines = Draw(now, notes, style);
        EXPECT_EQ(lines.size(), static_cast<std::size_t>(style.rows));
        for (const Line& line : lines) {
          const std::string text = TextOf(line, false);
          EXPECT_LE(console::WidthOf(text), style.columns) << text;
          if (style.ascii) {
            EXPECT_TRUE(IsAscii(text)) << text;
          }
        }
        return false;
      });
    }
  }
}

TEST_P(ScreenTest, ShowsTheOwnHandAndAllFour) {
  SeatTable table;
  FollowRound(*GetParam(), kSeed, table, MidRound);
  const std::string text = Picture(table, {}, {});
  EXPECT_THAT(text, HasSubstr(std::string(GetParam()->info().name_zh)));
  for (const char* word : {"下家", "对家", "上家", "自己", "3 bot", "0 you"}) {
    EXPECT_THAT(text, HasSubstr(word));
  }
  for (const tiles::Tile tile : TilesOf(table).resting) {
    EXPECT_THAT(text, HasSubstr(TileText(tile, {})));
  }
}

TEST_P(ScreenTest, EveryKeyOfTheHandThrowsItsTile) {
  SeatTable table;
  FollowRound(*GetParam(), kSeed, table, MidRound);
  const ShownTiles shown = TilesOf(table);
  EXPECT_TRUE(std::is_sorted(shown.resting.begin(), shown.resting.end()));
  for (std::size_t i = 0; i < shown.resting.size(); ++i) {
    const auto meaning = MeaningOf(table, ThrowKey(i));
    if (!table.asked()->offer.discards.Has(shown.resting[i])) {
      EXPECT_FALSE(meaning);
      continue;
    }
    ASSERT_TRUE(meaning);
    EXPECT_EQ(std::get<ActKey>(*meaning).choice, round::Choice::Discard(shown.resting[i]));
  }
}

TEST_P(ScreenTest, WhatIsSaidAtTheEnd) {
  SeatTable table;
  FollowRound(*GetParam(), kSeed, table);
  ASSERT_TRUE(table.result());
  EXPECT_TRUE(table.result()->settled);
  const std::string text = Picture(table, {}, {});
  EXPECT_THAT(text, HasSubstr("[Enter]"));
  EXPECT_THAT(text, HasSubstr("="));
  ASSERT_TRUE(table.play_on());
  EXPECT_EQ(table.play_on()->round, 2u);
  std::int64_t sum = 0;
  for (const rules::Seat seat : rules::kSeats) sum += table.net(seat);
  EXPECT_EQ(sum, 0);
  EXPECT_TRUE(std::holds_alternative<PlayOnKey>(*MeaningOf(table, '\r')));
  EXPECT_FALSE(MeaningOf(table, 'a'));
}

class NotesTest : public ::testing::Test {
 protected:
  NotesTest() { FollowRound(*variants::All().front(), 3, table_, MidRound); }
  SeatTable table_;
};

TEST_F(NotesTest, AsksWhetherToLeaveAndSaysWhatItCosts) {
  ScreenNotes notes;
  notes.leaving = true;
  EXPECT_THAT(Picture(table_, notes, {.ascii = true}), HasSubstr("leave the table? y/n"));
  EXPECT_THAT(Picture(table_, notes, {.ascii = true}), HasSubstr("escape"));
}

TEST_F(NotesTest, SaysThatTheConnectionIsLost) {
  ScreenNotes notes;
  notes.reconnecting = true;
  EXPECT_THAT(Picture(table_, notes, {}), HasSubstr("正在重连"));
}

TEST_F(NotesTest, ColoursOnlyWhereTheyAreWanted) {
  EXPECT_THAT(Picture(table_, {}, {}, true), HasSubstr("\033["));
  EXPECT_THAT(Picture(table_, {}, {}, false), Not(HasSubstr("\033")));
}

TEST_F(NotesTest, TheClockCountsByTheServersTime) {
  ASSERT_TRUE(table_.asked());
  ASSERT_TRUE(table_.asked()->deadline);
  const base::WallTime deadline = *table_.asked()->deadline;
  using std::chrono::seconds;
  EXPECT_EQ(table_.Left(deadline, deadline - seconds(7)), seconds(7));
  EXPECT_EQ(table_.Left(deadline, deadline + seconds(7)), seconds(0));
}

TEST(SeatTableTest, BeforeTheTableThereIsNothingToPlay) {
  SeatTable table;
  EXPECT_THAT(Picture(table, {}, {.ascii = true}), HasSubstr("taking a seat"));
  ::mahjong::table::v1::TableEvent early;
  early.mutable_tile_discarded()->set_tile("5m");
  EXPECT_FALSE(table.Take(early, kStreamBegins));
}

TEST_F(NotesTest, WhatNoServerSendsIsRefused) {
  ::mahjong::table::v1::TableEvent bad;
  bad.mutable_tile_discarded()->set_tile("9z");
  EXPECT_FALSE(table_.Take(bad, kStreamBegins));
  bad.mutable_auto_play_changed()->set_seat(4);
  EXPECT_FALSE(table_.Take(bad, kStreamBegins));
}

TEST_F(NotesTest, LeavingAndClosingAreTold) {
  ::mahjong::table::v1::TableEvent left;
  left.mutable_player_left()->set_seat(0);
  EXPECT_TRUE(table_.Take(left, kStreamBegins));
  ASSERT_TRUE(table_.over());
  EXPECT_THAT(Picture(table_, {}, {.ascii = true}), HasSubstr("no longer seated"));
}

TEST(WaitsTest, EachWaitWithWhatItIsWorth) {
  // Some round comes to a wait.
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    SeatTable table;
    std::vector<Waits> found;
    FollowRound(*variants::All().front(), seed, table, [&](const SeatTable& now) {
      if (now.dealt() && !now.result()) found = now.WaitsNow();
      return !found.empty();
    });
    if (found.empty()) continue;
    ASSERT_FALSE(found[0].tiles.empty());
    EXPECT_GT(found[0].tiles[0].self_drawn, 0);
    ScreenNotes notes;
    notes.waits = true;
    EXPECT_THAT(Picture(table, notes, {.ascii = true}), HasSubstr("waits:"));
    EXPECT_THAT(Picture(table, notes, {}), HasSubstr("听牌:"));
    return;
  }
  FAIL() << "no wait in twenty rounds";
}

}  // namespace
}  // namespace mj::mahjongctl
