#include "tools/mahjongctl/explain_hand.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "libs/casefile/case.h"
#include "libs/console/text.h"
#include "libs/receipt/names.h"
#include "libs/receipt/price.h"
#include "libs/receipt/readings.h"
#include "libs/tiles/mpsz.h"

namespace mj::mahjongctl {
namespace {

using casefile::Case;
using casefile::FormatError;
using console::PadRight;
using Json = nlohmann::json;

constexpr int kColumns = 98;

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// A number where the text is one, else the text: the reader says what it wants.
Json NumberOrText(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  if (text == "true" || text == "false") return text == "true";
  return text;
}

// "pung:222s:1" as the case format's meld.
Json MeldOf(const std::string& text) {
  const std::vector<std::string> parts = Split(text, ':');
  Json meld = {{"kind", parts[0]}, {"tiles", parts.size() > 1 ? parts[1] : ""}};
  if (parts.size() > 2) meld["from"] = NumberOrText(parts[2]);
  return meld;
}

// The winner's own kongs, which the case format lists a second time.
Json KongsOf(const Json& melds, int seat) {
  constexpr std::string_view kSuffix = "_kong";
  Json kongs = Json::array();
  for (const Json& meld : melds) {
    const std::string kind = meld["kind"];
    const std::string tiles = meld["tiles"];
    if (!kind.ends_with(kSuffix) || tiles.size() < 2) continue;
    Json kong = {{"seat", seat},
                 {"kind", kind.substr(0, kind.size() - kSuffix.size())},
                 {"tile", std::string{tiles.front(), tiles.back()}}};
    if (kind.starts_with("discard") && meld.contains("from")) kong["from"] = meld["from"];
    kongs.push_back(std::move(kong));
  }
  return kongs;
}

Json CaseOf(const HandArguments& arguments) {
  Json melds = Json::array();
  for (const std::string& meld : arguments.melds) melds.push_back(MeldOf(meld));
  Json options = Json::object();
  for (const std::string& option : arguments.options) {
    const std::size_t equals = option.find('=');
    options[option.substr(0, equals)] =
        equals == std::string::npos ? Json(true) : NumberOrText(option.substr(equals + 1));
  }
  Json win = {{"seat", arguments.seat}, {"concealed", arguments.hand}, {"melds", melds},
              {"tile", arguments.tile}, {"how", arguments.how},        {"flags", arguments.flags}};
  if (arguments.from >= 0) win["from"] = arguments.from;
  Json document = {{"game", arguments.variant},
                   {"options", std::move(options)},
                   {"base", arguments.base},
                   {"dealer", arguments.dealer},
                   {"end", "win"},
                   {"wins", Json::array({std::move(win)})},
                   {"kongs", KongsOf(melds, arguments.seat)}};
  if (!arguments.wild.empty()) document["wild"] = arguments.wild;
  if (!arguments.round_wind.empty()) document["round_wind"] = arguments.round_wind;
  if (!arguments.horses.empty()) document["horses"] = arguments.horses;
  if (const auto winds = tiles::ParseTiles(arguments.seat_winds); winds && !winds->empty()) {
    for (const tiles::Tile wind : *winds) document["seat_winds"].push_back(tiles::ToText(wind));
  }
  return document;
}

// A path of the case format as the flag that it came from.
std::string FlagOf(std::string_view path) {
  constexpr std::string_view kWin = "wins[0]";
  if (path.starts_with("kongs")) return "--meld";
  if (path.starts_with(kWin)) {
    path.remove_prefix(kWin.size());
    if (path.empty()) return "the hand";
    path.remove_prefix(1);
  }
  const std::string_view name = path.substr(0, path.find_first_of(".["));
  if (name == "game") return "--variant";
  if (name == "concealed") return "--hand";
  if (name == "melds") return "--meld";
  if (name == "flags") return "--flag";
  if (name == "options") return "--option";
  std::string flag = "--" + std::string(name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string_view WayZh(rules::WinWay way) {
  return way == rules::WinWay::kSelfDraw  ? "自摸"
         : way == rules::WinWay::kDiscard ? "点炮胡"
                                          : "抢杠胡";
}
std::string_view WayEn(rules::WinWay way) {
  return way == rules::WinWay::kSelfDraw  ? "self-draw"
         : way == rules::WinWay::kDiscard ? "on a discard"
                                          : "robbing a kong";
}

std::string SetText(const rules::Set& set) {
  rules::Meld meld{set.kind == rules::Set::Kind::kSequence ? rules::MeldKind::kChow
                   : set.kong                              ? rules::MeldKind::kConcealedKong
                                                           : rules::MeldKind::kPung,
                   set.tile};
  const std::string text = tiles::ToText(meld);
  return set.melded ? "[" + text + "]" : text;
}

std::string ReadingText(const rules::Reading& reading) {
  if (reading.shape == rules::Shape::kThirteenOrphans) {
    return "thirteen orphans, twice " + tiles::ToText(reading.pair);
  }
  std::string text;
  if (reading.shape == rules::Shape::kSevenPairs) {
    for (const tiles::Tile tile : tiles::kAllKinds) {
      for (int i = 0; i < reading.tiles[tile] / 2; ++i) {
        const std::string one = tiles::ToText(tile);
        text += (text.empty() ? "" : " ") + one.substr(0, 1) + one;
      }
    }
    return text;
  }
  for (const rules::Set& set : reading.sets) text += SetText(set) + " ";
  const std::string pair = tiles::ToText(reading.pair);
  return text + pair.substr(0, 1) + pair;
}

std::string VerdictText(const receipt::ReadHand& hand) {
  switch (hand.verdict) {
    case receipt::Verdict::kCounted:
      return "counts";
    case receipt::Verdict::kNotAllowed:
      return std::string(receipt::WordFor(*hand.worth.no_win));
    case receipt::Verdict::kPaysLess:
      return "pays less";
    case receipt::Verdict::kFewerPatterns:
      return "pays the same with fewer patterns";
    case receipt::Verdict::kLessBeforeLimit:
      return "pays the same, worth less before limits";
    case receipt::Verdict::kLaterInOrder:
      return "pays the same, later in order";
  }
  return {};
}

std::string WorthText(const rules::VariantInfo& game, const rules::Worth& worth) {
  std::string text;
  const auto add = [&text](std::int64_t number, std::string_view what) {
    text += (text.empty() ? "" : ", ") + std::string(what) + " " + std::to_string(number);
  };
  if (game.counts_fan) add(worth.fan, "fan");
  if (game.counts_multiplier) add(worth.multiplier, "multiplier");
  if (game.counts_horses) add(worth.horses_hit, "horses");
  return text;
}

void PrintReadings(const Case& one, const std::vector<receipt::ReadHand>& hands,
                   std::ostream& out) {
  out << "\nreadings 牌型\n";
  int widest = 0;
  for (const receipt::ReadHand& hand : hands) {
    widest = std::max(widest, console::WidthOf(ReadingText(hand.reading)));
  }
  for (const receipt::ReadHand& hand : hands) {
    const bool counted = hand.verdict == receipt::Verdict::kCounted;
    std::string text = std::string(counted ? "* " : "  ") +
                       PadRight(ReadingText(hand.reading), widest) + "  " + VerdictText(hand);
    if (!hand.worth.no_win) {
      text += ": " + WorthText(one.variant->info(), hand.worth) + ", coins " +
              console::Grouped(hand.coins.value());
    }
    for (const rules::RuleId id : hand.worth.patterns) text += " " + std::string(id);
    for (const std::string& line : console::Wrap(text, kColumns, widest + 4)) {
      out << "  " << line << '\n';
    }
  }
}

void PrintPatterns(const Case& one, const rules::Worth& worth, std::ostream& out) {
  if (worth.patterns.empty()) return;
  out << "\npatterns 番型\n";
  for (const rules::RuleId id : worth.patterns) {
    const rules::Pattern* pattern = receipt::FindPattern(*one.variant, id);
    if (pattern == nullptr) continue;
    const bool adds = pattern->role == rules::PatternRole::kFan;
    out << "  " << PadRight(id, 6) << "  " << PadRight(pattern->name_zh, 10) << "  "
        << (adds ? "+" : "x") << pattern->value << "  " << pattern->name_en << "  ["
        << pattern->source << "]\n";
  }
}

void PrintReceipt(const receipt::PricedRound& priced, std::ostream& out) {
  out << "\nreceipt 结算\n";
  for (const receipt::Line& line : priced.lines) {
    for (const std::string_view text :
         {std::string_view(line.text_zh), std::string_view(line.text_en),
          std::string_view(line.arithmetic)}) {
      const bool first = text.data() == line.text_zh.data();
      for (const std::string& part : console::Wrap(text, kColumns - 2, 2)) {
        out << (first ? "  " : "    ") << part << '\n';
      }
    }
  }
  out << "  net";
  for (const rules::Seat seat : rules::kSeats) {
    out << "  seat " << rules::IndexOf(seat) << ' ' << console::Signed(priced.net[seat].value());
  }
  out << '\n';
}

void PrintHand(const Case& one, std::ostream& out) {
  const rules::VariantInfo& game = one.variant->info();
  const rules::Win& win = one.round.wins[0];
  out << game.name_zh << "  " << game.name_en << "  rulebook "
      << rules::RulebookVersion(*one.variant) << "\n\n";
  out << "hand 手牌  " << tiles::ToText(win.hand.concealed) << "  "
      << tiles::ToChinese(win.hand.concealed) << '\n';
  for (const rules::CalledMeld& called : win.hand.melds) {
    out << "meld 副露  " << tiles::ToText(called.meld) << "  " << tiles::ToChinese(called.meld);
    if (called.from) out << "  from seat " << rules::IndexOf(*called.from);
    out << '\n';
  }
  out << "tile 胡牌  " << tiles::ToText(win.tile) << "  " << tiles::ChineseName(win.tile) << "  "
      << WayZh(win.way) << ' ' << WayEn(win.way);
  if (win.from) out << " of seat " << rules::IndexOf(*win.from);
  out << "\nseat 座位  " << rules::IndexOf(win.seat)
      << (win.seat == one.round.deal.dealer ? "  庄 dealer" : "  闲") << ", base " << one.base
      << '\n';
}

}  // namespace

ExitCode ExplainHand(const HandArguments& arguments, std::ostream& out, std::ostream& err) {
  const auto read = casefile::ReadCase(CaseOf(arguments));
  if (const auto* error = std::get_if<FormatError>(&read)) {
    err << "mahjongctl: " << FlagOf(error->path) << ": " << error->text << '\n';
    return kFailed;
  }
  const Case& one = std::get<Case>(read);
  const auto priced = receipt::PriceRound(*one.variant, one.options, one.base, one.round);
  const auto hands = receipt::ReadingsOf(*one.variant, one.options, one.base, one.round, 0);
  if (!priced.ok() || !hands.ok()) {
    err << "mahjongctl: --base: an amount would be beyond 2^53 coins\n";
    return kFailed;
  }
  PrintHand(one, out);
  const rules::Worth& worth = priced.value().score.wins[0].worth;
  if (worth.no_win) {
    out << "\nno win 不能胡: " << receipt::WordFor(*worth.no_win) << '\n';
    if (!hands.value().empty()) PrintReadings(one, hands.value(), out);
    return kDone;
  }
  PrintReadings(one, hands.value(), out);
  PrintPatterns(one, worth, out);
  PrintReceipt(priced.value(), out);
  return kDone;
}

}  // namespace mj::mahjongctl
