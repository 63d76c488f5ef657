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

// A text in both languages; static.
struct Words {
  std::string_view zh;
  std::string_view en;

  bool operator==(const Words&) const = default;
};

// How a win was won, in the words of the game's text: 自摸, 点炮胡 or 放炮, 抢杠胡 or 抢杠和.
Words WordsFor(const rules::VariantInfo& game, rules::WinWay way);

// What the texts call this win (COM-16), in this order: how it was won; 大牌自摸 or 大牌胡 where a big
// pattern counted; 庄胡 or 闲胡 by the winner's seat. REQUIRES: `worth` is that of a legal win.
rules::InlineVector<Words, 3> TitlesOf(const rules::Variant& variant, const rules::Win& win,
                                       rules::Seat dealer, const rules::Worth& worth);

// What a meld is called, 吃, 碰, or a kong in the words of the game's text.
Words WordsForMeld(const rules::Variant& variant, rules::MeldKind kind);

// Why a win is not allowed, for a person.
Words WordsFor(rules::NoWin no_win);

// Why a win is not allowed, in the word of the case format and of the wire: "not_a_winning_shape".
std::string_view WordFor(rules::NoWin no_win);

// The shape of a reading, in the word of the wire: "standard", "seven_pairs", "thirteen_orphans".
std::string_view WordFor(rules::Shape shape);

}  // namespace mj::receipt
