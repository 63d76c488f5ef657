#include "services/matchmaking/app/match_round.h"

#include <iterator>
#include <utility>

#include "libs/base/status.h"
#include "libs/matching/match.h"

namespace mj::matchmaking {

absl::StatusOr<std::vector<Match>> MatchPools(Store& store, base::UuidGenerator& ids,
                                              const MatchRoundOptions& options) {
  const FormMatches form = [&ids](std::span<const matching::Ticket> tickets, matching::TimeMs now) {
    std::vector<NewMatch> matches;
    for (const matching::Group& group : matching::MatchTickets(tickets, now)) {
      matches.push_back({MatchId(ids.Next()), group.tickets});
    }
    return matches;
  };

  MJ_ASSIGN_OR_RETURN(const std::vector<matching::Pool> pools, store.FullPools());
  std::vector<Match> made;
  absl::Status failure;
  for (const matching::Pool& pool : pools) {
    absl::StatusOr<std::vector<Match>> matches =
        store.MakeMatches(pool, options.batch, options.lease, form);
    if (!matches.ok()) {
      failure = matches.status();
      continue;
    }
    std::move(matches->begin(), matches->end(), std::back_inserter(made));
  }
  if (made.empty() && !failure.ok()) return failure;
  return made;
}

}  // namespace mj::matchmaking
