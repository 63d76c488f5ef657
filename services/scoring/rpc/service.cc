#include "services/scoring/rpc/service.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/rpc/bytes.h"
#include "libs/rpc/grpc_status.h"
#include "libs/wire/finished_round.h"
#include "libs/wire/flat_reader.h"
#include "libs/wire/flat_writer.h"
#include "services/scoring/app/scoring.h"
#include "services/scoring/rpc/answers.h"
#include "services/scoring/rpc/requests.h"
#include "services/scoring/rpc/rulebooks.h"
#include "services/scoring/rpc/score_one.h"

namespace mj::scoring::rpc {
namespace {

using base::InField;

absl::StatusOr<Game> GameIn(const proto::HandContext& context) {
  absl::StatusOr<Game> game =
      GameOf(context.variant(), context.options(), context.rulebook_version());
  if (!game.ok()) return InField("context", game.status());
  return game;
}

absl::StatusOr<rules::Deal> DealOf(const proto::HandContext& context) {
  absl::StatusOr<rules::Deal> deal = wire::DealFromProto(context.dealer(), context.round_wind(),
                                                         context.seat_winds(), context.wild());
  if (!deal.ok()) return InField("context", deal.status());
  return deal;
}

// On gRPC's threads: each keeps its writer, which a round fills with little.
absl::Status Score(const grpc::ByteBuffer& request, grpc::ByteBuffer& response) {
  thread_local wire::FlatWriter out;
  out.Clear();
  const mj::rpc::WholeOf whole(request);
  MJ_RETURN_IF_ERROR(ScoreOne(whole.bytes(), proto::ScoreRoundResponse::kScoreFieldNumber, out));
  mj::rpc::Fill(response, out.bytes());
  return absl::OkStatus();
}

// The requests of a batch as bytes. BAD_TEXT for bytes that are no batch; BATCH_TOO_LARGE.
absl::StatusOr<std::vector<std::string_view>> RequestsIn(std::string_view batch) {
  std::vector<std::string_view> requests;
  wire::FlatReader from(batch);
  while (from.Next()) {
    const bool known =
        !from.is_number() && from.field() == proto::BatchScoreRoundsRequest::kRequestsFieldNumber;
    if (known) requests.push_back(from.bytes());  // what a newer client says besides is left out
  }
  if (!from.done()) {
    return base::Error(base::Reason::kBadText, "the request is no BatchScoreRoundsRequest");
  }
  if (requests.size() <= kMaxBatch) return requests;
  const std::string limit = std::to_string(kMaxBatch);
  return base::Error(
      base::Reason::kBatchTooLarge,
      base::Cat("requests: got ", std::to_string(requests.size()), ", want at most ", limit),
      {.field = "requests", .metadata = {{"limit", limit}}});
}

absl::Status ScoreBatch(mj::rpc::Call& call, const grpc::ByteBuffer& request,
                        grpc::ByteBuffer& response) {
  using Result = proto::ScoreRoundResult;
  constexpr std::size_t kLengthBytes = 2;
  const mj::rpc::WholeOf whole(request);
  MJ_ASSIGN_OR_RETURN(const std::vector<std::string_view> requests, RequestsIn(whole.bytes()));
  wire::FlatWriter out;
  for (const std::string_view one : requests) {
    if (call.cancelled()) return base::Error(base::Reason::kCancelled);
    const auto result = [&] {
      const absl::Status scored = ScoreOne(one, Result::kScoreFieldNumber, out);
      if (scored.ok()) return;
      out.Element(Result::kErrorFieldNumber,
                  mj::rpc::ToProto(scored, call.language()).SerializeAsString());
    };
    out.Message(proto::BatchScoreRoundsResponse::kResultsFieldNumber, result, kLengthBytes);
  }
  mj::rpc::Fill(response, out.bytes());
  return absl::OkStatus();
}

absl::Status Evaluate(const proto::EvaluateHandRequest& request,
                      proto::EvaluateHandResponse& response) {
  if (!request.has_context()) return Missing("context");
  if (!request.has_win()) return Missing("win");
  MJ_ASSIGN_OR_RETURN(const Game game, GameIn(request.context()));
  MJ_RETURN_IF_ERROR(InField("context", CheckBase(game, request.context().base())));
  MJ_ASSIGN_OR_RETURN(const rules::Deal deal, DealOf(request.context()));
  const absl::StatusOr<rules::Win> win = wire::FromProto(request.win());
  if (!win.ok()) return InField("win", win.status());
  MJ_ASSIGN_OR_RETURN(const auto horses, wire::HorsesFromText(request.horses()));
  MJ_ASSIGN_OR_RETURN(HandVerdict verdict,
                      EvaluateHand(game, request.context().base(), deal, *win, horses));
  Fill(game, deal, *win, std::move(verdict), response);
  return absl::OkStatus();
}

absl::Status Wait(const proto::ListWaitsRequest& request, proto::ListWaitsResponse& response) {
  if (!request.has_context()) return Missing("context");
  MJ_ASSIGN_OR_RETURN(const Game game, GameIn(request.context()));
  MJ_RETURN_IF_ERROR(InField("context", CheckBase(game, request.context().base())));
  MJ_ASSIGN_OR_RETURN(const rules::Deal deal, DealOf(request.context()));
  MJ_ASSIGN_OR_RETURN(const rules::Seat seat, wire::SeatFromNumber(request.seat(), "seat"));
  rules::Hand hand;
  MJ_ASSIGN_OR_RETURN(hand.concealed, wire::CountsFromText(request.concealed(), "concealed"));
  MJ_ASSIGN_OR_RETURN(hand.melds, wire::MeldsFromProto(request.melds()));
  MJ_ASSIGN_OR_RETURN(const rules::TileCounts seen, wire::CountsFromText(request.seen(), "seen"));
  MJ_ASSIGN_OR_RETURN(const std::vector<TileWait> waits,
                      ListWaits(game, request.context().base(), deal, seat, hand, seen));
  Fill(game, deal, waits, response);
  return absl::OkStatus();
}

absl::Status List(const proto::ListVariantsRequest& request,
                  proto::ListVariantsResponse& response) {
  if (!request.variant().empty()) {
    MJ_ASSIGN_OR_RETURN(const rules::Variant* const variant, FindVariant(request.variant()));
    Fill(*variant, *response.add_variants());
    return absl::OkStatus();
  }
  for (const rules::Variant* variant : AllGames()) Fill(*variant, *response.add_variants());
  return absl::OkStatus();
}

absl::Status Get(const proto::GetRulebookRequest& request, proto::GetRulebookResponse& response) {
  MJ_ASSIGN_OR_RETURN(const rules::Variant* const present, FindVariant(request.variant()));
  MJ_ASSIGN_OR_RETURN(const Game game,
                      GameOf(request.variant(), request.options(), request.rulebook_version()));
  Fill(*present, game, *response.mutable_rulebook());
  return absl::OkStatus();
}

}  // namespace

ScoringService::ScoringService(mj::rpc::Front& front) : front_(front) {}

grpc::ServerUnaryReactor* ScoringService::ScoreRound(grpc::CallbackServerContext* context,
                                                     const grpc::ByteBuffer* request,
                                                     grpc::ByteBuffer* response) {
  return front_.UnaryNow(context, "ScoreRound", request, response,
                         [](mj::rpc::Call&, const auto& in, auto& out) { return Score(in, out); });
}

grpc::ServerUnaryReactor* ScoringService::BatchScoreRounds(grpc::CallbackServerContext* context,
                                                           const grpc::ByteBuffer* request,
                                                           grpc::ByteBuffer* response) {
  return front_.Unary(
      context, "BatchScoreRounds", request, response, mj::rpc::Front::kNoValidation,
      [](mj::rpc::Call& call, const auto& in, auto& out) { return ScoreBatch(call, in, out); });
}

grpc::ServerUnaryReactor* ScoringService::EvaluateHand(grpc::CallbackServerContext* context,
                                                       const proto::EvaluateHandRequest* request,
                                                       proto::EvaluateHandResponse* response) {
  return front_.Unary(context, "EvaluateHand", request, response, mj::rpc::Front::kNoValidation,
                      [](mj::rpc::Call&, const auto& in, auto& out) { return Evaluate(in, out); });
}

grpc::ServerUnaryReactor* ScoringService::ListWaits(grpc::CallbackServerContext* context,
                                                    const proto::ListWaitsRequest* request,
                                                    proto::ListWaitsResponse* response) {
  return front_.Unary(context, "ListWaits", request, response, mj::rpc::Front::kNoValidation,
                      [](mj::rpc::Call&, const auto& in, auto& out) { return Wait(in, out); });
}

grpc::ServerUnaryReactor* ScoringService::ListVariants(grpc::CallbackServerContext* context,
                                                       const proto::ListVariantsRequest* request,
                                                       proto::ListVariantsResponse* response) {
  return front_.Unary(context, "ListVariants", request, response, mj::rpc::Front::kNoValidation,
                      [](mj::rpc::Call&, const auto& in, auto& out) { return List(in, out); });
}

grpc::ServerUnaryReactor* ScoringService::GetRulebook(grpc::CallbackServerContext* context,
                                                      const proto::GetRulebookRequest* request,
                                                      proto::GetRulebookResponse* response) {
  return front_.Unary(context, "GetRulebook", request, response, mj::rpc::Front::kNoValidation,
                      [](mj::rpc::Call&, const auto& in, auto& out) { return Get(in, out); });
}

}  // namespace mj::scoring::rpc
