#include "libs/statement/statement.h"

#include <gtest/gtest.h>

#include <chrono>

namespace mj::statement {
namespace {

TEST(StatementTest, ALineHasItsFieldsInTheHeadersOrder) {
  EXPECT_EQ(
      Header(),
      "sequence,written_at,journal_id,event,coins,balance_after,round_id,table_id,reason\r\n");
  const Line line{.sequence = 3,
                  .written_at = base::WallTime(std::chrono::microseconds(1'767'312'000'000'001)),
                  .journal_no = 12,
                  .event = "settlement",
                  .coins = -40,
                  .balance_after = 60,
                  .round_id = "r-1",
                  .table_id = "t-1",
                  .reason = "=1+1, \"so\""};
  EXPECT_EQ(ToCsv(line),
            "3,2026-01-02T00:00:00.000001Z,12,settlement,-40,60,r-1,t-1,\"'=1+1, \"\"so\"\"\"\r\n");
}

TEST(StatementTest, WhatIsNotThereIsEmpty) {
  EXPECT_EQ(ToCsv({}), "0,1970-01-01T00:00:00.000000Z,0,,0,,,,\r\n");
}

}  // namespace
}  // namespace mj::statement
