// Practice through the whole suite: matchmaking, table, scoring, wallet, and the command that shows it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "libs/variants/registry.h"
#include "tests/e2e/suite_testing.h"
#include "tools/mahjongctl/exit_code.h"
#include "tools/mahjongctl/practice.h"

namespace mj::e2e {
namespace {

using mahjongctl::PracticeArguments;
using mahjongctl::Practise;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class PracticeTest : public ::testing::Test {
 protected:
  PracticeArguments Asked(const std::string& variant) const {
    PracticeArguments arguments;
    arguments.addresses.wallet = suite_.addresses().wallet;
    arguments.addresses.matchmaking = suite_.addresses().matchmaking;
    arguments.addresses.table = suite_.addresses().table;
    arguments.variant = variant;
    return arguments;
  }
  std::string Sql(const std::string& sql) const { return suite_.database().Execute(sql); }

  Suite suite_;
};

TEST_F(PracticeTest, EveryGameIsPlayedAgainstBotsAndNoCoinIsTouched) {
  for (const rules::Variant* game : variants::All()) {
    const std::string id(game->info().id);
    std::ostringstream out;
    std::ostringstream err;
    EXPECT_EQ(Practise(Asked(id), out, err), mahjongctl::kDone) << id;
    EXPECT_THAT(err.str(), IsEmpty()) << id;
    EXPECT_THAT(out.str(), HasSubstr("0 you")) << id;
    EXPECT_THAT(out.str(), HasSubstr("3 bot")) << id;
    EXPECT_THAT(out.str(), HasSubstr("record verified")) << id;
    EXPECT_THAT(out.str(), AnyOf(HasSubstr(" wins 胡 "), HasSubstr("exhausted wall 流局"))) << id;
    EXPECT_THAT(out.str(), HasSubstr("paid 结算: 0 you")) << id;
    EXPECT_THAT(out.str(), Not(HasSubstr("DOES NOT FIT"))) << id;
  }
  EXPECT_EQ(Sql("SELECT count(*) FROM wallet.entries WHERE currency = 'COIN'"), "0");
  EXPECT_EQ(Sql("SELECT count(*) FROM wallet.accounts WHERE currency = 'COIN' AND kind = 'player'"),
            "0");
  EXPECT_EQ(Sql("SELECT sum(coins) FROM wallet.entries"), "0");
  // One grant for each bot of each game, and one for each guest.
  EXPECT_EQ(Sql("SELECT count(*) FROM wallet.journal WHERE kind = 'deposit'"),
            std::to_string(4 * variants::All().size()));
  EXPECT_EQ(Sql("SELECT count(*) FROM tables.tables WHERE state <> 'closed'"), "0");
  EXPECT_EQ(Sql("SELECT count(*) FROM tables.seats"), "0");
}

TEST_F(PracticeTest, ForProgramsEachLineIsAnObject) {
  PracticeArguments asked = Asked("chaozhou");
  asked.json = true;
  asked.bots = "strong";
  std::stringstream out;
  std::ostringstream err;
  ASSERT_EQ(Practise(asked, out, err), mahjongctl::kDone) << err.str();
  std::string round;
  int decisions = 0;
  bool fits = false;
  for (std::string line; std::getline(out, line);) {
    const auto object = nlohmann::json::parse(line, nullptr, false);
    ASSERT_TRUE(object.is_object()) << line;
    if (object.contains("round_began")) round = object["round_began"]["round_id"];
    if (object.contains("decision_offered")) ++decisions;
    if (!object.contains("fits")) continue;
    EXPECT_EQ(object["round_id"], round);
    EXPECT_TRUE(object["record"].is_null()) << "it was not to be kept";
    fits = object["fits"];
  }
  EXPECT_TRUE(fits);
  EXPECT_GT(decisions, 0) << "a program is shown what the seat is asked";
  EXPECT_EQ(Sql("SELECT bot_strength FROM matchmaking.tickets"), "3");
  EXPECT_EQ(Sql("SELECT bot_strength FROM matchmaking.matches"), "3");
}

TEST_F(PracticeTest, WhatCannotBeIsSaid) {
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(Practise(Asked("riichi"), out, err), mahjongctl::kFailed);
  EXPECT_THAT(err.str(), HasSubstr("UNKNOWN_VARIANT"));
  PracticeArguments nowhere = Asked("guangdong");
  nowhere.addresses.wallet = "127.0.0.1:1";
  EXPECT_EQ(Practise(nowhere, out, err), mahjongctl::kUnavailable);
}

}  // namespace
}  // namespace mj::e2e
