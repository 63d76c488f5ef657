#include "libs/books/steps.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "libs/audit/chain.h"
#include "libs/audit/day.h"
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
using Part = AuditPlace::Part;

constexpr std::string_view kVersion = "a1";
constexpr Number kRowsPage = 1'000;
constexpr Number kHashesForARow = 16;

constexpr std::string_view kHead = R"sql(
SELECT head_sequence, head_hash FROM wallet.chains WHERE chain_no = $1
)sql";

// A row before the first of a chain, or of no chain ($2: the last).
constexpr std::string_view kOutside = R"sql(
SELECT journal_no, chain_sequence FROM wallet.journal WHERE chain_no = $1 AND chain_sequence < 1
UNION ALL
SELECT journal_no, chain_sequence FROM wallet.journal WHERE chain_no < 0
UNION ALL
SELECT journal_no, chain_sequence FROM wallet.journal WHERE chain_no > $2
LIMIT 1
)sql";

constexpr std::string_view kNextDay = R"sql(
SELECT to_char(day, 'YYYY-MM-DD') FROM wallet.ledger_days
WHERE $1 = '' OR day > nullif($1, '')::date ORDER BY day LIMIT 1
)sql";

// The partial index of the house's entries; a player has none of these.
constexpr std::string_view kHouse = R"sql(
SELECT e.account_no, e.journal_no,
       EXISTS (SELECT FROM wallet.journal j
               WHERE j.journal_no = e.journal_no AND j.written_at = e.written_at)
FROM wallet.entries e
WHERE e.sequence IS NULL AND (e.account_no, e.journal_no) > ($1::bigint, $2::bigint)
ORDER BY e.account_no, e.journal_no, e.line_no LIMIT $3
)sql";

class Step {
 public:
  Step(pg::Transaction& tx, const AuditPlace& from, Number rows_max)
      : tx_(tx), left_(std::max<Number>(rows_max, 1)) {
    step_.next = from;
  }

  absl::StatusOr<AuditStep> Go() {
    while (left_ > 0 && !step_.finding && step_.next.part != Part::kOver) {
      MJ_RETURN_IF_ERROR(Next());
    }
    return std::move(step_);
  }

 private:
  absl::Status Next() {
    switch (step_.next.part) {
      case Part::kChains:
        return Chain();
      case Part::kDays:
        return Day();
      case Part::kPlayers:
        return Players();
      case Part::kHouse:
        return House();
      case Part::kOver:
        break;
    }
    return absl::OkStatus();
  }
  void GoOnTo(AuditPlace place) { step_.next = std::move(place); }
  void Fail(Finding finding) { step_.finding = std::move(finding); }

  // A page of a chain, from its last row that was checked on.
  absl::Status Chain() {
    AuditPlace& place = step_.next;
    const Number before = std::max<Number>(place.sequence - 1, 0);
    const Number count = std::min(left_, kRowsPage) + (place.sequence - before);
    MJ_ASSIGN_OR_RETURN(const std::vector<ReadRow> page,
                        ReadRows(tx_, place.number, before, count));
    audit::ChainPlace begin{before, audit::kNothingBefore};
    if (place.sequence > 0) {
      const bool missing = page.empty() || page[0].row.chain_sequence != place.sequence;
      if (missing || page[0].hash != place.hash) {
        Finding finding;
        finding.fault = missing ? Fault::kRowMissing : Fault::kRowChanged;
        finding.chain_no = place.number;
        finding.chain_sequence = place.sequence;
        finding.why = "the row is not what it was when this audit had come to it";
        Fail(std::move(finding));
        return absl::OkStatus();
      }
      begin.hash = page[0].row.previous_hash;
    }
    audit::ChainVerifier verifier(place.number, begin);
    for (const ReadRow& read : page) {
      if (auto finding = verifier.Next(read.row, read.hash)) {
        Fail(*std::move(finding));
        return absl::OkStatus();
      }
      if (read.torn) {
        Fail({Fault::kRowChanged, place.number, read.row.chain_sequence, read.row.journal_no, 0, 0,
              "", "its entries have another time, or are not numbered from 1"});
        return absl::OkStatus();
      }
      if (read.row.chain_sequence > place.sequence) {
        ++step_.rows;
        --left_;
      }
    }
    step_.reached[place.number] = verifier.at().sequence;
    if (static_cast<Number>(page.size()) < count) return EndOfChain(verifier);
    place.sequence = page.back().row.chain_sequence;
    place.hash = page.back().hash;
    return absl::OkStatus();
  }

  absl::Status EndOfChain(const audit::ChainVerifier& verifier) {
    const Number chain_no = step_.next.number;
    MJ_ASSIGN_OR_RETURN(const pg::Result result, tx_.Execute(kHead, chain_no));
    MJ_ASSIGN_OR_RETURN(const auto row, (result.AtMostOne<Number, pg::Bytes>()));
    audit::ChainPlace head;
    if (row) {
      head = {std::get<0>(*row),
              audit::DigestFromBytes(std::get<1>(*row).data).value_or(audit::kNothingBefore)};
    }
    if (auto finding = verifier.Finish(head)) {
      Fail(*std::move(finding));
      return absl::OkStatus();
    }
    const Number last_chain = static_cast<Number>(audit::kChains) - 1;
    MJ_ASSIGN_OR_RETURN(const pg::Result outside, tx_.Execute(kOutside, chain_no, last_chain));
    MJ_ASSIGN_OR_RETURN(const auto stray, (outside.AtMostOne<Number, Number>()));
    if (stray) {
      Finding finding;
      finding.fault = Fault::kRowOutOfPlace;
      std::tie(finding.journal_no, finding.chain_sequence) = *stray;
      finding.why = "it is in no chain";
      Fail(std::move(finding));
      return absl::OkStatus();
    }
    if (chain_no < last_chain) {
      GoOnTo({.part = Part::kChains, .number = chain_no + 1});
    } else {
      GoOnTo({.part = Part::kDays});
    }
    return absl::OkStatus();
  }

