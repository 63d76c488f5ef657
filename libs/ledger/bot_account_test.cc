#include "libs/ledger/bot_account.h"

#include <gtest/gtest.h>

namespace mj::ledger {
namespace {

TEST(BotAccountTest, ThePrefixSaysWhoseItIs) {
  EXPECT_TRUE(IsBotAccount("practice-bot-0"));
  EXPECT_TRUE(IsBotAccount("practice-bot-"));
  EXPECT_FALSE(IsBotAccount("practice-bot"));
  EXPECT_FALSE(IsBotAccount("ann-practice-bot-0"));
  EXPECT_FALSE(IsBotAccount(""));
}

}  // namespace
}  // namespace mj::ledger
