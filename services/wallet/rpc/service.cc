#include "services/wallet/rpc/service.h"

#include <algorithm>
#include <chrono>

#include "libs/base/status.h"
#include "services/wallet/rpc/messages.h"

namespace mj::wallet::rpc {
namespace {

// For a client that set no deadline, or one beyond reason.
constexpr std::chrono::seconds kTimeMax{30};

// Callers have no identities yet: their request ids share one space.
constexpr const char* kAnybody = "anybody";

}  // namespace

CallContext WalletService::ContextOf(const mj::rpc::Call& call) const {
  const std::chrono::nanoseconds left = call.Remaining().value_or(kTimeMax);
  return {kAnybody, clock_.Monotonic() + std::min<std::chrono::nanoseconds>(left, kTimeMax)};
}

grpc::ServerUnaryReactor* WalletService::OpenAccount(grpc::CallbackServerContext* context,
                                                     const proto::OpenAccountRequest* request,
                                                     proto::OpenAccountResponse* response) {
  return front_.Unary(context, "OpenAccount", request, response, mj::rpc::Front::kNoValidation,
                      [this](mj::rpc::Call& call, const auto& in, auto& out) -> absl::Status {
                        call.Note("account_id", in.account_id());
                        MJ_ASSIGN_OR_RETURN(const OpenAccountRequest asked, FromProto(in));
                        MJ_ASSIGN_OR_RETURN(const Account account,
                                            wallet_.OpenAccount(ContextOf(call), asked));
                        ToProto(account, *out.mutable_account());
                        return absl::OkStatus();
                      });
}

grpc::ServerUnaryReactor* WalletService::GetAccount(grpc::CallbackServerContext* context,
                                                    const proto::GetAccountRequest* request,
                                                    proto::GetAccountResponse* response) {
  return front_.Unary(context, "GetAccount", request, response, mj::rpc::Front::kNoValidation,
                      [this](mj::rpc::Call& call, const auto& in, auto& out) -> absl::Status {
                        call.Note("account_id", in.account_id());
                        MJ_ASSIGN_OR_RETURN(const AccountKey asked, FromProto(in));
                        MJ_ASSIGN_OR_RETURN(const Account account,
                                            wallet_.GetAccount(ContextOf(call), asked));
                        ToProto(account, *out.mutable_account());
                        return absl::OkStatus();
                      });
}

grpc::ServerUnaryReactor* WalletService::Deposit(grpc::CallbackServerContext* context,
                                                 const proto::DepositRequest* request,
                                                 proto::DepositResponse* response) {
  return front_.Unary(context, "Deposit", request, response, mj::rpc::Front::kNoValidation,
                      [this](mj::rpc::Call& call, const auto& in, auto& out) -> absl::Status {
                        call.Note("account_id", in.account_id());
                        MJ_ASSIGN_OR_RETURN(const MoneyRequest asked, FromProto(in));
                        MJ_ASSIGN_OR_RETURN(const MoneyAnswer answer,
                                            wallet_.Deposit(ContextOf(call), asked));
                        out.set_journal_id(answer.journal_id);
                        out.set_balance(answer.balance.value());
                        return absl::OkStatus();
                      });
}

grpc::ServerUnaryReactor* WalletService::Withdraw(grpc::CallbackServerContext* context,
                                                  const proto::WithdrawRequest* request,
                                                  proto::WithdrawResponse* response) {
  return front_.Unary(context, "Withdraw", request, response, mj::rpc::Front::kNoValidation,
                      [this](mj::rpc::Call& call, const auto& in, auto& out) -> absl::Status {
                        call.Note("account_id", in.account_id());
                        MJ_ASSIGN_OR_RETURN(const MoneyRequest asked, FromProto(in));
                        MJ_ASSIGN_OR_RETURN(const MoneyAnswer answer,
                                            wallet_.Withdraw(ContextOf(call), asked));
                        out.set_journal_id(answer.journal_id);
                        out.set_balance(answer.balance.value());
                        return absl::OkStatus();
                      });
}

grpc::ServerUnaryReactor* WalletService::GetStakeTier(grpc::CallbackServerContext* context,
                                                      const proto::GetStakeTierRequest* request,
                                                      proto::GetStakeTierResponse* response) {
  return front_.Unary(context, "GetStakeTier", request, response, mj::rpc::Front::kNoValidation,
                      [this](mj::rpc::Call& call, const auto& in, auto& out) -> absl::Status {
                        call.Note("player_id", in.player_id());
                        MJ_ASSIGN_OR_RETURN(const StakeTierRequest asked, FromProto(in));
                        MJ_ASSIGN_OR_RETURN(const StakeTierAnswer answer,
                                            wallet_.GetStakeTier(ContextOf(call), asked));
                        ToProto(answer, out);
                        return absl::OkStatus();
                      });
}

grpc::ServerUnaryReactor* WalletService::SettleRound(grpc::CallbackServerContext* context,
                                                     const proto::SettleRoundRequest* request,
                                                     proto::SettleRoundResponse* response) {
  return front_.Unary(context, "SettleRound", request, response, mj::rpc::Front::kNoValidation,
                      [this](mj::rpc::Call& call, const auto& in, auto& out) -> absl::Status {
                        call.Note("round_id", in.round_id());
                        call.Note("table_id", in.table_id());
                        MJ_ASSIGN_OR_RETURN(const SettleRoundRequest asked, FromProto(in));
                        MJ_ASSIGN_OR_RETURN(const SettleRoundAnswer answer,
                                            wallet_.SettleRound(ContextOf(call), asked));
                        ToProto(answer, out);
                        return absl::OkStatus();
                      });
}

grpc::ServerUnaryReactor* WalletService::ListEntries(grpc::CallbackServerContext* context,
                                                     const proto::ListEntriesRequest* request,
                                                     proto::ListEntriesResponse* response) {
  return front_.Unary(context, "ListEntries", request, response, mj::rpc::Front::kNoValidation,
                      [this](mj::rpc::Call& call, const auto& in, auto& out) -> absl::Status {
                        call.Note("account_id", in.account_id());
                        MJ_ASSIGN_OR_RETURN(const ListEntriesRequest asked, FromProto(in));
                        MJ_ASSIGN_OR_RETURN(const ListEntriesAnswer answer,
                                            wallet_.ListEntries(ContextOf(call), asked));
                        ToProto(answer, out);
                        return absl::OkStatus();
                      });
}

}  // namespace mj::wallet::rpc
