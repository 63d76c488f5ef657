// What matchmaking needs from outside: the store that holds the truth, the table service, the
// wallet.
//
// All calls block and are made on executor threads. All are thread-safe. Besides the failures
// named, each may answer UNAVAILABLE, DEADLINE_EXCEEDED or INTERNAL; of a write that failed so
// nobody knows whether it happened, and every write here may be made again.
#pragma once

#include <algorithm>
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

// A request's tickets, in the order of its players.
using Tickets = std::vector<Ticket>;
// What taking tickets comes to: the tickets, or the seat that stands in their way.
using Taking = std::variant<Tickets, LiveSeat>;

enum class Assigned : std::uint8_t {
  kDone,        // its members are assigned to this table, by this call or an earlier one
  kMemberGone,  // one of them is no longer waiting; nothing was written
  kReleased,    // the match was released, so this table has been left; nothing was written
};

// A member that can never be seated, and why.
struct Failure {
  PlayerId player;
  std::string reason;  // a reason's name
};

// A match to be written: its id, who sits where, and why they.
struct NewMatch {
  MatchId id;
  std::vector<std::size_t>
      tickets;  // indices into the tickets that were offered, by seat; 1 to kSeats
  matching::Why why = {};
  std::string media_room = {};  // set if the pool is with video
  // The secrets that open the seats, one for each ticket; none: seats that need none.
  std::vector<std::string> tokens = {};
  matching::BotStrength bot_strength =
      matching::BotStrength::kUsual;  // of those behind the tickets
};
// Called with queued tickets of one pool and the store's time. May be called again for the same
// tickets, so it must keep no state.
using FormMatches =
    std::function<std::vector<NewMatch>(std::span<const matching::Ticket>, matching::TimeMs now)>;

// A ticket to be sent to a free seat.
struct NewRefill {
  MatchId id;
  std::size_t ticket = 0;  // index into the tickets that were offered
  int seat = 0;            // one of the table's free ones
  matching::Why why = {};
  std::string token = {};  // the secret that opens the seat; empty: it needs none
};
// Called with a table and the queued tickets of its pool, the oldest first; as FormMatches. Different
// tickets for different seats.
using FillSeats = std::function<std::vector<NewRefill>(
    const OpenTable& table, std::span<const matching::Ticket> tickets, matching::TimeMs now)>;

