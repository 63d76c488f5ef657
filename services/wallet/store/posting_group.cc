#include "services/wallet/store/posting_group.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/ledger/journal.h"
#include "services/wallet/store/names.h"
#include "services/wallet/store/posting_rows.h"
#include "services/wallet/store/settlement_rows.h"

namespace mj::wallet::store {
namespace {

using base::Cat;
using Outcome = absl::StatusOr<PostOutcome>;

constexpr std::string_view kOk = "OK";

// A key that was used a moment ago, as that of another transaction, is found when this one is run
// again. More often than this it is something else that stands there twice.
constexpr int kRunsForKeys = 3;

// What the schema refuses here is no question of the caller's: the decision was wrong.
absl::Status AsBug(const absl::Status& status) {
  if (!absl::IsFailedPrecondition(status) && !absl::IsAlreadyExists(status)) return status;
  return absl::InternalError(status.message());
}

// How a round was closed, if it is what was written under a key that is not a request's.
std::optional<RoundClose> CloseOf(const FirstAnswer& before) {
  const auto kind = JournalKindFromSql(before.outcome);
  if (!kind) return std::nullopt;
  return RoundClose{*kind, before.journal_no};
}

// The same answer as before, or KeyTaken.
absl::StatusOr<PostOutcome> FromMemory(pg::Transaction& tx, const Posting& posting,
                                       const FirstAnswer& before) {
  if (before.content_version != posting.key.content_version ||
      before.content_hash != ContentHash(posting.key)) {
    return PostOutcome(KeyTaken{posting.sticky ? std::nullopt : CloseOf(before)});
  }
  Posted posted;
  posted.journal_no = before.journal_no;
  posted.balance = before.balance;
  posted.facts = before.facts;
  posted.again = true;
  if (posting.sticky) {
    if (before.outcome == kOk) return PostOutcome(std::move(posted));
    const auto reason = base::ReasonByName(before.outcome);
    if (!reason) return absl::InternalError(Cat("a remembered outcome is ", before.outcome));
    return PostOutcome(Refused{{*reason, before.facts}, before.balance, true});
  }
  if (before.outcome == ToSql(JournalKind::kSettlement)) {
    MJ_ASSIGN_OR_RETURN(posted.settlement, ReadSettlement(tx, before.journal_no));
  } else if (before.outcome == ToSql(JournalKind::kPenalty)) {
    MJ_ASSIGN_OR_RETURN(posted.penalty, ReadPenalty(tx, before.journal_no));
  }
  return PostOutcome(std::move(posted));
}

// The group's state while its postings are decided one after the other.
class Decisions {
 public:
  Decisions(pg::Transaction& tx, GroundRows ground, const std::map<Currency, AccountNos>& house,
            const PostingGroupWriter::Decide& decide)
      : tx_(tx), ground_(std::move(ground)), house_(house), decide_(decide), rows_(ground_.head) {}

  Outcome Next(PendingPosting& pending) {
    const Posting& posting = pending.posting();
    if (const auto before = given_.find(posting.key.text); before != given_.end()) {
      return Again(before->second, posting);
    }
    if (const auto before = ground_.answers.find(posting.key.text);
        before != ground_.answers.end()) {
      return FromMemory(tx_, posting, before->second);
    }
    MJ_ASSIGN_OR_RETURN(const Verdict verdict, decide_(pending, GroundOf(posting)));
    const auto* const refusal = std::get_if<Refusal>(&verdict);
    Outcome outcome =
        refusal != nullptr ? Refuse(posting, *refusal) : Accept(posting, std::get<Event>(verdict));
    if (outcome.ok() && !posting.validate_only) {
      given_.try_emplace(posting.key.text, Given{&posting, *outcome, KindOf(verdict)});
    }
    return outcome;
  }

  // What all of them come to.
  const PostingRows& Rows() {
    for (const AccountKey& account : touched_) rows_.AddBalance(ground_.players.at(account));
    touched_.clear();
    return rows_;
  }

 private:
  struct Given {
    const Posting* posting;
    PostOutcome outcome;
    std::optional<JournalKind> kind;  // of what was posted
  };

  static std::optional<JournalKind> KindOf(const Verdict& verdict) {
    const auto* const event = std::get_if<Event>(&verdict);
    return event == nullptr ? std::nullopt : std::optional(event->kind);
  }

