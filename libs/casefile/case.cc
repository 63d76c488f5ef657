#include "libs/casefile/case.h"

#include <array>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "libs/casefile/faults.h"
#include "libs/rules/check.h"
#include "libs/tiles/mpsz.h"
#include "libs/variants/registry.h"

namespace mj::casefile {
namespace {

using Json = nlohmann::json;
using rules::CalledMeld;
using rules::Kong;
using rules::Meld;
using rules::MeldKind;
using rules::Seat;
using rules::Tile;
using rules::Win;

template <typename T>
struct Word {
  std::string_view word;
  T value;
};

constexpr std::array<Word<MeldKind>, 5> kMeldKinds = {
    {{"chow", MeldKind::kChow},
     {"pung", MeldKind::kPung},
     {"discard_kong", MeldKind::kDiscardKong},
     {"added_kong", MeldKind::kAddedKong},
     {"concealed_kong", MeldKind::kConcealedKong}}};
constexpr std::array<Word<MeldKind>, 3> kKongKinds = {{{"discard", MeldKind::kDiscardKong},
                                                       {"added", MeldKind::kAddedKong},
                                                       {"concealed", MeldKind::kConcealedKong}}};
constexpr std::array<Word<rules::WinWay>, 3> kWays = {
    {{"self_draw", rules::WinWay::kSelfDraw},
     {"discard", rules::WinWay::kDiscard},
     {"robbed_kong", rules::WinWay::kRobbedKong}}};
constexpr std::array<Word<rules::RoundEnd>, 2> kEnds = {
    {{"win", rules::RoundEnd::kWin}, {"exhausted", rules::RoundEnd::kExhausted}}};
constexpr std::array<Word<bool rules::WinFlags::*>, 4> kFlags = {
    {{"kong_replacement", &rules::WinFlags::kong_replacement},
     {"last_tile", &rules::WinFlags::last_tile},
     {"heavenly", &rules::WinFlags::heavenly},
     {"earthly", &rules::WinFlags::earthly}}};

template <typename T, std::size_t N>
std::string WordOf(const std::array<Word<T>, N>& words, T value) {
  for (const Word<T>& entry : words) {
    if (entry.value == value) return std::string(entry.word);
  }
  return {};
}

template <typename T, std::size_t N>
std::optional<T> ValueOf(const std::array<Word<T>, N>& words, std::string_view text) {
  for (const Word<T>& entry : words) {
    if (entry.word == text) return entry.value;
  }
  return std::nullopt;
}

template <typename T, std::size_t N>
std::string UnknownWord(const std::array<Word<T>, N>& words, std::string_view text) {
  std::string message = "got " + Quoted(text) + ", want ";
  for (std::size_t i = 0; i < N; ++i) {
    message += std::string(i == 0 ? "" : i + 1 == N ? " or " : ", ") + std::string(words[i].word);
  }
  return message;
}

template <typename T, std::size_t N>
T NeedWord(Fields& fields, std::string_view name, const std::array<Word<T>, N>& words) {
  const std::string text = fields.NeedText(name);
  if (const std::optional<T> value = ValueOf(words, text)) return *value;
  fields.Mistake(name, UnknownWord(words, text));  // after a missing field: not the first mistake
  return words[0].value;
}

std::optional<Seat> FindSeat(Fields& fields, std::string_view name) {
  const std::optional<std::int64_t> index = fields.FindNumber(name, 0, rules::kSeatCount - 1);
  return index ? rules::SeatFromIndex(static_cast<int>(*index)) : std::nullopt;
}

Seat NeedSeat(Fields& fields, std::string_view name) {
  fields.Need(name);
  return FindSeat(fields, name).value_or(Seat::k0);
}

std::optional<Tile> FindTile(Fields& fields, std::string_view name) {
  const std::optional<std::string> text = fields.FindText(name);
  if (!text) return std::nullopt;
  const std::optional<Tile> tile = tiles::ParseTile(*text);
  if (!tile) fields.Mistake(name, Quoted(*text) + " is no tile");
  return tile;
}

Tile NeedTile(Fields& fields, std::string_view name) {
  fields.Need(name);
  return FindTile(fields, name).value_or(Tile());
}

CalledMeld ReadMeld(Fields fields) {
  CalledMeld called;
  const MeldKind kind = NeedWord(fields, "kind", kMeldKinds);
  const std::string text = fields.NeedText("tiles");
  if (const std::optional<Meld> meld = tiles::ParseMeld(kind, text)) {
    called.meld = *meld;
  } else {
    fields.Mistake("tiles", Quoted(text) + " is no " + WordOf(kMeldKinds, kind));
  }
  called.from = FindSeat(fields, "from");
  fields.NoOthers();
  return called;
}

rules::WinFlags ReadFlags(Fields& win) {
  rules::WinFlags flags;
  const Json* list = win.NeedList("flags", kFlags.size());
  if (list == nullptr) return flags;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string path = ElementPath("flags", i);
    const auto* text = (*list)[i].get_ptr<const std::string*>();
    if (text == nullptr) {
      win.Mistake(path, std::string("got ") + (*list)[i].type_name() + ", want a string");
    } else if (const auto flag = ValueOf(kFlags, *text); !flag) {
      win.Mistake(path, UnknownWord(kFlags, *text));
    } else if (std::exchange(flags.**flag, true)) {
      win.Mistake(path, Quoted(*text) + " stands twice");
    }
  }
  return flags;
}

Win ReadWin(Fields fields) {
  Win win;
  win.seat = NeedSeat(fields, "seat");
  const std::string concealed = fields.NeedText("concealed");
  if (const auto counts = tiles::ParseCounts(concealed)) {
    win.hand.concealed = *counts;
  } else {
    fields.Mistake("concealed", Quoted(concealed) + " are no tiles");
  }
  if (const Json* melds = fields.NeedList("melds", rules::Melds::capacity())) {
    for (std::size_t i = 0; i < melds->size(); ++i) {
      win.hand.melds.push_back(
          ReadMeld(Fields((*melds)[i], ElementPath(fields.PathOf("melds"), i), fields.mistakes())));
    }
  }
  win.tile = NeedTile(fields, "tile");
  win.way = NeedWord(fields, "how", kWays);
  win.from = FindSeat(fields, "from");
  win.flags = ReadFlags(fields);
  win.kong_feeder = FindSeat(fields, "kong_feeder");
  win.killed = FindSeat(fields, "killer_paid_by");
  fields.NoOthers();
  return win;
}

Kong ReadKong(Fields fields) {
  Kong kong;
  kong.seat = NeedSeat(fields, "seat");
  kong.kind = NeedWord(fields, "kind", kKongKinds);
  kong.tile = NeedTile(fields, "tile");
  kong.from = FindSeat(fields, "from");
  kong.paid_by = FindSeat(fields, "paid_by");
  fields.NoOthers();
  return kong;
}

void ReadHorses(Fields& fields, rules::FinishedRound& round) {
  const std::optional<std::string> text = fields.FindText("horses");
  if (!text) return;
  const std::optional<std::vector<Tile>> horses = tiles::ParseTiles(*text);
  if (!horses) return fields.Mistake("horses", Quoted(*text) + " are no tiles");
  for (const Tile horse : *horses) {
    if (round.horses.push_back(horse)) continue;
    return fields.Mistake("horses", "got " + std::to_string(horses->size()) +
                                        " tiles, want at most " +
                                        std::to_string(rules::kMaxHorses));
  }
}

void ReadWinds(Fields& fields, rules::Deal& deal) {
  deal.round_wind = FindTile(fields, "round_wind");
  if (fields.Find("seat_winds") == nullptr) return;
  const Json* list = fields.NeedList("seat_winds", rules::kSeatCount);
  if (list == nullptr) return;
  if (list->size() != rules::kSeatCount) {
    return fields.Mistake("seat_winds",
                          "got " + std::to_string(list->size()) + " winds, want one for each seat");
  }
  rules::PerSeat<Tile> winds;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const auto* text = (*list)[i].get_ptr<const std::string*>();
    const std::optional<Tile> wind = text == nullptr ? std::nullopt : tiles::ParseTile(*text);
    if (!wind) {
      return fields.Mistake(ElementPath("seat_winds", i), (*list)[i].is_string()
                                                              ? Quoted(*text) + " is no tile"
                                                              : "want a string");
    }
    winds[rules::kSeats[i]] = *wind;
  }
  deal.seat_winds = winds;
}

