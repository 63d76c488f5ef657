#include "services/wallet/store/tier_rows.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/wallet/store/names.h"

namespace mj::wallet::store {
namespace {

constexpr std::string_view kRead = R"sql(
SELECT tier_id, variant, currency, base, minimum, rake, escape_penalty, escape_compensation,
       (extract(epoch FROM valid_from) * 1000000)::bigint,
       (extract(epoch FROM valid_until) * 1000000)::bigint
FROM wallet.stake_tiers_at(transaction_timestamp())
WHERE ($1 = '' OR variant = $1) AND currency = $2 ORDER BY variant, base
)sql";

constexpr std::string_view kReadPeriod = R"sql(
SELECT tier_id, variant, currency, base, minimum, rake, escape_penalty, escape_compensation,
       (extract(epoch FROM valid_from) * 1000000)::bigint,
       (extract(epoch FROM valid_until) * 1000000)::bigint
FROM wallet.stake_tiers WHERE tier_id = $1 AND valid_from = $2::timestamptz
)sql";

// Operators' writes are few: one at a time.
constexpr std::string_view kLockTiers = R"sql(
SELECT pg_advisory_xact_lock(hashtext('wallet.stake_tiers')) IS NULL,
       (extract(epoch FROM transaction_timestamp()) * 1000000)::bigint
)sql";

constexpr std::string_view kNeighbours = R"sql(
SELECT coalesce(bool_or((tier_id = $1) <> (variant = $2 AND base = $3 AND currency = $4)), false),
       coalesce(bool_or(tier_id = $1 AND valid_from >= $5::timestamptz), false)
FROM wallet.stake_tiers
WHERE tier_id = $1 OR (variant = $2 AND base = $3 AND currency = $4)
)sql";

constexpr std::string_view kInsert = R"sql(
INSERT INTO wallet.stake_tiers (tier_id, variant, currency, base, minimum, rake, escape_penalty,
                                escape_compensation, valid_from, valid_until)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9::timestamptz, $10::timestamptz)
)sql";

constexpr const char* kTierFact = "tier_id";
constexpr const char* kFromFact = "valid_from_us";

absl::StatusOr<std::vector<Tier>> TiersFrom(const pg::Result& result) {
  MJ_ASSIGN_OR_RETURN(
      const auto rows,
      (result.Rows<std::string, std::string, std::string, std::int64_t, std::int64_t, std::int64_t,
                   std::int64_t, std::int64_t, base::WallTime, std::optional<base::WallTime>>()));
  std::vector<Tier> tiers;
  for (const auto& [id, variant, currency, base, minimum, rake, penalty, compensation, valid_from,
                    valid_until] : rows) {
    const auto known_currency = CurrencyFromSql(currency);
    if (!known_currency) return absl::InternalError(base::Cat("a tier in ", currency));
    Tier tier{.id = id,
              .stakes = {.variant = variant},
              .currency = *known_currency,
              .valid_from = valid_from,
              .valid_until = valid_until};
    for (const auto& [to, value] :
         {std::pair(&tier.stakes.base, base), std::pair(&tier.stakes.minimum, minimum),
          std::pair(&tier.stakes.rake, rake), std::pair(&tier.stakes.escape_penalty, penalty),
          std::pair(&tier.stakes.escape_compensation, compensation)}) {
      const auto coins = Coins::From(value);
      if (!coins) return absl::InternalError("stake tier " + id + " holds an amount beyond 2^53");
      *to = *coins;
    }
    tiers.push_back(std::move(tier));
  }
  return tiers;
}

}  // namespace

absl::StatusOr<std::vector<Tier>> ReadTiers(pg::Transaction& tx, const std::string& variant,
                                            Currency currency) {
  MJ_ASSIGN_OR_RETURN(const pg::Result result, tx.Execute(kRead, variant, ToSql(currency)));
  return TiersFrom(result);
}

absl::StatusOr<std::variant<Tier, TierRefused>> InsertTierPeriod(pg::Transaction& tx,
                                                                 const TierPeriod& period) {
  using Outcome = std::variant<Tier, TierRefused>;
  Tier tier = period.tier;
  MJ_ASSIGN_OR_RETURN(const pg::Result lock, tx.Execute(kLockTiers));
  MJ_ASSIGN_OR_RETURN(const auto locked, (lock.One<bool, base::WallTime>()));
  const base::WallTime now = std::get<1>(locked);
  if (period.from_now) tier.valid_from = now;
  if (tier.valid_from < now || (tier.valid_until && *tier.valid_until <= tier.valid_from)) {
    return Outcome(TierRefused::kInThePast);
  }
  const ledger::StakeTier& stakes = tier.stakes;
  MJ_ASSIGN_OR_RETURN(const pg::Result neighbours,
                      tx.Execute(kNeighbours, tier.id, stakes.variant, stakes.base.value(),
                                 ToSql(tier.currency), tier.valid_from));
  MJ_ASSIGN_OR_RETURN(const auto row, (neighbours.One<bool, bool>()));
  if (std::get<0>(row)) return Outcome(TierRefused::kOtherRoom);
  if (std::get<1>(row)) return Outcome(TierRefused::kNotTheLast);
  MJ_RETURN_IF_ERROR(tx.Execute(kInsert, tier.id, stakes.variant, ToSql(tier.currency),
                                stakes.base.value(), stakes.minimum.value(), stakes.rake.value(),
                                stakes.escape_penalty.value(), stakes.escape_compensation.value(),
                                tier.valid_from, tier.valid_until)
                         .status());
  return Outcome(tier);
}

Facts TierPeriodFacts(const Tier& tier) {
  const auto since = std::chrono::floor<std::chrono::microseconds>(tier.valid_from);
  return {{kTierFact, tier.id}, {kFromFact, std::to_string(since.time_since_epoch().count())}};
}

absl::StatusOr<Tier> ReadTierPeriod(pg::Transaction& tx, const Facts& facts) {
  const auto id = facts.find(kTierFact);
  const auto since = facts.find(kFromFact);
  const auto microseconds = since == facts.end() ? std::nullopt : base::ParseInt64(since->second);
  if (id == facts.end() || !microseconds) {
    return absl::InternalError("a remembered stake tier without its facts");
  }
  MJ_ASSIGN_OR_RETURN(const pg::Result result,
                      tx.Execute(kReadPeriod, id->second,
                                 base::WallTime(std::chrono::microseconds(*microseconds))));
  MJ_ASSIGN_OR_RETURN(std::vector<Tier> tiers, TiersFrom(result));
  if (tiers.size() != 1) return absl::InternalError("a remembered stake tier has gone");
  return std::move(tiers.front());
}

}  // namespace mj::wallet::store
