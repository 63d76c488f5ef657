#include "libs/books/statement.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "libs/base/csv.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"

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

std::string Utc(std::int64_t micros) {
  return base::FormatUtc(base::WallTime(std::chrono::microseconds(micros)));
}

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
  sink(base::CsvLine(std::vector<std::string>{"sequence", "written_at", "journal_id", "event",
                                              "coins", "balance_after", "round_id", "table_id",
                                              "reason"}));
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
      sink(base::CsvLine(std::vector<std::string>{
          std::to_string(sequence), Utc(written_at), std::to_string(journal_no), event,
          std::to_string(coins), std::to_string(balance), base::CsvText(round),
          base::CsvText(table), base::CsvText(reason)}));
      after = sequence;
    }
  } while (static_cast<std::int64_t>(page.size()) == kPage);
  return absl::OkStatus();
}

}  // namespace mj::books
