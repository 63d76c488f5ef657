// The audit of the ledger, step by step.

#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/wallet/app/wallet.h"

namespace mj::wallet {
namespace {

constexpr std::int64_t kRowsDefault = 10'000;
constexpr std::int64_t kRowsMax = 100'000;

}  // namespace

absl::StatusOr<VerifyLedgerAnswer> Wallet::VerifyLedger(const CallContext& context,
                                                        const VerifyLedgerRequest& request) {
  if (request.rows_max < 0 || request.rows_max > kRowsMax) {
    return base::Error(base::Reason::kBadPageSize,
                       base::Cat("rows_max: got ", std::to_string(request.rows_max), ", want 0 to ",
                                 std::to_string(kRowsMax)),
                       {.field = "rows_max"});
  }
  auto verified =
      store_.Verify(request.page_token, request.rows_max == 0 ? kRowsDefault : request.rows_max,
                    context.deadline);
  if (absl::IsInvalidArgument(verified.status())) {
    return base::Error(base::Reason::kBadPageToken, "page_token: none of an audit",
                       {.field = "page_token"});
  }
  MJ_RETURN_IF_ERROR(verified.status());
  return VerifyLedgerAnswer{std::move(verified->checked), std::move(verified->place)};
}

}  // namespace mj::wallet
