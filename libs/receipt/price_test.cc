#include "libs/receipt/price.h"

#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "libs/casefile/case.h"
#include "libs/casefile/documents.h"
#include "libs/receipt/arithmetic_testing.h"

namespace mj::receipt {
namespace {

std::vector<casefile::Case> GoldenCases() {
  std::ifstream file("tests/cases/cases.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<casefile::Case> cases;
  for (const casefile::Document& document : casefile::SplitDocuments(text)) {
    auto read = casefile::ReadCase(std::get<nlohmann::json>(document));
    // Games that this build does not play are left out.
    if (auto* one = std::get_if<casefile::Case>(&read)) cases.push_back(std::move(*one));
  }
  return cases;
}

using Debts = std::map<std::tuple<Seat, Seat, rules::RuleId>, std::int64_t>;

TEST(PriceRoundTest, LinesOfEveryGoldenCaseAddUpToItsTransfers) {
  const std::vector<casefile::Case> cases = GoldenCases();
  ASSERT_GE(cases.size(), 40u);
  for (const casefile::Case& one : cases) {
    SCOPED_TRACE(one.id);
    const auto priced = PriceRound(*one.variant, one.options, one.base, one.round);
    ASSERT_TRUE(priced.ok());
    Debts by_line, by_transfer;
    for (const Line& line : priced.value().lines) {
      ASSERT_FALSE(line.rules.empty());
      for (const Seat from : line.from) {
        by_line[{from, line.to, line.rules[0]}] += line.coins.value();
      }
    }
    std::int64_t sum = 0;
    for (const CoinTransfer& transfer : priced.value().transfers) {
      by_transfer[{transfer.from, transfer.to, transfer.rule}] += transfer.coins.value();
    }
    for (const ledger::Coins net : priced.value().net) sum += net.value();
    EXPECT_EQ(by_line, by_transfer);
    EXPECT_EQ(sum, 0);
  }
}

TEST(PriceRoundTest, ArithmeticOfEveryGoldenCaseIsRight) {
  for (const casefile::Case& one : GoldenCases()) {
    const auto priced = PriceRound(*one.variant, one.options, one.base, one.round);
    ASSERT_TRUE(priced.ok());
    for (const Line& line : priced.value().lines) {
      SCOPED_TRACE(one.id + ": " + std::string(line.arithmetic()));
      const auto worked = WorkOut(line.arithmetic());
      ASSERT_TRUE(worked.has_value());
      EXPECT_EQ(worked->base, one.base);
      EXPECT_EQ(worked->computed, line.coins.value());
      EXPECT_EQ(worked->stated, line.coins.value());
      EXPECT_TRUE(line.explained);
    }
  }
}

TEST(WorkOutTest, IsStrict) {
  EXPECT_EQ(WorkOut("100 x 2^(1 + 2 + 1 -> 3) x 3 = 2400")->computed, 2400);
  EXPECT_EQ(WorkOut("10 x 3 / 2 = 15")->computed, 15);
  EXPECT_EQ(WorkOut("600 x 2 x 4 x (1 + 2) = 14400")->computed, 14400);
  EXPECT_EQ(WorkOut("100 x (2 + 1) x (2 x 6 -> 10) = 3000")->arrows, 1);
  for (const char* bad : {"", "100", "100 = ", "100 x = 100", "100 x (2 + 1 = 300", "5 x 3 / 2 = 7",
                          "100 x 2 = 200 ", "100 x (3 -> 3) = 300", "100 x 2 times = 200"}) {
    EXPECT_FALSE(WorkOut(bad).has_value()) << bad;
  }
}

std::vector<rules::RuleId> RulesOf(const Line& line) {
  return {line.rules.begin(), line.rules.end()};
}

casefile::Case Read(const std::string& text) {
  auto read = casefile::ReadCase(nlohmann::json::parse(text));
  if (const auto* error = std::get_if<casefile::FormatError>(&read)) {
    ADD_FAILURE() << error->ToText();
    return {};
  }
  return std::get<casefile::Case>(std::move(read));
}

TEST(PriceRoundTest, SaysHowTheCoinsCameAbout) {
  const casefile::Case one = Read(R"({
    "game": "chaozhou", "options": {"max_multiplier": 2}, "base": 100, "dealer": 0, "end": "win",
    "wins": [{"seat": 2, "concealed": "3335557778s",
              "melds": [{"kind": "pung", "tiles": "222s", "from": 1}],
              "tile": "9s", "how": "robbed_kong", "from": 3, "flags": []}],
    "kongs": [{"seat": 0, "kind": "discard", "tile": "6m", "from": 3}]})");
  const auto priced = PriceRound(*one.variant, one.options, one.base, one.round);
  ASSERT_TRUE(priced.ok());
  ASSERT_EQ(priced.value().lines.size(), 2u);
  const Line& win = priced.value().lines[0];
  EXPECT_EQ(win.arithmetic(), "100 x 2 x (3 -> 2) x 3 = 1200");
  EXPECT_EQ(RulesOf(win), (std::vector<rules::RuleId>{"CZ-13", "CZ-24", "D-CZ-4"}));
  EXPECT_EQ(win.text_zh(),
            "CZ-13 抢杠胡，座位3付座位2 1200：底注100 × 2番 × (3 → 2)倍 × 3份；CZ-24 清一色 ×3；"
            "3倍按2倍计（D-CZ-4 封顶）");
  const Line& kong = priced.value().lines[1];
  EXPECT_EQ(kong.arithmetic(), "100 x 3 = 300");
  EXPECT_EQ(kong.text_zh(), "CZ-40 杠牌，座位3付座位0 300：底注100 × 3番；点杠 六万 6m");
}

// A killed seat's payments say so, and an own kong of half a base has its fraction (SG-43, JY-40).
TEST(PriceRoundTest, SaysWhatAKongComesTo) {
  const casefile::Case killed = Read(R"({
    "game": "shaoguan", "options": {}, "base": 10, "dealer": 0, "end": "exhausted", "wins": [],
    "kongs": [{"seat": 2, "kind": "added", "tile": "7s", "paid_by": 1}]})");
  auto priced = PriceRound(*killed.variant, killed.options, killed.base, killed.round);
  ASSERT_TRUE(priced.ok());
  const Line alone = priced.value().lines.at(0);
  EXPECT_EQ(RulesOf(alone), (std::vector<rules::RuleId>{"SG-30", "SG-43"}));
  EXPECT_EQ(
      alone.text_zh(),
      "SG-30 杠，座位1付座位2 30：底分10 × 1分 × 3份；明杠 七条 7s；SG-43 歼牌，座位1一家全付");
  EXPECT_EQ(alone.text_en(),
            "SG-30 kongs: discard 3 from the discarder, added 1 and concealed 2 from each; seat 1 "
            "pays seat 2 30: base 10 x 1 points x 3 shares; added kong of 7s; SG-43 who feeds the "
            "last pung before a single wait pays alone; seat 1 alone pays");
  const casefile::Case half = Read(R"({
    "game": "jieyang", "options": {}, "base": 100, "dealer": 0, "end": "win",
    "wins": [{"seat": 1, "concealed": "99m345p45678s",
              "melds": [{"kind": "added_kong", "tiles": "2222m", "from": 3}],
              "tile": "6s", "how": "self_draw", "flags": []}],
    "kongs": [{"seat": 1, "kind": "added", "tile": "2m"}]})");
  priced = PriceRound(*half.variant, half.options, half.base, half.round);
  ASSERT_TRUE(priced.ok());
  EXPECT_EQ(priced.value().lines.at(1).arithmetic(), "100 x 1 / 2 = 50");
  EXPECT_EQ(priced.value().lines.at(1).text_zh(),
            "JY-40 杠，座位0、2、3各付座位1 50：底注100 × 1 / 2倍；明杠 二万 2m");
}

