// Opening accounts and reading them.

#include <variant>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/ledger/bot_account.h"
#include "services/wallet/app/checks.h"
#include "services/wallet/app/composing.h"
#include "services/wallet/app/content.h"
#include "services/wallet/app/wallet.h"

namespace mj::wallet {

using base::Cat;
using base::Reason;

absl::StatusOr<Account> Wallet::OpenAccount(const CallContext& context,
                                            const OpenAccountRequest& request) {
  MJ_RETURN_IF_ERROR(CheckId("request_id", request.request_id));
  MJ_RETURN_IF_ERROR(CheckId("account_id", request.account_id));
  if (request.kind != AccountKind::kPlayer) {
    return base::Error(Reason::kUnknownEnumValue, "kind: the house's accounts are not opened",
                       {.field = "kind"});
  }
  if (request.currency == Currency::kCoin && ledger::IsBotAccount(request.account_id)) {
    return base::Error(Reason::kNotAPlayerAccount, "account_id: bots play for practice coins alone",
                       {.field = "account_id"});
  }
  Content content("OpenAccount", 1);
  content.Text(request.account_id).Number(static_cast<int>(request.currency));
  const RequestKey key{Cat("OpenAccount/", context.caller, "/", request.request_id),
                       content.version(), content.bytes()};
  MJ_ASSIGN_OR_RETURN(
      OpenOutcome outcome,
      store_.OpenAccount(key, {request.account_id, request.currency}, context.deadline));
  if (std::holds_alternative<KeyTaken>(outcome)) return KeyTakenError("request_id");
  if (std::holds_alternative<AccountExists>(outcome)) {
    return base::Error(Reason::kAccountExists, Cat("account_id: there is a ", request.account_id),
                       {.field = "account_id"});
  }
  return std::get<Account>(std::move(outcome));
}

absl::StatusOr<Account> Wallet::GetAccount(const CallContext& context, const AccountKey& account) {
  MJ_RETURN_IF_ERROR(CheckId("account_id", account.id));
  MJ_ASSIGN_OR_RETURN(LedgerStore::Lookup found, store_.FindAccount(account, context.deadline));
  if (!found.account) return RequirePlayer(WhatIs(found), "account_id", account.id);
  return *std::move(found.account);
}

}  // namespace mj::wallet
