// mahjong.matchmaking.v1.MatchmakingService: requests in, answers out.
#pragma once

#include "libs/rpc/front.h"
#include "mahjong/matchmaking/v1/matchmaking_service.grpc.pb.h"
#include "services/matchmaking/app/ports.h"
#include "services/matchmaking/app/ticket_desk.h"
#include "services/matchmaking/app/ticket_watch.h"

namespace mj::matchmaking::rpc {

// Thread-safe. Everything is decided by the application; its failures are told as they are.
class MatchmakingService final
    : public ::mahjong::matchmaking::v1::MatchmakingService::CallbackService {
 public:
  // All must outlive the service.
  MatchmakingService(mj::rpc::Front& front, TicketDesk& desk, Store& store, TicketWatch& watch)
      : front_(front), desk_(desk), store_(store), watch_(watch) {}

  grpc::ServerUnaryReactor* CreateTicket(
      grpc::CallbackServerContext* context,
      const ::mahjong::matchmaking::v1::CreateTicketRequest* request,
      ::mahjong::matchmaking::v1::CreateTicketResponse* response) override;
  grpc::ServerWriteReactor<::mahjong::matchmaking::v1::WatchTicketResponse>* WatchTicket(
      grpc::CallbackServerContext* context,
      const ::mahjong::matchmaking::v1::WatchTicketRequest* request) override;
  grpc::ServerUnaryReactor* CancelTicket(
      grpc::CallbackServerContext* context,
      const ::mahjong::matchmaking::v1::CancelTicketRequest* request,
      ::mahjong::matchmaking::v1::CancelTicketResponse* response) override;

 private:
  mj::rpc::Front& front_;
  TicketDesk& desk_;
  Store& store_;
  TicketWatch& watch_;
};

}  // namespace mj::matchmaking::rpc
