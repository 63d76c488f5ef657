#include "services/wallet/app/memory_ledger_store_testing.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "libs/audit/canonical.h"
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

// `answer` as it is given again.
template <typename Outcome, typename First>
Outcome Again(First answer) {
  answer.again = true;
  return answer;
}

template <typename T>
void Limit(std::vector<T>& list, int count_max) {
  if (list.size() > static_cast<std::size_t>(count_max)) {
    list.resize(static_cast<std::size_t>(count_max));
  }
}

}  // namespace

std::vector<Tier> SomeTiers() {
  std::vector<Tier> tiers = {
      MakeTier("chaozhou", 10, 160, 0),     MakeTier("chaozhou", 100, 1600, 0),
      MakeTier("chaozhou", 1000, 16000, 0), MakeTier("chaozhou", 10000, 160000, 0),
      MakeTier("shaoguan", 10, 640, 4),     MakeTier("shaoguan", 100, 6400, 40),
      MakeTier("shaoguan", 600, 38400, 250)};
  const std::size_t count = tiers.size();
  for (std::size_t i = 0; i < count; ++i) {
    Tier practice = tiers[i];
    practice.id += "-practice";
    practice.currency = Currency::kPractice;
    tiers.push_back(std::move(practice));
  }
  return tiers;
}

RuleIdsOf SomeRuleIds() {
  return [](std::string_view, std::string_view version) {
    std::vector<std::string> ids;
    for (const char* const game : {"CZ-", "SG-", "R-"}) {
      for (int rule = 0; rule < 100; ++rule) ids.push_back(game + std::to_string(rule));
    }
    std::sort(ids.begin(), ids.end());
    return version == "v1" ? std::optional(std::move(ids)) : std::nullopt;
  };
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

// An expired hold counts as none, whether anybody has swept it or not.
Account MemoryLedgerStore::Shown(Account account) const {
  Standing& standing = account.standing;
  if (standing.hold && standing.round_id.empty() && standing.hold->until <= clock_.Now()) {
    standing.hold.reset();
  }
  return account;
}

absl::StatusOr<LedgerStore::Lookup> MemoryLedgerStore::FindAccount(const AccountKey& account,
                                                                   base::MonotonicTime) {
  base::MutexLock lock(mutex_);
  Lookup lookup;
  if (const auto found = accounts_.find(account); found != accounts_.end()) {
    lookup.account = Shown(found->second);
  }
  lookup.in_other_currency = accounts_.count({account.id, Other(account.currency)}) > 0;
  return lookup;
}

std::vector<Tier> MemoryLedgerStore::TiersNow() const {
  const base::WallTime moment = clock_.Now();
  std::map<std::tuple<std::string, Coins, Currency>, const Tier*> latest;
  for (const Tier& tier : tiers_) {
    if (tier.valid_from > moment) continue;
    const Tier*& at = latest[{tier.stakes.variant, tier.stakes.base, tier.currency}];
    if (at == nullptr || at->valid_from < tier.valid_from) at = &tier;
  }
  std::vector<Tier> now;
  for (const auto& [room, tier] : latest) {
    if (!tier->valid_until || *tier->valid_until > moment) now.push_back(*tier);
  }
  return now;
}

absl::StatusOr<std::vector<Tier>> MemoryLedgerStore::TiersOf(const std::string& variant,
                                                             Currency currency,
                                                             base::MonotonicTime) {
  base::MutexLock lock(mutex_);
  std::vector<Tier> tiers = TiersNow();
  std::erase_if(tiers, [&](const Tier& tier) {
    return (!variant.empty() && tier.stakes.variant != variant) || tier.currency != currency;
  });
  return tiers;
}

absl::StatusOr<TierOutcome> MemoryLedgerStore::PutTier(const RequestKey& key,
                                                       const TierPeriod& period,
                                                       base::MonotonicTime) {
  base::MutexLock lock(mutex_);
  if (const auto found = answers_.find(key.text); found != answers_.end()) {
    if (!SameRequest(found->second.key, key)) return TierOutcome(KeyTaken{});
    return TierOutcome(std::get<Tier>(found->second.first));
  }
  const base::WallTime now = clock_.Now();
  Tier tier = period.tier;
  if (period.from_now) tier.valid_from = now;
  if (tier.valid_from < now || (tier.valid_until && *tier.valid_until <= tier.valid_from)) {
    return TierOutcome(TierRefused::kInThePast);
  }
  for (const Tier& other : tiers_) {
    const bool same_room = other.stakes.variant == tier.stakes.variant &&
                           other.stakes.base == tier.stakes.base && other.currency == tier.currency;
    if (same_room != (other.id == tier.id)) return TierOutcome(TierRefused::kOtherRoom);
    if (same_room && other.valid_from >= tier.valid_from) {
      return TierOutcome(TierRefused::kNotTheLast);
    }
  }
  tiers_.push_back(tier);
  answers_[key.text] = {key, tier};
  return TierOutcome(tier);
}

std::vector<Found> MemoryLedgerStore::FoundOf(const std::vector<std::string>& account_ids,
                                              Currency currency) const {
  std::vector<Found> all;
  for (const std::string& id : account_ids) {
    Found found;
    const auto at = accounts_.find({id, currency});
    if (at == accounts_.end()) {
      const bool other = accounts_.count({id, Other(currency)}) > 0;
      found.what = other ? Found::What::kOtherCurrency : Found::What::kNothing;
    } else if (at->second.kind != AccountKind::kPlayer) {
      found.what = Found::What::kHouse;
    } else {
      const Account account = Shown(at->second);
      found.what = Found::What::kPlayer;
      found.standing = account.standing;
      const Coins held = account.standing.hold ? account.standing.hold->coins : Coins();
      found.balance = {C(account.balance), held, account.last_sequence};
    }
    all.push_back(std::move(found));
  }
  return all;
}

Ground MemoryLedgerStore::GroundOf(const Posting& posting) const {
  Ground ground;
  ground.now = clock_.Now();
  ground.accounts = FoundOf(posting.account_ids, posting.currency);
  if (const auto round = rounds_.find(posting.round_id); round != rounds_.end()) {
    ground.round = round->second.begun;
  }
  if (posting.movement && !posting.movement->provider.empty()) {
    const Movement& movement = *posting.movement;
    ground.reference_used =
        references_.count({movement.flow, movement.provider, movement.external_reference}) > 0;
  }
  if (const auto row = journal_.find(posting.reverses); row != journal_.end()) {
    ground.reversed_by = row->second.reversed_by;
  }
  return ground;
}

Ground MemoryLedgerStore::GroundOf(const ChangeRequest& request) const {
  Ground ground;
  ground.now = clock_.Now();
  ground.accounts = FoundOf(request.account_ids, request.currency);
  for (const Tier& tier : TiersNow()) {
    if (tier.stakes.variant != request.tier_variant || tier.currency != request.currency) continue;
    ground.variant_known = true;
    if (tier.stakes.base.value() == request.tier_base) ground.tier = tier;
  }
  return ground;
}

void MemoryLedgerStore::WriteLines(const Posting& posting, const Event& event,
                                   JournalNo journal_no) {
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
      if (account.standing.hold) account.standing.hold->coins = line.after->held;
      listed.sequence = line.after->last_sequence;
      listed.balance_after = line.after->coins;
      listed.position = {listed.sequence, 0};
    } else {
      listed.position = {journal_no, line_no};
    }
    listed.journal_no = journal_no;
    listed.kind = event.kind;
    listed.round_id = event.round_id;
    listed.table_id = event.table_id;
    listed.reason = event.reason;
    listed.written_at = clock_.Now();
    entries_[key].push_back(listed);
  }
}

