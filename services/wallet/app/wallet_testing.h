// A wallet on a ledger in memory, with what tests say about it again and again.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/simulated_clock_testing.h"
#include "libs/base/status_testing.h"
#include "services/wallet/app/memory_ledger_store_testing.h"
#include "services/wallet/app/wallet.h"

namespace mj::wallet {

class WalletTestBase : public ::testing::Test {
 protected:
  CallContext Context(std::string caller = "backend") { return {std::move(caller), {}}; }

  void Open(const std::string& id, std::int64_t coins = 0, Currency currency = Currency::kCoin) {
    EXPECT_TRUE(wallet_
                    .OpenAccount(Context(), {.request_id = "open-" + id + Suffix(currency),
                                             .account_id = id,
                                             .currency = currency})
                    .ok());
    if (coins > 0) {
      EXPECT_TRUE(wallet_
                      .Deposit(Context(), {.request_id = "give-" + id + Suffix(currency),
                                           .account_id = id,
                                           .currency = currency,
                                           .coins = coins})
                      .ok());
    }
  }

  std::int64_t Balance(const std::string& id, Currency currency = Currency::kCoin) {
    const auto account = wallet_.GetAccount(Context(), {id, currency});
    EXPECT_TRUE(account.ok()) << account.status();
    return account.ok() ? account->balance : -1;
  }

  static std::string Suffix(Currency currency) {
    return currency == Currency::kCoin ? "-coin" : "-practice";
  }

  base::SimulatedClock clock_;
  MemoryLedgerStore store_{clock_, SomeTiers()};
  Wallet wallet_{store_, clock_};
};

using base::FailsWith;

}  // namespace mj::wallet
