#include "libs/round/choice.h"

#include "libs/tiles/mpsz.h"

namespace mj::round {
namespace {

// Whether some third tile makes a sequence of these two.
bool CanChow(Tile low, Tile high) {
  const int gap = high.index() - low.index();
  return !low.is_honour() && low.suit() == high.suit() && (gap == 1 || gap == 2);
}

struct Word {
  std::string_view text;
  ChoiceKind kind;
};
// Longer words before their beginnings: there are none that begin another.
constexpr Word kPlainWords[] = {{"win", ChoiceKind::kWin},
                                {"pass", ChoiceKind::kPass},
                                {"pung", ChoiceKind::kPung},
                                {"roll", ChoiceKind::kRoll}};
constexpr Word kTileWords[] = {{"discard ", ChoiceKind::kDiscard},
                               {"kong discard ", ChoiceKind::kDiscardKong},
                               {"kong added ", ChoiceKind::kAddedKong},
                               {"kong concealed ", ChoiceKind::kConcealedKong}};
constexpr std::string_view kChow = "chow ";

}  // namespace

bool Offer::Add(const Choice& choice) {
  switch (choice.kind) {
    case ChoiceKind::kWin:
      win = true;
      return true;
    case ChoiceKind::kPass:
      pass = true;
      return true;
    case ChoiceKind::kPung:
      pung = true;
      return true;
    case ChoiceKind::kRoll:
      roll = true;
      return true;
    case ChoiceKind::kChow:
      if (Allows(choice)) return true;
      return chows.push_back(Chow{choice.tile, choice.other});
    case ChoiceKind::kDiscardKong:
      discard_kong = true;
      tile = choice.tile;
      return true;
    case ChoiceKind::kAddedKong:
      added_kongs.Add(choice.tile);
      return true;
    case ChoiceKind::kConcealedKong:
      concealed_kongs.Add(choice.tile);
      return true;
    case ChoiceKind::kDiscard:
      discards.Add(choice.tile);
      return true;
  }
  return false;
}

bool Offer::Allows(const Choice& choice) const {
  switch (choice.kind) {
    case ChoiceKind::kWin:
      return win;
    case ChoiceKind::kPass:
      return pass;
    case ChoiceKind::kPung:
      return pung;
    case ChoiceKind::kRoll:
      return roll;
    case ChoiceKind::kChow:
      for (const Chow& chow : chows) {
        if (chow == Chow{choice.tile, choice.other}) return true;
      }
      return false;
    case ChoiceKind::kDiscardKong:
      return discard_kong && tile == choice.tile;
    case ChoiceKind::kAddedKong:
      return added_kongs.Has(choice.tile);
    case ChoiceKind::kConcealedKong:
      return concealed_kongs.Has(choice.tile);
    case ChoiceKind::kDiscard:
      return discards.Has(choice.tile);
  }
  return false;
}

std::vector<Choice> ChoicesOf(const Offer& offer) {
  std::vector<Choice> choices;
  choices.reserve(16);
  ForEachChoice(offer, [&](const Choice& choice) { choices.push_back(choice); });
  return choices;
}

Choice SystemChoice(const Offer& offer, bool auto_play) {
  if (offer.roll) return Choice::Roll();
  if (offer.pass) return auto_play && offer.win ? Choice::Win() : Choice::Pass();
  if (offer.win) return Choice::Win();
  if (offer.tile && offer.discards.Has(*offer.tile)) return Choice::Discard(*offer.tile);
  Tile highest;
  for (Tile tile : offer.discards) highest = tile;
  return Choice::Discard(highest);
}

std::string ToText(const Choice& choice) {
  for (const Word& word : kPlainWords) {
    if (word.kind == choice.kind) return std::string(word.text);
  }
  for (const Word& word : kTileWords) {
    if (word.kind == choice.kind) return std::string(word.text) + tiles::ToText(choice.tile);
  }
  const Tile pair[] = {choice.tile, choice.other};
  return std::string(kChow) + tiles::ToText(pair);
}

std::optional<Choice> ParseChoice(std::string_view text) {
  for (const Word& word : kPlainWords) {
    if (text == word.text) return Choice{word.kind, {}, {}};
  }
  for (const Word& word : kTileWords) {
    if (!text.starts_with(word.text)) continue;
    const std::optional<Tile> tile = tiles::ParseTile(text.substr(word.text.size()));
    if (!tile) return std::nullopt;
    return Choice{word.kind, *tile, {}};
  }
  if (!text.starts_with(kChow)) return std::nullopt;
  const std::optional<std::vector<Tile>> pair = tiles::ParseTiles(text.substr(kChow.size()));
  if (!pair || pair->size() != 2) return std::nullopt;
  const Choice chow = Choice::Chow((*pair)[0], (*pair)[1]);
  if (!CanChow(chow.tile, chow.other)) return std::nullopt;
  return chow;
}

std::vector<std::string> ToTexts(const Offer& offer) {
  std::vector<std::string> texts;
  TileCounts discards;
  ForEachChoice(offer, [&](const Choice& choice) {
    if (choice.kind == ChoiceKind::kDiscard) {
      discards.Add(choice.tile);
    } else {
      texts.push_back(ToText(choice));
    }
  });
  if (!discards.empty()) texts.push_back("discard " + tiles::ToText(discards));
  return texts;
}

}  // namespace mj::round
