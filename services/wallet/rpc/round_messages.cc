// Seats, rounds and what came of them.

#include <cstdint>
#include <string>

#include "libs/base/status.h"
#include "services/wallet/app/composing.h"
#include "services/wallet/rpc/enums.h"
#include "services/wallet/rpc/messages.h"

namespace mj::wallet::rpc {
namespace {

using ledger::kParties;
using ledger::Party;

// The pairs that hold anything, by payer and payee.
template <typename Add>
void EachPair(const ledger::PairTable& table, Add add) {
  for (Party from = 0; from < kParties; ++from) {
    for (Party to = 0; to < kParties; ++to) {
      if (table[from][to].IsZero()) continue;
      proto::SeatPayment& payment = *add();
      payment.set_from_seat(static_cast<std::uint32_t>(from));
      payment.set_to_seat(static_cast<std::uint32_t>(to));
      payment.set_coins(table[from][to].value());
    }
  }
}

// What both the answer to SettleRound and a listed settlement hold.
template <typename Message>
void Fill(const Settlement& settlement, Message& out) {
  EachPair(settlement.paid, [&out] { return out.add_paid(); });
  EachPair(settlement.set_off, [&out] { return out.add_set_off(); });
  EachPair(settlement.shortfall, [&out] { return out.add_shortfalls(); });
  for (Party seat = 0; seat < kParties; ++seat) {
    proto::SeatSettlement& at = *out.add_seats();
    at.set_seat(static_cast<std::uint32_t>(seat));
    at.set_net(settlement.net[seat].value());
    at.set_rake(settlement.rake_paid[seat].value());
    at.set_rake_shortfall(settlement.rake_shortfall[seat].value());
    at.set_balance(settlement.balance_after[seat].value());
  }
}

}  // namespace

absl::StatusOr<ReserveRequest> FromProto(const proto::ReserveRequest& in) {
  ReserveRequest request;
  request.request_id = in.request_id();
  request.player_id = in.player_id();
  MJ_ASSIGN_OR_RETURN(request.currency, FromProto(in.currency()));
  request.table_id = in.table_id();
  request.variant = in.variant();
  request.base = in.base();
  return request;
}

absl::StatusOr<ReleaseRequest> FromProto(const proto::ReleaseRequest& in) {
  ReleaseRequest request;
  request.request_id = in.request_id();
  request.player_id = in.player_id();
  MJ_ASSIGN_OR_RETURN(request.currency, FromProto(in.currency()));
  request.table_id = in.table_id();
  return request;
}

absl::StatusOr<BeginRoundRequest> FromProto(const proto::BeginRoundRequest& in) {
  BeginRoundRequest request;
  request.round_id = in.round_id();
  request.table_id = in.table_id();
  request.variant = in.variant();
  request.rulebook_version = in.rulebook_version();
  MJ_ASSIGN_OR_RETURN(request.currency, FromProto(in.currency()));
  request.base = in.base();
  request.tier_id = in.tier_id();
  request.player_ids.assign(in.player_ids().begin(), in.player_ids().end());
  return request;
}

absl::StatusOr<SettleRoundRequest> FromProto(const proto::SettleRoundRequest& in) {
  SettleRoundRequest request;
  request.round_id = in.round_id();
  request.table_id = in.table_id();
  request.variant = in.variant();
  request.rulebook_version = in.rulebook_version();
  request.base = in.base();
  MJ_ASSIGN_OR_RETURN(request.currency, FromProto(in.currency()));
  request.player_ids.assign(in.player_ids().begin(), in.player_ids().end());
  for (const common::Transfer& transfer : in.transfers()) {
    request.transfers.push_back(
        {transfer.from_seat(), transfer.to_seat(), transfer.coins(), transfer.rule_id()});
  }
  return request;
}

absl::StatusOr<ApplyPenaltyRequest> FromProto(const proto::ApplyPenaltyRequest& in) {
  return ApplyPenaltyRequest{in.round_id(), in.escaper_seat(), in.reason()};
}

absl::StatusOr<VoidRoundRequest> FromProto(const proto::VoidRoundRequest& in) {
  return VoidRoundRequest{in.round_id(), in.reason(), in.requested_by(), in.validate_only()};
}

absl::StatusOr<ListSettlementsRequest> FromProto(const proto::ListSettlementsRequest& in) {
  ListSettlementsRequest request;
  request.account_id = in.account_id();
  MJ_ASSIGN_OR_RETURN(request.currency, FromProto(in.currency()));
  request.table_id = in.table_id();
  request.page_size = in.page_size();
  request.page_token = in.page_token();
  return request;
}

absl::StatusOr<GetSettlementRequest> FromProto(const proto::GetSettlementRequest& in) {
  return GetSettlementRequest{in.round_id(), in.journal_id()};
}

void ToProto(const ReserveAnswer& answer, proto::ReserveResponse& out) {
  proto::Reservation& reservation = *out.mutable_reservation();
  reservation.set_table_id(answer.hold.table_id);
  reservation.set_coins(answer.hold.coins.value());
  ToProto(answer.hold.until, *reservation.mutable_expire_time());
  out.set_balance(answer.balance.value());
}

void ToProto(bool released, proto::ReleaseResponse& out) { out.set_released(released); }

void ToProto(const BegunRound& round, proto::BeginRoundResponse& out) {
  out.set_tier_id(round.tier_id);
  out.set_rake_per_player(round.rake.value());
  out.set_escape_penalty(round.escape_penalty.value());
  ToProto(round.begun_at, *out.mutable_begin_time());
}

void ToProto(const SettleRoundAnswer& answer, proto::SettleRoundResponse& out) {
  out.set_journal_id(answer.journal_id);
  Fill(answer.settlement, out);
}

void ToProto(const ApplyPenaltyAnswer& answer, proto::ApplyPenaltyResponse& out) {
  const ledger::PenaltyShares& shares = answer.penalty.shares;
  out.set_journal_id(answer.journal_id);
  out.set_penalty(answer.penalty.penalty.value());
  out.set_taken(shares.taken.value());
  out.set_share(shares.share.value());
  out.set_house(shares.house.value());
  out.set_shortfall(shares.shortfall.value());
  for (const Coins balance : answer.penalty.balance_after) out.add_balances(balance.value());
}

void ToProto(const VoidRoundAnswer& answer, proto::VoidRoundResponse& out) {
  out.set_journal_id(answer.journal_id);
}

void ToProto(const SettledRound& round, proto::Settlement& out) {
  out.set_journal_id(JournalId(round.journal_no));
  out.set_round_id(round.round_id);
  out.set_table_id(round.table_id);
  out.set_variant(round.settlement.variant);
  out.set_rulebook_version(round.rulebook_version);
  out.set_base(round.settlement.base.value());
  out.set_currency(ToProto(round.currency));
  for (const std::string& player : round.settlement.player_ids) out.add_player_ids(player);
  for (const OwedLine& line : round.settlement.owed_lines) {
    common::Transfer& transfer = *out.add_transfers();
    transfer.set_from_seat(static_cast<std::uint32_t>(line.from));
    transfer.set_to_seat(static_cast<std::uint32_t>(line.to));
    transfer.set_coins(line.coins.value());
    transfer.set_rule_id(line.rule_id);
  }
  Fill(round.settlement, out);
  ToProto(round.written_at, *out.mutable_create_time());
  out.set_reversed_by(JournalId(round.reversed_by));
}

void ToProto(const ListSettlementsAnswer& answer, proto::ListSettlementsResponse& out) {
  for (const SettledRound& round : answer.settlements) ToProto(round, *out.add_settlements());
  out.set_next_page_token(answer.next_page_token);
}

void ToProto(const SettledRound& round, proto::GetSettlementResponse& out) {
  ToProto(round, *out.mutable_settlement());
}

}  // namespace mj::wallet::rpc
