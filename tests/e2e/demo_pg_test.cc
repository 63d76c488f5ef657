// The program mj-demo: what it prints, and how it ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "libs/console/text.h"
#include "libs/variants/registry.h"
#include "tests/e2e/suite_testing.h"

namespace mj::e2e {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Outcome {
  int exit_code = -1;
  std::string out;
  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    std::istringstream in(out);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }
};

// `mj-demo ARGUMENTS`; standard output alone, unless `err` asks for standard error alone.
Outcome RunDemoProgram(const std::string& arguments, bool err = false) {
  Outcome outcome;
  const std::string command =
      std::string(MJ_DEMO) + " " + arguments + (err ? " 2>&1 >/dev/null" : " 2>/dev/null");
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return outcome;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    outcome.out += static_cast<char>(c);
  }
  const int status = pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

std::string Flags(const Suite& suite) {
  const demo::Addresses addresses = suite.addresses();
  return "--wallet-address " + addresses.wallet + " --table-address " + addresses.table +
         " --matchmaking-address " + addresses.matchmaking + " --scoring-address " +
         suite.scoring_address() + " --database '" + suite.database().url() + "' ";
}

void ExpectFitsAPage(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    EXPECT_LE(console::WidthOf(line), 100) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
}

TEST(DemoProgramTest, PlaysEveryGameThenPrintsTheBooksAndAVerdict) {
  Suite suite;
  const Outcome done = RunDemoProgram(Flags(suite) + "--seed 5");
  EXPECT_EQ(done.exit_code, 0) << done.out;
  // Page by page, though all tables play at once.
  std::size_t at = 0;
  for (const rules::Variant* game : variants::All()) {
    for (const std::string& part : {"── " + std::string(game->info().name_zh),
                                    std::string("round 1 第1局"), std::string("round 2 第2局")}) {
      at = done.out.find(part, at);
      ASSERT_NE(at, std::string::npos) << game->info().id << ": " << part;
    }
  }
  for (const char* part :
       {"dealt 起手", "transfers 收付", "reckoning 算式", "balances 余额", "next dealer",
        "seed matches its hash; nonces of 4 players are in it", "counts as empty 随机数作废",
        "total 合计", "ming proposes 提出 50", "wei accepts 同意", "late 超时 2 times",
        "主动逃跑  ming leaves", "-640", "a fifth comes, and watches 旁观"}) {
    EXPECT_THAT(done.out, HasSubstr(part));
  }
  EXPECT_THAT(done.out.substr(at), HasSubstr("trial balance 试算平衡"));
  const std::vector<std::string> lines = done.lines();
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.back(),
            "OK: 8 of 8 rounds at 4 tables were settled, the books balance, 0 problems");
  ExpectFitsAPage(lines);
}

TEST(DemoProgramTest, PlaysTheGamesAndRoundsThatAreAskedFor) {
  Suite suite;
  const Outcome done =
      RunDemoProgram(Flags(suite) + "--variant jieyang --variant shaoguan --rounds 1");
  EXPECT_EQ(done.exit_code, 0) << done.out;
  EXPECT_LT(done.out.find("── 揭阳"), done.out.find("── 韶关"));
  const std::vector<std::string> lines = done.lines();
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.back(),
            "OK: 2 of 2 rounds at 2 tables were settled, the books balance, 0 problems");
}

TEST(DemoProgramTest, PlaysAgainOnTheSameStack) {
  Suite suite;
  for (int evening = 0; evening < 2; ++evening) {
    EXPECT_EQ(RunDemoProgram(Flags(suite) + "--variant chaozhou --rounds 1").exit_code, 0);
  }
}

TEST(DemoProgramTest, EndsWithOneWhenItCannotPlay) {
  Suite suite;
  const Outcome done = RunDemoProgram(Flags(suite) + "--variant bridge", true);
  EXPECT_EQ(done.exit_code, 1);
  EXPECT_THAT(done.out, HasSubstr("no game is called \"bridge\""));
  const Outcome away = RunDemoProgram(
      "--wallet-address 127.0.0.1:1 --table-address 127.0.0.1:1 --matchmaking-address 127.0.0.1:1 "
      "--scoring-address 127.0.0.1:1 --database postgresql://127.0.0.1:1/x",
      true);
  EXPECT_EQ(away.exit_code, 1);
  EXPECT_THAT(away.out, HasSubstr("mj-demo: no table"));
}

TEST(DemoProgramTest, EndsWithTwoForAWrongCommandLine) {
  EXPECT_EQ(RunDemoProgram("").exit_code, 2);
  EXPECT_EQ(RunDemoProgram("--rounds 0").exit_code, 2);
  EXPECT_EQ(RunDemoProgram("--speed 3").exit_code, 2);
  EXPECT_EQ(RunDemoProgram("--variant bridge --variant bridge").exit_code, 2);
  EXPECT_EQ(RunDemoProgram("--help").exit_code, 0);
  EXPECT_THAT(RunDemoProgram("--help").out, HasSubstr("Exit codes"));
}

}  // namespace
}  // namespace mj::e2e
