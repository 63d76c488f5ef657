// The wallet over real gRPC, on a ledger in memory.
#pragma once

#include <gmock/gmock.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/status_testing.h"
#include "libs/ledger/coins.h"
#include "libs/rpc/client.h"
#include "libs/rpc/connected_testing.h"
#include "libs/rpc/grpc_status.h"
#include "libs/rpc/service.h"
#include "services/wallet/app/memory_ledger_store_testing.h"

#include "services/wallet/rpc/service.h"

namespace mj::wallet::rpc {
namespace v1 = ::mahjong::wallet::v1;
namespace common = ::mahjong::common::v1;
using base::FailsWith;
using base::IsOk;
using base::Reason;
using google::protobuf::util::MessageDifferencer;
using Stub = v1::WalletService::StubInterface;

const mj::rpc::CallOptions kOptions{.timeout = std::chrono::seconds(20), .request_id = {}};
constexpr std::int64_t kTooMuch = ledger::kCoinsMax + 1;
constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin64 = std::numeric_limits<std::int64_t>::min();

class WalletRpcTest : public ::testing::Test {
 protected:
  WalletRpcTest() {
    auto started = mj::rpc::StartService(
        "wallet", {},
        [this](mj::rpc::Bindings& bindings) {
          auto& wallet =
              bindings.Own(std::make_unique<Wallet>(store_, bindings.clock(), SomeRuleIds()));
          bindings.AddService<v1::WalletService>(
              std::make_unique<WalletService>(bindings.front(), wallet, bindings.clock()));
          return absl::OkStatus();
        },
        {.log_line = [](std::string_view) {}});
    EXPECT_THAT(started, IsOk());
    service_ = *std::move(started);
    stub_ = v1::WalletService::NewStub(mj::rpc::ConnectedChannel({.target = service_->address()}));
  }

  auto Call(const v1::OpenAccountRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::OpenAccount, in, kOptions);
  }
  auto Call(const v1::GetAccountRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::GetAccount, in, kOptions);
  }
  auto Call(const v1::DepositRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::Deposit, in, kOptions);
  }
  auto Call(const v1::WithdrawRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::Withdraw, in, kOptions);
  }
  auto Call(const v1::GetStakeTierRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::GetStakeTier, in, kOptions);
  }
  auto Call(const v1::SettleRoundRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::SettleRound, in, kOptions);
  }
  auto Call(const v1::AdjustRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::Adjust, in, kOptions);
  }
  auto Call(const v1::ReverseRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::Reverse, in, kOptions);
  }
  auto Call(const v1::FreezeRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::Freeze, in, kOptions);
  }
  auto Call(const v1::UnfreezeRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::Unfreeze, in, kOptions);
  }
  auto Call(const v1::CloseAccountRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::CloseAccount, in, kOptions);
  }
  auto Call(const v1::ListStakeTiersRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::ListStakeTiers, in, kOptions);
  }
  auto Call(const v1::PutStakeTierRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::PutStakeTier, in, kOptions);
  }
  auto Call(const v1::ReserveRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::Reserve, in, kOptions);
  }
  auto Call(const v1::ReleaseRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::Release, in, kOptions);
  }
  auto Call(const v1::BeginRoundRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::BeginRound, in, kOptions);
  }
  auto Call(const v1::ApplyPenaltyRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::ApplyPenalty, in, kOptions);
  }
  auto Call(const v1::VoidRoundRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::VoidRound, in, kOptions);
  }
  auto Call(const v1::ListSettlementsRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::ListSettlements, in, kOptions);
  }
  auto Call(const v1::GetSettlementRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::GetSettlement, in, kOptions);
  }
  auto Call(const v1::GetJournalRowRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::GetJournalRow, in, kOptions);
  }
  auto Call(const v1::ListEntriesRequest& in) {
    return mj::rpc::Invoke(*stub_, &Stub::ListEntries, in, kOptions);
  }

  void Open(const std::string& id, std::int64_t coins = 0,
            common::Currency currency = common::CURRENCY_COIN) {
    v1::OpenAccountRequest open;
    open.set_request_id("open-" + id);
    open.set_account_id(id);
    open.set_currency(currency);
    EXPECT_THAT(Call(open), IsOk());
    if (coins == 0) return;
    v1::DepositRequest deposit = Money<v1::DepositRequest>(coins, id);
    deposit.set_request_id("give-" + id);
    deposit.set_currency(currency);
    EXPECT_THAT(Call(deposit), IsOk());
  }

  std::int64_t Balance(const std::string& id) {
    v1::GetAccountRequest request;
    request.set_account_id(id);
    const auto response = Call(request);
    EXPECT_THAT(response, IsOk());
    return response.ok() ? response->account().balance() : -1;
  }

  template <typename Request>
  static Request Money(std::int64_t coins, const std::string& id = "ann") {
    Request request;
    request.set_request_id("r1");
    request.set_account_id(id);
    request.set_coins(coins);
    request.set_reason("because");
    return request;
  }

  static void AddTransfer(v1::SettleRoundRequest& round, std::uint32_t from, std::uint32_t to,
                          std::int64_t coins, const std::string& rule = "CZ-11") {
    common::Transfer& transfer = *round.add_transfers();
    transfer.set_from_seat(from);
    transfer.set_to_seat(to);
    transfer.set_coins(coins);
    transfer.set_rule_id(rule);
  }

  // A seat at table-1, and the beginning of round-1 there with four who have enough for it.
  void Sit(const std::string& id, const std::string& variant = "chaozhou") {
    v1::ReserveRequest reserve;
    reserve.set_request_id("sit-" + id);
    reserve.set_player_id(id);
    reserve.set_table_id("table-1");
    reserve.set_variant(variant);
    reserve.set_base(10);
    EXPECT_THAT(Call(reserve), IsOk());
  }
  static v1::BeginRoundRequest Beginning(const std::string& variant = "chaozhou") {
    v1::BeginRoundRequest begin;
    begin.set_round_id("round-1");
    begin.set_table_id("table-1");
    begin.set_variant(variant);
    begin.set_rulebook_version("v1");
    begin.set_base(10);
    for (const char* const id : {"a", "b", "c", "d"}) begin.add_player_ids(id);
    return begin;
  }
  void Begin(const std::string& variant = "chaozhou") {
    for (const char* const id : {"a", "b", "c", "d"}) Sit(id, variant);
    EXPECT_THAT(Call(Beginning(variant)), IsOk());
  }

  static v1::SettleRoundRequest Round() {
    v1::SettleRoundRequest round;
    round.set_round_id("round-1");
    round.set_table_id("table-1");
    round.set_variant("chaozhou");
    round.set_rulebook_version("v1");
    round.set_base(10);
    for (const char* const id : {"a", "b", "c", "d"}) round.add_player_ids(id);
    return round;
  }

  base::SystemClock clock_;
  MemoryLedgerStore store_{clock_, SomeTiers()};
  std::unique_ptr<mj::rpc::RunningService> service_;
  std::unique_ptr<v1::WalletService::Stub> stub_;
};

}  // namespace mj::wallet::rpc
