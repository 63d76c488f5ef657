#include "services/scoring/config.h"

#include <gtest/gtest.h>

#include <vector>

namespace mj::scoring {
namespace {

absl::StatusOr<Config> Parse(std::vector<const char*> flags) {
  flags.insert(flags.begin(), "mj-scoring");
  return ConfigFromFlags(static_cast<int>(flags.size()), flags.data());
}

TEST(ConfigTest, TakesTheCommonFlags) {
  const auto config = Parse({"--listen", "127.0.0.1:7001", "--reflection", "--drain-seconds", "3"});
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->server.listen, "127.0.0.1:7001");
  EXPECT_TRUE(config->server.reflection);
  EXPECT_EQ(config->server.drain.count(), 3);
}

TEST(ConfigTest, NamesTheFlagThatIsWrong) {
  for (const auto& [flags, named] : std::vector<std::pair<std::vector<const char*>, const char*>>{
           {{"--workers", "0"}, "--workers"},
           {{"--workers", "many"}, "--workers"},
           {{"--drain-seconds", "-1"}, "--drain-seconds"},
           {{"--log-level", "loud"}, "--log-level"},
           {{"--database", "postgres://"}, "--database"}}) {
    const auto config = Parse(flags);
    ASSERT_FALSE(config.ok()) << named;
    EXPECT_NE(config.status().message().find(named), absl::string_view::npos) << config.status();
  }
}

}  // namespace
}  // namespace mj::scoring
