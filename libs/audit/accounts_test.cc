#include "libs/audit/accounts.h"

#include <gtest/gtest.h>

#include <vector>

namespace mj::audit {
namespace {

std::optional<Finding> Found(const BalanceRow& balance, const std::vector<AccountEntry>& entries) {
  AccountVerifier verifier;
  verifier.Begin(balance);
  for (const AccountEntry& entry : entries) {
    if (auto finding = verifier.Next(entry)) return finding;
  }
  return verifier.End();
}

const std::vector<AccountEntry>& Entries() {
  static const std::vector<AccountEntry> entries = {
      {9, 1, 50, 50, 101}, {9, 2, -20, 30, 102}, {9, 3, 5, 35, 110}};
  return entries;
}

TEST(AccountsTest, WhatFitsIsRight) {
  EXPECT_FALSE(Found({9, 35, 35, 3}, Entries()).has_value());
  EXPECT_FALSE(Found({9, 0, 0, 0}, {}).has_value());
}

TEST(AccountsTest, ABalanceThatDoesNotFitIsNamed) {
  for (const BalanceRow& row : {BalanceRow{9, 36, 0, 3}, BalanceRow{9, 35, 0, 4},
                                BalanceRow{9, 35, 36, 3}, BalanceRow{9, 35, -1, 3}}) {
    const auto finding = Found(row, Entries());
    ASSERT_TRUE(finding.has_value());
    EXPECT_EQ(finding->fault, Fault::kBalanceWrong);
    EXPECT_EQ(finding->account_no, 9);
  }
}

TEST(AccountsTest, AGapIsNamed) {
  std::vector<AccountEntry> entries = Entries();
  entries.erase(entries.begin() + 1);
  const auto finding = Found({9, 35, 0, 3}, entries);
  EXPECT_EQ(finding->fault, Fault::kSequenceBroken);
  EXPECT_EQ(finding->account_sequence, 3);
  EXPECT_EQ(finding->journal_no, 110);
}

TEST(AccountsTest, ARunningBalanceThatDoesNotFitIsNamed) {
  std::vector<AccountEntry> entries = Entries();
  entries[1].balance_after = 31;
  const auto finding = Found({9, 35, 0, 3}, entries);
  EXPECT_EQ(finding->fault, Fault::kBalanceBroken);
  EXPECT_EQ(finding->account_sequence, 2);
  entries = {{9, 1, -5, -5, 1}};
  EXPECT_EQ(Found({9, -5, 0, 1}, entries)->fault, Fault::kBalanceBroken);
  entries = {{9, 1, INT64_MIN, INT64_MAX, 1}};
  EXPECT_EQ(Found({9, 5, 0, 1}, entries)->fault, Fault::kBalanceBroken);
}

}  // namespace
}  // namespace mj::audit
