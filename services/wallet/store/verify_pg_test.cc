// The audit in steps. What it finds is held to the audit at once in audit_pg_test.cc.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/status_testing.h"
#include "libs/books/days.h"
#include "libs/books/steps.h"
#include "services/wallet/store/audited_testing.h"

namespace mj::wallet::store {
namespace {

using audit::Fault;
using base::FailsWith;
using base::Reason;

using VerifyTest = AuditedBooks;

TEST_F(VerifyTest, StepsOfAnySizeCheckEverythingOnce) {
  EXPECT_EQ(Stepped(1).rows, 0);
  WriteBooks();
  MoveToYesterday();
  const std::string yesterday = database_.Execute(
      "SELECT to_char((now() - interval '1 day') AT TIME ZONE 'UTC', 'YYYY-MM-DD')");
  ASSERT_TRUE(books::SealDay(pool_, yesterday, Context().deadline).ok());
  Open("late", 5);
  for (const std::int64_t rows_max : {1, 2, 7, 1000}) {
    SCOPED_TRACE(rows_max);
    const LedgerCheck checked = Stepped(rows_max);
    EXPECT_FALSE(checked.finding) << audit::Describe(*checked.finding);
    EXPECT_EQ(checked.rows, Int("SELECT count(*) FROM wallet.journal"));
    EXPECT_EQ(checked.entries, Int("SELECT count(*) FROM wallet.entries"));
    EXPECT_EQ(checked.accounts, Int("SELECT count(*) FROM wallet.balances"));
    EXPECT_EQ(checked.days, 1);
  }
}

TEST_F(VerifyTest, AStepReadsNoMoreThanItMay) {
  WriteBooks();
  const auto rows = Int("SELECT count(*) FROM wallet.journal");
  books::AuditPlace place;
  std::int64_t steps = 0;
  while (place.part == books::AuditPlace::Part::kChains) {
    const auto step = books::AuditFrom(pool_, place, 4, Context().deadline);
    ASSERT_TRUE(step.ok()) << step.status();
    EXPECT_LE(step->rows, 4);
    place = step->next;
    ++steps;
  }
  EXPECT_GE(steps, rows / 4);
}

TEST_F(VerifyTest, ARowThatChangesBehindAStepIsNoticed) {
  for (int i = 0; i < 6; ++i) Open("p" + std::to_string(i), 5);
  const auto first = wallet_.VerifyLedger(Context(), {.rows_max = 3, .page_token = {}});
  ASSERT_TRUE(first.ok()) << first.status();
  ASSERT_FALSE(first->next_page_token.empty());
  const auto checked = books::PlaceFromText(first->next_page_token);
  ASSERT_TRUE(checked && checked->sequence == 3);
  Rebuild("UPDATE wallet.journal SET reason = 'x' WHERE chain_sequence = 3");
  const auto next =
      wallet_.VerifyLedger(Context(), {.rows_max = 3, .page_token = first->next_page_token});
  ASSERT_TRUE(next.ok()) << next.status();
  ASSERT_TRUE(next->checked.finding);
  EXPECT_EQ(next->checked.finding->fault, Fault::kRowChanged);
  EXPECT_EQ(next->checked.finding->chain_sequence, 3);
  EXPECT_TRUE(next->next_page_token.empty());
  // The chain by itself is whole: an audit that begins anew can say no more without a sealed day.
  EXPECT_FALSE(Stepped(3).finding);
}

TEST_F(VerifyTest, AnOrphanOfTheHouseIsNamed) {
  WriteBooks();
  Tamper(
      "INSERT INTO wallet.entries SELECT 99999, 1, written_at, account_no, currency, purpose, coins"
      " FROM wallet.entries WHERE sequence IS NULL LIMIT 1");
  const audit::Finding finding = Found();
  EXPECT_EQ(finding.fault, Fault::kEntryOrphaned);
  EXPECT_EQ(Stepped(2).finding->journal_no, 99999);
}

TEST_F(VerifyTest, APlaceIsOneText) {
  const books::AuditPlace place{.part = books::AuditPlace::Part::kDays, .day = "2026-11-30"};
  const std::string text = books::ToText(place);
  EXPECT_EQ(books::PlaceFromText(text), place);
  EXPECT_EQ(books::PlaceFromText(books::ToText({})), books::AuditPlace{});
  const std::string zeros(64, '0');
  for (const std::string& bad :
       {std::string("x"), std::string(text + "x"), "a2" + text.substr(2), "a1.9.0.0." + zeros + ".",
        "a1.0.16.0." + zeros + ".", "a1.0.-1.0." + zeros + ".", "a1.0.0.00." + zeros + ".",
        "a1.1.0.0." + zeros + ".2026-02-30", std::string("a1.0.0.0.00.")}) {
    EXPECT_FALSE(books::PlaceFromText(bad)) << bad;
    EXPECT_THAT(wallet_.VerifyLedger(Context(), {.rows_max = 1, .page_token = bad}),
                FailsWith(Reason::kBadPageToken, "page_token"));
  }
  for (const std::int64_t rows_max : {-1, 100'001}) {
    EXPECT_THAT(wallet_.VerifyLedger(Context(), {.rows_max = rows_max, .page_token = {}}),
                FailsWith(Reason::kBadPageSize, "rows_max"));
  }
}

}  // namespace
}  // namespace mj::wallet::store
