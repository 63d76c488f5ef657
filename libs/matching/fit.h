// Who may be in a group with whom: the one place for it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "libs/matching/ticket.h"
#include "libs/matching/window.h"

namespace mj::matching {

// Why two players may not sit at one table, however long they wait.
enum class Conflict : std::uint8_t {
  kNone,
  kSamePlayer,  // one player, or one ticket
  kDevice,      // one device, at a staked table
  kNetwork,     // one network address, at a staked table
  kAvoided,     // one avoids the other; in a private room nobody is avoided: all came by its code
};

// The first that applies, in the order of the enum. Pure and symmetric. Whether the pools are alike
// is not looked at: `a.pool` tells what kind of table it would be.
[[nodiscard]] Conflict ConflictOf(const Ticket& a, const Ticket& b);

// Whether the two met at a table not long ago, as either of them has it. Symmetric.
[[nodiscard]] bool HaveMet(const Ticket& a, const Ticket& b);

// Those who come together: one player, or friends.
struct Party {
  std::vector<const Ticket*> tickets;
  std::int64_t rating = 0;  // the mean of theirs
  TimeMs queued_at = 0;
};

// Whether two parties of one pool may be in one group at `now`: no conflict between any two
// players, ratings within the narrower of both windows, and nobody who met another just now unless
// both have waited long enough. In a private room conflicts alone count. Pure and symmetric.
[[nodiscard]] bool Fits(const Party& a, const Party& b, TimeMs now, const Windows& windows);

// Where a group could play.
struct Region {
  std::string name;  // empty: nobody said where they are
  int latency = 0;   // of the one who is farthest, in milliseconds; 0 if nobody said

  bool operator==(const Region&) const = default;
};

// The region that is nearest for the one who has the longest way to it (then the first by name),
// among those that all of the group know and that are within each party's window; nullopt if there
// is none. Who named no regions plays anywhere. In a private room there are no windows.
[[nodiscard]] std::optional<Region> CommonRegion(std::span<const Party* const> group, TimeMs now,
                                                 const Windows& windows);

}  // namespace mj::matching
