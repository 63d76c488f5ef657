// Tickets → groups of four.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "libs/matching/ticket.h"

namespace mj::matching {

inline constexpr std::size_t kPlayers = 4;

// Four tickets that become a table. By seat: seat 0 is the one who waited longest, and so on.
struct Group {
  std::array<std::size_t, kPlayers> tickets{};  // indices into the span that was matched
};

// Forms as many groups as the oldest tickets allow.
//
//   tickets   any number, in any order, of any pools. A ticket that is there twice counts once.
//   now       tickets with expires_at <= now are left out. A queued_at that lies in the future is
//   no error.
//
// The longest waiting ticket (then the lowest id) of a pool takes the next oldest that fit it; if
// they are not enough, it goes on waiting and the next one is asked. So no four tickets that fit
// are left over as long as fitting means "different players", and who waits longer is never passed
// over for want of trying. Groups are listed by their oldest ticket. Deterministic and pure: no
// ticket's place in `tickets` matters. O(n log n) while nearly everyone fits, O(n²) if hardly
// anyone does: the caller bounds n.
[[nodiscard]] std::vector<Group> MatchTickets(std::span<const Ticket> tickets, TimeMs now);

}  // namespace mj::matching
