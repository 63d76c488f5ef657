// What a rule is called.
#pragma once

#include <optional>
#include <string_view>

#include "libs/rules/variant.h"

namespace mj::receipt {

// Static texts; the Chinese is the source text's own word.
struct RuleName {
  std::string_view zh;
  std::string_view en;
  std::string_view source;  // where the source text says it
};

// The rule `id` of the game, a pattern or any other; nothing when it has no such row.
std::optional<RuleName> NameOf(const rules::Variant& variant, rules::RuleId id);

// The row of the pattern table, or nullptr.
const rules::Pattern* FindPattern(const rules::Variant& variant, rules::RuleId id);

}  // namespace mj::receipt
