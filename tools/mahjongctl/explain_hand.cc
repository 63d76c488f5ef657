#include "tools/mahjongctl/explain_hand.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "libs/casefile/case.h"
#include "libs/casefile/expect.h"
#include "libs/receipt/price.h"
#include "libs/receipt/readings.h"
#include "libs/tiles/mpsz.h"
#include "tools/mahjongctl/hand_report.h"

namespace mj::mahjongctl {
namespace {

using casefile::Case;
using casefile::FormatError;
using Json = nlohmann::json;

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

// The winner's own kongs, which the case format lists a second time; taken as made in the order of
// the melds. A killing pung's own comes after the kill (SG-43).
Json KongsOf(const Json& melds, int seat, int killed) {
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
    if (killed >= 0 && &meld == &melds.back() && kind.starts_with("added")) {
      kong["paid_by"] = killed;
    }
    kongs.push_back(std::move(kong));
  }
  return kongs;
}

bool IsReplacement(const HandArguments& arguments) {
  const auto& flags = arguments.flags;
  return std::find(flags.begin(), flags.end(), "kong_replacement") != flags.end();
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
  Json kongs = KongsOf(melds, arguments.seat, arguments.killed);
  if (arguments.from >= 0) win["from"] = arguments.from;
  if (arguments.kong_feeder >= 0) {
    win["kong_feeder"] = arguments.kong_feeder;
  } else if (IsReplacement(arguments) && !kongs.empty() && kongs.back().contains("from")) {
    win["kong_feeder"] = kongs.back()["from"];
  }
  if (arguments.killed >= 0) win["killer_paid_by"] = arguments.killed;
  Json document = {{"game", arguments.variant},
                   {"options", std::move(options)},
                   {"base", arguments.base},
                   {"dealer", arguments.dealer},
                   {"end", "win"},
                   {"wins", Json::array({std::move(win)})},
                   {"kongs", std::move(kongs)}};
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
  if (name == "killer_paid_by") return "--killed";
  if (name == "options") return "--option";
  std::string flag = "--" + std::string(name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

}  // namespace

ExitCode ExplainHand(const HandArguments& arguments, std::ostream& out, std::ostream& err) {
  const auto read = casefile::ReadCase(CaseOf(arguments));
  if (const auto* error = std::get_if<FormatError>(&read)) {
    err << "mahjongctl: " << FlagOf(error->path) << ": " << error->text << '\n';
    return kFailed;
  }
  const Case& one = std::get<Case>(read);
  if (arguments.json) {
    const auto expect = casefile::Expect(one);
    if (const auto* error = std::get_if<FormatError>(&expect)) {
      err << "mahjongctl: " << FlagOf(error->path) << ": " << error->text << '\n';
      return kFailed;
    }
    out << std::get<casefile::OrderedJson>(expect).dump() << '\n';
    return kDone;
  }
  const auto priced = receipt::PriceRound(*one.variant, one.options, one.base, one.round);
  const auto hands = receipt::ReadingsOf(*one.variant, one.options, one.base, one.round, 0);
  if (!priced.ok() || !hands.ok()) {
    err << "mahjongctl: --base: an amount would be beyond 2^53 coins\n";
    return kFailed;
  }
  ReportHand(one, priced.value(), hands.value(), out);
  return kDone;
}

}  // namespace mj::mahjongctl
