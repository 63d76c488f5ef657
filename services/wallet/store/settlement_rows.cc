#include "services/wallet/store/settlement_rows.h"

#include <algorithm>
#include <array>
#include <cstddef>
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

constexpr std::string_view kInsert = R"sql(
WITH settlement AS (
  INSERT INTO wallet.settlements (journal_no, variant, base, currency, rake, account_nos, net,
                                  rake_paid, balance_after)
  VALUES ($1, $2, $3, $4, $5, $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[])
  RETURNING journal_no
), transfers AS (
  INSERT INTO wallet.settlement_transfers (journal_no, line_no, from_seat, to_seat, rule_id, coins)
  SELECT journal_no, line_no, from_seat, to_seat, rule_id, coins
  FROM settlement, unnest($10::bigint[], $11::bigint[], $12::text[], $13::bigint[])
       WITH ORDINALITY line (from_seat, to_seat, rule_id, coins, line_no)
), set_offs AS (
  INSERT INTO wallet.settlement_set_offs (journal_no, from_seat, to_seat, coins)
  SELECT journal_no, from_seat, to_seat, coins
  FROM settlement, unnest($14::bigint[], $15::bigint[], $16::bigint[])
       set_off (from_seat, to_seat, coins)
)
INSERT INTO wallet.shortfalls (journal_no, payer_no, payee_no, owed, coins)
SELECT journal_no, payer_no, payee_no, owed, coins
FROM settlement, unnest($17::bigint[], $18::bigint[], $19::bigint[], $20::bigint[])
     shortfall (payer_no, payee_no, owed, coins)
)sql";

constexpr std::string_view kRead = R"sql(
SELECT s.variant, s.base, s.rake, s.net, s.rake_paid, s.balance_after, s.account_nos,
       p0.account_id, p1.account_id, p2.account_id, p3.account_id
FROM wallet.settlements s
JOIN wallet.accounts p0 ON p0.account_no = s.account_nos[1]
JOIN wallet.accounts p1 ON p1.account_no = s.account_nos[2]
JOIN wallet.accounts p2 ON p2.account_no = s.account_nos[3]
JOIN wallet.accounts p3 ON p3.account_no = s.account_nos[4]
WHERE s.journal_no = $1
)sql";

constexpr std::string_view kReadTransfers = R"sql(
SELECT from_seat, to_seat, rule_id, coins FROM wallet.settlement_transfers
WHERE journal_no = $1 ORDER BY line_no
)sql";

constexpr std::string_view kReadSetOffs = R"sql(
SELECT from_seat, to_seat, coins FROM wallet.settlement_set_offs WHERE journal_no = $1
)sql";

constexpr std::string_view kReadShortfalls = R"sql(
SELECT payer_no, payee_no, coins FROM wallet.shortfalls WHERE journal_no = $1
)sql";

Numbers Values(const ledger::PerParty<Coins>& coins) {
  Numbers values;
  for (const Coins some : coins) values.push_back(some.value());
  return values;
}

// The pairs that owe anything at all, as three columns.
struct Pairs {
  Numbers from;
  Numbers to;
  Numbers coins;
};

