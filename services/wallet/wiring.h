// The wallet service, put together.
#pragma once

#include "absl/status/status.h"
#include "libs/rpc/service.h"
#include "services/wallet/config.h"

namespace mj::wallet {

// Serves mahjong.wallet.v1.WalletService on the database of `config`. UNAVAILABLE if that does not
// answer within ten seconds, FAILED_PRECONDITION if schema `wallet` is not there.
absl::Status Bind(const Config& config, mj::rpc::Bindings& bindings);

}  // namespace mj::wallet