  static PostOutcome Again(const Given& first, const Posting& posting) {
    if (first.posting->key.content_version != posting.key.content_version ||
        first.posting->key.content != posting.key.content) {
      if (posting.sticky || !first.kind) return KeyTaken{};
      return KeyTaken{RoundClose{*first.kind, std::get<Posted>(first.outcome).journal_no}};
    }
    PostOutcome again = first.outcome;
    if (auto* const posted = std::get_if<Posted>(&again)) posted->again = true;
    if (auto* const refused = std::get_if<Refused>(&again)) refused->again = true;
    return again;
  }

  Ground GroundOf(const Posting& posting) const {
    Ground ground;
    ground.now = ground_.now;
    for (const std::string& id : posting.account_ids) {
      const auto player = ground_.players.find({id, posting.currency});
      if (player != ground_.players.end()) {
        ground.accounts.push_back(player->second.found);
      } else {
        ground.accounts.emplace_back().what = ground_.others.at({id, posting.currency});
      }
    }
    if (const auto round = ground_.rounds.find(posting.round_id); round != ground_.rounds.end()) {
      ground.round = round->second.begun;
    }
    ground.reference_used =
        posting.movement && ground_.references.count(KeyOf(*posting.movement)) > 0;
    if (const auto by = ground_.reversed.find(posting.reverses); by != ground_.reversed.end()) {
      ground.reversed_by = by->second;
    }
    return ground;
  }

  LockedPlayer* First(const Posting& posting) {
    if (posting.account_ids.empty()) return nullptr;
    const auto player = ground_.players.find({posting.account_ids[0], posting.currency});
    return player == ground_.players.end() ? nullptr : &player->second;
  }

  Outcome Refuse(const Posting& posting, const Refusal& refusal) {
    if (!posting.sticky) return absl::InternalError("a refusal of what is not remembered");
    const LockedPlayer* const first = First(posting);
    if (first == nullptr) return absl::InternalError("a refusal without an account");
    const Coins balance = first->found.balance.coins;
    if (!posting.validate_only) {
      rows_.AddRequest(posting.key, base::InfoOf(refusal.reason).name, refusal.facts,
                       first->account_no, 0, balance);
    }
    return PostOutcome(Refused{refusal, balance, false});
  }

  // Numbers of all accounts that the event may move coins on; a bug's if it does on others.
  absl::StatusOr<AccountNos> AccountNosOf(const Posting& posting, const Event& event) const {
    AccountNos account_nos = house_.at(posting.currency);
    for (const std::string& id : posting.account_ids) {
      const auto player = ground_.players.find({id, posting.currency});
      if (player != ground_.players.end()) account_nos[id] = player->second.account_no;
    }
    std::vector<ledger::Entry> entries;
    for (const Line& line : event.lines) {
      entries.push_back(line.entry);
      if (account_nos.count(line.entry.account.text) == 0) {
        return absl::InternalError(Cat("an entry on ", line.entry.account.text, ", not locked"));
      }
    }
    if (ledger::CheckBalanced(entries)) {
      return absl::InternalError("entries that do not sum to zero");
    }
    for (const auto* const players : {event.settlement ? &event.settlement->player_ids : nullptr,
                                      event.penalty ? &event.penalty->player_ids : nullptr}) {
      if (players == nullptr) continue;
      for (const std::string& id : *players) {
        if (account_nos.count(id) == 0) {
          return absl::InternalError(Cat("a seat of ", id, ", not locked"));
        }
      }
    }
    return account_nos;
  }

  Outcome Accept(const Posting& posting, const Event& event) {
    MJ_ASSIGN_OR_RETURN(const AccountNos account_nos, AccountNosOf(posting, event));
    std::int64_t round_no = 0;
    if (ClosesRound(event.kind)) {
      const auto round = ground_.rounds.find(event.round_id);
      if (round == ground_.rounds.end()) {
        return absl::InternalError("the close of a round that was not begun");
      }
      round_no = round->second.round_no;
    }
    const LockedPlayer* const first = First(posting);
    if (posting.sticky && first == nullptr) {
      return absl::InternalError("an answer without an account");
    }
    Posted posted;
    posted.settlement = event.settlement;
    posted.penalty = event.penalty;
    if (posting.sticky) {
      posted.facts = event.facts;
      posted.balance = first->found.balance.coins;
      for (const Line& line : event.lines) {
        if (line.after && line.entry.account.text == posting.account_ids[0]) {
          posted.balance = line.after->coins;
        }
      }
    }
    if (posting.validate_only) return PostOutcome(std::move(posted));

    posted.journal_no = rows_.AddEvent(posting, event, account_nos, round_no);
    Follow(posting, event, posted.journal_no);
    if (posting.sticky) {
      rows_.AddRequest(posting.key, kOk, event.facts, first->account_no, posted.journal_no,
                       posted.balance);
    }
    return PostOutcome(std::move(posted));
  }

