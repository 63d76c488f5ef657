// The mpsz notation of tiles, and the tiles' Chinese names.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libs/tiles/meld.h"
#include "libs/tiles/tile.h"

namespace mj::tiles {

// Tiles in the order written: digits followed by their suit letter, any number of such groups
// ("123m44z", "7z5s7p"). Empty text is no tiles. Nothing for anything else: a digit without a
// suit, a letter without digits, 0, 8z, 9z, white space. Never allocates more than the text's size.
std::optional<std::vector<Tile>> ParseTiles(std::string_view text);

// Exactly one tile ("5m").
std::optional<Tile> ParseTile(std::string_view text);

// The same as counts; nothing, too, for more than 255 tiles.
std::optional<TileCounts> ParseCounts(std::string_view text);

// A meld of the given kind written as its tiles: "456m", "222s", "7777z", in any order. Nothing
// when the tiles are no such meld.
std::optional<Meld> ParseMeld(MeldKind kind, std::string_view text);

// In the order given; neighbours of one suit share their letter.
std::string ToText(std::span<const Tile> tiles);
std::string ToText(Tile tile);
std::string ToText(const Meld& meld);
// Sorted.
std::string ToText(const TileCounts& counts);

// 一万 … 九条, 东 南 西 北 白 发 中.
std::string_view ChineseName(Tile tile);
// As a player would read a hand: "一二三万 东东". Sorted; groups set apart by a space.
std::string ToChinese(const TileCounts& counts);
std::string ToChinese(const Meld& meld);

}  // namespace mj::tiles
