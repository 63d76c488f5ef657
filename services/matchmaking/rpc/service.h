// mahjong.matchmaking.v1.MatchmakingService: requests in, answers out.
#pragma once

#include "libs/rpc/front.h"
#include "mahjong/matchmaking/v1/matchmaking_service.grpc.pb.h"
#include "services/matchmaking/app/locator.h"
#include "services/matchmaking/app/room_desk.h"
#include "services/matchmaking/app/ticket_desk.h"
#include "services/matchmaking/app/ticket_watch.h"
#include "services/matchmaking/app/waits.h"

namespace mj::matchmaking::rpc {

// Thread-safe. Everything is decided by the application; its failures are told as they are.
class MatchmakingService final
    : public ::mahjong::matchmaking::v1::MatchmakingService::CallbackService {
 public:
  // What it hands requests to; all must outlive the service.
  struct Parts {
    TicketDesk& desk;
    RoomDesk& rooms;
    Locator& locator;
    TicketWatch& watch;
    Waits& waits;
  };
  MatchmakingService(mj::rpc::Front& front, const Parts& parts) : front_(front), parts_(parts) {}

  grpc::ServerUnaryReactor* CreateTicket(
      grpc::CallbackServerContext* context,
      const ::mahjong::matchmaking::v1::CreateTicketRequest* request,
      ::mahjong::matchmaking::v1::CreateTicketResponse* response) override;
  grpc::ServerUnaryReactor* GetTicket(
      grpc::CallbackServerContext* context,
      const ::mahjong::matchmaking::v1::GetTicketRequest* request,
      ::mahjong::matchmaking::v1::GetTicketResponse* response) override;
  grpc::ServerWriteReactor<::mahjong::matchmaking::v1::WatchTicketResponse>* WatchTicket(
      grpc::CallbackServerContext* context,
      const ::mahjong::matchmaking::v1::WatchTicketRequest* request) override;
  grpc::ServerUnaryReactor* CancelTicket(
      grpc::CallbackServerContext* context,
      const ::mahjong::matchmaking::v1::CancelTicketRequest* request,
      ::mahjong::matchmaking::v1::CancelTicketResponse* response) override;
  grpc::ServerUnaryReactor* LocatePlayer(
      grpc::CallbackServerContext* context,
      const ::mahjong::matchmaking::v1::LocatePlayerRequest* request,
      ::mahjong::matchmaking::v1::LocatePlayerResponse* response) override;
  grpc::ServerUnaryReactor* OpenRoom(
      grpc::CallbackServerContext* context,
      const ::mahjong::matchmaking::v1::OpenRoomRequest* request,
      ::mahjong::matchmaking::v1::OpenRoomResponse* response) override;
  grpc::ServerUnaryReactor* EnterRoom(
      grpc::CallbackServerContext* context,
      const ::mahjong::matchmaking::v1::EnterRoomRequest* request,
      ::mahjong::matchmaking::v1::EnterRoomResponse* response) override;
  grpc::ServerUnaryReactor* GetRoom(grpc::CallbackServerContext* context,
                                    const ::mahjong::matchmaking::v1::GetRoomRequest* request,
                                    ::mahjong::matchmaking::v1::GetRoomResponse* response) override;

 private:
  // The ticket with its estimated wait.
  ::mahjong::matchmaking::v1::Ticket Told(const Ticket& ticket);

  mj::rpc::Front& front_;
  const Parts parts_;
};

}  // namespace mj::matchmaking::rpc
