#include "libs/books/days.h"

#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>

#include "libs/audit/canonical.h"
#include "libs/audit/merkle.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/books/rows.h"

namespace mj::books {
namespace {

using base::Cat;
using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t kPage = 20'000;

constexpr std::string_view kReadDays = R"sql(
SELECT to_char(day, 'YYYY-MM-DD'), rows, root, previous_root, first_sequences, last_sequences
FROM wallet.ledger_days WHERE $1 = '' OR day = nullif($1, '')::date ORDER BY day
)sql";

constexpr std::string_view kLastDay = R"sql(
SELECT to_char(day, 'YYYY-MM-DD') FROM wallet.ledger_days ORDER BY day DESC LIMIT 1
)sql";

constexpr std::string_view kFirstRow = R"sql(
SELECT (extract(epoch FROM min(written_at)) * 1000000)::bigint FROM wallet.journal
WHERE chain_sequence = 1
)sql";

constexpr std::string_view kHashesAt = R"sql(
SELECT j.chain_no, j.hash
FROM unnest($1::smallint[], $2::bigint[]) at (chain_no, chain_sequence)
JOIN wallet.journal j USING (chain_no, chain_sequence)
)sql";

constexpr std::string_view kEndDay = "SELECT wallet.end_day($1::date)";

constexpr std::string_view kHashes = R"sql(
SELECT chain_sequence, hash FROM wallet.journal
WHERE chain_no = $1 AND chain_sequence > $2
  AND written_at < 'epoch'::timestamptz + $3::bigint * interval '1 microsecond'
ORDER BY chain_sequence LIMIT $4
)sql";

constexpr std::string_view kInsertDay = R"sql(
INSERT INTO wallet.ledger_days (day, rows, root, previous_root, first_sequences, last_sequences)
VALUES ($1::date, $2, $3, $4, $5::bigint[], $6::bigint[]) ON CONFLICT (day) DO NOTHING
)sql";

pg::Bytes BytesOf(const audit::Digest& digest) { return {std::string(audit::AsBytes(digest))}; }

absl::Status Corrupt(std::string_view day) {
  return absl::InternalError(Cat("ledger day ", day, " holds what no day can hold"));
}

