#include "services/wallet/store/settlement_rows.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "libs/base/status.h"
#include "services/wallet/store/names.h"

namespace mj::wallet::store {
namespace {

using ledger::kParties;
using ledger::PairTable;
using ledger::Party;
using Numbers = std::vector<std::int64_t>;

// What stands by seat comes as four numbers a row.
constexpr std::string_view kInsertSettlements = R"sql(
INSERT INTO wallet.settlements (journal_no, variant, base, currency, rake, account_nos, net,
                                rake_paid, balance_after)
SELECT journal_no, variant, base, currency, rake, ($6::bigint[])[4 * n - 3:4 * n],
       ($7::bigint[])[4 * n - 3:4 * n], ($8::bigint[])[4 * n - 3:4 * n],
       ($9::bigint[])[4 * n - 3:4 * n]
FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
     WITH ORDINALITY s (journal_no, variant, base, currency, rake, n)
)sql";

constexpr std::string_view kInsertTransfers = R"sql(
INSERT INTO wallet.settlement_transfers (journal_no, line_no, from_seat, to_seat, rule_id, coins)
SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::smallint[], $4::smallint[], $5::text[],
                     $6::bigint[])
)sql";

constexpr std::string_view kInsertSetOffs = R"sql(
INSERT INTO wallet.settlement_set_offs (journal_no, from_seat, to_seat, coins)
SELECT * FROM unnest($1::bigint[], $2::smallint[], $3::smallint[], $4::bigint[])
)sql";

constexpr std::string_view kInsertPenalties = R"sql(
INSERT INTO wallet.penalties (journal_no, currency, escaper, penalty, taken, share, house, shortfall,
                              account_nos, balance_after)
SELECT journal_no, currency, escaper, penalty, taken, share, house, shortfall,
       ($9::bigint[])[4 * n - 3:4 * n], ($10::bigint[])[4 * n - 3:4 * n]
FROM unnest($1::bigint[], $2::text[], $3::smallint[], $4::bigint[], $5::bigint[], $6::bigint[],
            $7::bigint[], $8::bigint[])
     WITH ORDINALITY p (journal_no, currency, escaper, penalty, taken, share, house, shortfall, n)
)sql";

constexpr std::string_view kInsertShortfalls = R"sql(
INSERT INTO wallet.shortfalls (journal_no, payer_no, payee_no, owed, coins)
SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
)sql";

constexpr std::string_view kRead = R"sql(
SELECT s.journal_no, s.variant, s.base, s.rake, s.net, s.rake_paid, s.balance_after, s.account_nos,
       p0.account_id, p1.account_id, p2.account_id, p3.account_id
FROM wallet.settlements s
JOIN wallet.accounts p0 ON p0.account_no = s.account_nos[1]
JOIN wallet.accounts p1 ON p1.account_no = s.account_nos[2]
JOIN wallet.accounts p2 ON p2.account_no = s.account_nos[3]
JOIN wallet.accounts p3 ON p3.account_no = s.account_nos[4]
WHERE s.journal_no = ANY ($1::bigint[])
)sql";

constexpr std::string_view kReadTransfers = R"sql(
SELECT journal_no, from_seat, to_seat, rule_id, coins FROM wallet.settlement_transfers
WHERE journal_no = ANY ($1::bigint[]) ORDER BY journal_no, line_no
)sql";

constexpr std::string_view kReadSetOffs = R"sql(
SELECT journal_no, from_seat, to_seat, coins FROM wallet.settlement_set_offs
WHERE journal_no = ANY ($1::bigint[])
)sql";

constexpr std::string_view kReadShortfalls = R"sql(
SELECT journal_no, payer_no, payee_no, coins FROM wallet.shortfalls
WHERE journal_no = ANY ($1::bigint[])
)sql";

constexpr std::string_view kReadPenalty = R"sql(
SELECT p.escaper, p.penalty, p.taken, p.share, p.house, p.shortfall, p.balance_after,
       p0.account_id, p1.account_id, p2.account_id, p3.account_id
