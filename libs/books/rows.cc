#include "libs/books/rows.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "libs/base/status.h"
#include "libs/base/strings.h"

namespace mj::books {
namespace {

using Number = std::int64_t;
using Numbers = std::vector<Number>;
using Text = std::string;
using MaybeNumber = std::optional<Number>;
using MaybeText = std::optional<Text>;

constexpr std::string_view kOfChain = R"sql(
SELECT journal_no, kind, request_key, content_version, content_hash, actor, approver, reason,
       table_id, round_id, rulebook_version, reverses_journal_no,
       (extract(epoch FROM happened_at) * 1000000)::bigint,
       (extract(epoch FROM written_at) * 1000000)::bigint, chain_no, chain_sequence, previous_hash,
       hash
FROM wallet.journal WHERE chain_no = $1 AND chain_sequence > $2
ORDER BY chain_sequence LIMIT $3
)sql";

constexpr std::string_view kOne = R"sql(
SELECT journal_no, kind, request_key, content_version, content_hash, actor, approver, reason,
       table_id, round_id, rulebook_version, reverses_journal_no,
       (extract(epoch FROM happened_at) * 1000000)::bigint,
       (extract(epoch FROM written_at) * 1000000)::bigint, chain_no, chain_sequence, previous_hash,
       hash
FROM wallet.journal WHERE journal_no = $1
)sql";

// The times keep it to the partitions of the page: all entries of a row have the row's.
constexpr std::string_view kEntries = R"sql(
SELECT e.journal_no, e.line_no, (extract(epoch FROM e.written_at) * 1000000)::bigint, e.account_no,
       coalesce(a.account_id, ''), e.currency, e.purpose, e.coins, e.balance_after, e.sequence
FROM wallet.entries e LEFT JOIN wallet.accounts a ON a.account_no = e.account_no
WHERE e.journal_no = ANY ($1::bigint[])
  AND e.written_at BETWEEN 'epoch'::timestamptz + $2::bigint * interval '1 microsecond'
                       AND 'epoch'::timestamptz + $3::bigint * interval '1 microsecond'
ORDER BY e.journal_no, e.line_no
)sql";

constexpr std::string_view kMovements = R"sql(
SELECT journal_no, flow, provider, external_reference FROM wallet.money_movements
WHERE journal_no = ANY ($1::bigint[])
)sql";

constexpr std::string_view kSettlements = R"sql(
SELECT journal_no, variant, base, currency, rake, account_nos, net, rake_paid, balance_after
FROM wallet.settlements WHERE journal_no = ANY ($1::bigint[])
)sql";

constexpr std::string_view kTransfers = R"sql(
SELECT journal_no, from_seat, to_seat, rule_id, coins FROM wallet.settlement_transfers
WHERE journal_no = ANY ($1::bigint[]) ORDER BY journal_no, line_no
)sql";

constexpr std::string_view kSetOffs = R"sql(
SELECT journal_no, from_seat, to_seat, coins FROM wallet.settlement_set_offs
WHERE journal_no = ANY ($1::bigint[]) ORDER BY journal_no, from_seat, to_seat
)sql";

constexpr std::string_view kPenalties = R"sql(
SELECT journal_no, currency, escaper, penalty, taken, share, house, shortfall, account_nos,
       balance_after
FROM wallet.penalties WHERE journal_no = ANY ($1::bigint[])
)sql";

constexpr std::string_view kShortfalls = R"sql(
SELECT journal_no, payer_no, payee_no, owed, coins FROM wallet.shortfalls
WHERE journal_no = ANY ($1::bigint[]) ORDER BY journal_no, payer_no, payee_no
)sql";

// A page of rows while the parts are put to them.
class Page {
 public:
  explicit Page(std::vector<ReadRow> rows) : rows_(std::move(rows)) {
    for (std::size_t at = 0; at < rows_.size(); ++at) {
      places_[rows_[at].row.journal_no] = at;
      nos_.push_back(rows_[at].row.journal_no);
    }
  }

  [[nodiscard]] const Numbers& nos() const { return nos_; }
  [[nodiscard]] std::pair<Number, Number> Times() const {
    Number first = rows_.front().row.written_at;
    Number last = first;
    for (const ReadRow& read : rows_) {
      first = std::min(first, read.row.written_at);
      last = std::max(last, read.row.written_at);
    }
    return {first, last};
  }
  ReadRow& Of(Number journal_no) { return rows_[places_.at(journal_no)]; }
  std::vector<ReadRow> Take() && { return std::move(rows_); }

