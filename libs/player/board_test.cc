#include "libs/player/board.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libs/console/text.h"

namespace mj::player {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

table::WatchedEvent Event(const std::string& text) {
  table::WatchedEvent event;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &event)) << text;
  return event;
}

constexpr const char* kRound = R"(
  round_began {
    table { table_id: "t-1" variant: "chaozhou"
            seats { seat: 0 player_id: "ming" } seats { seat: 1 player_id: "hong" }
            seats { seat: 2 player_id: "juan" } seats { seat: 3 player_id: "a-very-long-player-id" } }
    round { round_number: 7 base: 1000 } })";
constexpr const char* kDrawn = R"(
  deal_drawn { dealer: 1 nonces { outcome: NONCE_OUTCOME_REVEALED }
               nonces { outcome: NONCE_OUTCOME_NOT_COMMITTED }
               nonces { outcome: NONCE_OUTCOME_REVEALED }
               nonces { outcome: NONCE_OUTCOME_MISMATCH } })";

class BoardTest : public ::testing::Test {
 protected:
  std::string Take(const std::string& text) { return board_.Take(Event(text)); }

  Board board_{2};
};

TEST_F(BoardTest, EveryEventIsALine) {
  const std::vector<std::pair<const char*, const char*>> told = {
      {R"(table_made { table { table_id: "t-1" variant: "chaozhou" base: 100 } })",
       "table made 开桌 t-1 chaozhou base 底注 100"},
      {R"(player_joined { seat: 1 player_id: "hong" })", "1 hong takes a seat 入座"},
      {"seat_ready { seat: 1 }", "1 hong is ready 准备"},
      {"seat_ready { seat: 0 }", "0 (free) is ready 准备"},
      {"play_on_asked { round_number: 7 }", "play on? 是否继续  round 7"},
      {kRound, "round 7 第7局  base 底注 1,000"},
      {kDrawn, "dealer 庄 1 hong, drawn with the nonces 随机数 of 2"},
      {"dice_rolled { faces: 3 faces: 4 }", "dice 骰子 3 4"},
      {"hands_dealt {}", "thirteen tiles to each 起手"},
      {R"(indicator_turned { indicator: "5m" wild: "6m" })",
       "turned 翻出 5m 五万, wild 鬼牌 6m 六万"},
      {"tile_taken { seat: 1 source: DRAW_SOURCE_WALL wall_left: 57 }",
       "1 hong draws 摸牌, 57 left 余牌"},
      {R"(tile_discarded { seat: 1 tile: "2s" })", "1 hong throws 出牌 2s 二条"},
      {R"(meld_called { seat: 2 meld { kind: MELD_KIND_PUNG tiles: "222s" from: 1 } tile: "2s" })",
       "2 juan 碰 222s 二二二条 from 1 hong"},
      {R"(kong_declared { seat: 2 tile: "2s" })", "2 juan adds to its pung 明杠 2s 二条"},
      {"tile_taken { seat: 2 source: DRAW_SOURCE_REPLACEMENT wall_left: 56 }",
       "2 juan draws for its kong 补牌, 56 left 余牌"},
      {"auto_play { seat: 3 on: true }", "3 y-long-player-id 托管: the system plays for it"},
      {"auto_play { seat: 3 }", "3 y-long-player-id plays again"},
      {R"(horses_turned { horses { tile: "1p" hit_seat: 2 } horses { tile: "5s" } })",
       "horses 买马 1p 一筒 中 5s 五条"},
      {R"(round_ended { outcome { wins { seat: 2 tile: "4p" how: WIN_METHOD_DISCARD from: 1 } } })",
       "2 juan wins 胡 4p 四筒, win on a discard 点炮胡 of 1 hong"},
      {"round_ended {}", "exhausted wall 流局"},
      {"round_settled { seats { seat: 2 net: 3000 balance: 10300 } }",
       "paid 结算  2 juan +3,000 = 10,300"},
      {"round_void { reason: VOID_REASON_ESCAPE escaped_seat: 0 }",
       "void 作废: escape 主动逃跑 0 ming"},
      {R"(player_left { seat: 0 player_id: "ming" reason: LEAVE_REASON_LEFT })",
       "0 ming leaves 离开: of its own will 主动离开"},
      {"table_closed {}", "table closed 牌桌关闭"},
      {"", "something that this program does not know"},
  };
  for (const auto& [event, line] : told) EXPECT_EQ(Take(event), line);
}

TEST_F(BoardTest, EveryGameHasItsOwnWords) {
  EXPECT_EQ(Take(R"(table_made { table { table_id: "t-1" variant: "guangdong" base: 100 } })"),
            "table made 开桌 t-1 guangdong base 底分 100");
  EXPECT_THAT(Take("kong_declared { seat: 2 tile: '2s' }"), HasSubstr("adds to its pung 上杠 2s"));
  EXPECT_THAT(Take("round_ended { outcome { wins { seat: 0 tile: '4p' how: WIN_METHOD_DISCARD "
                   "from: 1 } } }"),
              HasSubstr("win on a discard 放炮 of 1"));
}

