// A wallet on a ledger in memory, with what tests say about it again and again.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
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

  // Reserves a seat at table-1 of Chaozhou's lowest room, or another.
  absl::StatusOr<ReserveAnswer> Sit(const std::string& id, const std::string& table = "table-1",
                                    const std::string& variant = "chaozhou",
                                    std::int64_t base = 10) {
    return wallet_.Reserve(Context(), {.request_id = "sit-" + std::to_string(++asked_),
                                       .player_id = id,
                                       .table_id = table,
                                       .variant = variant,
                                       .base = base});
  }

  static BeginRoundRequest Beginning(const std::string& round_id = "round-1") {
    return {.round_id = round_id,
            .table_id = "table-1",
            .variant = "chaozhou",
            .rulebook_version = "v1",
            .base = 10,
            .tier_id = "",
            .player_ids = {"a", "b", "c", "d"}};
  }

  // Seats the request's players and begins the round. They need the room's minimum for it.
  void Begin(const BeginRoundRequest& request) {
    for (const std::string& id : request.player_ids) {
      EXPECT_TRUE(Sit(id, request.table_id, request.variant, request.base).ok()) << id;
    }
    const auto begun = wallet_.BeginRound(Context(), request);
    EXPECT_TRUE(begun.ok()) << begun.status();
  }
  void Begin(const std::string& round_id = "round-1") { Begin(Beginning(round_id)); }

  std::optional<Hold> HoldOf(const std::string& id) {
    const auto account = wallet_.GetAccount(Context(), {id});
    EXPECT_TRUE(account.ok()) << account.status();
    return account.ok() ? account->standing.hold : std::nullopt;
  }

  base::SimulatedClock clock_;
  MemoryLedgerStore store_{clock_, SomeTiers()};
  Wallet wallet_{store_, clock_, SomeRuleIds()};
  int asked_ = 0;
};

using base::FailsWith;

}  // namespace mj::wallet
