// The nouns of the table service.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "libs/audit/digest.h"
#include "libs/base/clock.h"
#include "libs/base/strong_id.h"
#include "libs/record/events.h"
#include "libs/rules/seat.h"
#include "libs/tiles/tile.h"
#include "services/table/app/settings.h"

namespace mj::table {

using PlayerId = base::StrongId<struct PlayerIdTag>;
using TableId = base::StrongId<struct TableIdTag>;
using RoundId = base::StrongId<struct RoundIdTag>;
using RequestId = base::StrongId<struct RequestIdTag>;
using OwnerId = base::StrongId<struct OwnerIdTag>;  // of a process, while it runs

using base::WallTime;
using record::Currency;
using record::LeaveReason;
using record::VoidReason;
using rules::PerSeat;
using rules::Seat;
using tiles::Tile;

using Coins = std::int64_t;
using OptionTexts = std::map<std::string, std::string>;

// A base stake lies within 1 and this, whatever the game (D-SET-3).
inline constexpr Coins kBaseMax = 10'000;

// What a table is made for, as it was asked. Fixed for its life; base and options that are agreed on at
// the table are in its state.
struct TableSpec {
  std::string variant;
  OptionTexts options;  // every option of the game, defaults included
  Coins base = 0;       // 0: to be found at the table
  Currency currency = Currency::kCoin;
  PerSeat<PlayerId> players;  // who is seated at once; empty: a free seat
  PerSeat<bool> bots;         // of the house, which are seated at once too (bot_seats.h)
  TableSettings settings;
  // SHA-256 of the token by which a player's seat is opened; none: it needs none.
  PerSeat<std::optional<audit::Digest>> token_hashes{};
  std::string media_room{};  // in which the players see each other; empty: they do not

  bool operator==(const TableSpec&) const = default;
};

// What an operator can ask for.
enum class OperationKind : std::uint8_t {
  kVoidRound,
  kCloseTable,
  kRemovePlayer,
  kStopRounds,    // of no table alone
  kResumeRounds,  // likewise
};

enum class TableStage : std::uint8_t {
  kWaiting,   // fewer than four are seated, or not all are ready
  kPlaying,   // a round is played
  kSettling,  // a round is over and is being scored and posted
  kClosed,    // nobody plays here any more
};

struct SeatInfo {
  PlayerId player;  // empty: nobody
  bool ready = false;
  bool auto_play = false;  // the system plays for it, in this round (COM-09)
  bool bot = false;        // of the house
  bool operator==(const SeatInfo&) const = default;
};

// What is public about a table.
struct TableInfo {
  TableId id;
  std::string variant;
  OptionTexts options;           // what differs from the game's defaults
  Coins base = 0;                // 0: not found yet
  std::optional<Seat> proposer;  // whose the base is, where players agree on it or
                                 // the first of them names it (SG-51)
  PerSeat<bool> agreed;          // …and who has
  Currency currency = Currency::kCoin;
  TableStage stage = TableStage::kWaiting;
  PerSeat<SeatInfo> seats;
  SettingValues settings;      // what differs from the defaults
  int round_number = 0;        // rounds begun so far
  RoundId round;               // the round being played or settled; empty between rounds
  std::optional<Seat> dealer;  // of the present round, else of the next; none before it is drawn
  WallTime created_at{};
  std::string media_room;  // in which the players see each other; empty: they do not
  std::string address;     // of the process that holds it; empty: this one
  bool operator==(const TableInfo&) const = default;
};

// Who asks for what is one seat's alone.
struct Asker {
  PlayerId player;
  std::string token;  // that the player was given with the seat
};

// Names a decision of a seat: opaque to clients, never 0, never used twice for one seat of a table.
using DecisionRef = std::uint64_t;

// The number of an event in one seat's own stream, from 1 without gaps.
using StreamSeq = std::uint64_t;

}  // namespace mj::table
