// mahjong.matchmaking.v1.MatchmakingOperatorService.
#pragma once

#include "libs/rpc/front.h"
#include "mahjong/matchmaking/v1/operator_service.grpc.pb.h"
#include "services/matchmaking/app/erasures.h"

namespace mj::matchmaking::rpc {

// Thread-safe. Both must outlive it.
class OperatorService final
    : public ::mahjong::matchmaking::v1::MatchmakingOperatorService::CallbackService {
 public:
  OperatorService(mj::rpc::Front& front, Erasures& erasures) : front_(front), erasures_(erasures) {}

  grpc::ServerUnaryReactor* ErasePlayer(
      grpc::CallbackServerContext* context,
      const ::mahjong::matchmaking::v1::ErasePlayerRequest* request,
      ::mahjong::matchmaking::v1::ErasePlayerResponse* response) override;

 private:
  mj::rpc::Front& front_;
  Erasures& erasures_;
};

}  // namespace mj::matchmaking::rpc
