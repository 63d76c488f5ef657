// Practice through the whole suite: matchmaking, table, scoring, wallet, and the command that shows it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
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
