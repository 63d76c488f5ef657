// mahjong.wallet.v1.WalletOperatorService.
#pragma once

#include "libs/rpc/front.h"
#include "mahjong/wallet/v1/operator_service.grpc.pb.h"
#include "services/wallet/app/trail.h"

namespace mj::wallet::rpc {

// Thread-safe. Everything referenced must outlive it.
class OperatorService final : public ::mahjong::wallet::v1::WalletOperatorService::CallbackService {
 public:
  OperatorService(mj::rpc::Front& front, Trail& trail, const base::Clock& clock)
      : front_(front), trail_(trail), clock_(clock) {}

  grpc::ServerUnaryReactor* ListOperations(
      grpc::CallbackServerContext* context,
      const ::mahjong::wallet::v1::ListOperationsRequest* request,
      ::mahjong::wallet::v1::ListOperationsResponse* response) override;

 private:
  mj::rpc::Front& front_;
  Trail& trail_;
  const base::Clock& clock_;
};

}  // namespace mj::wallet::rpc
