// Page tokens: where a list goes on, bound to what it lists.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "services/wallet/app/ledger_store.h"
#include "services/wallet/app/types.h"

namespace mj::wallet {

// The token for the entries of `account` before `position`.
[[nodiscard]] std::string MakePageToken(const AccountKey& account, EntryPosition position);

// What it says; nullopt for text that is no token, or one of another account or currency.
[[nodiscard]] std::optional<EntryPosition> ReadPageToken(const AccountKey& account,
                                                         std::string_view token);

// The same for settlements.
[[nodiscard]] std::string MakePageToken(const SettlementFilter& filter, std::int64_t position);
[[nodiscard]] std::optional<std::int64_t> ReadPageToken(const SettlementFilter& filter,
                                                        std::string_view token);

}  // namespace mj::wallet
