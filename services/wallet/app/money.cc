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

using base::Cat;
using base::Reason;
using ledger::Purpose;
using ledger::Rejection;

constexpr std::size_t kReasonBytesMax = 200;

absl::Status InsufficientFunds(Coins balance) {
  return base::Error(
      Reason::kInsufficientFunds,
      Cat("coins: more than the balance, ", std::to_string(balance.value())),
      {.field = "coins", .metadata = {{"balance", std::to_string(balance.value())}}});
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
  MJ_RETURN_IF_ERROR(CheckId("request_id", request.request_id));
  MJ_RETURN_IF_ERROR(CheckId("account_id", request.account_id));
  MJ_ASSIGN_OR_RETURN(const Coins coins, CheckAmount("coins", request.coins));
  MJ_RETURN_IF_ERROR(CheckText("reason", request.reason, kReasonBytesMax));

  const bool in = direction == Direction::kIn;
  const std::string_view rpc = in ? "Deposit" : "Withdraw";
  Content content(rpc, 1);
  content.Text(request.account_id)
      .Number(static_cast<int>(request.currency))
      .Number(request.coins)
      .Text(request.reason);

  Posting posting;
  posting.key = {Cat(rpc, "/", context.caller, "/", request.request_id), content.version(),
                 content.bytes()};
  posting.sticky = true;
  posting.currency = request.currency;
  posting.account_ids = {request.account_id};
  posting.decide = [&](const Ground& ground) -> absl::StatusOr<Verdict> {
    MJ_RETURN_IF_ERROR(RequirePlayer(ground.accounts[0].what, "account_id", request.account_id));
    const ledger::AccountId player{request.account_id};
    const ledger::AccountId issue{std::string(HouseAccountId(AccountKind::kIssue))};
    ledger::Journal journal;
    const std::optional<Rejection> refused =
        in ? journal.Move(issue, player, coins, Purpose::kMoneyIn)
           : journal.Move(player, issue, coins, Purpose::kMoneyOut);
    if (refused) return absl::InternalError("a checked amount is refused by the journal");
    auto lines = Compose(journal, posting.account_ids, ground.accounts);
    if (!lines.ok()) {
      if (lines.rejection() == Rejection::kInsufficientFunds) return Refusal{};
      return OverflowError();
    }
    Event event;
    event.kind = in ? JournalKind::kDeposit : JournalKind::kWithdrawal;
    event.actor = context.caller;
    event.reason = request.reason;
    event.happened_at = clock_.Now();
    event.lines = std::move(lines).value();
    return event;
  };

  MJ_ASSIGN_OR_RETURN(const PostOutcome outcome, store_.Post(posting, context.deadline));
  if (std::holds_alternative<KeyTaken>(outcome)) return KeyTakenError("request_id");
  if (const auto* refused = std::get_if<Refused>(&outcome)) {
    return InsufficientFunds(refused->balance);
  }
  const Posted& posted = std::get<Posted>(outcome);
  return MoneyAnswer{JournalId(posted.journal_no), posted.balance};
}

}  // namespace mj::wallet
