#include "tools/mahjongctl/list_variants.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "libs/console/text.h"
#include "libs/variants/registry.h"

namespace mj::mahjongctl {
namespace {

using console::PadLeft;
using console::PadRight;

std::string RangeOf(const rules::OptionDef& option) {
  switch (option.type) {
    case rules::OptionType::kFlag:
      return "true or false";
    case rules::OptionType::kNumber:
      return std::to_string(option.min) + " to " + std::to_string(option.max);
    case rules::OptionType::kChoice:
      break;
  }
  std::string range;
  for (const std::string_view choice : option.choices) {
    range += (range.empty() ? "" : ", ") + std::string(choice);
  }
  return range;
}

std::string Named(std::string_view zh, std::string_view en) {
  return std::string(zh) + "  " + std::string(en);
}

void PrintGame(const rules::Variant& game, std::ostream& out) {
  out << PadRight(game.info().id, 10) << "  " << Named(game.info().name_zh, game.info().name_en)
      << "\n  rulebook " << rules::RulebookVersion(game) << ", "
      << game.play(rules::DefaultOptions(game.options())).wall.total() << " tiles\n";
  for (const rules::OptionDef& option : game.options()) {
    out << "  option " << option.name << " = " << rules::OptionText(option, option.fallback)
        << "  (" << RangeOf(option) << "; " << option.rule << ")\n    "
        << Named(option.meaning_zh, option.meaning_en) << '\n';
  }
}

std::string ValueText(const rules::Pattern& pattern) {
  const std::string value = std::to_string(pattern.value);
  return pattern.role == rules::PatternRole::kFan ? "+" + value : "x" + value;
}

void PrintTables(const rules::Variant& game, std::ostream& out) {
  int widest = 0;
  for (const rules::Pattern& pattern : game.patterns()) {
    widest = std::max(widest, console::WidthOf(pattern.name_zh));
  }
  out << "\npatterns\n";
  for (const rules::Pattern& pattern : game.patterns()) {
    out << "  " << PadRight(pattern.id, 6) << PadLeft(ValueText(pattern), 5) << "  "
        << PadRight(pattern.name_zh, widest) << "  " << pattern.name_en;
    for (std::size_t i = 0; i < pattern.implies.size(); ++i) {
      out << (i == 0 ? "; not with it: " : ", ") << pattern.implies[i];
    }
    out << "  [" << pattern.source << "]\n";
  }
  out << "\nother rules\n";
  for (const rules::RuleText& rule : game.rules()) {
    const std::string text = PadRight(rule.id, 6) + "  " + Named(rule.name_zh, rule.name_en) +
                             "  [" + std::string(rule.source) + "]";
    for (const std::string& line : console::Wrap(text, 98, 8)) out << "  " << line << '\n';
  }
}

using Json = nlohmann::ordered_json;

Json NameOf(std::string_view zh, std::string_view en) { return {{"zh", zh}, {"en", en}}; }

void PrintJson(const rules::Variant& game, std::ostream& out) {
  Json json = {{"id", game.info().id},
               {"name", NameOf(game.info().name_zh, game.info().name_en)},
               {"rulebook_version", rules::RulebookVersion(game)},
               {"wall_tiles", game.play(rules::DefaultOptions(game.options())).wall.total()},
               {"options", Json::array()},
               {"patterns", Json::array()},
               {"rules", Json::array()}};
  for (const rules::OptionDef& option : game.options()) {
    json["options"].push_back({{"name", option.name},
                               {"default", rules::OptionText(option, option.fallback)},
                               {"values", RangeOf(option)},
                               {"rule", option.rule},
                               {"meaning", NameOf(option.meaning_zh, option.meaning_en)}});
  }
  for (const rules::Pattern& pattern : game.patterns()) {
    json["patterns"].push_back(
        {{"id", pattern.id},
         {"value", ValueText(pattern)},
         {"name", NameOf(pattern.name_zh, pattern.name_en)},
         {"implies", std::vector<std::string_view>(pattern.implies.begin(), pattern.implies.end())},
         {"source", pattern.source}});
  }
  for (const rules::RuleText& rule : game.rules()) {
    json["rules"].push_back(
        {{"id", rule.id}, {"name", NameOf(rule.name_zh, rule.name_en)}, {"source", rule.source}});
  }
  out << json.dump() << '\n';
}

}  // namespace

ExitCode ListVariants(const std::string& variant, bool json, std::ostream& out, std::ostream& err) {
  if (variant.empty()) {
    bool first = true;
    for (const rules::Variant* game : variants::All()) {
      if (json) {
        PrintJson(*game, out);
        continue;
      }
      if (!std::exchange(first, false)) out << '\n';
      PrintGame(*game, out);
    }
    return kDone;
  }
  const rules::Variant* game = variants::Find(variant);
  if (game == nullptr) {
    err << "mahjongctl: no game is called \"" << variant << "\"; there are";
    for (const rules::Variant* other : variants::All()) err << ' ' << other->info().id;
    err << '\n';
    return kFailed;
  }
  if (json) {
    PrintJson(*game, out);
    return kDone;
  }
  PrintGame(*game, out);
  PrintTables(*game, out);
  return kDone;
}

}  // namespace mj::mahjongctl
