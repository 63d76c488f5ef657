// One finished round, from its message to the message of its worth.
#pragma once

#include "absl/status/status.h"
#include "mahjong/scoring/v1/scoring_service.pb.h"

namespace mj::scoring::rpc {

// What ScoreRound says of `request`: writes to `out`, or fails as that rpc does, with fields as
// paths within the request. Any thread; allocates on `out`'s arena where it has one.
absl::Status ScoreOne(const ::mahjong::scoring::v1::ScoreRoundRequest& request,
                      ::mahjong::scoring::v1::RoundScore& out);

}  // namespace mj::scoring::rpc
