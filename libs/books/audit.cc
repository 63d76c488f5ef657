#include "libs/books/audit.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>

#include "libs/audit/chain.h"
#include "libs/audit/merkle.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/books/days.h"
#include "libs/books/players.h"
#include "libs/books/rows.h"

namespace mj::books {
namespace {

using audit::Fault;
using audit::Finding;
using base::Cat;
using Number = std::int64_t;

constexpr Number kRowsPage = 1'000;

constexpr std::string_view kHeads = R"sql(
SELECT head_sequence, head_hash FROM wallet.chains ORDER BY chain_no
)sql";

constexpr std::string_view kCounts = R"sql(
SELECT (SELECT count(*) FROM wallet.journal), (SELECT count(*) FROM wallet.entries)
)sql";

constexpr std::string_view kOrphan = R"sql(
SELECT e.journal_no, e.account_no FROM wallet.entries e
WHERE NOT EXISTS (SELECT FROM wallet.journal j
                  WHERE j.journal_no = e.journal_no AND j.written_at = e.written_at)
ORDER BY e.journal_no, e.line_no LIMIT 1
)sql";

constexpr std::string_view kHouse = R"sql(
SELECT a.account_id, a.currency, count(e.coins), coalesce(sum(e.coins), 0)::bigint
FROM wallet.accounts a LEFT JOIN wallet.entries e ON e.account_no = a.account_no
WHERE a.kind <> 'player' GROUP BY a.account_id, a.currency ORDER BY a.account_id, a.currency
)sql";

// A day as the rows make it, while chain after chain goes by.
struct DayInMaking {
  audit::MerkleRoot tree;
  std::array<audit::ChainSpan, audit::kChains> chains;
  std::array<bool, audit::kChains> touched{};
};

class Run {
 public:
  Run(pg::Transaction& tx, const AuditOptions& options) : tx_(tx), options_(options) {}

  absl::StatusOr<AuditReport> All() {
    MJ_RETURN_IF_ERROR(Begin());
    const auto steps = {&Run::Chains,  &Run::Days,     &Run::Exports,
                        &Run::Orphans, &Run::Accounts, &Run::Sums};
    for (const auto step : steps) {
      MJ_RETURN_IF_ERROR((this->*step)());
      if (report_.finding) break;
    }
    return std::move(report_);
  }

 private:
  bool Whole() const { return options_.from.empty() && options_.to.empty(); }

  absl::Status Begin() {
    for (const std::string* const day : {&options_.from, &options_.to}) {
      if (!day->empty() && !audit::DayBegins(*day)) {
        return absl::InvalidArgumentError(Cat("got ", *day, ", want YYYY-MM-DD"));
      }
    }
    if (!options_.to.empty()) end_ = *audit::DayEnds(options_.to);
    MJ_ASSIGN_OR_RETURN(sealed_, ReadDays(tx_));
    if (options_.from.empty()) return absl::OkStatus();
    const std::string before = audit::DayBefore(options_.from);
    for (const audit::Day& day : sealed_) {
      if (day.day != before) continue;
      for (std::size_t chain = 0; chain < audit::kChains; ++chain) {
        begin_[chain] = {day.chains[chain].last, day.chains[chain].last_hash};
      }
      return absl::OkStatus();
    }
    // Nothing before the first row has to be trusted.
    if (sealed_.empty() || sealed_.front().day != options_.from) {
      return absl::FailedPreconditionError(
          Cat("from: the day before it, ", before, ", is not sealed"));
    }
    return absl::OkStatus();
  }

  void Fail(Finding finding) {
    if (!report_.finding) report_.finding = std::move(finding);
  }

  absl::Status Chains() {
    MJ_ASSIGN_OR_RETURN(const pg::Result result, tx_.Execute(kHeads));
    MJ_ASSIGN_OR_RETURN(const auto heads, (result.Rows<Number, pg::Bytes>()));
    for (std::size_t chain = 0; chain < audit::kChains && !report_.finding; ++chain) {
      audit::ChainPlace head;
      if (chain < heads.size()) {
        const auto& [sequence, hash] = heads[chain];
        head = {sequence, audit::DigestFromBytes(hash.data).value_or(audit::kNothingBefore)};
      }
      MJ_RETURN_IF_ERROR(Chain(static_cast<Number>(chain), head));
    }
    return absl::OkStatus();
  }

