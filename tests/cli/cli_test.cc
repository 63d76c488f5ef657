// mahjongctl as a process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "libs/rpc/service.h"
#include "services/scoring/wiring.h"
#include "tests/cli/program_testing.h"

namespace mj::cli {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

class CliTest : public ProgramTest {
 protected:
  // What bash offers: "INDEX WORD..." are the index of the word that the cursor is at, and the words.
  std::vector<std::string> Completed(const std::string& line) const {
    const std::size_t blank = line.find(' ');
    const std::string script =
        Write("complete.sh", Run("completion bash").out + "COMP_CWORD=" + line.substr(0, blank) +
                                 "\nCOMP_WORDS=(" + line.substr(blank) +
                                 ")\n_mahjongctl\n"
                                 "for each in \"${COMPREPLY[@]}\"; do "
                                 "echo \"$each\"; done\n");
    const std::string offered = Path("offered");
    EXPECT_EQ(std::system(("bash " + script + " >" + offered).c_str()), 0) << line;
    return LinesOf(Text(offered));
  }
};

// Lists whose order means nothing, sorted.
Json Normal(Json answer) {
  if (answer.contains("transfers")) {
    std::sort(answer["transfers"].begin(), answer["transfers"].end());
  }
  if (answer.contains("steps")) {
    for (Json& step : answer["steps"]) {
      for (Json& offers : step["offers"]) std::sort(offers.begin(), offers.end());
    }
    Json& expect = answer["result"]["case"]["expect"];
    if (expect.is_object()) expect = Normal(expect);
  }
  return answer;
}

void ExpectGoldenCases(const std::string& out) {
  const Json cases = Json::parse(Text("tests/cases/cases.json"));
  const std::vector<std::string> lines = LinesOf(out);
  ASSERT_EQ(lines.size(), cases.size());
  std::size_t scored = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Json answer = Json::parse(lines[i]);
    if (answer.contains("error")) {  // a game that this build does not play
      EXPECT_THAT(answer["error"].get<std::string>(), HasSubstr("no game is called"));
      continue;
    }
    ++scored;
    EXPECT_EQ(Normal(answer), Normal(cases[i]["expect"])) << cases[i]["id"];
  }
  EXPECT_GE(scored, 40u);
}

TEST_F(CliTest, ScoresTheGoldenCases) {
  const Outcome done = Run("score --local --cases tests/cases/cases.json");
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_THAT(done.err, IsEmpty());
  ExpectGoldenCases(done.out);
}

TEST_F(CliTest, ScoresTheGoldenCasesByAService) {
  const auto service = rpc::StartService(
      "scoring", {},
      [](rpc::Bindings& bindings) { return scoring::Bind(scoring::Config(), bindings); },
      {.log_line = [](std::string_view) {}});
  ASSERT_TRUE(service.ok()) << service.status();
  const Outcome done =
      Run("score --target " + (*service)->address() + " --cases - < tests/cases/cases.json");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  ExpectGoldenCases(done.out);
}

TEST_F(CliTest, PlaysTheGoldenRounds) {
  const Outcome done = Run("round --rounds tests/cases/rounds.jsonl");
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_THAT(done.err, IsEmpty());
  const std::vector<std::string> rounds = LinesOf(Text("tests/cases/rounds.jsonl"));
  const std::vector<std::string> lines = LinesOf(done.out);
  ASSERT_EQ(lines.size(), rounds.size());
  std::size_t played = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Json round = Json::parse(rounds[i]);
    const Json answer = Json::parse(lines[i]);
    EXPECT_EQ(answer["id"], round["id"]);
    if (answer.contains("error")) {
      EXPECT_THAT(answer["error"].get<std::string>(), HasSubstr("no game is called"));
      continue;
    }
    ++played;
    Json expect = round["expect"];
    expect["id"] = round["id"];
    // Whole rounds are long: the step that differs is enough.
    const Json got = Normal(answer), want = Normal(expect);
    EXPECT_EQ(got["result"], want["result"]) << round["id"];
    ASSERT_EQ(got["steps"].size(), want["steps"].size()) << round["id"];
    for (std::size_t step = 0; step < want["steps"].size(); ++step) {
      ASSERT_EQ(got["steps"][step], want["steps"][step]) << round["id"] << ", step " << step;
    }
  }
  EXPECT_GE(played, 25u);
}

