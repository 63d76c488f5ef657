#include "services/wallet/store/pg_trail.h"

#include <limits>
#include <string>
#include <string_view>

#include "libs/base/status.h"
#include "services/wallet/store/names.h"

namespace mj::wallet::store {
namespace {

// The house's side of a row is left out. A row may have several entries of an account.
constexpr std::string_view kList = R"sql(
WITH line AS (
  SELECT (extract(epoch FROM v.happened_at) * 1000000)::bigint AS at, 0 AS source,
         v.event_no AS number, v.account_no, v.kind, v.actor, '' AS approver, v.reason,
         0::bigint AS journal_no, 0::bigint AS coins
    FROM wallet.account_events v
   WHERE $2 = '' OR v.actor = $2
  UNION ALL
  SELECT (extract(epoch FROM j.written_at) * 1000000)::bigint, 1, j.journal_no, e.account_no,
         j.kind, j.actor, j.approver, j.reason, j.journal_no, sum(e.coins)::bigint
    FROM wallet.journal j
    JOIN wallet.entries e ON e.journal_no = j.journal_no AND e.written_at = j.written_at
   WHERE j.kind IN ('adjustment', 'reversal') AND e.sequence IS NOT NULL
     AND ($2 = '' OR j.actor = $2 OR j.approver = $2)
   GROUP BY j.journal_no, e.account_no)
SELECT l.at, l.source, l.number, l.account_no, l.kind, a.account_id, a.currency, l.actor,
       l.approver, l.reason, l.journal_no, l.coins
  FROM line l JOIN wallet.accounts a ON a.account_no = l.account_no
 WHERE ($1 = '' OR a.account_id = $1)
   AND (l.at, l.source, l.number, l.account_no)
       < ($3::bigint, $4::integer, $5::bigint, $6::bigint)
 ORDER BY l.at DESC, l.source DESC, l.number DESC, l.account_no DESC LIMIT $7
)sql";

std::optional<TrailKind> KindFrom(std::string_view word) {
  if (word == "frozen") return TrailKind::kFreeze;
  if (word == "unfrozen") return TrailKind::kUnfreeze;
  if (word == "closed") return TrailKind::kCloseAccount;
  if (word == "adjustment") return TrailKind::kAdjust;
  if (word == "reversal") return TrailKind::kReverse;
  return std::nullopt;
}

}  // namespace

absl::StatusOr<std::vector<TrailLine>> PgTrail::List(const TrailFilter& filter,
                                                     const std::optional<TrailPlace>& before,
                                                     std::int64_t limit,
                                                     base::MonotonicTime deadline) {
  using std::string;
  constexpr std::int64_t kAfterAll = std::numeric_limits<std::int64_t>::max();
  MJ_ASSIGN_OR_RETURN(
      const pg::Result found,
      pool_.Execute({.deadline = deadline, .read_only = true}, kList, filter.account_id, filter.who,
                    before ? before->time.time_since_epoch().count() : kAfterAll,
                    before ? before->source : 0, before ? before->number : 0,
                    before ? before->account_no : 0, limit));
  MJ_ASSIGN_OR_RETURN(
      const auto rows,
      (found.Rows<base::WallTime, std::int64_t, std::int64_t, std::int64_t, string, string, string,
                  string, string, string, std::int64_t, std::int64_t>()));
  std::vector<TrailLine> lines;
  lines.reserve(rows.size());
  for (const auto& [at, source, number, account_no, kind, account, currency, actor, approver,
                    reason, journal_no, coins] : rows) {
    const auto known_kind = KindFrom(kind);
    const auto known_currency = CurrencyFromSql(currency);
    if (!known_kind || !known_currency) return absl::InternalError("a line of the trail");
    lines.push_back({{at, source, number, account_no},
                     *known_kind,
                     {account, *known_currency},
                     actor,
                     approver,
                     reason,
                     journal_no,
                     coins});
  }
  return lines;
}

}  // namespace mj::wallet::store