// Hashes of the chains' last rows; a row that is not there leaves zeros, which fit nothing.
absl::Status FillLastHashes(pg::Transaction& tx, audit::Day& day) {
  Numbers chain_nos;
  Numbers sequences;
  for (std::size_t chain = 0; chain < audit::kChains; ++chain) {
    chain_nos.push_back(static_cast<std::int64_t>(chain));
    sequences.push_back(day.chains[chain].last);
  }
  MJ_ASSIGN_OR_RETURN(const pg::Result result, tx.Execute(kHashesAt, chain_nos, sequences));
  MJ_ASSIGN_OR_RETURN(const auto rows, (result.Rows<std::int64_t, pg::Bytes>()));
  for (const auto& [chain_no, hash] : rows) {
    const auto digest = audit::DigestFromBytes(hash.data);
    if (!digest) return Corrupt(day.day);
    day.chains[static_cast<std::size_t>(chain_no)].last_hash = *digest;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<audit::Day>> ReadSome(pg::Transaction& tx, const std::string& which) {
  MJ_ASSIGN_OR_RETURN(const pg::Result result, tx.Execute(kReadDays, which));
  MJ_ASSIGN_OR_RETURN(
      const auto rows,
      (result.Rows<std::string, std::int64_t, pg::Bytes, pg::Bytes, Numbers, Numbers>()));
  std::vector<audit::Day> days;
  for (const auto& [name, count, root_bytes, previous_bytes, firsts, lasts] : rows) {
    const auto root = audit::DigestFromBytes(root_bytes.data);
    const auto previous = audit::DigestFromBytes(previous_bytes.data);
    if (!root || !previous || firsts.size() != audit::kChains || lasts.size() != audit::kChains) {
      return Corrupt(name);
    }
    audit::Day& day = days.emplace_back();
    day.day = name;
    day.rows = count;
    day.root = *root;
    day.previous_root = *previous;
    for (std::size_t chain = 0; chain < audit::kChains; ++chain) {
      day.chains[chain].first = firsts[chain];
      day.chains[chain].last = lasts[chain];
    }
    MJ_RETURN_IF_ERROR(FillLastHashes(tx, day));
  }
  return days;
}

// Calls `take(hash)` for every row of a chain after `sequence` written before `end`; the last one's
// sequence.
template <typename Take>
absl::StatusOr<std::int64_t> EachHash(pg::Transaction& tx, std::size_t chain, std::int64_t sequence,
                                      std::int64_t end, Take take) {
  while (true) {
    MJ_ASSIGN_OR_RETURN(const pg::Result result, tx.Execute(kHashes, chain, sequence, end, kPage));
    MJ_ASSIGN_OR_RETURN(const auto rows, (result.Rows<std::int64_t, pg::Bytes>()));
    for (const auto& [at, hash] : rows) {
      take(hash.data);
      sequence = at;
    }
    if (static_cast<std::int64_t>(rows.size()) < kPage) return sequence;
  }
}

absl::Status Insert(pg::Transaction& tx, const audit::Day& day) {
  Numbers firsts;
  Numbers lasts;
  for (const audit::ChainSpan& span : day.chains) {
    firsts.push_back(span.first);
    lasts.push_back(span.last);
  }
  return tx
      .Execute(kInsertDay, day.day, day.rows, BytesOf(day.root), BytesOf(day.previous_root), firsts,
               lasts)
      .status();
}

// The day to be sealed next: after the last sealed one, else that of the first row, else `day`.
absl::StatusOr<std::string> NextDay(pg::Transaction& tx, const std::string& day) {
  MJ_ASSIGN_OR_RETURN(const pg::Result last, tx.Execute(kLastDay));
  MJ_ASSIGN_OR_RETURN(const auto sealed, last.AtMostOne<std::string>());
  if (sealed) return audit::DayAfter(std::get<0>(*sealed));
  MJ_ASSIGN_OR_RETURN(const pg::Result first, tx.Execute(kFirstRow));
  MJ_ASSIGN_OR_RETURN(const auto row, first.One<std::optional<std::int64_t>>());
  return std::get<0>(row) ? audit::DayOf(*std::get<0>(row)) : day;
}

}  // namespace

absl::StatusOr<std::optional<audit::Day>> ReadDay(pg::Transaction& tx, const std::string& day) {
  MJ_ASSIGN_OR_RETURN(const std::vector<audit::Day> days, ReadSome(tx, day));
  if (days.empty()) return std::optional<audit::Day>();
  return std::optional<audit::Day>(days.front());
}

absl::StatusOr<std::vector<audit::Day>> ReadDays(pg::Transaction& tx) { return ReadSome(tx, ""); }

absl::StatusOr<audit::Day> MakeDay(pg::Transaction& tx, const std::optional<audit::Day>& before,
                                   const std::string& name) {
  audit::Day day;
  day.day = name;
  if (before) day.previous_root = before->root;
  const std::int64_t end = *audit::DayEnds(name);
  audit::MerkleRoot tree;
  for (std::size_t chain = 0; chain < audit::kChains; ++chain) {
    audit::ChainSpan& span = day.chains[chain];
    const std::int64_t last = before ? before->chains[chain].last : 0;
    span.first = last + 1;
    MJ_ASSIGN_OR_RETURN(span.last, EachHash(tx, chain, last, end,
                                            [&](const std::string& hash) { tree.Add(hash); }));
  }
  day.rows = tree.size();
  day.root = tree.Root();
  return day;
}

std::optional<audit::Finding> CompareDays(const audit::Day& sealed, const audit::Day& made) {
  if (made == sealed) return std::nullopt;
  audit::Finding finding;
  finding.fault = audit::Fault::kDayWrong;
  finding.day = sealed.day;
  finding.why = Cat("it was sealed with ", std::to_string(sealed.rows), " rows and root ",
                    audit::ToHex(sealed.root), "; its rows are ", std::to_string(made.rows),
                    " and make ", audit::ToHex(made.root));
  return finding;
}

absl::StatusOr<audit::Day> SealDay(pg::Pool& pool, const std::string& day,
                                   base::MonotonicTime deadline) {
  if (!audit::DayBegins(day)) {
    return absl::InvalidArgumentError(Cat("day: got ", day, ", want YYYY-MM-DD"));
  }
  std::optional<audit::Day> sealed;
  const auto read = [&](pg::Transaction& tx) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(sealed, ReadDay(tx, day));
    return absl::OkStatus();
  };
  MJ_RETURN_IF_ERROR(pool.Run({.deadline = deadline, .read_only = true}, read));
  if (sealed) return *sealed;

  // In a transaction of its own: its end is what keeps later rows out.
  const absl::Status ended = pool.Execute({.deadline = deadline}, kEndDay, day).status();
  if (absl::IsInvalidArgument(ended)) {
    return absl::InvalidArgumentError(base::Cat("day ", day, " is not over (UTC)"));
  }
  MJ_RETURN_IF_ERROR(ended);
  bool done = false;
  while (!done) {
    MJ_RETURN_IF_ERROR(pool.Run({.deadline = deadline}, [&](pg::Transaction& tx) -> absl::Status {
      MJ_ASSIGN_OR_RETURN(const std::string next, NextDay(tx, day));
      done = next >= day;
      if (next > day) return absl::OkStatus();
      const std::string yesterday = audit::DayBefore(next);
      MJ_ASSIGN_OR_RETURN(const std::optional<audit::Day> before, ReadDay(tx, yesterday));
      MJ_ASSIGN_OR_RETURN(const audit::Day made, MakeDay(tx, before, next));
      return Insert(tx, made);
    }));
  }
  MJ_RETURN_IF_ERROR(pool.Run({.deadline = deadline, .read_only = true}, read));
  if (!sealed) return absl::InvalidArgumentError(Cat("day: ", day, " is before the first"));
  return *sealed;
}

