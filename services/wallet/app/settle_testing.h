// SettleRound for tests, which wait for its answer.
#pragma once

#include <future>
#include <utility>

#include "absl/status/statusor.h"
#include "services/wallet/app/wallet.h"

namespace mj::wallet {

inline absl::StatusOr<SettleRoundAnswer> SettleAndWait(Wallet& wallet, const CallContext& context,
                                                       SettleRoundRequest request) {
  std::promise<absl::StatusOr<SettleRoundAnswer>> told;
  wallet.SettleRound(
      context, std::move(request),
      [&told](absl::StatusOr<SettleRoundAnswer> answer) { told.set_value(std::move(answer)); });
  return told.get_future().get();
}

}  // namespace mj::wallet
