// Whether what came from outside can be a hand, or a finished round, of this game at all.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "libs/rules/variant.h"

namespace mj::rules {

// What is wrong, in the order in which it is looked for.
enum class RoundFault : std::uint8_t {
  kWindsContradict,       // winds missing, in a game without them, or not E S W N counter-clockwise
  kWildContradicts,       // a wild kind that the options do not give
  kWrongTileCount,        // not 13 − 3 × melds concealed tiles
  kTileOutsideSet,        // a tile that this game (with these options) does not have
  kTooManyAlike,          // more copies than the wall holds, in a hand or over all that is visible
  kBadMeld,               // a meld that this game does not know, or no such sequence
  kMeldFromSelf,          // a called meld whose giver is its owner
  kMeldGiverMissing,      // a called meld without a giver
  kMeldGiverNotPrevious,  // a chow from another than the previous seat
  kMeldGiverUnexpected,   // a concealed kong with a giver
  kWinFromSelf,           // a discard or robbed kong of one's own
  kWinFromMissing,        // a discard or robbed kong without its owner
  kWinFromUnexpected,     // a self-draw from somebody
  kRobbedCannotBe,        // a robbed kong of wild tiles, which never make one (JY-50)
  kWinnersDisagree,       // several winners not on one tile of one owner in one way
  kWinnerTwice,           // a seat that wins twice
  kNoWinner,              // ended by a win, without any
  kUnexpectedWinner,      // an exhausted wall with a winner
  kFlagContradicts,    // last tile or replacement on another's tile; heavenly or earthly where the
                       // game never has it so; heavenly by a non-dealer or
                       // not self-drawn; earthly by the dealer; both at once; a replacement
                       // without any kong of the winner, or with another's kong after it
  kFeederContradicts,  // not who discarded the tile of the kong that was replaced, the round's last
                       // (GD-63, SG-42); none where it was a discard kong
  kKilledContradicts,  // of a winner: not who gave the pung that was the fourth meld of a self-drawn
                       // hand, in a game with kills (SG-43); none where there was one. Of a kong:
                       // not an added one, or not who pays its owner's win or earlier kongs; none
                       // after a kong that was paid alone
  kKongContradictsMeld,  // a kong of a winner that is not among its melds, or the other way round
  kKongGiver,            // a discard kong without, or another kong with, a discarder; or oneself
  kKongTwice,            // the same kind konged twice
  kFifthKong,            // more kongs of one seat than a hand has room for
  kHorsesContradict,     // more horses than the options turn, or where none are turned
};

// Where it is wrong.
enum class RoundPart : std::uint8_t {
  kWhole,   // the round as such, or all its visible tiles together
  kDeal,    // winds or the wild kind
  kWin,     // the win `index`
  kKong,    // the kong `index`
  kHorses,  // the turned tiles
};

struct RoundRefusal {
  RoundFault fault = RoundFault::kWrongTileCount;
  std::optional<Tile> tile;            // the offending tile, where there is one
  int index = -1;                      // which win or kong, where it is one
  RoundPart part = RoundPart::kWhole;  // CheckWin and CheckHand: kDeal, or kWhole for the hand

  bool operator==(const RoundRefusal&) const = default;
};

// The first fault of a finished round, or nothing.
std::optional<RoundRefusal> CheckRound(const Variant& variant, const Options& options,
                                       const FinishedRound& round);

// The first fault of one claim on its own. Who pays may be left out: it is judged with the round.
std::optional<RoundRefusal> CheckWin(const Variant& variant, const Options& options,
                                     const Deal& deal, const Win& win);

// The first fault of a waiting hand: its tiles, melds, and the wild kind.
std::optional<RoundRefusal> CheckHand(const Variant& variant, const Options& options,
                                      const Deal& deal, Seat seat, const Hand& hand);

}  // namespace mj::rules
