// What matchmaking needs from outside: the store that holds the truth, the table service, the
// wallet.
//
// All calls block and are made on executor threads. All are thread-safe. Besides the failures
// named, each may answer UNAVAILABLE, DEADLINE_EXCEEDED or INTERNAL; of a write that failed so
// nobody knows whether it happened, and every write here may be made again.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/matchmaking/app/model.h"

namespace mj::matchmaking {

using Millis = std::chrono::milliseconds;

// What taking a ticket comes to: the ticket, or the seat that stands in its way.
using Taking = std::variant<Ticket, LiveSeat>;

enum class Assigned : std::uint8_t {
  kDone,        // the four are assigned to this table, by this call or an earlier one
  kMemberGone,  // one of the four is no longer waiting; nothing was written
  kReleased,    // the match was released, so this table has been left; nothing was written
};

// A member that can never be seated, and why.
struct Failure {
  PlayerId player;
  std::string reason;  // a reason's name
};

// A match to be written: its id, and who sits where.
struct NewMatch {
  MatchId id;
  std::array<std::size_t, kSeats> tickets{};  // indices into the tickets that were offered, by seat
};
// Called with queued tickets of one pool and the store's time. May be called again for the same
// tickets, so it must keep no state.
using FormMatches =
    std::function<std::vector<NewMatch>(std::span<const matching::Ticket>, matching::TimeMs now)>;

// Holds tickets, matches and live seats. Time is the store's own.
//
// Invariants, whoever calls and however many at once:
//   a player has at most one live ticket, and at most one live seat;
//   a ticket is in at most one match that is not released;
//   queued_at never changes, and a final state never does.
class Store {
 public:
  virtual ~Store() = default;

  // --- tickets ---

  // What TakeTicket would answer to this wish without writing anything; nothing when a ticket would
  // be taken. `wish.pool.base` is not looked at. Failures as TakeTicket's.
  virtual absl::StatusOr<std::optional<Taking>> Foresee(const Wish& wish) = 0;

  // Queues a player for `lifetime`. A request that took a ticket before gets that ticket as it
  // stands now. Failures, the first that applies: REQUEST_ID_REUSED for another wish under the same
  // request id; TICKET_EXISTS (metadata: ticket_id) if the player has a live ticket. A LiveSeat is
  // answered, and nothing written, if the player has been assigned a seat that has not been freed.
  virtual absl::StatusOr<Taking> TakeTicket(const TicketId& id, const Wish& wish,
                                            Millis lifetime) = 0;

  // Takes a queued ticket out of the queue for ever; one that is cancelled already is answered as
  // it is. Failures: TICKET_NOT_FOUND, TICKET_CLOSED.
  virtual absl::StatusOr<Ticket> CancelTicket(const TicketId& id) = 0;

  // The tickets of these ids, in any order; unknown ids are left out.
  virtual absl::StatusOr<std::vector<Ticket>> FindTickets(std::span<const TicketId> ids) = 0;

  // Marks at most `limit` tickets whose time is over as expired. Returns how many. (They count as
  // expired without it.)
  virtual absl::StatusOr<std::size_t> ExpireTickets(std::size_t limit) = 0;

  // --- matches ---

  // The pools in which at least four tickets could be matched.
  virtual absl::StatusOr<std::vector<matching::Pool>> FullPools() = 0;

  // Hands `form` the pool's oldest tickets, at most `limit`, that are queued, not expired, and
  // whose player has no live seat; writes what it forms as proposed matches; returns them. Nobody
  // else can match or cancel those tickets meanwhile. Empty when another replica is at this pool.
  // Until `lease` has passed the matches are due to nobody else.
  virtual absl::StatusOr<std::vector<Match>> MakeMatches(const matching::Pool& pool,
                                                         std::size_t limit, Millis lease,
                                                         const FormMatches& form) = 0;

  // Takes over at most `limit` unfinished matches that are due, for `lease`; each goes to one
  // caller.
  virtual absl::StatusOr<std::vector<Match>> ClaimDueMatches(std::size_t limit, Millis lease) = 0;

  // Assigns the four tickets to the table, all or none. Their seats are to be checked after
  // `check_after`.
  virtual absl::StatusOr<Assigned> AssignMatch(const MatchId& match, const TablePlace& place,
                                               Millis check_after) = 0;

  // Puts the tickets back into the pool, but keeps their players from being matched, since a table
  // may have been made: the match stays unfinished and is due after `retry_after`.
  // No effect on a finished match, nor by a caller from whom it has been taken over meanwhile
  // (`match.attempts` tells): what that one knows is old.
  virtual absl::Status AbandonMatch(const Match& match, std::string_view reason,
                                    Millis retry_after) = 0;

  // Ends a match that has no table: its live tickets go back into the pool, or, where named in
  // `failures`, fail; its seats are free. No effect as in AbandonMatch.
  virtual absl::Status ReleaseMatch(const Match& match, std::string_view reason,
                                    std::span<const Failure> failures) = 0;

  // For metrics.
  virtual absl::StatusOr<Backlog> CountBacklog() = 0;

  // --- seats ---

  // Takes at most `limit` live seats that are due to be checked, grouped by match, and makes them
  // due again after `interval`.
  virtual absl::StatusOr<std::vector<SeatCheck>> ClaimSeatChecks(std::size_t limit,
                                                                 Millis interval) = 0;

  // Ends the seats that these players have through this match; others are not touched.
  virtual absl::Status FreeSeats(const MatchId& match, std::span<const PlayerId> players) = 0;
};

// Who sits at a table.
struct TableNow {
  bool closed = false;
  std::vector<PlayerId> seated;
};

// The table service.
class Tables {
 public:
  virtual ~Tables() = default;

  // Makes the match's table, or finds the one that was made for it before. The call is not sent,
  // and not waited for, after `until`, by this process's clock. Failures for which
  // ArgumentIsRefused (seating.h), PLAYER_BUSY (metadata: player_id) among them, mean that there is
  // no table; after any other there may be one.
  virtual absl::StatusOr<TablePlace> CreateTable(const Match& match, base::MonotonicTime until) = 0;

  // Failures: TABLE_NOT_FOUND.
  virtual absl::StatusOr<TableNow> GetTable(const TablePlace& place) = 0;

  // Gives up a player's seat. OK, too, if the player has none there or the table is closed or gone.
  virtual absl::Status LeaveTable(const TablePlace& place, const PlayerId& player) = 0;
};

// The wallet.
class Wallet {
 public:
  virtual ~Wallet() = default;

  // The base of the tier that is open to the player: the one asked for, or with `asked_base` 0 the
  // highest. Failures: ACCOUNT_NOT_FOUND, TIER_NOT_FOUND, BELOW_MINIMUM (metadata: balance,
  // minimum), CURRENCY_MIXED.
  virtual absl::StatusOr<std::int64_t> OpenTier(const PlayerId& player, std::string_view variant,
                                                std::string_view currency,
                                                std::int64_t asked_base) = 0;
};

}  // namespace mj::matchmaking
