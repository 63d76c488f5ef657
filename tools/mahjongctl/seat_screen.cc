#include "tools/mahjongctl/seat_screen.h"

#include <algorithm>
#include <array>
#include <utility>

#include "libs/base/strings.h"
#include "libs/console/text.h"
#include "libs/narration/words.h"
#include "libs/receipt/names.h"
#include "tools/mahjongctl/seat_keys.h"

namespace mj::mahjongctl {
namespace {

using base::Cat;
using console::Grouped;
using console::PadRight;
using console::Signed;
using narration::Sentence;
using narration::Words;
using rules::Seat;
using tiles::Tile;

constexpr Words kTilesHeld = {"手牌", "tiles"};
constexpr Words kAuto = {"托管", "auto"};
constexpr Words kNoWaits = {"未听牌", "no wait"};
constexpr Words kSelfDrawn = {"自摸", "self-drawn"};
constexpr Words kOnDiscard = {"别人打出", "on a discard"};
constexpr Words kUnseen = {"张", "unseen"};
constexpr Words kClock = {"计时", "clock"};
constexpr Words kReconnecting = {"连接中断，正在重连", "the connection is lost, trying again"};
constexpr Words kLeaveNow = {"离开牌桌？", "leave the table?"};
constexpr Words kLeaveCosts = {"本局未完，离开算逃跑",
                               "the round is not over: to leave is an escape"};
constexpr Words kWaiting = {"等待其他人", "waiting for the others"};
constexpr Words kToSit = {"正在入座", "taking a seat"};
constexpr std::array<Words, rules::kSeatCount> kPlaces = {
    {{"自己", "you"}, {"下家", "next"}, {"对家", "opposite"}, {"上家", "previous"}}};
// In ASCII.
constexpr std::array<std::string_view, 7> kHonours = {"Ea", "So", "We", "No", "Wh", "Gr", "Re"};

constexpr int kTold = 3;        // lines of what happened, on 24 rows
constexpr int kRiverLines = 2;  // of each seat
constexpr int kIndent = 4;
constexpr int kNarrowest = 20;  // what is narrower is cut off
constexpr int kLower = 6;       // lines from the hand to the end

std::string Ascii(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      plain += c;
    } else if (byte >= 0xC0) {
      plain += '?';
    }
  }
  return plain;
}

Tone ToneOf(Tile tile, const SeatTable& table) {
  if (table.view().deal.wild == tile) return Tone::kAlert;
  switch (tile.suit()) {
    case tiles::Suit::kCharacters:
      return Tone::kRed;
    case tiles::Suit::kDots:
      return Tone::kBlue;
    case tiles::Suit::kBamboo:
      return Tone::kGreen;
    case tiles::Suit::kHonours:
      break;
  }
  return Tone::kYellow;
}

int WidthOf(const Line& line) {
  int width = 0;
  for (const Span& span : line) width += console::WidthOf(span.text);
  return width;
}

// A line of at most so many columns.
Line Clipped(const Line& line, int columns) {
  Line clipped;
  int left = columns;
  for (const Span& span : line) {
    std::string text = console::Clip(span.text, left);
    left -= console::WidthOf(text);
    const bool whole = text.size() == span.text.size();
    if (!text.empty()) clipped.push_back({std::move(text), span.tone});
    if (!whole) break;
  }
  return clipped;
}

class Drawing {
 public:
  Drawing(const SeatTable& table, const ScreenNotes& notes, const ScreenStyle& style)
      : table_(table), notes_(notes), style_(style), width_(std::max(kNarrowest, style.columns)) {}

  std::vector<Line> Lines() {
    if (!table_.formed()) {
      upper_.push_back({{Text(kToSit)}});
    } else {
      Title();
      Rule();
      table_.result() ? Ended() : Playing();
      Hand();
      Choices();
    }
    return Fit();
  }

 private:
  // In one language, where there is room for no more.
  std::string Short(const Words& words) const {
    return std::string(style_.ascii ? words.en : words.zh);
  }
  std::string Text(const Words& words) const { return Text(Sentence().Say(words)); }
  std::string Text(const Sentence& sentence) const { return TextOf(sentence, style_); }

  void Rule() {
    std::string rule;
    for (int i = 0; i < style_.columns; ++i) rule += style_.ascii ? "-" : "─";
    upper_.push_back({{std::move(rule), Tone::kDim}});
  }