// The factor beyond the pattern's points is named for how it was won (D-SG-9).
TEST(PriceRoundTest, DoesNotCallARobbedKongASelfDraw) {
  const casefile::Case robbed = Read(R"({
    "game": "shaoguan", "options": {}, "base": 10, "dealer": 0, "end": "win",
    "wins": [{"seat": 1, "concealed": "345p45789s11222z", "melds": [],
              "tile": "6s", "how": "robbed_kong", "from": 3, "flags": []}],
    "kongs": []})");
  const auto priced = PriceRound(*robbed.variant, robbed.options, robbed.base, robbed.round);
  ASSERT_TRUE(priced.ok());
  const Line line = priced.value().lines.at(0);
  EXPECT_NE(line.text_zh().find("2抢杠胡"), std::string::npos) << line.text_zh();
  EXPECT_EQ(line.text_zh().find("自摸"), std::string::npos) << line.text_zh();
}

// What each game's rules say, told by the receipt of a hand that meets them.
struct Told {
  const char* name;
  const char* round;  // a case
  const char* arithmetic;
  std::vector<rules::RuleId> rules;
};
void PrintTo(const Told& told, std::ostream* out) { *out << told.name; }
class ToldTest : public ::testing::TestWithParam<Told> {};

TEST_P(ToldTest, SaysExactlyWhatTheRuleSays) {
  const casefile::Case one = Read(GetParam().round);
  ASSERT_NE(one.variant, nullptr);
  const auto priced = PriceRound(*one.variant, one.options, one.base, one.round);
  ASSERT_TRUE(priced.ok());
  const Line& line = priced.value().lines.at(0);
  EXPECT_EQ(line.arithmetic(), GetParam().arithmetic);
  EXPECT_EQ(RulesOf(line), GetParam().rules);
  EXPECT_TRUE(line.explained);
}

