#include "services/wallet/app/composing.h"

#include <algorithm>
#include <cstddef>

#include "libs/base/reasons.h"
#include "libs/base/strings.h"

namespace mj::wallet {

using base::Cat;
using base::Reason;

ledger::Outcome<std::vector<Line>> Compose(const ledger::Journal& journal,
                                           std::span<const std::string> account_ids,
                                           std::span<const Found> accounts) {
  std::vector<ledger::PlayerBalance> balances;
  for (const Found& found : accounts) balances.push_back(found.balance);
  std::vector<Line> lines;
  for (ledger::Entry& entry : journal.Entries()) {
    const auto named = std::find(account_ids.begin(), account_ids.end(), entry.account.text);
    Line line{std::move(entry), std::nullopt};
    if (named != account_ids.end()) {
      auto& balance = balances[static_cast<std::size_t>(named - account_ids.begin())];
      const auto after = ledger::Post(balance, line.entry.coins);
      if (!after.ok()) return after.rejection();
      balance = after.value();
      line.after = balance;
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

absl::Status RequirePlayer(Found::What found, std::string_view field, std::string_view account_id) {
  const base::ErrorDetails details{.field = std::string(field)};
  switch (found) {
    case Found::What::kPlayer:
      return absl::OkStatus();
    case Found::What::kHouse:
      return base::Error(Reason::kNotAPlayerAccount,
                         Cat(field, ": ", account_id, " is the house's"), details);
    case Found::What::kOtherCurrency:
      return base::Error(Reason::kCurrencyMixed,
                         Cat(field, ": ", account_id, " is in another currency"), details);
    case Found::What::kNothing:
      return base::Error(Reason::kAccountNotFound, Cat(field, ": there is no ", account_id),
                         details);
  }
  return absl::InternalError("an unknown finding");
}

Found::What WhatIs(const LedgerStore::Lookup& lookup) {
  if (lookup.account) {
    return lookup.account->kind == AccountKind::kPlayer ? Found::What::kPlayer
                                                        : Found::What::kHouse;
  }
  return lookup.in_other_currency ? Found::What::kOtherCurrency : Found::What::kNothing;
}

absl::Status KeyTakenError(std::string_view field) {
  return base::Error(Reason::kRequestIdReused, Cat(field, ": was used with other content"),
                     {.field = std::string(field)});
}

absl::Status OverflowError() {
  return base::Error(Reason::kBalanceOverflow, "a balance would be beyond 2^53");
}

std::string JournalId(JournalNo journal_no) { return std::to_string(journal_no); }

}  // namespace mj::wallet
