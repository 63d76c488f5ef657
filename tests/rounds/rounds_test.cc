// How whole rounds are played: every golden round of every game.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "libs/casefile/whole_round.h"

namespace mj {
namespace {

using Json = nlohmann::json;

// Each row as it stands in the file.
std::vector<std::string> Lines() {
  std::ifstream file("tests/cases/rounds.jsonl");
  EXPECT_TRUE(file) << "run from the repository's root";
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

std::vector<Json> Golden() {
  std::vector<Json> rows;
  for (const std::string& line : Lines()) rows.push_back(Json::parse(line));
  return rows;
}

// Google Test's names have letters and digits only. Every row begins with its id; rows are long,
// and only the one that is played is parsed.
std::string NameOf(const std::string& line) {
  constexpr std::string_view kBegin = R"({"id": ")";
  EXPECT_TRUE(line.starts_with(kBegin)) << line.substr(0, 40);
  std::string name = line.substr(kBegin.size(), line.find('"', kBegin.size()) - kBegin.size());
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// The format gives offers and transfers in no order.
Json Sorted(Json list) {
  std::sort(list.begin(), list.end());
  return list;
}
Json WithSortedOffers(Json step) {
  for (auto& [seat, offers] : step.at("offers").items()) offers = Sorted(offers);
  return step;
}
Json WithSortedTransfers(Json result) {
  Json& transfers = result.at("case").at("expect").at("transfers");
  transfers = Sorted(transfers);
  return result;
}

casefile::WholeRound Read(const Json& row) {
  auto read = casefile::ReadWholeRound(row);
  if (const auto* error = std::get_if<casefile::FormatError>(&read)) {
    ADD_FAILURE() << error->ToText();
  }
  return std::get<casefile::WholeRound>(std::move(read));
}

// Stops at the first step that differs: what follows differs because of it.
void ExpectAsRecorded(const Json& row, const casefile::PlayedRound& played) {
  const Json steps = Json::parse(played.steps.dump());
  const Json& expected = row.at("expect").at("steps");
  for (std::size_t i = 0; i < std::min(steps.size(), expected.size()); ++i) {
    ASSERT_EQ(WithSortedOffers(steps[i]), WithSortedOffers(expected[i])) << "at step " << i;
  }
  EXPECT_EQ(steps.size(), expected.size());
  EXPECT_EQ(WithSortedTransfers(Json::parse(played.result.dump())),
            WithSortedTransfers(row.at("expect").at("result")));
}

// One test for each row, named for its id: chaozhou-1-00026 is chaozhou_1_00026.
class RoundTest : public ::testing::TestWithParam<std::string> {};

TEST_P(RoundTest, IsPlayed) {
  const Json row = Json::parse(GetParam());
  SCOPED_TRACE(row.at("id").get<std::string>());
  const auto result = casefile::Play(Read(row));
  if (const auto* error = std::get_if<casefile::FormatError>(&result)) FAIL() << error->ToText();
  ExpectAsRecorded(row, std::get<casefile::PlayedRound>(result));
}

INSTANTIATE_TEST_SUITE_P(Golden, RoundTest, ::testing::ValuesIn(Lines()),
                         [](const auto& row) { return NameOf(row.param); });

TEST(RoundsTest, EveryGameHasItsRounds) {
  std::map<std::string, int> rows;
  for (const Json& row : Golden()) ++rows[row.at("game")];
  for (const char* game : {"chaozhou", "guangdong", "shaoguan", "jieyang"}) {
    EXPECT_EQ(rows[game], 25) << game;
  }
}

// A recorded choice that is exchanged for one that was not offered stops the row at that step.
TEST(RoundsTest, AChoiceThatWasNotOfferedIsNamedWithItsStep) {
  for (const Json& row : Golden()) {
    SCOPED_TRACE(row.at("id").get<std::string>());
    Json broken = row;
    const std::size_t last = broken.at("chosen").size() - 1;
    const std::string seat = broken.at("chosen")[last].begin().key();
    broken.at("chosen")[last][seat] = "chow 12m";
    const auto result = casefile::Play(Read(broken));
    ASSERT_TRUE(std::holds_alternative<casefile::FormatError>(result));
    const std::string text = std::get<casefile::FormatError>(result).ToText();
    EXPECT_NE(text.find("step " + std::to_string(last)), std::string::npos) << text;
  }
}

// Whoever sits where: turning the table turns every offer.
TEST(RoundsTest, TurningTheTableTurnsEveryOffer) {
  const auto turn = [](const Json& by_seat) {
    Json turned = Json::object();
    for (const auto& [seat, value] : by_seat.items()) {
      turned[std::to_string((std::stoi(seat) + 1) % 4)] = value;
    }
    return turned;
  };
  for (const Json& row : Golden()) {
    SCOPED_TRACE(row.at("id").get<std::string>());
    Json turned = row;
    turned["dealer"] = (row.at("dealer").get<int>() + 1) % 4;
    if (row.contains("seat_winds")) {
      for (std::size_t i = 0; i < 4; ++i) {
        turned["seat_winds"][(i + 1) % 4] = row.at("seat_winds")[i];
      }
    }
    for (Json& chosen : turned["chosen"]) chosen = turn(chosen);
    const auto result = casefile::Play(Read(turned));
    ASSERT_TRUE(std::holds_alternative<casefile::PlayedRound>(result));
    const Json steps = Json::parse(std::get<casefile::PlayedRound>(result).steps.dump());
    const Json& expected = row.at("expect").at("steps");
    ASSERT_EQ(steps.size(), expected.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      Json step = expected[i];
      step["seat"] = (step.at("seat").get<int>() + 1) % 4;
      step["offers"] = turn(step.at("offers"));
      EXPECT_EQ(WithSortedOffers(steps[i]), WithSortedOffers(step)) << "at step " << i;
    }
  }
}

}  // namespace
}  // namespace mj
