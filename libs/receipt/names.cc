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

}  // namespace mj::receipt
