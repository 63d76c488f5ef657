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
       {JournalKind::kDeposit, JournalKind::kWithdrawal, JournalKind::kSettlement}) {
    if (word == ToSql(kind)) return kind;
  }
  return std::nullopt;
}

}  // namespace mj::wallet::store