INSTANTIATE_TEST_SUITE_P(
    Every, ToldTest,
    ::testing::Values(Told{"FanOfTheWayAndOfTheHand",
                           R"({"game": "chaozhou", "options": {}, "base": 100,
             "dealer": 0, "end": "win", "kongs": [], "wins": [{"seat": 1, "concealed":
             "111222333m44p55z", "melds": [], "tile": "4p", "how": "self_draw", "flags": []}]})",
                           "100 x (2 + 1) x 2 = 600",
                           {"CZ-11", "CZ-12", "CZ-22"}},
                      Told{"NothingButTheBase",
                           R"({"game": "jieyang", "options": {}, "base": 2, "dealer": 0,
             "end": "win", "kongs": [], "wins": [{"seat": 1, "concealed": "22299m345p45678s",
             "melds": [], "tile": "6s", "how": "self_draw", "flags": []}]})",
                           "2 x 1 = 2",
                           {"JY-10"}},
                      Told{"Jieyang's cap",
                           R"({"game": "jieyang", "options": {}, "base": 100, "dealer": 0,
             "end": "win", "kongs": [], "wins": [{"seat": 1, "concealed": "1122334455667p",
             "melds": [], "tile": "7p", "how": "self_draw", "flags": []}]})",
                           "100 x (5 x 3 -> 13) = 1300",
                           {"JY-10", "JY-23", "JY-27", "D-JY-10"}},
                      Told{"XTimesOneAndTheHits",
                           R"({"game": "shaoguan", "options": {}, "base": 600,
             "dealer": 0, "end": "win", "kongs": [], "horses": "1p5s7z2s", "wins": [{"seat": 0,
             "concealed": "111234567p789s1z", "melds": [], "tile": "1z", "how": "self_draw",
             "flags": []}]})",
                           "600 x 2 x 2 x (1 + 3) = 9600",
                           {"SG-40", "SG-11", "D-SG-9", "SG-20"}},
                      Told{"NoHits",
                           R"({"game": "shaoguan", "options": {"self_draw_doubles": false},
             "base": 600, "dealer": 0, "end": "win", "kongs": [], "horses": "2p6s7s2s", "wins":
             [{"seat": 0, "concealed": "111234567p789s1z", "melds": [], "tile": "1z", "how":
             "self_draw", "flags": []}]})",
                           "600 x 2 x (1 + 0) = 1200",
                           {"SG-40", "SG-11"}},
                      Told{"TwoDragonPungsAndFull",
                           R"({"game": "guangdong", "options": {}, "base": 10,
             "dealer": 0, "round_wind": "1z", "seat_winds": ["1z", "2z", "3z", "4z"], "end": "win",
             "kongs": [], "wins": [{"seat": 1, "concealed": "12344m555666z11m", "melds": [],
             "tile": "4m", "how": "self_draw", "flags": []}]})",
                           "10 x 2^(2 + 2 -> 3) = 80",
                           {"GD-52", "GD-12", "GD-42", "GD-50"}},
                      Told{"AFloorOfThree",
                           R"({"game": "guangdong", "options": {}, "base": 10, "dealer": 0,
             "round_wind": "1z", "seat_winds": ["1z", "2z", "3z", "4z"], "end": "win",
             "kongs": [{"seat": 1, "kind": "concealed", "tile": "2m"}], "wins": [{"seat": 1,
             "concealed": "34599p67s666z", "melds": [{"kind": "concealed_kong", "tiles": "2222m"}],
             "tile": "5s", "how": "self_draw", "flags": ["kong_replacement"]}]})",
                           "10 x 2^(1 -> 3) = 80",
                           {"GD-62", "GD-10", "GD-42"}}),
    [](const auto& row) {
      std::string name;
      for (const char c : std::string_view(row.param.name)) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
      }
      return name;
    });

TEST(PriceRoundTest, RefusesABaseThatIsNone) {
  const casefile::Case one = GoldenCases().front();
  for (const std::int64_t base : {std::int64_t{0}, std::int64_t{-5}}) {
    const auto priced = PriceRound(*one.variant, one.options, base, one.round);
    ASSERT_FALSE(priced.ok());
    EXPECT_EQ(priced.rejection(), ledger::Rejection::kNotPositive);
  }
  const auto priced = PriceRound(*one.variant, one.options, INT64_MAX, one.round);
  ASSERT_FALSE(priced.ok());
  EXPECT_EQ(priced.rejection(), ledger::Rejection::kTooLarge);
}

}  // namespace
}  // namespace mj::receipt
