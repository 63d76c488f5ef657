// A table as operators may see it: what is public, what it waits for and what has been asked of it. Of a
// live round no hidden tile, no seed and no nonce: there is no place for one in here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libs/fairness/commitment.h"
#include "libs/rules/hand.h"
#include "services/table/app/presence.h"
#include "services/table/app/state.h"

namespace mj::table {

// What has become of a round so far.
enum class RoundStep : std::uint8_t {
  kNonces,   // nonces are waited for
  kDealing,  // it is drawn, and the wallet is asked to begin it
  kPlaying,
  kUnscored,  // over: scoring is asked
  kUnpaid,    // scored: the wallet is asked
  kVoiding,   // void: the wallet is asked
  kPaid,
  kVoid,
};

struct InspectedRound {
  RoundId round;
  int number = 0;
  std::string rulebook_version;
  Coins base = 0;
  RoundStep step = RoundStep::kNonces;
  int wall_left = 0;  // 0 before play and after it
  fairness::Digest seed_hash{};
  bool voiding = false;  // an operator has asked for it, and it is not void yet
  bool operator==(const InspectedRound&) const = default;
};

struct InspectedSeat {
  PlayerId player;    // empty: nobody
  int concealed = 0;  // tiles, in a round that is played
  std::vector<tiles::Meld> melds;
  std::vector<Tile> discards;        // that nobody called
  std::optional<WallTime> deadline;  // OwedBy
  bool auto_play = false;
  bool leaving = false;
  bool removing = false;
  bool connected = false;  // known only to the process that holds the table
  bool operator==(const InspectedSeat&) const = default;
};

struct Inspection {
  TableInfo info;
  std::optional<InspectedRound> round;  // the latest
  PerSeat<InspectedSeat> seats;
  std::int64_t events = 0;  // of its journal
  bool closing = false;
  std::optional<WallTime> stop_from;
  bool operator==(const Inspection&) const = default;
};

// Pure. `away`: nothing where the table is somebody else's.
[[nodiscard]] Inspection InspectionOf(const TableState& state, const std::optional<Absences>& away);

}  // namespace mj::table
