// Players' balance rows, locked: the one way to them for every write.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/pg/pool.h"
#include "services/wallet/app/ledger_store.h"

namespace mj::wallet::store {

// A player's account, locked.
struct LockedPlayer {
  std::int64_t account_no = 0;
  std::int64_t round_no = 0;  // of the begun round; 0: none
  Found found;
};

// Locks the players among the accounts of the ids $1 and currencies $2, by account number. Rows as
// PlayersFrom takes them.
//
// No join with the rounds in here: a row that was waited for is read anew, but what it is joined with
// is not.
inline constexpr std::string_view kLockPlayers = R"sql(
SELECT a.account_id, a.currency, a.account_no, b.coins, b.held, b.last_sequence, b.frozen, b.closed,
       coalesce(b.held_table, ''), (extract(epoch FROM b.held_until) * 1000000)::bigint,
       b.held_table IS NOT NULL
         AND (b.round_no IS NOT NULL OR b.held_until > transaction_timestamp()),
       coalesce(b.round_no, 0)
FROM unnest($1::text[], $2::text[]) named (account_id, currency)
JOIN wallet.accounts a ON a.account_id = named.account_id AND a.currency = named.currency
JOIN wallet.balances b ON b.account_no = a.account_no
ORDER BY a.account_no FOR UPDATE OF b
)sql";

// What kLockPlayers answered, without the ids of the rounds. A hold whose time is over, and that is in
// no begun round, is none.
[[nodiscard]] absl::StatusOr<std::map<AccountKey, LockedPlayer>> PlayersFrom(
    const pg::Result& result);

// What those are that were asked for and are no players of that currency.
[[nodiscard]] absl::StatusOr<std::map<AccountKey, Found::What>> FindOthers(
    pg::Transaction& tx, const std::set<AccountKey>& asked,
    const std::map<AccountKey, LockedPlayer>& players);

// Sets the id of the round that each is in. `known`: ids by number that need no reading.
[[nodiscard]] absl::Status FillRoundIds(pg::Transaction& tx,
                                        std::map<std::int64_t, std::string> known,
                                        std::map<AccountKey, LockedPlayer>& players);

}  // namespace mj::wallet::store
