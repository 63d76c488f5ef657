#include "libs/casefile/faults.h"

#include <string>
#include <string_view>

#include "libs/tiles/mpsz.h"

namespace mj::casefile {
namespace {

using rules::RoundFault;
using rules::RoundPart;

struct FaultRow {
  std::string_view field;  // within the win or kong, or of the whole; empty: itself
  std::string_view text;
};

// Without a default: a new fault does not compile without its words.
FaultRow RowOf(RoundFault fault, RoundPart part) {
  switch (fault) {
    case RoundFault::kWrongTileCount:
      return {"concealed", "the wrong number of tiles: want 13 - 3 x melds"};
    case RoundFault::kTileOutsideSet:
      return {"", "a tile that this game does not have"};
    case RoundFault::kTooManyAlike:
      return {"", "more alike than the wall holds"};
    case RoundFault::kBadMeld:
      return {"", "a meld that cannot be in this game"};
    case RoundFault::kMeldFromSelf:
      return {"melds", "a meld called from oneself"};
    case RoundFault::kMeldGiverMissing:
      return {"melds", "a called meld without `from`"};
    case RoundFault::kMeldGiverNotPrevious:
      return {"melds", "a chow from another than the previous seat"};
    case RoundFault::kMeldGiverUnexpected:
      return {"melds", "a concealed kong with `from`"};
    case RoundFault::kWinFromSelf:
      return {"from", "a win on one's own tile"};
    case RoundFault::kWinFromMissing:
      return {"from", "missing: whose tile it was"};
    case RoundFault::kWinFromUnexpected:
      return {"from", "a self-draw is from nobody"};
    case RoundFault::kRobbedCannotBe:
      return {"tile", "a kong of wild tiles, which cannot be"};
    case RoundFault::kWinnersDisagree:
      return {"", "several wins must be on one tile of one seat in one way, and no self-draw"};
    case RoundFault::kWinnerTwice:
      return {"seat", "a seat that wins twice"};
    case RoundFault::kNoWinner:
      return {"wins", "empty, though the round ended by a win"};
    case RoundFault::kUnexpectedWinner:
      return {"wins", "not empty, though the wall was exhausted"};
    case RoundFault::kFlagContradicts:
      return {"flags", "a flag that contradicts the win"};
    case RoundFault::kFeederContradicts:
      return {"kong_feeder", "not who discarded the tile of the kong whose replacement won"};
    case RoundFault::kKilledContradicts:
      return {part == RoundPart::kKong ? "paid_by" : "killer_paid_by",
              "not who was killed by the pung that left a single tile"};
    case RoundFault::kKongContradictsMeld:
      return {"", "the kongs and the winner's melds contradict each other"};
    case RoundFault::kKongGiver:
      return {"from", "a discard kong is from another seat, the other kongs are from nobody"};
    case RoundFault::kKongTwice:
      return {"tile", "the same kind konged twice"};
    case RoundFault::kFifthKong:
      return {"seat", "a fifth kong of one seat"};
    case RoundFault::kWindsContradict:
      return {"seat_winds", "winds that contradict the game, or are not dealt in turn"};
    case RoundFault::kWildContradicts:
      return {"wild", "not the wild kind that the options give"};
    case RoundFault::kHorsesContradict:
      return {"horses", "more than are turned, or none are turned here"};
  }
  return {};
}

std::string PathOf(const rules::RoundRefusal& refusal, std::string_view field) {
  std::string path;
  if (refusal.part == RoundPart::kWin || refusal.part == RoundPart::kKong) {
    path = ElementPath(refusal.part == RoundPart::kWin ? "wins" : "kongs",
                       static_cast<std::size_t>(refusal.index));
    if (!field.empty()) path += ".";
  }
  if (refusal.part == RoundPart::kHorses) return "horses";
  return path + std::string(field);
}

}  // namespace

FormatError ToFormatError(const rules::RoundRefusal& refusal, const rules::FinishedRound& round) {
  const FaultRow row = RowOf(refusal.fault, refusal.part);
  FormatError error{PathOf(refusal, row.field), std::string(row.text)};
  if (refusal.fault == RoundFault::kWrongTileCount && refusal.part == RoundPart::kWin) {
    const rules::Hand& hand = round.wins[static_cast<std::size_t>(refusal.index)].hand;
    error.text = "got " + std::to_string(hand.concealed.total()) + " tiles, want " +
                 std::to_string(hand.resting_tiles()) + " beside " +
                 std::to_string(hand.melds.size()) + " melds";
  }
  if (refusal.tile) error.text += " (" + tiles::ToText(*refusal.tile) + ")";
  return error;
}

}  // namespace mj::casefile
