#include "services/wallet/store/round_rows.h"

#include <tuple>
#include <utility>

#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/wallet/store/names.h"

namespace mj::wallet::store {
namespace {

using base::Cat;

constexpr std::string_view kInsertRulebook = R"sql(
INSERT INTO wallet.rulebooks (variant, version, rule_ids) VALUES ($1, $2, $3::text[])
ON CONFLICT (variant, version) DO NOTHING
)sql";

constexpr std::string_view kInsertRound = R"sql(
WITH round AS (
  INSERT INTO wallet.rounds (round_id, content_version, content_hash, table_id, variant,
                             rulebook_version, currency, base, tier_id, rake, escape_penalty,
                             escape_compensation, account_nos, close_due)
  VALUES ($1, $2, sha256($3::bytea), $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::bigint[],
          $14::timestamptz)
  ON CONFLICT (round_id) DO NOTHING
  RETURNING round_no
), players AS (
  INSERT INTO wallet.round_players (account_no, round_no, seat)
  SELECT account_no, round_no, seat - 1
  FROM round, unnest($13::bigint[]) WITH ORDINALITY player (account_no, seat)
)
SELECT round_no FROM round
)sql";

std::string NameOf(const std::string& variant, const std::string& version) {
  return Cat(variant, "/", version);
}

bool Set(Coins& out, std::int64_t value) {
  const auto coins = Coins::From(value);
  if (coins) out = *coins;
  return coins.has_value();
}

}  // namespace

std::vector<std::string> RulebookCache::Known() const {
  base::MutexLock lock(mutex_);
  std::vector<std::string> names;
  names.reserve(rulebooks_.size());
  for (const auto& [name, rules] : rulebooks_) names.push_back(name);
  return names;
}

std::optional<RuleIds> RulebookCache::Find(const std::string& name) const {
  base::MutexLock lock(mutex_);
  const auto found = rulebooks_.find(name);
  if (found == rulebooks_.end()) return std::nullopt;
  return found->second;
}

RuleIds RulebookCache::Put(const std::string& name, RuleIds rule_ids) {
  base::MutexLock lock(mutex_);
  return rulebooks_.try_emplace(name, std::move(rule_ids)).first->second;
}

absl::StatusOr<std::vector<RoundRow>> RoundsFrom(const pg::Result& result,
                                                 RulebookCache& rulebooks) {
  using Text = std::string;
  using Number = std::int64_t;
  MJ_ASSIGN_OR_RETURN(
      const auto rows,
      (result.Rows<Number, Text, Text, Text, Text, Text, Number, Text, Number, Number, Number, Text,
                   Text, Text, Text, base::WallTime, base::WallTime, std::optional<Text>,
                   std::optional<Number>, std::optional<Text>>()));
  std::vector<RoundRow> rounds;
  for (const auto& [round_no, round_id, table_id, variant, version, currency, base, tier_id, rake,
                    penalty, compensation, p0, p1, p2, p3, begun_at, close_due, how, journal_no,
                    rule_ids] : rows) {
    BegunRound begun{.round_id = round_id,
                     .table_id = table_id,
                     .variant = variant,
                     .rulebook_version = version,
                     .tier_id = tier_id,
                     .player_ids = {p0, p1, p2, p3},
                     .begun_at = begun_at,
                     .close_due = close_due};
    const auto known_currency = CurrencyFromSql(currency);
    const std::string name = NameOf(variant, version);
    std::optional<RuleIds> rules = rulebooks.Find(name);
    if (!rules && rule_ids) {
      std::vector<std::string> ids;
      for (const std::string_view id : base::Split(*rule_ids, ' ')) ids.emplace_back(id);
      rules = rulebooks.Put(name, RuleIds(std::move(ids)));
    }
    if (!rules || !known_currency || !Set(begun.base, base) || !Set(begun.rake, rake) ||
        !Set(begun.escape_penalty, penalty) || !Set(begun.escape_compensation, compensation)) {
      return absl::InternalError(Cat("round ", round_id, " holds what no round can hold"));
    }
    begun.currency = *known_currency;
    begun.rule_ids = *std::move(rules);
    RoundRow row;
    row.round_no = round_no;
    if (how && journal_no) {
      const auto kind = JournalKindFromSql(*how);
      if (!kind) return absl::InternalError(Cat("round ", round_id, " was closed by a ", *how));
      row.closed = RoundClose{*kind, *journal_no};
    }
    row.begun = std::make_shared<const BegunRound>(std::move(begun));
    rounds.push_back(std::move(row));
  }
  return rounds;
}

absl::StatusOr<std::optional<RoundRow>> ReadRound(pg::Transaction& tx, const std::string& round_id,
                                                  RulebookCache& rulebooks) {
  MJ_ASSIGN_OR_RETURN(
      const pg::Result result,
      tx.Execute(kReadRounds, std::vector<std::string>{round_id}, rulebooks.Known()));
  MJ_ASSIGN_OR_RETURN(std::vector<RoundRow> rounds, RoundsFrom(result, rulebooks));
  if (rounds.empty()) return std::optional<RoundRow>();
  return std::optional<RoundRow>(std::move(rounds.front()));
}

absl::StatusOr<std::optional<std::int64_t>> InsertRound(
    pg::Transaction& tx, const RequestKey& key, const BegunRound& round,
    const std::vector<std::int64_t>& account_nos) {
  MJ_RETURN_IF_ERROR(
      tx.Execute(kInsertRulebook, round.variant, round.rulebook_version, round.rule_ids.sorted())
          .status());
  MJ_ASSIGN_OR_RETURN(const pg::Result inserted,
                      tx.Execute(kInsertRound, round.round_id, key.content_version,
                                 pg::Bytes{key.content}, round.table_id, round.variant,
                                 round.rulebook_version, ToSql(round.currency), round.base.value(),
                                 round.tier_id, round.rake.value(), round.escape_penalty.value(),
                                 round.escape_compensation.value(), account_nos, round.close_due));
  MJ_ASSIGN_OR_RETURN(const auto row, inserted.AtMostOne<std::int64_t>());
  if (!row) return std::optional<std::int64_t>();
  return std::optional<std::int64_t>(std::get<0>(*row));
}

}  // namespace mj::wallet::store
