// What finished rounds are worth: every golden case of every game.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "libs/casefile/case.h"
#include "libs/casefile/expect.h"
#include "libs/rules/score.h"

namespace mj {
namespace {

using Json = nlohmann::json;

Json Golden() {
  std::ifstream file("tests/cases/cases.json");
  EXPECT_TRUE(file) << "run from the repository's root";
  return file ? Json::parse(file) : Json::array();
}

std::vector<Json> Rows() {
  const Json golden = Golden();
  return {golden.begin(), golden.end()};
}

// Google Test's names have letters and digits only.
std::string NameOf(const Json& row) {
  std::string name = row.at("id");
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// The format gives transfers in no order.
Json Sorted(Json expect) {
  auto& transfers = expect.at("transfers");
  std::sort(transfers.begin(), transfers.end());
  return expect;
}

// One test for each row, named for its id: cz-001 is cz_001.
class CaseTest : public ::testing::TestWithParam<Json> {};

TEST_P(CaseTest, IsWorthIt) {
  const Json& row = GetParam();
  SCOPED_TRACE(row.at("id").get<std::string>() + ": " + row.at("note").get<std::string>());
  const auto read = casefile::ReadCase(row);
  if (const auto* error = std::get_if<casefile::FormatError>(&read)) FAIL() << error->ToText();
  const auto expect = casefile::Expect(std::get<casefile::Case>(read));
  ASSERT_TRUE(std::holds_alternative<casefile::OrderedJson>(expect));
  const Json actual = Json::parse(std::get<casefile::OrderedJson>(expect).dump());
  EXPECT_EQ(Sorted(actual), Sorted(row.at("expect")));
}

INSTANTIATE_TEST_SUITE_P(Golden, CaseTest, ::testing::ValuesIn(Rows()),
                         [](const auto& row) { return NameOf(row.param); });

TEST(CasesTest, EveryGameHasItsCases) {
  std::map<std::string, int> rows;
  for (const Json& row : Golden()) ++rows[row.at("game")];
  EXPECT_GE(rows["chaozhou"], 49);
  EXPECT_GE(rows["guangdong"], 68);
  EXPECT_GE(rows["shaoguan"], 53);
  EXPECT_GE(rows["jieyang"], 59);
}

// A game that pays by more than the golden fields say would slip through: net must be transfers.
TEST(CasesTest, EveryGoldenRowAddsUp) {
  for (const Json& row : Golden()) {
    SCOPED_TRACE(row.at("id").get<std::string>());
    std::vector<std::int64_t> net(4);
    for (const Json& line : row.at("expect").at("transfers")) {
      net[line.at("from").get<std::size_t>()] -= line.at("coins").get<std::int64_t>();
      net[line.at("to").get<std::size_t>()] += line.at("coins").get<std::int64_t>();
    }
    EXPECT_EQ(Json(net), row.at("expect").at("net"));
  }
}

// Whoever sits where: turning the table turns the answer. Holds for every game, since no rule
// names a seat.
TEST(CasesTest, TurningTheTableTurnsTheAnswer) {
  for (const Json& row : Golden()) {
    SCOPED_TRACE(row.at("id").get<std::string>());
    const auto read = casefile::ReadCase(row);
    ASSERT_TRUE(std::holds_alternative<casefile::Case>(read));
    const auto& original = std::get<casefile::Case>(read);
    const auto turn = [](std::optional<rules::Seat> seat) {
      return seat ? std::optional(rules::After(*seat)) : std::nullopt;
    };
    rules::FinishedRound turned = original.round;
    turned.deal.dealer = rules::After(turned.deal.dealer);
    if (turned.deal.seat_winds) {
      for (rules::Seat seat : rules::kSeats) {
        (*turned.deal.seat_winds)[rules::After(seat)] = (*original.round.deal.seat_winds)[seat];
      }
    }
    for (rules::Win& win : turned.wins) {
      win.seat = rules::After(win.seat);
      win.from = turn(win.from);
      win.kong_feeder = turn(win.kong_feeder);
      win.killed = turn(win.killed);
      for (rules::CalledMeld& called : win.hand.melds) called.from = turn(called.from);
    }
    for (rules::Kong& kong : turned.kongs) {
      kong.seat = rules::After(kong.seat);
      kong.from = turn(kong.from);
      kong.paid_by = turn(kong.paid_by);
    }
    const auto before = rules::ScoreRound(*original.variant, original.options, original.round);
    const auto after = rules::ScoreRound(*original.variant, original.options, turned);
    for (rules::Seat seat : rules::kSeats) {
      EXPECT_EQ(after.net[rules::After(seat)], before.net[seat]);
    }
  }
}

}  // namespace
}  // namespace mj
