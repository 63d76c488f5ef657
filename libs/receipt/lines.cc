#include "libs/receipt/lines.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "libs/receipt/counted.h"
#include "libs/receipt/names.h"
#include "libs/tiles/mpsz.h"

namespace mj::receipt {
namespace {

using rules::PatternRole;

// Most lines fit; a longer one grows.
constexpr std::size_t kTextBytes = 320;

// Appends the same in both languages, where it is the same.
class Both {
 public:
  explicit Both(Line& line) : zh(line.text_zh), en(line.text_en) {}

  Both& Add(std::string_view in_zh, std::string_view in_en) {
    zh += in_zh;
    en += in_en;
    return *this;
  }
  Both& Add(std::string_view text) { return Add(text, text); }
  Both& Add(std::int64_t number) {
    AppendNumber(number, zh);
    AppendNumber(number, en);
    return *this;
  }

  std::string& zh;
  std::string& en;
};

void AddSeats(const Debt& debt, Both& text) {
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
Line Begin(const rules::Variant& variant, std::int64_t base, const Debt& debt,
           const Amount& amount) {
  Line line{.is_kong = false,
            .to = debt.to,
            .from = debt.from,
            .coins = debt.coins,
            .rules = {debt.rule},
            .arithmetic = {},
            .text_zh = {},
            .text_en = {},
            .explained = amount.explained};
  line.text_zh.reserve(kTextBytes);
  line.text_en.reserve(kTextBytes);
  Both text(line);
  text.Add(debt.rule);
  if (const auto name = NameOf(variant, debt.rule)) {
    text.Add(" ").Add(name->zh, name->en);
  }
  text.Add("，", "; ");
  AddSeats(debt, text);
  text.Add(" ").Add(debt.coins.value()).Add("：底注", ": base ").Add(base);
  AppendZh(amount, text.zh);
  AppendEn(amount, text.en);

  AppendNumber(base, line.arithmetic);
  AppendFigures(amount, line.arithmetic);
  line.arithmetic += " = ";
  AppendNumber(debt.coins.value(), line.arithmetic);
  return line;
}

void AddPattern(const rules::Pattern& pattern, int times, Both& text) {
  text.Add(pattern.id).Add(" ").Add(pattern.name_zh, pattern.name_en).Add(" ");
  if (pattern.role == PatternRole::kFan) {
    text.Add("+");
  } else {
    text.Add("×", "x");
  }
  text.Add(pattern.value * times);
  if (times > 1) text.Add("（", " (").Add(times).Add("次）", " times)");
}

// "12倍按10倍计（D-CZ-4）".
void AddLimit(const Term& term, rules::RuleId rule, Both& text) {
  text.Add("；", "; ").Add(term.total()).Add(term.unit.zh, "");
  text.Add("按", " counts as ").Add(term.counts_as).Add(term.unit.zh, "").Add("计", "");
  text.Add("（", " (").Add(rule).Add("）", ")");
}

}  // namespace

Line LineOfWin(const rules::Variant& variant, std::int64_t base, const rules::WinQuestion& question,
               const rules::Judgement& judgement, bool horses, const Debt& debt) {
  const rules::VariantInfo& game = variant.info();
  const rules::Worth& worth = judgement.worth;
  const Amount amount = AmountOfWin(variant, question, judgement, horses, debt.units);
  Line line = Begin(variant, base, debt, amount);
  Both text(line);

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
    AddLimit(term, rule, text);
  }
  return line;
}

Line LineOfKong(const rules::Variant& variant, std::int64_t base, const rules::Kong& kong,
                const Debt& debt) {
  Line line = Begin(variant, base, debt, AmountOfKong(variant.info(), kong, debt.units));
  line.is_kong = true;
  const Words how = WordsForMeld(variant, kong.kind);
  const std::string tile = tiles::ToText(kong.tile);
  Both text(line);
  text.Add("；", "; ").Add(how.zh, how.en).Add(" ", " of ");
  text.Add(tiles::ChineseName(kong.tile), "").Add(" ", "").Add(tile);
  return line;
}

}  // namespace mj::receipt