  void Title() {
    const rules::VariantInfo& info = table_.game().info();
    std::string facts = style_.ascii ? Cat("  round ", std::to_string(table_.round()))
                                     : Cat("  第", std::to_string(table_.round()), "局");
    const auto add = [&](const Words& words, const std::string& value) {
      facts += Cat("  ", Short(words), " ", value);
    };
    add({info.base_zh, "base"}, Grouped(table_.base()));
    if (table_.dealt()) {
      const rules::Deal& deal = table_.view().deal;
      add(narration::kLeft, std::to_string(int{table_.view().left}));
      if (deal.round_wind) add(narration::kRoundWind, TileText(*deal.round_wind, style_));
      if (deal.wild) add(narration::kWild, TileText(*deal.wild, style_));
    }
    upper_.push_back({{Text({info.name_zh, info.name_en}), Tone::kBold}, {std::move(facts)}});
  }

  // The tiles, a blank between two, in lines of what is wide enough.
  std::vector<Line> TileLines(const std::vector<std::pair<Tile, bool>>& tiles) const {
    std::vector<Line> lines;
    const int cell = style_.ascii ? 3 : 4;
    const auto each = static_cast<std::size_t>(std::max(1, (style_.columns - kIndent) / cell));
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      if (i % each == 0) lines.push_back({{std::string(kIndent, ' ')}});
      const auto& [tile, newest] = tiles[i];
      lines.back().push_back(
          {TileText(tile, style_), newest ? Tone::kAlert : ToneOf(tile, table_)});
      lines.back().push_back({" "});
    }
    return lines;
  }

  void Header(int turn) {
    const Seat seat = rules::After(table_.own(), turn);
    const round::SeatView& view = table_.view();
    const bool acts = view.actor == seat && !table_.result();
    Line line;
    line.push_back({acts ? "> " : "  ", Tone::kBold});
    line.push_back({PadRight(Short(kPlaces[static_cast<std::size_t>(turn)]), style_.ascii ? 9 : 5),
                    acts ? Tone::kBold : Tone::kPlain});
    line.push_back({PadRight(table_.narrator().NameOf(seat), 9)});
    if (table_.dealt()) {
      const bool deals = view.deal.dealer == seat;
      line.push_back({PadRight(deals ? Short({"庄", "D"}) : "", 3), Tone::kYellow});
      if (view.deal.seat_winds) {
        line.push_back({PadRight(TileText((*view.deal.seat_winds)[seat], style_), 3)});
      }
      line.push_back({Cat(Short(kTilesHeld), " ",
                          console::PadLeft(std::to_string(int{view.seats[seat].concealed}), 2))});
    }
    line.push_back({console::PadLeft(Signed(table_.net(seat)), 9)});
    if (table_.auto_play(seat)) line.push_back({Cat(" ", Text(kAuto)), Tone::kAlert});
    if (table_.dealt()) Melds(view.seats[seat].melds, line);
    upper_.push_back(std::move(line));
  }

  void Melds(const rules::Melds& melds, Line& line) const {
    for (const rules::CalledMeld& called : melds) {
      std::string text = "  ";
      if (!style_.ascii) text += receipt::WordsForMeld(table_.game(), called.meld.kind).zh;
      if (called.meld.is_chow()) {
        for (int i = 0; i < 2; ++i) text += std::to_string(called.meld.tile.rank() + i);
        text += TileText(Tile::At(called.meld.tile.index() + 2), style_);
      } else if (called.meld.tile.is_honour()) {
        const std::string one = TileText(called.meld.tile, style_);
        for (int i = 0; i < called.meld.size(); ++i) text += one.substr(0, one.find(' '));
      } else {
        for (int i = 1; i < called.meld.size(); ++i)
          text += std::to_string(called.meld.tile.rank());
        text += TileText(called.meld.tile, style_);
      }
      line.push_back({std::move(text), ToneOf(called.meld.tile, table_)});
    }
  }

  void Playing() {
    for (const int turn : {1, 2, 3, 0}) {
      Header(turn);
      std::vector<std::pair<Tile, bool>> river;
      const round::River& thrown = table_.view().river;
      for (std::size_t i = 0; table_.dealt() && i < thrown.size(); ++i) {
        if (thrown[i].seat != rules::After(table_.own(), turn) || thrown[i].taken_by) continue;
        river.emplace_back(thrown[i].tile, i + 1 == thrown.size());
      }
      std::vector<Line> lines = TileLines(river);
      // The latest ones where there are too many.
      while (lines.size() > kRiverLines) lines.erase(lines.begin());
      lines.resize(kRiverLines);
      for (Line& line : lines) upper_.push_back(std::move(line));
    }
    Rule();
    const int extra = std::max(0, style_.rows - 24);
    Below(notes_.waits ? WaitTexts() : ToldTexts(), kTold + extra);
  }

  void Ended() {
    for (const int turn : {1, 2, 3, 0}) Header(turn);
    Rule();
    std::vector<std::string> texts;
    for (const Sentence& line : table_.result()->lines) texts.push_back(Text(line));
    for (const Sentence& line : table_.result()->hands) texts.push_back(Text(line));
    Below(texts, style_.rows - kLower - static_cast<int>(upper_.size()));
  }

  std::vector<std::string> ToldTexts() const {
    std::vector<std::string> texts;
    for (const Sentence& sentence : table_.told()) texts.push_back(Text(sentence));
    return texts;
  }

  std::vector<std::string> WaitTexts() const {
    std::vector<std::string> texts;
    for (const Waits& waits : table_.WaitsNow()) {
      std::string text;
      if (waits.thrown) {
        text = Cat(Text(narration::kThrows), " ", TileText(*waits.thrown, style_), " ");
      }
      text += Cat(Text(kWaits), ":");
      for (const ShownWait& wait : waits.tiles) {
        text += Cat("  ", TileText(wait.tile, style_), " ", std::to_string(wait.unseen), " ",
                    Text(kUnseen));
        if (wait.self_drawn > 0) {
          text += Cat(" ", Text(kSelfDrawn), " ", Signed(wait.self_drawn));
        }
        if (wait.on_discard > 0) {
          text += Cat(" ", Text(kOnDiscard), " ", Signed(wait.on_discard));
        }
      }
      texts.push_back(std::move(text));
    }
    if (texts.empty()) texts.push_back(Text(kNoWaits));
    return texts;
  }

  // The last of the texts, in exactly so many lines; the first ones of waits and results.
  void Below(const std::vector<std::string>& texts, int count) {
    std::vector<Line> lines;
    for (const std::string& text : texts) {
      for (std::string& part : console::Wrap(text, width_, 2)) {
        lines.push_back({{std::move(part)}});
      }
    }
    const auto most = static_cast<std::size_t>(std::max(0, count));
    const bool latest = !table_.result() && !notes_.waits;
    while (lines.size() > most) lines.erase(latest ? lines.begin() : lines.end() - 1);
    lines.resize(most);
    for (Line& line : lines) upper_.push_back(std::move(line));
  }

  void Hand() {
    Line tiles{{std::string(kIndent, ' ')}};
    Line keys{{std::string(kIndent, ' ')}};
    if (table_.dealt() && !table_.result()) {
      const ShownTiles shown = TilesOf(table_);
      const int cell = style_.ascii ? 3 : 4;
      const auto add = [&](Tile tile, std::size_t at) {
        tiles.push_back({PadRight(TileText(tile, style_), cell), ToneOf(tile, table_)});
        const bool may = table_.asked() && table_.asked()->offer.discards.Has(tile);
        keys.push_back({PadRight(may ? std::string(1, ThrowKey(at)) : "", cell), Tone::kDim});
      };
      for (std::size_t i = 0; i < shown.resting.size(); ++i) add(shown.resting[i], i);
      if (shown.drawn) {
        tiles.push_back({" + "});
        keys.push_back({"   "});
        add(*shown.drawn, shown.resting.size());
      }
    }
    lower_.push_back(std::move(tiles));
    lower_.push_back(std::move(keys));
  }

  // "[1] win 胡 +1,200", and the names of what it counts.
  std::string ChoiceText(const KeyedChoice& keyed) const {
    std::string text =
        Cat("[", std::string(1, keyed.key), "] ", Text(table_.narrator().Tell(keyed.choice)));
    if (keyed.choice.kind != round::ChoiceKind::kWin) return text;
    text += Cat(" ", Signed(table_.asked()->win_coins));
    Sentence names;
    for (const std::string& id : table_.asked()->win_patterns) {
      const auto name = receipt::NameOf(table_.game(), id);
      if (name) names.Say(Words{name->zh, name->en});
    }
    if (!names.both().empty()) text += Cat(" (", Text(names), ")");
    return text;
  }

  void Choices() {
    std::string text;
    for (const KeyedChoice& keyed : ChoicesOf(table_)) {
      text += Cat(text.empty() ? "" : "   ", ChoiceText(keyed));
    }
    if (table_.play_on()) {
      constexpr Words kNext = {"下一局", "next round"};
      text = Cat("[Enter] ", Text(kNext));
    }
    std::vector<std::string> lines = console::Wrap(text, width_, 4);
    lines.resize(2);
    for (std::string& line : lines) lower_.push_back({{std::move(line), Tone::kBold}});

    Line state;
    if (notes_.clock) {
      state.push_back({Cat(Text(kClock), " ", std::to_string(notes_.clock->count()), " s  "),
                       notes_.clock->count() <= 5 ? Tone::kAlert : Tone::kPlain});
    }
    if (notes_.leaving) {
      state.push_back({Cat(Text(kLeaveNow), " y/n"), Tone::kAlert});
      if (table_.dealt() && !table_.result()) {
        state.push_back({Cat("  ", Text(kLeaveCosts)), Tone::kAlert});
      }
    } else if (notes_.reconnecting) {
      state.push_back({Text(kReconnecting), Tone::kAlert});
    } else if (table_.over()) {
      state.push_back({Text(*table_.over()), Tone::kAlert});
    } else if (notes_.notice) {
      state.push_back({Text(*notes_.notice), Tone::kYellow});
    } else if (!table_.asked() && !table_.play_on()) {
      state.push_back({Text(kWaiting), Tone::kDim});
    }
    lower_.push_back(std::move(state));
    lower_.push_back({{Text(LegalKeys(table_)), Tone::kDim}});
  }

  // Where there is not enough room the hand and what may be done stay.
  std::vector<Line> Fit() {
    const auto rows = static_cast<std::size_t>(std::max(1, style_.rows));
    while (lower_.size() > rows) lower_.erase(lower_.begin());
    upper_.resize(rows - lower_.size());
    std::vector<Line> lines = std::move(upper_);
    for (Line& line : lower_) lines.push_back(std::move(line));
    for (Line& line : lines) {
      if (WidthOf(line) > style_.columns) line = Clipped(line, style_.columns);
    }
    return lines;
  }

  const SeatTable& table_;
  const ScreenNotes& notes_;
  const ScreenStyle& style_;
  const int width_;
  std::vector<Line> upper_;
  std::vector<Line> lower_;
};

