// Which keys do what, for a player at a terminal.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "libs/narration/words.h"
#include "tools/mahjongctl/seat_table.h"

namespace mj::mahjongctl {

inline constexpr narration::Words kWaits = {"听牌", "waits"};

// The own hand as it is shown: sorted, the tile just drawn apart.
struct ShownTiles {
  std::vector<tiles::Tile> resting;
  std::optional<tiles::Tile> drawn;
};
[[nodiscard]] ShownTiles TilesOf(const SeatTable& table);

// The key that throws the `index`-th of the shown tiles, the drawn one last.
[[nodiscard]] char ThrowKey(std::size_t index);

// A choice with its own key: all but throws.
struct KeyedChoice {
  char key = '\0';
  round::Choice choice;
};
// Of what the seat is asked now: '1' to '9', and '0' for pass.
[[nodiscard]] std::vector<KeyedChoice> ChoicesOf(const SeatTable& table);

// What a key asks for.
struct ActKey {
  round::Choice choice;
};
struct PlayOnKey {};
struct WaitsKey {};
struct HelpKey {};
struct LeaveKey {};
using KeyMeaning = std::variant<ActKey, PlayOnKey, WaitsKey, HelpKey, LeaveKey>;

// Nothing for a key that means nothing now.
[[nodiscard]] std::optional<KeyMeaning> MeaningOf(const SeatTable& table, char key);

// What may be pressed now: "a-n throw 打, 1 0 as above 如上, w waits 听牌, ? help 帮助, q leave 离开".
[[nodiscard]] narration::Sentence LegalKeys(const SeatTable& table);

}  // namespace mj::mahjongctl
