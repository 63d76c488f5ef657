#include "libs/tiles/mpsz.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace mj::tiles {
namespace {

constexpr std::string_view kLetters = "mpsz";

char LetterOf(Tile tile) { return kLetters[static_cast<std::size_t>(tile.suit())]; }
char DigitOf(Tile tile) { return static_cast<char>('0' + tile.rank()); }

constexpr std::array<std::string_view, 9> kNumerals = {"一", "二", "三", "四", "五",
                                                       "六", "七", "八", "九"};
constexpr std::array<std::string_view, 3> kSuitNames = {"万", "筒", "条"};
constexpr std::array<std::string_view, kKindCount> kNames = {
    "一万", "二万", "三万", "四万", "五万", "六万", "七万", "八万", "九万", "一筒", "二筒", "三筒",
    "四筒", "五筒", "六筒", "七筒", "八筒", "九筒", "一条", "二条", "三条", "四条", "五条", "六条",
    "七条", "八条", "九条", "东",   "南",   "西",   "北",   "白",   "发",   "中"};

constexpr int kMostCounted = 255;  // what one count can hold

// Calls `visit(Tile)` for each tile as it is read; false when the text is no tiles, and the visits
// are then worth nothing.
template <typename Visit>
bool VisitTiles(std::string_view text, Visit&& visit) {
  std::size_t pending = 0;  // first digit that has no suit yet
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c >= '1' && c <= '9') continue;
    const std::size_t suit = kLetters.find(c);
    if (suit == std::string_view::npos || pending == i) return false;
    for (; pending < i; ++pending) {
      const int rank = text[pending] - '0';
      if (suit == 3 && rank > 7) return false;
      visit(Tile::Of(static_cast<Suit>(suit), rank));
    }
    pending = i + 1;
  }
  return pending == text.size();
}

}  // namespace

std::optional<std::vector<Tile>> ParseTiles(std::string_view text) {
  std::vector<Tile> tiles;
  tiles.reserve(text.size());
  if (!VisitTiles(text, [&](Tile tile) { tiles.push_back(tile); })) return std::nullopt;
  return tiles;
}

std::optional<Tile> ParseTile(std::string_view text) {
  if (text.size() != 2) return std::nullopt;
  std::optional<Tile> only;
  if (!VisitTiles(text, [&](Tile tile) { only = tile; })) return std::nullopt;
  return only;
}

std::optional<TileCounts> ParseCounts(std::string_view text) {
  TileCounts counts;
  int tiles = 0;
  const auto count = [&](Tile tile) {
    if (++tiles <= kMostCounted) counts.Add(tile);
  };
  if (!VisitTiles(text, count) || tiles > kMostCounted) return std::nullopt;
  return counts;
}

std::optional<Meld> ParseMeld(MeldKind kind, std::string_view text) {
  const std::optional<TileCounts> written = ParseCounts(text);
  if (!written) return std::nullopt;
  const auto lowest = std::find_if(kAllKinds.begin(), kAllKinds.end(),
                                   [&](Tile tile) { return written->Has(tile); });
  if (lowest == kAllKinds.end()) return std::nullopt;
  const Meld meld{kind, *lowest};
  if (meld.is_chow() && !lowest->starts_chow()) return std::nullopt;
  TileCounts wanted;
  AddTo(wanted, meld);
  if (*written != wanted) return std::nullopt;
  return meld;
}

std::string ToText(std::span<const Tile> tiles) {
  std::string text;
  text.reserve(tiles.size() + 4);
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    text.push_back(DigitOf(tiles[i]));
    if (i + 1 == tiles.size() || tiles[i + 1].suit() != tiles[i].suit()) {
      text.push_back(LetterOf(tiles[i]));
    }
  }
  return text;
}

std::string ToText(Tile tile) { return {DigitOf(tile), LetterOf(tile)}; }

std::string ToText(const TileCounts& counts) {
  std::vector<Tile> sorted;
  for (Tile tile : kAllKinds)
    sorted.insert(sorted.end(), static_cast<std::size_t>(counts[tile]), tile);
  return ToText(sorted);
}

std::string ToText(const Meld& meld) {
  TileCounts counts;
  AddTo(counts, meld);
  return ToText(counts);
}

std::string_view ChineseName(Tile tile) { return kNames[static_cast<std::size_t>(tile.index())]; }

std::string ToChinese(const TileCounts& counts) {
  std::string text;
  for (int suit = 0; suit < 4; ++suit) {
    std::string group;
    for (Tile tile : kAllKinds) {
      if (static_cast<int>(tile.suit()) != suit) continue;
      for (int i = 0; i < counts[tile]; ++i) {
        group += tile.is_honour() ? ChineseName(tile)
                                  : kNumerals[static_cast<std::size_t>(tile.rank() - 1)];
      }
    }
    if (group.empty()) continue;
    if (suit < 3) group += kSuitNames[static_cast<std::size_t>(suit)];
    if (!text.empty()) text += ' ';
    text += group;
  }
  return text;
}

std::string ToChinese(const Meld& meld) {
  TileCounts counts;
  AddTo(counts, meld);
  return ToChinese(counts);
}

}  // namespace mj::tiles
