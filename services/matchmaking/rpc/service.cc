#include "services/matchmaking/rpc/service.h"

#include "libs/base/fields.h"
#include "libs/base/status.h"
#include "libs/rpc/time.h"
#include "services/matchmaking/rpc/messages.h"

namespace mj::matchmaking::rpc {
namespace {

using base::CheckId;
using Watching = mj::rpc::ServerStream<proto::WatchTicketResponse>;

// Sends the ticket, and ends the stream after a state that is final.
void Tell(const Watching& stream, proto::Ticket ticket, bool live) {
  proto::WatchTicketResponse response;
  *response.mutable_ticket() = std::move(ticket);
  stream.Send(std::move(response));
  if (!live) stream.Finish(absl::OkStatus());
}

}  // namespace

proto::Ticket MatchmakingService::Told(const Ticket& ticket) {
  return ToProto(ticket, parts_.waits.Left(ticket));
}

grpc::ServerUnaryReactor* MatchmakingService::CreateTicket(
    grpc::CallbackServerContext* context, const proto::CreateTicketRequest* request,
    proto::CreateTicketResponse* response) {
  return front_.Unary(
      context, "CreateTicket", request, response,
      [](const proto::CreateTicketRequest& in) { return FromProto(in).status(); },
      [this](mj::rpc::Call& call, const auto& in, auto& out) -> absl::Status {
        call.Note("player_id", in.player_id());
        MJ_ASSIGN_OR_RETURN(const TicketRequest ask, FromProto(in));
        MJ_ASSIGN_OR_RETURN(const Tickets tickets, parts_.desk.Create(ask));
        call.Note("ticket_id", tickets.front().id.value());
        *out.mutable_ticket() = Told(tickets.front());
        for (std::size_t i = 1; i < tickets.size(); ++i)
          *out.add_friend_tickets() = Told(tickets[i]);
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* MatchmakingService::GetTicket(grpc::CallbackServerContext* context,
                                                        const proto::GetTicketRequest* request,
                                                        proto::GetTicketResponse* response) {
  return front_.Unary(
      context, "GetTicket", request, response,
      [](const proto::GetTicketRequest& in) { return CheckId("ticket_id", in.ticket_id()); },
      [this](mj::rpc::Call& call, const auto& in, auto& out) -> absl::Status {
        call.Note("ticket_id", in.ticket_id());
        MJ_ASSIGN_OR_RETURN(const Ticket ticket, parts_.desk.Find(TicketId(in.ticket_id())));
        *out.mutable_ticket() = Told(ticket);
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* MatchmakingService::CancelTicket(
    grpc::CallbackServerContext* context, const proto::CancelTicketRequest* request,
    proto::CancelTicketResponse* response) {
  return front_.Unary(
      context, "CancelTicket", request, response,
      [](const proto::CancelTicketRequest& in) { return CheckId("ticket_id", in.ticket_id()); },
      [this](mj::rpc::Call& call, const auto& in, auto& out) -> absl::Status {
        call.Note("ticket_id", in.ticket_id());
        MJ_ASSIGN_OR_RETURN(const Ticket ticket, parts_.desk.Cancel(TicketId(in.ticket_id())));
        *out.mutable_ticket() = Told(ticket);
        return absl::OkStatus();
      });
}

grpc::ServerWriteReactor<proto::WatchTicketResponse>* MatchmakingService::WatchTicket(
    grpc::CallbackServerContext* context, const proto::WatchTicketRequest* request) {
  return front_.Stream<proto::WatchTicketResponse>(
      context, "WatchTicket", request,
      [](const proto::WatchTicketRequest& in) { return CheckId("ticket_id", in.ticket_id()); },
      [this](mj::rpc::Call& call, const auto& in, const Watching& stream) -> absl::Status {
        call.Note("ticket_id", in.ticket_id());
        MJ_ASSIGN_OR_RETURN(const Ticket ticket, parts_.desk.Find(TicketId(in.ticket_id())));
        Tell(stream, Told(ticket), IsLive(ticket.state));
        if (!IsLive(ticket.state)) return absl::OkStatus();
        const TicketWatch::WatchId watch =
            parts_.watch.Watch(ticket, [this, stream](const Ticket& changed) {
              Tell(stream, Told(changed), IsLive(changed.state));
            });
        stream.OnEnd([this, watch] { parts_.watch.Unwatch(watch); });
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* MatchmakingService::LocatePlayer(
    grpc::CallbackServerContext* context, const proto::LocatePlayerRequest* request,
    proto::LocatePlayerResponse* response) {
  return front_.Unary(
      context, "LocatePlayer", request, response,
      [](const proto::LocatePlayerRequest& in) { return CheckId("player_id", in.player_id()); },
      [this](mj::rpc::Call& call, const auto& in, auto& out) -> absl::Status {
        call.Note("player_id", in.player_id());
        MJ_ASSIGN_OR_RETURN(const Location location,
                            parts_.locator.Locate(PlayerId(in.player_id())));
        if (location.ticket) *out.mutable_ticket() = Told(*location.ticket);
        if (location.seat) *out.mutable_seat() = ToProto(*location.seat);
        out.set_round_id(location.round_id);
        if (location.deadline) mj::rpc::ToProto(*location.deadline, *out.mutable_deadline());
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* MatchmakingService::OpenRoom(grpc::CallbackServerContext* context,
                                                       const proto::OpenRoomRequest* request,
                                                       proto::OpenRoomResponse* response) {
  return front_.Unary(
      context, "OpenRoom", request, response,
      [](const proto::OpenRoomRequest& in) { return FromProto(in).status(); },
      [this](mj::rpc::Call& call, const auto& in, auto& out) -> absl::Status {
        call.Note("player_id", in.player_id());
        MJ_ASSIGN_OR_RETURN(const TicketRequest ask, FromProto(in));
        MJ_ASSIGN_OR_RETURN(const Entered entered, parts_.rooms.Open(ask));
        call.Note("room_id", entered.room.id);
        *out.mutable_room() = ToProto(entered.room);
        *out.mutable_ticket() = Told(entered.ticket);
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* MatchmakingService::EnterRoom(grpc::CallbackServerContext* context,
                                                        const proto::EnterRoomRequest* request,
                                                        proto::EnterRoomResponse* response) {
  return front_.Unary(
      context, "EnterRoom", request, response,
      [](const proto::EnterRoomRequest& in) { return FromProto(in).status(); },
      [this](mj::rpc::Call& call, const auto& in, auto& out) -> absl::Status {
        call.Note("player_id", in.player_id());
        MJ_ASSIGN_OR_RETURN(const EntryRequest ask, FromProto(in));
        MJ_ASSIGN_OR_RETURN(const Entered entered, parts_.rooms.Enter(ask));
        call.Note("room_id", entered.room.id);
        *out.mutable_room() = ToProto(entered.room);
        *out.mutable_ticket() = Told(entered.ticket);
        return absl::OkStatus();
      });
}

grpc::ServerUnaryReactor* MatchmakingService::GetRoom(grpc::CallbackServerContext* context,
                                                      const proto::GetRoomRequest* request,
                                                      proto::GetRoomResponse* response) {
  return front_.Unary(
      context, "GetRoom", request, response,
      [](const proto::GetRoomRequest& in) { return CheckCode(in.code()); },
      [this](mj::rpc::Call&, const auto& in, auto& out) -> absl::Status {
        MJ_ASSIGN_OR_RETURN(const Room room, parts_.rooms.Find(in.code()));
        *out.mutable_room() = ToProto(room);
        return absl::OkStatus();
      });
}

}  // namespace mj::matchmaking::rpc