void MemoryLedgerStore::WriteRecord(const Posting& posting, const Event& event,
                                    JournalNo journal_no) {
  JournalRecord record;
  record.journal_no = journal_no;
  record.kind = event.kind;
  record.currency = posting.currency;
  record.table_id = event.table_id;
  record.round_id = event.round_id;
  for (const Line& line : event.lines) {
    record.entries.push_back(line.entry);
    const std::string& id = line.entry.account.text;
    const auto named = std::find(record.player_ids.begin(), record.player_ids.end(), id);
    if (line.after && named == record.player_ids.end()) record.player_ids.push_back(id);
  }
  journal_[journal_no] = std::move(record);
}

absl::StatusOr<Posted> MemoryLedgerStore::Write(const Posting& posting, const Event& event) {
  std::vector<ledger::Entry> sides;
  for (const Line& line : event.lines) sides.push_back(line.entry);
  if (ledger::CheckBalanced(sides)) return absl::InternalError("entries do not sum to zero");

  Posted posted;
  if (posting.sticky) {
    posted.facts = event.facts;
    std::int64_t balance = accounts_.at({posting.account_ids[0], posting.currency}).balance;
    for (const Line& line : event.lines) {
      if (line.entry.account.text == posting.account_ids[0]) balance += line.entry.coins.value();
    }
    posted.balance = C(balance);
  }
  posted.settlement = event.settlement;
  posted.penalty = event.penalty;
  if (posting.validate_only) return posted;

  posted.journal_no = static_cast<JournalNo>(journal_.size()) + 1;
  WriteLines(posting, event, posted.journal_no);
  WriteRecord(posting, event, posted.journal_no);
  if (event.movement && !event.movement->provider.empty()) {
    const Movement& movement = *event.movement;
    references_.insert({movement.flow, movement.provider, movement.external_reference});
  }
  if (event.reverses != 0) {
    journal_.at(event.reverses).reversed_by = posted.journal_no;
    for (auto& [position, settled] : settlements_) {
      if (settled.journal_no == event.reverses) settled.reversed_by = posted.journal_no;
    }
  }
  if (ClosesRound(event.kind)) {
    Round& round = rounds_.at(event.round_id);
    round.closed = RoundClose{event.kind, posted.journal_no};
    for (const std::string& id : posting.account_ids) {
      accounts_.at({id, posting.currency}).standing.round_id.clear();
    }
    if (event.settlement) {
      settlements_[round.number] = {
          round.number,           posted.journal_no, event.round_id,    event.table_id,
          event.rulebook_version, posting.currency,  *event.settlement, clock_.Now()};
    }
  }
  return posted;
}

