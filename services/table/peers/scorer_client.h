// The scoring service as the table asks it.
#pragma once

#include <grpcpp/channel.h>

#include <chrono>
#include <memory>

#include "mahjong/scoring/v1/scoring_service.grpc.pb.h"
#include "services/table/app/peers.h"

namespace mj::table::peers {

// Thread-safe. `done` runs on a gRPC thread.
class ScorerClient final : public Scorer {
 public:
  ScorerClient(const std::shared_ptr<grpc::Channel>& channel, std::chrono::milliseconds timeout)
      : stub_(::mahjong::scoring::v1::ScoringService::NewStub(channel)), timeout_(timeout) {}

  void ScoreRound(const ScoreQuestion& question,
                  std::function<void(absl::StatusOr<Score>)> done) override;

 private:
  const std::unique_ptr<::mahjong::scoring::v1::ScoringService::Stub> stub_;
  const std::chrono::milliseconds timeout_;
};

}  // namespace mj::table::peers
