// From moves of coins to the lines of a journal row, and from what is found to what is refused.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/base/reasons.h"
#include "libs/ledger/journal.h"
#include "libs/ledger/rejection.h"
#include "services/wallet/app/content.h"
#include "services/wallet/app/ledger_store.h"
#include "services/wallet/app/requests.h"

namespace mj::wallet {

// Entries in their order, each player's with the balance and the number after it.
//
//   account_ids, accounts   the players named, and what was found of each; all kPlayer. Accounts of
//                           the entries that are not among them are the house's.
//
// kTooLarge, kInsufficientFunds: as ledger::Post.
[[nodiscard]] ledger::Outcome<std::vector<Line>> Compose(std::vector<ledger::Entry> entries,
                                                         std::span<const std::string> account_ids,
                                                         std::span<const Found> accounts,
                                                         ledger::Reach reach);

// OK if `found` is a player's account, else ACCOUNT_NOT_FOUND, CURRENCY_MIXED or
// NOT_A_PLAYER_ACCOUNT with the field that named it.
[[nodiscard]] absl::Status RequirePlayer(Found::What found, std::string_view field,
                                         std::string_view account_id);

// The same, of a look-up.
[[nodiscard]] Found::What WhatIs(const LedgerStore::Lookup& lookup);

// A failure as what is remembered of it, and back. `facts` are its metadata.
[[nodiscard]] Refusal Refuse(base::Reason reason, std::string_view field, Facts facts = {});
[[nodiscard]] absl::Status RefusalError(const Refusal& refusal);

// The key of a request that a caller identified.
[[nodiscard]] RequestKey KeyOf(std::string_view rpc, const CallContext& context,
                               std::string_view request_id, const Content& content);

// REQUEST_ID_REUSED.
[[nodiscard]] absl::Status KeyTakenError(std::string_view field);

// The first answer to a write that is remembered: REQUEST_ID_REUSED, what it was refused for, or what
// was done (Posted, Changed).
template <typename Done, typename Outcome>
[[nodiscard]] absl::StatusOr<Done> FirstAnswer(Outcome outcome) {
  if (std::holds_alternative<KeyTaken>(outcome)) return KeyTakenError("request_id");
  if (const auto* refused = std::get_if<Refused>(&outcome)) return RefusalError(refused->refusal);
  return std::get<Done>(std::move(outcome));
}

// BALANCE_OVERFLOW. `field` is what would make it so.
[[nodiscard]] absl::Status OverflowError(std::string_view field);

// INSUFFICIENT_FUNDS, with the balance and, where it differs, what of it is not held.
[[nodiscard]] Refusal InsufficientFunds(std::string_view field,
                                        const ledger::PlayerBalance& balance);

// ROUND_IN_PROGRESS.
[[nodiscard]] absl::Status RoundInProgressError(std::string_view field, std::string_view round_id);

// As clients see it; "" for 0.
[[nodiscard]] std::string JournalId(JournalNo journal_no);
// Back. BAD_ID, FIELD_REQUIRED.
[[nodiscard]] absl::StatusOr<JournalNo> JournalNoFrom(std::string_view field,
                                                      std::string_view journal_id);

}  // namespace mj::wallet
