#include "services/wallet/config.h"

#include <gtest/gtest.h>

#include <chrono>
#include <utility>
#include <vector>

namespace mj::wallet {
namespace {

absl::StatusOr<Config> Parse(std::vector<const char*> flags) {
  flags.insert(flags.begin(), "mj-wallet");
  return ConfigFromFlags(static_cast<int>(flags.size()), flags.data());
}

TEST(ConfigTest, TakesItsFlags) {
  const auto config = Parse({"--listen", "127.0.0.1:7002", "--database", "postgresql://u@h/d",
                             "--prepared-statements", "off"});
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->server.listen, "127.0.0.1:7002");
  EXPECT_EQ(config->database, "postgresql://u@h/d");
  EXPECT_FALSE(config->prepared_statements);
  EXPECT_TRUE(Parse({"--database", "postgres:///d"})->prepared_statements);
  const auto plain = Parse({"--database", "postgres:///d"});
  ASSERT_TRUE(plain.ok()) << plain.status();
  EXPECT_EQ(plain->wallet.reservation_time, std::chrono::minutes(60));
  EXPECT_EQ(plain->wallet.round_time, std::chrono::minutes(120));
  EXPECT_EQ(plain->audit_rows, 20'000);
  EXPECT_FALSE(plain->seal.has_value());
  const auto kept = Parse({"--database", "postgres:///d", "--reservation-minutes", "5",
                           "--round-minutes", "7", "--seal-key", "k", "--seal-folder", "f",
                           "--upkeep-seconds", "9", "--audit-rows", "500"});
  ASSERT_TRUE(kept.ok()) << kept.status();
  EXPECT_EQ(kept->wallet.reservation_time, std::chrono::minutes(5));
  EXPECT_EQ(kept->wallet.round_time, std::chrono::minutes(7));
  ASSERT_TRUE(kept->seal.has_value());
  EXPECT_EQ(kept->seal->key, "k");
  EXPECT_EQ(kept->seal->folder, "f");
  EXPECT_EQ(kept->upkeep_pause, std::chrono::seconds(9));
  EXPECT_EQ(kept->audit_rows, 500);
}

TEST(ConfigTest, NamesTheFlagThatIsWrong) {
  for (const auto& [flags, named] : std::vector<std::pair<std::vector<const char*>, const char*>>{
           {{}, "--database"},
           {{"--database", "host=h dbname=d"}, "--database"},
           {{"--database", "postgresql:///d", "--workers", "0"}, "--workers"},
           {{"--database", "postgresql:///d", "--reservation-minutes", "0"},
            "--reservation-minutes"},
           {{"--database", "postgresql:///d", "--round-minutes", "1441"}, "--round-minutes"},
           {{"--database", "postgresql:///d", "--upkeep-seconds", "0"}, "--upkeep-seconds"},
           {{"--database", "postgresql:///d", "--audit-rows", "99"}, "--audit-rows"},
           {{"--database", "postgresql:///d", "--seal-key", "k"}, "--seal-folder"},
           {{"--database", "postgresql:///d", "--seal-folder", "f"}, "--seal-key"},
           {{"--database", "postgresql:///d", "--colour", "red"}, "--colour"}}) {
    const auto config = Parse(flags);
    ASSERT_FALSE(config.ok()) << named;
    EXPECT_NE(config.status().message().find(named), absl::string_view::npos) << config.status();
  }
}

}  // namespace
}  // namespace mj::wallet
