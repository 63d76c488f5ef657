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

// Why a win is not allowed, in the word of the case format and of the wire: "not_a_winning_shape".
std::string_view WordFor(rules::NoWin no_win);

// The shape of a reading, in the word of the wire: "standard", "seven_pairs", "thirteen_orphans".
std::string_view WordFor(rules::Shape shape);

}  // namespace mj::receipt
