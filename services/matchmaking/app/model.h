// The nouns of matchmaking: tickets, matches, seats that are held.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/strong_id.h"
#include "libs/matching/match.h"
#include "libs/matching/ticket.h"

namespace mj::matchmaking {

using PlayerId = base::StrongId<struct PlayerIdTag>;
using TicketId = base::StrongId<struct TicketIdTag>;
using MatchId = base::StrongId<struct MatchIdTag>;
using TableId = base::StrongId<struct TableIdTag>;
using RequestId = base::StrongId<struct RequestIdTag>;

inline constexpr std::size_t kSeats = matching::kPlayers;

// A base stake lies within these, whatever the game (D-SET-3).
inline constexpr std::int64_t kBaseMax = 10'000;

enum class TicketState : std::uint8_t {
  kQueued,     // waits; live
  kMatched,    // in a match whose table is being made; live
  kAssigned,   // seated; final, like all that follow
  kCancelled,  // taken back
  kExpired,    // waited too long
  kFailed,     // cannot be seated
};

// Whether a player with a ticket in this state is in the queue.
[[nodiscard]] constexpr bool IsLive(TicketState state) {
  return state == TicketState::kQueued || state == TicketState::kMatched;
}

// Wish::asked_room of who opens a private room; who enters one has its code there.
inline constexpr std::string_view kNewRoom = "new";

// From where and with what a player plays, as far as it was told.
struct Client {
  std::string device;                  // empty: not told
  std::string network;                 // matching::NetworkOf the address; empty: not told
  std::map<std::string, int> latency;  // milliseconds to each region; empty: plays anywhere
  bool operator==(const Client&) const = default;
};

// What a player asks for. Friends who want to sit at one table make one request of a wish each.
struct Wish {
  RequestId request;
  PlayerId player;
  // Options hold only what differs from the game's defaults. `pool.base` is the tier's.
  matching::Pool pool;
  std::int64_t asked_base = 0;  // what the request named; 0: the player's own tier
  std::string asked_room;       // kNewRoom, a code, or empty: open to everybody
  Client client;
  std::set<PlayerId> avoid;
  matching::Bots bots = matching::Bots::kNone;  // another than kNone: the pool is without stakes
  matching::BotStrength bot_strength = matching::BotStrength::kUsual;

  // Whether a repeated request asks for the same. The base and the room in the pool are answers, not
  // questions; for who came by a code, so is all of it.
  [[nodiscard]] bool SameQuestion(const Wish& other) const {
    const bool by_code = !asked_room.empty() && asked_room != kNewRoom;
    return request == other.request && player == other.player && asked_room == other.asked_room &&
           client == other.client && avoid == other.avoid && asked_base == other.asked_base &&
           bots == other.bots && bot_strength == other.bot_strength &&
           (by_code || (pool.variant == other.pool.variant && pool.options == other.pool.options &&
                        pool.currency == other.pool.currency && pool.media == other.pool.media));
  }
  bool operator==(const Wish&) const = default;
};

// A table, and where the process is that holds it.
struct TablePlace {
  TableId table;
  std::string address;  // host:port
  bool operator==(const TablePlace&) const = default;
};

struct Assignment {
  MatchId match;
  TablePlace place;
  int seat = 0;            // 0..3
  std::string region;      // empty: no region was named
  std::string media_room;  // set at a table with video
  std::string token{};     // opens the seat (Member)
  bool operator==(const Assignment&) const = default;
};

struct Ticket {
  TicketId id;
  Wish wish;
  std::vector<PlayerId> party;  // with friends: all of them, in the order of the request
  std::int64_t rating = 0;      // the mean when it was taken, in millionths
  TicketState state = TicketState::kQueued;
  base::WallTime queued_at{};            // never changes; the store's clock, like expires_at
  base::WallTime expires_at{};           // a queued ticket counts as expired from here on
  MatchId match;                         // set while matched and once assigned
  std::optional<Assignment> assignment;  // set once assigned
  std::string failure_reason;            // set once failed: a reason's name
  bool operator==(const Ticket&) const = default;
};

// One of the players whom a match seats.
struct Member {
  TicketId ticket;
  PlayerId player;
  std::string token{};  // the secret that opens its seat; empty: the seat needs none
  bool operator==(const Member&) const = default;
};

// A free seat of a table that stands.
struct FreeSeat {
  TablePlace place;  // the address may be empty
  int seat = 0;      // 0..3
  bool operator==(const FreeSeat&) const = default;
};

// Tickets that are to become a table: four, or fewer that leave the other seats to bots; or one that is to
// take a free seat.
struct Match {
  MatchId id;
  matching::Pool pool;
  // By seat, 1 to kSeats; with `refill` one.
  std::vector<Member> members;
  std::optional<FreeSeat> refill;
  std::string media_room;  // set if the pool is with video
  matching::BotStrength bot_strength =
      matching::BotStrength::kUsual;  // of those behind the members
  int attempts = 1;  // how often a replica has set out to make its table, this time included
  bool operator==(const Match&) const = default;
};

// A player's seat at a table, as matchmaking has it.
struct LiveSeat {
  PlayerId player;
  MatchId match;
  TablePlace place;
  int seat = 0;              // 0..3
  std::string token{};       // as in Member; like media_room told by Store::Locate alone
  std::string media_room{};  // set at a table with video
  bool operator==(const LiveSeat&) const = default;
};

// A private room.
struct Room {
  std::string id;
  std::string code;  // six digits
  PlayerId owner;
  matching::Pool pool;  // with `id` as its room
  base::WallTime expires_at{};
  std::vector<PlayerId> players;  // who waits in it, by when they came
  bool operator==(const Room&) const = default;
};

// How much is waiting, for operators. Ages by the store's clock; 0 when nothing waits.
struct Backlog {
  std::int64_t queued = 0;  // tickets
  std::chrono::milliseconds oldest_queued{0};
  std::int64_t unfinished = 0;  // matches without a table yet
  std::chrono::milliseconds oldest_unfinished{0};
  std::int64_t seats = 0;  // players who sit, or may be about to
  bool operator==(const Backlog&) const = default;
};

// The seats of one table that are to be looked at.
struct SeatCheck {
  MatchId match;
  TablePlace place;
  std::vector<PlayerId> players;
};

// A table that waits between rounds with seats free, to which nobody has been sent yet.
struct OpenTable {
  TablePlace place;  // the address may be empty
  matching::Pool pool;
  std::string region;      // where it is played; empty: nobody named one
  std::string media_room;  // set if the pool is with video
  std::vector<int> free;   // seats, rising; at least one
  // Who sits there, or has been sent there: their tickets, as far as they came by one; else the player
  // alone is known.
  std::vector<matching::Ticket> seated;
  // Whoever has been sent there before, through this match or another.
  std::set<PlayerId> been;
};

}  // namespace mj::matchmaking
