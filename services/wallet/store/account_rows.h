// Players' accounts as rows: locked for a change, and what stands about them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/pg/pool.h"
#include "services/wallet/app/ledger_store.h"

namespace mj::wallet::store {

// Accounts that a change names, locked until its transaction ends.
struct LockedAccounts {
  base::WallTime now{};                   // the transaction's time, by which holds live
  std::vector<Found> found;               // in the order in which they were named
  std::vector<std::int64_t> account_nos;  // 0: no player's
  std::vector<std::int64_t> round_nos;    // of the begun round; 0: none
};

// Locks the players among the accounts in the order of their numbers.
[[nodiscard]] absl::StatusOr<LockedAccounts> LockAccounts(
    pg::Transaction& tx, const std::vector<std::string>& account_ids, Currency currency);

// What stands about players, as it shall be; one each.
//
//   round_no          of the round that begins with this change; 0: none
//   reservation_no    of the seat that it reserves for the first; 0: none
[[nodiscard]] absl::Status UpdateStandings(pg::Transaction& tx, const LockedAccounts& locked,
                                           const std::vector<Standing>& after,
                                           std::int64_t round_no, std::int64_t reservation_no);

// Writes a reservation that is made at this transaction's time. Its number.
[[nodiscard]] absl::StatusOr<std::int64_t> InsertReservation(pg::Transaction& tx,
                                                             std::int64_t account_no,
                                                             const std::string& tier_id,
                                                             const Hold& hold);

// Writes what an operator did to an account.
[[nodiscard]] absl::Status InsertAccountEvent(pg::Transaction& tx, std::int64_t account_no,
                                              const Alteration& alteration);

// A live hold, and the begun round's id, of a player who is only read.
[[nodiscard]] absl::StatusOr<Standing> ReadStanding(pg::Transaction& tx, const AccountKey& account);

}  // namespace mj::wallet::store
