// What the golden cases and rounds show of Jieyang's wild tiles only in passing: the reading that
// pays most is found wherever the wild tiles have to stand for it.
#include "libs/variants/jieyang/jieyang.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libs/rules/score.h"
#include "libs/tiles/mpsz.h"
#include "libs/variants/jieyang/tables.h"

namespace mj::variants::jieyang {
namespace {

using rules::Judgement;
using rules::MeldKind;
using rules::Seat;

struct Claim {
  std::string concealed;
  std::string tile;
  std::string wild;
  std::vector<std::string> pungs = {};
};

// Self-drawn by a seat that does not deal, without a cap.
Judgement Judge(const Claim& claim) {
  const auto options = rules::ParseOptions(kOptions, {{"max_multiplier", "0"}});
  rules::Deal deal;
  deal.wild = tiles::ParseTile(claim.wild);
  rules::Win win;
  win.seat = Seat::k1;
  win.hand.concealed = *tiles::ParseCounts(claim.concealed);
  for (const std::string& pung : claim.pungs) {
    win.hand.melds.push_back({.meld = *tiles::ParseMeld(MeldKind::kPung, pung), .from = Seat::k2});
  }
  win.tile = *tiles::ParseTile(claim.tile);
  return rules::JudgeClaim(Game(), std::get<rules::Options>(options), deal, win);
}

std::vector<std::string> Ids(const Judgement& judged) {
  return {judged.worth.patterns.begin(), judged.worth.patterns.end()};
}

using List = std::vector<std::string>;

TEST(WildTest, OneMakesTheSeventhPairBesideThreeFoursAlike) {
  const Judgement judged = Judge({.concealed = "1111333388889s", .tile = "5z", .wild = "5z"});
  EXPECT_EQ(Ids(judged), (List{"JY-23", "JY-29"}));
  EXPECT_EQ(judged.worth.share, 50 * kInfo.units_per_base);
  EXPECT_EQ(judged.reading.four_alikes, 3);
}

TEST(WildTest, FourMakeAPairEach) {
  const Judgement judged = Judge({.concealed = "12466899m35555z", .tile = "4m", .wild = "5z"});
  EXPECT_EQ(Ids(judged), (List{"JY-22", "JY-27"}));
  EXPECT_EQ(judged.worth.share, 9 * kInfo.units_per_base);
}

TEST(WildTest, OneIsTheFifthOfAKind) {
  const Judgement judged =
      Judge({.concealed = "888999p2z", .tile = "8p", .wild = "2z", .pungs = {"333p", "111p"}});
  EXPECT_EQ(Ids(judged), (List{"JY-21", "JY-23"}));
  EXPECT_EQ(judged.worth.share, 10 * kInfo.units_per_base);
  EXPECT_EQ(tiles::ToText(judged.reading.pair), "8p");
  EXPECT_EQ(judged.reading.tiles[judged.reading.pair], 5);
}

// A pair of wild tiles makes any of the others a four alike.
TEST(WildTest, TwoMakeAFourAlike) {
  const Judgement judged = Judge({.concealed = "1122m3344p5566s5z", .tile = "5z", .wild = "5z"});
  EXPECT_EQ(Ids(judged), (List{"JY-28"}));
  EXPECT_EQ(judged.reading.four_alikes, 1);
}

}  // namespace
}  // namespace mj::variants::jieyang
