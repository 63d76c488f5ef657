#include "libs/receipt/names.h"

namespace mj::receipt {

const rules::Pattern* FindPattern(const rules::Variant& variant, rules::RuleId id) {
  for (const rules::Pattern& pattern : variant.patterns()) {
    if (pattern.id == id) return &pattern;
  }
  return nullptr;
}

std::optional<RuleName> NameOf(const rules::Variant& variant, rules::RuleId id) {
  if (const rules::Pattern* pattern = FindPattern(variant, id)) {
    return RuleName{pattern->name_zh, pattern->name_en, pattern->source};
  }
  for (const rules::RuleText& rule : variant.rules()) {
    if (rule.id == id) return RuleName{rule.name_zh, rule.name_en, rule.source};
  }
  return std::nullopt;
}

std::string_view WordFor(rules::NoWin no_win) {
  switch (no_win) {
    case rules::NoWin::kNotAWinningShape:
      return "not_a_winning_shape";
    case rules::NoWin::kChickenNotAllowed:
      return "chicken_not_allowed";
    case rules::NoWin::kDiscardWinNotAllowed:
      return "discard_win_not_allowed";
  }
  return {};
}

std::string_view WordFor(rules::Shape shape) {
  switch (shape) {
    case rules::Shape::kStandard:
      return "standard";
    case rules::Shape::kSevenPairs:
      return "seven_pairs";
    case rules::Shape::kThirteenOrphans:
      return "thirteen_orphans";
  }
  return {};
}

}  // namespace mj::receipt
