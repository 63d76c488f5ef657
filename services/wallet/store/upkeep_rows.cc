#include "services/wallet/store/upkeep_rows.h"

#include <string_view>
#include <tuple>

#include "libs/base/status.h"

namespace mj::wallet::store {
namespace {

constexpr std::string_view kSchema = "SELECT to_regclass('wallet.journal') IS NOT NULL";

constexpr std::string_view kMakePartitions = "SELECT wallet.make_partitions(3)";

constexpr std::string_view kUpkeep = R"sql(
SELECT misplaced, months_ahead, days_unsealed, to_char(yesterday, 'YYYY-MM-DD') FROM wallet.upkeep()
)sql";

}  // namespace

absl::Status CheckSchema(pg::Pool& pool, base::MonotonicTime deadline) {
  MJ_ASSIGN_OR_RETURN(const pg::Result result,
                      pool.Execute({.deadline = deadline, .read_only = true}, kSchema));
  MJ_ASSIGN_OR_RETURN(const auto row, result.One<bool>());
  if (std::get<0>(row)) return absl::OkStatus();
  return absl::FailedPreconditionError("the database has no schema wallet: run the migrations");
}

absl::Status MakePartitions(pg::Pool& pool, base::MonotonicTime deadline) {
  return pool.Execute({.deadline = deadline}, kMakePartitions).status();
}

absl::StatusOr<UpkeepState> ReadUpkeepState(pg::Pool& pool, base::MonotonicTime deadline) {
  MJ_ASSIGN_OR_RETURN(const pg::Result result,
                      pool.Execute({.deadline = deadline, .read_only = true}, kUpkeep));
  MJ_ASSIGN_OR_RETURN(const auto row,
                      (result.One<std::int64_t, std::int64_t, std::int64_t, std::string>()));
  const auto& [misplaced, months_ahead, days_unsealed, yesterday] = row;
  return UpkeepState{misplaced, months_ahead, days_unsealed, yesterday};
}

}  // namespace mj::wallet::store
