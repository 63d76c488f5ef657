// Putting the books right, by two people: adjustments and reversals.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/ledger/journal.h"
#include "libs/ledger/reversal.h"
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

constexpr const char* kCoveredFact = "covered";

ledger::AccountId House(AccountKind kind) {
  return ledger::AccountId{std::string(HouseAccountId(kind))};
}

// Whether the row can be reversed at all.
absl::Status RequireReversible(const JournalRecord& record) {
  const bool reversal = record.kind == JournalKind::kReversal;
  if (!reversal && !record.entries.empty()) return absl::OkStatus();
  return base::Error(Reason::kNotReversible,
                     Cat("journal_id: ", JournalId(record.journal_no),
                         reversal ? " is a reversal" : " has moved no coins"),
                     {.field = "journal_id"});
}

// Who cannot take part: refused before anything is reckoned. Nothing if all can.
absl::StatusOr<std::optional<Refusal>> CheckPlayers(const JournalRecord& record,
                                                    const Ground& ground) {
  for (std::size_t at = 0; at < ground.accounts.size(); ++at) {
    const Standing& standing = ground.accounts[at].standing;
    MJ_RETURN_IF_ERROR(
        RequirePlayer(ground.accounts[at].what, "journal_id", record.player_ids[at]));
    if (!standing.round_id.empty()) return RoundInProgressError("journal_id", standing.round_id);
    if (standing.closed) {
      return Refuse(Reason::kAccountClosed, "journal_id", {{"account_id", record.player_ids[at]}});
    }
  }
  return std::optional<Refusal>();
}

Refusal Missing(const std::map<ledger::AccountId, Coins>& missing) {
  // One of them is enough to say.
  const auto& [account, coins] = *missing.begin();
  return Refuse(Reason::kInsufficientFunds, "journal_id",
                {{"account_id", account.text}, {"missing", std::to_string(coins.value())}});
}

}  // namespace

absl::StatusOr<MoneyAnswer> Wallet::Adjust(const CallContext& context,
                                           const AdjustRequest& request) {
  MJ_RETURN_IF_ERROR(CheckId("request_id", request.request_id));
  MJ_RETURN_IF_ERROR(CheckId("account_id", request.account_id));
  const bool in = request.coins > 0;
  const auto signed_coins = Coins::From(request.coins);
  if (!signed_coins || signed_coins->IsZero()) {
    return base::Error(
        Reason::kBadAmount,
        Cat("coins: got ", std::to_string(request.coins), ", want 1 to 2^53 in either direction"),
        {.field = "coins"});
  }
  MJ_RETURN_IF_ERROR(CheckSomeText("reason", request.reason, kReasonBytesMax));
  MJ_RETURN_IF_ERROR(CheckTwoPeople(request.requested_by, request.approved_by));

  Content content("Adjust", 1);
  content.Text(request.account_id)
      .Number(static_cast<int>(request.currency))
      .Number(request.coins)
      .Text(request.reason)
      .Text(request.requested_by)
      .Text(request.approved_by);
  Posting posting;
  posting.key = KeyOf("Adjust", context, request.request_id, content);
  posting.sticky = true;
  posting.validate_only = request.validate_only;
  posting.currency = request.currency;
  posting.account_ids = {request.account_id};
  posting.decide = [&](const Ground& ground) -> absl::StatusOr<Verdict> {
    const Found& player = ground.accounts[0];
    MJ_RETURN_IF_ERROR(RequirePlayer(player.what, "account_id", request.account_id));
    if (player.standing.closed) return Refuse(Reason::kAccountClosed, "account_id");
    if (!in && !player.standing.round_id.empty()) {
      return RoundInProgressError("account_id", player.standing.round_id);
    }
    const ledger::AccountId account{request.account_id};
    const ledger::AccountId loss = House(AccountKind::kHouseLoss);
    ledger::Journal journal;
    const std::optional<Rejection> refused =
        in ? journal.Move(loss, account, *signed_coins, Purpose::kAdjustment)
           : journal.Move(account, loss, -*signed_coins, Purpose::kAdjustment);
    if (refused) return absl::InternalError("a checked amount is refused by the journal");
    auto lines =
        Compose(journal.Entries(), posting.account_ids, ground.accounts, ledger::Reach::kAvailable);
    if (!lines.ok()) {
      if (lines.rejection() != Rejection::kInsufficientFunds) return OverflowError("coins");
      return InsufficientFunds("coins", player.balance);
    }
    Event event;
    event.kind = JournalKind::kAdjustment;
    event.actor = request.requested_by;
    event.approver = request.approved_by;
    event.reason = request.reason;
    event.happened_at = clock_.Now();
    event.lines = std::move(lines).value();
    return event;
  };
  MJ_ASSIGN_OR_RETURN(PostOutcome outcome, store_.Post(posting, context.deadline));
  MJ_ASSIGN_OR_RETURN(const Posted posted, FirstAnswer<Posted>(std::move(outcome)));
  return MoneyAnswer{JournalId(posted.journal_no), posted.balance};
}

