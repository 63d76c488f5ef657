#include "libs/audit/parse_canonical.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libs/audit/audit_testing.h"
#include "libs/audit/canonical.h"

namespace mj::audit {
namespace {

// Rows that between them have every line that there is.
std::vector<JournalRow> Rows() {
  JournalRow deposit = SomeDeposit(1, kNothingBefore);
  deposit.reason = "a\\b|c\nd";
  deposit.approver = "";
  deposit.movement = MovementRow{"purchase", "shop", "ref|1"};
  JournalRow grant = deposit;
  grant.movement = MovementRow{"grant", std::nullopt, std::nullopt};
  JournalRow settlement = SomeDeposit(2, Sha256("before"));
  settlement.kind = "settlement";
  settlement.approver = "somebody";
  settlement.table_id = "t-1";
  settlement.round_id = "r-1";
  settlement.rulebook_version = "v1";
  settlement.reverses_journal_no = 77;
  settlement.settlement = SettlementRow{.variant = "toy",
                                        .base = 10,
                                        .currency = "COIN",
                                        .rake = 3,
                                        .account_nos = {9, 10, 11, 12},
                                        .net = {5, -5, 0, 0},
                                        .rake_paid = {3, 0, 3, 3},
                                        .balance_after = {15, 0, 7, 7},
                                        .transfers = {{1, 0, "R-1", 8}, {3, 2, "R|2", 1}},
                                        .set_offs = {{2, 3, 1}, {3, 2, 1}}};
  settlement.shortfalls = {{10, 9, 8, 3}, {11, 9, 8, 4}};
  JournalRow penalty = SomeDeposit(3, Sha256("before"));
  penalty.penalty = PenaltyRow{"COIN", 2, 64, 50, 16, 2, 14, {9, 10, 11, 12}, {1, 2, 3, 4}};
  return {deposit, grant, settlement, penalty};
}

TEST(ParseCanonicalTest, EveryRowComesBack) {
  for (const JournalRow& row : Rows()) {
    const std::string text = CanonicalText(row);
    const auto parsed = ParseCanonical(text);
    ASSERT_TRUE(parsed.has_value()) << text;
    EXPECT_EQ(CanonicalText(*parsed), text);
    EXPECT_EQ(parsed->entries.size(), row.entries.size());
    EXPECT_EQ(parsed->settlement.has_value(), row.settlement.has_value());
    EXPECT_EQ(parsed->penalty.has_value(), row.penalty.has_value());
    EXPECT_EQ(parsed->reason, row.reason);
    EXPECT_EQ(parsed->approver, row.approver);
  }
}

TEST(ParseCanonicalTest, WhatIsNotSaidTheOneWayIsNoRow) {
  const std::string text = CanonicalText(Rows()[2]);
  for (const std::string& bad : {std::string(), std::string("\n"), text.substr(0, text.size() - 1),
                                 text + "\n", text + "seat=4|1|1|1|1\n", text + "colour=red\n",
                                 "x" + text, text.substr(text.find('\n') + 1)}) {
    EXPECT_FALSE(ParseCanonical(bad).has_value()) << bad;
  }
  std::string padded = text;
  padded.replace(padded.find("chain=3"), 7, "chain=03");
  EXPECT_FALSE(ParseCanonical(padded).has_value());
  std::string twice = text;
  twice.insert(twice.find("kind="), "chain=3\n");
  EXPECT_FALSE(ParseCanonical(twice).has_value());
}

// A text that was changed anywhere is another row, or none.
TEST(ParseCanonicalTest, EveryByteCounts) {
  for (const JournalRow& row : Rows()) {
    const std::string text = CanonicalText(row);
    for (std::size_t at = 0; at < text.size(); ++at) {
      for (const char other : {'0', '9', '|', '\n', '\\', '=', '-', 'x', '\0'}) {
        std::string changed = text;
        changed[at] = other;
        const auto parsed = ParseCanonical(changed);
        EXPECT_TRUE(!parsed || CanonicalText(*parsed) == changed);
      }
    }
  }
}

}  // namespace
}  // namespace mj::audit
