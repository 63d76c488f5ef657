#include "tools/mahjongctl/hand_report.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "libs/console/text.h"
#include "libs/receipt/arithmetic.h"
#include "libs/receipt/names.h"
#include "libs/tiles/mpsz.h"

namespace mj::mahjongctl {
namespace {

using casefile::Case;
using console::PadLeft;
using console::PadRight;
using receipt::Words;

constexpr int kColumns = 98;
constexpr int kLabel = 12;

void Print(std::string_view text, int indent, int further, std::ostream& out) {
  for (const std::string& line : console::Wrap(text, kColumns - indent, further)) {
    out << std::string(static_cast<std::size_t>(indent), ' ') << line << '\n';
  }
}

std::ostream& Label(std::string_view label, std::ostream& out) {
  return out << PadRight(label, kLabel);
}

std::string Seat(rules::Seat seat) { return std::to_string(rules::IndexOf(seat)); }

std::string SetText(const rules::Set& set) {
  const rules::Meld meld{set.kind == rules::Set::Kind::kSequence ? rules::MeldKind::kChow
                         : set.kong                              ? rules::MeldKind::kConcealedKong
                                                                 : rules::MeldKind::kPung,
                         set.tile};
  const std::string text = tiles::ToText(meld);
  return set.melded ? "[" + text + "]" : text;
}

std::string PairText(tiles::Tile tile) {
  const std::string one = tiles::ToText(tile);
  return one.substr(0, 1) + one;
}

// "111m 222m [333p] 456s 55z"; melds in brackets.
std::string ReadingText(const rules::Reading& reading) {
  std::string text;
  switch (reading.shape) {
    case rules::Shape::kThirteenOrphans:
      return "十三幺 thirteen orphans, " + PairText(reading.pair);
    case rules::Shape::kSevenPairs:
      for (const tiles::Tile tile : tiles::kAllKinds) {
        for (int i = 0; i < reading.tiles[tile] / 2; ++i) {
          text += (text.empty() ? "" : " ") + PairText(tile);
        }
      }
      return text;
    case rules::Shape::kStandard:
      for (const rules::Set& set : reading.sets) text += SetText(set) + " ";
      return text + PairText(reading.pair);
  }
  return text;
}

std::string ValueText(const rules::Pattern& pattern, int times) {
  const bool adds = pattern.role == rules::PatternRole::kFan;
  return (adds ? "+" : "×") + std::to_string(pattern.value * times);
}

void PrintHand(const Case& one, std::ostream& out) {
  const rules::VariantInfo& game = one.variant->info();
  const rules::Deal& deal = one.round.deal;
  const rules::Win& win = one.round.wins[0];
  out << game.name_zh << "  " << game.name_en << "\n";
  Label("规则 rules", out) << rules::RulebookVersion(*one.variant);
  for (const auto& [name, value] : rules::ToTexts(one.variant->options(), one.options, true)) {
    out << ", " << name << ' ' << value;
  }
  out << "\n\n";
  Label("手牌 hand", out) << PadRight(tiles::ToText(win.hand.concealed), 16) << "  "
                          << tiles::ToChinese(win.hand.concealed) << '\n';
  for (const rules::CalledMeld& called : win.hand.melds) {
    Label("副露 meld", out) << PadRight(tiles::ToText(called.meld), 16) << "  "
                            << tiles::ToChinese(called.meld);
    if (called.meld.is_kong())
      out << "  " << receipt::WordsForMeld(*one.variant, called.meld.kind).zh;
    if (called.from)
      out << "  来自座位" << Seat(*called.from) << " from seat " << Seat(*called.from);
    out << '\n';
  }
  const Words way = receipt::WordsFor(one.variant->info(), win.way);
  Label("胡牌 tile", out) << PadRight(tiles::ToText(win.tile), 16) << "  "
                          << tiles::ChineseName(win.tile) << "  " << way.zh << ' ' << way.en;
  if (win.from) out << ", seat " << Seat(*win.from);
  out << '\n';
  if (deal.wild) {
    Label("鬼牌 wild", out) << PadRight(tiles::ToText(*deal.wild), 16) << "  "
                            << tiles::ChineseName(*deal.wild) << '\n';
  }
  Label("座位 seat", out) << Seat(win.seat)
                          << (win.seat == deal.dealer ? " 庄 dealer" : " 闲 non-dealer");
  if (deal.seat_winds) out << ' ' << tiles::ChineseName((*deal.seat_winds)[win.seat]);
  if (deal.round_wind) out << ", 圈风 round wind " << tiles::ChineseName(*deal.round_wind);
  out << ", " << one.variant->info().base_zh << " base " << one.base << '\n';
}

void PrintVerdict(const Case& one, const rules::Worth& worth, std::ostream& out) {
  out << '\n';
  if (worth.no_win) {
    const Words why = receipt::WordsFor(*worth.no_win);
    Label("不能胡 no win", out) << "  " << why.zh << "  " << why.en << " ("
                                << receipt::WordFor(*worth.no_win) << ")\n";
    return;
  }
  std::string zh, en;
  for (const Words& title :
       receipt::TitlesOf(*one.variant, one.round.wins[0], one.round.deal.dealer, worth)) {
    zh += (zh.empty() ? "" : " · ") + std::string(title.zh);
    en += (en.empty() ? "" : "; ") + std::string(title.en);
  }
  Label("胡 win", out) << zh << "  " << en << '\n';
}

// Tile by tile: each alone hits or does not (COM-16).
void PrintHorses(const Case& one, const rules::Judgement& judgement, std::ostream& out) {
  if (one.round.horses.empty()) return;
  const rules::WinQuestion question{.win = &one.round.wins[0], .deal = &one.round.deal};
  rules::FinishedRound alone = one.round;
  Label("买马 horses", out);
  for (const tiles::Tile horse : one.round.horses) {
    alone.horses = {horse};
    const rules::Worth worth =
        one.variant->Appraise(question, judgement.reading, alone, one.options);
    out << tiles::ToText(horse) << ' ' << tiles::ChineseName(horse)
        << (worth.horses_hit > 0 ? " 中 hit  " : " 不中 miss  ");
  }
  out << '\n';
}

void PrintReadings(const Case& one, std::span<const receipt::ReadHand> readings,
                   std::ostream& out) {
  if (readings.empty()) return;
  out << "\n牌型 readings\n";
  int widest = 0;
  for (const receipt::ReadHand& hand : readings) {
    widest = std::max(widest, console::WidthOf(ReadingText(hand.reading)));
  }
  const rules::WinQuestion question{.win = &one.round.wins[0], .deal = &one.round.deal};
  for (const receipt::ReadHand& hand : readings) {
    const bool counted = hand.verdict == receipt::Verdict::kCounted;
    const receipt::Explanation why = receipt::Explain(hand, readings.front());
    std::string text = (counted ? "* " : "  ") + PadRight(ReadingText(hand.reading), widest);
    if (!hand.worth.no_win) text += PadLeft(console::Grouped(hand.coins.value()), 10);
    Print(text + "  " + why.zh, 2, widest + 4, out);
    std::string patterns;
    for (const rules::RuleId id : hand.worth.patterns) {
      const rules::Pattern* pattern = receipt::FindPattern(*one.variant, id);
      if (pattern == nullptr) continue;
      const int times = receipt::TimesOf(*pattern, question, hand.reading);
      patterns += std::string(id) + " " + std::string(pattern->name_zh) + " " +
                  ValueText(*pattern, times) + "  ";
    }
    Print(patterns + "(" + why.en + ")", 6, 0, out);
  }
}

void PrintPatterns(const Case& one, const rules::Judgement& judgement, std::ostream& out) {
  if (judgement.worth.patterns.empty()) return;
  out << "\n番型 patterns\n";
  const rules::WinQuestion question{.win = &one.round.wins[0], .deal = &one.round.deal};
  for (const rules::RuleId id : judgement.worth.patterns) {
    const rules::Pattern* pattern = receipt::FindPattern(*one.variant, id);
    if (pattern == nullptr) continue;
    const int times = receipt::TimesOf(*pattern, question, judgement.reading);
    out << "  " << PadRight(id, 6) << "  " << PadRight(pattern->name_zh, 12)
        << PadLeft(ValueText(*pattern, times), 5) << (pattern->big ? "  大牌  " : "        ")
        << pattern->name_en << "  [" << pattern->source << "]\n";
  }
}

void PrintReceipt(const Case& one, const receipt::PricedRound& priced, std::ostream& out) {
  out << "\n结算 receipt\n";
  for (const receipt::Line& line : priced.lines) {
    Print(line.arithmetic(), 2, 4, out);
    Print(line.text_zh(), 4, 2, out);
    Print(line.text_en(), 4, 2, out);
  }
  out << "\n输赢 net\n";
  const rules::Win& win = one.round.wins[0];
  for (const rules::Seat seat : rules::kSeats) {
    out << "  座位" << Seat(seat) << " seat " << Seat(seat)
        << PadLeft(console::Signed(priced.net[seat].value()), 12)
        << (seat == win.seat ? "  胡 winner" : "") << '\n';
  }
}

}  // namespace

void ReportHand(const Case& one, const receipt::PricedRound& priced,
                std::span<const receipt::ReadHand> readings, std::ostream& out) {
  const rules::Judgement& judgement = priced.score.wins[0];
  PrintHand(one, out);
  PrintVerdict(one, judgement.worth, out);
  if (judgement.legal()) PrintHorses(one, judgement, out);
  PrintReadings(one, readings, out);
  if (!judgement.legal()) return;
  PrintPatterns(one, judgement, out);
  PrintReceipt(one, priced, out);
}

}  // namespace mj::mahjongctl
