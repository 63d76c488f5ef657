// Posting a finished round (D-SET-1, D-SET-2).

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/ledger/clearing.h"
#include "libs/ledger/journal.h"
#include "services/wallet/app/checks.h"
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

constexpr std::int64_t kBaseMax = 10000;  // D-SET-3
constexpr std::size_t kTransfersMax = 64;
constexpr std::size_t kRulebookVersionBytesMax = 128;

std::string At(std::string_view list, std::size_t index, std::string_view field = {}) {
  std::string path = Cat(list, "[", std::to_string(index), "]");
  if (!field.empty()) path.append(".").append(field);
  return path;
}

absl::Status CheckPlayers(const std::vector<std::string>& player_ids) {
  if (player_ids.size() != kParties) {
    return base::Error(
        Reason::kBadSeat,
        Cat("player_ids: got ", std::to_string(player_ids.size()), ", want one for each seat"),
        {.field = "player_ids"});
  }
  for (std::size_t seat = 0; seat < kParties; ++seat) {
    MJ_RETURN_IF_ERROR(CheckId(At("player_ids", seat), player_ids[seat]));
  }
  for (std::size_t seat = 1; seat < kParties; ++seat) {
    const auto end = player_ids.begin() + static_cast<std::ptrdiff_t>(seat);
    if (std::find(player_ids.begin(), end, player_ids[seat]) != end) {
      return base::Error(Reason::kDuplicatePlayer,
                         Cat(At("player_ids", seat), ": ", player_ids[seat], " sits twice"),
                         {.field = At("player_ids", seat)});
    }
  }
  return absl::OkStatus();
}

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
  if (request.rulebook_version.empty()) {
    return base::Error(Reason::kFieldRequired, "rulebook_version: got nothing",
                       {.field = "rulebook_version"});
  }
  MJ_RETURN_IF_ERROR(
      CheckText("rulebook_version", request.rulebook_version, kRulebookVersionBytesMax));
  if (request.base < 1 || request.base > kBaseMax) {
    return base::Error(Reason::kBadBase,
                       Cat("base: got ", std::to_string(request.base), ", want 1 to 10000"),
                       {.field = "base"});
  }
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
  // A round is closed once, whoever closes it and however: there is no rpc and no caller in it.
  return {Cat("round/", request.round_id), content.version(), content.bytes()};
}

absl::Status CheckGround(const SettleRoundRequest& request, const Ground& ground) {
  if (!ground.variant_known) {
    return base::Error(Reason::kUnknownVariant, Cat("variant: no rooms of ", request.variant),
                       {.field = "variant"});
  }
  if (!ground.tier) {
    return base::Error(Reason::kTierNotFound,
                       Cat("base: no room of base ", std::to_string(request.base)),
                       {.field = "base"});
  }
  for (std::size_t seat = 0; seat < kParties; ++seat) {
    MJ_RETURN_IF_ERROR(RequirePlayer(ground.accounts[seat].what, At("player_ids", seat),
                                     request.player_ids[seat]));
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
                    const ledger::StakeTier& tier, const Ground& ground,
                    const ledger::Clearing& clearing) {
  Settlement settlement;
  settlement.variant = request.variant;
  settlement.base = tier.base;
  settlement.rake = tier.rake;
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

}  // namespace

absl::StatusOr<SettleRoundAnswer> Wallet::SettleRound(const CallContext& context,
                                                      const SettleRoundRequest& request) {
  MJ_ASSIGN_OR_RETURN(const std::vector<OwedLine> lines, Check(request));

  Posting posting;
  posting.key = KeyOf(request, lines);
  posting.currency = request.currency;
  posting.account_ids = request.player_ids;
  posting.tier_variant = request.variant;
  posting.tier_base = request.base;
  posting.decide = [&](const Ground& ground) -> absl::StatusOr<Verdict> {
    MJ_RETURN_IF_ERROR(CheckGround(request, ground));
    ledger::PerParty<Coins> balances;
    for (Party seat = 0; seat < kParties; ++seat) {
      balances[seat] = ground.accounts[seat].balance.coins;
    }
    const auto clearing = ledger::Clear(balances, DebtsOf(lines), ground.tier->stakes.rake);
    if (!clearing.ok()) return OverflowError();
    ledger::Journal journal;
    if (Move(request, clearing.value(), journal)) return OverflowError();
    auto composed = Compose(journal, request.player_ids, ground.accounts);
    if (!composed.ok()) return absl::InternalError("a clearing that balances do not cover");

    Event event;
    event.kind = JournalKind::kSettlement;
    event.actor = context.caller;
    event.table_id = request.table_id;
    event.round_id = request.round_id;
    event.rulebook_version = request.rulebook_version;
    event.happened_at = clock_.Now();
    event.lines = std::move(composed).value();
    event.settlement = Describe(request, lines, ground.tier->stakes, ground, clearing.value());
    return event;
  };

  MJ_ASSIGN_OR_RETURN(PostOutcome outcome, store_.Post(posting, context.deadline));
  if (std::holds_alternative<KeyTaken>(outcome)) return KeyTakenError("round_id");
  auto* const posted = std::get_if<Posted>(&outcome);
  if (posted == nullptr || !posted->settlement) {
    return absl::InternalError("a settlement without its record");
  }
  return SettleRoundAnswer{JournalId(posted->journal_no), *std::move(posted->settlement)};
}

}  // namespace mj::wallet
