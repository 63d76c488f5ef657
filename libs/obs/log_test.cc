#include "libs/obs/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "libs/base/simulated_clock_testing.h"

namespace mj::obs {
namespace {

class LoggerTest : public ::testing::Test {
 protected:
  base::SimulatedClock clock_;
  std::vector<std::string> lines_;
  Logger log_{"table", LogLevel::kInfo, clock_,
              [this](std::string_view line) { lines_.emplace_back(line); }};
};

TEST_F(LoggerTest, WritesOneObjectALine) {
  log_.Info("round settled", {{"round_id", "r1"},
                              {"transfers", 6},
                              {"net", std::int64_t{-1200}},
                              {"seed", std::uint64_t{18446744073709551615U}},
                              {"seconds", 0.5},
                              {"ok", true}});
  ASSERT_EQ(lines_.size(), 1U);
  EXPECT_EQ(lines_[0], R"({"ts":"2026-01-01T00:00:00.000000Z","level":"info","service":"table",)"
                       R"("msg":"round settled","round_id":"r1","transfers":6,"net":-1200,)"
                       R"("seed":18446744073709551615,"seconds":0.5,"ok":true})");
}

TEST_F(LoggerTest, LeavesOutWhatIsBelowItsLevel) {
  log_.Debug("no");
  log_.Error("yes");
  EXPECT_EQ(lines_.size(), 1U);
  EXPECT_FALSE(log_.Writes(LogLevel::kDebug));
  EXPECT_TRUE(log_.Writes(LogLevel::kInfo));
}

TEST_F(LoggerTest, BoundFieldsStandOnEveryLine) {
  const Logger of_table = log_.With({"table_id", "t1"});
  const Logger of_round = of_table.With({"round_id", std::string("r1")});
  of_round.Info("a");
  of_table.Info("b");
  log_.Info("c");
  ASSERT_EQ(lines_.size(), 3U);
  EXPECT_THAT(lines_[0], ::testing::HasSubstr(R"("table_id":"t1","round_id":"r1"})"));
  EXPECT_THAT(lines_[1], ::testing::HasSubstr(R"("table_id":"t1"})"));
  EXPECT_THAT(lines_[2], ::testing::Not(::testing::HasSubstr("table_id")));
}

TEST_F(LoggerTest, WhateverTextComesTheLineIsJson) {
  std::string all;
  for (int c = 0; c < 256; ++c) {
    all.push_back(static_cast<char>(c));
  }
  log_.Warn(all, {{"quote\"d", all},
                  {"words", "您的积分不足\n{}%v"},
                  {"nan", std::numeric_limits<double>::quiet_NaN()}});
  ASSERT_EQ(lines_.size(), 1U);
  const auto parsed = nlohmann::json::parse(lines_[0]);
  EXPECT_EQ(parsed["words"], "您的积分不足\n{}%v");
  EXPECT_TRUE(parsed["nan"].is_null());
  EXPECT_EQ(lines_[0].find('\n'), std::string::npos);
}

TEST(ParseLogLevelTest, KnowsFourLevels) {
  EXPECT_EQ(ParseLogLevel("debug"), LogLevel::kDebug);
  EXPECT_EQ(ParseLogLevel("error"), LogLevel::kError);
  EXPECT_EQ(ParseLogLevel("INFO"), std::nullopt);
  EXPECT_EQ(ParseLogLevel(""), std::nullopt);
}

}  // namespace
}  // namespace mj::obs
