#include "libs/receipt/price.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <tuple>

#include "libs/casefile/case.h"
#include "libs/casefile/documents.h"

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

// A factor as the receipt writes it: "6", "2^3", or "(1 + 2)".
std::int64_t ValueOf(const std::string& figures) {
  std::int64_t a = 0, b = 0;
  char sign = 0;
  std::istringstream in(figures.front() == '(' ? figures.substr(1) : figures);
  in >> a;
  if (!(in >> sign >> b)) return a;
  return sign == '^' ? (std::int64_t{1} << b) * (a == 2) : a + b;
}

// Both sides of "100 x 3 x (1 + 2) / 2 = 450".
std::pair<std::int64_t, std::int64_t> BothSides(std::string arithmetic) {
  const std::size_t equals = arithmetic.find(" = ");
  const std::int64_t right = std::stoll(arithmetic.substr(equals + 3));
  arithmetic.resize(equals);
  std::int64_t divisor = 1;
  if (const std::size_t slash = arithmetic.find(" / "); slash != std::string::npos) {
    divisor = std::stoll(arithmetic.substr(slash + 3));
    arithmetic.resize(slash);
  }
  std::int64_t product = 1;
  for (std::size_t at = 0; at != std::string::npos;) {
    const std::size_t next = arithmetic.find(" x ", at);
    product *= ValueOf(arithmetic.substr(at, next == std::string::npos ? next : next - at));
    at = next == std::string::npos ? next : next + 3;
  }
  return {product / divisor, right};
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
      SCOPED_TRACE(one.id + ": " + line.arithmetic);
      const auto [left, right] = BothSides(line.arithmetic);
      EXPECT_EQ(left, right);
      EXPECT_EQ(right, line.coins.value());
    }
  }
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
    "game": "chaozhou", "options": {"max_multiplier": 5}, "base": 100, "dealer": 0, "end": "win",
    "wins": [{"seat": 2, "concealed": "3335557779s",
              "melds": [{"kind": "pung", "tiles": "222s", "from": 1}],
              "tile": "9s", "how": "robbed_kong", "from": 3, "flags": []}],
    "kongs": [{"seat": 0, "kind": "discard", "tile": "6m", "from": 3}]})");
  const auto priced = PriceRound(*one.variant, one.options, one.base, one.round);
  ASSERT_TRUE(priced.ok());
  ASSERT_EQ(priced.value().lines.size(), 2u);
  const Line& win = priced.value().lines[0];
  EXPECT_EQ(win.arithmetic, "100 x 2 x 5 x 3 = 3000");
  EXPECT_EQ(win.rules, (std::vector<rules::RuleId>{"CZ-13", "CZ-22", "CZ-24"}));
  EXPECT_EQ(win.text_zh,
            "CZ-13 抢杠胡，座位3付座位2 3000：底注100 × 2番 × 5倍 × 3份；CZ-22 碰碰胡 ×2，"
            "CZ-24 清一色 ×3；6倍封顶为5倍");
  const Line& kong = priced.value().lines[1];
  EXPECT_EQ(kong.arithmetic, "100 x 3 = 300");
  EXPECT_EQ(kong.text_zh, "CZ-40 杠牌，座位3付座位0 300：底注100 × 3；点杠 六万 6m");
}

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
