// One pass over tables that wait between rounds: their free seats get the oldest tickets that fit.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "libs/base/uuid.h"
#include "services/matchmaking/app/match_round.h"
#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking {

// Who takes which free seat of a table. Of the pool's tickets, the oldest first, each that came alone and
// could have been matched with those who sit there: no conflict with any of them, within the ticket's own
// windows of their ratings and of where the table is, and nobody met just now. Those who sit have waited
// long enough by definition. Nobody is sent to a table twice: so nothing late of an earlier time there (a
// leave that is repeated, what a feed tells) can be taken for this one. Pure but for the ids.
[[nodiscard]] std::vector<NewRefill> FillFreeSeats(const OpenTable& table,
                                                   std::span<const matching::Ticket> tickets,
                                                   matching::TimeMs now,
                                                   const matching::Windows& windows,
                                                   base::UuidGenerator& ids);

// Sends tickets to free seats and returns the matches: whoever calls goes on with seating them. Any
// number of replicas may do this at once.
//   tables   at once.
absl::StatusOr<std::vector<Match>> RefillTables(Store& store, base::UuidGenerator& ids,
                                                const MatchRoundOptions& options,
                                                std::size_t tables);

}  // namespace mj::matchmaking
