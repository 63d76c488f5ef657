// Journal rows with their entries and balances, and the memory of requests, as rows.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/pg/pool.h"
#include "services/wallet/app/ledger_store.h"

namespace mj::wallet::store {

// Account numbers by id.
using AccountNos = std::map<std::string, std::int64_t, std::less<>>;

// What a posting stands on: Ground, and the numbers behind its names, the house's too.
struct LockedGround {
  Ground ground;
  AccountNos account_nos;
};

// The house's accounts in a currency. They never change.
[[nodiscard]] absl::StatusOr<AccountNos> ReadHouse(pg::Transaction& tx, Currency currency);

// The first answer under a posting's key, if it was used before.
[[nodiscard]] absl::StatusOr<std::optional<PostOutcome>> FindAnswer(pg::Transaction& tx,
                                                                    const Posting& posting);

// Locks the posting's players in the order of their numbers, and looks the tier up. `house` are the
// house's accounts in the posting's currency.
[[nodiscard]] absl::StatusOr<LockedGround> Lock(pg::Transaction& tx, const Posting& posting,
                                                AccountNos house);

// Writes the event. ABORTED if the key was used since FindAnswer: to be run again.
[[nodiscard]] absl::StatusOr<Posted> WriteEvent(pg::Transaction& tx, const Posting& posting,
                                                const LockedGround& locked, const Event& event);

// Remembers a refusal. ABORTED as WriteEvent.
[[nodiscard]] absl::StatusOr<Refused> WriteRefusal(pg::Transaction& tx, const Posting& posting,
                                                   const LockedGround& locked,
                                                   const Refusal& refusal);

}  // namespace mj::wallet::store