absl::StatusOr<ReverseAnswer> Wallet::Reverse(const CallContext& context,
                                              const ReverseRequest& request) {
  MJ_RETURN_IF_ERROR(CheckId("request_id", request.request_id));
  MJ_ASSIGN_OR_RETURN(const JournalNo journal_no, JournalNoFrom("journal_id", request.journal_id));
  MJ_RETURN_IF_ERROR(CheckSomeText("reason", request.reason, kReasonBytesMax));
  MJ_RETURN_IF_ERROR(CheckTwoPeople(request.requested_by, request.approved_by));

  // What a row says never changes, so it may be read before its players are locked.
  MJ_ASSIGN_OR_RETURN(const std::optional<JournalRecord> record,
                      store_.FindJournal(journal_no, context.deadline));
  if (!record) {
    return base::Error(Reason::kJournalNotFound,
                       Cat("journal_id: there is no row ", request.journal_id),
                       {.field = "journal_id"});
  }
  MJ_RETURN_IF_ERROR(RequireReversible(*record));

  Content content("Reverse", 1);
  content.Number(journal_no)
      .Text(request.reason)
      .Text(request.requested_by)
      .Text(request.approved_by)
      .Number(request.cover_from_house ? 1 : 0);
  Posting posting;
  posting.key = KeyOf("Reverse", context, request.request_id, content);
  posting.sticky = true;
  posting.validate_only = request.validate_only;
  posting.currency = record->currency;
  posting.account_ids = record->player_ids;
  posting.reverses = journal_no;
  posting.decide = [&](const Ground& ground) -> absl::StatusOr<Verdict> {
    if (ground.reversed_by != 0) {
      return Refuse(Reason::kAlreadyReversed, "journal_id",
                    {{"reversed_by", JournalId(ground.reversed_by)}});
    }
    MJ_ASSIGN_OR_RETURN(std::optional<Refusal> refusal, CheckPlayers(*record, ground));
    if (refusal) return *std::move(refusal);
    std::map<ledger::AccountId, Coins> balances;
    for (std::size_t at = 0; at < ground.accounts.size(); ++at) {
      balances[{record->player_ids[at]}] = ground.accounts[at].balance.coins;
    }
    auto reversal = ledger::Reverse(record->entries, balances, House(AccountKind::kHouseLoss));
    if (!reversal.ok()) return OverflowError("journal_id");
    const auto& [entries, missing, covered] = reversal.value();
    if (!missing.empty() && !request.cover_from_house) return Missing(missing);
    auto lines = Compose(entries, record->player_ids, ground.accounts, ledger::Reach::kHeld);
    if (!lines.ok()) return absl::InternalError("a reversal that balances do not cover");
    Event event;
    event.kind = JournalKind::kReversal;
    event.actor = request.requested_by;
    event.approver = request.approved_by;
    event.reason = request.reason;
    event.happened_at = clock_.Now();
    event.lines = std::move(lines).value();
    event.reverses = journal_no;
    event.facts[kCoveredFact] = std::to_string(covered.value());
    return event;
  };
  MJ_ASSIGN_OR_RETURN(PostOutcome outcome, store_.Post(posting, context.deadline));
  MJ_ASSIGN_OR_RETURN(const Posted posted, FirstAnswer<Posted>(std::move(outcome)));
  const auto covered = posted.facts.find(kCoveredFact);
  if (covered == posted.facts.end()) return absl::InternalError("a reversal without its facts");
  return ReverseAnswer{JournalId(posted.journal_no), base::ParseInt64(covered->second).value_or(0)};
}

}  // namespace mj::wallet
