#include "services/wallet/store/tier_rows.h"

#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include "libs/base/status.h"

namespace mj::wallet::store {
namespace {

constexpr std::string_view kRead = R"sql(
SELECT tier_id, base, minimum, rake, escape_penalty, escape_compensation
FROM wallet.stake_tiers_at(transaction_timestamp())
WHERE variant = $1 AND currency = 'COIN' ORDER BY base
)sql";

}  // namespace

absl::StatusOr<std::vector<Tier>> ReadTiers(pg::Transaction& tx, const std::string& variant) {
  MJ_ASSIGN_OR_RETURN(const pg::Result result, tx.Execute(kRead, variant));
  MJ_ASSIGN_OR_RETURN(const auto rows, (result.Rows<std::string, std::int64_t, std::int64_t,
                                                    std::int64_t, std::int64_t, std::int64_t>()));
  std::vector<Tier> tiers;
  for (const auto& [id, base, minimum, rake, penalty, compensation] : rows) {
    Tier tier{id, {variant, {}, {}, {}, {}, {}}};
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

}  // namespace mj::wallet::store
