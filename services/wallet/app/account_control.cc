// What operators do to an account: freeze, unfreeze, close.

#include <utility>
#include <variant>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/wallet/app/checks.h"
#include "services/wallet/app/composing.h"
#include "services/wallet/app/content.h"
#include "services/wallet/app/wallet.h"

namespace mj::wallet {
namespace {

using base::Reason;

std::string_view RpcOf(AccountEventKind kind) {
  switch (kind) {
    case AccountEventKind::kFrozen:
      return "Freeze";
    case AccountEventKind::kUnfrozen:
      return "Unfreeze";
    case AccountEventKind::kClosed:
      return "CloseAccount";
  }
  return "";
}

// What `kind` makes of a player, or why it cannot be.
absl::StatusOr<std::variant<Standing, Refusal>> Apply(AccountEventKind kind, const Found& player) {
  Standing after = player.standing;
  if (after.closed) return Refuse(Reason::kAccountClosed, "account_id");
  if (kind != AccountEventKind::kClosed) {
    after.frozen = kind == AccountEventKind::kFrozen;
    return after;
  }
  if (!after.round_id.empty()) return RoundInProgressError("account_id", after.round_id);
  if (after.hold) {
    return Refuse(Reason::kPlayerBusy, "account_id", {{"table_id", after.hold->table_id}});
  }
  if (!player.balance.coins.IsZero()) {
    return Refuse(Reason::kAccountNotEmpty, "account_id",
                  {{"balance", std::to_string(player.balance.coins.value())}});
  }
  after.closed = true;
  return after;
}

}  // namespace

absl::StatusOr<Account> Wallet::Freeze(const CallContext& context,
                                       const AccountControlRequest& request) {
  return Control(context, request, AccountEventKind::kFrozen);
}

absl::StatusOr<Account> Wallet::Unfreeze(const CallContext& context,
                                         const AccountControlRequest& request) {
  return Control(context, request, AccountEventKind::kUnfrozen);
}

absl::StatusOr<Account> Wallet::CloseAccount(const CallContext& context,
                                             const AccountControlRequest& request) {
  return Control(context, request, AccountEventKind::kClosed);
}

absl::StatusOr<Account> Wallet::Control(const CallContext& context,
                                        const AccountControlRequest& request,
                                        AccountEventKind kind) {
  MJ_RETURN_IF_ERROR(CheckId("request_id", request.request_id));
  MJ_RETURN_IF_ERROR(CheckId("account_id", request.account_id));
  MJ_RETURN_IF_ERROR(CheckSomeText("reason", request.reason, kReasonBytesMax));
  MJ_RETURN_IF_ERROR(CheckId("requested_by", request.requested_by));
  Content content(RpcOf(kind), 1);
  content.Text(request.account_id)
      .Number(static_cast<int>(request.currency))
      .Text(request.reason)
      .Text(request.requested_by);

  ChangeRequest change;
  change.key = KeyOf(RpcOf(kind), context, request.request_id, content);
  change.sticky = true;
  change.validate_only = request.validate_only;
  change.currency = request.currency;
  change.account_ids = {request.account_id};
  change.decide = [&](const Ground& ground) -> absl::StatusOr<ChangeVerdict> {
    MJ_RETURN_IF_ERROR(RequirePlayer(ground.accounts[0].what, "account_id", request.account_id));
    MJ_ASSIGN_OR_RETURN(auto after, Apply(kind, ground.accounts[0]));
    if (auto* const refusal = std::get_if<Refusal>(&after)) return std::move(*refusal);
    Alteration alteration;
    alteration.after = {std::get<Standing>(std::move(after))};
    // What changes nothing is no event of the account.
    if (alteration.after[0] != ground.accounts[0].standing) alteration.account_event = kind;
    alteration.actor = request.requested_by;
    alteration.reason = request.reason;
    return alteration;
  };
  MJ_ASSIGN_OR_RETURN(ChangeOutcome outcome, store_.Change(change, context.deadline));
  MJ_RETURN_IF_ERROR(FirstAnswer<Changed>(std::move(outcome)).status());
  return GetAccount(context, {request.account_id, request.currency});
}

}  // namespace mj::wallet
