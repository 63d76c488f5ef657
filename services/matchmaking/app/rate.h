// What a round says of its players' skill: who won more coins in it did better. How many more does not
// count, for that is the stake and the luck of a big hand; equal coins are a tie.
#pragma once

#include <array>

#include "libs/rating/rating.h"
#include "services/matchmaking/app/feeds.h"

namespace mj::matchmaking {

// Whether it changes ratings: it is settled, and was played for coins. A void round says nothing, and
// nobody gets better by playing at practice tables.
[[nodiscard]] bool Counts(const EndedRound& round);

// Whether it is a meeting of its players: it was played for coins.
[[nodiscard]] bool IsMeeting(const EndedRound& round);

// The ratings after a round that counts, by seat.
[[nodiscard]] std::array<rating::Rating, kSeats> RatingsAfter(
    const EndedRound& round, const std::array<rating::Rating, kSeats>& before);

}  // namespace mj::matchmaking