// A value of the type that `def` asks for, as the text that ParseOptions reads.
std::optional<std::string> OptionValueText(const rules::OptionDef& def, const Json& value) {
  switch (def.type) {
    case rules::OptionType::kFlag:
      if (!value.is_boolean()) return std::nullopt;
      return rules::OptionText(def, value.get<bool>() ? 1 : 0);
    case rules::OptionType::kNumber:
      if (!value.is_number_integer()) return std::nullopt;
      return value.dump();
    case rules::OptionType::kChoice:
      if (!value.is_string()) return std::nullopt;
      return value.get<std::string>();
  }
  return std::nullopt;
}

std::string Shown(const Json& value) {
  if (value.is_string()) return Quoted(value.get<std::string>());
  return value.is_structured() ? value.type_name() : value.dump();
}

std::string Wanted(const rules::OptionDef& def) {
  switch (def.type) {
    case rules::OptionType::kFlag:
      return "true or false";
    case rules::OptionType::kNumber:
      return std::to_string(def.min) + " to " + std::to_string(def.max);
    case rules::OptionType::kChoice:
      break;
  }
  std::string wanted = "one of";
  for (const std::string_view choice : def.choices) wanted += " " + Quoted(choice);
  return wanted;
}

rules::Options ReadOptions(Fields& fields, const rules::Variant& variant) {
  const std::span<const rules::OptionDef> defs = variant.options();
  const rules::Options defaults = rules::DefaultOptions(defs);
  const Json* object = fields.Need("options");
  if (object == nullptr) return defaults;

  Fields options(*object, fields.PathOf("options"), fields.mistakes());
  std::map<std::string, std::string> texts;
  for (const rules::OptionDef& def : defs) {
    const Json* value = options.Find(def.name);
    if (value == nullptr) continue;
    const std::optional<std::string> text = OptionValueText(def, *value);
    if (text) {
      texts[std::string(def.name)] = *text;
      const auto alone = rules::ParseOptions(defs, {{std::string(def.name), *text}});
      if (std::holds_alternative<rules::Options>(alone)) continue;
    }
    options.Mistake(def.name, "got " + Shown(*value) + ", want " + Wanted(def));
  }
  options.NoOthers();
  const auto parsed = rules::ParseOptions(defs, texts);
  const auto* values = std::get_if<rules::Options>(&parsed);
  return values == nullptr ? defaults : *values;
}

