// The scoring service over real gRPC, for the tests of this room: one server for all of them, since
// it has no state.
#pragma once

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/base/reasons.h"
#include "libs/casefile/case.h"
#include "mahjong/scoring/v1/scoring_service.pb.h"

namespace mj::scoring::rpc {

namespace v1 = ::mahjong::scoring::v1;
namespace common = ::mahjong::common::v1;

// Calls the rpc that takes such a request.
absl::StatusOr<v1::ScoreRoundResponse> Call(const v1::ScoreRoundRequest& request);
absl::StatusOr<v1::BatchScoreRoundsResponse> Call(const v1::BatchScoreRoundsRequest& request);
absl::StatusOr<v1::EvaluateHandResponse> Call(const v1::EvaluateHandRequest& request);
absl::StatusOr<v1::ListWaitsResponse> Call(const v1::ListWaitsRequest& request);
absl::StatusOr<v1::ListVariantsResponse> Call(const v1::ListVariantsRequest& request);
absl::StatusOr<v1::GetRulebookResponse> Call(const v1::GetRulebookRequest& request);

template <typename Message>
Message Parse(const std::string& text) {
  Message message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return message;
}

// The field that a failure names; a word of its own where it names none.
std::string FieldOf(const absl::Status& status);
template <typename T>
std::string FieldOf(const absl::StatusOr<T>& answer) {
  return FieldOf(answer.status());
}

// Every golden case of tests/cases, and one as a request.
std::vector<casefile::Case> GoldenCases();
v1::ScoreRoundRequest RequestOf(const casefile::Case& one);

// A round that two seats claim, one of them wrongly, with two kongs of a third.
v1::ScoreRoundRequest GoodRound();

}  // namespace mj::scoring::rpc
