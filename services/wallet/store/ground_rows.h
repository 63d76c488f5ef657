// What a group of postings is decided on, read and locked in one round trip.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/audit/digest.h"
#include "libs/pg/pool.h"
#include "services/wallet/app/ledger_store.h"
#include "services/wallet/store/player_rows.h"
#include "services/wallet/store/round_rows.h"

namespace mj::wallet::store {

// Account numbers by id.
using AccountNos = std::map<std::string, std::int64_t, std::less<>>;

// The house's accounts in a currency. They never change.
[[nodiscard]] absl::StatusOr<AccountNos> ReadHouse(pg::Transaction& tx, Currency currency);

// The first answer under a key, as it is remembered.
struct FirstAnswer {
  std::int64_t content_version = 0;
  audit::Digest content_hash{};
  std::string outcome;  // of a request: OK or a reason; of what closes a round: its kind
  JournalNo journal_no = 0;
  Coins balance;
  Facts facts;
};

// Where the journal goes on, locked.
struct ChainHead {
  std::int64_t chain_no = 0;
  std::int64_t sequence = 0;
  audit::Digest hash{};
  std::int64_t written_at = 0;         // microseconds since 1970 UTC
  std::vector<JournalNo> journal_nos;  // to be used, as many as there are postings
};

using MovementKey = std::tuple<Flow, std::string, std::string>;
[[nodiscard]] inline MovementKey KeyOf(const Movement& movement) {
  return {movement.flow, movement.provider, movement.external_reference};
}

struct GroundRows {
  base::WallTime now{};  // the transaction's time
  std::map<std::string, FirstAnswer> answers;
  std::map<AccountKey, LockedPlayer> players;
  std::map<AccountKey, Found::What> others;  // accounts that were named and are no players'
  std::map<std::string, RoundRow> rounds;
  std::set<MovementKey> references;         // of those asked about, booked already
  std::map<JournalNo, JournalNo> reversed;  // of those asked about, by which row
  ChainHead head;
};

// Locks, in this order, the players by account number and one chain head.
[[nodiscard]] absl::StatusOr<GroundRows> ReadGround(pg::Transaction& tx,
                                                    std::span<const Posting* const> postings,
                                                    RulebookCache& rulebooks);

}  // namespace mj::wallet::store
