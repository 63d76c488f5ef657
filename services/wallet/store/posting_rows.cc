#include "services/wallet/store/posting_rows.h"

#include <chrono>
#include <string_view>
#include <utility>

#include "libs/audit/canonical.h"
#include "libs/base/check.h"
#include "libs/base/strings.h"
#include "services/wallet/store/facts.h"
#include "services/wallet/store/names.h"

namespace mj::wallet::store {
namespace {

constexpr std::string_view kInsertJournal = R"sql(
INSERT INTO wallet.journal (journal_no, kind, request_key, content_version, content_hash, actor,
                            approver, reason, table_id, round_id, rulebook_version,
                            reverses_journal_no, happened_at, written_at, chain_no, chain_sequence,
                            previous_hash, hash)
SELECT journal_no, kind, request_key, content_version, content_hash, actor, nullif(approver, ''),
       reason, nullif(table_id, ''), nullif(round_id, ''), nullif(rulebook_version, ''),
       nullif(reverses, 0), 'epoch'::timestamptz + happened_at * interval '1 microsecond',
       'epoch'::timestamptz + $17::bigint * interval '1 microsecond', $18::smallint, sequence,
       previous_hash, hash
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::smallint[], $5::bytea[], $6::text[],
            $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::bigint[],
            $13::bigint[], $14::bigint[], $15::bytea[], $16::bytea[])
     j (journal_no, kind, request_key, content_version, content_hash, actor, approver, reason,
        table_id, round_id, rulebook_version, reverses, happened_at, sequence, previous_hash, hash)
)sql";

constexpr std::string_view kInsertEntries = R"sql(
INSERT INTO wallet.entries (journal_no, line_no, written_at, account_no, currency, purpose, coins,
                            balance_after, sequence)
SELECT journal_no, line_no, 'epoch'::timestamptz + $9::bigint * interval '1 microsecond', account_no,
       currency, purpose, coins, nullif(balance_after, -1), nullif(sequence, 0)
FROM unnest($1::bigint[], $2::smallint[], $3::bigint[], $4::text[], $5::text[], $6::bigint[],
            $7::bigint[], $8::bigint[])
     e (journal_no, line_no, account_no, currency, purpose, coins, balance_after, sequence)
)sql";

constexpr std::string_view kInsertMovements = R"sql(
INSERT INTO wallet.money_movements (journal_no, flow, provider, external_reference)
SELECT journal_no, flow, nullif(provider, ''), nullif(external_reference, '')
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[])
     m (journal_no, flow, provider, external_reference)
)sql";

constexpr std::string_view kInsertCloses = R"sql(
INSERT INTO wallet.round_closes (round_no, how, journal_no)
SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[])
)sql";

// The players are locked: only what this group decided can have changed.
constexpr std::string_view kUpdateBalances = R"sql(
UPDATE wallet.balances b
SET coins = n.coins, held = n.held, last_sequence = n.sequence,
    round_no = CASE n.in_round WHEN 1 THEN b.round_no END,
    reservation_no = CASE n.seated WHEN 1 THEN b.reservation_no END,
    held_table = CASE n.seated WHEN 1 THEN b.held_table END,
    held_until = CASE n.seated WHEN 1 THEN b.held_until END
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
     n (account_no, coins, held, sequence, in_round, seated)
WHERE b.account_no = n.account_no
)sql";

constexpr std::string_view kInsertRequests = R"sql(
INSERT INTO wallet.requests (request_key, content_version, content_hash, outcome, facts, account_no,
                             journal_no, balance)
SELECT request_key, content_version, content_hash, outcome, string_to_array(facts, E'\n'), account_no,
       nullif(journal_no, 0), balance
FROM unnest($1::text[], $2::smallint[], $3::bytea[], $4::text[], $5::text[], $6::bigint[],
            $7::bigint[], $8::bigint[])
     r (request_key, content_version, content_hash, outcome, facts, account_no, journal_no, balance)
)sql";

pg::Bytes BytesOf(const audit::Digest& digest) { return {std::string(audit::AsBytes(digest))}; }

std::optional<std::string> OrNull(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return text;
}

