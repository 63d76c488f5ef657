// `mahjongctl watch` at a live table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <future>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "libs/base/status_testing.h"
#include "services/table/rpc/client_testing.h"
#include "services/table/rpc/table_server_testing.h"
#include "tests/cli/program_testing.h"
#include "tools/mahjongctl/watch_table.h"

namespace mj::cli {
namespace {

using table::rpc::Client;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class WatchCommandTest : public ProgramTest {
 protected:
  // Four play a round while somebody watches.
  void PlayRound() {
    std::array<Client, 4> clients = {Client(server_, table_, "p0", rules::Seat::k0),
                                     Client(server_, table_, "p1", rules::Seat::k1),
                                     Client(server_, table_, "p2", rules::Seat::k2),
                                     Client(server_, table_, "p3", rules::Seat::k3)};
    std::vector<std::future<bool>> plays;
    for (Client& client : clients) {
      plays.push_back(std::async(std::launch::async, [&client] {
        client.Subscribe();
        return client.Play(1);
      }));
    }
    for (auto& play : plays) EXPECT_TRUE(play.get());
    for (Client& client : clients) client.Hang();
  }
  void Lend(const std::string& player) {
    table::rpc::proto::ShowHandRequest request;
    request.set_table_id(table_);
    request.set_player_id(player);
    request.set_show(true);
    EXPECT_THAT(server_.Call(&table::rpc::proto::TableService::StubInterface::ShowHand, request),
                base::IsOk());
  }
  Outcome Watch(const std::string& arguments) const {
    return Run("watch " + arguments + " --target " + server_.address());
  }

  table::rpc::TableServer server_{{.settings = {.claim_pause_ms = 0, .watch_delay_ms = 0}}};
  const std::string table_ = server_.MakeTable("match", {"p0", "p1", "p2", "p3"});
};

TEST_F(WatchCommandTest, ALineAnEventWhereThereIsNoTerminal) {
  Lend("p2");
  auto watching =
      std::async(std::launch::async, [this] { return Watch(table_ + " --seat 2 --rounds 1"); });
  PlayRound();
  const Outcome done = watching.get();
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.err, IsEmpty());
  for (const char* part : {"round 1 第1局", "dice 骰子", "thirteen tiles to each 起手",
                           "draws 摸牌", "throws 出牌", "hand 手牌 2: ", "paid 结算"}) {
    EXPECT_THAT(done.out, HasSubstr(part));
  }
  std::istringstream lines(done.out);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_THAT(line, ContainsRegex("^[0-9][0-9]:[0-9][0-9]:[0-9][0-9] #[0-9]+ [^ ]"));
    EXPECT_THAT(line, Not(HasSubstr("\033")));
  }
}

TEST_F(WatchCommandTest, TheTableDrawnAnewOnATerminal) {
  PlayRound();
  mahjongctl::WatchArguments arguments;
  arguments.target = server_.address();
  arguments.table = table_;
  arguments.rounds = 1;
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(mahjongctl::WatchTable(arguments, /*terminal=*/true, out, err), 0) << err.str();
  EXPECT_THAT(out.str(), HasSubstr("\033[H\033[2J"));
  EXPECT_THAT(out.str(), HasSubstr("潮州麻将 chaozhou  table 牌桌 " + table_));
  EXPECT_THAT(out.str(), Not(HasSubstr("hand 手牌")));
  const std::string last = out.str().substr(out.str().rfind("\033[2J") + 4);
  EXPECT_THAT(last, HasSubstr("paid 结算"));
  arguments.plain = true;
  std::ostringstream plain;
  EXPECT_EQ(mahjongctl::WatchTable(arguments, /*terminal=*/true, plain, err), 0);
  EXPECT_THAT(plain.str(), Not(HasSubstr("\033")));
}

TEST_F(WatchCommandTest, AJsonObjectAnEvent) {
  PlayRound();
  const Outcome done = Watch(table_ + " --rounds 1 --json");
  EXPECT_EQ(done.exit_code, 0) << done.err;
  std::istringstream lines(done.out);
  nlohmann::json last;
  for (std::string line; std::getline(lines, line);) {
    last = nlohmann::json::parse(line);
    EXPECT_TRUE(last.contains("sequence")) << line;
  }
  EXPECT_EQ(last["round_settled"]["seats"].size(), 4U);
  EXPECT_EQ(Watch(table_ + " --json --plain").exit_code, 2);
}

TEST_F(WatchCommandTest, SaysWhyATableCannotBeWatched) {
  const Outcome none = Watch("nothing");
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, HasSubstr("TABLE_NOT_FOUND"));
  EXPECT_THAT(none.out, IsEmpty());
  const Outcome seated = Watch(table_ + " --as p1");
  EXPECT_EQ(seated.exit_code, 1);
  EXPECT_THAT(seated.err, HasSubstr("SEATED_HERE"));
  const Outcome malformed = Watch("'no id'");
  EXPECT_EQ(malformed.exit_code, 1);
  EXPECT_THAT(malformed.err, HasSubstr("BAD_ID"));
  EXPECT_EQ(Watch(table_ + " --seat 4").exit_code, 2);
  EXPECT_EQ(Watch(table_ + " --rounds -1").exit_code, 2);
  EXPECT_EQ(Watch("").exit_code, 2);
  EXPECT_EQ(Run("watch " + table_, "MJ_CTL_TABLE_ADDRESS=").exit_code, 2);
}

TEST_F(WatchCommandTest, AServiceThatIsNotThereIsUnavailable) {
  const std::string address = server_.address();
  server_.Stop();
  const Outcome done = Run("watch " + table_ + " --target " + address);
  EXPECT_EQ(done.exit_code, 4);
  EXPECT_THAT(done.err, HasSubstr(address));
}

}  // namespace
}  // namespace mj::cli
