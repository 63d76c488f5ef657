// A wallet on real PostgreSQL with players, tables and postings, for tests that need books.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "libs/base/clock.h"
#include "libs/ledger/journal.h"
#include "libs/pg/cluster_testing.h"
#include "libs/pg/pool.h"
#include "services/wallet/app/composing.h"
#include "services/wallet/app/memory_ledger_store_testing.h"
#include "services/wallet/app/wallet.h"
#include "services/wallet/store/books_testing.h"
#include "services/wallet/store/pg_ledger_store.h"

namespace mj::wallet::store {

class BooksFixture : public ::testing::Test {
 protected:
  static constexpr int kClients = 64;

  CallContext Context() { return {"races", clock_.Monotonic() + std::chrono::minutes(5)}; }

  void Open(const std::string& id, std::int64_t coins) {
    ASSERT_TRUE(
        wallet_.OpenAccount(Context(), {.request_id = "open-" + id, .account_id = id}).ok());
    if (coins > 0) {
      ASSERT_TRUE(Deposit("give-" + id, id, coins).ok());
    }
  }

  absl::StatusOr<MoneyAnswer> Deposit(const std::string& key, const std::string& id,
                                      std::int64_t coins) {
    return wallet_.Deposit(Context(),
                           {.request_id = key, .account_id = id, .coins = coins, .reason = "test"});
  }
  absl::StatusOr<MoneyAnswer> Withdraw(const std::string& key, const std::string& id,
                                       std::int64_t coins) {
    return wallet_.Withdraw(
        Context(), {.request_id = key, .account_id = id, .coins = coins, .reason = "test"});
  }

  std::int64_t Balance(const std::string& id) {
    const auto account = wallet_.GetAccount(Context(), {id});
    EXPECT_TRUE(account.ok()) << account.status();
    return account.ok() ? account->balance : -1;
  }

  // Moves coins from one player to another as two people's correction; refused if there are too few.
  static Posting Move(const std::string& key, const std::string& from, const std::string& to,
                      std::int64_t coins) {
    Posting posting;
    posting.key = {key, 1, from + "/" + to + "/" + std::to_string(coins)};
    posting.sticky = true;
    posting.account_ids = {from, to};
    posting.decide = [ids = posting.account_ids,
                      coins](const Ground& ground) -> absl::StatusOr<Verdict> {
      ledger::Journal journal;
      EXPECT_EQ(journal.Move({ids[0]}, {ids[1]}, Coins::From(coins).value(),
                             ledger::Purpose::kAdjustment),
                std::nullopt);
      auto lines = Compose(journal.Entries(), ids, ground.accounts, ledger::Reach::kAvailable);
      if (!lines.ok()) return Refuse(base::Reason::kInsufficientFunds, "coins");
      Event event;
      event.kind = JournalKind::kAdjustment;
      event.actor = "one";
      event.approver = "two";
      event.reason = "a | line\nand \\ another";
      event.happened_at = base::WallTime(std::chrono::seconds(1));
      event.lines = std::move(lines).value();
      return event;
    };
    return posting;
  }

  absl::StatusOr<PostOutcome> Post(const Posting& posting) {
    return store_.Post(posting, Context().deadline);
  }

  // Runs `work(client)` on `clients` threads at once.
  static void AtOnce(int clients, const std::function<void(int)>& work) {
    std::vector<std::thread> threads;
    for (int client = 0; client < clients; ++client) threads.emplace_back(work, client);
    for (std::thread& thread : threads) thread.join();
  }

  static std::vector<std::string> Seats(const std::string& table) {
    return {table + "-a", table + "-b", table + "-c", table + "-d"};
  }

  // Four players who sit at a table of Shaoguan for 10.
  void OpenTable(const std::string& table, std::int64_t coins) {
    for (const std::string& id : Seats(table)) {
      Open(id, coins);
      const auto seat = wallet_.Reserve(Context(), {.request_id = "seat-" + id,
                                                    .player_id = id,
                                                    .table_id = table,
                                                    .variant = "shaoguan",
                                                    .base = 10});
      ASSERT_TRUE(seat.ok()) << seat.status();
    }
  }

  // Begins a round there and gives its settlement: one seat gets from all others, and pays one.
  SettleRoundRequest Begin(const std::string& table, const std::string& round_id,
                           std::mt19937_64& random) {
    const auto begun = wallet_.BeginRound(Context(), {.round_id = round_id,
                                                      .table_id = table,
                                                      .variant = "shaoguan",
                                                      .rulebook_version = "v1",
                                                      .base = 10,
                                                      .player_ids = Seats(table)});
    EXPECT_TRUE(begun.ok()) << begun.status();
    SettleRoundRequest round{.round_id = round_id,
                             .table_id = table,
                             .variant = "shaoguan",
                             .rulebook_version = "v1",
                             .base = 10,
                             .player_ids = Seats(table),
                             .transfers = {}};
    const auto seat = static_cast<std::uint32_t>(random() % 4);
    for (std::uint32_t other = 1; other < 4; ++other) {
      round.transfers.push_back(
          {(seat + other) % 4, seat, static_cast<std::int64_t>(1 + random() % 200), "SG-40"});
    }
    round.transfers.push_back({seat, (seat + 1) % 4, 30, "SG-30"});
    return round;
  }

  base::SystemClock clock_;
  const pg::testing::Database database_{Migrations()};
  pg::Pool pool_{{.url = database_.url(), .application_name = "races", .connections_max = kClients},
                 clock_};
  PgLedgerStore store_{pool_};
  Wallet wallet_{store_, clock_, SomeRuleIds()};
};

}  // namespace mj::wallet::store
