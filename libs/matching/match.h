// Tickets → groups of four, or of fewer who are content with bots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "libs/matching/fit.h"
#include "libs/matching/ticket.h"
#include "libs/matching/window.h"

namespace mj::matching {

inline constexpr std::size_t kPlayers = 4;

// How many pairs are tried, at most, to complete one party's group: every way to do it in a queue of
// twenty; in a longer one the way is found, if not now, as windows widen.
inline constexpr std::size_t kTriesMax = 5'000;

// Why four were put together, for whoever asks later.
struct Why {
  std::int64_t rating_apart = 0;   // between the highest and the lowest of the parties' ratings
  std::int64_t rating_window = 0;  // the narrowest of the parties' windows; kAnyRating: open
  Region region;
  int parties = 4;    // 1 to 4: how many came by themselves or as friends
  int met_again = 0;  // pairs of different parties who had met not long ago

  bool operator==(const Why&) const = default;
};

// Tickets that become a table. By seat: the party that waited longest first, then the next; of a party by
// id. Where they are fewer than four bots take the seats behind theirs.
struct Group {
  std::vector<std::size_t> tickets;  // indices into the span that was matched; 1 to kPlayers
  Why why;
};

// How well the bots are to play that sit down with these tickets: as badly as the most modest of those who
// care; kUsual when nobody does.
[[nodiscard]] BotStrength StrengthFor(std::span<const Ticket> tickets,
                                      const std::vector<std::size_t>& group);

// Forms groups, the longest waiting first.
//
//   tickets   any number, in any order, of any pools. A ticket that is there twice counts once; a
//             party whose members are not all there (party_size) is left out.
//   now       tickets with expires_at <= now are left out. A queued_at that lies in the future is
//             no error.
//
// The party that has waited longest (then the one with the lowest id) is completed by the oldest of
// its pool that fit it and each other and have a region in common; if no four can be found (within
// kTriesMax), it goes on waiting and the next one is asked. So no four that fit are left over, as
// far as the tries go, and nobody who waits longer is passed over for want of trying. Groups are
// listed by their oldest ticket.
//
// Who wants bots at once is a group of its own (kAtOnce), and fits nobody else. Who is left over, wants bots
// after a while (kAfterWait) and has waited for bots_after leads a group of all that want so, fit and
// have room at the table.
//
// Deterministic and pure: no ticket's place in `tickets` matters.
// O(n log n) while nearly everyone fits, O(n × kTriesMax) if hardly anyone does: the caller bounds n.
[[nodiscard]] std::vector<Group> MatchTickets(std::span<const Ticket> tickets, TimeMs now,
                                              const Windows& windows = {});

}  // namespace mj::matching
