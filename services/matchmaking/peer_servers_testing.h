// A table service and a wallet that speak the real protos, over FakeTables, and fail when told to.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/rpc/service.h"
#include "libs/rpc/time.h"
#include "mahjong/table/v1/table_service.grpc.pb.h"
#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"
#include "services/matchmaking/app/fake_peers_testing.h"

namespace mj::matchmaking {

namespace table = ::mahjong::table::v1;
namespace wallet = ::mahjong::wallet::v1;

// Tables behind the table service's own rpcs. The feeds tell of one round, and of whoever comes and goes at
// the tables of `told`.
class TableServer final : public table::TableService::CallbackService {
 public:
  TableServer(mj::rpc::Front& front, Tables& tables, const FakeTables* told)
      : front_(front), tables_(tables), told_(told) {}

  grpc::ServerUnaryReactor* CreateTable(grpc::CallbackServerContext* context,
                                        const table::CreateTableRequest* request,
                                        table::CreateTableResponse* response) override {
    return front_.Unary(context, "CreateTable", request, response, mj::rpc::Front::kNoValidation,
                        [this](mj::rpc::Call&, const auto& in, auto& out) {
                          Match match;
                          match.id = MatchId(in.request_id());
                          for (const std::string& player : in.player_ids()) {
                            match.members.push_back({{}, PlayerId(player)});
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
    return front_.Unary(
        context, "GetTable", request, response, mj::rpc::Front::kNoValidation,
        [this](mj::rpc::Call&, const auto& in, auto& out) {
          const TablePlace place{TableId(in.table_id()), ""};
          const auto now =
              in.player_id().empty()
                  ? tables_.GetTable(place)
                  : tables_.GetTableFor({PlayerId(in.player_id()), {}, place, 0, {}, {}});
          if (!now.ok()) return now.status();
          if (now->deadline) {
            mj::rpc::ToProto(*now->deadline, *out.mutable_deadline());
          }
          if (now->closed) out.mutable_table()->set_state(table::TABLE_STATE_CLOSED);
          for (const PlayerId& player : now->seated) {
            out.mutable_table()->add_seats()->set_player_id(player.value());
          }
          return absl::OkStatus();
        });
  }
  grpc::ServerUnaryReactor* JoinTable(grpc::CallbackServerContext* context,
                                      const table::JoinTableRequest* request,
                                      table::JoinTableResponse* response) override {
    return front_.Unary(context, "JoinTable", request, response, mj::rpc::Front::kNoValidation,
                        [this](mj::rpc::Call&, const auto& in, auto& out) {
                          Match match;
                          match.members = {{TicketId(), PlayerId(in.player_id())}};
                          match.refill =
                              FreeSeat{{TableId(in.table_id()), ""}, static_cast<int>(in.seat())};
                          const auto place = tables_.JoinTable(match, {});
                          if (!place.ok()) return place.status();
                          out.mutable_table()->set_address(place->address);
                          return absl::OkStatus();
                        });
  }
  // What there is to tell, and then the end: whoever follows asks again.
  grpc::ServerWriteReactor<table::WatchOpenSeatsResponse>* WatchOpenSeats(
      grpc::CallbackServerContext* context, const table::WatchOpenSeatsRequest* request) override {
    using Stream = mj::rpc::ServerStream<table::WatchOpenSeatsResponse>;
    return front_.Stream<table::WatchOpenSeatsResponse>(
        context, "WatchOpenSeats", request, mj::rpc::Front::kNoValidation,
        [this](mj::rpc::Call&, const auto& in, const Stream& stream) {
          const std::size_t after = in.position().empty() ? 0 : std::stoul(in.position());
          table::WatchOpenSeatsResponse told;
          for (const SeatChange& change :
               told_ == nullptr ? std::vector<SeatChange>() : told_->ChangesAfter(after)) {
            table::TableSeats& one = *told.add_tables();
            one.set_table_id(change.place.table.value());
            one.set_table_request_id(change.match.value());
            for (const PlayerId& player : change.seated) one.add_player_ids(player.value());
            one.set_open(change.open);
            for (const PlayerId& player : change.left) one.add_left_player_ids(player.value());
          }
          told.set_position(std::to_string(after + static_cast<std::size_t>(told.tables_size())));
          if (told.tables_size() > 0) stream.Send(told);
          stream.Finish(absl::OkStatus());
          return absl::OkStatus();
        });
  }
  grpc::ServerWriteReactor<table::WatchRoundsResponse>* WatchRounds(
      grpc::CallbackServerContext* context, const table::WatchRoundsRequest* request) override {
    using Stream = mj::rpc::ServerStream<table::WatchRoundsResponse>;
    return front_.Stream<table::WatchRoundsResponse>(
        context, "WatchRounds", request, mj::rpc::Front::kNoValidation,
        [](mj::rpc::Call&, const auto& in, const Stream& stream) {
          if (in.position().empty()) {
            table::WatchRoundsResponse told;
            table::EndedRound& round = *told.add_rounds();
            round.set_round_id("round-1");
            round.set_variant("chaozhou");
            round.set_end(table::ROUND_END_SETTLED);
            for (int i = 0; i < 4; ++i) {
              round.add_player_ids("rated-" + std::to_string(i));
              round.add_coins(10 * i - 15);
            }
            told.set_position("1");
            stream.Send(told);
          }
          stream.Finish(absl::OkStatus());
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
  const FakeTables* const told_;
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

// Both, as one server. What it is given outlives it.
inline std::unique_ptr<mj::rpc::RunningService> StartPeers(Tables& tables,
                                                           const FakeTables* told = nullptr) {
  auto started =
      mj::rpc::StartService("peers", {},
                            [&tables, told](mj::rpc::Bindings& bindings) {
                              bindings.AddService<table::TableService>(
                                  std::make_unique<TableServer>(bindings.front(), tables, told));
                              bindings.AddService<wallet::WalletService>(
                                  std::make_unique<WalletServer>(bindings.front()));
                              return absl::OkStatus();
                            },
                            {.log_line = [](std::string_view) {}});
  EXPECT_THAT(started, base::IsOk());
  return *std::move(started);
}

}  // namespace mj::matchmaking
