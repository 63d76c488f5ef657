#include "libs/receipt/names.h"

#include <algorithm>

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

Words WordsFor(rules::WinWay way) {
  switch (way) {
    case rules::WinWay::kSelfDraw:
      return {"自摸", "self-draw"};
    case rules::WinWay::kDiscard:
      return {"点炮胡", "win on a discard"};
    case rules::WinWay::kRobbedKong:
      return {"抢杠胡", "robbed kong"};
  }
  return {};
}

rules::InlineVector<Words, 3> TitlesOf(const rules::Variant& variant, const rules::Win& win,
                                       rules::Seat dealer, const rules::Worth& worth) {
  rules::InlineVector<Words, 3> titles{WordsFor(win.way)};
  const bool big = std::any_of(worth.patterns.begin(), worth.patterns.end(), [&](rules::RuleId id) {
    const rules::Pattern* pattern = FindPattern(variant, id);
    return pattern != nullptr && pattern->big;
  });
  if (big) {
    titles.push_back(win.way == rules::WinWay::kSelfDraw ? Words{"大牌自摸", "big hand, self-drawn"}
                                                         : Words{"大牌胡", "big hand"});
  }
  titles.push_back(win.seat == dealer ? Words{"庄胡", "won by the dealer"}
                                      : Words{"闲胡", "won by a non-dealer"});
  return titles;
}

Words WordsForKong(rules::MeldKind kind) {
  switch (kind) {
    case rules::MeldKind::kDiscardKong:
      return {"点杠", "discard kong"};
    case rules::MeldKind::kAddedKong:
      return {"明杠", "added kong"};
    case rules::MeldKind::kConcealedKong:
      return {"暗杠", "concealed kong"};
    case rules::MeldKind::kChow:
    case rules::MeldKind::kPung:
      break;
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
