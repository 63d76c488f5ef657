#include "libs/casefile/case.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libs/casefile/expect.h"
#include "libs/variants/registry.h"

namespace mj::casefile {
namespace {

using Json = nlohmann::json;

// CASES.md's own example, for any game that knows these tiles: the tests below are about the
// format, so they take whichever game comes first.
Json Good() {
  Json good = Json::parse(R"({
    "id": "x-1", "note": "an example", "options": {}, "base": 100, "dealer": 0, "end": "win",
    "wins": [{"seat": 2, "concealed": "3335557779s",
              "melds": [{"kind": "pung", "tiles": "222s", "from": 1}],
              "tile": "9s", "how": "self_draw", "flags": []}],
    "kongs": [{"seat": 0, "kind": "discard", "tile": "6m", "from": 3},
              {"seat": 1, "kind": "concealed", "tile": "1z"}],
    "expect": {}
  })");
  good["game"] = "chaozhou";
  return good;
}

// The error of `document`, or "ok".
std::string ErrorOf(const Json& document) {
  const auto read = ReadCase(document);
  const auto* error = std::get_if<FormatError>(&read);
  return error == nullptr ? "ok" : error->ToText();
}

TEST(ReadCaseTest, ReadsEveryField) {
  const auto read = ReadCase(Good());
  ASSERT_TRUE(std::holds_alternative<Case>(read)) << ErrorOf(Good());
  const Case& the_case = std::get<Case>(read);
  EXPECT_EQ(the_case.id, "x-1");
  EXPECT_EQ(the_case.base, 100);
  ASSERT_EQ(the_case.round.wins.size(), 1u);
  const rules::Win& win = the_case.round.wins[0];
  EXPECT_EQ(win.seat, rules::Seat::k2);
  EXPECT_EQ(win.hand.melds[0].from, rules::Seat::k1);
  EXPECT_FALSE(win.from.has_value());
  ASSERT_EQ(the_case.round.kongs.size(), 2u);
  EXPECT_EQ(the_case.round.kongs[0].from, rules::Seat::k3);
}

TEST(ReadCaseTest, WritesBackWhatItRead) {
  Json good = Good();
  good["options"]["max_multiplier"] = 0;
  const auto read = ReadCase(good);
  ASSERT_TRUE(std::holds_alternative<Case>(read)) << ErrorOf(good);
  for (const char* commentary : {"id", "note", "expect"}) good.erase(commentary);
  EXPECT_EQ(Json(WriteCase(std::get<Case>(read))), good);
}

TEST(ReadCaseTest, DoesWithoutIdNoteAndExpect) {
  Json good = Good();
  for (const char* commentary : {"id", "note", "expect"}) good.erase(commentary);
  EXPECT_EQ(ErrorOf(good), "ok");
}

// A good case with one value changed; a value of "-" takes the field away.
struct BadRow {
  const char* pointer;
  const char* value;
  const char* error;
};

class BadCaseTest : public ::testing::TestWithParam<BadRow> {};

TEST_P(BadCaseTest, IsRefusedByPath) {
  Json bad = Good();
  const Json::json_pointer pointer(GetParam().pointer);
  if (std::string_view(GetParam().value) == "-") {
    bad.at(pointer.parent_pointer()).erase(pointer.back());
  } else {
    bad[pointer] = Json::parse(GetParam().value);
  }
  EXPECT_EQ(ErrorOf(bad), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Format, BadCaseTest,
    ::testing::Values(
        BadRow{"/id", "7", "id: got number, want a string"}, BadRow{"/game", "-", "game: missing"},
        BadRow{"/game", "\"bridge\"", "game: no game is called \"bridge\""},
        BadRow{"/game", "1", "game: got number, want a string"},
        BadRow{"/options", "-", "options: missing"},
        BadRow{"/options", "[]", "options: got array, want an object"},
        BadRow{"/options/speed", "1", "options: unknown field \"speed\""},
        BadRow{"/options/max_multiplier", "\"10\"",
               "options.max_multiplier: got \"10\", want 0 to 1000"},
        BadRow{"/options/max_multiplier", "-1", "options.max_multiplier: got -1, want 0 to 1000"},
        BadRow{"/base", "-", "base: missing"}, BadRow{"/base", "0", "base: got 0, want 1 to 10000"},
        BadRow{"/base", "-100", "base: got -100, want 1 to 10000"},
        BadRow{"/base", "10001", "base: got 10001, want 1 to 10000"},
        BadRow{"/base", "18446744073709551615", "base: got 18446744073709551615, want 1 to 10000"},
        BadRow{"/base", "100.0", "base: got 100.0, want a whole number"},
        BadRow{"/base", "\"100\"", "base: got string, want a whole number"},
        BadRow{"/dealer", "4", "dealer: got 4, want 0 to 3"},
        BadRow{"/round_wind", "\"8z\"", "round_wind: \"8z\" is no tile"},
        BadRow{"/seat_winds", "[\"1z\"]", "seat_winds: got 1 winds, want one for each seat"},
        BadRow{"/seat_winds", "[\"1z\",\"2z\",3,\"4z\"]", "seat_winds[2]: want a string"},
        BadRow{"/wild", "\"\"", "wild: \"\" is no tile"},
        BadRow{"/end", "\"void\"", "end: got \"void\", want win or exhausted"},
        BadRow{"/winner", "2", "unknown field \"winner\""}, BadRow{"/wins", "-", "wins: missing"},
        BadRow{"/wins", "{}", "wins: got object, want a list"},
        BadRow{"/wins", "[1,2,3,4]", "wins: got 4 entries, want at most 3"},
        BadRow{"/wins/0", "null", "wins[0]: got null, want an object"},
        BadRow{"/wins/0/seat", "-1", "wins[0].seat: got -1, want 0 to 3"},
        BadRow{"/wins/0/concealed", "\"333\"", "wins[0].concealed: \"333\" are no tiles"},
        BadRow{"/wins/0/concealed", "\"0s\"", "wins[0].concealed: \"0s\" are no tiles"},
        BadRow{"/wins/0/tile", "\"99s\"", "wins[0].tile: \"99s\" is no tile"},
        BadRow{"/wins/0/tile", "-", "wins[0].tile: missing"},
        BadRow{"/wins/0/how", "\"ron\"",
               "wins[0].how: got \"ron\", want self_draw, discard or robbed_kong"},
        BadRow{"/wins/0/from", "true", "wins[0].from: got boolean, want a whole number"},
        BadRow{"/wins/0/flags", "[\"lucky\"]",
               "wins[0].flags[0]: got \"lucky\", want kong_replacement, last_tile, heavenly or "
               "earthly"},
        BadRow{"/wins/0/flags", "[\"last_tile\",\"last_tile\"]",
               "wins[0].flags[1]: \"last_tile\" stands twice"},
        BadRow{"/wins/0/flags", "[3]", "wins[0].flags[0]: got number, want a string"},
        BadRow{"/wins/0/melds", "-", "wins[0].melds: missing"},
        BadRow{"/wins/0/melds/0/kind", "\"kong\"",
               "wins[0].melds[0].kind: got \"kong\", want chow, pung, discard_kong, added_kong or "
               "concealed_kong"},
        BadRow{"/wins/0/melds/0/tiles", "\"223s\"", "wins[0].melds[0].tiles: \"223s\" is no pung"},
        BadRow{"/wins/0/melds/0/by", "1", "wins[0].melds[0]: unknown field \"by\""},
        BadRow{"/kongs/1/kind", "\"closed\"",
               "kongs[1].kind: got \"closed\", want discard, added or concealed"},
        BadRow{"/kongs/1/tile", "\"1x\"", "kongs[1].tile: \"1x\" is no tile"},
        BadRow{"/horses", "\"12345p\"", "horses: got 5 tiles, want at most 4"},
        BadRow{"/horses", "\"1\"", "horses: \"1\" are no tiles"}));

INSTANTIATE_TEST_SUITE_P(
    Impossible, BadCaseTest,
    ::testing::Values(
        BadRow{"/wins/0/concealed", "\"33355577799s\"",
               "wins[0].concealed: got 11 tiles, want 10 beside 1 melds"},
        BadRow{"/wins/0/concealed", "\"2235557779s\"",
               "wins[0]: more alike than the wall holds (2s)"},
        BadRow{"/wins/0/melds/0/from", "2", "wins[0].melds: a meld called from oneself (2s)"},
        BadRow{"/wins/0/melds/0/from", "-", "wins[0].melds: a called meld without `from` (2s)"},
        BadRow{"/wins/0/melds/0", R"({"kind":"chow","tiles":"234s","from":1})",
               "wins[0]: a meld that cannot be in this game (2s)"},
        BadRow{"/wins/0/from", "1", "wins[0].from: a self-draw is from nobody (9s)"},
        BadRow{"/wins/0/how", "\"discard\"", "wins[0].from: missing: whose tile it was (9s)"},
        BadRow{"/wins/0/flags", "[\"heavenly\"]",
               "wins[0].flags: a flag that contradicts the win (9s)"},
        BadRow{"/wins", "[]", "wins: empty, though the round ended by a win"},
        BadRow{"/end", "\"exhausted\"", "wins: not empty, though the wall was exhausted"},
        BadRow{"/kongs/0/from", "-",
               "kongs[0].from: a discard kong is from another seat, the other kongs are from "
               "nobody (6m)"},
        BadRow{"/kongs/1/seat", "2",
               "kongs[1]: the kongs and the winner's melds contradict each other (1z)"},
        BadRow{"/kongs/1/tile", "\"6m\"", "kongs[1].tile: the same kind konged twice (6m)"},
        BadRow{"/horses", "\"1p\"", "horses: more than are turned, or none are turned here (1p)"},
        BadRow{"/round_wind", "\"1z\"",
               "seat_winds: winds that contradict the game, or are not dealt in turn"},
        BadRow{"/wild", "\"5z\"", "wild: not the wild kind that the options give (5z)"}));

TEST(ReadCaseTest, RefusesWhatIsNoObject) {
  EXPECT_EQ(ErrorOf(Json(3)), "got number, want an object");
  EXPECT_EQ(ErrorOf(Json::array()), "got array, want an object");
}

TEST(ReadCaseTest, KnowsTheIdOfAnythingThatHasOne) {
  EXPECT_EQ(IdOf(Json::parse(R"({"id":"a","game":1})")), "a");
  EXPECT_EQ(IdOf(Json::parse(R"({"id":7})")), 7);
  EXPECT_EQ(IdOf(Json::parse(R"({"id":[7]})")), nullptr);
  EXPECT_EQ(IdOf(Json::parse("[]")), nullptr);
}

TEST(ExpectTest, NamesTheFieldsOfTheFormat) {
  const auto read = ReadCase(Good());
  ASSERT_TRUE(std::holds_alternative<Case>(read));
  const auto expect = Expect(std::get<Case>(read));
  ASSERT_TRUE(std::holds_alternative<OrderedJson>(expect));
  EXPECT_EQ(std::get<OrderedJson>(expect)["wins"].dump(),
            R"([{"seat":2,"legal":true,"patterns":["CZ-22","CZ-24"],"fan":2,"multiplier":6}])");
  EXPECT_EQ(std::get<OrderedJson>(expect)["net"].dump(), "[-1100,-600,3400,-1700]");
}

TEST(ExpectTest, GivesTheReasonOfAWinThatIsNone) {
  Json bad = Good();
  bad["wins"][0]["tile"] = "1s";
  const auto read = ReadCase(bad);
  ASSERT_TRUE(std::holds_alternative<Case>(read));
  const auto expect = Expect(std::get<Case>(read));
  ASSERT_TRUE(std::holds_alternative<OrderedJson>(expect));
  EXPECT_EQ(std::get<OrderedJson>(expect)["wins"].dump(),
            R"([{"seat":2,"legal":false,"reason":"not_a_winning_shape"}])");
}

}  // namespace
}  // namespace mj::casefile
