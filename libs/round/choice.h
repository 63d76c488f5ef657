// What a seat may choose, and what it chose.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libs/round/tile_set.h"
#include "libs/rules/inline_vector.h"
#include "libs/rules/seat.h"
#include "libs/tiles/tile.h"

namespace mj::round {

using rules::InlineVector;
using rules::PerSeat;
using rules::Seat;
using tiles::Tile;
using tiles::TileCounts;

enum class ChoiceKind : std::uint8_t {
  kWin,
  kPass,
  kPung,
  kChow,           // `tile` and `other`: the two tiles of the hand, lower first
  kDiscardKong,    // `tile`: the tile claimed
  kAddedKong,      // `tile`: of the pung
  kConcealedKong,  // `tile`
  kDiscard,        // `tile`
  kRoll,           // the dealer rolls the dice, where the game asks it to (COM-02)
};

// A plain value; made by the functions below, which leave unused tiles at 1m, so that == means
// the same choice.
struct Choice {
  ChoiceKind kind = ChoiceKind::kPass;
  Tile tile{};
  Tile other{};

  static constexpr Choice Win() { return {ChoiceKind::kWin, {}, {}}; }
  static constexpr Choice Pass() { return {ChoiceKind::kPass, {}, {}}; }
  static constexpr Choice Pung() { return {ChoiceKind::kPung, {}, {}}; }
  static constexpr Choice Chow(Tile a, Tile b) {
    return {ChoiceKind::kChow, a < b ? a : b, a < b ? b : a};
  }
  static constexpr Choice DiscardKong(Tile tile) { return {ChoiceKind::kDiscardKong, tile, {}}; }
  static constexpr Choice AddedKong(Tile tile) { return {ChoiceKind::kAddedKong, tile, {}}; }
  static constexpr Choice ConcealedKong(Tile tile) {
    return {ChoiceKind::kConcealedKong, tile, {}};
  }
  static constexpr Choice Discard(Tile tile) { return {ChoiceKind::kDiscard, tile, {}}; }
  static constexpr Choice Roll() { return {ChoiceKind::kRoll, {}, {}}; }

  constexpr bool operator==(const Choice&) const = default;
};

// Everything that one seat may do at one decision.
struct Offer {
  struct Chow {
    Tile low, high;  // the two tiles of the hand
    constexpr bool operator==(const Chow&) const = default;
  };

  // The tile that the decision is about: just drawn, thrown, or added to a pung. None on a turn
  // after a chow or pung, and for the dice.
  std::optional<Tile> tile;
  bool roll = false;
  bool win = false;
  bool pass = false;
  bool pung = false;
  bool discard_kong = false;
  InlineVector<Chow, 3> chows;
  TileSet added_kongs;
  TileSet concealed_kongs;
  TileSet discards;

  // Makes `choice` one of those that are offered; how an offer is read back from a list of
  // choices. False, and nothing changed, for a fourth chow.
  bool Add(const Choice& choice);
  bool Allows(const Choice& choice) const;
  bool operator==(const Offer&) const = default;
};

// Every choice of an offer, each discard one of them, in a fixed order: roll, win, kongs
// (discard, added, concealed), pung, chows, discards, pass. Allocates; `visit` below does not.
std::vector<Choice> ChoicesOf(const Offer& offer);
template <typename Visit>
void ForEachChoice(const Offer& offer, Visit&& visit);

// What the system chooses for a seat that does not (COM-09):
//   auto_play   the system plays for the seat: it wins whenever it may, passes every other claim.
//               Otherwise the seat was only late: a claim is passed, a win among them too.
// On a turn both win when they may (D-ROUND-1 in the README), else throw the tile just drawn, or
// after a call the highest in canonical order. Dice are rolled. REQUIRES: `offer` offers something.
Choice SystemChoice(const Offer& offer, bool auto_play);

// ------------------------------------------------------------------------------------- text
//
//   win  pass  pung  roll  chow 45m  kong discard 5m  kong added 5m  kong concealed 5m  discard 5m

std::string ToText(const Choice& choice);
// Nothing for anything else: other words, more or fewer blanks, a chow of two tiles that no third
// makes a sequence. A chow may name its tiles in either order.
std::optional<Choice> ParseChoice(std::string_view text);

// An offer as texts, all discards in one: "kong discard 7z", "pass", "pung"; "win", "discard
// 45m4s".
std::vector<std::string> ToTexts(const Offer& offer);

// ------------------------------------------------------------------------------ implementation

template <typename Visit>
void ForEachChoice(const Offer& offer, Visit&& visit) {
  if (offer.roll) visit(Choice::Roll());
  if (offer.win) visit(Choice::Win());
  if (offer.discard_kong && offer.tile) visit(Choice::DiscardKong(*offer.tile));
  for (Tile tile : offer.added_kongs) visit(Choice::AddedKong(tile));
  for (Tile tile : offer.concealed_kongs) visit(Choice::ConcealedKong(tile));
  if (offer.pung) visit(Choice::Pung());
  for (const Offer::Chow& chow : offer.chows) visit(Choice::Chow(chow.low, chow.high));
  for (Tile tile : offer.discards) visit(Choice::Discard(tile));
  if (offer.pass) visit(Choice::Pass());
}

}  // namespace mj::round
