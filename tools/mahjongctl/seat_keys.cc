#include "tools/mahjongctl/seat_keys.h"

#include <algorithm>

#include "libs/base/strings.h"
#include "libs/narration/words.h"

namespace mj::mahjongctl {
namespace {

using base::Cat;
using narration::Sentence;
using narration::Words;
using round::Choice;
using round::ChoiceKind;
using tiles::Tile;

constexpr Words kHelp = {"帮助", "help"};
constexpr Words kLeave = {"离开", "leave"};
constexpr Words kAsAbove = {"如上", "as above"};
constexpr Words kNextRound = {"下一局", "next round"};

}  // namespace

ShownTiles TilesOf(const SeatTable& table) {
  ShownTiles shown;
  tiles::TileCounts counts = table.view().hand;
  shown.drawn = table.view().drawn;
  if (shown.drawn && counts.Has(*shown.drawn)) {
    counts.Remove(*shown.drawn);
  } else {
    shown.drawn.reset();
  }
  for (const Tile tile : tiles::kAllKinds) {
    shown.resting.insert(shown.resting.end(), static_cast<std::size_t>(counts[tile]), tile);
  }
  return shown;
}

char ThrowKey(std::size_t index) { return static_cast<char>('a' + index); }

std::vector<KeyedChoice> ChoicesOf(const SeatTable& table) {
  std::vector<KeyedChoice> choices;
  if (!table.asked()) return choices;
  char next = '1';
  round::ForEachChoice(table.asked()->offer, [&](const Choice& choice) {
    if (choice.kind == ChoiceKind::kDiscard || next > '9') return;
    choices.push_back({choice.kind == ChoiceKind::kPass ? '0' : next++, choice});
  });
  return choices;
}

std::optional<KeyMeaning> MeaningOf(const SeatTable& table, char key) {
  if (key == 'w') return WaitsKey{};
  if (key == '?') return HelpKey{};
  if (key == 'q' || key == '\x03') return LeaveKey{};
  const bool enter = key == '\r' || key == '\n' || key == ' ';
  if (table.play_on() && enter) return PlayOnKey{};
  if (!table.asked()) return std::nullopt;
  for (const KeyedChoice& keyed : ChoicesOf(table)) {
    if (keyed.key == key) return ActKey{keyed.choice};
  }
  const ShownTiles shown = TilesOf(table);
  std::vector<Tile> all = shown.resting;
  if (shown.drawn) all.push_back(*shown.drawn);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (ThrowKey(i) != key) continue;
    if (!table.asked()->offer.discards.Has(all[i])) return std::nullopt;
    return ActKey{Choice::Discard(all[i])};
  }
  return std::nullopt;
}

Sentence LegalKeys(const SeatTable& table) {
  Sentence keys;
  if (table.asked() && !table.asked()->offer.discards.empty()) {
    const ShownTiles shown = TilesOf(table);
    const std::size_t count = shown.resting.size() + (shown.drawn ? 1 : 0);
    if (count > 0) {
      keys.Say(Cat("a-", std::string(1, ThrowKey(count - 1)))).Say(narration::kDiscard).Say(",");
    }
  }
  const std::vector<KeyedChoice> choices = ChoicesOf(table);
  for (const KeyedChoice& keyed : choices) keys.Say(std::string(1, keyed.key));
  if (!choices.empty()) keys.Say(kAsAbove).Say(",");
  if (table.play_on()) keys.Say("Enter").Say(kNextRound).Say(",");
  if (table.formed() && table.dealt()) keys.Say("w").Say(kWaits).Say(",");
  keys.Say("?").Say(kHelp).Say(",").Say("q").Say(kLeave);
  return keys;
}

}  // namespace mj::mahjongctl