Pairs PairsOf(const PairTable& table) {
  Pairs pairs;
  for (Party from = 0; from < kParties; ++from) {
    for (Party to = 0; to < kParties; ++to) {
      if (table[from][to].IsZero()) continue;
      pairs.from.push_back(static_cast<std::int64_t>(from));
      pairs.to.push_back(static_cast<std::int64_t>(to));
      pairs.coins.push_back(table[from][to].value());
    }
  }
  return pairs;
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

absl::Status ReadPairs(pg::Transaction& tx, JournalNo journal_no, const Numbers& account_nos,
                       Settlement& settlement) {
  MJ_ASSIGN_OR_RETURN(const pg::Result transfers, tx.Execute(kReadTransfers, journal_no));
  MJ_ASSIGN_OR_RETURN(const auto lines,
                      (transfers.Rows<std::int64_t, std::int64_t, std::string, std::int64_t>()));
  for (const auto& [from, to, rule_id, coins] : lines) {
    OwedLine line{static_cast<Party>(from), static_cast<Party>(to), rule_id, Coins()};
    if (!Add(settlement.owed, from, to, coins) || !Set(line.coins, coins)) {
      return Corrupt(journal_no);
    }
    settlement.owed_lines.push_back(std::move(line));
  }
  MJ_ASSIGN_OR_RETURN(const pg::Result set_offs, tx.Execute(kReadSetOffs, journal_no));
  MJ_ASSIGN_OR_RETURN(const auto cancelled,
                      (set_offs.Rows<std::int64_t, std::int64_t, std::int64_t>()));
  for (const auto& [from, to, coins] : cancelled) {
    if (!Add(settlement.set_off, from, to, coins)) return Corrupt(journal_no);
  }
  MJ_ASSIGN_OR_RETURN(const pg::Result shortfalls, tx.Execute(kReadShortfalls, journal_no));
  MJ_ASSIGN_OR_RETURN(const auto missing,
                      (shortfalls.Rows<std::int64_t, std::int64_t, std::int64_t>()));
  const auto seat_of = [&](std::int64_t account_no) {
    return std::find(account_nos.begin(), account_nos.end(), account_no) - account_nos.begin();
  };
  for (const auto& [payer_no, payee_no, coins] : missing) {
    const std::int64_t to = seat_of(payee_no);
    if (to == static_cast<std::int64_t>(kParties)) continue;  // owed to the house: rake
    if (!Add(settlement.shortfall, seat_of(payer_no), to, coins)) return Corrupt(journal_no);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status InsertSettlement(pg::Transaction& tx, JournalNo journal_no, Currency currency,
                              const Settlement& settlement, const Numbers& account_nos,
                              std::int64_t house_rake_no) {
  Numbers from;
  Numbers to;
  std::vector<std::string> rule_ids;
  Numbers coins;
  for (const OwedLine& line : settlement.owed_lines) {
    from.push_back(static_cast<std::int64_t>(line.from));
    to.push_back(static_cast<std::int64_t>(line.to));
    rule_ids.push_back(line.rule_id);
    coins.push_back(line.coins.value());
  }
  const Pairs set_off = PairsOf(settlement.set_off);

  Numbers payer_nos;
  Numbers payee_nos;
  Numbers owed;
  Numbers missing;
  const auto add_shortfall = [&](Party payer, std::int64_t payee_no, Coins due, Coins short_by) {
    if (short_by.IsZero()) return;
    payer_nos.push_back(account_nos[payer]);
    payee_nos.push_back(payee_no);
    owed.push_back(due.value());
    missing.push_back(short_by.value());
  };
  for (Party payer = 0; payer < kParties; ++payer) {
    for (Party payee = 0; payee < kParties; ++payee) {
      add_shortfall(payer, account_nos[payee], settlement.owed[payer][payee],
                    settlement.shortfall[payer][payee]);
    }
    add_shortfall(payer, house_rake_no, settlement.rake, settlement.rake_shortfall[payer]);
  }

  return tx
      .Execute(kInsert, journal_no, settlement.variant, settlement.base.value(), ToSql(currency),
               settlement.rake.value(), account_nos, Values(settlement.net),
               Values(settlement.rake_paid), Values(settlement.balance_after), from, to, rule_ids,
               coins, set_off.from, set_off.to, set_off.coins, payer_nos, payee_nos, owed, missing)
      .status();
}

absl::StatusOr<Settlement> ReadSettlement(pg::Transaction& tx, JournalNo journal_no) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found, tx.Execute(kRead, journal_no));
  MJ_ASSIGN_OR_RETURN(const auto row,
                      (found.One<std::string, std::int64_t, std::int64_t, Numbers, Numbers, Numbers,
                                 Numbers, std::string, std::string, std::string, std::string>()));
  const auto& [variant, base, rake, net, rake_paid, balance_after, account_nos, p0, p1, p2, p3] =
      row;
  Settlement settlement;
  settlement.variant = variant;
  settlement.player_ids = {p0, p1, p2, p3};
  if (!Set(settlement.base, base) || !Set(settlement.rake, rake) || !Set(settlement.net, net) ||
      !Set(settlement.rake_paid, rake_paid) || !Set(settlement.balance_after, balance_after)) {
    return Corrupt(journal_no);
  }
  MJ_RETURN_IF_ERROR(ReadPairs(tx, journal_no, account_nos, settlement));
  for (Party from = 0; from < kParties; ++from) {
    settlement.rake_shortfall[from] =
        Subtract(settlement.rake, settlement.rake_paid[from]).value_or(Coins());
    for (Party to = 0; to < kParties; ++to) {
      if (!Set(settlement.paid[from][to], settlement.owed[from][to].value() -
                                              settlement.set_off[from][to].value() -
                                              settlement.shortfall[from][to].value())) {
        return Corrupt(journal_no);
      }
    }
  }
  return settlement;
}

}  // namespace mj::wallet::store
