#include "tools/mahjongctl/remote_scorer.h"

#include <chrono>
#include <memory>
#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/strings.h"
#include "libs/rpc/client.h"
#include "libs/wire/finished_round.h"
#include "mahjong/scoring/v1/scoring_service.grpc.pb.h"
#include "tools/mahjongctl/no_answer.h"

namespace mj::mahjongctl {
namespace {

namespace v1 = ::mahjong::scoring::v1;
using casefile::Case;
using casefile::FormatError;
using casefile::OrderedJson;

constexpr std::chrono::seconds kTimeout{10};

v1::ScoreRoundRequest RequestOf(const Case& one) {
  v1::ScoreRoundRequest request;
  ::mahjong::common::v1::FinishedRound& round = *request.mutable_round();
  wire::ToProto(one.round, round);
  round.set_variant(std::string(one.variant->info().id));
  for (const auto& [name, value] : rules::ToTexts(one.variant->options(), one.options, false)) {
    (*round.mutable_options())[name] = value;
  }
  round.set_base(one.base);
  request.set_rulebook_version(rules::RulebookVersion(*one.variant));
  return request;
}

OrderedJson WriteWin(const v1::WinScore& win) {
  OrderedJson out;
  out["seat"] = win.seat();
  out["legal"] = win.legal();
  if (!win.legal()) {
    out["reason"] = win.reason();
    return out;
  }
  out["patterns"] = OrderedJson::array();
  for (const v1::PatternHit& hit : win.patterns()) out["patterns"].push_back(hit.id());
  if (win.has_fan()) out["fan"] = win.fan();
  if (win.has_multiplier()) out["multiplier"] = win.multiplier();
  if (win.has_horses_hit()) out["horses_hit"] = win.horses_hit();
  return out;
}

OrderedJson WriteScore(const v1::RoundScore& score) {
  OrderedJson out;
  out["wins"] = OrderedJson::array();
  for (const v1::WinScore& win : score.wins()) out["wins"].push_back(WriteWin(win));
  out["transfers"] = OrderedJson::array();
  for (const ::mahjong::common::v1::Transfer& transfer : score.transfers()) {
    OrderedJson line;
    line["from"] = transfer.from_seat();
    line["to"] = transfer.to_seat();
    line["coins"] = transfer.coins();
    line["rule"] = transfer.rule_id();
    out["transfers"].push_back(std::move(line));
  }
  out["net"] = OrderedJson::array();
  for (const std::int64_t net : score.net()) out["net"].push_back(net);
  return out;
}

}  // namespace

Scorer RemoteScorer(const std::string& target) {
  const auto channel = rpc::MakeChannel({.target = target, .retry_safe = true});
  const std::shared_ptr<v1::ScoringService::Stub> stub = v1::ScoringService::NewStub(channel);
  return [stub, target](const Case& one) -> std::variant<OrderedJson, FormatError, Unavailable> {
    const auto response = rpc::Invoke(*stub, &v1::ScoringService::StubInterface::ScoreRound,
                                      RequestOf(one), {.timeout = kTimeout});
    if (response.ok()) return WriteScore(response->score());
    const std::string message(base::ToStd(response.status().message()));
    if (IsNoAnswer(response.status()) ||
        response.status().code() == absl::StatusCode::kPermissionDenied) {
      return Unavailable{base::Cat(target, ": ", message, CureOf(response.status()))};
    }
    const auto carried = base::CarriedBy(response.status());
    return FormatError{carried ? carried->details.field : "",
                       base::Cat(carried ? carried->reason : "", carried ? ": " : "", message)};
  };
}

}  // namespace mj::mahjongctl
