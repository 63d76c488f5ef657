#include "libs/rules/document.h"

#include "libs/tiles/mpsz.h"

namespace mj::rules {
namespace {

using Text = std::string;

Text Code(std::string_view text) { return "`" + Text(text) + "`"; }

void Row(Text& out, std::initializer_list<Text> cells) {
  out += "|";
  for (const Text& cell : cells) out += " " + cell + " |";
  out += "\n";
}

void Head(Text& out, std::initializer_list<Text> names) {
  Row(out, names);
  out += "|";
  for (std::size_t i = 0; i < names.size(); ++i) out += " --- |";
  out += "\n";
}

Text RangeOf(const OptionDef& option) {
  switch (option.type) {
    case OptionType::kFlag:
      return "`true`, `false`";
    case OptionType::kNumber:
      return std::to_string(option.min) + " to " + std::to_string(option.max);
    case OptionType::kChoice: {
      Text range;
      for (std::string_view choice : option.choices) {
        if (!range.empty()) range += ", ";
        range += Code(choice);
      }
      return range;
    }
  }
  return {};
}

Text ValueOf(const Pattern& pattern) {
  const Text number = std::to_string(pattern.value);
  switch (pattern.role) {
    case PatternRole::kMultiplier:
      return "× " + number;
    case PatternRole::kFan:
      return number + " fan";
    case PatternRole::kPoints:
      return number + " points";
  }
  return {};
}

Text Listed(std::span<const RuleId> ids) {
  Text text;
  for (RuleId id : ids) {
    if (!text.empty()) text += ", ";
    text += id;
  }
  return text;
}

Text ShapesOf(const Shapes& shapes) {
  Text text = shapes.standard ? "four melds and a pair" : "";
  if (shapes.seven_pairs) text += ", seven pairs";
  if (shapes.thirteen_orphans) text += ", thirteen orphans";
  return text;
}

Text LockOf(const PlayRules& play) {
  if (play.missed_win == MissedWin::kNoLock) return "none";
  const Text what =
      play.missed_win == MissedWin::kSameTile ? "the same tile" : "every winning tile";
  const Text until =
      play.lock_ends == LockEnds::kOwnDiscard ? "the own discard" : "the own draw, pung or kong";
  return what + ", until " + until;
}

}  // namespace

std::string RulesDocument(const Variant& variant) {
  const VariantInfo& info = variant.info();
  const Options options = DefaultOptions(variant.options());
  const PlayRules play = variant.play(options);
  Text out = "# " + Text(info.name_zh) + " · " + Text(info.name_en) + "\n\n";
  out += "Generated from the game's tables; a test fails when it is stale.\n";
  out += "Rulebook version " + Code(RulebookVersion(variant)) + ".\n\n";

  out += "## The table\n\nWith the default options:\n\n";
  Head(out, {"", ""});
  Row(out, {"id", Code(info.id)});
  Row(out, {"tiles", std::to_string(play.wall.total())});
  Row(out, {"winning shapes", ShapesOf(variant.shapes(options))});
  Row(out, {"chow", play.chow ? "from the previous seat" : "no"});
  Row(out, {"kongs from a discard, added, concealed", Text(info.kong_names.of_discard) + ", " +
                                                          Text(info.kong_names.added) + ", " +
                                                          Text(info.kong_names.concealed)});
  Row(out,
      {"the base, a win on a discard, a robbed kong",
       Text(info.base_zh) + ", " + Text(info.discard_win_zh) + ", " + Text(info.robbed_kong_zh)});
  Row(out, {"winds", play.winds ? "seat winds and a round wind" : "no"});
  Row(out, {"a missed win locks", LockOf(play)});
  Row(out, {"horses", play.horses == 0 ? "none" : std::to_string(play.horses)});
  Row(out, {"units to one base", std::to_string(info.units_per_base)});

  out += "\n## Options\n\n";
  Head(out, {"name", "default", "values", "rule", "含义", "meaning"});
  for (const OptionDef& option : variant.options()) {
    Row(out, {Code(option.name), Code(OptionText(option, option.fallback)), RangeOf(option),
              Text(option.rule), Text(option.meaning_zh), Text(option.meaning_en)});
  }

  out += "\n## Patterns\n\n大牌 marks the text's big patterns.\n\n";
  Head(out, {"rule", "名称", "name", "value", "大牌", "not counted with it", "source"});
  for (const Pattern& pattern : variant.patterns()) {
    Row(out, {Text(pattern.id), Text(pattern.name_zh), Text(pattern.name_en), ValueOf(pattern),
              pattern.big ? "yes" : "", Listed(pattern.implies), Text(pattern.source)});
  }

  out += "\n## Other rules\n\n";
  Head(out, {"rule", "名称", "what it says", "source"});
  for (const RuleText& rule : variant.rules()) {
    Row(out, {Text(rule.id), Text(rule.name_zh), Text(rule.name_en), Text(rule.source)});
  }
  return out;
}

}  // namespace mj::rules
