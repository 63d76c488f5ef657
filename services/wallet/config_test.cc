#include "services/wallet/config.h"

#include <gtest/gtest.h>

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
}

TEST(ConfigTest, NamesTheFlagThatIsWrong) {
  for (const auto& [flags, named] : std::vector<std::pair<std::vector<const char*>, const char*>>{
           {{}, "--database"},
           {{"--database", "host=h dbname=d"}, "--database"},
           {{"--database", "postgresql:///d", "--workers", "0"}, "--workers"},
           {{"--database", "postgresql:///d", "--colour", "red"}, "--colour"}}) {
    const auto config = Parse(flags);
    ASSERT_FALSE(config.ok()) << named;
    EXPECT_NE(config.status().message().find(named), absl::string_view::npos) << config.status();
  }
}

}  // namespace
}  // namespace mj::wallet
