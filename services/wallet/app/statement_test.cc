#include "services/wallet/app/statement.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "libs/base/simulated_clock_testing.h"

namespace mj::wallet {
namespace {

TEST(StatementTest, OneLineAnEntry) {
  EXPECT_EQ(
      StatementHeader(),
      "sequence,written_at,journal_id,event,coins,balance_after,round_id,table_id,reason\r\n");
  ListedEntry entry;
  entry.sequence = 7;
  entry.coins = Coins::From(-400).value();
  entry.balance_after = Coins::From(600).value();
  entry.journal_no = 12;
  entry.kind = JournalKind::kSettlement;
  entry.round_id = "round-1";
  entry.table_id = "-table";
  entry.written_at = base::SimulatedClock::kStart;
  EXPECT_EQ(StatementLine(entry),
            "7,2026-01-01T00:00:00.000000Z,12,settlement,-400,600,round-1,'-table,\r\n");
  entry.kind = JournalKind::kAdjustment;
  entry.round_id.clear();
  entry.table_id.clear();
  entry.reason = "=cmd|'/c calc', he said";
  EXPECT_EQ(StatementLine(entry),
            "7,2026-01-01T00:00:00.000000Z,12,adjustment,-400,600,,,"
            "\"'=cmd|'/c calc', he said\"\r\n");
}

TEST(StatementTest, EveryKindHasAName) {
  const std::vector<std::pair<JournalKind, std::string>> names = {
      {JournalKind::kDeposit, "deposit"},
      {JournalKind::kWithdrawal, "withdrawal"},
      {JournalKind::kSettlement, "settlement"},
      {JournalKind::kPenalty, "penalty"},
      {JournalKind::kVoid, "void"},
      {JournalKind::kReversal, "reversal"},
      {JournalKind::kAdjustment, "adjustment"}};
  ListedEntry entry;
  entry.journal_no = 3;
  for (const auto& [kind, name] : names) {
    entry.kind = kind;
    EXPECT_NE(StatementLine(entry).find(",3," + name + ",0,"), std::string::npos)
        << StatementLine(entry);
  }
}

}  // namespace
}  // namespace mj::wallet
