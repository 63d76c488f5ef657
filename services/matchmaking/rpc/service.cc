#include "services/matchmaking/rpc/service.h"

#include <span>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "services/matchmaking/rpc/messages.h"

namespace mj::matchmaking::rpc {
namespace {

using Watching = mj::rpc::ServerStream<proto::WatchTicketResponse>;

// Sends the ticket, and ends the stream after a state that is final.
void Tell(const Watching& stream, const Ticket& ticket) {
  proto::WatchTicketResponse response;
  *response.mutable_ticket() = ToProto(ticket);
  stream.Send(std::move(response));
  if (!IsLive(ticket.state)) stream.Finish(absl::OkStatus());
}

}  // namespace

grpc::ServerUnaryReactor* MatchmakingService::CreateTicket(
    grpc::CallbackServerContext* context, const proto::CreateTicketRequest* request,
    proto::CreateTicketResponse* response) {
  return front_.Unary(
      context, "CreateTicket", request, response,
      [](const proto::CreateTicketRequest& in) { return FromProto(in).status(); },
      [this](mj::rpc::Call& call, const auto& in, auto& out) -> absl::Status {
        call.Note("player_id", in.player_id());
        MJ_ASSIGN_OR_RETURN(const TicketRequest ask, FromProto(in));
        MJ_ASSIGN_OR_RETURN(const Ticket ticket, desk_.Create(ask));
        call.Note("ticket_id", ticket.id.value());
        *out.mutable_ticket() = ToProto(ticket);
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* MatchmakingService::CancelTicket(
    grpc::CallbackServerContext* context, const proto::CancelTicketRequest* request,
    proto::CancelTicketResponse* response) {
  return front_.Unary(
      context, "CancelTicket", request, response,
      [](const proto::CancelTicketRequest& in) { return CheckId(in.ticket_id(), "ticket_id"); },
      [this](mj::rpc::Call& call, const auto& in, auto& out) -> absl::Status {
        call.Note("ticket_id", in.ticket_id());
        MJ_ASSIGN_OR_RETURN(const Ticket ticket, desk_.Cancel(TicketId(in.ticket_id())));
        *out.mutable_ticket() = ToProto(ticket);
        return absl::OkStatus();
      });
}

grpc::ServerWriteReactor<proto::WatchTicketResponse>* MatchmakingService::WatchTicket(
    grpc::CallbackServerContext* context, const proto::WatchTicketRequest* request) {
  return front_.Stream<proto::WatchTicketResponse>(
      context, "WatchTicket", request,
      [](const proto::WatchTicketRequest& in) { return CheckId(in.ticket_id(), "ticket_id"); },
      [this](mj::rpc::Call& call, const auto& in, const Watching& stream) -> absl::Status {
        call.Note("ticket_id", in.ticket_id());
        const TicketId id(in.ticket_id());
        MJ_ASSIGN_OR_RETURN(const std::vector<Ticket> found, store_.FindTickets(std::span(&id, 1)));
        if (found.empty()) {
          return base::Error(base::Reason::kTicketNotFound, {}, {.field = "ticket_id"});
        }
        const Ticket& ticket = found.front();
        Tell(stream, ticket);
        if (!IsLive(ticket.state)) return absl::OkStatus();
        const TicketWatch::WatchId watch =
            watch_.Watch(ticket, [stream](const Ticket& changed) { Tell(stream, changed); });
        stream.OnEnd([this, watch] { watch_.Unwatch(watch); });
        return absl::OkStatus();
      });
}

}  // namespace mj::matchmaking::rpc