FROM wallet.penalties p
JOIN wallet.accounts p0 ON p0.account_no = p.account_nos[1]
JOIN wallet.accounts p1 ON p1.account_no = p.account_nos[2]
JOIN wallet.accounts p2 ON p2.account_no = p.account_nos[3]
JOIN wallet.accounts p3 ON p3.account_no = p.account_nos[4]
WHERE p.journal_no = $1
)sql";

std::array<std::int64_t, kParties> Values(const ledger::PerParty<Coins>& coins) {
  std::array<std::int64_t, kParties> values{};
  for (Party seat = 0; seat < kParties; ++seat) values[seat] = coins[seat].value();
  return values;
}

std::array<std::int64_t, kParties> Values(std::span<const std::int64_t> seats) {
  std::array<std::int64_t, kParties> values{};
  std::copy_n(seats.begin(), kParties, values.begin());
  return values;
}

void Append(Numbers& column, const std::array<std::int64_t, kParties>& values) {
  column.insert(column.end(), values.begin(), values.end());
}

absl::Status Corrupt(JournalNo journal_no) {
  return absl::InternalError("settlement of journal row " + std::to_string(journal_no) +
                             " holds what no settlement can hold");
}

// Coins that the schema's checks keep within the limit; false for what they let through in error.
bool Set(Coins& out, std::int64_t value) {
  const auto coins = Coins::From(value);
  if (coins) out = *coins;
  return coins.has_value();
}

bool Set(ledger::PerParty<Coins>& out, const Numbers& values) {
  if (values.size() != kParties) return false;
  for (Party seat = 0; seat < kParties; ++seat) {
    if (!Set(out[seat], values[seat])) return false;
  }
  return true;
}

bool Add(PairTable& out, std::int64_t from, std::int64_t to, std::int64_t coins) {
  const auto parties = static_cast<std::int64_t>(kParties);
  if (from < 0 || from >= parties || to < 0 || to >= parties) return false;
  Coins& sum = out[static_cast<Party>(from)][static_cast<Party>(to)];
  return Set(sum, sum.value() + coins);
}

// A settlement while its parts are put together.
struct InParts {
  Settlement settlement;
  Numbers account_nos;
};
using Parts = std::map<JournalNo, InParts>;

// Parts of settlements that were asked for, so of one that is there.
absl::StatusOr<InParts*> PartsOf(Parts& parts, JournalNo journal_no) {
  const auto at = parts.find(journal_no);
  if (at == parts.end()) return Corrupt(journal_no);
  return &at->second;
}

absl::Status TakeSettlements(const pg::Result& result, Parts& parts) {
  MJ_ASSIGN_OR_RETURN(
      const auto rows,
      (result.Rows<std::int64_t, std::string, std::int64_t, std::int64_t, Numbers, Numbers, Numbers,
                   Numbers, std::string, std::string, std::string, std::string>()));
  for (const auto& [journal_no, variant, base, rake, net, rake_paid, balance_after, account_nos, p0,
                    p1, p2, p3] : rows) {
    InParts& in_parts = parts[journal_no];
    Settlement& settlement = in_parts.settlement;
    settlement.variant = variant;
    settlement.player_ids = {p0, p1, p2, p3};
    in_parts.account_nos = account_nos;
    if (!Set(settlement.base, base) || !Set(settlement.rake, rake) || !Set(settlement.net, net) ||
        !Set(settlement.rake_paid, rake_paid) || !Set(settlement.balance_after, balance_after)) {
      return Corrupt(journal_no);
    }
  }
  return absl::OkStatus();
}

