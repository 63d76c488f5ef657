#include "services/wallet/app/composing.h"

#include <algorithm>
#include <cstddef>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/wallet/app/checks.h"

namespace mj::wallet {

using base::Cat;
using base::Reason;

ledger::Outcome<std::vector<Line>> Compose(std::vector<ledger::Entry> entries,
                                           std::span<const std::string> account_ids,
                                           std::span<const Found> accounts, ledger::Reach reach) {
  std::vector<ledger::PlayerBalance> balances;
  for (const Found& found : accounts) balances.push_back(found.balance);
  std::vector<Line> lines;
  for (ledger::Entry& entry : entries) {
    const auto named = std::find(account_ids.begin(), account_ids.end(), entry.account.text);
    Line line{std::move(entry), std::nullopt};
    if (named != account_ids.end()) {
      auto& balance = balances[static_cast<std::size_t>(named - account_ids.begin())];
      const auto after = ledger::Post(balance, line.entry.coins, reach);
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

Refusal Refuse(Reason reason, std::string_view field, Facts facts) {
  if (!field.empty()) facts[kFieldFact] = std::string(field);
  return {reason, std::move(facts)};
}

absl::Status RefusalError(const Refusal& refusal) {
  base::ErrorDetails details{.metadata = refusal.facts};
  if (auto field = details.metadata.extract(kFieldFact)) details.field = field.mapped();
  std::string message = details.field;
  for (const auto& [name, value] : details.metadata) {
    message.append(message.empty() ? "" : ", ").append(name).append(" ").append(value);
  }
  return base::Error(refusal.reason, message, details);
}

RequestKey KeyOf(std::string_view rpc, const CallContext& context, std::string_view request_id,
                 const Content& content) {
  return {Cat(rpc, "/", context.caller, "/", request_id), content.version(), content.bytes()};
}

absl::Status KeyTakenError(std::string_view field) {
  return base::Error(Reason::kRequestIdReused, Cat(field, ": was used with other content"),
                     {.field = std::string(field)});
}

absl::Status OverflowError(std::string_view field) {
  return base::Error(Reason::kBalanceOverflow, Cat(field, ": a balance would be beyond 2^53"),
                     {.field = std::string(field)});
}

Refusal InsufficientFunds(std::string_view field, const ledger::PlayerBalance& balance) {
  Facts facts = {{"balance", std::to_string(balance.coins.value())}};
  if (!balance.held.IsZero()) {
    facts["available"] = std::to_string(ledger::Available(balance).value());
  }
  return Refuse(Reason::kInsufficientFunds, field, std::move(facts));
}

absl::Status RoundInProgressError(std::string_view field, std::string_view round_id) {
  return base::Error(
      Reason::kRoundInProgress, Cat(field, ": is in round ", round_id),
      {.field = std::string(field), .metadata = {{"round_id", std::string(round_id)}}});
}

std::string JournalId(JournalNo journal_no) {
  return journal_no == 0 ? std::string() : std::to_string(journal_no);
}

absl::StatusOr<JournalNo> JournalNoFrom(std::string_view field, std::string_view journal_id) {
  MJ_RETURN_IF_ERROR(CheckId(field, journal_id));
  const auto journal_no = base::ParseInt64(journal_id);
  if (journal_no && *journal_no > 0) return *journal_no;
  return base::Error(Reason::kBadId, Cat(field, ": want a journal row's number"),
                     {.field = std::string(field)});
}

}  // namespace mj::wallet