audit::MovementRow RowOf(const Movement& movement) {
  audit::MovementRow row;
  row.flow = ToSql(movement.flow);
  if (!movement.provider.empty()) {
    row.provider = movement.provider;
    row.external_reference = movement.external_reference;
  }
  return row;
}

}  // namespace

audit::Digest ContentHash(const RequestKey& key) { return audit::Sha256(key.content); }

void PostingRows::AddEntries(const Posting& posting, const Event& event,
                             const AccountNos& account_nos, audit::JournalRow& row) {
  const std::string currency(ToSql(posting.currency));
  for (const Line& line : event.lines) {
    audit::EntryRow entry;
    entry.account_id = line.entry.account.text;
    entry.account_no = account_nos.find(entry.account_id)->second;
    entry.currency = currency;
    entry.purpose = ToSql(line.entry.purpose);
    entry.coins = line.entry.coins.value();
    if (line.after) {
      entry.balance_after = line.after->coins.value();
      entry.sequence = line.after->last_sequence;
    }
    entries_.journal_nos.push_back(row.journal_no);
    entries_.line_nos.push_back(static_cast<std::int64_t>(row.entries.size()) + 1);
    entries_.account_nos.push_back(entry.account_no);
    entries_.currencies.push_back(currency);
    entries_.purposes.push_back(entry.purpose);
    entries_.coins.push_back(entry.coins);
    entries_.balances_after.push_back(entry.balance_after.value_or(-1));
    entries_.sequences.push_back(entry.sequence.value_or(0));
    row.entries.push_back(std::move(entry));
  }
}

JournalNo PostingRows::AddEvent(const Posting& posting, const Event& event,
                                const AccountNos& account_nos, std::int64_t round_no) {
  MJ_CHECK(journal_.nos.size() < head_.journal_nos.size());
  audit::JournalRow row;
  row.chain_no = head_.chain_no;
  row.chain_sequence = at_.sequence + 1;
  row.previous_hash = at_.hash;
  row.journal_no = head_.journal_nos[journal_.nos.size()];
  row.kind = ToSql(event.kind);
  row.request_key = posting.key.text;
  row.content_version = posting.key.content_version;
  row.content_hash = ContentHash(posting.key);
  row.actor = event.actor;
  row.approver = OrNull(event.approver);
  row.reason = event.reason;
  row.table_id = OrNull(event.table_id);
  row.round_id = OrNull(event.round_id);
  row.rulebook_version = OrNull(event.rulebook_version);
  if (event.reverses != 0) row.reverses_journal_no = event.reverses;
  row.happened_at =
      std::chrono::duration_cast<std::chrono::microseconds>(event.happened_at.time_since_epoch())
          .count();
  row.written_at = head_.written_at;
  AddEntries(posting, event, account_nos, row);

  if (event.movement) {
    row.movement = RowOf(*event.movement);
    movements_.journal_nos.push_back(row.journal_no);
    movements_.flows.push_back(row.movement->flow);
    movements_.providers.push_back(event.movement->provider);
    movements_.references.push_back(event.movement->external_reference);
  }
  if (event.settlement || event.penalty) {
    Numbers seats;
    const auto& players =
        event.settlement ? event.settlement->player_ids : event.penalty->player_ids;
    for (const std::string& id : players) seats.push_back(account_nos.find(id)->second);
    const auto house_no = [&](AccountKind kind) {
      return account_nos.find(HouseAccountId(kind))->second;
    };
    if (event.settlement) {
      settlements_.Add(posting.currency, *event.settlement, seats, row);
      shortfalls_.Add(*event.settlement, seats, house_no(AccountKind::kHouseRake), row);
    } else {
      penalties_.Add(posting.currency, *event.penalty, seats, row);
      shortfalls_.Add(*event.penalty, seats, house_no(AccountKind::kPenalties), row);
    }
  }
  if (round_no != 0) {
    closes_.round_nos.push_back(round_no);
    closes_.how.push_back(row.kind);
    closes_.journal_nos.push_back(row.journal_no);
  }

  const audit::Digest hash = audit::RowHash(row);
  journal_.nos.push_back(row.journal_no);
  journal_.kinds.push_back(row.kind);
  journal_.keys.push_back(row.request_key);
  journal_.content_versions.push_back(row.content_version);
  journal_.content_hashes.push_back(BytesOf(row.content_hash));
  journal_.actors.push_back(event.actor);
  journal_.approvers.push_back(event.approver);
  journal_.reasons.push_back(event.reason);
  journal_.table_ids.push_back(event.table_id);
  journal_.round_ids.push_back(event.round_id);
  journal_.rulebook_versions.push_back(event.rulebook_version);
  journal_.reverses.push_back(event.reverses);
  journal_.happened_at.push_back(row.happened_at);
  journal_.sequences.push_back(row.chain_sequence);
  journal_.previous_hashes.push_back(BytesOf(row.previous_hash));
  journal_.hashes.push_back(BytesOf(hash));
  at_ = {row.chain_sequence, hash};
  return row.journal_no;
}