absl::Status TakeTransfers(const pg::Result& result, Parts& parts) {
  MJ_ASSIGN_OR_RETURN(
      const auto rows,
      (result.Rows<std::int64_t, std::int64_t, std::int64_t, std::string, std::int64_t>()));
  for (const auto& [journal_no, from, to, rule_id, coins] : rows) {
    MJ_ASSIGN_OR_RETURN(InParts* const in_parts, PartsOf(parts, journal_no));
    OwedLine line{static_cast<Party>(from), static_cast<Party>(to), rule_id, Coins()};
    if (!Add(in_parts->settlement.owed, from, to, coins) || !Set(line.coins, coins)) {
      return Corrupt(journal_no);
    }
    in_parts->settlement.owed_lines.push_back(std::move(line));
  }
  return absl::OkStatus();
}

absl::Status TakeSetOffs(const pg::Result& result, Parts& parts) {
  MJ_ASSIGN_OR_RETURN(const auto rows,
                      (result.Rows<std::int64_t, std::int64_t, std::int64_t, std::int64_t>()));
  for (const auto& [journal_no, from, to, coins] : rows) {
    MJ_ASSIGN_OR_RETURN(InParts* const in_parts, PartsOf(parts, journal_no));
    if (!Add(in_parts->settlement.set_off, from, to, coins)) return Corrupt(journal_no);
  }
  return absl::OkStatus();
}

absl::Status TakeShortfalls(const pg::Result& result, Parts& parts) {
  MJ_ASSIGN_OR_RETURN(const auto rows,
                      (result.Rows<std::int64_t, std::int64_t, std::int64_t, std::int64_t>()));
  for (const auto& [journal_no, payer_no, payee_no, coins] : rows) {
    MJ_ASSIGN_OR_RETURN(InParts* const in_parts, PartsOf(parts, journal_no));
    const Numbers& account_nos = in_parts->account_nos;
    const auto seat_of = [&](std::int64_t account_no) {
      return std::find(account_nos.begin(), account_nos.end(), account_no) - account_nos.begin();
    };
    const std::int64_t to = seat_of(payee_no);
    if (to == static_cast<std::int64_t>(kParties)) continue;  // owed to the house: rake
    if (!Add(in_parts->settlement.shortfall, seat_of(payer_no), to, coins)) {
      return Corrupt(journal_no);
    }
  }
  return absl::OkStatus();
}