OrderedJson WriteOptions(const rules::Variant& variant, const rules::Options& options) {
  OrderedJson out = OrderedJson::object();
  const std::span<const rules::OptionDef> defs = variant.options();
  for (std::size_t i = 0; i < defs.size(); ++i) {
    const rules::OptionDef& def = defs[i];
    if (options[i] == def.fallback) continue;
    OrderedJson& value = out[std::string(def.name)];
    if (def.type == rules::OptionType::kFlag) {
      value = options[i] != 0;
    } else if (def.type == rules::OptionType::kNumber) {
      value = options[i];
    } else {
      value = rules::OptionText(def, options[i]);
    }
  }
  return out;
}

void WriteSeat(OrderedJson& out, std::string_view name, std::optional<Seat> seat) {
  if (seat) out[std::string(name)] = rules::IndexOf(*seat);
}

OrderedJson WriteWin(const Win& win) {
  OrderedJson out;
  out["seat"] = rules::IndexOf(win.seat);
  out["concealed"] = tiles::ToText(win.hand.concealed);
  out["melds"] = OrderedJson::array();
  for (const CalledMeld& called : win.hand.melds) {
    OrderedJson meld;
    meld["kind"] = WordOf(kMeldKinds, called.meld.kind);
    meld["tiles"] = tiles::ToText(called.meld);
    WriteSeat(meld, "from", called.from);
    out["melds"].push_back(std::move(meld));
  }
  out["tile"] = tiles::ToText(win.tile);
  out["how"] = WordOf(kWays, win.way);
  WriteSeat(out, "from", win.from);
  out["flags"] = OrderedJson::array();
  for (const auto& flag : kFlags) {
    if (win.flags.*flag.value) out["flags"].push_back(std::string(flag.word));
  }
  WriteSeat(out, "kong_feeder", win.kong_feeder);
  WriteSeat(out, "killer_paid_by", win.killed);
  return out;
}

