// The check of players' accounts: their entries in order, against each other and their balances.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "libs/audit/finding.h"

namespace mj::audit {

// An entry on a player's account.
struct AccountEntry {
  std::int64_t account_no = 0;
  std::int64_t sequence = 0;
  std::int64_t coins = 0;
  std::int64_t balance_after = 0;
  std::int64_t journal_no = 0;
};

// A player's balance row.
struct BalanceRow {
  std::int64_t account_no = 0;
  std::int64_t coins = 0;
  std::int64_t held = 0;
  std::int64_t last_sequence = 0;
};

// Takes one account after another: Begin with its balance row, its entries by sequence, then End.
class AccountVerifier {
 public:
  void Begin(const BalanceRow& balance);
  // SEQUENCE_BROKEN, BALANCE_BROKEN; REQUIRES Begin of its account.
  [[nodiscard]] std::optional<Finding> Next(const AccountEntry& entry);
  // BALANCE_WRONG: the row does not have the coins and the number of the last entry, or holds more.
  [[nodiscard]] std::optional<Finding> End() const;

 private:
  BalanceRow row_;
  std::int64_t coins_ = 0;
  std::int64_t sequence_ = 0;
};

}  // namespace mj::audit
