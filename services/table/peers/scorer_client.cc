#include "services/table/peers/scorer_client.h"

#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/wire/fields.h"
#include "libs/wire/finished_round.h"

namespace mj::table::peers {
namespace {

namespace scoring = ::mahjong::scoring::v1;

scoring::ScoreRoundRequest ToRequest(const ScoreQuestion& question) {
  scoring::ScoreRoundRequest request;
  ::mahjong::common::v1::FinishedRound& round = *request.mutable_round();
  wire::ToProto(question.round, round);
  round.set_variant(question.variant);
  round.mutable_options()->insert(question.options.begin(), question.options.end());
  round.set_base(question.base);
  request.set_rulebook_version(question.rulebook_version);
  return request;
}

absl::StatusOr<Score> FromResponse(const scoring::ScoreRoundResponse& response) {
  Score score;
  score.rulebook_version = response.score().rulebook_version();
  for (const ::mahjong::common::v1::Transfer& transfer : response.score().transfers()) {
    MJ_ASSIGN_OR_RETURN(const Seat from, wire::SeatFromNumber(transfer.from_seat(), "from_seat"));
    MJ_ASSIGN_OR_RETURN(const Seat to, wire::SeatFromNumber(transfer.to_seat(), "to_seat"));
    score.scored.transfers.push_back({from, to, transfer.coins(), transfer.rule_id()});
  }
  score.scored.score = response.score().SerializeAsString();
  return score;
}

}  // namespace

void ScorerClient::ScoreRound(const ScoreQuestion& question,
                              std::function<void(absl::StatusOr<Score>)> done) {
  calls_.Start<scoring::ScoreRoundResponse>(
      *stub_->async(), &scoring::ScoringService::StubInterface::async_interface::ScoreRound,
      ToRequest(question), {.timeout = timeout_},
      [done = std::move(done)](absl::StatusOr<scoring::ScoreRoundResponse> response) {
        if (!response.ok()) return done(response.status());
        absl::StatusOr<Score> score = FromResponse(*response);
        // What it said is no fault of what was asked.
        if (!score.ok()) {
          return done(base::Error(base::Reason::kInternal, base::ToStd(score.status().message())));
        }
        done(std::move(score));
      });
}

}  // namespace mj::table::peers
