#include "libs/tiles/mpsz.h"

#include <gtest/gtest.h>

namespace mj::tiles {
namespace {

TEST(MpszTest, WritesWhatItReads) {
  for (const char* text : {"", "1m", "123m44z", "7z5s7p8s", "19m19p19s1234567z", "5555z"}) {
    const auto tiles = ParseTiles(text);
    ASSERT_TRUE(tiles) << text;
    EXPECT_EQ(ToText(*tiles), text);
  }
}

TEST(MpszTest, EveryKindHasOneName) {
  for (Tile tile : kAllKinds) {
    EXPECT_EQ(ParseTile(ToText(tile)), tile);
    EXPECT_FALSE(ChineseName(tile).empty());
  }
  EXPECT_EQ(ToText(kWhite), "5z");
  EXPECT_EQ(ChineseName(kWhite), "白");
  EXPECT_EQ(ChineseName(kRed), "中");
}

TEST(MpszTest, RefusesWhatIsNoTile) {
  for (const char* text :
       {"m", "1", "0m", "8z", "9z", "1x", "12", "1m2", "mm", "1 m", "1M", "-1m", "1mz"}) {
    EXPECT_FALSE(ParseTiles(text)) << text;
  }
  EXPECT_FALSE(ParseTile(""));
  EXPECT_FALSE(ParseTile("11m"));
  EXPECT_FALSE(ParseTile("1m1m"));
  EXPECT_FALSE(ParseCounts(std::string(256, '1') + "m"));
}

TEST(MpszTest, CountsAreWrittenSorted) {
  EXPECT_EQ(ToText(*ParseCounts("7z1m9s1m5p")), "11m5p9s7z");
}

TEST(MpszTest, MeldsAreWhatTheirTilesSay) {
  EXPECT_EQ(ParseMeld(MeldKind::kChow, "645m"), (Meld{MeldKind::kChow, *ParseTile("4m")}));
  EXPECT_EQ(ParseMeld(MeldKind::kPung, "777z"), (Meld{MeldKind::kPung, kRed}));
  EXPECT_EQ(ToText(*ParseMeld(MeldKind::kConcealedKong, "2222s")), "2222s");
  EXPECT_EQ(ToText(*ParseMeld(MeldKind::kChow, "789p")), "789p");
  EXPECT_FALSE(ParseMeld(MeldKind::kChow, "891m"));
  EXPECT_FALSE(ParseMeld(MeldKind::kChow, "123z"));
  EXPECT_FALSE(ParseMeld(MeldKind::kChow, "9m1p2p"));
  EXPECT_FALSE(ParseMeld(MeldKind::kPung, "2222s"));
  EXPECT_FALSE(ParseMeld(MeldKind::kPung, "223s"));
  EXPECT_FALSE(ParseMeld(MeldKind::kAddedKong, "222s"));
}

TEST(MpszTest, ChineseReadsAsAPlayerWouldSayIt) {
  EXPECT_EQ(ToChinese(*ParseCounts("123m44z")), "一二三万 北北");
  EXPECT_EQ(ToChinese(*ParseCounts("19s55p")), "五五筒 一九条");
}

TEST(TileTest, SequencesCloseIntoCircles) {
  const auto next = [](const char* text) { return ToText(NextInSequence(*ParseTile(text))); };
  EXPECT_EQ(next("1m"), "2m");
  EXPECT_EQ(next("9m"), "1m");
  EXPECT_EQ(next("9p"), "1p");
  EXPECT_EQ(next("9s"), "1s");
  EXPECT_EQ(next("1z"), "2z");
  EXPECT_EQ(next("4z"), "1z");
  EXPECT_EQ(next("7z"), "6z");
  EXPECT_EQ(next("6z"), "5z");
  EXPECT_EQ(next("5z"), "7z");
}

TEST(TileTest, KnowsItsKind) {
  int terminals = 0, honours = 0, chow_starts = 0;
  for (Tile tile : kAllKinds) {
    terminals += tile.is_terminal();
    honours += tile.is_honour();
    chow_starts += tile.starts_chow();
    EXPECT_EQ(Tile::Of(tile.suit(), tile.rank()), tile);
  }
  EXPECT_EQ(terminals, 6);
  EXPECT_EQ(honours, 7);
  EXPECT_EQ(chow_starts, 21);
  EXPECT_FALSE(Tile::FromIndex(34));
  EXPECT_FALSE(Tile::FromIndex(-1));
}

}  // namespace
}  // namespace mj::tiles
