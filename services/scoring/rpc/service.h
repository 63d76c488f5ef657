// mahjong.scoring.v1.ScoringService: requests in, answers out.
#pragma once

#include <cstddef>

#include "libs/rpc/arena.h"
#include "libs/rpc/front.h"
#include "mahjong/scoring/v1/scoring_service.grpc.pb.h"

namespace mj::scoring::rpc {

// Rounds in one call: so many of the largest ones keep the answer below gRPC's usual 4 MiB.
inline constexpr int kMaxBatch = 500;

// A batch of a hundred rounds with its answer takes less.
inline constexpr std::size_t kBatchBlockBytes = 1024 * 1024;

// Stateless; any thread. Tiles and seats are read by libs/wire, everything else is the use cases'.
class ScoringService final : public ::mahjong::scoring::v1::ScoringService::CallbackService {
 public:
  // `front` must outlive the service.
  explicit ScoringService(mj::rpc::Front& front);

  grpc::ServerUnaryReactor* ScoreRound(
      grpc::CallbackServerContext* context,
      const ::mahjong::scoring::v1::ScoreRoundRequest* request,
      ::mahjong::scoring::v1::ScoreRoundResponse* response) override;
  grpc::ServerUnaryReactor* BatchScoreRounds(
      grpc::CallbackServerContext* context,
      const ::mahjong::scoring::v1::BatchScoreRoundsRequest* request,
      ::mahjong::scoring::v1::BatchScoreRoundsResponse* response) override;
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
  mj::rpc::ArenaAllocator<::mahjong::scoring::v1::ScoreRoundRequest,
                          ::mahjong::scoring::v1::ScoreRoundResponse>
      rounds_;
  mj::rpc::ArenaAllocator<::mahjong::scoring::v1::BatchScoreRoundsRequest,
                          ::mahjong::scoring::v1::BatchScoreRoundsResponse, kBatchBlockBytes,
                          /*kKept=*/8>
      batches_;
};

}  // namespace mj::scoring::rpc
