// A second clearing, written from D-SET-1 alone, slowly and plainly, to hold the first one to.
#pragma once

#include <span>

#include "libs/ledger/clearing.h"

namespace mj::ledger {

// The same answer as Clear for debts that Clear accepts. Shares no code with it.
[[nodiscard]] Clearing ClearSlowly(const PerParty<Coins>& balances, std::span<const Debt> debts,
                                   Coins rake);

}  // namespace mj::ledger
