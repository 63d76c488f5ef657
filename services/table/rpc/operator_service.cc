#include "services/table/rpc/operator_service.h"

#include <memory>
#include <utility>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/rpc/time.h"
#include "services/table/rpc/operator_messages.h"

namespace mj::table::rpc {
namespace {

using CallPtr = std::shared_ptr<mj::rpc::Call>;

constexpr std::int64_t kLatestEvents = 20;
constexpr auto kValidate = [](const auto& request) { return Validate(request); };

}  // namespace

grpc::ServerUnaryReactor* OperatorService::FindTables(grpc::CallbackServerContext* context,
                                                      const proto::FindTablesRequest* request,
                                                      proto::FindTablesResponse* response) {
  return front_.Unary(context, "FindTables", request, response, kValidate,
                      [this](mj::rpc::Call&, const auto& in, auto& out) -> absl::Status {
                        MJ_ASSIGN_OR_RETURN(const TableFilter filter, Read(in));
                        MJ_ASSIGN_OR_RETURN(const FoundPage page,
                                            mj::table::FindTables(operations_, filter,
                                                                  in.page_size(), in.page_token()));
                        ToProto(page, out);
                        return absl::OkStatus();
                      });
}

grpc::ServerUnaryReactor* OperatorService::InspectTable(grpc::CallbackServerContext* context,
                                                        const proto::InspectTableRequest* request,
                                                        proto::InspectTableResponse* response) {
  return front_.UnaryAsync(
      context, "InspectTable", request, response, kValidate,
      [this](const CallPtr& call, const auto& in, auto& out, mj::rpc::Done done) {
        call->Note("table_id", in.table_id());
        const TableId table(in.table_id());
        tables_.Inspect(table, [this, table, &out,
                                done = std::move(done)](const absl::StatusOr<Inspection>& seen) {
          if (!seen.ok()) return done(seen.status());
          const bool taken = blocking_.TryPost([this, table, seen = *seen, &out, done] {
            const auto latest = operations_.LatestEvents(table, kLatestEvents);
            if (!latest.ok()) return done(latest.status());
            ToProto(seen, seen.info.address.empty() ? address_() : seen.info.address, *latest, out);
            done(absl::OkStatus());
          });
          if (!taken) done(base::Error(base::Reason::kOverloaded));
        });
      });
}

template <typename Request, typename Response>
grpc::ServerUnaryReactor* OperatorService::Order(grpc::CallbackServerContext* context,
                                                 std::string_view method, const Request* request,
                                                 Response* response) {
  return front_.UnaryAsync(
      context, method, request, response, kValidate,
      [this](const CallPtr& call, const auto& in, auto& out, mj::rpc::Done done) {
        const absl::StatusOr<OperatorActed> order = Read(in);
        if (!order.ok()) return done(order.status());
        call->Note("table_id", in.table_id());
        call->Note("operator", order->who);
        tables_.Order(TableId(in.table_id()), *order,
                      [&out, done = std::move(done)](const absl::StatusOr<bool>& pending) {
                        if (pending.ok()) out.set_pending(*pending);
                        done(pending.status());
                      });
      });
}

grpc::ServerUnaryReactor* OperatorService::VoidRound(grpc::CallbackServerContext* context,
                                                     const proto::VoidRoundRequest* request,
                                                     proto::VoidRoundResponse* response) {
  return Order(context, "VoidRound", request, response);
}

grpc::ServerUnaryReactor* OperatorService::CloseTable(grpc::CallbackServerContext* context,
                                                      const proto::CloseTableRequest* request,
                                                      proto::CloseTableResponse* response) {
  return Order(context, "CloseTable", request, response);
}

grpc::ServerUnaryReactor* OperatorService::RemovePlayer(grpc::CallbackServerContext* context,
                                                        const proto::RemovePlayerRequest* request,
                                                        proto::RemovePlayerResponse* response) {
  return Order(context, "RemovePlayer", request, response);
}

absl::Status OperatorService::TellTables() {
  MJ_ASSIGN_OR_RETURN(const RoundsStopped stop, operations_.PresentStop());
  tables_.SetStop(stop);
  return absl::OkStatus();
}

grpc::ServerUnaryReactor* OperatorService::StopNewRounds(grpc::CallbackServerContext* context,
                                                         const proto::StopNewRoundsRequest* request,
                                                         proto::StopNewRoundsResponse* response) {
  return front_.Unary(context, "StopNewRounds", request, response, kValidate,
                      [this](mj::rpc::Call& call, const auto& in, auto& out) -> absl::Status {
                        MJ_ASSIGN_OR_RETURN(const Operation asked, Read(in));
                        call.Note("operator", asked.who);
                        MJ_ASSIGN_OR_RETURN(const Operation written,
                                            StopRounds(operations_, asked, clock_.Now()));
                        mj::rpc::ToProto(*written.from, *out.mutable_from_time());
                        return TellTables();
                      });
}

grpc::ServerUnaryReactor* OperatorService::ResumeNewRounds(
    grpc::CallbackServerContext* context, const proto::ResumeNewRoundsRequest* request,
    proto::ResumeNewRoundsResponse* response) {
  return front_.Unary(context, "ResumeNewRounds", request, response, kValidate,
                      [this](mj::rpc::Call& call, const auto& in, auto&) -> absl::Status {
                        MJ_ASSIGN_OR_RETURN(const Operation asked, Read(in));
                        call.Note("operator", asked.who);
                        MJ_RETURN_IF_ERROR(StopRounds(operations_, asked, clock_.Now()).status());
                        return TellTables();
                      });
}

grpc::ServerUnaryReactor* OperatorService::ListOperations(
    grpc::CallbackServerContext* context, const proto::ListOperationsRequest* request,
    proto::ListOperationsResponse* response) {
  return front_.Unary(
      context, "ListOperations", request, response, kValidate,
      [this](mj::rpc::Call&, const auto& in, auto& out) -> absl::Status {
        MJ_ASSIGN_OR_RETURN(const OperationFilter filter, Read(in));
        MJ_ASSIGN_OR_RETURN(
            const OperationPage page,
            mj::table::ListOperations(operations_, filter, in.page_size(), in.page_token()));
        ToProto(page, out);
        return absl::OkStatus();
      });
}

}  // namespace mj::table::rpc