struct QueueOptions {
  std::size_t limit = 400;  // tickets offered at once
  Millis lease{5'000};      // how long the matches are due to nobody else
  // A table at which nobody has come or gone for so long is refilled: one that breaks up is left seat by
  // seat, and nobody should be sent there.
  Millis refill_after{5'000};
  Millis met_for{1'800'000};  // who was seated, or ended a round, together within this time has met
};

// A match whose table stands.
struct Standing {
  MatchId match;
  TablePlace place;
};

// What is known of where a player is.
struct Whereabouts {
  std::optional<Ticket> ticket;  // live
  std::optional<LiveSeat> seat;  // assigned, and not known to have ended
};

// Holds tickets, matches, live seats and private rooms. Time is the store's own.
//
// Invariants, whoever calls and however many at once:
//   a player has at most one live ticket, and at most one live seat;
//   a ticket is in at most one match that is not released;
//   queued_at never changes, and a final state never does.
class Store {
 public:
  virtual ~Store() = default;

  // --- tickets ---

  // What TakeTickets would answer to these wishes without writing anything; nothing when tickets
  // would be taken. Bases and rooms of the pools are not looked at. Failures as TakeTickets's, but
  // for those of rooms.
  virtual absl::StatusOr<std::optional<Taking>> Foresee(const std::vector<Wish>& wishes) = 0;

  // Queues the players of one request for `lifetime`, in a private room until that expires, all or
  // none; several are a party. A request
  // that took tickets before gets those as they stand now. Failures, the first that applies:
  // REQUEST_ID_REUSED for other wishes under the same request id; TICKET_EXISTS (metadata:
  // ticket_id, player_id) if a player has a live ticket; in a private room ROOM_NOT_FOUND if it is
  // closed or has expired, ROOM_FULL, SHARED_DEVICE and SHARED_NETWORK (metadata: player_id, of who
  // is there). A LiveSeat is answered, and nothing written, if a player has been assigned a seat
  // that has not been freed.
  // REQUIRES: as many ids as wishes, 1 to 4, of different players, alike in request and pool.
  virtual absl::StatusOr<Taking> TakeTickets(const std::vector<TicketId>& ids,
                                             const std::vector<Wish>& wishes, Millis lifetime) = 0;

  // Takes a queued ticket, with its party, out of the queue for ever; one that is cancelled already
  // is answered as it is. Failures: TICKET_NOT_FOUND, TICKET_CLOSED.
  virtual absl::StatusOr<Ticket> CancelTicket(const TicketId& id) = 0;

  // The tickets of these ids, in any order; unknown ids are left out.
  virtual absl::StatusOr<std::vector<Ticket>> FindTickets(std::span<const TicketId> ids) = 0;

  // Marks at most `limit` tickets whose time is over as expired. Returns how many. (They count as
  // expired without it.)
  virtual absl::StatusOr<std::size_t> ExpireTickets(std::size_t limit) = 0;

  // --- matches ---

  // The pools in which at least four tickets could be matched, or one that may have bots.
  virtual absl::StatusOr<std::vector<matching::Pool>> FullPools() = 0;

  // Hands `form` the pool's oldest tickets, at most `options.limit`, that are queued, not expired,
  // and whose player has no live seat; writes what it forms as proposed matches; returns them.
  // Nobody else can match or cancel those tickets meanwhile. Empty when another replica is at this
  // pool.
  virtual absl::StatusOr<std::vector<Match>> MakeMatches(const matching::Pool& pool,
                                                         const QueueOptions& options,
                                                         const FormMatches& form) = 0;

  // Hands `fill` tables that wait with a free seat, at most `tables` of them, each with its pool's oldest
  // tickets as MakeMatches does; writes what it sends as proposed matches of one member; returns them.
  // A table that another call is at, or that has been told of since `options.refill_after`, is left out. A
  // free seat is one that is held for nobody.
  virtual absl::StatusOr<std::vector<Match>> MakeRefills(std::size_t tables,
                                                         const QueueOptions& options,
                                                         const FillSeats& fill) = 0;

  // Takes over at most `limit` unfinished matches that are due, for `lease`; each goes to one
  // caller.
  virtual absl::StatusOr<std::vector<Match>> ClaimDueMatches(std::size_t limit, Millis lease) = 0;

  // Assigns the tickets of each match to its table, all or none. Their seats are to be
  // checked after `check_after`. One answer for each, in order.
  // REQUIRES: different matches.
  virtual absl::StatusOr<std::vector<Assigned>> AssignMatches(std::span<const Standing> matches,
                                                              Millis check_after) = 0;

  // Puts the tickets back into the pool, but keeps their players from being matched, since a table
  // may have been made: the match stays unfinished and is due after `retry_after`.
  // No effect on a finished match, nor by a caller from whom it has been taken over meanwhile
  // (`match.attempts` tells): what that one knows is old.
  virtual absl::Status AbandonMatch(const Match& match, std::string_view reason,
                                    Millis retry_after) = 0;

  // Ends a match that has no table: its live tickets go back into the pool, or, where they or one of
  // their party are named in `failures`, fail; its seats are free. One that was to refill a table and
  // ends without a failure of its member's has been refused by the table: nobody is sent there until
  // that is told of again (FeedStore::ApplySeats). No effect as in AbandonMatch.
  virtual absl::Status ReleaseMatch(const Match& match, std::string_view reason,
                                    std::span<const Failure> failures) = 0;

  // For metrics.
  virtual absl::StatusOr<Backlog> CountBacklog() = 0;

  // How long those waited who were assigned last in this pool, at most `limit` of them.
  virtual absl::StatusOr<std::vector<Millis>> RecentWaits(const matching::Pool& pool,
                                                          std::size_t limit) = 0;

  // --- seats ---

  // Takes at most `limit` live seats that are due to be checked, grouped by match, and makes them
  // due again after `interval`.
  virtual absl::StatusOr<std::vector<SeatCheck>> ClaimSeatChecks(std::size_t limit,
                                                                 Millis interval) = 0;

  // Ends the seats that these players have through this match; others are not touched.
  virtual absl::Status FreeSeats(const MatchId& match, std::span<const PlayerId> players) = 0;

  virtual absl::StatusOr<Whereabouts> Locate(const PlayerId& player) = 0;

  // --- private rooms ---

  // Opens a room for `lifetime` with its owner's ticket in it, as TakeTickets does (with its
  // failures) for this one wish. `room.id`, `code`, `owner` and `pool` are taken from the room.
  // ALREADY_EXISTS without a reason if an open room has this code: choose another.
  // REQUIRES: wish.pool == room.pool, wish.player == room.owner.
  virtual absl::StatusOr<Taking> OpenRoom(const Room& room, const TicketId& id, const Wish& wish,
                                          Millis lifetime) = 0;

  // The open room of this code, and who waits in it. Failures: ROOM_NOT_FOUND.
  virtual absl::StatusOr<Room> FindRoom(std::string_view code) = 0;

  // A room by its id, open or closed. Failures: ROOM_NOT_FOUND.
  virtual absl::StatusOr<Room> GetRoom(std::string_view id) = 0;

  // Closes at most `limit` rooms that have expired. Returns how many. (Nobody enters them without
  // it, but it frees their codes.)
  virtual absl::StatusOr<std::size_t> CloseExpiredRooms(std::size_t limit) = 0;
};

// Who sits at a table.
struct TableNow {
  bool closed = false;
  std::vector<PlayerId> seated = {};
  std::string address = {};   // host:port of the process that holds it
  std::string round_id = {};  // the round being played or settled; empty between rounds
  // Until when the table waits for the player for whom it was asked. None: it does not, or no clock runs.
  std::optional<base::WallTime> deadline = {};

  [[nodiscard]] bool Has(const PlayerId& player) const {
    return !closed && std::find(seated.begin(), seated.end(), player) != seated.end();
  }
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

  // Takes the seat that the match's one member is to refill; one who sits on it already is seated. Sent,
  // and failing, as CreateTable.
  // REQUIRES: match.refill.
  virtual absl::StatusOr<TablePlace> JoinTable(const Match& match, base::MonotonicTime until) = 0;

  // Failures: TABLE_NOT_FOUND.
  virtual absl::StatusOr<TableNow> GetTable(const TablePlace& place) = 0;

  // The same as this seat's player is told it, with a deadline. Failures: TABLE_NOT_FOUND, NOT_SEATED,
  // BAD_JOIN_TOKEN.
  virtual absl::StatusOr<TableNow> GetTableFor(const LiveSeat& seat) = 0;

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