TEST_F(BoardTest, AHandIsToldWhenItChanges) {
  EXPECT_THAT(Take(R"(hands_dealt {} hand: "123m")"), EndsWith("; hand 手牌 2: 123m 一二三万"));
  EXPECT_THAT(Take(R"(tile_taken { seat: 0 } hand: "123m")"), Not(HasSubstr("hand 手牌")));
  EXPECT_THAT(board_.Picture(), HasSubstr("hand 手牌 2: 123m"));
  EXPECT_THAT(Take("tile_taken { seat: 1 }"), Not(HasSubstr("hand 手牌")));
  EXPECT_THAT(board_.Picture(), Not(HasSubstr("hand 手牌"))) << "taken back";
}

TEST_F(BoardTest, ThePictureAddsUp) {
  for (const char* event :
       {kRound, kDrawn, "hands_dealt {}", "tile_taken { seat: 1 wall_left: 83 }",
        R"(tile_discarded { seat: 1 tile: "1m" })", "tile_taken { seat: 2 wall_left: 82 }",
        R"(tile_discarded { seat: 2 tile: "2s" })",
        R"(meld_called { seat: 3 meld { kind: MELD_KIND_PUNG tiles: "222s" from: 2 } tile: "2s" })",
        R"(tile_discarded { seat: 3 tile: "9p" })",
        R"(kong_made { kong { seat: 0 kind: KONG_KIND_DISCARD tile: "9p" from: 3 } })",
        "tile_taken { seat: 0 source: DRAW_SOURCE_REPLACEMENT wall_left: 81 }",
        R"(tile_discarded { seat: 0 tile: "7z" })", "tile_taken { seat: 1 wall_left: 80 }",
        R"(kong_made { kong { seat: 1 kind: KONG_KIND_CONCEALED tile: "3m" } })",
        "tile_taken { seat: 1 source: DRAW_SOURCE_REPLACEMENT wall_left: 79 }",
        R"(tile_discarded { seat: 1 tile: "4m" })", "tile_taken { seat: 3 wall_left: 78 }",
        R"(kong_made { kong { seat: 3 kind: KONG_KIND_ADDED tile: "2s" } })",
        "auto_play { seat: 2 on: true }"}) {
    (void)Take(event);
  }
  const std::string picture = board_.Picture();
  EXPECT_THAT(picture, HasSubstr("潮州麻将 chaozhou  table 牌桌 t-1\n"
                                 "round 第7局  base 底注 1,000  wall 余牌 78\n"));
  EXPECT_THAT(picture, HasSubstr("0 ming                  10 tiles 手牌  ["));
  EXPECT_THAT(picture, HasSubstr(" 9999p]\n                      7z\n"));
  EXPECT_THAT(picture, HasSubstr("1 hong             庄   10 tiles 手牌  ["));
  EXPECT_THAT(picture, HasSubstr(" 3333m]\n                      1m 4m\n"));
  EXPECT_THAT(picture, HasSubstr("2 juan                  13 tiles 手牌  托管\n3"));
  EXPECT_THAT(picture, HasSubstr("3 y-long-player-id    > 10 tiles 手牌  ["));
  EXPECT_THAT(picture, HasSubstr(" 2222s]\n"));
  EXPECT_THAT(picture, Not(HasSubstr("222s] "))) << "the kong has taken the pung's place";
}

TEST_F(BoardTest, WhatNoServerSendsIsNoHarm) {
  for (const char* event :
       {"tile_discarded { seat: 99 tile: \"xx\" }", "meld_called { seat: 7 meld { tiles: \"?\" } }",
        "kong_made { kong { seat: 8 } }", "player_left { seat: 12 }", "seat_ready { seat: 4 }",
        "round_began { table { variant: \"bridge\" } }", "deal_drawn { dealer: 9 }",
        "round_ended { outcome { wins {} } }"}) {
    (void)Take(event);
    (void)board_.Picture();
  }
}

TEST_F(BoardTest, EveryLineOfThePictureFitsAPage) {
  (void)Take(kRound);
  (void)Take("hands_dealt {}");
  for (int i = 0; i < 60; ++i) (void)Take(R"(tile_discarded { seat: 1 tile: "1m" })");
  std::string line;
  for (const char c : board_.Picture()) {
    if (c != '\n') {
      line += c;
      continue;
    }
    EXPECT_LE(console::WidthOf(line), 100) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
    line.clear();
  }
}

}  // namespace
}  // namespace mj::player
