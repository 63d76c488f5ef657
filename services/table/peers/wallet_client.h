// The wallet as the table asks it.
#pragma once

#include <grpcpp/channel.h>

#include <chrono>
#include <memory>

#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"
#include "services/table/app/peers.h"

namespace mj::table::peers {

// Thread-safe. `done` runs on a gRPC thread.
class WalletClient final : public Wallet {
 public:
  WalletClient(const std::shared_ptr<grpc::Channel>& channel, std::chrono::milliseconds timeout)
      : stub_(::mahjong::wallet::v1::WalletService::NewStub(channel)), timeout_(timeout) {}

  void SettleRound(const Settlement& settlement,
                   std::function<void(absl::StatusOr<RoundPosted>)> done) override;

 private:
  const std::unique_ptr<::mahjong::wallet::v1::WalletService::Stub> stub_;
  const std::chrono::milliseconds timeout_;
};

}  // namespace mj::table::peers
