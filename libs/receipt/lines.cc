#include "libs/receipt/lines.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "libs/receipt/counted.h"
#include "libs/receipt/names.h"
#include "libs/receipt/text.h"
#include "libs/tiles/mpsz.h"

namespace mj::receipt {
namespace {

using rules::PatternRole;

// A line's texts, until it is whole.
struct Draft {
  Text arithmetic;
  Text zh;
  Text en;

  // Appends the same in both languages, where it is the same.
  [[gnu::always_inline]] Draft& Add(std::string_view in_zh, std::string_view in_en) {
    zh += in_zh;
    en += in_en;
    return *this;
  }
  [[gnu::always_inline]] Draft& Add(std::string_view text) { return Add(text, text); }
  Draft& Add(std::int64_t number) {
    zh += number;
    en += number;
    return *this;
  }

  void WriteTo(Line& line) const {
    line.zh_begins = arithmetic.view().size();
    line.en_begins = line.zh_begins + zh.view().size();
    line.texts.reserve(line.en_begins + en.view().size());
    line.texts.append(arithmetic.view()).append(zh.view()).append(en.view());
  }
};

void AddSeats(const Debt& debt, Draft& text) {
  const std::size_t n = debt.from.size();
  text.Add("座位", n > 1 ? "seats " : "seat ");
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) text.Add("、", i + 1 == n ? " and " : ", ");
    text.Add(rules::IndexOf(debt.from[i]));
  }
  text.Add(n > 1 ? "各付" : "付", n > 1 ? " each pay " : " pays ");
  text.Add("座位", "seat ").Add(rules::IndexOf(debt.to));
}

// "CZ-11 自摸，座位0、1、3各付座位2 1200：底注100 × 2番 × 2 × 3倍", and the same in figures.
Line Begin(const rules::Variant& variant, std::int64_t base, const Debt& debt, const Amount& amount,
           Draft& text) {
  text.Add(debt.rule);
  if (const auto name = NameOf(variant, debt.rule)) {
    text.Add(" ").Add(name->zh, name->en);
  }
  text.Add("，", "; ");
  AddSeats(debt, text);
  text.Add(" ").Add(debt.coins.value());
  text.Add("：", ": base ").Add(variant.info().base_zh, "").Add(base);
  AppendZh(amount, text.zh);
  AppendEn(amount, text.en);

  text.arithmetic += base;
  AppendFigures(amount, text.arithmetic);
  text.arithmetic += " = ";
  text.arithmetic += debt.coins.value();
  return {.is_kong = false,
          .to = debt.to,
          .from = debt.from,
          .coins = debt.coins,
          .rules = {debt.rule},
          .explained = amount.explained,
          .texts = {}};
}

void AddPattern(const rules::Pattern& pattern, int times, Draft& text) {
  text.Add(pattern.id).Add(" ").Add(pattern.name_zh, pattern.name_en).Add(" ");
  if (pattern.role == PatternRole::kFan) {
    text.Add("+");
  } else {
    text.Add("×", "x");
  }
  text.Add(pattern.value * times);
  if (times > 1) text.Add("（", " (").Add(times).Add("次）", " times)");
}

// "12倍按10倍计（D-CZ-4 封顶）".
void AddLimit(const rules::Variant& variant, const Term& term, rules::RuleId rule, Draft& text) {
  text.Add("；", "; ").Add(term.total()).Add(term.unit.zh, "");
  text.Add("按", " counts as ").Add(term.counts_as).Add(term.unit.zh, "").Add("计", "");
  text.Add("（", " (").Add(rule);
  if (const auto name = NameOf(variant, rule)) text.Add(" ").Add(name->zh, name->en);
  text.Add("）", ")");
}

// "；SG-43 歼牌，座位1一家全付".
void AddKill(const rules::Variant& variant, rules::Seat killed, Line& line, Draft& text) {
  const rules::RuleId rule = variant.info().kill_rule;
  line.rules.push_back(rule);
  text.Add("；", "; ").Add(rule);
  if (const auto name = NameOf(variant, rule)) text.Add(" ").Add(name->zh, name->en);
  text.Add("，座位", "; seat ").Add(rules::IndexOf(killed)).Add("一家全付", " alone pays");
}

}  // namespace

Line LineOfWin(const rules::Variant& variant, std::int64_t base, const rules::WinQuestion& question,
               const rules::Judgement& judgement, bool horses, const Debt& debt) {
  const rules::VariantInfo& game = variant.info();
  const rules::Worth& worth = judgement.worth;
  const Amount amount = AmountOfWin(variant, question, judgement, horses, debt.units);
  Draft text;
  Line line = Begin(variant, base, debt, amount, text);

  std::int64_t points = 0;
  bool first = true;
  ForEachCounted(variant, worth, [&](const rules::Pattern& pattern) {
    line.rules.push_back(pattern.id);
    if (pattern.role == PatternRole::kPoints) points = pattern.value;
    text.Add(first ? "；" : "，", first ? "; " : ", ");
    AddPattern(pattern, TimesOf(pattern, question, judgement.reading), text);
    first = false;
  });
  if (points != 0 && points != worth.multiplier && !game.factor_rule.empty()) {
    line.rules.push_back(game.factor_rule);
  }
  if (worth.horses_hit > 0 && !game.horses_rule.empty()) line.rules.push_back(game.horses_rule);
  for (const Term& term : amount.terms) {
    if (!term.limited() || game.limit_rule == nullptr) continue;
    const rules::RuleId rule = game.limit_rule(question, worth);
    // A floor may be what decides who pays as well.
    if (rule != debt.rule) line.rules.push_back(rule);
    AddLimit(variant, term, rule, text);
  }
  text.WriteTo(line);
  return line;
}

Line LineOfKong(const rules::Variant& variant, std::int64_t base, const rules::Kong& kong,
                const Debt& debt) {
  Draft text;
  Line line = Begin(variant, base, debt, AmountOfKong(variant.info(), kong, debt.units), text);
  line.is_kong = true;
  const Words how = WordsForMeld(variant, kong.kind);
  const std::string tile = tiles::ToText(kong.tile);
  text.Add("；", "; ").Add(how.zh, how.en).Add(" ", " of ");
  text.Add(tiles::ChineseName(kong.tile), "").Add(" ", "").Add(tile);
  if (kong.paid_by && !variant.info().kill_rule.empty()) {
    AddKill(variant, *kong.paid_by, line, text);
  }
  text.WriteTo(line);
  return line;
}

}  // namespace mj::receipt