// What follows from the parts.
bool Complete(Settlement& settlement) {
  for (Party from = 0; from < kParties; ++from) {
    settlement.rake_shortfall[from] =
        Subtract(settlement.rake, settlement.rake_paid[from]).value_or(Coins());
    for (Party to = 0; to < kParties; ++to) {
      if (!Set(settlement.paid[from][to], settlement.owed[from][to].value() -
                                              settlement.set_off[from][to].value() -
                                              settlement.shortfall[from][to].value())) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

void SettlementColumns::Add(Currency currency, const Settlement& settlement,
                            std::span<const std::int64_t> seats, audit::JournalRow& row) {
  audit::SettlementRow part;
  part.variant = settlement.variant;
  part.base = settlement.base.value();
  part.currency = ToSql(currency);
  part.rake = settlement.rake.value();
  part.account_nos = Values(seats);
  part.net = Values(settlement.net);
  part.rake_paid = Values(settlement.rake_paid);
  part.balance_after = Values(settlement.balance_after);
  journal_nos_.push_back(row.journal_no);
  variants_.push_back(part.variant);
  bases_.push_back(part.base);
  currencies_.push_back(part.currency);
  rakes_.push_back(part.rake);
  Append(account_nos_, part.account_nos);
  Append(net_, part.net);
  Append(rake_paid_, part.rake_paid);
  Append(balance_after_, part.balance_after);

  for (const OwedLine& line : settlement.owed_lines) {
    const auto from = static_cast<std::int64_t>(line.from);
    const auto to = static_cast<std::int64_t>(line.to);
    part.transfers.push_back({from, to, line.rule_id, line.coins.value()});
    transfers_.journal_nos.push_back(row.journal_no);
    transfers_.line_nos.push_back(static_cast<std::int64_t>(part.transfers.size()));
    transfers_.from.push_back(from);
    transfers_.to.push_back(to);
    transfers_.rule_ids.push_back(line.rule_id);
    transfers_.coins.push_back(line.coins.value());
  }
  for (Party from = 0; from < kParties; ++from) {
    for (Party to = 0; to < kParties; ++to) {
      const Coins coins = settlement.set_off[from][to];
      if (coins.IsZero()) continue;
      part.set_offs.push_back(
          {static_cast<std::int64_t>(from), static_cast<std::int64_t>(to), coins.value()});
      set_offs_.journal_nos.push_back(row.journal_no);
      set_offs_.from.push_back(static_cast<std::int64_t>(from));
      set_offs_.to.push_back(static_cast<std::int64_t>(to));
      set_offs_.coins.push_back(coins.value());
    }
  }
  row.settlement = std::move(part);
}

void SettlementColumns::AddTo(std::vector<pg::Statement>& statements) const {
  if (journal_nos_.empty()) return;
  statements.emplace_back(kInsertSettlements, journal_nos_, variants_, bases_, currencies_, rakes_,
                          account_nos_, net_, rake_paid_, balance_after_);
  if (!transfers_.journal_nos.empty()) {
    statements.emplace_back(kInsertTransfers, transfers_.journal_nos, transfers_.line_nos,
                            transfers_.from, transfers_.to, transfers_.rule_ids, transfers_.coins);
  }
  if (!set_offs_.journal_nos.empty()) {
    statements.emplace_back(kInsertSetOffs, set_offs_.journal_nos, set_offs_.from, set_offs_.to,
                            set_offs_.coins);
  }
}

void PenaltyColumns::Add(Currency currency, const PenaltyTaken& penalty,
                         std::span<const std::int64_t> seats, audit::JournalRow& row) {
  audit::PenaltyRow part;
  part.currency = ToSql(currency);
  part.escaper = static_cast<std::int64_t>(penalty.escaper);
  part.penalty = penalty.penalty.value();
  part.taken = penalty.shares.taken.value();
  part.share = penalty.shares.share.value();
  part.house = penalty.shares.house.value();
  part.shortfall = penalty.shares.shortfall.value();
  part.account_nos = Values(seats);
  part.balance_after = Values(penalty.balance_after);
  journal_nos_.push_back(row.journal_no);
  currencies_.push_back(part.currency);
  escapers_.push_back(part.escaper);
  penalties_.push_back(part.penalty);
  taken_.push_back(part.taken);
  shares_.push_back(part.share);
  house_.push_back(part.house);
  shortfalls_.push_back(part.shortfall);
  Append(account_nos_, part.account_nos);
  Append(balance_after_, part.balance_after);
  row.penalty = std::move(part);
}

void PenaltyColumns::AddTo(std::vector<pg::Statement>& statements) const {
  if (journal_nos_.empty()) return;
  statements.emplace_back(kInsertPenalties, journal_nos_, currencies_, escapers_, penalties_,
                          taken_, shares_, house_, shortfalls_, account_nos_, balance_after_);
}

void ShortfallColumns::Add(const std::vector<audit::ShortfallRow>& missing,
                           audit::JournalRow& row) {
  row.shortfalls = missing;
  std::sort(row.shortfalls.begin(), row.shortfalls.end(),
            [](const audit::ShortfallRow& a, const audit::ShortfallRow& b) {
              return std::tie(a.payer_no, a.payee_no) < std::tie(b.payer_no, b.payee_no);
            });
  for (const audit::ShortfallRow& shortfall : missing) {
    journal_nos_.push_back(row.journal_no);
    payers_.push_back(shortfall.payer_no);
    payees_.push_back(shortfall.payee_no);
    owed_.push_back(shortfall.owed);
    coins_.push_back(shortfall.coins);
  }
}

void ShortfallColumns::Add(const Settlement& settlement, std::span<const std::int64_t> seats,
                           std::int64_t house_no, audit::JournalRow& row) {
  std::vector<audit::ShortfallRow> missing;
  const auto add = [&](Party payer, std::int64_t payee_no, Coins due, Coins short_by) {
    if (short_by.IsZero()) return;
    missing.push_back({seats[payer], payee_no, due.value(), short_by.value()});
  };
  for (Party payer = 0; payer < kParties; ++payer) {
    for (Party payee = 0; payee < kParties; ++payee) {
      add(payer, seats[payee], settlement.owed[payer][payee], settlement.shortfall[payer][payee]);
    }
    add(payer, house_no, settlement.rake, settlement.rake_shortfall[payer]);
  }
  Add(missing, row);
}

void ShortfallColumns::Add(const PenaltyTaken& penalty, std::span<const std::int64_t> seats,
                           std::int64_t house_no, audit::JournalRow& row) {
  if (penalty.shares.shortfall.IsZero()) return;
  Add({{seats[penalty.escaper], house_no, penalty.penalty.value(),
        penalty.shares.shortfall.value()}},
      row);
}

void ShortfallColumns::AddTo(std::vector<pg::Statement>& statements) const {
  if (journal_nos_.empty()) return;
  statements.emplace_back(kInsertShortfalls, journal_nos_, payers_, payees_, owed_, coins_);
}

absl::StatusOr<PenaltyTaken> ReadPenalty(pg::Transaction& tx, JournalNo journal_no) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found, tx.Execute(kReadPenalty, journal_no));
  MJ_ASSIGN_OR_RETURN(
      const auto row,
      (found.One<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                 Numbers, std::string, std::string, std::string, std::string>()));
  const auto& [escaper, due, taken, share, house, shortfall, balance_after, p0, p1, p2, p3] = row;
  PenaltyTaken penalty;
  penalty.player_ids = {p0, p1, p2, p3};
  penalty.escaper = static_cast<Party>(escaper);
  if (!Set(penalty.penalty, due) || !Set(penalty.shares.taken, taken) ||
      !Set(penalty.shares.share, share) || !Set(penalty.shares.house, house) ||
      !Set(penalty.shares.shortfall, shortfall) || !Set(penalty.balance_after, balance_after)) {
    return Corrupt(journal_no);
  }
  return penalty;
}

absl::StatusOr<std::map<JournalNo, Settlement>> ReadSettlements(
    pg::Transaction& tx, const std::vector<JournalNo>& journal_nos) {
  std::map<JournalNo, Settlement> settlements;
  if (journal_nos.empty()) return settlements;
  const std::vector<pg::Statement> statements = {
      pg::Statement(kRead, journal_nos), pg::Statement(kReadTransfers, journal_nos),
      pg::Statement(kReadSetOffs, journal_nos), pg::Statement(kReadShortfalls, journal_nos)};
  MJ_ASSIGN_OR_RETURN(const std::vector<pg::Result> results, tx.ExecuteTogether(statements));
  Parts parts;
  MJ_RETURN_IF_ERROR(TakeSettlements(results[0], parts));
  MJ_RETURN_IF_ERROR(TakeTransfers(results[1], parts));
  MJ_RETURN_IF_ERROR(TakeSetOffs(results[2], parts));
  MJ_RETURN_IF_ERROR(TakeShortfalls(results[3], parts));
  for (auto& [journal_no, in_parts] : parts) {
    if (!Complete(in_parts.settlement)) return Corrupt(journal_no);
    settlements[journal_no] = std::move(in_parts.settlement);
  }
  return settlements;
}

absl::StatusOr<Settlement> ReadSettlement(pg::Transaction& tx, JournalNo journal_no) {
  MJ_ASSIGN_OR_RETURN(auto settlements, ReadSettlements(tx, {journal_no}));
  const auto settlement = settlements.find(journal_no);
  if (settlement == settlements.end()) return Corrupt(journal_no);
  return std::move(settlement->second);
}

}  // namespace mj::wallet::store
