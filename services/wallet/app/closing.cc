// Closing a round: what is common, the penalty of an escape (COM-10), and the round for which
// nobody pays.
#include "services/wallet/app/closing.h"

#include <optional>
#include <utility>
#include <variant>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/ledger/journal.h"
#include "libs/ledger/penalty.h"
#include "services/wallet/app/checks.h"
#include "services/wallet/app/composing.h"
#include "services/wallet/app/wallet.h"

namespace mj::wallet {
namespace {

using base::Cat;
using base::Reason;
using ledger::kParties;
using ledger::Party;
using ledger::Purpose;
using ledger::Rejection;

// The moves of coins that a penalty comes to.
std::optional<Rejection> MovePenalty(const BegunRound& round, Party escaper,
                                     const ledger::PenaltyShares& shares,
                                     ledger::Journal& journal) {
  const ledger::AccountId from{round.player_ids[escaper]};
  for (Party seat = 0; seat < kParties; ++seat) {
    if (seat == escaper || shares.share.IsZero()) continue;
    if (auto why = journal.Move(from, {round.player_ids[seat]}, shares.share, Purpose::kPenalty)) {
      return why;
    }
  }
  if (shares.house.IsZero()) return std::nullopt;
  return journal.Move(from, {std::string(HouseAccountId(AccountKind::kPenalties))}, shares.house,
                      Purpose::kPenalty);
}

}  // namespace

RequestKey ClosingKey(std::string_view round_id, const Content& content) {
  return {Cat("round/", round_id), content.version(), content.bytes()};
}

absl::Status RoundNotFoundError(std::string_view round_id) {
  return base::Error(Reason::kRoundNotFound, Cat("round_id: no round ", round_id, " was begun"),
                     {.field = "round_id"});
}

std::vector<std::string> PlayersOf(const BegunRound& round) {
  return {round.player_ids.begin(), round.player_ids.end()};
}

absl::Status RequireAll(const Ground& ground) {
  for (const Found& found : ground.accounts) {
    if (found.what != Found::What::kPlayer) {
      return absl::InternalError("a begun round has lost a player");
    }
  }
  return absl::OkStatus();
}

Event ClosingEvent(JournalKind kind, const BegunRound& round) {
  Event event;
  event.kind = kind;
  event.table_id = round.table_id;
  event.round_id = round.round_id;
  event.rulebook_version = round.rulebook_version;
  return event;
}

std::string_view NameOf(JournalKind kind) {
  switch (kind) {
    case JournalKind::kSettlement:
      return "settlement";
    case JournalKind::kPenalty:
      return "penalty";
    case JournalKind::kVoid:
      return "void";
    case JournalKind::kDeposit:
      return "deposit";
    case JournalKind::kWithdrawal:
      return "withdrawal";
    case JournalKind::kReversal:
      return "reversal";
    case JournalKind::kAdjustment:
      return "adjustment";
  }
  return "";
}

absl::StatusOr<LedgerStore::RoundLookup> Wallet::RequireRound(const CallContext& context,
                                                              const std::string& round_id) {
  MJ_ASSIGN_OR_RETURN(LedgerStore::RoundLookup found, store_.FindRound(round_id, context.deadline));
  if (!found.begun) return RoundNotFoundError(round_id);
  return found;
}

absl::StatusOr<Posted> ClosedBy(PostOutcome outcome, JournalKind how) {
  if (auto* const posted = std::get_if<Posted>(&outcome)) return std::move(*posted);
  const auto* const taken = std::get_if<KeyTaken>(&outcome);
  if (taken == nullptr) return absl::InternalError("the close of a round was refused");
  if (!taken->closed || taken->closed->how == how) return KeyTakenError("round_id");
  const std::string_view closed_by = NameOf(taken->closed->how);
  return base::Error(Reason::kRoundFinished, Cat("round_id: was closed by a ", closed_by),
                     {.field = "round_id",
                      .metadata = {{"closed_by", std::string(closed_by)},
                                   {"journal_id", JournalId(taken->closed->journal_no)}}});
}

absl::StatusOr<ApplyPenaltyAnswer> Wallet::ApplyPenalty(const CallContext& context,
                                                        const ApplyPenaltyRequest& request) {
  MJ_RETURN_IF_ERROR(CheckId("round_id", request.round_id));
  if (request.escaper_seat >= kParties) {
    return base::Error(
        Reason::kBadSeat,
        Cat("escaper_seat: got ", std::to_string(request.escaper_seat), ", want 0 to 3"),
        {.field = "escaper_seat"});
  }
  MJ_RETURN_IF_ERROR(CheckText("reason", request.reason, kReasonBytesMax));
  MJ_ASSIGN_OR_RETURN(const LedgerStore::RoundLookup found,
                      RequireRound(context, request.round_id));
  const BegunRound& round = *found.begun;
  const Party escaper = request.escaper_seat;

  Content content("ApplyPenalty", 1);
  content.Number(request.escaper_seat).Text(request.reason);
  Posting posting;
  posting.key = ClosingKey(request.round_id, content);
  posting.currency = round.currency;
  posting.account_ids = PlayersOf(round);
  posting.round_id = request.round_id;
  posting.decide = [&](const Ground& ground) -> absl::StatusOr<Verdict> {
    MJ_RETURN_IF_ERROR(RequireAll(ground));
    const auto shares = ledger::SharePenalty(ground.accounts[escaper].balance.coins,
                                             round.escape_penalty, round.escape_compensation);
    if (!shares.ok()) return absl::InternalError("a room's penalty that cannot be shared");
    ledger::Journal journal;
    if (MovePenalty(round, escaper, shares.value(), journal)) return OverflowError("round_id");
    auto lines =
        Compose(journal.Entries(), posting.account_ids, ground.accounts, ledger::Reach::kHeld);
    if (!lines.ok()) return OverflowError("round_id");
    Event event = ClosingEvent(JournalKind::kPenalty, round);
    event.actor = context.caller;
    event.reason = request.reason;
    event.happened_at = clock_.Now();
    event.lines = std::move(lines).value();
    PenaltyTaken penalty;
    penalty.player_ids = round.player_ids;
    penalty.escaper = escaper;
    penalty.penalty = round.escape_penalty;
    penalty.shares = shares.value();
    for (Party seat = 0; seat < kParties; ++seat) {
      const Coins change = seat == escaper ? -penalty.shares.taken : penalty.shares.share;
      penalty.balance_after[seat] = Add(ground.accounts[seat].balance.coins, change).value();
    }
    event.penalty = penalty;
    return event;
  };
  MJ_ASSIGN_OR_RETURN(PostOutcome outcome, store_.Post(posting, context.deadline));
  MJ_ASSIGN_OR_RETURN(Posted posted, ClosedBy(std::move(outcome), JournalKind::kPenalty));
  if (!posted.penalty) return absl::InternalError("a penalty without its record");
  return ApplyPenaltyAnswer{JournalId(posted.journal_no), *std::move(posted.penalty)};
}

absl::StatusOr<VoidRoundAnswer> Wallet::VoidRound(const CallContext& context,
                                                  const VoidRoundRequest& request) {
  MJ_RETURN_IF_ERROR(CheckId("round_id", request.round_id));
  MJ_RETURN_IF_ERROR(CheckSomeText("reason", request.reason, kReasonBytesMax));
  MJ_RETURN_IF_ERROR(CheckId("requested_by", request.requested_by));
  MJ_ASSIGN_OR_RETURN(const LedgerStore::RoundLookup found,
                      RequireRound(context, request.round_id));

  Content content("VoidRound", 1);
  content.Text(request.reason).Text(request.requested_by);
  Posting posting;
  posting.key = ClosingKey(request.round_id, content);
  posting.validate_only = request.validate_only;
  posting.currency = found.begun->currency;
  posting.account_ids = PlayersOf(*found.begun);
  posting.round_id = request.round_id;
  posting.decide = [&](const Ground& ground) -> absl::StatusOr<Verdict> {
    MJ_RETURN_IF_ERROR(RequireAll(ground));
    Event event = ClosingEvent(JournalKind::kVoid, *found.begun);
    event.actor = request.requested_by;
    event.reason = request.reason;
    event.happened_at = clock_.Now();
    return event;
  };
  MJ_ASSIGN_OR_RETURN(PostOutcome outcome, store_.Post(posting, context.deadline));
  MJ_ASSIGN_OR_RETURN(const Posted posted, ClosedBy(std::move(outcome), JournalKind::kVoid));
  return VoidRoundAnswer{JournalId(posted.journal_no)};
}

}  // namespace mj::wallet
