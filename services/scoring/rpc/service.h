// mahjong.scoring.v1.ScoringService: requests in, answers out.
#pragma once

#include <grpcpp/support/byte_buffer.h>

#include "libs/rpc/front.h"
#include "mahjong/scoring/v1/scoring_service.grpc.pb.h"

namespace mj::scoring::rpc {

// Rounds in one call: so many of the largest ones keep the answer below gRPC's usual 4 MiB.
inline constexpr int kMaxBatch = 500;

// Rounds are read and written as bytes (score_one.h), everything else as messages.
using RoundsAsBytes = ::mahjong::scoring::v1::ScoringService::WithRawCallbackMethod_ScoreRound<
    ::mahjong::scoring::v1::ScoringService::WithRawCallbackMethod_BatchScoreRounds<
        ::mahjong::scoring::v1::ScoringService::CallbackService>>;

// Stateless; any thread. Tiles and seats are read by libs/wire, everything else is the use cases'.
class ScoringService final : public RoundsAsBytes {
 public:
  // `front` must outlive the service.
  explicit ScoringService(mj::rpc::Front& front);

  grpc::ServerUnaryReactor* ScoreRound(grpc::CallbackServerContext* context,
                                       const grpc::ByteBuffer* request,
                                       grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* BatchScoreRounds(grpc::CallbackServerContext* context,
                                             const grpc::ByteBuffer* request,
                                             grpc::ByteBuffer* response) override;
  grpc::ServerUnaryReactor* EvaluateHand(
      grpc::CallbackServerContext* context,
      const ::mahjong::scoring::v1::EvaluateHandRequest* request,
      ::mahjong::scoring::v1::EvaluateHandResponse* response) override;
  grpc::ServerUnaryReactor* ListWaits(grpc::CallbackServerContext* context,
                                      const ::mahjong::scoring::v1::ListWaitsRequest* request,
                                      ::mahjong::scoring::v1::ListWaitsResponse* response) override;
  grpc::ServerUnaryReactor* ListVariants(
      grpc::CallbackServerContext* context,
      const ::mahjong::scoring::v1::ListVariantsRequest* request,
      ::mahjong::scoring::v1::ListVariantsResponse* response) override;
  grpc::ServerUnaryReactor* GetRulebook(
      grpc::CallbackServerContext* context,
      const ::mahjong::scoring::v1::GetRulebookRequest* request,
      ::mahjong::scoring::v1::GetRulebookResponse* response) override;

 private:
  mj::rpc::Front& front_;
};

}  // namespace mj::scoring::rpc