absl::StatusOr<PostOutcome> MemoryLedgerStore::Post(const Posting& posting, base::MonotonicTime) {
  base::MutexLock lock(mutex_);
  if (const auto found = answers_.find(posting.key.text); found != answers_.end()) {
    if (!SameRequest(found->second.key, posting.key)) {
      const auto round = rounds_.find(posting.round_id);
      return PostOutcome(
          KeyTaken{posting.sticky || round == rounds_.end() ? std::nullopt : round->second.closed});
    }
    if (const auto* refused = std::get_if<Refused>(&found->second.first)) {
      return Again<PostOutcome>(*refused);
    }
    return Again<PostOutcome>(std::get<Posted>(found->second.first));
  }
  MJ_ASSIGN_OR_RETURN(const Verdict verdict, posting.decide(GroundOf(posting)));
  if (const auto* refusal = std::get_if<Refusal>(&verdict)) {
    const AccountKey key{posting.account_ids[0], posting.currency};
    const Refused refused{*refusal, C(accounts_.at(key).balance), false};
    if (!posting.validate_only) answers_[posting.key.text] = {posting.key, refused};
    return PostOutcome(refused);
  }
  MJ_ASSIGN_OR_RETURN(const Posted posted, Write(posting, std::get<Event>(verdict)));
  if (!posting.validate_only) answers_[posting.key.text] = {posting.key, posted};
  return PostOutcome(posted);
}

Changed MemoryLedgerStore::Write(const ChangeRequest& request, const Alteration& alteration) {
  Changed changed;
  if (request.sticky) {
    changed.facts = alteration.facts;
    changed.balance = C(accounts_.at({request.account_ids[0], request.currency}).balance);
  }
  changed.round = alteration.round;
  if (request.validate_only) return changed;
  for (std::size_t at = 0; at < request.account_ids.size(); ++at) {
    accounts_.at({request.account_ids[at], request.currency}).standing = alteration.after[at];
  }
  if (alteration.round) {
    rounds_[request.round_id] = {static_cast<std::int64_t>(rounds_.size()) + 1,
                                 std::make_shared<const BegunRound>(*alteration.round),
                                 {}};
  }
  return changed;
}

absl::StatusOr<ChangeOutcome> MemoryLedgerStore::Change(const ChangeRequest& request,
                                                        base::MonotonicTime) {
  base::MutexLock lock(mutex_);
  if (const auto found = answers_.find(request.key.text); found != answers_.end()) {
    if (!SameRequest(found->second.key, request.key)) return ChangeOutcome(KeyTaken{});
    if (const auto* refused = std::get_if<Refused>(&found->second.first)) {
      return Again<ChangeOutcome>(*refused);
    }
    return Again<ChangeOutcome>(std::get<Changed>(found->second.first));
  }
  MJ_ASSIGN_OR_RETURN(const auto verdict, request.decide(GroundOf(request)));
  if (const auto* refusal = std::get_if<Refusal>(&verdict)) {
    const AccountKey key{request.account_ids[0], request.currency};
    const Refused refused{*refusal, C(accounts_.at(key).balance), false};
    if (!request.validate_only) answers_[request.key.text] = {request.key, refused};
    return ChangeOutcome(refused);
  }
  const Changed changed = Write(request, std::get<Alteration>(verdict));
  if (!request.validate_only) answers_[request.key.text] = {request.key, changed};
  return ChangeOutcome(changed);
}

absl::StatusOr<LedgerStore::RoundLookup> MemoryLedgerStore::FindRound(const std::string& round_id,
                                                                      base::MonotonicTime) {
  base::MutexLock lock(mutex_);
  const auto round = rounds_.find(round_id);
  if (round == rounds_.end()) return RoundLookup{};
  return RoundLookup{*round->second.begun, round->second.closed};
}

