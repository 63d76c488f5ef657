// A table drawn for the player who sits at it. Pure: what is there, in lines.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "tools/mahjongctl/seat_table.h"

namespace mj::mahjongctl {

enum class Tone : std::uint8_t { kPlain, kBold, kDim, kRed, kGreen, kYellow, kBlue, kAlert };

struct Span {
  std::string text;
  Tone tone = Tone::kPlain;
};
using Line = std::vector<Span>;

// Where it is drawn.
struct ScreenStyle {
  bool ascii = false;  // nothing but ASCII, and English alone
  int columns = 80;
  int rows = 24;
};

// What is shown besides the table.
struct ScreenNotes {
  bool waits = false;                         // what the hand waits for, in place of what happened
  bool leaving = false;                       // asks whether to leave
  bool reconnecting = false;                  // the stream broke
  std::optional<std::chrono::seconds> clock;  // what is left of the time to answer
  std::optional<narration::Sentence> notice;  // the answer to a key
};

// Exactly `rows` lines of at most `columns` columns each. Everything is to be seen from 80 x 24 on; of a
// smaller one the lower left remains.
[[nodiscard]] std::vector<Line> Draw(const SeatTable& table, const ScreenNotes& notes,
                                     const ScreenStyle& style);

// A line as a terminal takes it, with escape sequences for its tones if `colour`; no blanks at its end.
[[nodiscard]] std::string TextOf(const Line& line, bool colour);

// A sentence as the style has it: in both languages, or in English alone without a character that is
// not ASCII.
[[nodiscard]] std::string TextOf(const narration::Sentence& sentence, const ScreenStyle& style);

// A tile in 3 columns ("5万", "东 "), in 2 as ASCII ("5m", "Ea").
[[nodiscard]] std::string TileText(tiles::Tile tile, const ScreenStyle& style);

}  // namespace mj::mahjongctl
