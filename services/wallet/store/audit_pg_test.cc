// The audit of real books, right ones and ones that a superuser has tampered with.

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "libs/audit/canonical.h"
#include "libs/audit/finding.h"
#include "libs/audit/signing.h"
#include "libs/base/status.h"
#include "libs/books/audit.h"
#include "libs/books/days.h"
#include "libs/books/rows.h"
#include "services/wallet/store/audited_testing.h"

namespace mj::wallet::store {
namespace {

using audit::Fault;

using AuditTest = AuditedBooks;

TEST_F(AuditTest, RightBooksAreRight) {
  EXPECT_FALSE(Audited().finding.has_value());
  WriteBooks();
  const books::AuditReport report = Audited();
  ASSERT_FALSE(report.finding.has_value()) << audit::Describe(*report.finding);
  EXPECT_EQ(report.rows, Int("SELECT count(*) FROM wallet.journal"));
  EXPECT_EQ(report.entries, Int("SELECT count(*) FROM wallet.entries"));
  EXPECT_EQ(report.accounts, 10);
  EXPECT_TRUE(report.accounts_checked);
  EXPECT_EQ(report.players.at("COIN") + report.house.at("issue COIN") +
                report.house.at("house_rake COIN"),
            0);
}

TEST_F(AuditTest, TheDatabaseHashesAsTheProgramDoes) {
  WriteBooks();
  EXPECT_EQ(database_.Execute(R"sql(
      SELECT count(*) FROM wallet.journal
      WHERE hash IS DISTINCT FROM sha256(convert_to(wallet.canonical(journal_no), 'UTF8')))sql"),
            "0");
  EXPECT_EQ(database_.Execute("SELECT wallet.canonical(-1) IS NULL"), "t");
}

TEST_F(AuditTest, OneChangedByteIsNamed) {
  WriteBooks();
  const std::vector<std::string> changes = {
      "UPDATE wallet.journal SET reason = reason || ' ' WHERE journal_no = 3",
      "UPDATE wallet.journal SET hash = set_byte(hash, 3, 255 - get_byte(hash, 3))"
      " WHERE journal_no = 3",
      "UPDATE wallet.entries SET coins = coins + 1 WHERE journal_no = 3 AND line_no = 1",
      "UPDATE wallet.entries SET written_at = written_at + interval '1 microsecond'"
      " WHERE journal_no = 3 AND line_no = 2",
      "DELETE FROM wallet.entries WHERE journal_no = 3 AND line_no = 2",
      "INSERT INTO wallet.entries SELECT journal_no, line_no + 7, written_at, account_no, currency,"
      " purpose, coins, balance_after, sequence FROM wallet.entries"
      " WHERE journal_no = 3 AND sequence IS NULL",
  };
  for (const std::string& change : changes) {
    SCOPED_TRACE(change);
    database_.Execute(
        "CREATE TABLE public.j AS TABLE wallet.journal; CREATE TABLE public.e AS TABLE "
        "wallet.entries");
    Tamper(change);
    const audit::Finding finding = Found();
    EXPECT_EQ(finding.fault, Fault::kRowChanged) << audit::Describe(finding);
    EXPECT_EQ(finding.journal_no, 3);
    Tamper(
        "DELETE FROM wallet.journal; INSERT INTO wallet.journal TABLE public.j;"
        "DELETE FROM wallet.entries; INSERT INTO wallet.entries TABLE public.e;"
        "DROP TABLE public.j, public.e");
  }
  EXPECT_FALSE(Audited().finding.has_value());
}

TEST_F(AuditTest, AChangedPartIsNamed) {
  WriteBooks();
  const std::string settlement =
      database_.Execute("SELECT max(journal_no) FROM wallet.settlements");
  for (const char* const part : {"settlement_transfers", "settlements", "settlement_set_offs"}) {
    SCOPED_TRACE(part);
    database_.Execute(std::string("CREATE TABLE public.p AS TABLE wallet.") + part);
    Tamper(std::string("DELETE FROM wallet.") + part + " WHERE journal_no = " + settlement);
    EXPECT_EQ(Found().journal_no, std::stoll(settlement));
    Tamper(std::string("DELETE FROM wallet.") + part + "; INSERT INTO wallet." + part +
           " TABLE public.p; DROP TABLE public.p");
  }
  EXPECT_FALSE(Audited().finding.has_value());
}

TEST_F(AuditTest, ADeletedLastRowIsNamed) {
  WriteBooks();
  const std::int64_t last =
      Int("SELECT max(chain_sequence) FROM wallet.journal WHERE chain_no = 0");
  Tamper(
      "DELETE FROM wallet.journal WHERE chain_no = 0 AND chain_sequence ="
      " (SELECT max(chain_sequence) FROM wallet.journal WHERE chain_no = 0)");
  const audit::Finding finding = Found();
  EXPECT_EQ(finding.fault, Fault::kRowMissing) << audit::Describe(finding);
  EXPECT_EQ(finding.chain_no, 0);
  EXPECT_EQ(finding.chain_sequence, last);
}

TEST_F(AuditTest, SwappedRowsAreNamed) {
  WriteBooks();
  Tamper(
      "UPDATE wallet.journal SET chain_sequence = CASE chain_sequence WHEN 2 THEN 1003 ELSE 1002 "
      "END"
      " WHERE chain_no = 0 AND chain_sequence IN (2, 3);"
      "UPDATE wallet.journal SET chain_sequence = chain_sequence - 1000 WHERE chain_sequence > "
      "1000");
  const audit::Finding finding = Found();
  EXPECT_EQ(finding.fault, Fault::kRowChanged) << audit::Describe(finding);
  EXPECT_EQ(finding.chain_sequence, 2);
}

TEST_F(AuditTest, ABalanceThatDoesNotFitIsNamed) {
  WriteBooks();
  Tamper(
      "UPDATE wallet.balances SET coins = coins + 1 WHERE account_no ="
      " (SELECT account_no FROM wallet.accounts WHERE account_id = 'bob')");
  const audit::Finding finding = Found();
  EXPECT_EQ(finding.fault, Fault::kBalanceWrong) << audit::Describe(finding);
  EXPECT_EQ(finding.account_no,
            Int("SELECT account_no FROM wallet.accounts WHERE account_id = 'bob'"));
}

TEST_F(AuditTest, AnEntryOutsideOfTheJournalIsNamed) {
  WriteBooks();
  Tamper(
      "INSERT INTO wallet.entries SELECT 999999, line_no, written_at, account_no, currency, "
      "purpose,"
      " coins, balance_after, sequence FROM wallet.entries WHERE journal_no = 1 AND sequence IS "
      "NULL");
  const audit::Finding finding = Found();
  EXPECT_EQ(finding.fault, Fault::kEntryOrphaned) << audit::Describe(finding);
  EXPECT_EQ(finding.journal_no, 999999);
}

TEST_F(AuditTest, ARowInNoChainIsNoticed) {
  WriteBooks();
  Tamper(
      "INSERT INTO wallet.journal SELECT 999999, kind, 'k', content_version, content_hash, actor,"
      " approver, reason, table_id, round_id, rulebook_version, reverses_journal_no, happened_at,"
      " written_at, 77, 1, previous_hash, hash FROM wallet.journal WHERE journal_no = 1");
  EXPECT_EQ(Found().fault, Fault::kRowOutOfPlace);
}

TEST_F(AuditTest, SealedDaysAreHistory) {
  for (const char* const sql : {"UPDATE wallet.ledger_days SET rows = 0",
                                "DELETE FROM wallet.ledger_days", "TRUNCATE wallet.ledger_days"}) {
    EXPECT_EQ(database_.Refusal(sql), std::optional<std::string>("23001")) << sql;
  }
}

TEST_F(AuditTest, ADayIsSealedWhenItIsOver) {
  WriteBooks();
  const std::string today =
      database_.Execute("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD')");
  EXPECT_EQ(books::SealDay(pool_, today, Context().deadline).status(),
            absl::InvalidArgumentError("day " + today + " is not over (UTC)"));
  EXPECT_EQ(books::SealDay(pool_, "yesterday", Context().deadline).status().code(),
            absl::StatusCode::kInvalidArgument);
  MoveToYesterday();
  const auto day = books::SealDay(pool_, Yesterday(), Context().deadline);
  ASSERT_TRUE(day.ok()) << day.status();
  EXPECT_EQ(day->rows, Int("SELECT count(*) FROM wallet.journal"));
  EXPECT_EQ(day->previous_root, audit::kNothingBefore);
  const auto again = books::SealDay(pool_, Yesterday(), Context().deadline);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(*again, *day);
  const books::AuditReport report = Audited({.exported = {*day}});
  ASSERT_FALSE(report.finding.has_value()) << audit::Describe(*report.finding);
  EXPECT_EQ(report.days, 1);
  EXPECT_EQ(report.roots, 1);
  // The books go on after the day, and by themselves.
  ASSERT_TRUE(Deposit("next", "ann", 1).ok());
  EXPECT_FALSE(Audited({.from = today}).finding.has_value());
  EXPECT_EQ(Audited({.from = today}).rows, 1);
  EXPECT_EQ(Audited({.to = Yesterday()}).rows, day->rows);
}

TEST_F(AuditTest, ARebuiltChainIsFoundByTheSignedRoot) {
  WriteBooks();
  MoveToYesterday();
  const auto day = books::SealDay(pool_, Yesterday(), Context().deadline);
  ASSERT_TRUE(day.ok()) << day.status();
  const auto exported = audit::ReadExport(audit::Export(*day, key_));
  ASSERT_TRUE(exported && audit::Signed(*exported, key_.Public()));

  // Whoever owns the database changes a row, hashes every chain anew, and seals the day anew.
  Rebuild("UPDATE wallet.journal SET reason = 'other' WHERE journal_no = 2");
  Tamper("DELETE FROM wallet.ledger_days");
  ASSERT_TRUE(books::SealDay(pool_, Yesterday(), Context().deadline).ok());
  EXPECT_FALSE(Audited().finding.has_value());  // by themselves the books are right
  const audit::Finding finding = Found({.exported = {exported->day}});
  EXPECT_EQ(finding.fault, Fault::kRootWrong) << audit::Describe(finding);
  EXPECT_EQ(finding.day, Yesterday());
  EXPECT_EQ(finding.chain_no, Int("SELECT chain_no FROM wallet.journal WHERE journal_no = 2"));
}

TEST_F(AuditTest, ASealedDayThatDoesNotFitIsNamed) {
  WriteBooks();
  MoveToYesterday();
  ASSERT_TRUE(books::SealDay(pool_, Yesterday(), Context().deadline).ok());
  Rebuild("UPDATE wallet.journal SET reason = 'other' WHERE journal_no = 2");
  EXPECT_EQ(Found().fault, Fault::kDayWrong);
}

TEST_F(AuditTest, EveryRowOfADayIsProved) {
  WriteBooks();
  MoveToYesterday();
  const auto day = books::SealDay(pool_, Yesterday(), Context().deadline);
  ASSERT_TRUE(day.ok()) << day.status();
  const auto exported = audit::ReadExport(audit::Export(*day, key_));
  ASSERT_TRUE(exported.has_value());
  for (std::int64_t row = 1; row <= Int("SELECT max(journal_no) FROM wallet.journal"); ++row) {
    if (Int("SELECT count(*) FROM wallet.journal WHERE journal_no = " + std::to_string(row)) == 0) {
      continue;  // the number of a request that was refused
    }
    const auto proof = books::Prove(pool_, row, *exported, Context().deadline);
    ASSERT_TRUE(proof.ok()) << proof.status();
    const auto read = audit::ReadProof(audit::ToText(*proof));
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(audit::Check(*read, key_.Public()), audit::ProofFault::kNone);
    EXPECT_NE(read->row.find("\njournal=" + std::to_string(row) + "\n"), std::string::npos);
  }
  EXPECT_EQ(books::Prove(pool_, 999999, *exported, Context().deadline).status().code(),
            absl::StatusCode::kNotFound);
  ASSERT_TRUE(Deposit("today", "ann", 1).ok());
  EXPECT_EQ(books::Prove(pool_, Int("SELECT max(journal_no) FROM wallet.journal"), *exported,
                         Context().deadline)
                .status()
                .code(),
            absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace mj::wallet::store
