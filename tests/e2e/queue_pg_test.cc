// `mahjongctl queue` as a process: a crowd through two replicas of matchmaking and two of the table service.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <string>

#include "libs/variants/registry.h"
#include "tests/e2e/suite_testing.h"

namespace mj::e2e {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

struct Outcome {
  int exit_code = -1;
  std::string out;
};

// Standard output alone, unless `err` asks for standard error alone.
Outcome Queue(const std::string& arguments, bool err = false) {
  Outcome outcome;
  const std::string command = std::string(MJ_MAHJONGCTL) + " queue " + arguments +
                              (err ? " 2>&1 >/dev/null" : " 2>/dev/null");
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
  std::string matchmaking;
  for (const std::string& address : suite.matchmakers()) {
    matchmaking += (matchmaking.empty() ? "" : ",") + address;
  }
  return "--wallet-address " + addresses.wallet + " --table-address " + addresses.table +
         " --matchmaking-address " + matchmaking + " --database '" + suite.database().url() + "' ";
}

TEST(QueueTest, EverybodyOfEveryGameIsSeatedOnceWhateverReplicaIsAsked) {
  const Suite suite({.table = 2, .matchmaking = 2});
  for (const rules::Variant* game : variants::All()) {
    const Outcome done = Queue(Flags(suite) + "--over-seconds 1 --players 16 --json --variant " +
                               std::string(game->info().id));
    EXPECT_EQ(done.exit_code, 0) << done.out;
    for (const char* part :
         {"\"players\":16,", "\"tables\":4,", "\"seated_once\":true", "\"rounds_begun\":4,",
          "\"rounds_open\":0,", "\"books_balance\":true", "\"wrong\":[]", "\"ok\":true"}) {
      EXPECT_THAT(done.out, HasSubstr(part)) << done.out;
    }
  }
  EXPECT_EQ(suite.database().Execute("SELECT count(*) FROM matchmaking.live_seats"), "0");
  EXPECT_EQ(suite.database().Execute(
                "SELECT count(*) FROM matchmaking.tickets WHERE state IN ('queued', 'matched')"),
            "0");
}

TEST(QueueTest, ASummaryIsForPeopleAndTheLineOfEachMomentApart) {
  const Suite suite;
  const Outcome done = Queue(Flags(suite) + "--over-seconds 1 --players 4 --variant jieyang");
  EXPECT_EQ(done.exit_code, 0) << done.out;
  EXPECT_THAT(done.out, ContainsRegex("seated once +everybody, at 1 tables\n"));
  EXPECT_THAT(done.out, ContainsRegex("books +balance\nOK\n"));
  const Outcome moments =
      Queue(Flags(suite) + "--over-seconds 1 --players 4 --variant jieyang --seed 2", true);
  EXPECT_THAT(moments.out, ContainsRegex("queued +[0-9]+ +wait p50 .* tables +[0-9]+ +gone +4\n"));
}

TEST(QueueTest, FailsWhenTheTimeIsUp) {
  const Suite suite;
  const Outcome late =
      Queue(Flags(suite) + "--players 4 --variant jieyang --over-seconds 60 --limit-seconds 1");
  EXPECT_EQ(late.exit_code, 1);
  EXPECT_THAT(late.out, HasSubstr("WRONG: the time is up\n"));
  EXPECT_THAT(late.out, ContainsRegex("NOT EVERYBODY.*\nFAILED\n"));
}

TEST(QueueTest, EndsWithFourWithoutAWalletAndWithTwoForAWrongCommandLine) {
  const std::string nowhere =
      "--wallet-address 127.0.0.1:1 --table-address 127.0.0.1:1 --matchmaking-address 127.0.0.1:1 "
      "--database postgresql://127.0.0.1:1/x ";
  EXPECT_EQ(Queue(nowhere + "--players 4 --variant chaozhou").exit_code, 4);
  EXPECT_EQ(Queue(nowhere + "--players 4 --variant bridge").exit_code, 2);
  EXPECT_THAT(Queue(nowhere + "--players 4 --variant bridge", true).out,
              HasSubstr("no game is called \"bridge\""));
  EXPECT_EQ(Queue(nowhere + "--players 5 --variant chaozhou").exit_code, 2);
  EXPECT_EQ(Queue(nowhere + "--players 0 --variant chaozhou").exit_code, 2);
  EXPECT_EQ(Queue(nowhere + "--players 4 --variant chaozhou --prefix 'a b'").exit_code, 2);
  EXPECT_EQ(Queue("--players 4 --variant chaozhou").exit_code, 2);
  EXPECT_EQ(Queue("--help").exit_code, 0);
}

}  // namespace
}  // namespace mj::e2e
