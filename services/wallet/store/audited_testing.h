// Books with every kind of row, to be audited; and what a superuser can do to them.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "libs/audit/canonical.h"
#include "libs/audit/finding.h"
#include "libs/base/status.h"
#include "libs/books/audit.h"
#include "libs/books/rows.h"
#include "services/wallet/app/settle_testing.h"
#include "services/wallet/store/races_testing.h"

namespace mj::wallet::store {

class AuditedBooks : public BooksFixture {
 protected:
  // Money, an adjustment, settlements paid in full and one with shortfalls.
  void WriteBooks() {
    Open("ann", 5000);
    Open("bob", 100);
    ASSERT_TRUE(Withdraw("w", "ann", 700).ok());
    ASSERT_TRUE(Withdraw("too-much", "bob", 700).status().code() != absl::StatusCode::kOk);
    ASSERT_TRUE(Post(Move("m", "ann", "bob", 50)).ok());
    ASSERT_TRUE(wallet_
                    .Deposit(Context(), {.request_id = "bought",
                                         .account_id = "ann",
                                         .coins = 5,
                                         .reason = "x",
                                         .flow = Flow::kPurchase,
                                         .provider = "shop",
                                         .external_reference = "a\\b"})
                    .ok());
    OpenTable("t", 7000);
    std::mt19937_64 random(1);
    for (int round = 0; round < 5; ++round) {
      const auto settled =
          SettleAndWait(wallet_, Context(), Begin("t", "r" + std::to_string(round), random));
      ASSERT_TRUE(settled.ok()) << settled.status();
    }
    // One that nobody can pay in full: shortfalls.
    OpenTable("poor", 650);
    SettleRoundRequest unpaid = Begin("poor", "unpaid", random);
    for (TransferRequest& transfer : unpaid.transfers) transfer.coins += 900;
    const auto settled = SettleAndWait(wallet_, Context(), unpaid);
    ASSERT_TRUE(settled.ok()) << settled.status();
  }

  void Tamper(const std::string& sql) {
    database_.Execute("SET session_replication_role = replica; " + sql);
  }

  books::AuditReport Audited(const books::AuditOptions& options = {}) {
    auto report = books::Audit(pool_, options, Context().deadline);
    EXPECT_TRUE(report.ok()) << report.status();
    return report.ok() ? *std::move(report) : books::AuditReport{};
  }

  // An audit of everything in steps of `rows_max`, added up; the finding ends it.
  LedgerCheck Stepped(std::int64_t rows_max) {
    LedgerCheck sum;
    std::string place;
    do {
      const auto step =
          wallet_.VerifyLedger(Context(), {.rows_max = rows_max, .page_token = place});
      EXPECT_TRUE(step.ok()) << step.status();
      if (!step.ok()) return sum;
      sum.finding = step->checked.finding;
      sum.rows += step->checked.rows;
      sum.entries += step->checked.entries;
      sum.accounts += step->checked.accounts;
      sum.days += step->checked.days;
      place = step->next_page_token;
    } while (!place.empty());
    return sum;
  }

  // By the audit at once; the one in steps has to find the same.
  audit::Finding Found(const books::AuditOptions& options = {}) {
    const books::AuditReport report = Audited(options);
    EXPECT_TRUE(report.finding.has_value());
    const audit::Finding found = report.finding.value_or(audit::Finding{});
    if (options.from.empty() && options.to.empty() && options.exported.empty()) {
      const LedgerCheck stepped = Stepped(3);
      EXPECT_TRUE(stepped.finding && stepped.finding->fault == found.fault)
          << (stepped.finding ? audit::Describe(*stepped.finding) : "nothing in steps");
    }
    return found;
  }

  std::int64_t Int(const std::string& sql) { return std::stoll(database_.Execute(sql)); }

  // Everything was written yesterday, in the order and chains in which it was; and is hashed anew.
  // What a superuser can do, and what a test of a day that is over needs.
  void Rebuild(const std::string& change) {
    Tamper(change);
    absl::Status status =
        pool_.Run({.deadline = Context().deadline}, [&](pg::Transaction& tx) -> absl::Status {
          MJ_RETURN_IF_ERROR(tx.Execute("SET LOCAL session_replication_role = replica").status());
          for (std::int64_t chain = 0; chain < 16; ++chain) {
            MJ_ASSIGN_OR_RETURN(const auto rows, books::ReadRows(tx, chain, 0, 10'000));
            audit::Digest previous = audit::kNothingBefore;
            for (const books::ReadRow& read : rows) {
              audit::JournalRow row = read.row;
              row.previous_hash = previous;
              previous = audit::RowHash(row);
              MJ_RETURN_IF_ERROR(
                  tx.Execute("UPDATE wallet.journal SET previous_hash = $2, hash = $3"
                             " WHERE journal_no = $1",
                             row.journal_no,
                             pg::Bytes{std::string(audit::AsBytes(row.previous_hash))},
                             pg::Bytes{std::string(audit::AsBytes(previous))})
                      .status());
            }
            MJ_RETURN_IF_ERROR(tx.Execute("UPDATE wallet.chains SET head_hash = $2,"
                                          " head_written_at = now() - interval '1 day'"
                                          " WHERE chain_no = $1",
                                          chain, pg::Bytes{std::string(audit::AsBytes(previous))})
                                   .status());
          }
          return absl::OkStatus();
        });
    ASSERT_TRUE(status.ok()) << status;
  }
  void MoveToYesterday() {
    Rebuild(
        "UPDATE wallet.entries SET written_at = written_at - interval '1 day';"
        "UPDATE wallet.journal SET written_at = written_at - interval '1 day'");
  }
  std::string Yesterday() {
    return database_.Execute(
        "SELECT to_char((now() - interval '1 day') AT TIME ZONE 'UTC', 'YYYY-MM-DD')");
  }

  const audit::SigningKey key_ = *audit::SigningKey::FromSeed(std::string(32, 'k'));
};

}  // namespace mj::wallet::store