  // Whoever comes next in the group stands on what this one left.
  void Follow(const Posting& posting, const Event& event, JournalNo journal_no) {
    for (const Line& line : event.lines) {
      const AccountKey account{line.entry.account.text, posting.currency};
      const auto player = ground_.players.find(account);
      if (!line.after || player == ground_.players.end()) continue;
      Found& found = player->second.found;
      found.balance = *line.after;
      if (found.standing.hold) found.standing.hold->coins = line.after->held;
      touched_.insert(account);
    }
    if (ClosesRound(event.kind)) {
      for (const std::string& id : posting.account_ids) Free({id, posting.currency});
    }
    if (event.movement && !event.movement->provider.empty()) {
      ground_.references.insert(KeyOf(*event.movement));
    }
    if (event.reverses != 0) ground_.reversed[event.reverses] = journal_no;
  }

  // A player whose round is over. Its seat is held on only until its time.
  void Free(const AccountKey& account) {
    const auto at = ground_.players.find(account);
    if (at == ground_.players.end()) return;
    Found& found = at->second.found;
    at->second.round_no = 0;
    found.standing.round_id.clear();
    if (found.standing.hold && found.standing.hold->until <= ground_.now) {
      found.standing.hold.reset();
      found.balance.held = Coins();
    }
    touched_.insert(account);
  }

  pg::Transaction& tx_;
  GroundRows ground_;
  const std::map<Currency, AccountNos>& house_;
  const PostingGroupWriter::Decide& decide_;
  PostingRows rows_;
  std::map<std::string, Given> given_;  // by key
  std::set<AccountKey> touched_;
};

}  // namespace

absl::StatusOr<AccountNos> PostingGroupWriter::House(pg::Transaction& tx, Currency currency) {
  {
    base::MutexLock lock(mutex_);
    if (const auto found = house_.find(currency); found != house_.end()) return found->second;
  }
  MJ_ASSIGN_OR_RETURN(AccountNos house, ReadHouse(tx, currency));
  base::MutexLock lock(mutex_);
  house_[currency] = house;
  return house;
}

absl::Status PostingGroupWriter::WriteTogether(GroupCommit::Group group,
                                               base::MonotonicTime deadline) {
  // By key, so that two groups never wait for each other's keys in a circle.
  std::vector<PendingPosting*> order;
  for (const auto& pending : group) order.push_back(pending.get());
  std::stable_sort(order.begin(), order.end(),
                   [](const PendingPosting* a, const PendingPosting* b) {
                     return a->posting().key.text < b->posting().key.text;
                   });
  std::vector<const Posting*> postings;
  for (const PendingPosting* pending : order) postings.push_back(&pending->posting());

  std::vector<Outcome> outcomes;
  int runs = 0;
  MJ_RETURN_IF_ERROR(pool_.Run({.deadline = deadline}, [&](pg::Transaction& tx) -> absl::Status {
    outcomes.clear();
    ++runs;
    std::map<Currency, AccountNos> house;
    for (const Posting* posting : postings) {
      if (house.count(posting->currency) > 0) continue;
      MJ_ASSIGN_OR_RETURN(house[posting->currency], House(tx, posting->currency));
    }
    MJ_ASSIGN_OR_RETURN(GroundRows ground, ReadGround(tx, postings, rulebooks_));
    Decisions decisions(tx, std::move(ground), house, decide_);
    for (PendingPosting* pending : order) outcomes.push_back(decisions.Next(*pending));
    const PostingRows& rows = decisions.Rows();
    if (rows.empty()) return absl::OkStatus();
    const absl::Status written = tx.ExecuteAndCommit(rows.Statements()).status();
    if (absl::IsAlreadyExists(written) && runs < kRunsForKeys) {
      return absl::AbortedError("a key was used a moment ago");
    }
    return written;
  }));
  for (std::size_t at = 0; at < order.size(); ++at) order[at]->outcome = std::move(outcomes[at]);
  return absl::OkStatus();
}

void PostingGroupWriter::Write(GroupCommit::Group group, base::MonotonicTime deadline) {
  const absl::Status status = WriteTogether(group, deadline);
  if (status.ok()) return;
  const bool one_of_them =
      !absl::IsUnavailable(status) && !absl::IsAborted(status) && !absl::IsDeadlineExceeded(status);
  if (one_of_them && group.size() > 1) {
    for (std::size_t at = 0; at < group.size(); ++at) Write(group.subspan(at, 1), deadline);
    return;
  }
  for (const auto& pending : group) pending->outcome = AsBug(status);
}

}  // namespace mj::wallet::store
