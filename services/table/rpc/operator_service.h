// mahjong.table.v1.TableOperatorService.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "libs/rpc/front.h"
#include "mahjong/table/v1/operator_service.grpc.pb.h"
#include "services/table/app/operations.h"
#include "services/table/app/tables.h"

namespace mj::table::rpc {

// Any thread; no handler waits.
class OperatorService final : public ::mahjong::table::v1::TableOperatorService::CallbackService {
 public:
  //   blocking  on which the database is asked.
  //   address   tells host:port under which clients reach this process; on any thread.
  // All references must outlive the service.
  OperatorService(mj::rpc::Front& front, Tables& tables, Operations& operations,
                  const base::Clock& clock, base::TaskRunner& blocking,
                  std::function<std::string()> address)
      : front_(front),
        tables_(tables),
        operations_(operations),
        clock_(clock),
        blocking_(blocking),
        address_(std::move(address)) {}

  grpc::ServerUnaryReactor* FindTables(grpc::CallbackServerContext* context,
                                       const ::mahjong::table::v1::FindTablesRequest* request,
                                       ::mahjong::table::v1::FindTablesResponse* response) override;
  grpc::ServerUnaryReactor* InspectTable(
      grpc::CallbackServerContext* context,
      const ::mahjong::table::v1::InspectTableRequest* request,
      ::mahjong::table::v1::InspectTableResponse* response) override;
  grpc::ServerUnaryReactor* VoidRound(grpc::CallbackServerContext* context,
                                      const ::mahjong::table::v1::VoidRoundRequest* request,
                                      ::mahjong::table::v1::VoidRoundResponse* response) override;
  grpc::ServerUnaryReactor* CloseTable(grpc::CallbackServerContext* context,
                                       const ::mahjong::table::v1::CloseTableRequest* request,
                                       ::mahjong::table::v1::CloseTableResponse* response) override;
  grpc::ServerUnaryReactor* RemovePlayer(
      grpc::CallbackServerContext* context,
      const ::mahjong::table::v1::RemovePlayerRequest* request,
      ::mahjong::table::v1::RemovePlayerResponse* response) override;
  grpc::ServerUnaryReactor* StopNewRounds(
      grpc::CallbackServerContext* context,
      const ::mahjong::table::v1::StopNewRoundsRequest* request,
      ::mahjong::table::v1::StopNewRoundsResponse* response) override;
  grpc::ServerUnaryReactor* ResumeNewRounds(
      grpc::CallbackServerContext* context,
      const ::mahjong::table::v1::ResumeNewRoundsRequest* request,
      ::mahjong::table::v1::ResumeNewRoundsResponse* response) override;
  grpc::ServerUnaryReactor* ListOperations(
      grpc::CallbackServerContext* context,
      const ::mahjong::table::v1::ListOperationsRequest* request,
      ::mahjong::table::v1::ListOperationsResponse* response) override;

 private:
  template <typename Request, typename Response>
  grpc::ServerUnaryReactor* Order(grpc::CallbackServerContext* context, std::string_view method,
                                  const Request* request, Response* response);
  // Tells this process's tables at once; the others are told when their process looks.
  absl::Status TellTables();

  mj::rpc::Front& front_;
  Tables& tables_;
  Operations& operations_;
  const base::Clock& clock_;
  base::TaskRunner& blocking_;
  const std::function<std::string()> address_;
};

}  // namespace mj::table::rpc