absl::StatusOr<audit::Proof> Prove(pg::Pool& pool, std::int64_t journal_no,
                                   const audit::SignedDay& exported, base::MonotonicTime deadline) {
  audit::Proof proof;
  const pg::RunOptions options{.deadline = deadline,
                               .isolation = pg::RunOptions::Isolation::kRepeatableRead,
                               .read_only = true};
  const auto prove = [&](pg::Transaction& tx) -> absl::Status {
    proof = {};
    proof.day = exported;
    MJ_ASSIGN_OR_RETURN(const std::optional<ReadRow> read, ReadOneRow(tx, journal_no));
    if (!read) return absl::NotFoundError(Cat("no journal row ", std::to_string(journal_no)));
    const audit::Day& day = exported.day;
    const std::int64_t end = *audit::DayEnds(day.day);
    std::vector<audit::Digest> leaf_hashes;
    std::optional<std::size_t> index;
    for (std::size_t chain = 0; chain < audit::kChains; ++chain) {
      const audit::ChainSpan& span = day.chains[chain];
      if (read->row.chain_no == static_cast<std::int64_t>(chain) &&
          read->row.chain_sequence >= span.first && read->row.chain_sequence <= span.last) {
        index =
            leaf_hashes.size() + static_cast<std::size_t>(read->row.chain_sequence - span.first);
      }
      MJ_RETURN_IF_ERROR(EachHash(tx, chain, span.first - 1, end, [&](const std::string& hash) {
                           leaf_hashes.push_back(audit::LeafHash(hash));
                         }).status());
    }
    if (!index || *index >= leaf_hashes.size()) {
      return absl::FailedPreconditionError(
          Cat("journal row ", std::to_string(journal_no), " is not of ", day.day));
    }
    proof.index = static_cast<std::int64_t>(*index);
    proof.path = audit::InclusionPath(leaf_hashes, *index);
    proof.row = audit::CanonicalText(read->row);
    const audit::Digest hash = audit::Sha256(proof.row);
    if (!audit::IncludedIn(day.root, day.rows, proof.index, audit::AsBytes(hash), proof.path)) {
      return absl::FailedPreconditionError(
          Cat("the rows of ", day.day, " do not make the exported root: run an audit"));
    }
    return absl::OkStatus();
  };
  MJ_RETURN_IF_ERROR(pool.Run(options, prove));
  return proof;
}

}  // namespace mj::books
