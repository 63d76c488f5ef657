// From moves of coins to the lines of a journal row, and from what is found to what is refused.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "libs/ledger/journal.h"
#include "libs/ledger/rejection.h"
#include "services/wallet/app/ledger_store.h"

namespace mj::wallet {

// The journal's entries in their order, each player's with the balance and the number after it.
//
//   account_ids, accounts   the players named, and what was found of each; all kPlayer. Accounts of
//                           the journal that are not among them are the house's.
//
// kTooLarge, kInsufficientFunds: as ledger::Post.
[[nodiscard]] ledger::Outcome<std::vector<Line>> Compose(const ledger::Journal& journal,
                                                         std::span<const std::string> account_ids,
                                                         std::span<const Found> accounts);

// OK if `found` is a player's account, else ACCOUNT_NOT_FOUND, CURRENCY_MIXED or
// NOT_A_PLAYER_ACCOUNT with the field that named it.
[[nodiscard]] absl::Status RequirePlayer(Found::What found, std::string_view field,
                                         std::string_view account_id);

// The same, of a look-up.
[[nodiscard]] Found::What WhatIs(const LedgerStore::Lookup& lookup);

// REQUEST_ID_REUSED.
[[nodiscard]] absl::Status KeyTakenError(std::string_view field);

// BALANCE_OVERFLOW.
[[nodiscard]] absl::Status OverflowError();

// As clients see it.
[[nodiscard]] std::string JournalId(JournalNo journal_no);

}  // namespace mj::wallet
