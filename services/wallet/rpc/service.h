// mahjong.wallet.v1.WalletService: requests in, answers out.
#pragma once

#include <functional>
#include <string_view>

#include "absl/status/statusor.h"
#include "libs/base/clock.h"
#include "libs/rpc/front.h"
#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"
#include "services/wallet/app/wallet.h"
#include "services/wallet/rpc/statements.h"
#include "services/wallet/rpc/watches.h"

namespace mj::wallet::rpc {

// Thread-safe. Everything is decided by the application; its failures are told as they are.
class WalletService final : public ::mahjong::wallet::v1::WalletService::CallbackService {
 public:
  // All must outlive the service.
  WalletService(mj::rpc::Front& front, Wallet& wallet, const base::Clock& clock)
      : front_(front),
        wallet_(wallet),
        clock_(clock),
        watches_(wallet, clock),
        statements_(wallet, clock) {}

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
  grpc::ServerUnaryReactor* Adjust(grpc::CallbackServerContext* context,
                                   const ::mahjong::wallet::v1::AdjustRequest* request,
                                   ::mahjong::wallet::v1::AdjustResponse* response) override;
  grpc::ServerUnaryReactor* Reverse(grpc::CallbackServerContext* context,
                                    const ::mahjong::wallet::v1::ReverseRequest* request,
                                    ::mahjong::wallet::v1::ReverseResponse* response) override;
  grpc::ServerUnaryReactor* Freeze(grpc::CallbackServerContext* context,
                                   const ::mahjong::wallet::v1::FreezeRequest* request,
                                   ::mahjong::wallet::v1::FreezeResponse* response) override;
  grpc::ServerUnaryReactor* Unfreeze(grpc::CallbackServerContext* context,
                                     const ::mahjong::wallet::v1::UnfreezeRequest* request,
                                     ::mahjong::wallet::v1::UnfreezeResponse* response) override;
  grpc::ServerUnaryReactor* CloseAccount(
      grpc::CallbackServerContext* context,
      const ::mahjong::wallet::v1::CloseAccountRequest* request,
      ::mahjong::wallet::v1::CloseAccountResponse* response) override;
  grpc::ServerUnaryReactor* ListStakeTiers(
      grpc::CallbackServerContext* context,
      const ::mahjong::wallet::v1::ListStakeTiersRequest* request,
      ::mahjong::wallet::v1::ListStakeTiersResponse* response) override;
  grpc::ServerUnaryReactor* GetStakeTier(
      grpc::CallbackServerContext* context,
      const ::mahjong::wallet::v1::GetStakeTierRequest* request,
      ::mahjong::wallet::v1::GetStakeTierResponse* response) override;
  grpc::ServerUnaryReactor* PutStakeTier(
      grpc::CallbackServerContext* context,
      const ::mahjong::wallet::v1::PutStakeTierRequest* request,
      ::mahjong::wallet::v1::PutStakeTierResponse* response) override;
  grpc::ServerUnaryReactor* Reserve(grpc::CallbackServerContext* context,
                                    const ::mahjong::wallet::v1::ReserveRequest* request,
                                    ::mahjong::wallet::v1::ReserveResponse* response) override;
  grpc::ServerUnaryReactor* Release(grpc::CallbackServerContext* context,
                                    const ::mahjong::wallet::v1::ReleaseRequest* request,
                                    ::mahjong::wallet::v1::ReleaseResponse* response) override;
  grpc::ServerUnaryReactor* BeginRound(
      grpc::CallbackServerContext* context, const ::mahjong::wallet::v1::BeginRoundRequest* request,
      ::mahjong::wallet::v1::BeginRoundResponse* response) override;
  grpc::ServerUnaryReactor* SettleRound(
      grpc::CallbackServerContext* context,
      const ::mahjong::wallet::v1::SettleRoundRequest* request,
      ::mahjong::wallet::v1::SettleRoundResponse* response) override;
  grpc::ServerUnaryReactor* ApplyPenalty(
      grpc::CallbackServerContext* context,
      const ::mahjong::wallet::v1::ApplyPenaltyRequest* request,
      ::mahjong::wallet::v1::ApplyPenaltyResponse* response) override;
  grpc::ServerUnaryReactor* VoidRound(grpc::CallbackServerContext* context,
                                      const ::mahjong::wallet::v1::VoidRoundRequest* request,
                                      ::mahjong::wallet::v1::VoidRoundResponse* response) override;
  grpc::ServerUnaryReactor* ListEntries(
      grpc::CallbackServerContext* context,
      const ::mahjong::wallet::v1::ListEntriesRequest* request,
      ::mahjong::wallet::v1::ListEntriesResponse* response) override;
  grpc::ServerUnaryReactor* ListSettlements(
      grpc::CallbackServerContext* context,
      const ::mahjong::wallet::v1::ListSettlementsRequest* request,
      ::mahjong::wallet::v1::ListSettlementsResponse* response) override;
  grpc::ServerUnaryReactor* GetSettlement(
      grpc::CallbackServerContext* context,
      const ::mahjong::wallet::v1::GetSettlementRequest* request,
      ::mahjong::wallet::v1::GetSettlementResponse* response) override;
  grpc::ServerUnaryReactor* GetJournalRow(
      grpc::CallbackServerContext* context,
      const ::mahjong::wallet::v1::GetJournalRowRequest* request,
      ::mahjong::wallet::v1::GetJournalRowResponse* response) override;
  grpc::ServerWriteReactor<::mahjong::wallet::v1::WatchAccountResponse>* WatchAccount(
      grpc::CallbackServerContext* context,
      const ::mahjong::wallet::v1::WatchAccountRequest* request) override;
  grpc::ServerWriteReactor<::mahjong::wallet::v1::ExportStatementResponse>* ExportStatement(
      grpc::CallbackServerContext* context,
      const ::mahjong::wallet::v1::ExportStatementRequest* request) override;

  grpc::ServerUnaryReactor* VerifyLedger(
      grpc::CallbackServerContext* context,
      const ::mahjong::wallet::v1::VerifyLedgerRequest* request,
      ::mahjong::wallet::v1::VerifyLedgerResponse* response) override;

 private:
  [[nodiscard]] CallContext ContextOf(const mj::rpc::Call& call) const;

  // A call that the use case answers.
  template <typename In, typename Out, typename Asked, typename Answer>
  grpc::ServerUnaryReactor* Run(grpc::CallbackServerContext* context, std::string_view method,
                                const In* request, Out* response,
                                absl::StatusOr<Answer> (Wallet::*use_case)(const CallContext&,
                                                                           const Asked&));

  // A call that the use case answers later, without a thread that waits.
  template <typename In, typename Out, typename Asked, typename Answer>
  grpc::ServerUnaryReactor* Start(
      grpc::CallbackServerContext* context, std::string_view method, const In* request,
      Out* response,
      void (Wallet::*use_case)(const CallContext&, Asked,
                               std::function<void(absl::StatusOr<Answer>)>));

  mj::rpc::Front& front_;
  Wallet& wallet_;
  const base::Clock& clock_;
  Watches watches_;
  Statements statements_;
};

}  // namespace mj::wallet::rpc
