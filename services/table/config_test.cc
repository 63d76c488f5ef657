#include "services/table/config.h"

#include <gtest/gtest.h>

#include <vector>

namespace mj::table {
namespace {

absl::StatusOr<Config> Parse(std::vector<const char*> flags) {
  flags.insert(flags.begin(), "mj-table");
  return ConfigFromFlags(static_cast<int>(flags.size()), flags.data());
}

std::vector<const char*> With(std::vector<const char*> more) {
  std::vector<const char*> flags = {"--database",  "postgresql:///x",  "--scoring-address",
                                    "127.0.0.1:1", "--wallet-address", "127.0.0.1:2"};
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

TEST(ConfigTest, TakesItsFlags) {
  const auto config =
      Parse(With({"--advertise", "table-0:7000", "--peer-timeout-ms", "250", "--tables-max", "7",
                  "--listen", "127.0.0.1:0", "--instance", "table-0", "--lease-ms", "1500",
                  "--keep-events-days", "3", "--keep-records-days", "30"}));
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->database, "postgresql:///x");
  EXPECT_EQ(config->scoring_address, "127.0.0.1:1");
  EXPECT_EQ(config->wallet_address, "127.0.0.1:2");
  EXPECT_EQ(config->advertise, "table-0:7000");
  EXPECT_EQ(config->peer_timeout.count(), 250);
  EXPECT_EQ(config->tables_max, 7);
  EXPECT_EQ(config->instance, "table-0");
  EXPECT_EQ(config->lease.count(), 1500);
  EXPECT_EQ(config->keep_events_days, 3);
  EXPECT_EQ(config->keep_records_days, 30);
}

TEST(ConfigTest, NamesTheFlagThatIsWrongOrMissing) {
  for (const auto& [flags, named] : std::vector<std::pair<std::vector<const char*>, const char*>>{
           {{}, "--database"},
           {{"--database", "postgresql:///x"}, "--scoring-address"},
           {{"--database", "postgresql:///x", "--scoring-address", "a:1"}, "--wallet-address"},
           {With({"--database", "mysql://"}), "--database"},
           {With({"--peer-timeout-ms", "9"}), "--peer-timeout-ms"},
           {With({"--tables-max", "0"}), "--tables-max"},
           {With({"--lease-ms", "499"}), "--lease-ms"},
           {With({"--table-threads", "many"}), "--table-threads"},
           {With({"--keep-events-days", "0"}), "--keep-events-days"},
           {With({"--keep-records-days", "0"}), "--keep-records-days"},
           {With({"--nonsense"}), "--nonsense"}}) {
    const auto config = Parse(flags);
    ASSERT_FALSE(config.ok()) << named;
    EXPECT_NE(config.status().message().find(named), absl::string_view::npos) << config.status();
  }
}

}  // namespace
}  // namespace mj::table
