#include "services/wallet/app/memory_ledger_store_testing.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "libs/base/status.h"
#include "libs/ledger/journal.h"

namespace mj::wallet {
namespace {

Currency Other(Currency currency) {
  return currency == Currency::kCoin ? Currency::kPractice : Currency::kCoin;
}

bool SameRequest(const RequestKey& a, const RequestKey& b) {
  return a.content_version == b.content_version && a.content == b.content;
}

Coins C(std::int64_t coins) { return Coins::From(coins).value(); }

Tier MakeTier(const std::string& variant, std::int64_t base, std::int64_t minimum,
              std::int64_t rake) {
  return {variant + "-" + std::to_string(base),
          {variant, C(base), C(minimum), C(rake), C(64 * base), C(64 * base)}};
}

}  // namespace

std::vector<Tier> SomeTiers() {
  return {MakeTier("chaozhou", 10, 160, 0),     MakeTier("chaozhou", 100, 1600, 0),
          MakeTier("chaozhou", 1000, 16000, 0), MakeTier("chaozhou", 10000, 160000, 0),
          MakeTier("shaoguan", 10, 640, 4),     MakeTier("shaoguan", 100, 6400, 40),
          MakeTier("shaoguan", 600, 38400, 250)};
}

MemoryLedgerStore::MemoryLedgerStore(const base::Clock& clock, std::vector<Tier> tiers)
    : clock_(clock), tiers_(std::move(tiers)) {
  base::MutexLock lock(mutex_);
  for (const Currency currency : {Currency::kCoin, Currency::kPractice}) {
    for (const AccountKind kind : {AccountKind::kHouseRake, AccountKind::kPenalties,
                                   AccountKind::kIssue, AccountKind::kHouseLoss}) {
      const AccountKey key{std::string(HouseAccountId(kind)), currency};
      accounts_[key] = {key, kind, 0, 0, clock_.Now()};
    }
  }
}

absl::StatusOr<OpenOutcome> MemoryLedgerStore::OpenAccount(const RequestKey& key,
                                                           const AccountKey& account,
                                                           base::MonotonicTime) {
  base::MutexLock lock(mutex_);
  if (const auto found = answers_.find(key.text); found != answers_.end()) {
    if (!SameRequest(found->second.key, key)) return OpenOutcome(KeyTaken{});
    return OpenOutcome(std::get<Account>(found->second.first));
  }
  if (accounts_.count(account) > 0) return OpenOutcome(AccountExists{});
  const bool is_house =
      accounts_.count({account.id, Other(account.currency)}) > 0 &&
      accounts_.at({account.id, Other(account.currency)}).kind != AccountKind::kPlayer;
  if (is_house) return OpenOutcome(AccountExists{});
  const Account opened{account, AccountKind::kPlayer, 0, 0, clock_.Now()};
  accounts_[account] = opened;
  answers_[key.text] = {key, opened};
  return OpenOutcome(opened);
}

absl::StatusOr<LedgerStore::Lookup> MemoryLedgerStore::FindAccount(const AccountKey& account,
                                                                   base::MonotonicTime) {
  base::MutexLock lock(mutex_);
  Lookup lookup;
  if (const auto found = accounts_.find(account); found != accounts_.end()) {
    lookup.account = found->second;
  }
  lookup.in_other_currency = accounts_.count({account.id, Other(account.currency)}) > 0;
  return lookup;
}

absl::StatusOr<std::vector<Tier>> MemoryLedgerStore::TiersOf(const std::string& variant,
                                                             base::MonotonicTime) {
  std::vector<Tier> tiers;
  std::copy_if(tiers_.begin(), tiers_.end(), std::back_inserter(tiers),
               [&](const Tier& tier) { return tier.stakes.variant == variant; });
  return tiers;
}

Ground MemoryLedgerStore::GroundOf(const Posting& posting) const {
  Ground ground;
  for (const std::string& id : posting.account_ids) {
    Found found;
    const auto account = accounts_.find({id, posting.currency});
    if (account != accounts_.end()) {
      const bool player = account->second.kind == AccountKind::kPlayer;
      found.what = player ? Found::What::kPlayer : Found::What::kHouse;
      if (player) {
        found.balance = {C(account->second.balance), Coins(), account->second.last_sequence};
      }
    } else if (accounts_.count({id, Other(posting.currency)}) > 0) {
      found.what = Found::What::kOtherCurrency;
    }
    ground.accounts.push_back(found);
  }
  for (const Tier& tier : tiers_) {
    if (tier.stakes.variant != posting.tier_variant) continue;
    ground.variant_known = true;
    if (tier.stakes.base.value() == posting.tier_base) ground.tier = tier;
  }
  return ground;
}

absl::StatusOr<Posted> MemoryLedgerStore::Write(const Posting& posting, const Event& event) {
  std::vector<ledger::Entry> sides;
  for (const Line& line : event.lines) sides.push_back(line.entry);
  if (ledger::CheckBalanced(sides)) return absl::InternalError("entries do not sum to zero");

  Posted posted;
  posted.journal_no = ++last_journal_no_;
  std::int64_t line_no = 0;
  for (const Line& line : event.lines) {
    ++line_no;
    const AccountKey key{line.entry.account.text, posting.currency};
    Account& account = accounts_.at(key);
    ListedEntry listed;
    listed.coins = line.entry.coins;
    account.balance += line.entry.coins.value();
    if (line.after) {
      account.last_sequence = line.after->last_sequence;
      listed.sequence = line.after->last_sequence;
      listed.balance_after = line.after->coins;
      listed.position = {listed.sequence, 0};
    } else {
      listed.position = {posted.journal_no, line_no};
    }
    listed.journal_no = posted.journal_no;
    listed.kind = event.kind;
    listed.round_id = event.round_id;
    listed.table_id = event.table_id;
    listed.reason = event.reason;
    listed.written_at = clock_.Now();
    entries_[key].push_back(listed);
  }
  posted.settlement = event.settlement;
  if (posting.sticky) {
    posted.balance = C(accounts_.at({posting.account_ids[0], posting.currency}).balance);
  }
  return posted;
}

absl::StatusOr<PostOutcome> MemoryLedgerStore::Post(const Posting& posting, base::MonotonicTime) {
  base::MutexLock lock(mutex_);
  if (const auto found = answers_.find(posting.key.text); found != answers_.end()) {
    if (!SameRequest(found->second.key, posting.key)) return PostOutcome(KeyTaken{});
    if (const auto* refused = std::get_if<Refused>(&found->second.first)) {
      Refused again = *refused;
      again.again = true;
      return PostOutcome(again);
    }
    Posted again = std::get<Posted>(found->second.first);
    again.again = true;
    return PostOutcome(again);
  }
  MJ_ASSIGN_OR_RETURN(const Verdict verdict, posting.decide(GroundOf(posting)));
  if (const auto* refusal = std::get_if<Refusal>(&verdict)) {
    const AccountKey key{posting.account_ids[0], posting.currency};
    const Refused refused{*refusal, C(accounts_.at(key).balance), false};
    answers_[posting.key.text] = {posting.key, refused};
    return PostOutcome(refused);
  }
  MJ_ASSIGN_OR_RETURN(const Posted posted, Write(posting, std::get<Event>(verdict)));
  answers_[posting.key.text] = {posting.key, posted};
  return PostOutcome(posted);
}

absl::StatusOr<std::vector<ListedEntry>> MemoryLedgerStore::ListEntries(
    const AccountKey& account, std::optional<EntryPosition> before, int count_max,
    base::MonotonicTime) {
  base::MutexLock lock(mutex_);
  std::vector<ListedEntry> entries = entries_[account];
  std::sort(entries.begin(), entries.end(),
            [](const ListedEntry& a, const ListedEntry& b) { return a.position > b.position; });
  if (before) {
    entries.erase(std::remove_if(entries.begin(), entries.end(),
                                 [&](const ListedEntry& e) { return e.position >= *before; }),
                  entries.end());
  }
  if (entries.size() > static_cast<std::size_t>(count_max)) {
    entries.resize(static_cast<std::size_t>(count_max));
  }
  return entries;
}

}  // namespace mj::wallet
