// A few days of a small operator: what docs/finance.md shows, and what the views are tested on.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "libs/base/simulated_clock_testing.h"
#include "libs/pg/cluster_testing.h"
#include "libs/pg/pool.h"
#include "services/wallet/app/wallet.h"
#include "services/wallet/store/pg_ledger_store.h"

namespace mj::finance {

// A database with the story in it, posted by the wallet's own program; 31 January to 2 February
// 2026. The database's clock is put to the story's time where the ledger reads it (take_chain), so
// that days and months are the same at every run; the other times of the database are today's.
// 31 January is sealed, the days after are not.
//
// Five players; two rooms' worth of rounds in Shaoguan; a debtor who cannot pay, an escape, a void
// round, a round still being played; a deposit that is written the day after it happened, a
// chargeback, an adjustment, a reversal that the house has to cover, a frozen account.
//
// Ends the test program where the wallet does not take what the story asks.
class Story {
 public:
  Story();

  [[nodiscard]] const pg::testing::Database& database() const { return database_; }
  [[nodiscard]] pg::Pool& pool() { return pool_; }
  [[nodiscard]] wallet::Wallet& wallet() { return wallet_; }
  // For calls of the two.
  [[nodiscard]] wallet::CallContext Now(const std::string& caller = "backend") const;

 private:
  // The time from here on: when things happen, and how much later the database writes them.
  void At(std::chrono::seconds since_start, std::chrono::seconds written_later = {});
  [[nodiscard]] std::string NextId();

  void Deposit(const std::string& player, std::int64_t coins, wallet::Flow flow,
               const std::string& reference);
  void Withdraw(const std::string& player, std::int64_t coins, wallet::Flow flow,
                const std::string& reference, const std::string& reason = "");
  void Begin(const std::string& round, const std::vector<std::string>& players);
  // Returns the id of the journal row.
  std::string Settle(const std::string& round, const std::vector<std::string>& players,
                     const std::vector<wallet::TransferRequest>& transfers);

  void FirstDay();
  void SecondDay();
  void ThirdDay();

  pg::testing::Database database_;
  base::SystemClock system_clock_;
  base::SimulatedClock clock_;
  // With the wallet's own rights, so that the story is a test of these too.
  pg::Pool pool_{
      {.url = database_.url() + "&options=-c%20role%3Dwallet_service", .connections_max = 2},
      system_clock_};
  wallet::store::PgLedgerStore store_{pool_};
  wallet::Wallet wallet_;
  std::string first_settlement_;
  int asked_ = 0;
};

}  // namespace mj::finance