void PostingRows::AddRequest(const RequestKey& key, std::string_view outcome, const Facts& facts,
                             std::int64_t account_no, JournalNo journal_no, Coins balance) {
  requests_.keys.push_back(key.text);
  requests_.content_versions.push_back(key.content_version);
  requests_.content_hashes.push_back(BytesOf(ContentHash(key)));
  requests_.outcomes.emplace_back(outcome);
  requests_.facts.push_back(base::Join(FactsColumn(facts), "\n"));
  requests_.account_nos.push_back(account_no);
  requests_.journal_nos.push_back(journal_no);
  requests_.balances.push_back(balance.value());
}

void PostingRows::AddBalance(const LockedPlayer& player) {
  const Found& found = player.found;
  balances_.account_nos.push_back(player.account_no);
  balances_.coins.push_back(found.balance.coins.value());
  balances_.held.push_back(found.balance.held.value());
  balances_.sequences.push_back(found.balance.last_sequence);
  balances_.in_round.push_back(found.standing.round_id.empty() ? 0 : 1);
  balances_.seated.push_back(found.standing.hold ? 1 : 0);
}

std::vector<pg::Statement> PostingRows::Statements() const {
  std::vector<pg::Statement> statements;
  if (!balances_.account_nos.empty()) {
    statements.emplace_back(kUpdateBalances, balances_.account_nos, balances_.coins, balances_.held,
                            balances_.sequences, balances_.in_round, balances_.seated);
  }
  if (!journal_.nos.empty()) {
    statements.emplace_back(kInsertJournal, journal_.nos, journal_.kinds, journal_.keys,
                            journal_.content_versions, journal_.content_hashes, journal_.actors,
                            journal_.approvers, journal_.reasons, journal_.table_ids,
                            journal_.round_ids, journal_.rulebook_versions, journal_.reverses,
                            journal_.happened_at, journal_.sequences, journal_.previous_hashes,
                            journal_.hashes, head_.written_at, head_.chain_no);
  }
  if (!entries_.journal_nos.empty()) {
    statements.emplace_back(kInsertEntries, entries_.journal_nos, entries_.line_nos,
                            entries_.account_nos, entries_.currencies, entries_.purposes,
                            entries_.coins, entries_.balances_after, entries_.sequences,
                            head_.written_at);
  }
  settlements_.AddTo(statements);
  penalties_.AddTo(statements);
  shortfalls_.AddTo(statements);
  if (!movements_.journal_nos.empty()) {
    statements.emplace_back(kInsertMovements, movements_.journal_nos, movements_.flows,
                            movements_.providers, movements_.references);
  }
  if (!closes_.round_nos.empty()) {
    statements.emplace_back(kInsertCloses, closes_.round_nos, closes_.how, closes_.journal_nos);
  }
  if (!requests_.keys.empty()) {
    statements.emplace_back(kInsertRequests, requests_.keys, requests_.content_versions,
                            requests_.content_hashes, requests_.outcomes, requests_.facts,
                            requests_.account_nos, requests_.journal_nos, requests_.balances);
  }
  return statements;
}

}  // namespace mj::wallet::store
