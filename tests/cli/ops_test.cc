// `mahjongctl ops` at live tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "libs/base/status_testing.h"
#include "services/table/rpc/client_testing.h"
#include "services/table/rpc/table_server_testing.h"
#include "tests/cli/program_testing.h"

namespace mj::cli {
namespace {

using table::rpc::Client;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class OpsTest : public ProgramTest {
 protected:
  Outcome Ops(const std::string& arguments) const {
    return Run("ops " + arguments, "MJ_CTL_OPERATOR=eve MJ_CTL_TABLE_ADDRESS=" + server_.address());
  }
  std::string Begin() {
    for (const rules::Seat seat : rules::kSeats) {
      Client client(server_, table_, "p" + std::to_string(rules::IndexOf(seat)), seat);
      EXPECT_THAT(client.Ready(), base::IsOk());
    }
    // The round begins after the last of them was answered.
    for (;;) {
      const Outcome seen = Ops("inspect --json " + table_);
      EXPECT_EQ(seen.exit_code, 0) << seen.err;
      if (seen.exit_code != 0) return "";
      const auto round = nlohmann::json::parse(seen.out).value("round", nlohmann::json::object());
      if (round.value("step", "") == "playing") return round["round_id"];
    }
  }

  table::rpc::TableServer server_;
  const std::string table_ = server_.MakeTable("match", {"p0", "p1", "p2", "p3"});
};

TEST_F(OpsTest, FindsLooksAtAndFreesATable) {
  const std::string round = Begin();
  const Outcome found = Ops("tables --state playing --player p2");
  EXPECT_EQ(found.exit_code, 0) << found.err;
  for (const char* part :
       {table_.c_str(), "playing", "chaozhou", "base 100", "p0 p1 p2 p3", "round 1 "}) {
    EXPECT_THAT(found.out, HasSubstr(part));
  }
  EXPECT_EQ(nlohmann::json::parse(Ops("tables --json").out)["table_id"], table_);
  EXPECT_THAT(Ops("tables --state settling").out, IsEmpty());
  const Outcome seen = Ops("inspect " + table_);
  EXPECT_EQ(seen.exit_code, 0) << seen.err;
  for (const char* part : {"playing", "seat 0 p0", "13 tiles", "#"}) {
    EXPECT_THAT(seen.out, HasSubstr(part));
  }
  const Outcome voided = Ops("void " + table_ + " " + round + " --reason 卡住了");
  EXPECT_EQ(voided.exit_code, 0) << voided.err;
  const Outcome again = Ops("void " + table_ + " " + round + " --reason again");
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.err, HasSubstr("ROUND_FINISHED"));
  const Outcome removed = Ops("remove --json --reason insults " + table_ + " p1");
  EXPECT_EQ(removed.exit_code, 0) << removed.err;
  EXPECT_EQ(removed.out, "{}\n");
  EXPECT_EQ(Ops("close " + table_ + " --at-once --reason broken --request-id c").exit_code, 0);
  EXPECT_EQ(Ops("close " + table_ + " --at-once --reason broken --request-id c").exit_code, 0)
      << "asked again";
  EXPECT_THAT(Ops("close " + table_ + " --reason broken --request-id c").err,
              HasSubstr("REQUEST_ID_REUSED"));
  EXPECT_THAT(Ops("tables").out, IsEmpty());

  const Outcome trail = Ops("trail --table " + table_);
  EXPECT_EQ(trail.exit_code, 0);
  EXPECT_THAT(trail.out,
              HasSubstr("eve void-round table " + table_ + " round " + round + ": 卡住了\n"));
  EXPECT_THAT(trail.out, HasSubstr("eve remove-player table " + table_ + " player p1: insults\n"));
  EXPECT_THAT(trail.out, HasSubstr("eve close-table table " + table_ + " at once: broken\n"));
  EXPECT_THAT(Ops("trail --player p1").out, Not(HasSubstr("close-table")));
  EXPECT_THAT(Ops("trail --of nobody").out, IsEmpty());
}

TEST_F(OpsTest, StopsRoundsAndLetsThemGoOn) {
  const Outcome stopped = Ops("stop-rounds --at 2100-01-01T00:00:00Z --reason upkeep");
  EXPECT_EQ(stopped.exit_code, 0) << stopped.err;
  EXPECT_THAT(stopped.out, HasSubstr("from 2100-01-01T00:00:00Z on"));
  EXPECT_EQ(Ops("stop-rounds --in 3600 --reason upkeep").exit_code, 0);
  EXPECT_THAT(Ops("inspect " + table_).out, HasSubstr("no round begins from "));
  EXPECT_EQ(Ops("resume-rounds --reason done").exit_code, 0);
  EXPECT_THAT(Ops("inspect " + table_).out, Not(HasSubstr("no round begins from ")));
  EXPECT_EQ(Ops("stop-rounds --at 2000-01-01T00:00:00Z --reason upkeep").exit_code, 1);
  EXPECT_EQ(Ops("stop-rounds --at soon --reason upkeep").exit_code, 1);
  EXPECT_EQ(Ops("stop-rounds --at 2100-01-01T00:00:00Z --in 5 --reason upkeep").exit_code, 2);
}

TEST_F(OpsTest, SaysWhatIsWrong) {
  EXPECT_EQ(Ops("").exit_code, 2);
  EXPECT_EQ(Ops("fly").exit_code, 2);
  EXPECT_EQ(Ops("void " + table_).exit_code, 2);
  EXPECT_THAT(Ops("close " + table_).err, HasSubstr("--reason"));
  EXPECT_THAT(Run("ops close t --reason x --target a:1").err, HasSubstr("--operator"));
  EXPECT_THAT(Ops("adjust p1 5 --reason x --approver bob").err, HasSubstr("--wallet"));
  const Outcome none = Ops("inspect none");
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, HasSubstr("TABLE_NOT_FOUND"));
  const Outcome silent =
      Run("ops close t --operator eve --reason x --request-id again --target 127.0.0.1:1");
  EXPECT_EQ(silent.exit_code, 4);
  EXPECT_THAT(silent.err, HasSubstr("--request-id again"));
  EXPECT_THAT(Ops("tables --variant chess").err, HasSubstr("UNKNOWN_VARIANT"));
}

}  // namespace
}  // namespace mj::cli