  absl::Status Chain(Number chain_no, const audit::ChainPlace& head) {
    const auto chain = static_cast<std::size_t>(chain_no);
    audit::ChainVerifier verifier(chain_no, begin_[chain]);
    const Number rows_before = report_.rows;
    bool over = false;
    for (Number after = begin_[chain].sequence; !over;) {
      MJ_ASSIGN_OR_RETURN(const std::vector<ReadRow> page,
                          ReadRows(tx_, chain_no, after, kRowsPage));
      for (const ReadRow& read : page) {
        if (read.row.written_at >= end_) {
          over = true;
          break;
        }
        if (auto finding = verifier.Next(read.row, read.hash)) {
          Fail(*std::move(finding));
          return absl::OkStatus();
        }
        if (read.torn) {
          Fail({Fault::kRowChanged, chain_no, read.row.chain_sequence, read.row.journal_no, 0, 0,
                "", "its entries have another time, or are not numbered from 1"});
          return absl::OkStatus();
        }
        Count(read);
        after = read.row.chain_sequence;
      }
      if (static_cast<Number>(page.size()) < kRowsPage) over = true;
    }
    if (report_.rows > rows_before) ++report_.chains;
    if (options_.to.empty()) {
      if (auto finding = verifier.Finish(head)) Fail(*std::move(finding));
    }
    return absl::OkStatus();
  }

  void Count(const ReadRow& read) {
    ++report_.rows;
    report_.entries += static_cast<Number>(read.row.entries.size());
    const auto chain = static_cast<std::size_t>(read.row.chain_no);
    DayInMaking& day = days_[audit::DayOf(read.row.written_at)];
    day.tree.Add(audit::AsBytes(read.hash));
    audit::ChainSpan& span = day.chains[chain];
    if (!day.touched[chain]) span.first = read.row.chain_sequence;
    day.touched[chain] = true;
    span.last = read.row.chain_sequence;
    span.last_hash = read.hash;
  }

  // The day as the rows that were read make it. Days are asked for in order: `place` is where the
  // chains stood at the end of the day before, and is moved to the end of this one.
  audit::Day Made(const std::string& name, std::array<audit::ChainPlace, audit::kChains>& place) {
    audit::Day day;
    day.day = name;
    day.root = audit::MerkleRoot().Root();
    const auto made = days_.find(name);
    if (made != days_.end()) {
      day.rows = made->second.tree.size();
      day.root = made->second.tree.Root();
    }
    for (std::size_t chain = 0; chain < audit::kChains; ++chain) {
      if (made != days_.end() && made->second.touched[chain]) {
        day.chains[chain] = made->second.chains[chain];
        place[chain] = {day.chains[chain].last, day.chains[chain].last_hash};
      } else {
        day.chains[chain] = {place[chain].sequence + 1, place[chain].sequence, place[chain].hash};
      }
    }
    return day;
  }

  bool InRange(const std::string& day) const {
    return (options_.from.empty() || day >= options_.from) &&
           (options_.to.empty() || day <= options_.to);
  }

  absl::Status Days() {
    std::array<audit::ChainPlace, audit::kChains> place = begin_;
    const audit::Day* before = nullptr;
    for (const audit::Day& sealed : sealed_) {
      const audit::Digest previous = before == nullptr ? audit::kNothingBefore : before->root;
      before = &sealed;
      if (!InRange(sealed.day)) continue;
      audit::Day made = Made(sealed.day, place);
      made.previous_root = previous;
      ++report_.days;
      made_[sealed.day] = made;
      if (auto finding = CompareDays(sealed, made)) {
        Fail(*std::move(finding));
        return absl::OkStatus();
      }
    }
    return absl::OkStatus();
  }