absl::StatusOr<std::optional<JournalRecord>> MemoryLedgerStore::FindJournal(JournalNo journal_no,
                                                                            base::MonotonicTime) {
  base::MutexLock lock(mutex_);
  const auto row = journal_.find(journal_no);
  if (row == journal_.end()) return std::optional<JournalRecord>();
  return std::optional<JournalRecord>(row->second);
}

absl::StatusOr<std::vector<ListedEntry>> MemoryLedgerStore::ListEntries(
    const AccountKey& account, std::optional<EntryPosition> before, int count_max,
    base::MonotonicTime) {
  base::MutexLock lock(mutex_);
  std::vector<ListedEntry> entries = entries_[account];
  std::sort(entries.begin(), entries.end(),
            [](const ListedEntry& a, const ListedEntry& b) { return a.position > b.position; });
  if (before) {
    std::erase_if(entries, [&](const ListedEntry& e) { return e.position >= *before; });
  }
  Limit(entries, count_max);
  return entries;
}

absl::StatusOr<std::vector<ListedEntry>> MemoryLedgerStore::ListEntriesAfter(
    const AccountKey& account, std::int64_t after, int count_max, base::MonotonicTime) {
  base::MutexLock lock(mutex_);
  std::vector<ListedEntry> entries = entries_[account];
  std::erase_if(entries, [&](const ListedEntry& e) { return e.sequence <= after; });
  Limit(entries, count_max);
  return entries;
}

absl::StatusOr<std::map<AccountKey, std::int64_t>> MemoryLedgerStore::LastSequences(
    const std::vector<AccountKey>& accounts, base::MonotonicTime) {
  base::MutexLock lock(mutex_);
  std::map<AccountKey, std::int64_t> sequences;
  for (const AccountKey& account : accounts) {
    const auto found = accounts_.find(account);
    if (found == accounts_.end() || found->second.kind != AccountKind::kPlayer) continue;
    sequences[account] = found->second.last_sequence;
  }
  return sequences;
}

absl::StatusOr<std::vector<SettledRound>> MemoryLedgerStore::ListSettlements(
    const SettlementFilter& filter, std::optional<std::int64_t> before, int count_max,
    base::MonotonicTime) {
  base::MutexLock lock(mutex_);
  std::vector<SettledRound> rounds;
  for (auto at = settlements_.rbegin(); at != settlements_.rend(); ++at) {
    const SettledRound& round = at->second;
    const auto& players = round.settlement.player_ids;
    const bool wanted = filter.account
                            ? round.currency == filter.account->currency &&
                                  std::count(players.begin(), players.end(), filter.account->id) > 0
                            : round.table_id == filter.table_id;
    if (wanted && (!before || round.position < *before)) rounds.push_back(round);
  }
  Limit(rounds, count_max);
  return rounds;
}

absl::StatusOr<std::optional<SettledRound>> MemoryLedgerStore::FindSettlement(
    const std::string& round_id, JournalNo journal_no, base::MonotonicTime) {
  base::MutexLock lock(mutex_);
  for (const auto& [position, round] : settlements_) {
    if (round_id.empty() ? round.journal_no == journal_no : round.round_id == round_id) {
      return std::optional<SettledRound>(round);
    }
  }
  return std::optional<SettledRound>();
}

// There are no chains here: what is hashed is what this store knows of a row.
absl::StatusOr<std::optional<HashedRow>> MemoryLedgerStore::FindHashedRow(
    const std::string& round_id, JournalNo journal_no, base::MonotonicTime) {
  base::MutexLock lock(mutex_);
  for (const auto& [number, record] : journal_) {
    if (round_id.empty() ? number != journal_no : record.round_id != round_id) continue;
    audit::JournalRow row;
    row.journal_no = number;
    row.table_id = record.table_id;
    row.round_id = record.round_id;
    return std::optional(HashedRow{number, audit::CanonicalText(row), audit::RowHash(row)});
  }
  return std::optional<HashedRow>();
}

absl::StatusOr<LedgerStore::Verified> MemoryLedgerStore::Verify(const std::string& place,
                                                                std::int64_t, base::MonotonicTime) {
  if (!place.empty()) return absl::InvalidArgumentError("no place of an audit");
  base::MutexLock lock(mutex_);
  Verified verified;
  verified.checked.rows = static_cast<std::int64_t>(journal_.size());
  for (const auto& [key, account] : accounts_) {
    if (account.kind == AccountKind::kPlayer) ++verified.checked.accounts;
  }
  for (const auto& [key, entries] : entries_) {
    verified.checked.entries += static_cast<std::int64_t>(entries.size());
  }
  return verified;
}

}  // namespace mj::wallet
