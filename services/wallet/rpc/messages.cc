#include "services/wallet/rpc/messages.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "google/protobuf/timestamp.pb.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "mahjong/common/v1/common.pb.h"
#include "services/wallet/app/composing.h"

namespace mj::wallet::rpc {
namespace {

namespace common = ::mahjong::common::v1;
using ledger::kParties;
using ledger::Party;

absl::Status UnknownValue(std::string_view field, int value) {
  return base::Error(base::Reason::kUnknownEnumValue,
                     base::Cat(field, ": got ", std::to_string(value)),
                     {.field = std::string(field)});
}

absl::StatusOr<Currency> FromProto(common::Currency currency) {
  switch (currency) {
    case common::CURRENCY_UNSPECIFIED:
    case common::CURRENCY_COIN:
      return Currency::kCoin;
    case common::CURRENCY_PRACTICE:
      return Currency::kPractice;
    default:
      return UnknownValue("currency", currency);
  }
}

absl::StatusOr<AccountKind> FromProto(proto::AccountKind kind) {
  switch (kind) {
    case proto::ACCOUNT_KIND_UNSPECIFIED:
    case proto::ACCOUNT_KIND_PLAYER:
      return AccountKind::kPlayer;
    case proto::ACCOUNT_KIND_HOUSE_RAKE:
      return AccountKind::kHouseRake;
    case proto::ACCOUNT_KIND_PENALTIES:
      return AccountKind::kPenalties;
    case proto::ACCOUNT_KIND_ISSUE:
      return AccountKind::kIssue;
    case proto::ACCOUNT_KIND_HOUSE_LOSS:
      return AccountKind::kHouseLoss;
    default:
      return UnknownValue("kind", kind);
  }
}

common::Currency ToProto(Currency currency) {
  switch (currency) {
    case Currency::kCoin:
      return common::CURRENCY_COIN;
    case Currency::kPractice:
      return common::CURRENCY_PRACTICE;
  }
  return common::CURRENCY_UNSPECIFIED;
}

proto::AccountKind ToProto(AccountKind kind) {
  switch (kind) {
    case AccountKind::kPlayer:
      return proto::ACCOUNT_KIND_PLAYER;
    case AccountKind::kHouseRake:
      return proto::ACCOUNT_KIND_HOUSE_RAKE;
    case AccountKind::kPenalties:
      return proto::ACCOUNT_KIND_PENALTIES;
    case AccountKind::kIssue:
      return proto::ACCOUNT_KIND_ISSUE;
    case AccountKind::kHouseLoss:
      return proto::ACCOUNT_KIND_HOUSE_LOSS;
  }
  return proto::ACCOUNT_KIND_UNSPECIFIED;
}

proto::JournalKind ToProto(JournalKind kind) {
  switch (kind) {
    case JournalKind::kDeposit:
      return proto::JOURNAL_KIND_DEPOSIT;
    case JournalKind::kWithdrawal:
      return proto::JOURNAL_KIND_WITHDRAWAL;
    case JournalKind::kSettlement:
      return proto::JOURNAL_KIND_SETTLEMENT;
  }
  return proto::JOURNAL_KIND_UNSPECIFIED;
}

void ToProto(base::WallTime time, google::protobuf::Timestamp& out) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  out.set_seconds(seconds.time_since_epoch().count());
  out.set_nanos(static_cast<std::int32_t>(std::chrono::nanoseconds(time - seconds).count()));
}

template <typename Message>
absl::StatusOr<MoneyRequest> MoneyFromProto(const Message& in) {
  MoneyRequest request;
  request.request_id = in.request_id();
  request.account_id = in.account_id();
  MJ_ASSIGN_OR_RETURN(request.currency, FromProto(in.currency()));
  request.coins = in.coins();
  request.reason = in.reason();
  return request;
}

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

absl::StatusOr<StakeTierRequest> FromProto(const proto::GetStakeTierRequest& in) {
  StakeTierRequest request;
  request.player_id = in.player_id();
  request.variant = in.variant();
  MJ_ASSIGN_OR_RETURN(request.currency, FromProto(in.currency()));
  request.base = in.base();
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

absl::StatusOr<ListEntriesRequest> FromProto(const proto::ListEntriesRequest& in) {
  ListEntriesRequest request;
  request.account_id = in.account_id();
  MJ_ASSIGN_OR_RETURN(request.currency, FromProto(in.currency()));
  request.page_size = in.page_size();
  request.page_token = in.page_token();
  return request;
}

void ToProto(const Account& account, proto::Account& out) {
  out.set_account_id(account.key.id);
  out.set_kind(ToProto(account.kind));
  out.set_currency(ToProto(account.key.currency));
  out.set_balance(account.balance);
  out.set_sequence(account.last_sequence);
  ToProto(account.opened_at, *out.mutable_create_time());
}

void ToProto(const StakeTierAnswer& answer, proto::GetStakeTierResponse& out) {
  const ledger::StakeTier& stakes = answer.tier.stakes;
  proto::StakeTier& tier = *out.mutable_tier();
  tier.set_tier_id(answer.tier.id);
  tier.set_variant(stakes.variant);
  tier.set_base(stakes.base.value());
  tier.set_minimum_balance(stakes.minimum.value());
  tier.set_rake_per_player(stakes.rake.value());
  tier.set_escape_penalty(stakes.escape_penalty.value());
  out.set_balance(answer.balance);
}

void ToProto(const SettleRoundAnswer& answer, proto::SettleRoundResponse& out) {
  const Settlement& settlement = answer.settlement;
  out.set_journal_id(answer.journal_id);
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

void ToProto(const ListEntriesAnswer& answer, proto::ListEntriesResponse& out) {
  for (const ListedEntry& entry : answer.entries) {
    proto::Entry& at = *out.add_entries();
    at.set_sequence(entry.sequence);
    at.set_coins(entry.coins.value());
    at.set_balance_after(entry.balance_after.value_or(Coins()).value());
    at.set_journal_id(JournalId(entry.journal_no));
    at.set_kind(ToProto(entry.kind));
    at.set_round_id(entry.round_id);
    at.set_table_id(entry.table_id);
    ToProto(entry.written_at, *at.mutable_create_time());
    at.set_reason(entry.reason);
  }
  out.set_next_page_token(answer.next_page_token);
}

}  // namespace mj::wallet::rpc
