// A table service and a wallet that speak the real protos, over FakeTables, and fail when told to.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string_view>

#include "libs/base/status_testing.h"
#include "libs/rpc/service.h"
#include "mahjong/table/v1/table_service.grpc.pb.h"
#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"
#include "services/matchmaking/app/fake_peers_testing.h"

namespace mj::matchmaking {

namespace table = ::mahjong::table::v1;
namespace wallet = ::mahjong::wallet::v1;

// Tables behind the table service's own rpcs.
class TableServer final : public table::TableService::CallbackService {
 public:
  TableServer(mj::rpc::Front& front, Tables& tables) : front_(front), tables_(tables) {}

  grpc::ServerUnaryReactor* CreateTable(grpc::CallbackServerContext* context,
                                        const table::CreateTableRequest* request,
                                        table::CreateTableResponse* response) override {
    return front_.Unary(context, "CreateTable", request, response, mj::rpc::Front::kNoValidation,
                        [this](mj::rpc::Call&, const auto& in, auto& out) {
                          Match match;
                          match.id = MatchId(in.request_id());
                          for (std::size_t seat = 0; seat < kSeats; ++seat) {
                            match.members[seat].player =
                                PlayerId(in.player_ids(static_cast<int>(seat)));
                          }
                          const auto place = tables_.CreateTable(match, {});
                          if (!place.ok()) return place.status();
                          out.mutable_table()->set_table_id(place->table.value());
                          out.mutable_table()->set_address(place->address);
                          return absl::OkStatus();
                        });
  }
  grpc::ServerUnaryReactor* GetTable(grpc::CallbackServerContext* context,
                                     const table::GetTableRequest* request,
                                     table::GetTableResponse* response) override {
    return front_.Unary(context, "GetTable", request, response, mj::rpc::Front::kNoValidation,
                        [this](mj::rpc::Call&, const auto& in, auto& out) {
                          const auto now = tables_.GetTable({TableId(in.table_id()), ""});
                          if (!now.ok()) return now.status();
                          if (now->closed)
                            out.mutable_table()->set_state(table::TABLE_STATE_CLOSED);
                          for (const PlayerId& player : now->seated) {
                            out.mutable_table()->add_seats()->set_player_id(player.value());
                          }
                          return absl::OkStatus();
                        });
  }
  grpc::ServerUnaryReactor* LeaveTable(grpc::CallbackServerContext* context,
                                       const table::LeaveTableRequest* request,
                                       table::LeaveTableResponse* response) override {
    return front_.Unary(context, "LeaveTable", request, response, mj::rpc::Front::kNoValidation,
                        [this](mj::rpc::Call&, const auto& in, auto&) {
                          return tables_.LeaveTable({TableId(in.table_id()), ""},
                                                    PlayerId(in.player_id()));
                        });
  }

 private:
  mj::rpc::Front& front_;
  Tables& tables_;
};

class WalletServer final : public wallet::WalletService::CallbackService {
 public:
  explicit WalletServer(mj::rpc::Front& front) : front_(front) {}
  grpc::ServerUnaryReactor* GetStakeTier(grpc::CallbackServerContext* context,
                                         const wallet::GetStakeTierRequest* request,
                                         wallet::GetStakeTierResponse* response) override {
    return front_.Unary(context, "GetStakeTier", request, response, mj::rpc::Front::kNoValidation,
                        [](mj::rpc::Call&, const auto& in, auto& out) {
                          out.mutable_tier()->set_base(in.base() == 0 ? 100 : in.base());
                          return absl::OkStatus();
                        });
  }

 private:
  mj::rpc::Front& front_;
};

// Both, as one server. `tables` outlives it.
inline std::unique_ptr<mj::rpc::RunningService> StartPeers(Tables& tables) {
  auto started =
      mj::rpc::StartService("peers", {},
                            [&tables](mj::rpc::Bindings& bindings) {
                              bindings.AddService<table::TableService>(
                                  std::make_unique<TableServer>(bindings.front(), tables));
                              bindings.AddService<wallet::WalletService>(
                                  std::make_unique<WalletServer>(bindings.front()));
                              return absl::OkStatus();
                            },
                            {.log_line = [](std::string_view) {}});
  EXPECT_THAT(started, base::IsOk());
  return *std::move(started);
}

}  // namespace mj::matchmaking