TEST_F(CliTest, AnswersEveryBadCaseInItsLine) {
  const Outcome done = Run("score --cases tests/cli/testdata/bad_cases.jsonl");
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_EQ(LinesOf(done.out), LinesOf(Text("tests/cli/testdata/bad_cases.golden")));
  EXPECT_EQ(LinesOf(done.out).size(), LinesOf(Text("tests/cli/testdata/bad_cases.jsonl")).size());
}

TEST_F(CliTest, AnswersEveryBadRoundInItsLine) {
  const Outcome done = Run("round --rounds tests/cli/testdata/bad_rounds.jsonl");
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_EQ(LinesOf(done.out), LinesOf(Text("tests/cli/testdata/bad_rounds.golden")));
}

TEST_F(CliTest, TakesWhateverTheFileHolds) {
  EXPECT_EQ(Run("score --cases " + Write("empty", "")).out, "");
  EXPECT_EQ(Run("score --cases " + Write("list", "[]")).out, "");
  for (const std::string& rubbish :
       {std::string("[{\"id\":\"a\""), std::string("\xFF\xFE\x00", 3), std::string(200'000, '['),
        std::string("{\"a\":") + std::string(100'000, '{')}) {
    const Outcome done = Run("score --cases " + Write("rubbish", rubbish));
    EXPECT_EQ(done.exit_code, 0);
    ASSERT_EQ(LinesOf(done.out).size(), 1u);
    EXPECT_TRUE(Json::parse(done.out).contains("error"));
  }
}

TEST_F(CliTest, ExplainsOneHand) {
  const Outcome done =
      Run("score --variant chaozhou --hand 111222333m44p55z --tile 4p --how self_draw");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("碰碰胡"));
  EXPECT_THAT(done.out, HasSubstr("100 x (2 + 1) x 2 = 600"));
  EXPECT_THAT(done.out, HasSubstr("pays 900; the one that counts pays 1800"));

  const Outcome kong =
      Run("score --variant chaozhou --hand 345p45678s99m --meld discard_kong:2222m:3 --tile 3s "
          "--flag kong_replacement --option max_multiplier=0 --seat 1 --base 10");
  EXPECT_EQ(kong.exit_code, 0) << kong.err;
  EXPECT_THAT(kong.out, HasSubstr("杠上开花"));
  EXPECT_THAT(kong.out, HasSubstr("点杠"));
}

struct ReportRow {
  const char* arguments;
  std::vector<const char*> says;
};
class ReportTest : public CliTest, public ::testing::WithParamInterface<ReportRow> {};

TEST_P(ReportTest, SaysItInTheTextsWords) {
  const Outcome done = Run(std::string("score --variant ") + GetParam().arguments);
  EXPECT_EQ(done.exit_code, 0) << done.err;
  for (const char* says : GetParam().says) EXPECT_THAT(done.out, HasSubstr(says));
}

INSTANTIATE_TEST_SUITE_P(
    Every, ReportTest,
    ::testing::Values(
        ReportRow{"chaozhou --hand 111222333m44p55z --tile 4p",
                  {"自摸 · 大牌自摸 · 庄胡", "只得900，所计牌型得1800", "CZ-22 碰碰胡 ×2",
                   "底注100 × (2 + 1)番 × 2倍", "+1,800"}},
        ReportRow{"chaozhou --hand 222333p2344s --tile 1s --how robbed_kong --from 2 --seat 1 "
                  "--meld concealed_kong:7777z",
                  {"抢杠胡 · 闲胡", "暗杠", "3份"}},
        ReportRow{"guangdong --hand 1112344m555666z --tile 4m --seat 1 --round-wind 1z "
                  "--seat-winds 1234z",
                  {"GD-42 箭刻 +2", "100 x 2^(2 + 2 -> 3) = 800",
                   "4番按3番计（GD-50 三番满六番爆）", "圈风"}},
        ReportRow{
            "shaoguan --hand 111234567p789s1z --tile 1z --horses 1p5s7z2s --base 600",
            {"600 x 2 x 2 x (1 + 3) = 9600", "1p 一筒 中 hit", "2s 二条 不中 miss", "(1 + 3马)"}},
        ReportRow{
            "shaoguan --hand 2p --tile 2p --meld discard_kong:3333p:1 --meld pung:444p:1 --meld "
            "pung:555p:2 --meld pung:666p:3 --killed 3",
            {"SG-43", "x 3 =", "放杠", "清对", "\n胡 win      自摸 · 庄胡"}},
        ReportRow{
            "shaoguan --hand 2p --tile 2p --meld concealed_kong:3333p --meld pung:444p:1 --meld "
            "pung:555p:2 --meld added_kong:6666p:3 --killed 3 --flag kong_replacement --base 10",
            {"SG-43 歼牌，座位3一家全付", "底分10 × 1分 × 3份"}},
        ReportRow{"guangdong --hand 111m99p456s55z --meld discard_kong:2222s:3 --tile 5z --flag "
                  "kong_replacement --round-wind 1z --seat-winds 1234z",
                  {"GD-63 杠上开花包杠", "底分"}},
        ReportRow{"jieyang --hand 112233445566p5z --tile 5z --option wild=white --wild 5z",
                  {"(5 x 5 -> 13)", "封顶前较小：15比25", "鬼牌"}},
        ReportRow{"jieyang --hand 123m456p789s1122z --tile 2z --how discard --from 1",
                  {"不能胡", "此牌不能点炮胡", "discard_win_not_allowed"}}));

TEST_F(CliTest, SaysThatAHandIsNoWin) {
  const Outcome done = Run("score --variant chaozhou --hand 111222333m45p55z --tile 9p");
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_THAT(done.out, HasSubstr("not_a_winning_shape"));
}

struct FailureRow {
  const char* arguments;
  int exit_code;
  const char* error;  // on standard error
};
class FailureTest : public CliTest, public ::testing::WithParamInterface<FailureRow> {};

TEST_P(FailureTest, EndsWithItsCodeAndAWord) {
  const Outcome done = Run(GetParam().arguments);
  EXPECT_EQ(done.exit_code, GetParam().exit_code);
  EXPECT_THAT(done.err, HasSubstr(GetParam().error));
}

INSTANTIATE_TEST_SUITE_P(
    Every, FailureTest,
    ::testing::Values(
        FailureRow{"score --variant chaozhou --hand 111222333m44p5z --tile 4p", 1,
                   "--hand: got 12 tiles, want 13"},
        FailureRow{"score --variant chaozhou --hand 1111m22233344p5z --tile 1m", 1,
                   "the hand: more alike"},
        FailureRow{"score --variant bridge --hand 111222333m44p55z --tile 4p", 1, "--variant"},
        FailureRow{"score --variant chaozhou --hand 111222333m44p55z --tile 4x", 1, "--tile"},
        FailureRow{"score --variant chaozhou --hand 111222333m44p55z --tile 4p --how ron", 1,
                   "--how: got \"ron\""},
        FailureRow{"score --variant chaozhou --hand 111222333m44p55z --tile 4p --base -1", 1,
                   "--base: got -1"},
        FailureRow{"score --variant chaozhou --hand 111222333m44p55z --tile 4p --how discard", 1,
                   "--from: missing"},
        FailureRow{"score --variant chaozhou --hand 222333m44p55z --meld pung:112m:1 --tile 4p", 1,
                   "--meld"},
        FailureRow{"score --variant chaozhou --hand 111222333m44p55z --tile 4p --option speed=1", 1,
                   "--option: unknown field \"speed\""},
        FailureRow{"variants bridge", 1, "no game is called \"bridge\""},
        FailureRow{"", 2, "subcommand"},
        FailureRow{"fly", 2, "there is no command 'fly'; there are score, round, variants, audit"},
        FailureRow{"completion", 2, "SHELL"}, FailureRow{"completion fish", 2, "fish"},
        FailureRow{"replay --json --all x", 2, "--json"}, FailureRow{"score", 2, "--cases"},
        FailureRow{"score --cases", 2, "--cases"},
        FailureRow{"score --cases x --hand 123m", 2, "--cases"},
        FailureRow{"score --hand 123m", 2, "--variant"},
        FailureRow{"score --cases x --speed 9", 2, "--speed"}, FailureRow{"round", 2, "--rounds"},
        FailureRow{"tournament --rounds 31", 2, "--rounds"},
        FailureRow{"tournament --rounds many", 2, "--rounds"},
        FailureRow{"tournament --variant bridge", 1, "no game is called bridge"},
        FailureRow{"play --variant chaozhou", 2, "./dev up -d"},
        FailureRow{"play --ascii --speed 9", 2, "--speed"},
        FailureRow{"play --wallet a:1 --matchmaking a:1 --target a:1 </dev/null", 2, "terminal"},
        FailureRow{"practice --variant chaozhou", 2, "--wallet"}, FailureRow{"keys", 2, "WHAT"},
        FailureRow{"keys dev", 2, "--out"}, FailureRow{"keys fly", 2, "WHAT"},
        FailureRow{"keys drop --out x", 2, "--kid"},
        FailureRow{"keys rotate --out /nowhere", 3, "/nowhere/jwks.json"},
        FailureRow{"keys token --role player --player ann", 2, "--signing-key"},
        FailureRow{"--cert x variants", 2, "--cert and --key"},
        FailureRow{"--ca /nowhere variants", 2, "/nowhere"},
        FailureRow{"score --cases /nowhere/at/all", 3, "/nowhere/at/all: No such file"},
        FailureRow{"score --cases .", 3, "Is a directory"},
        FailureRow{"round --rounds /nowhere/at/all", 3, "/nowhere/at/all"},
        FailureRow{"score --cases tests/cases/cases.json --target 127.0.0.1:1", 4,
                   "`./dev up -d` starts a stack"},
        FailureRow{"score --cases tests/cases/cases.json > /dev/full", 5, "standard output"},
        FailureRow{"variants > /dev/full", 5, "standard output"}));

TEST_F(CliTest, HelpsAndNamesItsVersion) {
  EXPECT_THAT(Run("--help").out, HasSubstr("Exit codes:"));
  const std::vector<std::string> commands = Completed("1 mahjongctl ''");
  EXPECT_THAT(commands, ::testing::IsSupersetOf({"score", "audit", "replay", "completion"}));
  for (const std::string& command : commands) {
    if (command.starts_with("--")) continue;
    const Outcome done = Run(command + " --help");
    EXPECT_EQ(done.exit_code, 0) << command;
    EXPECT_THAT(done.err, IsEmpty()) << command;
    for (const char* part : {"Usage", "Examples:\n", "mahjongctl ", "Exit codes:\n"}) {
      EXPECT_THAT(done.out, HasSubstr(part)) << command;
    }
  }
  const Outcome version = Run("--version");
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_THAT(version.out, ::testing::StartsWith("mahjongctl 0."));
}

TEST_F(CliTest, MakesKeysAndTokens) {
  const std::string folder = Path("keys");
  EXPECT_EQ(Run("keys dev --out " + folder + " --host table.example").exit_code, 0);
  for (const char* secret : {"ca.key", "table.key", "wallet.key", "signing.json"}) {
    EXPECT_EQ(std::filesystem::status(folder + "/" + secret).permissions() &
                  (std::filesystem::perms::group_all | std::filesystem::perms::others_all),
              std::filesystem::perms::none)
        << secret;
  }
  // Nobody's keys are lost to a second call.
  EXPECT_EQ(Run("keys dev --out " + folder).exit_code, 2);
  const std::string token = "keys token --signing-key " + folder + "/signing.json --role ";
  const Outcome made = Run(token + "player --player ann");
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(std::count(made.out.begin(), made.out.end(), '.'), 2);
  EXPECT_EQ(Run(token + "king --name ann").exit_code, 2);
  EXPECT_EQ(Run(token + "service:wallet --name wallet").exit_code, 2);
  EXPECT_EQ(Run(token + "player --player 'a b'").exit_code, 2);
  EXPECT_EQ(
      Run("keys token --role player --player ann --signing-key " + folder + "/none").exit_code, 3);

  const Json before = Json::parse(Text(folder + "/jwks.json"));
  ASSERT_EQ(before["keys"].size(), 1U);
  const std::string first = before["keys"][0]["kid"].get<std::string>();
  EXPECT_EQ(Run("keys drop --out " + folder + " --kid " + first).exit_code, 2);
  // Two keys of one second would have one name.
  Write("keys/signing.json", Text(folder + "/signing.json"));
  Json renamed = before;
  renamed["keys"][0]["kid"] = "first";
  Write("keys/jwks.json", renamed.dump());
  EXPECT_EQ(Run("keys rotate --out " + folder).exit_code, 0);
  EXPECT_EQ(Json::parse(Text(folder + "/jwks.json"))["keys"].size(), 2U);
  EXPECT_EQ(Run("keys drop --out " + folder + " --kid first").exit_code, 0);
  EXPECT_EQ(Json::parse(Text(folder + "/jwks.json"))["keys"].size(), 1U);
}

TEST_F(CliTest, CompletesInBash) {
  EXPECT_THAT(Completed("1 mahjongctl va"), ::testing::ElementsAre("variants"));
  EXPECT_THAT(Completed("2 mahjongctl verify --b"), ::testing::ElementsAre("--brief"));
  EXPECT_THAT(Completed("3 mahjongctl score --variant ch"), ::testing::ElementsAre("chaozhou"));
  EXPECT_THAT(Completed("2 mahjongctl variants s"), ::testing::ElementsAre("shaoguan"));
  EXPECT_THAT(Completed("2 mahjongctl ops st"), ::testing::ElementsAre("stop-rounds"));
  EXPECT_THAT(Completed("3 mahjongctl ops close --at-"), ::testing::ElementsAre("--at-once"));
  EXPECT_THAT(Completed("4 mahjongctl ops tables --state s"), ::testing::ElementsAre("settling"));
  EXPECT_THAT(Completed("3 mahjongctl audit --currency ''"),
              ::testing::ElementsAre("COIN", "PRACTICE"));
  // Files are bash's own.
  EXPECT_THAT(Completed("2 mahjongctl verify x"), IsEmpty());
  EXPECT_THAT(Completed("2 mahjongctl fly x"), IsEmpty());
}

TEST_F(CliTest, SaysItInJson) {
  const Outcome games = Run("variants --json");
  EXPECT_EQ(games.exit_code, 0) << games.err;
  const std::vector<std::string> lines = LinesOf(games.out);
  ASSERT_GE(lines.size(), 4U);
  for (const std::string& line : lines) {
    const Json game = Json::parse(line);
    EXPECT_FALSE(game["patterns"].empty()) << line;
    EXPECT_EQ(Json::parse(Run("variants --json " + game["id"].get<std::string>()).out), game);
  }
  const Json hand = Json::parse(
      Run("score --variant chaozhou --hand 111222333m44p55z --tile 4p --how self_draw --json").out);
  EXPECT_EQ(hand["net"], Json::parse("[1800, -600, -600, -600]"));
  EXPECT_EQ(Run("score --variant chaozhou --hand 1m --tile 4p --json").exit_code, 1);
}

TEST_F(CliTest, ItsReadmeHasEveryExitCode) {
  const std::string readme = Text("tools/mahjongctl/README.md");
  const std::string help = Run("--help").out;
  for (int code = 0; code <= 5; ++code) {
    const std::string text = std::to_string(code);
    EXPECT_THAT(readme, HasSubstr("\n| " + text + " | "));
    EXPECT_THAT(help, HasSubstr("\n  " + text + "  "));
  }
}

TEST_F(CliTest, ListsTheGames) {
  const Outcome all = Run("variants");
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_THAT(all.out, HasSubstr("潮州麻将"));
  const Outcome one = Run("variants chaozhou");
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_THAT(one.out, HasSubstr("CZ-22"));
  EXPECT_THAT(one.out, HasSubstr("max_multiplier = 10"));
}

}  // namespace
}  // namespace mj::cli
