// Who may be in a group with whom: the one place for it.
#pragma once

#include <span>

#include "libs/matching/ticket.h"

namespace mj::matching {

// Whether `candidate` may join `group` at `now`. Pure. Symmetric in the members: a group that was
// put together in one order could have been in any other.
//
// Today: another ticket, another player, the same pool. `now` is not needed for that; it is here
// for rules that depend on how long somebody has been waiting.
[[nodiscard]] bool Fits(const Ticket& candidate, std::span<const Ticket* const> group, TimeMs now);

}  // namespace mj::matching
