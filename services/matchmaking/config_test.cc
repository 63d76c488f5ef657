#include "services/matchmaking/config.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace mj::matchmaking {
namespace {

absl::StatusOr<Config> Parse(std::vector<const char*> flags) {
  for (const char* flag : {"postgresql:///mj", "--database", "mj-matchmaking"}) {
    flags.insert(flags.begin(), flag);
  }
  return ConfigFromFlags(static_cast<int>(flags.size()), flags.data());
}

TEST(ConfigTest, TakesItsFlags) {
  const auto config = Parse({"--listen",
                             "127.0.0.1:7001",
                             "--wallet-address",
                             "wallet:1",
                             "--table-address",
                             "table:2",
                             "--ticket-seconds",
                             "60",
                             "--room-seconds",
                             "90",
                             "--seat-check-seconds",
                             "5",
                             "--table-timeout-ms",
                             "500",
                             "--seaters",
                             "3",
                             "--prepared-statements",
                             "false",
                             "--bots-after-seconds",
                             "0"});
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->server.listen, "127.0.0.1:7001");
  EXPECT_EQ(config->database, "postgresql:///mj");
  EXPECT_EQ(config->wallet_address, "wallet:1");
  EXPECT_EQ(config->table_address, "table:2");
  EXPECT_EQ(config->ticket.count(), 60);
  EXPECT_EQ(config->room.count(), 90);
  EXPECT_EQ(config->seat_check.count(), 5);
  EXPECT_EQ(config->table_timeout.count(), 500);
  EXPECT_EQ(config->seaters, 3);
  EXPECT_EQ(config->bots_after.count(), 0);
  EXPECT_FALSE(config->prepared_statements);
}

TEST(ConfigTest, NamesTheFlagThatIsWrongOrMissing) {
  const std::vector<const char*> peers = {"--wallet-address", "wallet:1", "--table-address",
                                          "table:2"};
  ASSERT_TRUE(Parse(peers).ok());
  EXPECT_NE(Parse({"--table-address", "table:2"}).status().message().find("--wallet-address"),
            absl::string_view::npos);
  EXPECT_NE(Parse({"--wallet-address", "wallet:1"}).status().message().find("--table-address"),
            absl::string_view::npos);
  for (const auto& [flag, value] :
       std::vector<std::pair<const char*, const char*>>{{"--ticket-seconds", "0"},
                                                        {"--room-seconds", "59"},
                                                        {"--seat-check-seconds", "3601"},
                                                        {"--table-timeout-ms", "5000"},
                                                        {"--seaters", "many"},
                                                        {"--bots-after-seconds", "3601"},
                                                        {"--workers", "0"},
                                                        {"--prepared-statements", "perhaps"},
                                                        {"--nonsense", "1"}}) {
    std::vector<const char*> flags = peers;
    flags.push_back(flag);
    flags.push_back(value);
    const auto config = Parse(flags);
    ASSERT_FALSE(config.ok()) << flag;
    EXPECT_NE(config.status().message().find(flag), absl::string_view::npos) << config.status();
  }
  EXPECT_NE(Parse({"--wallet-address", "wallet", "--table-address", "t:2"})
                .status()
                .message()
                .find("--wallet-address"),
            absl::string_view::npos);
  const char* const mysql[] = {"mj-matchmaking", "--database",      "mysql://", "--wallet-address",
                               "wallet:1",       "--table-address", "table:2"};
  EXPECT_NE(ConfigFromFlags(7, mysql).status().message().find("--database"),
            absl::string_view::npos);
}

}  // namespace
}  // namespace mj::matchmaking
