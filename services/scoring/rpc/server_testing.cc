#include "services/scoring/rpc/server_testing.h"

#include <chrono>
#include <fstream>
#include <iterator>
#include <memory>

#include "libs/base/status_testing.h"
#include "libs/casefile/documents.h"
#include "libs/rpc/client.h"
#include "libs/rpc/connected_testing.h"
#include "libs/rpc/service.h"
#include "libs/wire/finished_round.h"
#include "mahjong/scoring/v1/scoring_service.grpc.pb.h"
#include "services/scoring/rpc/service.h"

namespace mj::scoring::rpc {
namespace {

using base::IsOk;
using Stub = v1::ScoringService::StubInterface;

class ScoringServer : public ::testing::Environment {
 public:
  void SetUp() override {
    auto started = mj::rpc::StartService("scoring", {},
                                         [](mj::rpc::Bindings& bindings) {
                                           bindings.AddService<v1::ScoringService>(
                                               std::make_unique<ScoringService>(bindings.front()));
                                           return absl::OkStatus();
                                         },
                                         {.log_line = [](std::string_view) {}});
    ASSERT_THAT(started, IsOk());
    service_ = *std::move(started);
    stub_ = v1::ScoringService::NewStub(mj::rpc::ConnectedChannel({.target = service_->address()}));
  }
  void TearDown() override {
    stub_.reset();
    service_.reset();
  }

  static std::unique_ptr<v1::ScoringService::Stub> stub_;

 private:
  std::unique_ptr<mj::rpc::RunningService> service_;
};
std::unique_ptr<v1::ScoringService::Stub> ScoringServer::stub_;
[[maybe_unused]] auto* const kServer = ::testing::AddGlobalTestEnvironment(new ScoringServer);

template <typename Request, typename Response>
absl::StatusOr<Response> Ask(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&,
                                                          Response*),
                             const Request& request) {
  return mj::rpc::Invoke(*ScoringServer::stub_, method, request,
                         {.timeout = std::chrono::seconds(20)});
}

}  // namespace

absl::StatusOr<v1::ScoreRoundResponse> Call(const v1::ScoreRoundRequest& request) {
  return Ask(&Stub::ScoreRound, request);
}
absl::StatusOr<v1::BatchScoreRoundsResponse> Call(const v1::BatchScoreRoundsRequest& request) {
  return Ask(&Stub::BatchScoreRounds, request);
}
absl::StatusOr<v1::EvaluateHandResponse> Call(const v1::EvaluateHandRequest& request) {
  return Ask(&Stub::EvaluateHand, request);
}
absl::StatusOr<v1::ListWaitsResponse> Call(const v1::ListWaitsRequest& request) {
  return Ask(&Stub::ListWaits, request);
}
absl::StatusOr<v1::ListVariantsResponse> Call(const v1::ListVariantsRequest& request) {
  return Ask(&Stub::ListVariants, request);
}
absl::StatusOr<v1::GetRulebookResponse> Call(const v1::GetRulebookRequest& request) {
  return Ask(&Stub::GetRulebook, request);
}

std::string FieldOf(const absl::Status& status) {
  const auto carried = base::CarriedBy(status);
  return carried ? carried->details.field : "no reason";
}

std::vector<casefile::Case> GoldenCases() {
  std::ifstream file("tests/cases/cases.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<casefile::Case> cases;
  for (const casefile::Document& document : casefile::SplitDocuments(text)) {
    auto read = casefile::ReadCase(std::get<nlohmann::json>(document));
    if (auto* one = std::get_if<casefile::Case>(&read)) cases.push_back(std::move(*one));
  }
  return cases;
}

v1::ScoreRoundRequest RequestOf(const casefile::Case& one) {
  v1::ScoreRoundRequest request;
  common::FinishedRound& round = *request.mutable_round();
  wire::ToProto(one.round, round);
  round.set_variant(std::string(one.variant->info().id));
  for (const auto& [name, value] : rules::ToTexts(one.variant->options(), one.options, false)) {
    (*round.mutable_options())[name] = value;
  }
  round.set_base(one.base);
  return request;
}

v1::ScoreRoundRequest GoodRound() {
  return Parse<v1::ScoreRoundRequest>(R"(
  round {
    variant: "chaozhou" base: 100 dealer: 0 end: ROUND_END_WIN
    wins { seat: 2 concealed: "3335557779s" tile: "9s" how: WIN_METHOD_DISCARD from: 3
           melds { kind: MELD_KIND_PUNG tiles: "222s" from: 1 } }
    wins { seat: 0 concealed: "444888m666456p7z" tile: "9s" how: WIN_METHOD_DISCARD from: 3 }
    kongs { seat: 1 kind: KONG_KIND_DISCARD tile: "6z" from: 3 }
    kongs { seat: 1 kind: KONG_KIND_CONCEALED tile: "1z" }
  })");
}

}  // namespace mj::scoring::rpc
