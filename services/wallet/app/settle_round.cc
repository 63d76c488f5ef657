// Posting a finished round (D-SET-1, D-SET-2).

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/ledger/clearing.h"
#include "libs/ledger/journal.h"
#include "services/wallet/app/checks.h"
#include "services/wallet/app/closing.h"
#include "services/wallet/app/composing.h"
#include "services/wallet/app/content.h"
#include "services/wallet/app/wallet.h"

namespace mj::wallet {
namespace {

using base::Cat;
using base::Reason;
using ledger::kParties;
using ledger::Party;
using ledger::Purpose;
using ledger::Rejection;

constexpr std::size_t kTransfersMax = 64;

absl::StatusOr<OwedLine> CheckTransfer(const TransferRequest& transfer, std::size_t index) {
  for (const auto& [field, seat] :
       {std::pair("from_seat", transfer.from_seat), std::pair("to_seat", transfer.to_seat)}) {
    if (seat >= kParties) {
      return base::Error(
          Reason::kBadSeat,
          Cat(At("transfers", index, field), ": got ", std::to_string(seat), ", want 0 to 3"),
          {.field = At("transfers", index, field)});
    }
  }
  if (transfer.from_seat == transfer.to_seat) {
    return base::Error(Reason::kSelfTransfer, Cat(At("transfers", index), ": to itself"),
                       {.field = At("transfers", index, "to_seat")});
  }
  MJ_ASSIGN_OR_RETURN(const Coins coins,
                      CheckAmount(At("transfers", index, "coins"), transfer.coins));
  MJ_RETURN_IF_ERROR(CheckId(At("transfers", index, "rule_id"), transfer.rule_id));
  return OwedLine{transfer.from_seat, transfer.to_seat, transfer.rule_id, coins};
}

std::vector<ledger::Debt> DebtsOf(const std::vector<OwedLine>& lines) {
  std::vector<ledger::Debt> debts;
  for (const OwedLine& line : lines) debts.push_back({line.from, line.to, line.coins});
  return debts;
}

// The lines in order of payer, payee and rule: their order in the request means nothing.
absl::StatusOr<std::vector<OwedLine>> CheckTransfers(
    const std::vector<TransferRequest>& transfers) {
  if (transfers.size() > kTransfersMax) {
    return base::Error(
        Reason::kBadTransfer,
        Cat("transfers: got ", std::to_string(transfers.size()), ", want at most 64"),
        {.field = "transfers"});
  }
  std::vector<OwedLine> lines;
  std::set<std::tuple<Party, Party, std::string>> seen;
  for (std::size_t index = 0; index < transfers.size(); ++index) {
    MJ_ASSIGN_OR_RETURN(OwedLine line, CheckTransfer(transfers[index], index));
    if (!seen.emplace(line.from, line.to, line.rule_id).second) {
      return base::Error(Reason::kBadTransfer,
                         Cat(At("transfers", index), ": the same payer, payee and rule again"),
                         {.field = At("transfers", index)});
    }
    lines.push_back(std::move(line));
  }
  if (!ledger::AddUp(DebtsOf(lines)).ok()) {
    return base::Error(Reason::kBadAmount, "transfers: one seat owes more than 2^53",
                       {.field = "transfers"});
  }
  std::sort(lines.begin(), lines.end(), [](const OwedLine& a, const OwedLine& b) {
    return std::tie(a.from, a.to, a.rule_id) < std::tie(b.from, b.to, b.rule_id);
  });
  return lines;
}

absl::StatusOr<std::vector<OwedLine>> Check(const SettleRoundRequest& request) {
  MJ_RETURN_IF_ERROR(CheckId("round_id", request.round_id));
  MJ_RETURN_IF_ERROR(CheckId("table_id", request.table_id));
  MJ_RETURN_IF_ERROR(CheckId("variant", request.variant));
  MJ_RETURN_IF_ERROR(CheckRulebookVersion(request.rulebook_version));
  MJ_RETURN_IF_ERROR(CheckBase("base", request.base).status());
  MJ_RETURN_IF_ERROR(CheckPlayers(request.player_ids));
  return CheckTransfers(request.transfers);
}

RequestKey KeyOf(const SettleRoundRequest& request, const std::vector<OwedLine>& lines) {
  Content content("SettleRound", 1);
  content.Text(request.table_id)
      .Text(request.variant)
      .Text(request.rulebook_version)
      .Number(request.base)
      .Number(static_cast<int>(request.currency));
  for (const std::string& player : request.player_ids) content.Text(player);
  content.Number(static_cast<std::int64_t>(lines.size()));
  for (const OwedLine& line : lines) {
    content.Number(static_cast<std::int64_t>(line.from))
        .Number(static_cast<std::int64_t>(line.to))
        .Text(line.rule_id)
        .Number(line.coins.value());
  }
  return ClosingKey(request.round_id, content);
}

absl::Status Mismatch(std::string_view field, std::string_view got, std::string_view begun) {
  return base::Error(Reason::kRoundMismatch, Cat(field, ": got ", got, ", was begun with ", begun),
                     {.field = std::string(field)});
}

// Whether this is the round that was begun.
absl::Status CheckBegun(const SettleRoundRequest& request, const std::vector<OwedLine>& lines,
                        const BegunRound& begun) {
  if (request.table_id != begun.table_id) {
    return Mismatch("table_id", request.table_id, begun.table_id);
  }
  if (request.variant != begun.variant) return Mismatch("variant", request.variant, begun.variant);
  if (request.rulebook_version != begun.rulebook_version) {
    return Mismatch("rulebook_version", request.rulebook_version, begun.rulebook_version);
  }
  if (request.base != begun.base.value()) {
    return Mismatch("base", std::to_string(request.base), std::to_string(begun.base.value()));
  }
  if (request.currency != begun.currency) return Mismatch("currency", "one", "the other");
  for (std::size_t seat = 0; seat < kParties; ++seat) {
    if (request.player_ids[seat] == begun.player_ids[seat]) continue;
    return Mismatch(At("player_ids", seat), request.player_ids[seat], begun.player_ids[seat]);
  }
  for (const OwedLine& line : lines) {
    if (begun.rule_ids.Contains(line.rule_id)) continue;
    const auto in_request = std::find_if(
        request.transfers.begin(), request.transfers.end(),
        [&](const TransferRequest& transfer) { return transfer.rule_id == line.rule_id; });
    const auto index = static_cast<std::size_t>(in_request - request.transfers.begin());
    const std::string field = At("transfers", index, "rule_id");
    return base::Error(Reason::kRoundMismatch,
                       Cat(field, ": rulebook ", begun.rulebook_version, " has no ", line.rule_id),
                       {.field = field});
  }
  return absl::OkStatus();
}

// The moves of coins that a clearing comes to.
std::optional<Rejection> Move(const SettleRoundRequest& request, const ledger::Clearing& clearing,
                              ledger::Journal& journal) {
  const auto account = [&](Party seat) { return ledger::AccountId{request.player_ids[seat]}; };
  const ledger::AccountId house{std::string(HouseAccountId(AccountKind::kHouseRake))};
  for (Party from = 0; from < kParties; ++from) {
    for (Party to = 0; to < kParties; ++to) {
      const Coins coins = clearing.paid[from][to];
      if (coins.IsZero()) continue;
      if (auto why = journal.Move(account(from), account(to), coins, Purpose::kPayment)) return why;
    }
  }
  for (Party seat = 0; seat < kParties; ++seat) {
    const Coins coins = clearing.rake_paid[seat];
    if (coins.IsZero()) continue;
    if (auto why = journal.Move(account(seat), house, coins, Purpose::kRake)) return why;
  }
  return std::nullopt;
}

Settlement Describe(const SettleRoundRequest& request, std::vector<OwedLine> lines,
                    const BegunRound& begun, const Ground& ground,
                    const ledger::Clearing& clearing) {
  Settlement settlement;
  settlement.variant = request.variant;
  settlement.base = begun.base;
  settlement.rake = begun.rake;
  std::copy_n(request.player_ids.begin(), kParties, settlement.player_ids.begin());
  settlement.owed_lines = std::move(lines);
  settlement.owed = clearing.owed;
  settlement.set_off = clearing.set_off;
  settlement.paid = clearing.paid;
  settlement.shortfall = clearing.shortfall;
  settlement.rake_paid = clearing.rake_paid;
  settlement.rake_shortfall = clearing.rake_shortfall;
  settlement.balance_after = clearing.balance_after;
  for (Party seat = 0; seat < kParties; ++seat) {
    settlement.net[seat] =
        Subtract(clearing.balance_after[seat], ground.accounts[seat].balance.coins).value();
  }
  return settlement;
}

// A checked request, and all that its decision looks at.
struct Settling {
  std::string caller;
  SettleRoundRequest request;
  std::vector<OwedLine> lines;  // of the request
};

absl::StatusOr<Verdict> Decide(const Settling& settling, const Ground& ground,
                               base::WallTime happened_at) {
  const SettleRoundRequest& request = settling.request;
  if (ground.round == nullptr) return RoundNotFoundError(request.round_id);
  const BegunRound& begun = *ground.round;
  MJ_RETURN_IF_ERROR(CheckBegun(request, settling.lines, begun));
  MJ_RETURN_IF_ERROR(RequireAll(ground));
  ledger::PerParty<Coins> balances;
  for (Party seat = 0; seat < kParties; ++seat) {
    balances[seat] = ground.accounts[seat].balance.coins;
  }
  const auto clearing = ledger::Clear(balances, DebtsOf(settling.lines), begun.rake);
  if (!clearing.ok()) return OverflowError("transfers");
  ledger::Journal journal;
  if (Move(request, clearing.value(), journal)) return OverflowError("transfers");
  auto composed =
      Compose(journal.Entries(), request.player_ids, ground.accounts, ledger::Reach::kHeld);
  if (!composed.ok()) return absl::InternalError("a clearing that balances do not cover");

  Event event = ClosingEvent(JournalKind::kSettlement, begun);
  event.actor = settling.caller;
  event.happened_at = happened_at;
  event.lines = std::move(composed).value();
  event.settlement = Describe(request, settling.lines, begun, ground, clearing.value());
  return event;
}

absl::StatusOr<std::shared_ptr<const Posting>> PostingOf(const CallContext& context,
                                                         SettleRoundRequest request,
                                                         const base::Clock& clock) {
  MJ_ASSIGN_OR_RETURN(std::vector<OwedLine> lines, Check(request));
  auto posting = std::make_shared<Posting>();
  posting->key = KeyOf(request, lines);
  posting->currency = request.currency;
  posting->account_ids = request.player_ids;
  posting->round_id = request.round_id;
  posting->decide = [settling = std::make_shared<const Settling>(
                         Settling{context.caller, std::move(request), std::move(lines)}),
                     &clock](const Ground& ground) {
    return Decide(*settling, ground, clock.Now());
  };
  return std::shared_ptr<const Posting>(std::move(posting));
}

absl::StatusOr<SettleRoundAnswer> AnswerOf(absl::StatusOr<PostOutcome> outcome) {
  if (!outcome.ok()) return outcome.status();
  MJ_ASSIGN_OR_RETURN(Posted posted, ClosedBy(*std::move(outcome), JournalKind::kSettlement));
  if (!posted.settlement) return absl::InternalError("a settlement without its record");
  return SettleRoundAnswer{JournalId(posted.journal_no), *std::move(posted.settlement)};
}

}  // namespace

void Wallet::SettleRound(const CallContext& context, SettleRoundRequest request,
                         std::function<void(absl::StatusOr<SettleRoundAnswer>)> done) {
  auto posting = PostingOf(context, std::move(request), clock_);
  if (!posting.ok()) return done(posting.status());
  store_.PostAsync(*std::move(posting), context.deadline,
                   [done = std::move(done)](absl::StatusOr<PostOutcome> outcome) {
                     done(AnswerOf(std::move(outcome)));
                   });
}

}  // namespace mj::wallet
