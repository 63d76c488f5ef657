// Coins into the wallet and out of it.

#include <optional>
#include <utility>
#include <variant>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/ledger/journal.h"
#include "services/wallet/app/checks.h"
#include "services/wallet/app/composing.h"
#include "services/wallet/app/content.h"
#include "services/wallet/app/wallet.h"

namespace mj::wallet {
namespace {

using base::Reason;
using ledger::Purpose;
using ledger::Rejection;

constexpr std::size_t kReferenceBytesMax = 128;

// What has a payment at a provider behind it has to name it.
bool NeedsReference(Flow flow) {
  return flow == Flow::kPurchase || flow == Flow::kRefund || flow == Flow::kChargeback;
}

bool ComesIn(Flow flow) { return flow == Flow::kPurchase || flow == Flow::kGrant; }

absl::StatusOr<Movement> CheckMovement(const MoneyRequest& request, bool in) {
  const Flow flow = request.flow.value_or(in ? Flow::kGrant : Flow::kPayout);
  if (ComesIn(flow) != in) {
    return base::Error(Reason::kUnknownEnumValue,
                       in ? "flow: want one that comes in" : "flow: want one that goes out",
                       {.field = "flow"});
  }
  if (!request.provider.empty() || NeedsReference(flow)) {
    MJ_RETURN_IF_ERROR(CheckId("provider", request.provider));
  }
  if (!request.provider.empty()) {
    MJ_RETURN_IF_ERROR(
        CheckSomeText("external_reference", request.external_reference, kReferenceBytesMax));
  } else if (!request.external_reference.empty()) {
    return base::Error(Reason::kFieldRequired, "provider: got nothing, with an external reference",
                       {.field = "provider"});
  }
  return Movement{flow, request.provider, request.external_reference};
}

}  // namespace

absl::StatusOr<MoneyAnswer> Wallet::Deposit(const CallContext& context,
                                            const MoneyRequest& request) {
  return MoveMoney(context, request, Direction::kIn);
}

absl::StatusOr<MoneyAnswer> Wallet::Withdraw(const CallContext& context,
                                             const MoneyRequest& request) {
  return MoveMoney(context, request, Direction::kOut);
}

absl::StatusOr<MoneyAnswer> Wallet::MoveMoney(const CallContext& context,
                                              const MoneyRequest& request, Direction direction) {
  const bool in = direction == Direction::kIn;
  MJ_RETURN_IF_ERROR(CheckId("request_id", request.request_id));
  MJ_RETURN_IF_ERROR(CheckId("account_id", request.account_id));
  MJ_ASSIGN_OR_RETURN(const Coins coins, CheckAmount("coins", request.coins));
  MJ_RETURN_IF_ERROR(CheckText("reason", request.reason, kReasonBytesMax));
  MJ_ASSIGN_OR_RETURN(const Movement movement, CheckMovement(request, in));

  const std::string_view rpc = in ? "Deposit" : "Withdraw";
  Content content(rpc, 1);
  content.Text(request.account_id)
      .Number(static_cast<int>(request.currency))
      .Number(request.coins)
      .Text(request.reason)
      .Number(static_cast<int>(movement.flow))
      .Text(movement.provider)
      .Text(movement.external_reference);

  Posting posting;
  posting.key = KeyOf(rpc, context, request.request_id, content);
  posting.sticky = true;
  posting.currency = request.currency;
  posting.account_ids = {request.account_id};
  if (!movement.provider.empty()) posting.movement = movement;
  posting.decide = [&](const Ground& ground) -> absl::StatusOr<Verdict> {
    const Found& player = ground.accounts[0];
    MJ_RETURN_IF_ERROR(RequirePlayer(player.what, "account_id", request.account_id));
    if (player.standing.closed) return Refuse(Reason::kAccountClosed, "account_id");
    if (!in && player.standing.frozen) return Refuse(Reason::kAccountFrozen, "account_id");
    if (!in && !player.standing.round_id.empty()) {
      return RoundInProgressError("account_id", player.standing.round_id);
    }
    if (ground.reference_used) {
      return Refuse(Reason::kExternalReferenceUsed, "external_reference");
    }
    const ledger::AccountId account{request.account_id};
    const ledger::AccountId issue{std::string(HouseAccountId(AccountKind::kIssue))};
    ledger::Journal journal;
    const std::optional<Rejection> refused =
        in ? journal.Move(issue, account, coins, Purpose::kMoneyIn)
           : journal.Move(account, issue, coins, Purpose::kMoneyOut);
    if (refused) return absl::InternalError("a checked amount is refused by the journal");
    auto lines =
        Compose(journal.Entries(), posting.account_ids, ground.accounts, ledger::Reach::kAvailable);
    if (!lines.ok()) {
      if (lines.rejection() != Rejection::kInsufficientFunds) return OverflowError("coins");
      return InsufficientFunds("coins", player.balance);
    }
    Event event;
    event.kind = in ? JournalKind::kDeposit : JournalKind::kWithdrawal;
    event.actor = context.caller;
    event.reason = request.reason;
    event.happened_at = clock_.Now();
    event.lines = std::move(lines).value();
    event.movement = movement;
    return event;
  };

  MJ_ASSIGN_OR_RETURN(PostOutcome outcome, store_.Post(posting, context.deadline));
  MJ_ASSIGN_OR_RETURN(const Posted posted, FirstAnswer<Posted>(std::move(outcome)));
  return MoneyAnswer{JournalId(posted.journal_no), posted.balance};
}

}  // namespace mj::wallet
