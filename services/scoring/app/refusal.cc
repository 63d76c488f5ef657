#include "services/scoring/app/refusal.h"

#include <map>
#include <string>
#include <string_view>

#include "libs/base/reasons.h"
#include "libs/base/strings.h"
#include "libs/tiles/mpsz.h"

namespace mj::scoring {
namespace {

using base::Cat;
using base::Reason;
using rules::RoundFault;
using rules::RoundPart;

struct Row {
  Reason reason;
  std::string_view field;  // within the win or kong, or of the whole; empty: itself
  std::string_view words;
};

// Without a default: a new fault does not compile without its row.
Row RowOf(RoundFault fault, RoundPart part) {
  const bool of_kong = part == RoundPart::kKong;
  switch (fault) {
    case RoundFault::kWrongTileCount:
      return {Reason::kWrongTileCount, "concealed", "want 13 - 3 x melds tiles"};
    case RoundFault::kTileOutsideSet:
      return {Reason::kTileOutsideSet, of_kong ? "tile" : "",
              "a tile that this game does not have"};
    case RoundFault::kTooManyAlike:
      return {Reason::kTooManyCopies, "", "more alike than the wall holds"};
    case RoundFault::kBadMeld:
      return of_kong ? Row{Reason::kBadKong, "kind", "a kong that cannot be"}
                     : Row{Reason::kBadMeld, "melds", "a meld that this game does not know"};
    case RoundFault::kMeldFromSelf:
      return {Reason::kBadMeldSource, "melds", "called from oneself"};
    case RoundFault::kMeldGiverMissing:
      return {Reason::kBadMeldSource, "melds", "called, but from is absent"};
    case RoundFault::kMeldGiverNotPrevious:
      return {Reason::kBadMeldSource, "melds", "a chow from another than the previous seat"};
    case RoundFault::kMeldGiverUnexpected:
      return {Reason::kBadMeldSource, "melds", "a concealed kong is from nobody"};
    case RoundFault::kWinFromSelf:
      return {Reason::kBadWinSource, "from", "the winner's own tile"};
    case RoundFault::kWinFromMissing:
      return {Reason::kBadWinSource, "from", "absent; want whose tile it was"};
    case RoundFault::kWinFromUnexpected:
      return {Reason::kBadWinSource, "from", "a self-draw is from nobody"};
    case RoundFault::kRobbedCannotBe:
      return {Reason::kBadKong, "tile", "a kong of wild tiles cannot be, nor be robbed"};
    case RoundFault::kWinnersDisagree:
      return {Reason::kBadWinners, "", "several wins must be on one tile of one seat in one way"};
    case RoundFault::kWinnerTwice:
      return {Reason::kBadWinners, "seat", "wins twice"};
    case RoundFault::kNoWinner:
      return {Reason::kBadWinners, "wins", "empty, though the round ended by a win"};
    case RoundFault::kUnexpectedWinner:
      return {Reason::kBadWinners, "wins", "not empty, though the wall was exhausted"};
    case RoundFault::kFlagContradicts:
      return {Reason::kContradictoryFlags, "flags", "contradict the win"};
    case RoundFault::kFeederContradicts:
      return {Reason::kBadKongFeeder, "kong_feeder",
              "not who discarded the tile of the kong that was replaced"};
    case RoundFault::kKilledContradicts:
      return {Reason::kBadKill, of_kong ? "paid_by" : "killer_paid_by",
              "not who was killed by the pung that left a single tile"};
    case RoundFault::kKongContradictsMeld:
      return {Reason::kBadKong, of_kong ? "" : "melds",
              "the kongs and the winner's melds contradict each other"};
    case RoundFault::kKongGiver:
      return {Reason::kBadKong, "from",
              "a discard kong is from another seat, other kongs are from nobody"};
    case RoundFault::kKongTwice:
      return {Reason::kBadKong, "tile", "the same kind konged twice"};
    case RoundFault::kFifthKong:
      return {Reason::kBadKong, "seat", "a fifth kong of one seat"};
    case RoundFault::kWindsContradict:
      return {Reason::kBadWind, "seat_winds", "contradict the game, or are not dealt in turn"};
    case RoundFault::kWildContradicts:
      return {Reason::kBadWild, "wild", "not the wild kind that the options give"};
    case RoundFault::kHorsesContradict:
      return {Reason::kBadHorses, "horses", "more than are turned, or none are turned here"};
  }
  return {Reason::kInternal, "", ""};
}

absl::Status Refused(const rules::RoundRefusal& refusal, std::string_view prefix) {
  const Row row = RowOf(refusal.fault, refusal.part);
  const bool dot = !prefix.empty() && !row.field.empty();
  const std::string field = Cat(prefix, dot ? "." : "", row.field);
  std::string message = Cat(field, field.empty() ? "" : ": ", row.words);
  std::map<std::string, std::string> metadata;
  if (refusal.tile) {
    const std::string tile = tiles::ToText(*refusal.tile);
    message += Cat(" (", tile, ")");
    metadata["tile"] = tile;
  }
  return base::Error(row.reason, message, {.field = field, .metadata = std::move(metadata)});
}

}  // namespace

absl::Status RefusedRound(const rules::RoundRefusal& refusal) {
  const std::string index = std::to_string(refusal.index);
  switch (refusal.part) {
    case RoundPart::kWin:
      return Refused(refusal, Cat("wins[", index, "]"));
    case RoundPart::kKong:
      return Refused(refusal, Cat("kongs[", index, "]"));
    case RoundPart::kWhole:
      // What every visible tile together breaks has no field of its own.
      return Refused(refusal, refusal.fault == RoundFault::kTooManyAlike ? "wins" : "");
    case RoundPart::kHorses:
      return Refused(refusal, refusal.fault == RoundFault::kHorsesContradict ? "" : "horses");
    case RoundPart::kDeal:
      break;
  }
  return Refused(refusal, "");
}

absl::Status RefusedHand(const rules::RoundRefusal& refusal) {
  const bool tiles =
      refusal.fault == RoundFault::kTooManyAlike || refusal.fault == RoundFault::kTileOutsideSet;
  return Refused(refusal, tiles ? "concealed" : "");
}

}  // namespace mj::scoring
