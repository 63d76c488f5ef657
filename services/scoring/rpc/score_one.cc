#include "services/scoring/rpc/score_one.h"

#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/wire/finished_round.h"
#include "services/scoring/app/scoring.h"
#include "services/scoring/rpc/answers.h"
#include "services/scoring/rpc/requests.h"

namespace mj::scoring::rpc {

using base::InField;

absl::Status ScoreOne(const proto::ScoreRoundRequest& request, proto::RoundScore& out) {
  if (!request.has_round()) return Missing("round");
  const absl::StatusOr<Game> game =
      GameOf(request.round().variant(), request.round().options(), request.rulebook_version());
  if (!game.ok()) {
    const bool of_version = base::HasReason(game.status(), base::Reason::kRulebookVersionUnknown);
    return of_version ? game.status() : InField("round", game.status());
  }
  const absl::StatusOr<rules::FinishedRound> round = wire::FromProto(request.round());
  if (!round.ok()) return InField("round", round.status());
  auto priced = ScoreRound(*game, request.round().base(), *round);
  if (!priced.ok()) return InField("round", priced.status());
  Fill(*game, *round, *std::move(priced), out);
  return absl::OkStatus();
}

}  // namespace mj::scoring::rpc
