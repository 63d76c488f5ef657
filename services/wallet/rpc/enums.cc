#include "services/wallet/rpc/enums.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "libs/base/reasons.h"
#include "libs/base/strings.h"

namespace mj::wallet::rpc {
namespace {

absl::Status UnknownValue(std::string_view field, int value) {
  return base::Error(base::Reason::kUnknownEnumValue,
                     base::Cat(field, ": got ", std::to_string(value)),
                     {.field = std::string(field)});
}

}  // namespace

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

absl::StatusOr<std::optional<Flow>> FromProto(proto::MoneyFlow flow) {
  switch (flow) {
    case proto::MONEY_FLOW_UNSPECIFIED:
      return std::optional<Flow>();
    case proto::MONEY_FLOW_PURCHASE:
      return std::optional(Flow::kPurchase);
    case proto::MONEY_FLOW_GRANT:
      return std::optional(Flow::kGrant);
    case proto::MONEY_FLOW_REFUND:
      return std::optional(Flow::kRefund);
    case proto::MONEY_FLOW_CHARGEBACK:
      return std::optional(Flow::kChargeback);
    case proto::MONEY_FLOW_PAYOUT:
      return std::optional(Flow::kPayout);
    default:
      return UnknownValue("flow", flow);
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
    case JournalKind::kPenalty:
      return proto::JOURNAL_KIND_PENALTY;
    case JournalKind::kVoid:
      return proto::JOURNAL_KIND_VOID;
    case JournalKind::kReversal:
      return proto::JOURNAL_KIND_REVERSAL;
    case JournalKind::kAdjustment:
      return proto::JOURNAL_KIND_ADJUSTMENT;
  }
  return proto::JOURNAL_KIND_UNSPECIFIED;
}

absl::StatusOr<base::WallTime> FromProto(const google::protobuf::Timestamp& in,
                                         std::string_view field) {
  constexpr std::int64_t kSecondsMax = 253'402'300'799;  // the end of the year 9999
  if (in.seconds() < 0 || in.seconds() > kSecondsMax || in.nanos() < 0 ||
      in.nanos() > 999'999'999) {
    return base::Error(base::Reason::kBadPeriod, base::Cat(field, ": is no time"),
                       {.field = std::string(field)});
  }
  return mj::rpc::FromProto(in);
}

}  // namespace mj::wallet::rpc
