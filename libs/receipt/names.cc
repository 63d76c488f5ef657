#include "libs/receipt/names.h"

#include <algorithm>
#include <span>

#include "libs/receipt/counted.h"

namespace mj::receipt {

const rules::Pattern* FindPattern(const rules::Variant& variant, rules::RuleId id) {
  const std::span<const rules::Pattern> table = variant.patterns();
  const auto at = std::lower_bound(
      table.begin(), table.end(), id,
      [](const rules::Pattern& pattern, rules::RuleId wanted) { return pattern.id < wanted; });
  return at != table.end() && at->id == id ? &*at : nullptr;
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

Words WordsFor(const rules::VariantInfo& game, rules::WinWay way) {
  switch (way) {
    case rules::WinWay::kSelfDraw:
      return {"自摸", "self-draw"};
    case rules::WinWay::kDiscard:
      return {game.discard_win_zh, "win on a discard"};
    case rules::WinWay::kRobbedKong:
      return {game.robbed_kong_zh, "robbed kong"};
  }
  return {};
}

rules::InlineVector<Words, 3> TitlesOf(const rules::Variant& variant, const rules::Win& win,
                                       rules::Seat dealer, const rules::Worth& worth) {
  rules::InlineVector<Words, 3> titles{WordsFor(variant.info(), win.way)};
  bool big = false;
  ForEachCounted(variant, worth, [&](const rules::Pattern& pattern) { big |= pattern.big; });
  if (big) {
    titles.push_back(win.way == rules::WinWay::kSelfDraw ? Words{"大牌自摸", "big hand, self-drawn"}
                                                         : Words{"大牌胡", "big hand"});
  }
  titles.push_back(win.seat == dealer ? Words{"庄胡", "won by the dealer"}
                                      : Words{"闲胡", "won by a non-dealer"});
  return titles;
}

Words WordsForMeld(const rules::Variant& variant, rules::MeldKind kind) {
  const rules::VariantInfo::KongNames& kong = variant.info().kong_names;
  switch (kind) {
    case rules::MeldKind::kChow:
      return {"吃", "chow"};
    case rules::MeldKind::kPung:
      return {"碰", "pung"};
    case rules::MeldKind::kDiscardKong:
      return {kong.of_discard, "discard kong"};
    case rules::MeldKind::kAddedKong:
      return {kong.added, "added kong"};
    case rules::MeldKind::kConcealedKong:
      return {kong.concealed, "concealed kong"};
  }
  return {};
}

Words WordsFor(rules::NoWin no_win) {
  switch (no_win) {
    case rules::NoWin::kNotAWinningShape:
      return {"不成胡牌牌型", "the tiles are no winning shape"};
    case rules::NoWin::kChickenNotAllowed:
      return {"鸡和不能胡", "a chicken may not win like this"};
    case rules::NoWin::kDiscardWinNotAllowed:
      return {"此牌不能点炮胡", "this hand may not win on a discard"};
  }
  return {};
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