 private:
  std::vector<ReadRow> rows_;
  std::map<Number, std::size_t> places_;
  Numbers nos_;
};

bool SetSeats(std::array<Number, audit::kSeats>& out, const Numbers& values) {
  if (values.size() != out.size()) return false;
  std::copy(values.begin(), values.end(), out.begin());
  return true;
}

absl::Status Corrupt(Number journal_no) {
  return absl::InternalError(
      base::Cat("journal row ", std::to_string(journal_no), " holds what no row can hold"));
}

absl::StatusOr<std::vector<ReadRow>> RowsFrom(const pg::Result& result) {
  MJ_ASSIGN_OR_RETURN(
      const auto rows,
      (result
           .Rows<Number, Text, Text, Number, pg::Bytes, Text, MaybeText, Text, MaybeText, MaybeText,
                 MaybeText, MaybeNumber, Number, Number, Number, Number, pg::Bytes, pg::Bytes>()));
  std::vector<ReadRow> read;
  read.reserve(rows.size());
  for (const auto& [journal_no, kind, key, version, content_hash, actor, approver, reason, table_id,
                    round_id, rulebook, reverses, happened_at, written_at, chain_no, sequence,
                    previous_hash, hash] : rows) {
    const auto content = audit::DigestFromBytes(content_hash.data);
    const auto previous = audit::DigestFromBytes(previous_hash.data);
    const auto own = audit::DigestFromBytes(hash.data);
    if (!content || !previous || !own) return Corrupt(journal_no);
    ReadRow& one = read.emplace_back();
    one.hash = *own;
    one.row = {.chain_no = chain_no,
               .chain_sequence = sequence,
               .previous_hash = *previous,
               .journal_no = journal_no,
               .kind = kind,
               .request_key = key,
               .content_version = version,
               .content_hash = *content,
               .actor = actor,
               .approver = approver,
               .reason = reason,
               .table_id = table_id,
               .round_id = round_id,
               .rulebook_version = rulebook,
               .reverses_journal_no = reverses,
               .happened_at = happened_at,
               .written_at = written_at,
               .entries = {},
               .movement = {},
               .settlement = {},
               .penalty = {},
               .shortfalls = {}};
  }
  return read;
}

absl::Status PutEntries(const pg::Result& result, Page& page) {
  MJ_ASSIGN_OR_RETURN(const auto rows, (result.Rows<Number, Number, Number, Number, Text, Text,
                                                    Text, Number, MaybeNumber, MaybeNumber>()));
  for (const auto& [journal_no, line_no, written_at, account_no, account_id, currency, purpose,
                    coins, balance_after, sequence] : rows) {
    ReadRow& read = page.Of(journal_no);
    read.row.entries.push_back(
        {account_no, account_id, currency, purpose, coins, balance_after, sequence});
    if (line_no != static_cast<Number>(read.row.entries.size()) ||
        written_at != read.row.written_at) {
      read.torn = true;
    }
  }
  return absl::OkStatus();
}

absl::Status PutMovements(const pg::Result& result, Page& page) {
  MJ_ASSIGN_OR_RETURN(const auto rows, (result.Rows<Number, Text, MaybeText, MaybeText>()));
  for (const auto& [journal_no, flow, provider, reference] : rows) {
    page.Of(journal_no).row.movement = audit::MovementRow{flow, provider, reference};
  }
  return absl::OkStatus();
}

absl::Status PutSettlements(const pg::Result& result, Page& page) {
  MJ_ASSIGN_OR_RETURN(
      const auto rows,
      (result.Rows<Number, Text, Number, Text, Number, Numbers, Numbers, Numbers, Numbers>()));
  for (const auto& [journal_no, variant, base, currency, rake, account_nos, net, rake_paid,
                    balance_after] : rows) {
    audit::SettlementRow part;
    part.variant = variant;
    part.base = base;
    part.currency = currency;
    part.rake = rake;
    if (!SetSeats(part.account_nos, account_nos) || !SetSeats(part.net, net) ||
        !SetSeats(part.rake_paid, rake_paid) || !SetSeats(part.balance_after, balance_after)) {
      return Corrupt(journal_no);
    }
    page.Of(journal_no).row.settlement = std::move(part);
  }
  return absl::OkStatus();
}

