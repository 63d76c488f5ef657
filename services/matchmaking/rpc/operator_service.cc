#include "services/matchmaking/rpc/operator_service.h"

#include <variant>

#include "libs/base/fields.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "services/matchmaking/rpc/messages.h"

namespace mj::matchmaking::rpc {
namespace {

using base::CheckId;
using base::CheckSomeText;
using base::Error;
using base::Reason;

absl::Status Validate(const ::mahjong::matchmaking::v1::ErasePlayerRequest& request) {
  MJ_RETURN_IF_ERROR(CheckId("request_id", request.request_id()));
  MJ_RETURN_IF_ERROR(CheckId("operator", request.operator_()));
  MJ_RETURN_IF_ERROR(CheckSomeText("reason", request.reason(), base::kReasonBytesMax));
  return CheckId("player_id", request.player_id());
}

}  // namespace

grpc::ServerUnaryReactor* OperatorService::ErasePlayer(
    grpc::CallbackServerContext* context,
    const ::mahjong::matchmaking::v1::ErasePlayerRequest* request,
    ::mahjong::matchmaking::v1::ErasePlayerResponse* response) {
  return front_.Unary(
      context, "ErasePlayer", request, response, [](const auto& in) { return Validate(in); },
      [this](mj::rpc::Call& call, const auto& in, auto& out) -> absl::Status {
        call.Note("operator", in.operator_());
        call.Note("player_id", in.player_id());
        MJ_ASSIGN_OR_RETURN(const Erasure erasure,
                            erasures_.Erase({RequestId(in.request_id()), in.operator_(),
                                             in.reason(), PlayerId(in.player_id())}));
        if (const auto* erased = std::get_if<Erased>(&erasure)) {
          out.set_tickets(erased->tickets);
          return absl::OkStatus();
        }
        if (std::get<NotErased>(erasure) == NotErased::kWaits) {
          return Error(Reason::kTicketExists, "player_id: waits for a seat, or has one",
                       {.field = "player_id"});
        }
        return Error(Reason::kRequestIdReused, {}, {.field = "request_id"});
      });
}

}  // namespace mj::matchmaking::rpc
