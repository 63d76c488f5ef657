#include "libs/audit/canonical.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "libs/audit/audit_testing.h"

namespace mj::audit {
namespace {

JournalRow SomeSettlement() {
  JournalRow row = SomeDeposit(2, Sha256("before"));
  row.kind = "settlement";
  row.table_id = "t-1";
  row.round_id = "r-1";
  row.rulebook_version = "v1";
  row.entries = {{9, "ann", "COIN", "payment", 5, 15, 3}, {10, "bob", "COIN", "payment", -5, 0, 2}};
  row.settlement =
      SettlementRow{.variant = "toy",
                    .base = 10,
                    .currency = "COIN",
                    .rake = 0,
                    .account_nos = {9, 10, 11, 12},
                    .net = {5, -5, 0, 0},
                    .rake_paid = {0, 0, 0, 0},
                    .balance_after = {15, 0, 7, 7},
                    .transfers = {{1, 0, "R-1", 8}, {2, 3, "R-1", 1}, {3, 2, "R-2", 1}},
                    .set_offs = {{2, 3, 1}, {3, 2, 1}}};
  row.shortfalls = {{10, 9, 8, 3}};
  return row;
}

// Written down once: whatever changes these bytes breaks every chain there is.
TEST(CanonicalTest, ADepositIsWrittenLikeThis) {
  JournalRow row = SomeDeposit(1, kNothingBefore);
  row.reason = "a\\b|c\nd";
  row.movement = MovementRow{"purchase", "shop", "ref|1"};
  EXPECT_EQ(CanonicalText(row),
            "mahjong-ledger-1\n"
            "chain=3\n"
            "sequence=1\n"
            "previous=0000000000000000000000000000000000000000000000000000000000000000\n"
            "journal=101\n"
            "kind=deposit\n"
            "key=Deposit/me/1\n"
            "content=1:ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73\n"
            "actor=me\n"
            "reason=a\\\\b\\pc\\nd\n"
            "happened=1000000\n"
            "written=1000005\n"
            "entry=1|9|ann|COIN|money_in|5|5|1\n"
            "entry=2|1|issue|COIN|money_in|-5||\n"
            "movement=purchase|shop|ref\\p1\n");
  EXPECT_EQ(RowHash(row), Sha256(CanonicalText(row)));
}

TEST(CanonicalTest, ASettlementIsWrittenLikeThis) {
  const std::string text = CanonicalText(SomeSettlement());
  EXPECT_EQ(text.substr(text.find("entry=1")),
            "entry=1|9|ann|COIN|payment|5|15|3\n"
            "entry=2|10|bob|COIN|payment|-5|0|2\n"
            "settlement=toy|10|COIN|0\n"
            "seat=0|9|5|0|15\n"
            "seat=1|10|-5|0|0\n"
            "seat=2|11|0|0|7\n"
            "seat=3|12|0|0|7\n"
            "transfer=1|1|0|R-1|8\n"
            "transfer=2|2|3|R-1|1\n"
            "transfer=3|3|2|R-2|1\n"
            "set_off=2|3|1\n"
            "set_off=3|2|1\n"
            "shortfall=10|9|8|3\n");
}

TEST(CanonicalTest, APenaltyIsWrittenLikeThis) {
  JournalRow row = SomeDeposit(1, kNothingBefore);
  row.kind = "penalty";
  row.approver = "you";
  row.reverses_journal_no = 7;
  row.movement = MovementRow{"grant", std::nullopt, std::nullopt};
  row.penalty = PenaltyRow{"COIN", 2, 640, 100, 33, 1, 540, {9, 10, 11, 12}, {40, 41, 0, 43}};
  const std::string text = CanonicalText(row);
  EXPECT_NE(text.find("actor=me\napprover=you\nreason=\nreverses=7\nhappened="), std::string::npos);
  EXPECT_EQ(text.substr(text.find("movement=")),
            "movement=grant\n"
            "penalty=COIN|2|640|100|33|1|540\n"
            "penalty_seat=0|9|40\n"
            "penalty_seat=1|10|41\n"
            "penalty_seat=2|11|0\n"
            "penalty_seat=3|12|43\n");
}

TEST(CanonicalTest, EveryFieldCounts) {
  const std::vector<std::function<void(JournalRow&)>> changes = {
      [](JournalRow&) {},
      [](JournalRow& r) { ++r.chain_no; },
      [](JournalRow& r) { ++r.chain_sequence; },
      [](JournalRow& r) { r.previous_hash[31] ^= 1; },
      [](JournalRow& r) { ++r.journal_no; },
      [](JournalRow& r) { r.kind = "void"; },
      [](JournalRow& r) { r.request_key += "x"; },
      [](JournalRow& r) { ++r.content_version; },
      [](JournalRow& r) { r.content_hash[0] ^= 128; },
      [](JournalRow& r) { r.actor = "you"; },
      [](JournalRow& r) { r.approver = ""; },
      [](JournalRow& r) { r.approver = "me"; },
      [](JournalRow& r) { r.reason = " "; },
      [](JournalRow& r) { r.table_id = std::nullopt; },
      [](JournalRow& r) { r.table_id = ""; },
      [](JournalRow& r) { r.round_id = "r-2"; },
      [](JournalRow& r) { r.rulebook_version = "v2"; },
      [](JournalRow& r) { r.reverses_journal_no = 1; },
      [](JournalRow& r) { ++r.happened_at; },
      [](JournalRow& r) { ++r.written_at; },
      [](JournalRow& r) { r.entries.pop_back(); },
      [](JournalRow& r) { std::swap(r.entries[0], r.entries[1]); },
      [](JournalRow& r) { ++r.entries[0].account_no; },
      [](JournalRow& r) { r.entries[0].account_id = "eve"; },
      [](JournalRow& r) { r.entries[0].currency = "PRACTICE"; },
      [](JournalRow& r) { r.entries[0].purpose = "rake"; },
      [](JournalRow& r) { ++r.entries[0].coins; },
      [](JournalRow& r) { r.entries[0].balance_after = 16; },
      [](JournalRow& r) { r.entries[0].balance_after = std::nullopt; },
      [](JournalRow& r) { r.entries[0].sequence = 4; },
      [](JournalRow& r) { r.movement = MovementRow{"grant", std::nullopt, std::nullopt}; },
      [](JournalRow& r) { r.movement = MovementRow{"grant", "", ""}; },
      [](JournalRow& r) { r.movement = MovementRow{"grant", "a", "b"}; },
      [](JournalRow& r) { r.settlement = std::nullopt; },
      [](JournalRow& r) { r.settlement->variant = "toy2"; },
      [](JournalRow& r) { ++r.settlement->base; },
      [](JournalRow& r) { r.settlement->currency = "PRACTICE"; },
      [](JournalRow& r) { ++r.settlement->rake; },
      [](JournalRow& r) { ++r.settlement->account_nos[3]; },
      [](JournalRow& r) { ++r.settlement->net[3]; },
      [](JournalRow& r) { ++r.settlement->rake_paid[3]; },
      [](JournalRow& r) { ++r.settlement->balance_after[3]; },
      [](JournalRow& r) { r.settlement->transfers.pop_back(); },
      [](JournalRow& r) { r.settlement->transfers[0].from_seat = 3; },
      [](JournalRow& r) { r.settlement->transfers[0].to_seat = 3; },
      [](JournalRow& r) { r.settlement->transfers[0].rule_id = "R-9"; },
      [](JournalRow& r) { ++r.settlement->transfers[0].coins; },
      [](JournalRow& r) { r.settlement->set_offs.pop_back(); },
      [](JournalRow& r) { ++r.settlement->set_offs[0].coins; },
      [](JournalRow& r) { ++r.settlement->set_offs[0].from_seat; },
      [](JournalRow& r) { --r.settlement->set_offs[0].to_seat; },
      [](JournalRow& r) { r.shortfalls.clear(); },
      [](JournalRow& r) { ++r.shortfalls[0].payer_no; },
      [](JournalRow& r) { ++r.shortfalls[0].payee_no; },
      [](JournalRow& r) { ++r.shortfalls[0].owed; },
      [](JournalRow& r) { ++r.shortfalls[0].coins; },
      [](JournalRow& r) { r.penalty = PenaltyRow{}; },
      [](JournalRow& r) { r.penalty.emplace().escaper = 1; },
  };
  std::set<Digest> hashes;
  for (const auto& change : changes) {
    JournalRow row = SomeSettlement();
    change(row);
    EXPECT_TRUE(hashes.insert(RowHash(row)).second) << hashes.size();
  }
}

// No text can pretend to be the end of its line or field.
TEST(CanonicalTest, TextsCannotForgeLines) {
  JournalRow forged = SomeDeposit(1, kNothingBefore);
  forged.reason = "x\ntable=t";
  JournalRow honest = SomeDeposit(1, kNothingBefore);
  honest.reason = "x";
  honest.table_id = "t";
  EXPECT_NE(CanonicalText(forged), CanonicalText(honest));
  forged.reason = "\\n";
  honest = SomeDeposit(1, kNothingBefore);
  honest.reason = "\n";
  EXPECT_NE(CanonicalText(forged), CanonicalText(honest));
}

}  // namespace
}  // namespace mj::audit
