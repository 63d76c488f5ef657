#include "libs/casefile/whole_round.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace mj::casefile {
namespace {

using Json = nlohmann::json;

// The first golden round of a game: four steps, two kongs, a win on the second replacement.
Json Good() {
  std::ifstream file("tests/cases/rounds.jsonl");
  std::string line;
  std::getline(file, line);
  Json good = Json::parse(line);
  good.erase("expect");
  return good;
}

std::string ErrorOf(const Json& document) {
  const auto read = ReadWholeRound(document);
  if (const auto* error = std::get_if<FormatError>(&read)) return error->ToText();
  const auto played = Play(std::get<WholeRound>(read));
  if (const auto* error = std::get_if<FormatError>(&played)) return error->ToText();
  return "ok";
}

TEST(WholeRoundTest, PlaysToItsResult) {
  const auto read = ReadWholeRound(Good());
  ASSERT_TRUE(std::holds_alternative<WholeRound>(read)) << ErrorOf(Good());
  EXPECT_EQ(std::get<WholeRound>(read).id, "chaozhou-1-00026");
  const auto played = Play(std::get<WholeRound>(read));
  ASSERT_TRUE(std::holds_alternative<PlayedRound>(played)) << ErrorOf(Good());
  const auto& [steps, result] = std::get<PlayedRound>(played);
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(
      steps[1].dump(),
      R"({"phase":"discard","seat":3,"tile":"7z","left":83,"offers":{"2":["kong discard 7z","pung","pass"]}})");
  EXPECT_EQ(result["end"], "win");
  EXPECT_EQ(result["case"]["expect"]["net"].dump(), "[-1000,-1000,3300,-1300]");
  EXPECT_EQ(result["next_dealer"], 0);
}

TEST(WholeRoundTest, NamesTheStepThatIsNotOffered) {
  Json bad = Good();
  bad["chosen"][1]["2"] = "win";
  EXPECT_EQ(ErrorOf(bad),
            "chosen[1].2: step 1: seat 2 may not win; offered are kong discard 7z, pung, pass");
  bad = Good();
  bad["chosen"][0]["3"] = "discard 9s";
  EXPECT_EQ(ErrorOf(bad),
            "chosen[0].3: step 0: seat 3 may not discard 9s; offered are discard "
            "1237m137p1568s147z");
}

TEST(WholeRoundTest, NamesTheSeatThatIsNotAsked) {
  Json bad = Good();
  bad["chosen"][1]["0"] = "pass";
  EXPECT_EQ(ErrorOf(bad), "chosen[1].0: step 1: seat 0 is not asked");
}

TEST(WholeRoundTest, NamesTheStepWithoutAChoice) {
  Json bad = Good();
  bad["chosen"][2] = Json::object();
  EXPECT_EQ(ErrorOf(bad),
            "chosen[2].2: step 2: seat 2 is asked and has no choice; offered are kong concealed "
            "9p, discard 45m9p4s");
}

TEST(WholeRoundTest, SaysWhenTheChoicesDoNotFitTheLength) {
  Json bad = Good();
  bad["chosen"].erase(3);
  EXPECT_EQ(ErrorOf(bad), "chosen: step 3: the choices are over before the round is");
  bad = Good();
  bad["chosen"].push_back({{"0", "pass"}});
  EXPECT_EQ(ErrorOf(bad), "chosen[4]: step 4: the round is over before the choices are");
}

TEST(WholeRoundTest, RefusesWhatIsNoRound) {
  Json bad = Good();
  bad["wall"] = "123m";
  EXPECT_EQ(ErrorOf(bad), "wall: not exactly the tiles of this game");
  bad["wall"] = 7;
  EXPECT_EQ(ErrorOf(bad), "wall: got number, want a string");
  bad = Good();
  bad["chosen"][0]["3"] = "throw 7z";
  EXPECT_EQ(ErrorOf(bad), "chosen[0].3: \"throw 7z\" is no choice");
  bad = Good();
  bad["chosen"][0]["4"] = "pass";
  EXPECT_EQ(ErrorOf(bad), "chosen[0]: unknown field \"4\"");
  bad = Good();
  bad["round_wind"] = "1z";
  EXPECT_EQ(ErrorOf(bad), "seat_winds: winds that contradict the game, or are not dealt in turn");
  EXPECT_EQ(ErrorOf(Json("x")), "got string, want an object");
}

}  // namespace
}  // namespace mj::casefile
