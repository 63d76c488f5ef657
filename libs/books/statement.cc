#include "libs/books/statement.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/statement/statement.h"

namespace mj::books {
namespace {

constexpr std::int64_t kPage = 1000;

constexpr std::string_view kAccount = R"sql(
SELECT account_no FROM wallet.accounts
WHERE account_id = $1 AND currency = $2 AND kind = 'player'
)sql";

constexpr std::string_view kEntries = R"sql(
SELECT e.sequence, (extract(epoch FROM e.written_at) * 1000000)::bigint, e.journal_no, j.kind,
       e.coins, e.balance_after, coalesce(j.round_id, ''), coalesce(j.table_id, ''), j.reason
FROM wallet.entries e JOIN wallet.journal j ON j.journal_no = e.journal_no
WHERE e.account_no = $1 AND e.sequence IS NOT NULL AND e.sequence > $2
ORDER BY e.sequence LIMIT $3
)sql";

}  // namespace

absl::Status WriteStatement(pg::Pool& pool, const std::string& account_id,
                            const std::string& currency, base::MonotonicTime deadline,
                            const std::function<void(std::string_view)>& sink) {
  using Entry = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::string, std::int64_t,
                           std::int64_t, std::string, std::string, std::string>;
  const pg::RunOptions reading{.deadline = deadline, .read_only = true};
  std::optional<std::tuple<std::int64_t>> account;
  MJ_RETURN_IF_ERROR(pool.Run(reading, [&](pg::Transaction& tx) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(const pg::Result found, tx.Execute(kAccount, account_id, currency));
    MJ_ASSIGN_OR_RETURN(account, (found.AtMostOne<std::int64_t>()));
    return absl::OkStatus();
  }));
  if (!account) {
    return absl::NotFoundError(base::Cat("there is no player ", account_id, " in ", currency));
  }
  sink(statement::Header());
  std::int64_t after = 0;
  std::vector<Entry> page;
  do {
    MJ_RETURN_IF_ERROR(pool.Run(reading, [&](pg::Transaction& tx) -> absl::Status {
      MJ_ASSIGN_OR_RETURN(const pg::Result found,
                          tx.Execute(kEntries, std::get<0>(*account), after, kPage));
      MJ_ASSIGN_OR_RETURN(
          page, (found.Rows<std::int64_t, std::int64_t, std::int64_t, std::string, std::int64_t,
                            std::int64_t, std::string, std::string, std::string>()));
      return absl::OkStatus();
    }));
    for (const auto& [sequence, written_at, journal_no, event, coins, balance, round, table,
                      reason] : page) {
      sink(statement::ToCsv({.sequence = sequence,
                             .written_at = base::WallTime(std::chrono::microseconds(written_at)),
                             .journal_no = journal_no,
                             .event = event,
                             .coins = coins,
                             .balance_after = balance,
                             .round_id = round,
                             .table_id = table,
                             .reason = reason}));
      after = sequence;
    }
  } while (static_cast<std::int64_t>(page.size()) == kPage);
  return absl::OkStatus();
}

}  // namespace mj::books
