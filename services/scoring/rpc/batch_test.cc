// BatchScoreRounds over real gRPC.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include <google/protobuf/util/message_differencer.h>

#include "google/rpc/error_details.pb.h"
#include "libs/base/status_testing.h"
#include "libs/rpc/keepalive.h"
#include "libs/wire/finished_round.h"
#include "services/scoring/rpc/server_testing.h"

namespace mj::scoring::rpc {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;

constexpr int kLimit = 500;  // of scoring_service.proto

using google::protobuf::util::MessageDifferencer;

// What an error of a batch carries, as a client would read it.
google::rpc::ErrorInfo InfoOf(const google::rpc::Status& status) {
  google::rpc::ErrorInfo info;
  for (const auto& detail : status.details()) detail.UnpackTo(&info);
  return info;
}
std::string FieldIn(const google::rpc::Status& status) {
  google::rpc::BadRequest bad;
  for (const auto& detail : status.details()) detail.UnpackTo(&bad);
  return bad.field_violations_size() > 0 ? bad.field_violations(0).field() : "";
}

TEST(BatchScoreRoundsTest, AnswersEveryRoundAsScoreRoundDoes) {
  v1::BatchScoreRoundsRequest request;
  for (const casefile::Case& one : GoldenCases()) *request.add_requests() = RequestOf(one);
  const auto response = Call(request);
  ASSERT_THAT(response, IsOk());
  ASSERT_EQ(response->results_size(), request.requests_size());
  for (int i = 0; i < request.requests_size(); ++i) {
    const auto alone = Call(request.requests(i));
    ASSERT_THAT(alone, IsOk());
    EXPECT_TRUE(MessageDifferencer::Equals(response->results(i).score(), alone->score())) << i;
  }
}

TEST(BatchScoreRoundsTest, KeepsAnImpossibleRoundToItself) {
  v1::BatchScoreRoundsRequest request;
  for (int i = 0; i < 5; ++i) *request.add_requests() = GoodRound();
  request.mutable_requests(1)->mutable_round()->mutable_wins(0)->set_concealed("2235557779s");
  request.mutable_requests(2)->clear_round();
  request.mutable_requests(3)->mutable_round()->set_variant("bridge");
  const auto response = Call(request);
  ASSERT_THAT(response, IsOk());
  ASSERT_EQ(response->results_size(), 5);
  EXPECT_TRUE(response->results(0).has_score());
  EXPECT_TRUE(MessageDifferencer::Equals(response->results(0), response->results(4)));

  const google::rpc::Status& five = response->results(1).error();
  EXPECT_EQ(five.code(), static_cast<int>(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(InfoOf(five).domain(), "mahjong");
  EXPECT_EQ(InfoOf(five).reason(), "TOO_MANY_COPIES");
  EXPECT_EQ(InfoOf(five).metadata().at("tile"), "2s");
  EXPECT_EQ(FieldIn(five), "round.wins[0]");
  EXPECT_THAT(five.message(), ::testing::HasSubstr("2s"));
  EXPECT_EQ(InfoOf(response->results(2).error()).reason(), "FIELD_REQUIRED");
  EXPECT_EQ(FieldIn(response->results(2).error()), "round");
  EXPECT_EQ(InfoOf(response->results(3).error()).reason(), "UNKNOWN_VARIANT");
  EXPECT_EQ(FieldIn(response->results(3).error()), "round.variant");
}

// As protobuf has it: a newer client may say more.
TEST(BatchScoreRoundsTest, LeavesOutFieldsThatItDoesNotKnow) {
  v1::BatchScoreRoundsRequest request;
  *request.add_requests() = GoodRound();
  auto& unknown = *request.GetReflection()->MutableUnknownFields(&request);
  unknown.AddLengthDelimited(99, "news");
  unknown.AddVarint(100, 7);
  const auto response = Call(request);
  ASSERT_THAT(response, IsOk());
  ASSERT_EQ(response->results_size(), 1);
  EXPECT_TRUE(response->results(0).has_score());
}

TEST(BatchScoreRoundsTest, TakesNone) {
  const auto response = Call(v1::BatchScoreRoundsRequest());
  ASSERT_THAT(response, IsOk());
  EXPECT_EQ(response->results_size(), 0);
}

TEST(BatchScoreRoundsTest, RefusesMoreThanTheLimit) {
  v1::BatchScoreRoundsRequest request;
  for (int i = 0; i < kLimit + 1; ++i) request.add_requests();
  const auto response = Call(request);
  ASSERT_THAT(response, FailsWith(Reason::kBatchTooLarge));
  EXPECT_EQ(response.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(FieldOf(response), "requests");
  EXPECT_EQ(base::CarriedBy(response.status())->details.metadata.at("limit"), "500");
}

// A round with three winners, all of them big, and with every kong that there is room for.
v1::ScoreRoundRequest LargestRound() {
  return Parse<v1::ScoreRoundRequest>(R"(
    round {
      variant: "chaozhou" base: 10000 dealer: 0 end: ROUND_END_WIN
      options { key: "max_multiplier" value: "1000" }
      wins { seat: 1 concealed: "1z" tile: "1z" how: WIN_METHOD_DISCARD from: 0
             melds { kind: MELD_KIND_DISCARD_KONG tiles: "5555z" from: 0 }
             melds { kind: MELD_KIND_DISCARD_KONG tiles: "6666z" from: 0 }
             melds { kind: MELD_KIND_CONCEALED_KONG tiles: "7777z" }
             melds { kind: MELD_KIND_ADDED_KONG tiles: "1111m" from: 0 } }
      wins { seat: 2 concealed: "1z" tile: "1z" how: WIN_METHOD_DISCARD from: 0
             melds { kind: MELD_KIND_DISCARD_KONG tiles: "2222z" from: 0 }
             melds { kind: MELD_KIND_DISCARD_KONG tiles: "3333z" from: 0 }
             melds { kind: MELD_KIND_CONCEALED_KONG tiles: "4444z" }
             melds { kind: MELD_KIND_ADDED_KONG tiles: "1111p" from: 0 } }
      wins { seat: 3 concealed: "1z" tile: "1z" how: WIN_METHOD_DISCARD from: 0
             melds { kind: MELD_KIND_ADDED_KONG tiles: "2222s" from: 0 }
             melds { kind: MELD_KIND_ADDED_KONG tiles: "3333s" from: 0 }
             melds { kind: MELD_KIND_CONCEALED_KONG tiles: "4444s" }
             melds { kind: MELD_KIND_ADDED_KONG tiles: "5555s" from: 0 } }
      kongs { seat: 1 kind: KONG_KIND_DISCARD tile: "5z" from: 0 }
      kongs { seat: 1 kind: KONG_KIND_DISCARD tile: "6z" from: 0 }
      kongs { seat: 1 kind: KONG_KIND_CONCEALED tile: "7z" }
      kongs { seat: 1 kind: KONG_KIND_ADDED tile: "1m" }
      kongs { seat: 2 kind: KONG_KIND_DISCARD tile: "2z" from: 0 }
      kongs { seat: 2 kind: KONG_KIND_DISCARD tile: "3z" from: 0 }
      kongs { seat: 2 kind: KONG_KIND_CONCEALED tile: "4z" }
      kongs { seat: 2 kind: KONG_KIND_ADDED tile: "1p" }
      kongs { seat: 3 kind: KONG_KIND_ADDED tile: "2s" }
      kongs { seat: 3 kind: KONG_KIND_ADDED tile: "3s" }
      kongs { seat: 3 kind: KONG_KIND_CONCEALED tile: "4s" }
      kongs { seat: 3 kind: KONG_KIND_ADDED tile: "5s" }
      kongs { seat: 0 kind: KONG_KIND_CONCEALED tile: "9m" }
    })");
}

TEST(BatchScoreRoundsTest, FitsTheLargestRoundsIntoTheUsualLimits) {
  v1::BatchScoreRoundsRequest request;
  for (int i = 0; i < kLimit; ++i) *request.add_requests() = LargestRound();
  request.mutable_requests(0)->set_rulebook_version("chaozhou-0123456789abcdef");
  EXPECT_LT(request.ByteSizeLong(), static_cast<std::size_t>(mj::rpc::kRequestBytesMax));
  const auto response = Call(request);  // by a client with gRPC's own limit of 4 MiB
  ASSERT_THAT(response, IsOk());
  EXPECT_FALSE(response->results(0).has_score());
  for (int i = 1; i < kLimit; ++i) ASSERT_TRUE(response->results(i).has_score()) << i;
  EXPECT_EQ(response->results(1).score().wins_size(), 3);
  EXPECT_EQ(response->results(1).score().receipt().lines_size(), 16);
  RecordProperty("answer_bytes", static_cast<int>(response->ByteSizeLong()));
}

}  // namespace
}  // namespace mj::scoring::rpc