  absl::Status Day() {
    MJ_ASSIGN_OR_RETURN(const pg::Result result, tx_.Execute(kNextDay, step_.next.day));
    MJ_ASSIGN_OR_RETURN(const auto name, result.AtMostOne<std::string>());
    if (!name) {
      GoOnTo({.part = Part::kPlayers});
      return absl::OkStatus();
    }
    const std::string& day = std::get<0>(*name);
    MJ_ASSIGN_OR_RETURN(const std::optional<audit::Day> sealed, ReadDay(tx_, day));
    if (!sealed) return absl::InternalError(Cat("ledger day ", day, " is gone within a snapshot"));
    // The first sealed day has none before it; of all others the day before is sealed.
    std::optional<audit::Day> before;
    if (!step_.next.day.empty()) {
      MJ_ASSIGN_OR_RETURN(before, ReadDay(tx_, step_.next.day));
    }
    MJ_ASSIGN_OR_RETURN(audit::Day made, MakeDay(tx_, before, day));
    for (std::size_t chain = 0; chain < audit::kChains; ++chain) {
      made.chains[chain].last_hash = sealed->chains[chain].last_hash;
    }
    if (auto finding = CompareDays(*sealed, made)) {
      Fail(*std::move(finding));
      return absl::OkStatus();
    }
    ++step_.days;
    left_ -= 1 + made.rows / kHashesForARow;
    GoOnTo({.part = Part::kDays, .day = day});
    return absl::OkStatus();
  }

  absl::Status Players() {
    PlayerAccounts players(tx_, step_.next.number);
    while (left_ > 0) {
      MJ_ASSIGN_OR_RETURN(std::optional<CheckedPlayer> checked, players.Next());
      if (!checked) {
        GoOnTo({.part = Part::kHouse});
        return absl::OkStatus();
      }
      step_.entries += checked->entries;
      left_ -= 1 + checked->entries;
      if (checked->finding) {
        Fail(*std::move(checked->finding));
        return absl::OkStatus();
      }
      ++step_.accounts;
      step_.next.number = checked->account_no;
    }
    return absl::OkStatus();
  }

  absl::Status House() {
    AuditPlace& place = step_.next;
    const Number count = std::min(left_, kRowsPage);
    MJ_ASSIGN_OR_RETURN(const pg::Result result,
                        tx_.Execute(kHouse, place.number, place.sequence, count));
    MJ_ASSIGN_OR_RETURN(const auto rows, (result.Rows<Number, Number, bool>()));
    for (const auto& [account_no, journal_no, in_journal] : rows) {
      if (!in_journal) {
        Finding finding;
        finding.fault = Fault::kEntryOrphaned;
        finding.account_no = account_no;
        finding.journal_no = journal_no;
        finding.why = "an entry without its journal row";
        Fail(std::move(finding));
        return absl::OkStatus();
      }
      ++step_.entries;
      --left_;
      place.number = account_no;
      place.sequence = journal_no;
    }
    if (static_cast<Number>(rows.size()) < count) GoOnTo({.part = Part::kOver});
    return absl::OkStatus();
  }

  pg::Transaction& tx_;
  Number left_;
  AuditStep step_;
};

}  // namespace

std::string ToText(const AuditPlace& place) {
  return Cat(kVersion, ".", std::to_string(static_cast<int>(place.part)), ".",
             std::to_string(place.number), ".", std::to_string(place.sequence), ".",
             audit::ToHex(place.hash), ".", place.day);
}

std::optional<AuditPlace> PlaceFromText(std::string_view text) {
  const std::vector<std::string_view> parts = base::Split(text, '.');
  if (parts.size() != 6 || parts[0] != kVersion) return std::nullopt;
  const auto part = base::ParseInt64(parts[1]);
  const auto number = base::ParseInt64(parts[2]);
  const auto sequence = base::ParseInt64(parts[3]);
  const auto hash = audit::DigestFromHex(parts[4]);
  if (!part || *part < 0 || *part > static_cast<Number>(Part::kOver) || !number || *number < 0 ||
      !sequence || *sequence < 0 || !hash) {
    return std::nullopt;
  }
  AuditPlace place{.part = static_cast<Part>(*part),
                   .number = *number,
                   .sequence = *sequence,
                   .hash = *hash,
                   .day = std::string(parts[5])};
  const bool chain = place.part == Part::kChains;
  if (chain && place.number >= static_cast<Number>(audit::kChains)) return std::nullopt;
  if (!place.day.empty() && !audit::DayBegins(place.day)) return std::nullopt;
  // Only one text for each place.
  if (ToText(place) != text) return std::nullopt;
  return place;
}

absl::StatusOr<AuditStep> AuditFrom(pg::Pool& pool, const AuditPlace& from, std::int64_t rows_max,
                                    base::MonotonicTime deadline) {
  AuditStep step;
  const pg::RunOptions snapshot{.deadline = deadline,
                                .isolation = pg::RunOptions::Isolation::kRepeatableRead,
                                .read_only = true};
  MJ_RETURN_IF_ERROR(pool.Run(snapshot, [&](pg::Transaction& tx) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(step, Step(tx, from, rows_max).Go());
    return absl::OkStatus();
  }));
  return step;
}

}  // namespace mj::books
