// A player's entries as lines of CSV, for spreadsheets and archives.
#pragma once

#include <string>

#include "services/wallet/app/types.h"

namespace mj::wallet {

// "sequence,written_at,journal_id,event,coins,balance_after,round_id,table_id,reason".
[[nodiscard]] std::string StatementHeader();

// One entry of a player: times in UTC, coins signed, texts never a formula. With its line end.
[[nodiscard]] std::string StatementLine(const ListedEntry& entry);

}  // namespace mj::wallet
