#include "libs/rpc/server_flags.h"

#include <gtest/gtest.h>

#include "libs/base/status_testing.h"

namespace mj::rpc {
namespace {

TEST(ServerFlagsTest, EachFlagHasAnEnvironmentVariable) {
  EXPECT_EQ(FlagVariable("wallet", "--listen"), "MJ_WALLET_LISTEN");
  EXPECT_EQ(FlagVariable("matchmaking", "--log-level"), "MJ_MATCHMAKING_LOG_LEVEL");
}

TEST(ServerFlagsTest, DefaultsAreAllowed) {
  const auto config = TakeServerFlags(ServerFlags{});
  ASSERT_THAT(config, base::IsOk());
  EXPECT_EQ(config->listen, "127.0.0.1:0");
  EXPECT_EQ(config->drain, std::chrono::seconds(10));
  EXPECT_FALSE(config->reflection);
}

TEST(ServerFlagsTest, WhatIsOutOfRangeIsNamed) {
  const auto message = [](const ServerFlags& flags) {
    return std::string(TakeServerFlags(flags).status().message());
  };
  EXPECT_NE(message({.log_level = "loud"}).find("--log-level"), std::string::npos);
  EXPECT_NE(message({.drain_seconds = -1}).find("--drain-seconds"), std::string::npos);
  EXPECT_NE(message({.workers = 0}).find("--workers"), std::string::npos);
}

}  // namespace
}  // namespace mj::rpc
