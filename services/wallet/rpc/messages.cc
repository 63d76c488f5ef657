// Accounts, money, tiers, entries. Rounds are in round_messages.cc.
#include "services/wallet/rpc/messages.h"

#include <string>

#include "libs/base/status.h"
#include "services/wallet/app/composing.h"
#include "services/wallet/rpc/enums.h"

namespace mj::wallet::rpc {
namespace {

template <typename Message>
absl::StatusOr<MoneyRequest> MoneyFromProto(const Message& in) {
  MoneyRequest request;
  request.request_id = in.request_id();
  request.account_id = in.account_id();
  MJ_ASSIGN_OR_RETURN(request.currency, FromProto(in.currency()));
  request.coins = in.coins();
  request.reason = in.reason();
  MJ_ASSIGN_OR_RETURN(request.flow, FromProto(in.flow()));
  request.provider = in.provider();
  request.external_reference = in.external_reference();
  return request;
}

template <typename Message>
absl::StatusOr<AccountControlRequest> ControlFromProto(const Message& in) {
  AccountControlRequest request;
  request.request_id = in.request_id();
  request.account_id = in.account_id();
  MJ_ASSIGN_OR_RETURN(request.currency, FromProto(in.currency()));
  request.reason = in.reason();
  request.requested_by = in.requested_by();
  request.validate_only = in.validate_only();
  return request;
}

}  // namespace

absl::StatusOr<OpenAccountRequest> FromProto(const proto::OpenAccountRequest& in) {
  OpenAccountRequest request;
  request.request_id = in.request_id();
  request.account_id = in.account_id();
  MJ_ASSIGN_OR_RETURN(request.kind, FromProto(in.kind()));
  MJ_ASSIGN_OR_RETURN(request.currency, FromProto(in.currency()));
  return request;
}

absl::StatusOr<AccountKey> FromProto(const proto::GetAccountRequest& in) {
  MJ_ASSIGN_OR_RETURN(const Currency currency, FromProto(in.currency()));
  return AccountKey{in.account_id(), currency};
}

absl::StatusOr<MoneyRequest> FromProto(const proto::DepositRequest& in) {
  return MoneyFromProto(in);
}

absl::StatusOr<MoneyRequest> FromProto(const proto::WithdrawRequest& in) {
  return MoneyFromProto(in);
}

absl::StatusOr<AdjustRequest> FromProto(const proto::AdjustRequest& in) {
  AdjustRequest request;
  request.request_id = in.request_id();
  request.account_id = in.account_id();
  MJ_ASSIGN_OR_RETURN(request.currency, FromProto(in.currency()));
  request.coins = in.coins();
  request.reason = in.reason();
  request.requested_by = in.requested_by();
  request.approved_by = in.approved_by();
  request.validate_only = in.validate_only();
  return request;
}

absl::StatusOr<ReverseRequest> FromProto(const proto::ReverseRequest& in) {
  return ReverseRequest{.request_id = in.request_id(),
                        .journal_id = in.journal_id(),
                        .reason = in.reason(),
                        .requested_by = in.requested_by(),
                        .approved_by = in.approved_by(),
                        .cover_from_house = in.cover_from_house(),
                        .validate_only = in.validate_only()};
}

absl::StatusOr<AccountControlRequest> FromProto(const proto::FreezeRequest& in) {
  return ControlFromProto(in);
}

absl::StatusOr<AccountControlRequest> FromProto(const proto::UnfreezeRequest& in) {
  return ControlFromProto(in);
}

absl::StatusOr<AccountControlRequest> FromProto(const proto::CloseAccountRequest& in) {
  return ControlFromProto(in);
}

absl::StatusOr<ListStakeTiersRequest> FromProto(const proto::ListStakeTiersRequest& in) {
  MJ_ASSIGN_OR_RETURN(const Currency currency, FromProto(in.currency()));
  return ListStakeTiersRequest{in.variant(), currency};
}

absl::StatusOr<StakeTierRequest> FromProto(const proto::GetStakeTierRequest& in) {
  StakeTierRequest request;
  request.player_id = in.player_id();
  request.variant = in.variant();
  MJ_ASSIGN_OR_RETURN(request.currency, FromProto(in.currency()));
  request.base = in.base();
  return request;
}

absl::StatusOr<PutStakeTierRequest> FromProto(const proto::PutStakeTierRequest& in) {
  PutStakeTierRequest request;
  request.request_id = in.request_id();
  request.tier_id = in.tier_id();
  request.variant = in.variant();
  MJ_ASSIGN_OR_RETURN(request.currency, FromProto(in.currency()));
  request.base = in.base();
  request.minimum_balance = in.minimum_balance();
  request.minimum_multiple = in.minimum_multiple();
  request.rake_per_player = in.rake_per_player();
  request.escape_penalty = in.escape_penalty();
  request.escape_compensation = in.escape_compensation();
  if (in.has_valid_from()) {
    MJ_ASSIGN_OR_RETURN(request.valid_from, FromProto(in.valid_from(), "valid_from"));
  }
  if (in.has_valid_until()) {
    MJ_ASSIGN_OR_RETURN(request.valid_until, FromProto(in.valid_until(), "valid_until"));
  }
  request.requested_by = in.requested_by();
  return request;
}

absl::StatusOr<ListEntriesRequest> FromProto(const proto::ListEntriesRequest& in) {
  ListEntriesRequest request;
  request.account_id = in.account_id();
  MJ_ASSIGN_OR_RETURN(request.currency, FromProto(in.currency()));
  request.page_size = in.page_size();
  request.page_token = in.page_token();
  return request;
}

namespace {

// Of whatever asks for a player's entries after a sequence number.
template <typename In>
absl::StatusOr<WatchRequest> WatchFromProto(const In& in) {
  WatchRequest request;
  request.account_id = in.account_id();
  MJ_ASSIGN_OR_RETURN(request.currency, FromProto(in.currency()));
  request.after_sequence = in.after_sequence();
  return request;
}

}  // namespace

absl::StatusOr<WatchRequest> FromProto(const proto::WatchAccountRequest& in) {
  return WatchFromProto(in);
}

absl::StatusOr<WatchRequest> FromProto(const proto::ExportStatementRequest& in) {
  return WatchFromProto(in);
}

void ToProto(const Account& account, proto::Account& out) {
  out.set_account_id(account.key.id);
  out.set_kind(ToProto(account.kind));
  out.set_currency(ToProto(account.key.currency));
  out.set_balance(account.balance);
  out.set_sequence(account.last_sequence);
  ToProto(account.opened_at, *out.mutable_create_time());
  const Standing& standing = account.standing;
  out.set_frozen(standing.frozen);
  out.set_closed(standing.closed);
  out.set_round_id(standing.round_id);
  if (!standing.hold) return;
  proto::Reservation& reservation = *out.mutable_reservation();
  reservation.set_table_id(standing.hold->table_id);
  reservation.set_coins(standing.hold->coins.value());
  ToProto(standing.hold->until, *reservation.mutable_expire_time());
}

void ToProto(const ListedEntry& entry, proto::Entry& out) {
  out.set_sequence(entry.sequence);
  out.set_coins(entry.coins.value());
  out.set_balance_after(entry.balance_after.value_or(Coins()).value());
  out.set_journal_id(JournalId(entry.journal_no));
  out.set_kind(ToProto(entry.kind));
  out.set_round_id(entry.round_id);
  out.set_table_id(entry.table_id);
  ToProto(entry.written_at, *out.mutable_create_time());
  out.set_reason(entry.reason);
}

void ToProto(const Tier& tier, proto::StakeTier& out) {
  const ledger::StakeTier& stakes = tier.stakes;
  out.set_tier_id(tier.id);
  out.set_variant(stakes.variant);
  out.set_base(stakes.base.value());
  out.set_minimum_balance(stakes.minimum.value());
  out.set_rake_per_player(stakes.rake.value());
  out.set_escape_penalty(stakes.escape_penalty.value());
  out.set_currency(ToProto(tier.currency));
  out.set_escape_compensation(stakes.escape_compensation.value());
  ToProto(tier.valid_from, *out.mutable_valid_from());
  if (tier.valid_until) ToProto(*tier.valid_until, *out.mutable_valid_until());
}

void ToProto(const ReverseAnswer& answer, proto::ReverseResponse& out) {
  out.set_journal_id(answer.journal_id);
  out.set_covered(answer.covered);
}

void ToProto(const StakeTierAnswer& answer, proto::GetStakeTierResponse& out) {
  ToProto(answer.tier, *out.mutable_tier());
  out.set_balance(answer.balance);
}

void ToProto(const std::vector<Tier>& tiers, proto::ListStakeTiersResponse& out) {
  for (const Tier& tier : tiers) ToProto(tier, *out.add_tiers());
}

void ToProto(const Tier& tier, proto::PutStakeTierResponse& out) {
  ToProto(tier, *out.mutable_tier());
}

void ToProto(const ListEntriesAnswer& answer, proto::ListEntriesResponse& out) {
  for (const ListedEntry& entry : answer.entries) ToProto(entry, *out.add_entries());
  out.set_next_page_token(answer.next_page_token);
}

}  // namespace mj::wallet::rpc
