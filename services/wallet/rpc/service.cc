#include "services/wallet/rpc/service.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "libs/base/status.h"
#include "services/wallet/rpc/messages.h"

namespace mj::wallet::rpc {
namespace {

// For a client that set no deadline, or one beyond reason.
constexpr std::chrono::seconds kTimeMax{30};

// Callers have no identities yet: their request ids share one space.
constexpr const char* kAnybody = "anybody";

// What the log says a call was about.
template <typename In>
void Note(mj::rpc::Call& call, const In& in) {
  if constexpr (requires { in.account_id(); }) call.Note("account_id", in.account_id());
  if constexpr (requires { in.player_id(); }) call.Note("player_id", in.player_id());
  if constexpr (requires { in.round_id(); }) call.Note("round_id", in.round_id());
  if constexpr (requires { in.journal_id(); }) call.Note("journal_id", in.journal_id());
  if constexpr (requires { in.tier_id(); }) call.Note("tier_id", in.tier_id());
}

}  // namespace

CallContext WalletService::ContextOf(const mj::rpc::Call& call) const {
  const std::chrono::nanoseconds left = call.Remaining().value_or(kTimeMax);
  return {kAnybody, clock_.Monotonic() + std::min<std::chrono::nanoseconds>(left, kTimeMax)};
}

template <typename In, typename Out, typename Asked, typename Answer>
grpc::ServerUnaryReactor* WalletService::Run(
    grpc::CallbackServerContext* context, std::string_view method, const In* request, Out* response,
    absl::StatusOr<Answer> (Wallet::*use_case)(const CallContext&, const Asked&)) {
  return front_.Unary(
      context, method, request, response, mj::rpc::Front::kNoValidation,
      [this, use_case](mj::rpc::Call& call, const In& in, Out& out) -> absl::Status {
        Note(call, in);
        MJ_ASSIGN_OR_RETURN(const Asked asked, FromProto(in));
        MJ_ASSIGN_OR_RETURN(const Answer answer, (wallet_.*use_case)(ContextOf(call), asked));
        ToProto(answer, out);
        return absl::OkStatus();
      });
}

template <typename In, typename Out, typename Asked, typename Answer>
grpc::ServerUnaryReactor* WalletService::Start(
    grpc::CallbackServerContext* context, std::string_view method, const In* request, Out* response,
    void (Wallet::*use_case)(const CallContext&, Asked,
                             std::function<void(absl::StatusOr<Answer>)>)) {
  return front_.UnaryAsync(context, method, request, response, mj::rpc::Front::kNoValidation,
                           [this, use_case](const std::shared_ptr<mj::rpc::Call>& call,
                                            const In& in, Out& out, mj::rpc::Done done) {
                             Note(*call, in);
                             absl::StatusOr<Asked> asked = FromProto(in);
                             if (!asked.ok()) return done(asked.status());
                             (wallet_.*use_case)(
                                 ContextOf(*call), *std::move(asked),
                                 [&out, done = std::move(done)](absl::StatusOr<Answer> answer) {
                                   if (answer.ok()) ToProto(*answer, out);
                                   done(answer.status());
                                 });
                           });
}

grpc::ServerUnaryReactor* WalletService::OpenAccount(grpc::CallbackServerContext* context,
                                                     const proto::OpenAccountRequest* request,
                                                     proto::OpenAccountResponse* response) {
  return Run(context, "OpenAccount", request, response, &Wallet::OpenAccount);
}

grpc::ServerUnaryReactor* WalletService::GetAccount(grpc::CallbackServerContext* context,
                                                    const proto::GetAccountRequest* request,
                                                    proto::GetAccountResponse* response) {
  return Run(context, "GetAccount", request, response, &Wallet::GetAccount);
}

grpc::ServerUnaryReactor* WalletService::Deposit(grpc::CallbackServerContext* context,
                                                 const proto::DepositRequest* request,
                                                 proto::DepositResponse* response) {
  return Run(context, "Deposit", request, response, &Wallet::Deposit);
}

grpc::ServerUnaryReactor* WalletService::Withdraw(grpc::CallbackServerContext* context,
                                                  const proto::WithdrawRequest* request,
                                                  proto::WithdrawResponse* response) {
  return Run(context, "Withdraw", request, response, &Wallet::Withdraw);
}

grpc::ServerUnaryReactor* WalletService::Adjust(grpc::CallbackServerContext* context,
                                                const proto::AdjustRequest* request,
                                                proto::AdjustResponse* response) {
  return Run(context, "Adjust", request, response, &Wallet::Adjust);
}

grpc::ServerUnaryReactor* WalletService::Reverse(grpc::CallbackServerContext* context,
                                                 const proto::ReverseRequest* request,
                                                 proto::ReverseResponse* response) {
  return Run(context, "Reverse", request, response, &Wallet::Reverse);
}

grpc::ServerUnaryReactor* WalletService::Freeze(grpc::CallbackServerContext* context,
                                                const proto::FreezeRequest* request,
                                                proto::FreezeResponse* response) {
  return Run(context, "Freeze", request, response, &Wallet::Freeze);
}

grpc::ServerUnaryReactor* WalletService::Unfreeze(grpc::CallbackServerContext* context,
                                                  const proto::UnfreezeRequest* request,
                                                  proto::UnfreezeResponse* response) {
  return Run(context, "Unfreeze", request, response, &Wallet::Unfreeze);
}

grpc::ServerUnaryReactor* WalletService::CloseAccount(grpc::CallbackServerContext* context,
                                                      const proto::CloseAccountRequest* request,
                                                      proto::CloseAccountResponse* response) {
  return Run(context, "CloseAccount", request, response, &Wallet::CloseAccount);
}

grpc::ServerUnaryReactor* WalletService::ListStakeTiers(grpc::CallbackServerContext* context,
                                                        const proto::ListStakeTiersRequest* request,
                                                        proto::ListStakeTiersResponse* response) {
  return Run(context, "ListStakeTiers", request, response, &Wallet::ListStakeTiers);
}

grpc::ServerUnaryReactor* WalletService::GetStakeTier(grpc::CallbackServerContext* context,
                                                      const proto::GetStakeTierRequest* request,
                                                      proto::GetStakeTierResponse* response) {
  return Run(context, "GetStakeTier", request, response, &Wallet::GetStakeTier);
}

grpc::ServerUnaryReactor* WalletService::PutStakeTier(grpc::CallbackServerContext* context,
                                                      const proto::PutStakeTierRequest* request,
                                                      proto::PutStakeTierResponse* response) {
  return Run(context, "PutStakeTier", request, response, &Wallet::PutStakeTier);
}

grpc::ServerUnaryReactor* WalletService::Reserve(grpc::CallbackServerContext* context,
                                                 const proto::ReserveRequest* request,
                                                 proto::ReserveResponse* response) {
  return Run(context, "Reserve", request, response, &Wallet::Reserve);
}

grpc::ServerUnaryReactor* WalletService::Release(grpc::CallbackServerContext* context,
                                                 const proto::ReleaseRequest* request,
                                                 proto::ReleaseResponse* response) {
  return Run(context, "Release", request, response, &Wallet::Release);
}

grpc::ServerUnaryReactor* WalletService::BeginRound(grpc::CallbackServerContext* context,
                                                    const proto::BeginRoundRequest* request,
                                                    proto::BeginRoundResponse* response) {
  return Run(context, "BeginRound", request, response, &Wallet::BeginRound);
}

grpc::ServerUnaryReactor* WalletService::SettleRound(grpc::CallbackServerContext* context,
                                                     const proto::SettleRoundRequest* request,
                                                     proto::SettleRoundResponse* response) {
  return Start(context, "SettleRound", request, response, &Wallet::SettleRound);
}

grpc::ServerUnaryReactor* WalletService::ApplyPenalty(grpc::CallbackServerContext* context,
                                                      const proto::ApplyPenaltyRequest* request,
                                                      proto::ApplyPenaltyResponse* response) {
  return Run(context, "ApplyPenalty", request, response, &Wallet::ApplyPenalty);
}

grpc::ServerUnaryReactor* WalletService::VoidRound(grpc::CallbackServerContext* context,
                                                   const proto::VoidRoundRequest* request,
                                                   proto::VoidRoundResponse* response) {
  return Run(context, "VoidRound", request, response, &Wallet::VoidRound);
}

grpc::ServerUnaryReactor* WalletService::ListEntries(grpc::CallbackServerContext* context,
                                                     const proto::ListEntriesRequest* request,
                                                     proto::ListEntriesResponse* response) {
  return Run(context, "ListEntries", request, response, &Wallet::ListEntries);
}

grpc::ServerUnaryReactor* WalletService::ListSettlements(
    grpc::CallbackServerContext* context, const proto::ListSettlementsRequest* request,
    proto::ListSettlementsResponse* response) {
  return Run(context, "ListSettlements", request, response, &Wallet::ListSettlements);
}

grpc::ServerUnaryReactor* WalletService::GetSettlement(grpc::CallbackServerContext* context,
                                                       const proto::GetSettlementRequest* request,
                                                       proto::GetSettlementResponse* response) {
  return Run(context, "GetSettlement", request, response, &Wallet::GetSettlement);
}

grpc::ServerUnaryReactor* WalletService::GetJournalRow(grpc::CallbackServerContext* context,
                                                       const proto::GetJournalRowRequest* request,
                                                       proto::GetJournalRowResponse* response) {
  return Run(context, "GetJournalRow", request, response, &Wallet::GetJournalRow);
}

grpc::ServerUnaryReactor* WalletService::VerifyLedger(grpc::CallbackServerContext* context,
                                                      const proto::VerifyLedgerRequest* request,
                                                      proto::VerifyLedgerResponse* response) {
  return Run(context, "VerifyLedger", request, response, &Wallet::VerifyLedger);
}

grpc::ServerWriteReactor<proto::WatchAccountResponse>* WalletService::WatchAccount(
    grpc::CallbackServerContext* context, const proto::WatchAccountRequest* request) {
  return front_.Stream<proto::WatchAccountResponse>(
      context, "WatchAccount", request, mj::rpc::Front::kNoValidation,
      [this](mj::rpc::Call& call, const auto& in, const Watches::Stream& stream) -> absl::Status {
        Note(call, in);
        MJ_ASSIGN_OR_RETURN(const WatchRequest asked, FromProto(in));
        return watches_.Open({kAnybody, clock_.Monotonic() + kTimeMax}, asked, stream);
      });
}

grpc::ServerWriteReactor<proto::ExportStatementResponse>* WalletService::ExportStatement(
    grpc::CallbackServerContext* context, const proto::ExportStatementRequest* request) {
  return front_.Stream<proto::ExportStatementResponse>(
      context, "ExportStatement", request, mj::rpc::Front::kNoValidation,
      [this](mj::rpc::Call& call, const auto& in,
             const Statements::Stream& stream) -> absl::Status {
        Note(call, in);
        MJ_ASSIGN_OR_RETURN(const WatchRequest asked, FromProto(in));
        return statements_.Open({kAnybody, clock_.Monotonic() + kTimeMax}, asked, stream);
      });
}

}  // namespace mj::wallet::rpc