// Transfers and set-offs of what is no settlement make it none: it then has seats, wrongly.
absl::Status PutTransfers(const pg::Result& result, Page& page) {
  MJ_ASSIGN_OR_RETURN(const auto rows, (result.Rows<Number, Number, Number, Text, Number>()));
  for (const auto& [journal_no, from, to, rule_id, coins] : rows) {
    auto& settlement = page.Of(journal_no).row.settlement;
    if (!settlement) settlement.emplace();
    settlement->transfers.push_back({from, to, rule_id, coins});
  }
  return absl::OkStatus();
}

absl::Status PutSetOffs(const pg::Result& result, Page& page) {
  MJ_ASSIGN_OR_RETURN(const auto rows, (result.Rows<Number, Number, Number, Number>()));
  for (const auto& [journal_no, from, to, coins] : rows) {
    auto& settlement = page.Of(journal_no).row.settlement;
    if (!settlement) settlement.emplace();
    settlement->set_offs.push_back({from, to, coins});
  }
  return absl::OkStatus();
}

absl::Status PutPenalties(const pg::Result& result, Page& page) {
  MJ_ASSIGN_OR_RETURN(const auto rows, (result.Rows<Number, Text, Number, Number, Number, Number,
                                                    Number, Number, Numbers, Numbers>()));
  for (const auto& [journal_no, currency, escaper, due, taken, share, house, shortfall, account_nos,
                    balance_after] : rows) {
    audit::PenaltyRow part{currency, escaper, due, taken, share, house, shortfall, {}, {}};
    if (!SetSeats(part.account_nos, account_nos) || !SetSeats(part.balance_after, balance_after)) {
      return Corrupt(journal_no);
    }
    page.Of(journal_no).row.penalty = std::move(part);
  }
  return absl::OkStatus();
}

absl::Status PutShortfalls(const pg::Result& result, Page& page) {
  MJ_ASSIGN_OR_RETURN(const auto rows, (result.Rows<Number, Number, Number, Number, Number>()));
  for (const auto& [journal_no, payer_no, payee_no, owed, coins] : rows) {
    page.Of(journal_no).row.shortfalls.push_back({payer_no, payee_no, owed, coins});
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<ReadRow>> WithParts(pg::Transaction& tx, std::vector<ReadRow> rows) {
  if (rows.empty()) return rows;
  Page page(std::move(rows));
  const auto [first, last] = page.Times();
  const std::vector<pg::Statement> statements = {pg::Statement(kEntries, page.nos(), first, last),
                                                 pg::Statement(kMovements, page.nos()),
                                                 pg::Statement(kSettlements, page.nos()),
                                                 pg::Statement(kTransfers, page.nos()),
                                                 pg::Statement(kSetOffs, page.nos()),
                                                 pg::Statement(kPenalties, page.nos()),
                                                 pg::Statement(kShortfalls, page.nos())};
  MJ_ASSIGN_OR_RETURN(const std::vector<pg::Result> results, tx.ExecuteTogether(statements));
  MJ_RETURN_IF_ERROR(PutEntries(results[0], page));
  MJ_RETURN_IF_ERROR(PutMovements(results[1], page));
  MJ_RETURN_IF_ERROR(PutSettlements(results[2], page));
  MJ_RETURN_IF_ERROR(PutTransfers(results[3], page));
  MJ_RETURN_IF_ERROR(PutSetOffs(results[4], page));
  MJ_RETURN_IF_ERROR(PutPenalties(results[5], page));
  MJ_RETURN_IF_ERROR(PutShortfalls(results[6], page));
  return std::move(page).Take();
}

}  // namespace

absl::StatusOr<std::vector<ReadRow>> ReadRows(pg::Transaction& tx, std::int64_t chain_no,
                                              std::int64_t sequence, std::int64_t count_max) {
  MJ_ASSIGN_OR_RETURN(const pg::Result result, tx.Execute(kOfChain, chain_no, sequence, count_max));
  MJ_ASSIGN_OR_RETURN(std::vector<ReadRow> rows, RowsFrom(result));
  return WithParts(tx, std::move(rows));
}

absl::StatusOr<std::optional<ReadRow>> ReadOneRow(pg::Transaction& tx, std::int64_t journal_no) {
  MJ_ASSIGN_OR_RETURN(const pg::Result result, tx.Execute(kOne, journal_no));
  MJ_ASSIGN_OR_RETURN(std::vector<ReadRow> rows, RowsFrom(result));
  MJ_ASSIGN_OR_RETURN(rows, WithParts(tx, std::move(rows)));
  if (rows.empty()) return std::optional<ReadRow>();
  return std::optional<ReadRow>(std::move(rows.front()));
}

}  // namespace mj::books
