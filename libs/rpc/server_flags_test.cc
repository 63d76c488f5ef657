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
  EXPECT_NE(message({.connection_seconds = -1}).find("--connection-seconds"), std::string::npos);
  EXPECT_NE(message({.connection_seconds = 86'401}).find("--connection-seconds"),
            std::string::npos);
  EXPECT_NE(message({.workers = 0}).find("--workers"), std::string::npos);
  EXPECT_NE(message({.reload_seconds = 0}).find("--reload-seconds"), std::string::npos);
  ServerFlags flags;
  flags.security.limits.person.burst = 0;
  EXPECT_NE(message(flags).find("--player-burst"), std::string::npos);
  flags = {};
  flags.security.audience = "";
  EXPECT_NE(message(flags).find("--token-audience"), std::string::npos);
}

TEST(ServerFlagsTest, PlaintextBeyondThisMachineHasToBeAskedFor) {
  for (const char* listen : {"127.0.0.1:7000", "localhost:0", "[::1]:7000", "127.8.0.1:1"}) {
    EXPECT_THAT(TakeServerFlags({.listen = listen}), base::IsOk()) << listen;
  }
  for (const char* listen : {"0.0.0.0:7000", "[::]:7000", "10.0.0.1:1", "table:7000", ":7000"}) {
    EXPECT_FALSE(TakeServerFlags({.listen = listen}).ok()) << listen;
    EXPECT_THAT(TakeServerFlags({.listen = listen, .insecure_network = true}), base::IsOk());
    ServerFlags secure{.listen = listen};
    secure.security.tls = {"ca.pem", "cert.pem", "key.pem"};
    EXPECT_THAT(TakeServerFlags(secure), base::IsOk());
  }
}

TEST(ServerFlagsTest, TokensDoNotGoInPlaintextOverANetwork) {
  ServerFlags flags{.listen = "0.0.0.0:7000", .insecure_network = true};
  flags.security.jwks = "keys.json";
  EXPECT_FALSE(TakeServerFlags(flags).ok());
}

TEST(ServerFlagsTest, TlsTakesAllItsFilesOrNone) {
  for (const TlsFiles& tls : {TlsFiles{"ca", "", ""}, TlsFiles{"", "cert", "key"},
                              TlsFiles{"ca", "cert", ""}, TlsFiles{"ca", "", "key"}}) {
    ServerFlags flags;
    flags.security.tls = tls;
    EXPECT_FALSE(TakeServerFlags(flags).ok());
  }
}

}  // namespace
}  // namespace mj::rpc
