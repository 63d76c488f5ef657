// mahjong.wallet.v1.WalletService: requests in, answers out.
#pragma once

#include "libs/base/clock.h"
#include "libs/rpc/front.h"
#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"
#include "services/wallet/app/wallet.h"

namespace mj::wallet::rpc {

// Thread-safe. Everything is decided by the application; its failures are told as they are.
class WalletService final : public ::mahjong::wallet::v1::WalletService::CallbackService {
 public:
  // All must outlive the service.
  WalletService(mj::rpc::Front& front, Wallet& wallet, const base::Clock& clock)
      : front_(front), wallet_(wallet), clock_(clock) {}

  grpc::ServerUnaryReactor* OpenAccount(
      grpc::CallbackServerContext* context,
      const ::mahjong::wallet::v1::OpenAccountRequest* request,
      ::mahjong::wallet::v1::OpenAccountResponse* response) override;
  grpc::ServerUnaryReactor* GetAccount(
      grpc::CallbackServerContext* context, const ::mahjong::wallet::v1::GetAccountRequest* request,
      ::mahjong::wallet::v1::GetAccountResponse* response) override;
  grpc::ServerUnaryReactor* Deposit(grpc::CallbackServerContext* context,
                                    const ::mahjong::wallet::v1::DepositRequest* request,
                                    ::mahjong::wallet::v1::DepositResponse* response) override;
  grpc::ServerUnaryReactor* Withdraw(grpc::CallbackServerContext* context,
                                     const ::mahjong::wallet::v1::WithdrawRequest* request,
                                     ::mahjong::wallet::v1::WithdrawResponse* response) override;
  grpc::ServerUnaryReactor* GetStakeTier(
      grpc::CallbackServerContext* context,
      const ::mahjong::wallet::v1::GetStakeTierRequest* request,
      ::mahjong::wallet::v1::GetStakeTierResponse* response) override;
  grpc::ServerUnaryReactor* SettleRound(
      grpc::CallbackServerContext* context,
      const ::mahjong::wallet::v1::SettleRoundRequest* request,
      ::mahjong::wallet::v1::SettleRoundResponse* response) override;
  grpc::ServerUnaryReactor* ListEntries(
      grpc::CallbackServerContext* context,
      const ::mahjong::wallet::v1::ListEntriesRequest* request,
      ::mahjong::wallet::v1::ListEntriesResponse* response) override;

 private:
  [[nodiscard]] CallContext ContextOf(const mj::rpc::Call& call) const;

  mj::rpc::Front& front_;
  Wallet& wallet_;
  const base::Clock& clock_;
};

}  // namespace mj::wallet::rpc
