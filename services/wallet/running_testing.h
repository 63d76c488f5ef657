// The whole service in this process on real PostgreSQL, with four players at a table.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/base/status_testing.h"
#include "libs/rpc/client.h"
#include "libs/rpc/connected_testing.h"
#include "libs/rpc/service.h"
#include "libs/rules/variant.h"
#include "libs/variants/registry.h"
#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"
#include "services/wallet/config.h"
#include "services/wallet/store/books_testing.h"
#include "services/wallet/wiring.h"

namespace mj::wallet {

namespace v1 = ::mahjong::wallet::v1;
using Stub = v1::WalletService::StubInterface;
using store::Migrations;

inline const mj::rpc::CallOptions kOptions{.timeout = std::chrono::seconds(30), .request_id = {}};

inline absl::StatusOr<std::unique_ptr<mj::rpc::RunningService>> Start(const std::string& database) {
  Config config;
  config.database = database;
  return mj::rpc::StartService(
      "wallet", config.server,
      [config](mj::rpc::Bindings& bindings) { return Bind(config, bindings); },
      {.log_line = [](std::string_view) {}});
}

inline auto StubOf(const mj::rpc::RunningService& service) {
  return v1::WalletService::NewStub(mj::rpc::ConnectedChannel({.target = service.address()}));
}

// What every table says that plays by the rules of this program.
inline std::string Rulebook() { return rules::RulebookVersion(*variants::Find("chaozhou")); }

// One of its rules.
inline std::string RuleId() { return std::string(variants::Find("chaozhou")->rules().front().id); }

// The requests of a table of a, b, c and d.
inline v1::ReserveRequest Seat(const std::string& request_id, const std::string& player,
                               std::int64_t base = 10) {
  v1::ReserveRequest request;
  request.set_request_id(request_id);
  request.set_player_id(player);
  request.set_table_id("table-1");
  request.set_variant("chaozhou");
  request.set_base(base);
  return request;
}

inline v1::BeginRoundRequest Beginning(const std::string& round_id, std::int64_t base = 10) {
  v1::BeginRoundRequest request;
  request.set_round_id(round_id);
  request.set_table_id("table-1");
  request.set_variant("chaozhou");
  request.set_rulebook_version(Rulebook());
  request.set_base(base);
  for (const char* const player : {"a", "b", "c", "d"}) request.add_player_ids(player);
  return request;
}

inline void AddTransfer(v1::SettleRoundRequest& round, std::uint32_t from, std::uint32_t to,
                        std::int64_t coins) {
  auto& transfer = *round.add_transfers();
  transfer.set_from_seat(from);
  transfer.set_to_seat(to);
  transfer.set_coins(coins);
  transfer.set_rule_id(RuleId());
}

// All four sit down, and the round begins.
inline void Begin(v1::WalletService::Stub& stub, const std::string& round_id) {
  for (const char* const player : {"a", "b", "c", "d"}) {
    const v1::ReserveRequest seat = Seat("sit-" + round_id + player, player);
    ASSERT_THAT(mj::rpc::Invoke(stub, &Stub::Reserve, seat, kOptions), base::IsOk());
  }
  ASSERT_THAT(mj::rpc::Invoke(stub, &Stub::BeginRound, Beginning(round_id), kOptions),
              base::IsOk());
}

// Its settlement: seat 0 gets 20 from each.
inline v1::SettleRoundRequest Round(const std::string& id) {
  v1::SettleRoundRequest round;
  round.set_round_id(id);
  round.set_table_id("table-1");
  round.set_variant("chaozhou");
  round.set_rulebook_version(Rulebook());
  round.set_base(10);
  for (const char* const player : {"a", "b", "c", "d"}) round.add_player_ids(player);
  for (const std::uint32_t loser : {1U, 2U, 3U}) AddTransfer(round, loser, 0, 20);
  return round;
}

inline void Open(v1::WalletService::Stub& stub, const std::string& id, std::int64_t coins) {
  v1::OpenAccountRequest open;
  open.set_request_id("open-" + id);
  open.set_account_id(id);
  ASSERT_THAT(mj::rpc::Invoke(stub, &Stub::OpenAccount, open, kOptions), base::IsOk());
  v1::DepositRequest deposit;
  deposit.set_request_id("give-" + id);
  deposit.set_account_id(id);
  deposit.set_coins(coins);
  ASSERT_THAT(mj::rpc::Invoke(stub, &Stub::Deposit, deposit, kOptions), base::IsOk());
}

}  // namespace mj::wallet
