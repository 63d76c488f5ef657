#include "services/wallet/rpc/operator_service.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "libs/base/status.h"
#include "services/wallet/rpc/enums.h"

namespace mj::wallet::rpc {
namespace {

// For a client that set no deadline, or one beyond reason.
constexpr std::chrono::nanoseconds kTimeMax = std::chrono::seconds(30);

proto::OperationKind KindOf(TrailKind kind) {
  switch (kind) {
    case TrailKind::kFreeze:
      return proto::OPERATION_KIND_FREEZE;
    case TrailKind::kUnfreeze:
      return proto::OPERATION_KIND_UNFREEZE;
    case TrailKind::kCloseAccount:
      return proto::OPERATION_KIND_CLOSE_ACCOUNT;
    case TrailKind::kAdjust:
      return proto::OPERATION_KIND_ADJUST;
    case TrailKind::kReverse:
      return proto::OPERATION_KIND_REVERSE;
  }
  return proto::OPERATION_KIND_UNSPECIFIED;
}

void Write(const TrailLine& line, proto::Operation& out) {
  out.set_kind(KindOf(line.kind));
  out.set_account_id(line.account.id);
  out.set_currency(ToProto(line.account.currency));
  out.set_requested_by(line.requested_by);
  out.set_approved_by(line.approved_by);
  out.set_reason(line.reason);
  if (line.journal_no != 0) out.set_journal_id(std::to_string(line.journal_no));
  out.set_coins(line.coins);
  mj::rpc::ToProto(line.place.time, *out.mutable_write_time());
}

}  // namespace

grpc::ServerUnaryReactor* OperatorService::ListOperations(
    grpc::CallbackServerContext* context, const proto::ListOperationsRequest* request,
    proto::ListOperationsResponse* response) {
  return front_.Unary(context, "ListOperations", request, response, mj::rpc::Front::kNoValidation,
                      [this](mj::rpc::Call& call, const auto& in, auto& out) -> absl::Status {
                        const auto deadline =
                            clock_.Monotonic() +
                            std::min(call.Remaining().value_or(kTimeMax), kTimeMax);
                        MJ_ASSIGN_OR_RETURN(const TrailPage page,
                                            ListTrail(trail_, {in.account_id(), in.operator_()},
                                                      in.page_size(), in.page_token(), deadline));
                        for (const TrailLine& line : page.lines) Write(line, *out.add_operations());
                        out.set_next_page_token(page.next);
                        return absl::OkStatus();
                      });
}

}  // namespace mj::wallet::rpc