std::string_view CodeOf(Tone tone) {
  switch (tone) {
    case Tone::kPlain:
      return {};
    case Tone::kBold:
      return "\033[1m";
    case Tone::kDim:
      return "\033[2m";
    case Tone::kRed:
      return "\033[31m";
    case Tone::kGreen:
      return "\033[32m";
    case Tone::kYellow:
      return "\033[33m";
    case Tone::kBlue:
      return "\033[36m";
    case Tone::kAlert:
      return "\033[7m";
  }
  return {};
}

}  // namespace

std::vector<Line> Draw(const SeatTable& table, const ScreenNotes& notes, const ScreenStyle& style) {
  return Drawing(table, notes, style).Lines();
}

std::string TextOf(const Line& line, bool colour) {
  std::string text;
  std::size_t end = 0;  // behind the last that is to be seen
  for (const Span& span : line) {
    const std::string_view code = colour ? CodeOf(span.tone) : std::string_view();
    text += code;
    text += span.text;
    if (!code.empty()) text += "\033[0m";
    if (!code.empty() || span.text.find_first_not_of(' ') != std::string::npos) end = text.size();
  }
  text.resize(end);
  if (!colour) text.resize(text.find_last_not_of(' ') + 1);
  return text;
}

std::string TextOf(const Sentence& sentence, const ScreenStyle& style) {
  return style.ascii ? Ascii(sentence.en()) : sentence.both();
}

std::string TileText(Tile tile, const ScreenStyle& style) {
  if (style.ascii) {
    return tile.is_honour() ? std::string(kHonours[static_cast<std::size_t>(tile.rank() - 1)])
                            : tiles::ToText(tile);
  }
  if (tile.is_honour()) return PadRight(tiles::ChineseName(tile), 3);
  constexpr std::array<std::string_view, 3> kSuits = {"万", "筒", "条"};
  return Cat(std::to_string(tile.rank()), kSuits[static_cast<std::size_t>(tile.suit())]);
}

}  // namespace mj::mahjongctl
