#include "services/matchmaking/app/rate.h"

#include <algorithm>
#include <vector>

namespace mj::matchmaking {

bool IsMeeting(const EndedRound& round) { return round.currency == "COIN"; }

bool Counts(const EndedRound& round) { return round.settled && round.currency == "COIN"; }

std::array<rating::Rating, kSeats> RatingsAfter(const EndedRound& round,
                                                const std::array<rating::Rating, kSeats>& before) {
  std::array<rating::Part, kSeats> parts;
  for (std::size_t seat = 0; seat < kSeats; ++seat) {
    parts[seat] = {.before = before[seat], .result = round.coins[seat]};
  }
  const std::vector<rating::Rating> after = rating::AfterRound(parts);
  std::array<rating::Rating, kSeats> ratings;
  std::copy_n(after.begin(), kSeats, ratings.begin());
  return ratings;
}

}  // namespace mj::matchmaking
