#include "services/matchmaking/app/match_round.h"

#include <iterator>
#include <string>
#include <utility>

#include "libs/base/status.h"
#include "libs/matching/match.h"

namespace mj::matchmaking {

absl::StatusOr<std::vector<Match>> MatchPools(Store& store, base::UuidGenerator& ids,
                                              const MatchRoundOptions& options) {
  const FormMatches form = [&](std::span<const matching::Ticket> tickets, matching::TimeMs now) {
    std::vector<NewMatch> matches;
    for (const matching::Group& group : matching::MatchTickets(tickets, now, options.windows)) {
      const bool video = tickets[group.tickets[0]].pool.media == matching::Media::kVideo;
      NewMatch& match = matches.emplace_back();
      match = {MatchId(ids.Next()), group.tickets, group.why, video ? ids.Next() : std::string()};
      match.bot_strength = matching::StrengthFor(tickets, group.tickets);
      for (std::size_t i = 0; i < group.tickets.size(); ++i) match.tokens.push_back(ids.Secret());
    }
    return matches;
  };

  MJ_ASSIGN_OR_RETURN(const std::vector<matching::Pool> pools, store.FullPools());
  std::vector<Match> made;
  absl::Status failure;
  for (const matching::Pool& pool : pools) {
    absl::StatusOr<std::vector<Match>> matches = store.MakeMatches(pool, options.queue, form);
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
