#include "libs/books/players.h"

#include <string_view>
#include <utility>

#include "libs/base/status.h"

namespace mj::books {
namespace {

using audit::Fault;
using audit::Finding;
using Number = std::int64_t;

constexpr Number kBalancesPage = 1'000;
constexpr Number kEntriesPage = 20'000;

constexpr std::string_view kBalances = R"sql(
SELECT b.account_no, b.coins, b.held, b.last_sequence, a.currency
FROM wallet.balances b JOIN wallet.accounts a USING (account_no)
WHERE b.account_no > $1 ORDER BY b.account_no LIMIT $2
)sql";

constexpr std::string_view kEntries = R"sql(
SELECT e.account_no, e.sequence, e.coins, e.balance_after, e.journal_no,
       EXISTS (SELECT FROM wallet.journal j
               WHERE j.journal_no = e.journal_no AND j.written_at = e.written_at)
FROM wallet.entries e
WHERE e.sequence IS NOT NULL AND (e.account_no, e.sequence) > ($1::bigint, $2::bigint)
ORDER BY e.account_no, e.sequence LIMIT $3
)sql";

Finding At(const audit::AccountEntry& entry, Fault fault, std::string why) {
  Finding finding;
  finding.fault = fault;
  finding.account_no = entry.account_no;
  finding.account_sequence = entry.sequence;
  finding.journal_no = entry.journal_no;
  finding.why = std::move(why);
  return finding;
}

CheckedPlayer WithoutBalance(const audit::AccountEntry& entry) {
  CheckedPlayer checked;
  checked.account_no = entry.account_no;
  checked.finding = At(entry, Fault::kBalanceWrong, "the account has entries and no balance row");
  return checked;
}

}  // namespace

absl::StatusOr<const PlayerAccounts::Balance*> PlayerAccounts::NextBalance() {
  if (balance_at_ == balances_.size() && !balances_over_) {
    MJ_ASSIGN_OR_RETURN(const pg::Result result, tx_.Execute(kBalances, after_, kBalancesPage));
    MJ_ASSIGN_OR_RETURN(const auto rows,
                        (result.Rows<Number, Number, Number, Number, std::string>()));
    balances_.clear();
    balance_at_ = 0;
    for (const auto& [account_no, coins, held, last_sequence, currency] : rows) {
      balances_.push_back({{account_no, coins, held, last_sequence}, currency});
      after_ = account_no;
    }
    balances_over_ = static_cast<Number>(rows.size()) < kBalancesPage;
  }
  return balance_at_ < balances_.size() ? &balances_[balance_at_] : nullptr;
}

absl::StatusOr<const PlayerAccounts::Entry*> PlayerAccounts::NextEntry() {
  if (entry_at_ == entries_.size() && !entries_over_) {
    MJ_ASSIGN_OR_RETURN(
        const pg::Result result,
        tx_.Execute(kEntries, entries_after_.account_no, entries_after_.sequence, kEntriesPage));
    MJ_ASSIGN_OR_RETURN(const auto rows,
                        (result.Rows<Number, Number, Number, Number, Number, bool>()));
    entries_.clear();
    entry_at_ = 0;
    for (const auto& [account_no, sequence, coins, balance_after, journal_no, in_journal] : rows) {
      entries_.push_back({{account_no, sequence, coins, balance_after, journal_no}, in_journal});
      entries_after_ = entries_.back().entry;
    }
    entries_over_ = static_cast<Number>(rows.size()) < kEntriesPage;
  }
  return entry_at_ < entries_.size() ? &entries_[entry_at_] : nullptr;
}

absl::StatusOr<std::optional<CheckedPlayer>> PlayerAccounts::Next() {
  using Answer = std::optional<CheckedPlayer>;
  MJ_ASSIGN_OR_RETURN(const Balance* const balance, NextBalance());
  if (balance == nullptr) {
    MJ_ASSIGN_OR_RETURN(const Entry* const left, NextEntry());
    return left == nullptr ? Answer() : Answer(WithoutBalance(left->entry));
  }
  CheckedPlayer checked;
  checked.account_no = balance->row.account_no;
  checked.currency = balance->currency;
  checked.coins = balance->row.coins;
  audit::AccountVerifier verifier;
  verifier.Begin(balance->row);
  while (true) {
    MJ_ASSIGN_OR_RETURN(const Entry* const next, NextEntry());
    if (next == nullptr || next->entry.account_no > checked.account_no) break;
    if (next->entry.account_no < checked.account_no) return Answer(WithoutBalance(next->entry));
    if (!next->in_journal) {
      checked.finding = At(next->entry, Fault::kEntryOrphaned, "an entry without its journal row");
      return Answer(std::move(checked));
    }
    checked.finding = verifier.Next(next->entry);
    if (checked.finding) return Answer(std::move(checked));
    ++entry_at_;
    ++checked.entries;
  }
  checked.finding = verifier.End();
  ++balance_at_;
  return Answer(std::move(checked));
}

}  // namespace mj::books
