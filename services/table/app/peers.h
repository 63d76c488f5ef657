// The ports to the services that seats and rounds need: scoring and the wallet.
//
// Both answer by `done`, once, on whatever thread; not necessarily later than the call returns.
// What is asked of a round may be asked again with the same round, of a seat with the same request,
// and gets the same answer. A failure whose code is UNAVAILABLE, DEADLINE_EXCEEDED,
// RESOURCE_EXHAUSTED or ABORTED may pass by itself. Any other is the wallet's refusal where a seat
// is held or a round begun, and needs a person where a round is scored or settled.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/rules/hand.h"
#include "services/table/app/events.h"

namespace mj::table {

// Whether the same call may succeed by itself after a while.
[[nodiscard]] bool MayPass(const absl::Status& status);

// A round that is over, to be scored.
struct ScoreQuestion {
  std::string variant;
  OptionTexts options;  // what differs from the game's defaults
  Coins base = 0;
  rules::FinishedRound round;
  std::string rulebook_version;  // by which it must be scored
};

struct Score {
  std::string rulebook_version;  // by which it was scored
  RoundScored scored;
};

class Scorer {
 public:
  virtual ~Scorer() = default;
  virtual void ScoreRound(const ScoreQuestion& question,
                          std::function<void(absl::StatusOr<Score>)> done) = 0;
};

// A scored round, to be posted. Idempotent by `round`.
struct Settlement {
  RoundId round;
  TableId table;
  std::string variant;
  std::string rulebook_version;
  Coins base = 0;
  Currency currency = Currency::kCoin;
  PerSeat<PlayerId> players;
  std::vector<SeatTransfer> transfers;
};

// A player's seat, for which the wallet holds the room's minimum.
struct SeatHold {
  RequestId request;  // of this one call: a refusal stays the answer to it
  TableId table;
  PlayerId player;
  std::string variant;
  Coins base = 0;
  Currency currency = Currency::kCoin;
};

// A room of a game: a base stake, and what it takes to sit down for it.
struct Room {
  Coins base = 0;
  Coins minimum = 0;
  Coins rake = 0;            // from each player, each round
  Coins escape_penalty = 0;  // COM-10
  bool operator==(const Room&) const = default;
};

// Coins for a bot of the house (bot_seats.h). Of practice coins alone: it names no currency. Idempotent
// by `request`.
struct BotGrant {
  RequestId request;
  PlayerId bot;
  Coins coins = 0;
};

// A round about to be dealt. Idempotent by `round`.
struct Beginning {
  RoundId round;
  TableId table;
  std::string variant;
  std::string rulebook_version;
  Coins base = 0;
  Currency currency = Currency::kCoin;
  PerSeat<PlayerId> players;
};

// A void round, to be closed. Idempotent by `round`.
struct Voiding {
  RoundId round;
  VoidReason reason = VoidReason::kOperator;
  std::optional<Seat> escaped;  // who pays the room's penalty; nobody: nobody pays
};

class Wallet {
 public:
  virtual ~Wallet() = default;
  // The rooms of a game as they stand now, by base. UNKNOWN_VARIANT.
  virtual void ListRooms(const std::string& variant, Currency currency,
                         std::function<void(absl::StatusOr<std::vector<Room>>)> done) = 0;
  // Holds a seat, anew if it is held already, and tells the player's balance. Refused with
  // BELOW_MINIMUM, PLAYER_BUSY, ACCOUNT_FROZEN… and what a player is to be told.
  virtual void Reserve(const SeatHold& seat, std::function<void(absl::StatusOr<Coins>)> done) = 0;
  // Holds it no more; no harm if it is not held.
  virtual void Release(const SeatHold& seat, std::function<void(absl::Status)> done) = 0;
  // Opens the bot's account where it has none, and gives it the coins once.
  virtual void GrantBot(const BotGrant& grant, std::function<void(absl::Status)> done) = 0;
  // From when this is OK nobody's coins leave the table until the round is settled.
  virtual void BeginRound(const Beginning& beginning, std::function<void(absl::Status)> done) = 0;
  virtual void SettleRound(const Settlement& settlement,
                           std::function<void(absl::StatusOr<RoundPosted>)> done) = 0;
  // A penalty where somebody escaped.
  virtual void VoidRound(
      const Voiding& voiding,
      std::function<void(absl::StatusOr<std::optional<PenaltyPosted>>)> done) = 0;
};

}  // namespace mj::table