OrderedJson WriteKong(const Kong& kong) {
  OrderedJson out;
  out["seat"] = rules::IndexOf(kong.seat);
  out["kind"] = WordOf(kKongKinds, kong.kind);
  out["tile"] = tiles::ToText(kong.tile);
  WriteSeat(out, "from", kong.from);
  WriteSeat(out, "paid_by", kong.paid_by);
  return out;
}

}  // namespace

Table ReadTable(Fields& fields) {
  Table table;
  const std::string game = fields.NeedText("game");
  table.variant = variants::Find(game);
  if (table.variant == nullptr) {
    fields.Mistake("game", "no game is called " + Quoted(game));
    fields.Need("options");
  } else {
    table.options = ReadOptions(fields, *table.variant);
  }
  table.base = fields.NeedNumber("base", 1, kMaxBase);
  if (table.variant != nullptr && table.base % table.variant->info().units_per_base != 0) {
    fields.Mistake("base", "got " + std::to_string(table.base) + ", want a multiple of " +
                               std::to_string(table.variant->info().units_per_base));
  }
  table.deal.dealer = NeedSeat(fields, "dealer");
  ReadWinds(fields, table.deal);
  return table;
}

void WriteTable(const Table& table, OrderedJson& out) {
  out["game"] = std::string(table.variant->info().id);
  out["options"] = WriteOptions(*table.variant, table.options);
  out["base"] = table.base;
  out["dealer"] = rules::IndexOf(table.deal.dealer);
  if (table.deal.round_wind) out["round_wind"] = tiles::ToText(*table.deal.round_wind);
  if (table.deal.seat_winds) {
    for (const Tile wind : *table.deal.seat_winds) out["seat_winds"].push_back(tiles::ToText(wind));
  }
}

std::variant<Case, FormatError> ReadCase(const nlohmann::json& document) {
  Mistakes mistakes;
  Fields fields(document, "", mistakes);
  if (mistakes.any()) return mistakes.first();

  Case the_case;
  the_case.id = fields.FindText("id").value_or("");
  fields.FindText("note");
  fields.Find("expect");
  const Table table = ReadTable(fields);
  the_case.variant = table.variant;
  the_case.options = table.options;
  the_case.base = table.base;
  rules::FinishedRound& round = the_case.round;
  round.deal = table.deal;
  round.deal.wild = FindTile(fields, "wild");
  round.end = NeedWord(fields, "end", kEnds);
  if (const Json* wins = fields.NeedList("wins", rules::kMaxWins)) {
    for (std::size_t i = 0; i < wins->size(); ++i) {
      round.wins.push_back(ReadWin(Fields((*wins)[i], ElementPath("wins", i), mistakes)));
    }
  }
  if (const Json* kongs = fields.NeedList("kongs", rules::kMaxKongs)) {
    for (std::size_t i = 0; i < kongs->size(); ++i) {
      round.kongs.push_back(ReadKong(Fields((*kongs)[i], ElementPath("kongs", i), mistakes)));
    }
  }
  ReadHorses(fields, round);
  fields.NoOthers();
  if (mistakes.any()) return mistakes.first();

  if (const auto refusal = rules::CheckRound(*the_case.variant, the_case.options, round)) {
    return ToFormatError(*refusal, round);
  }
  return the_case;
}

OrderedJson WriteCase(const Case& the_case) {
  const rules::FinishedRound& round = the_case.round;
  OrderedJson out;
  WriteTable({.variant = the_case.variant,
              .options = the_case.options,
              .base = the_case.base,
              .deal = round.deal},
             out);
  if (round.deal.wild) out["wild"] = tiles::ToText(*round.deal.wild);
  out["end"] = WordOf(kEnds, round.end);
  out["wins"] = OrderedJson::array();
  for (const Win& win : round.wins) out["wins"].push_back(WriteWin(win));
  out["kongs"] = OrderedJson::array();
  for (const Kong& kong : round.kongs) out["kongs"].push_back(WriteKong(kong));
  if (!round.horses.empty()) {
    // Tile by tile, as they were turned: "6s2s2s2p".
    std::string horses;
    for (const Tile horse : round.horses) horses += tiles::ToText(horse);
    out["horses"] = std::move(horses);
  }
  return out;
}

nlohmann::json IdOf(const nlohmann::json& document) {
  if (!document.is_object()) return nullptr;
  const auto id = document.find("id");
  return id != document.end() && id->is_primitive() ? *id : nlohmann::json();
}

}  // namespace mj::casefile
