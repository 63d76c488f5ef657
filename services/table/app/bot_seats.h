// The bots of the house at one table, and what they cost.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "libs/bots/distance.h"
#include "services/table/app/bot_player.h"
#include "services/table/app/peers.h"

namespace mj::table {

// The player id, and the wallet's account, of the bot at `seat` of a table; no client may name it.
[[nodiscard]] PlayerId BotIdOf(const TableId& table, Seat seat);

// What a bot is given when it has less than kBotLeast: enough for the highest room of every game, so that it
// is never what makes a table cheaper.
inline constexpr Coins kBotGrant = 100'000'000;
inline constexpr Coins kBotLeast = 10'000'000;

// Whether the answer to holding a bot's seat says that it has to be given coins first.
[[nodiscard]] bool NeedsGrant(const absl::StatusOr<Coins>& balance);

// The name of the grant that a bot may get before its table's next round; one for each of them.
[[nodiscard]] RequestId GrantIdOf(const PlayerId& bot, int rounds_begun);

// A seat's move.
struct SeatMove {
  Seat seat = Seat::k0;
  BotMove move;
};

// Learns from the streams themselves which seats are bots'. Movable; not thread-safe.
class BotSeats {
 public:
  // What a seat's stream shows next; from its first event on.
  void Show(const Showing& showing);

  // When one of them does something by itself; nothing: nobody does.
  [[nodiscard]] std::optional<WallTime> next() const;
  // What one of them does at `now`, the one that is due first. It is done once.
  std::optional<SeatMove> Take(WallTime now);

 private:
  [[nodiscard]] std::optional<Seat> First() const;

  PerSeat<std::unique_ptr<BotPlayer>> players_;
  std::unique_ptr<bots::Distances> distances_;  // once there is a bot
};

}  // namespace mj::table
