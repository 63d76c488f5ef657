#include "libs/audit/accounts.h"

namespace mj::audit {

void AccountVerifier::Begin(const BalanceRow& balance) {
  row_ = balance;
  coins_ = 0;
  sequence_ = 0;
}

std::optional<Finding> AccountVerifier::Next(const AccountEntry& entry) {
  Finding finding;
  finding.account_no = entry.account_no;
  finding.account_sequence = entry.sequence;
  finding.journal_no = entry.journal_no;
  if (entry.sequence != sequence_ + 1) {
    finding.fault = Fault::kSequenceBroken;
    finding.why = "entry " + std::to_string(sequence_ + 1) + " was to come";
    return finding;
  }
  // Compared by difference: a sum of what is stored might overflow.
  if (entry.balance_after < 0 || entry.balance_after - coins_ != entry.coins) {
    finding.fault = Fault::kBalanceBroken;
    finding.why = "balance " + std::to_string(entry.balance_after) + " after " +
                  std::to_string(entry.coins) + " coins, " + std::to_string(coins_) + " before";
    return finding;
  }
  sequence_ = entry.sequence;
  coins_ = entry.balance_after;
  return std::nullopt;
}

std::optional<Finding> AccountVerifier::End() const {
  if (row_.coins == coins_ && row_.last_sequence == sequence_ && row_.held >= 0 &&
      row_.held <= row_.coins) {
    return std::nullopt;
  }
  Finding finding;
  finding.fault = Fault::kBalanceWrong;
  finding.account_no = row_.account_no;
  finding.why = "the balance row says " + std::to_string(row_.coins) + " coins, " +
                std::to_string(row_.held) + " held, after entry " +
                std::to_string(row_.last_sequence) + "; the entries say " + std::to_string(coins_) +
                " after entry " + std::to_string(sequence_);
  return finding;
}

}  // namespace mj::audit
