// mahjong.table.v1.TableService.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "libs/base/executor.h"
#include "libs/rpc/front.h"
#include "mahjong/table/v1/table_service.grpc.pb.h"
#include "services/table/app/lobby.h"
#include "services/table/app/outbox.h"
#include "services/table/app/records.h"
#include "services/table/app/tables.h"

namespace mj::table::rpc {

// Any thread; no handler waits.
class TableService final : public ::mahjong::table::v1::TableService::CallbackService {
 public:
  //   runner    on which those who watch are written to, so that no table's queue does it.
  //   address   tells host:port under which clients reach this process; on any thread.
  // All references must outlive the service.
  TableService(mj::rpc::Front& front, Tables& tables, Lobby& lobby, Records& records,
               OutboxTail& outbox, const base::Clock& clock, base::TaskRunner& runner,
               std::function<std::string()> address)
      : front_(front),
        tables_(tables),
        lobby_(lobby),
        records_(records),
        outbox_(outbox),
        clock_(clock),
        runner_(runner),
        address_(std::move(address)) {}

  grpc::ServerUnaryReactor* CreateTable(
      grpc::CallbackServerContext* context, const ::mahjong::table::v1::CreateTableRequest* request,
      ::mahjong::table::v1::CreateTableResponse* response) override;
  grpc::ServerUnaryReactor* ListRooms(grpc::CallbackServerContext* context,
                                      const ::mahjong::table::v1::ListRoomsRequest* request,
                                      ::mahjong::table::v1::ListRoomsResponse* response) override;
  grpc::ServerUnaryReactor* ListTables(grpc::CallbackServerContext* context,
                                       const ::mahjong::table::v1::ListTablesRequest* request,
                                       ::mahjong::table::v1::ListTablesResponse* response) override;
  grpc::ServerUnaryReactor* JoinTable(grpc::CallbackServerContext* context,
                                      const ::mahjong::table::v1::JoinTableRequest* request,
                                      ::mahjong::table::v1::JoinTableResponse* response) override;
  grpc::ServerUnaryReactor* Ready(grpc::CallbackServerContext* context,
                                  const ::mahjong::table::v1::ReadyRequest* request,
                                  ::mahjong::table::v1::ReadyResponse* response) override;
  grpc::ServerUnaryReactor* RevealNonce(
      grpc::CallbackServerContext* context, const ::mahjong::table::v1::RevealNonceRequest* request,
      ::mahjong::table::v1::RevealNonceResponse* response) override;
  grpc::ServerUnaryReactor* Act(grpc::CallbackServerContext* context,
                                const ::mahjong::table::v1::ActRequest* request,
                                ::mahjong::table::v1::ActResponse* response) override;
  grpc::ServerUnaryReactor* LeaveTable(grpc::CallbackServerContext* context,
                                       const ::mahjong::table::v1::LeaveTableRequest* request,
                                       ::mahjong::table::v1::LeaveTableResponse* response) override;
  grpc::ServerUnaryReactor* TakeOver(grpc::CallbackServerContext* context,
                                     const ::mahjong::table::v1::TakeOverRequest* request,
                                     ::mahjong::table::v1::TakeOverResponse* response) override;
  grpc::ServerUnaryReactor* ShowHand(grpc::CallbackServerContext* context,
                                     const ::mahjong::table::v1::ShowHandRequest* request,
                                     ::mahjong::table::v1::ShowHandResponse* response) override;
  grpc::ServerWriteReactor<::mahjong::table::v1::WatchResponse>* Watch(
      grpc::CallbackServerContext* context,
      const ::mahjong::table::v1::WatchRequest* request) override;
  grpc::ServerUnaryReactor* GetTable(grpc::CallbackServerContext* context,
                                     const ::mahjong::table::v1::GetTableRequest* request,
                                     ::mahjong::table::v1::GetTableResponse* response) override;
  grpc::ServerUnaryReactor* GetRoundRecord(
      grpc::CallbackServerContext* context,
      const ::mahjong::table::v1::GetRoundRecordRequest* request,
      ::mahjong::table::v1::GetRoundRecordResponse* response) override;
  grpc::ServerUnaryReactor* ListRounds(grpc::CallbackServerContext* context,
                                       const ::mahjong::table::v1::ListRoundsRequest* request,
                                       ::mahjong::table::v1::ListRoundsResponse* response) override;
  grpc::ServerWriteReactor<::mahjong::table::v1::SubscribeResponse>* Subscribe(
      grpc::CallbackServerContext* context,
      const ::mahjong::table::v1::SubscribeRequest* request) override;
  grpc::ServerWriteReactor<::mahjong::table::v1::WatchRoundsResponse>* WatchRounds(
      grpc::CallbackServerContext* context,
      const ::mahjong::table::v1::WatchRoundsRequest* request) override;
  grpc::ServerWriteReactor<::mahjong::table::v1::WatchOpenSeatsResponse>* WatchOpenSeats(
      grpc::CallbackServerContext* context,
      const ::mahjong::table::v1::WatchOpenSeatsRequest* request) override;

 private:
  // Of whoever holds it.
  [[nodiscard]] std::string AddressOf(const TableInfo& table) const;

  mj::rpc::Front& front_;
  Tables& tables_;
  Lobby& lobby_;
  Records& records_;
  OutboxTail& outbox_;
  const base::Clock& clock_;
  base::TaskRunner& runner_;
  const std::function<std::string()> address_;
};

}  // namespace mj::table::rpc