  absl::Status Exports() {
    for (const audit::Day& exported : options_.exported) {
      const auto made = made_.find(exported.day);
      ++report_.roots;
      if (made != made_.end() && made->second == exported) continue;
      Finding finding;
      finding.fault = Fault::kRootWrong;
      finding.day = exported.day;
      if (made == made_.end()) {
        finding.why = "it was signed as sealed, and is not sealed here";
        Fail(std::move(finding));
        return absl::OkStatus();
      }
      const audit::Day& here = made->second;
      finding.why = Cat("it was signed with root ", audit::ToHex(exported.root), "; its rows make ",
                        audit::ToHex(here.root));
      for (std::size_t chain = 0; chain < audit::kChains; ++chain) {
        if (here.chains[chain] == exported.chains[chain]) continue;
        finding.chain_no = static_cast<Number>(chain);
        finding.chain_sequence = exported.chains[chain].last;
        finding.why.append("; this chain was made anew up to that row");
        break;
      }
      Fail(std::move(finding));
      return absl::OkStatus();
    }
    return absl::OkStatus();
  }

  absl::Status Orphans() {
    if (!Whole()) return absl::OkStatus();
    MJ_ASSIGN_OR_RETURN(const pg::Result result, tx_.Execute(kCounts));
    MJ_ASSIGN_OR_RETURN(const auto counts, (result.One<Number, Number>()));
    const auto& [rows, entries] = counts;
    if (rows != report_.rows) {
      Finding finding;
      finding.fault = Fault::kRowOutOfPlace;
      finding.why = Cat(std::to_string(rows - report_.rows), " journal rows are in no chain");
      Fail(std::move(finding));
    }
    if (report_.finding || entries == report_.entries) return absl::OkStatus();
    MJ_ASSIGN_OR_RETURN(const pg::Result orphan, tx_.Execute(kOrphan));
    MJ_ASSIGN_OR_RETURN(const auto row, (orphan.AtMostOne<Number, Number>()));
    Finding finding;
    finding.fault = Fault::kEntryOrphaned;
    if (row) std::tie(finding.journal_no, finding.account_no) = *row;
    finding.why = "an entry without its journal row";
    Fail(std::move(finding));
    return absl::OkStatus();
  }

  absl::Status Accounts() {
    if (!Whole()) return absl::OkStatus();
    report_.accounts_checked = true;
    PlayerAccounts players(tx_, 0);
    while (true) {
      MJ_ASSIGN_OR_RETURN(std::optional<CheckedPlayer> checked, players.Next());
      if (!checked) return absl::OkStatus();
      if (checked->finding) {
        Fail(*std::move(checked->finding));
        return absl::OkStatus();
      }
      ++report_.accounts;
      report_.players[checked->currency] += checked->coins;
    }
  }

  absl::Status Sums() {
    if (!Whole()) return absl::OkStatus();
    MJ_ASSIGN_OR_RETURN(const pg::Result result, tx_.Execute(kHouse));
    MJ_ASSIGN_OR_RETURN(const auto rows, (result.Rows<std::string, std::string, Number, Number>()));
    audit::CurrencyTotals totals;
    for (const auto& [currency, coins] : report_.players) totals.Add(currency, coins);
    for (const auto& [id, currency, count, coins] : rows) {
      report_.house[Cat(id, " ", currency)] = coins;
      totals.Add(currency, coins);
    }
    for (const auto& [currency, total] : totals.totals()) {
      if (total == 0) continue;
      Finding finding;
      finding.fault = Fault::kBalanceWrong;
      finding.why = Cat("players and house together do not have 0 ", currency);
      Fail(std::move(finding));
    }
    return absl::OkStatus();
  }

  pg::Transaction& tx_;
  const AuditOptions& options_;
  AuditReport report_;
  Number end_ = std::numeric_limits<Number>::max();
  std::array<audit::ChainPlace, audit::kChains> begin_;
  std::vector<audit::Day> sealed_;
  std::map<std::string, DayInMaking> days_;
  std::map<std::string, audit::Day> made_;
};

}  // namespace

absl::StatusOr<AuditReport> Audit(pg::Pool& pool, const AuditOptions& options,
                                  base::MonotonicTime deadline) {
  AuditReport report;
  const pg::RunOptions snapshot{.deadline = deadline,
                                .isolation = pg::RunOptions::Isolation::kRepeatableRead,
                                .read_only = true};
  MJ_RETURN_IF_ERROR(pool.Run(snapshot, [&](pg::Transaction& tx) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(report, Run(tx, options).All());
    return absl::OkStatus();
  }));
  return report;
}

}  // namespace mj::books
