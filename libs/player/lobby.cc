#include "libs/player/lobby.h"

#include <grpcpp/client_context.h>

#include <memory>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/rpc/client.h"

namespace mj::player {
namespace {

namespace common = ::mahjong::common::v1;
using matchmaking::MatchmakingService;
using wallet::WalletService;

const rpc::CallOptions kOptions{.timeout = kCallTimeout};
// A watch that breaks is taken up again this often.
constexpr int kWatchesMax = 5;

bool IsTransient(const absl::Status& status) {
  return status.code() == absl::StatusCode::kUnavailable;
}

absl::Status Open(WalletService::StubInterface& stub, const std::string& request_id,
                  const std::string& player_id, common::Currency currency) {
  wallet::OpenAccountRequest open;
  open.set_request_id(request_id);
  open.set_account_id(player_id);
  open.set_kind(wallet::ACCOUNT_KIND_PLAYER);
  open.set_currency(currency);
  return rpc::Invoke(stub, &WalletService::StubInterface::OpenAccount, open, kOptions).status();
}

absl::Status DepositIn(common::Currency currency, WalletService::StubInterface& stub,
                       const std::string& request_id, const std::string& player_id,
                       std::int64_t coins, const std::string& reason) {
  wallet::DepositRequest deposit;
  deposit.set_request_id(request_id);
  deposit.set_account_id(player_id);
  deposit.set_currency(currency);
  deposit.set_coins(coins);
  deposit.set_reason(reason);
  return rpc::Invoke(stub, &WalletService::StubInterface::Deposit, deposit, kOptions).status();
}

absl::StatusOr<matchmaking::Ticket> QueueAs(MatchmakingService::StubInterface& stub,
                                            const matchmaking::CreateTicketRequest& request) {
  MJ_ASSIGN_OR_RETURN(
      const matchmaking::CreateTicketResponse response,
      rpc::Invoke(stub, &MatchmakingService::StubInterface::CreateTicket, request, kOptions));
  return response.ticket();
}

}  // namespace

absl::Status OpenFunded(WalletService::StubInterface& stub, const std::string& player_id,
                        std::int64_t coins) {
  MJ_RETURN_IF_ERROR(Open(stub, base::Cat("open-", player_id), player_id, common::CURRENCY_COIN));
  if (coins == 0) return absl::OkStatus();

  return Deposit(stub, base::Cat("fund-", player_id), player_id, coins, "opening balance");
}

absl::Status OpenForPractice(WalletService::StubInterface& stub, const std::string& player_id,
                             std::int64_t coins) {
  MJ_RETURN_IF_ERROR(
      Open(stub, base::Cat("practise-", player_id), player_id, common::CURRENCY_PRACTICE));
  return DepositIn(common::CURRENCY_PRACTICE, stub, base::Cat("practice-fund-", player_id),
                   player_id, coins, "practice");
}

absl::Status Deposit(WalletService::StubInterface& stub, const std::string& request_id,
                     const std::string& player_id, std::int64_t coins, const std::string& reason) {
  return DepositIn(common::CURRENCY_COIN, stub, request_id, player_id, coins, reason);
}

absl::StatusOr<std::int64_t> BalanceOf(WalletService::StubInterface& stub,
                                       const std::string& player_id) {
  wallet::GetAccountRequest request;
  request.set_account_id(player_id);
  request.set_currency(::mahjong::common::v1::CURRENCY_COIN);
  MJ_ASSIGN_OR_RETURN(
      const wallet::GetAccountResponse response,
      rpc::Invoke(stub, &WalletService::StubInterface::GetAccount, request, kOptions));
  return response.account().balance();
}

absl::StatusOr<matchmaking::Ticket> Queue(MatchmakingService::StubInterface& stub,
                                          const std::string& request_id,
                                          const std::string& player_id, const std::string& variant,
                                          std::int64_t base) {
  matchmaking::CreateTicketRequest request;
  request.set_request_id(request_id);
  request.set_player_id(player_id);
  request.set_variant(variant);
  request.set_base(base);
  request.set_currency(common::CURRENCY_COIN);
  return QueueAs(stub, request);
}

absl::StatusOr<matchmaking::Ticket> QueueForPractice(MatchmakingService::StubInterface& stub,
                                                     const std::string& request_id,
                                                     const std::string& player_id,
                                                     const std::string& variant, std::int64_t base,
                                                     matchmaking::BotStrength strength) {
  matchmaking::CreateTicketRequest request;
  request.set_request_id(request_id);
  request.set_player_id(player_id);
  request.set_variant(variant);
  request.set_base(base);
  request.set_currency(common::CURRENCY_PRACTICE);
  request.set_bot_strength(strength);
  request.set_bots(matchmaking::BOTS_AT_ONCE);
  return QueueAs(stub, request);
}

absl::StatusOr<matchmaking::Assignment> AwaitAssignment(MatchmakingService::StubInterface& stub,
                                                        const std::string& ticket_id,
                                                        std::chrono::milliseconds limit) {
  matchmaking::WatchTicketRequest request;
  request.set_ticket_id(ticket_id);
  absl::Status broken;
  for (int watch = 0; watch < kWatchesMax; ++watch) {
    grpc::ClientContext context;
    rpc::Prepare(context, {.timeout = limit});
    const auto reader = stub.WatchTicket(&context, request);
    matchmaking::Ticket last;
    for (matchmaking::WatchTicketResponse response; reader->Read(&response);) {
      last = response.ticket();
    }
    broken = rpc::FromGrpc(reader->Finish());
    if (last.state() == matchmaking::TICKET_STATE_ASSIGNED) return last.assignment();
    if (broken.ok()) {
      return absl::FailedPreconditionError(base::Cat("ticket ", ticket_id, " ended as ",
                                                     matchmaking::TicketState_Name(last.state()),
                                                     " ", last.failure_reason()));
    }
    if (!IsTransient(broken)) break;
  }
  return broken;
}

}  // namespace mj::player
