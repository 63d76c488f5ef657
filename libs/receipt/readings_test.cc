#include "libs/receipt/readings.h"

#include <gtest/gtest.h>

#include <string>

#include "libs/casefile/case.h"

namespace mj::receipt {
namespace {

casefile::Case SelfDraw(const std::string& game, const std::string& concealed,
                        const std::string& tile) {
  auto read = casefile::ReadCase(nlohmann::json::parse(
      R"({"game": ")" + game + R"(", "options": {}, "base": 100, "dealer": 0, "end": "win",
          "wins": [{"seat": 1, "concealed": ")" +
      concealed + R"(", "melds": [], "tile": ")" + tile +
      R"(", "how": "self_draw", "flags": []}], "kongs": []})"));
  if (const auto* error = std::get_if<casefile::FormatError>(&read)) {
    ADD_FAILURE() << error->ToText();
    return {};
  }
  return std::get<casefile::Case>(std::move(read));
}

std::vector<ReadHand> Readings(const casefile::Case& one) {
  auto readings = ReadingsOf(*one.variant, one.options, one.base, one.round, 0);
  EXPECT_TRUE(readings.ok());
  return std::move(readings).value();
}

TEST(ReadingsTest, PutTheOneThatCountedFirst) {
  // 111 222 333 444 55 is all pungs; as 123 123 123 444 55 it is not.
  const auto hands = Readings(SelfDraw("chaozhou", "111222333m44p55z", "4p"));
  ASSERT_EQ(hands.size(), 2u);
  EXPECT_EQ(hands[0].verdict, Verdict::kCounted);
  EXPECT_EQ(hands[0].coins.value(), 3 * 100 * 3 * 2);
  EXPECT_EQ(hands[1].verdict, Verdict::kPaysLess);
  EXPECT_EQ(hands[1].coins.value(), 3 * 100 * 3);
}

TEST(ReadingsTest, KnowEveryShape) {
  // 112233m 445566p 77s: seven pairs (x3), or sequences (x1).
  const auto hands = Readings(SelfDraw("chaozhou", "112233m445566p7s", "7s"));
  ASSERT_EQ(hands.size(), 2u);
  EXPECT_EQ(hands[0].reading.shape, rules::Shape::kSevenPairs);
  EXPECT_EQ(hands[1].reading.shape, rules::Shape::kStandard);
}

TEST(ReadingsTest, AreNoneWithoutAShape) {
  EXPECT_TRUE(Readings(SelfDraw("chaozhou", "111222333m45p55z", "9p")).empty());
}

TEST(ReadingsTest, CountNoneWhenNoneIsAllowed) {
  // A self-draw game's plain hand on a discard: a reading there is, but it may not win.
  casefile::Case one = SelfDraw("jieyang", "111222333m44p55z", "4p");
  one.round.wins[0].way = rules::WinWay::kDiscard;
  one.round.wins[0].from = rules::Seat::k2;
  const auto hands = Readings(one);
  ASSERT_FALSE(hands.empty());
  for (const ReadHand& hand : hands) {
    EXPECT_EQ(hand.verdict, Verdict::kNotAllowed);
    EXPECT_TRUE(hand.coins.IsZero());
  }
}

}  // namespace
}  // namespace mj::receipt
