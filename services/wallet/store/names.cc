#include "services/wallet/store/names.h"

namespace mj::wallet::store {

std::string_view ToSql(Currency currency) {
  switch (currency) {
    case Currency::kCoin:
      return "COIN";
    case Currency::kPractice:
      return "PRACTICE";
  }
  return "";
}

std::string_view ToSql(JournalKind kind) {
  switch (kind) {
    case JournalKind::kDeposit:
      return "deposit";
    case JournalKind::kWithdrawal:
      return "withdrawal";
    case JournalKind::kSettlement:
      return "settlement";
    case JournalKind::kPenalty:
      return "penalty";
    case JournalKind::kVoid:
      return "void";
    case JournalKind::kReversal:
      return "reversal";
    case JournalKind::kAdjustment:
      return "adjustment";
  }
  return "";
}

std::string_view ToSql(ledger::Purpose purpose) {
  switch (purpose) {
    case ledger::Purpose::kMoneyIn:
      return "money_in";
    case ledger::Purpose::kMoneyOut:
      return "money_out";
    case ledger::Purpose::kPayment:
      return "payment";
    case ledger::Purpose::kRake:
      return "rake";
    case ledger::Purpose::kPenalty:
      return "penalty";
    case ledger::Purpose::kReversal:
      return "reversal";
    case ledger::Purpose::kCover:
      return "cover";
    case ledger::Purpose::kAdjustment:
      return "adjustment";
  }
  return "";
}

std::string_view ToSql(Flow flow) {
  switch (flow) {
    case Flow::kPurchase:
      return "purchase";
    case Flow::kGrant:
      return "grant";
    case Flow::kRefund:
      return "refund";
    case Flow::kChargeback:
      return "chargeback";
    case Flow::kPayout:
      return "payout";
  }
  return "";
}

std::string_view ToSql(AccountEventKind kind) {
  switch (kind) {
    case AccountEventKind::kFrozen:
      return "frozen";
    case AccountEventKind::kUnfrozen:
      return "unfrozen";
    case AccountEventKind::kClosed:
      return "closed";
  }
  return "";
}

std::optional<AccountKind> AccountKindFromSql(std::string_view word) {
  if (word == "player") return AccountKind::kPlayer;
  for (const AccountKind kind : {AccountKind::kHouseRake, AccountKind::kPenalties,
                                 AccountKind::kIssue, AccountKind::kHouseLoss}) {
    if (word == HouseAccountId(kind)) return kind;
  }
  return std::nullopt;
}

std::optional<JournalKind> JournalKindFromSql(std::string_view word) {
  for (const JournalKind kind :
       {JournalKind::kDeposit, JournalKind::kWithdrawal, JournalKind::kSettlement,
        JournalKind::kPenalty, JournalKind::kVoid, JournalKind::kReversal,
        JournalKind::kAdjustment}) {
    if (word == ToSql(kind)) return kind;
  }
  return std::nullopt;
}

std::optional<ledger::Purpose> PurposeFromSql(std::string_view word) {
  using ledger::Purpose;
  for (const Purpose purpose :
       {Purpose::kMoneyIn, Purpose::kMoneyOut, Purpose::kPayment, Purpose::kRake, Purpose::kPenalty,
        Purpose::kReversal, Purpose::kCover, Purpose::kAdjustment}) {
    if (word == ToSql(purpose)) return purpose;
  }
  return std::nullopt;
}

std::optional<Flow> FlowFromSql(std::string_view word) {
  for (const Flow flow :
       {Flow::kPurchase, Flow::kGrant, Flow::kRefund, Flow::kChargeback, Flow::kPayout}) {
    if (word == ToSql(flow)) return flow;
  }
  return std::nullopt;
}

std::optional<Currency> CurrencyFromSql(std::string_view word) {
  for (const Currency currency : {Currency::kCoin, Currency::kPractice}) {
    if (word == ToSql(currency)) return currency;
  }
  return std::nullopt;
}

}  // namespace mj::wallet::store
