// Players' accounts, read one after the other to be checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/audit/accounts.h"
#include "libs/audit/finding.h"
#include "libs/pg/pool.h"

namespace mj::books {

struct CheckedPlayer {
  std::optional<audit::Finding> finding;  // the account's first
  std::int64_t account_no = 0;
  std::string currency;
  std::int64_t coins = 0;    // as its balance row says
  std::int64_t entries = 0;  // checked
};

// Goes through all accounts with a balance row, by number, and every entry with a sequence, in pages.
// All of it has to be one snapshot. After a finding it is of no more use.
class PlayerAccounts {
 public:
  // `after`: the account number after which it begins. Keeps a reference to `tx`.
  PlayerAccounts(pg::Transaction& tx, std::int64_t after) : tx_(tx), after_(after) {
    entries_after_.account_no = after;
    entries_after_.sequence = INT64_MAX;
  }

  // The next account. Nothing: there is none. What is wrong with it: an entry without a journal row
  // (ENTRY_ORPHANED), what audit::AccountVerifier says, entries without a balance row
  // (BALANCE_WRONG).
  [[nodiscard]] absl::StatusOr<std::optional<CheckedPlayer>> Next();

 private:
  struct Balance {
    audit::BalanceRow row;
    std::string currency;
  };
  struct Entry {
    audit::AccountEntry entry;
    bool in_journal = false;
  };

  [[nodiscard]] absl::StatusOr<const Balance*> NextBalance();
  [[nodiscard]] absl::StatusOr<const Entry*> NextEntry();

  pg::Transaction& tx_;
  std::int64_t after_;
  std::vector<Balance> balances_;
  std::size_t balance_at_ = 0;
  bool balances_over_ = false;
  audit::AccountEntry entries_after_;
  std::vector<Entry> entries_;
  std::size_t entry_at_ = 0;
  bool entries_over_ = false;
};

}  // namespace mj::books
