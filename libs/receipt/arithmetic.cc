#include "libs/receipt/arithmetic.h"

#include <algorithm>
#include <string_view>

#include "libs/receipt/counted.h"

namespace mj::receipt {
namespace {

using rules::PatternRole;

constexpr std::int64_t kMostDoublings = 62;

std::int64_t Times(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? 0 : product;
}

Term Plain(std::int64_t value, Words unit = {}) {
  return {.kind = Term::Kind::kProduct, .parts = {value}, .counts_as = value, .unit = unit};
}

// Fan of the way it was won, then of the patterns.
Term FanTerm(const rules::Variant& variant, const rules::WinQuestion& question,
             const rules::Judgement& judgement) {
  const rules::VariantInfo& game = variant.info();
  const rules::Worth& worth = judgement.worth;
  Term term{.kind = game.fan_doubles ? Term::Kind::kPower : Term::Kind::kSum,
            .parts = {},
            .counts_as = worth.fan,
            .unit = {"番", "fan"}};
  // Limits are on the fan where they double, else on the multiplier.
  std::int64_t by_way = game.fan_doubles ? worth.before_limit : worth.fan;
  // The way's own part stands first, and is known last.
  term.parts.push_back(0);
  ForEachCounted(variant, worth, [&](const rules::Pattern& pattern) {
    if (pattern.role != PatternRole::kFan || pattern.value == 0) return;
    const std::int64_t fan = pattern.value * TimesOf(pattern, question, judgement.reading);
    by_way -= fan;
    term.parts.push_back(fan);
  });
  term.parts[0] = by_way;
  if (by_way == 0 && term.parts.size() > 1) {
    std::copy(term.parts.begin() + 1, term.parts.end(), term.parts.begin());
    term.parts.pop_back();
  }
  return term;
}

// Multipliers, or what the points of the one pattern are multiplied by and they themselves.
void AddMultipliers(const rules::Variant& variant, const rules::WinQuestion& question,
                    const rules::Worth& worth, Amount& amount) {
  Term term{
      .kind = Term::Kind::kProduct, .parts = {}, .counts_as = worth.multiplier, .unit = {"倍", ""}};
  ForEachCounted(variant, worth, [&](const rules::Pattern& pattern) {
    if (pattern.role == PatternRole::kMultiplier) term.parts.push_back(pattern.value);
    if (pattern.role != PatternRole::kPoints || pattern.value == 0) return;
    if (worth.multiplier != pattern.value) {
      const bool robbed = question.win->way == rules::WinWay::kRobbedKong;
      const Words way = WordsFor(variant.info(), question.win->way);
      amount.terms.push_back(Plain(worth.multiplier / pattern.value,
                                   {way.zh, robbed ? "for the robbed kong" : "for the self-draw"}));
    }
    amount.terms.push_back(Plain(pattern.value, {"分", "points"}));
  });
  // Points are the only pattern of their hand.
  if (!term.parts.empty()) amount.terms.push_back(term);
}

// What the terms come to, in units; 0 beyond int64.
std::int64_t UnitsOf(const Amount& amount, const rules::VariantInfo& game) {
  std::int64_t units = game.units_per_base / amount.divisor;
  for (const Term& term : amount.terms) units = Times(units, term.value());
  return units;
}

Amount InUnits(const rules::VariantInfo& game, rules::Units units, rules::Units shares) {
  const bool whole = units % (game.units_per_base * shares) == 0;
  Amount amount{.terms = {Plain(units / shares / (whole ? game.units_per_base : 1))},
                .divisor = whole ? 1 : game.units_per_base};
  if (shares > 1) amount.terms.push_back(Plain(shares, {"份", "shares"}));
  return amount;
}

// Signs and names of one way of writing.
struct Style {
  std::string_view times;
  std::string_view arrow;
  std::string_view before_unit;
  std::string_view Words::* unit;  // null: figures alone
};

void AppendParts(const Term& term, const Style& style, Text& out) {
  const std::string_view sign = term.kind == Term::Kind::kProduct ? style.times : " + ";
  for (std::size_t i = 0; i < term.parts.size(); ++i) {
    if (i > 0) out += sign;
    out += term.parts[i];
  }
}

void AppendUnit(const Words& unit, const Style& style, Text& out) {
  if (style.unit == nullptr || (unit.*style.unit).empty()) return;
  out += style.before_unit;
  out += unit.*style.unit;
}

void Append(const Term& term, const Style& style, Text& out) {
  if (term.kind == Term::Kind::kPower) out += "2^";
  const bool one_more = term.kind == Term::Kind::kOneMore;
  const bool bracket =
      one_more || term.limited() || (term.parts.size() > 1 && term.kind != Term::Kind::kProduct);
  if (bracket) out += "(";
  if (one_more) out += "1 + ";
  AppendParts(term, style, out);
  if (term.limited()) {
    out += style.arrow;
    out += term.counts_as;
  }
  if (one_more) AppendUnit(term.unit, style, out);  // "(1 + 2 horses)"
  if (bracket) out += ")";
  if (!one_more) AppendUnit(term.unit, style, out);
}

void Append(const Amount& amount, const Style& style, Text& out) {
  for (const Term& term : amount.terms) {
    out += style.times;
    Append(term, style, out);
  }
  if (amount.divisor != 1) {
    out += " / ";
    out += std::int64_t{amount.divisor};
  }
  AppendUnit(amount.unit, style, out);
}

}  // namespace

std::int64_t Term::total() const {
  std::int64_t total = kind == Kind::kProduct ? 1 : 0;
  for (const std::int64_t part : parts) {
    total = kind == Kind::kProduct ? Times(total, part) : total + part;
  }
  return total;
}

std::int64_t Term::value() const {
  if (kind == Kind::kOneMore) return 1 + counts_as;
  if (kind != Kind::kPower) return counts_as;
  return counts_as >= 0 && counts_as <= kMostDoublings ? std::int64_t{1} << counts_as : 0;
}

int TimesOf(const rules::Pattern& pattern, const rules::WinQuestion& question,
            const rules::Reading& reading) {
  return pattern.times == nullptr ? 1 : pattern.times(question, reading);
}

Amount AmountOfWin(const rules::Variant& variant, const rules::WinQuestion& question,
                   const rules::Judgement& judgement, bool horses, rules::Units units) {
  const rules::VariantInfo& game = variant.info();
  const rules::Worth& worth = judgement.worth;
  Amount amount;
  if (game.counts_fan) amount.terms.push_back(FanTerm(variant, question, judgement));
  if (game.counts_multiplier) AddMultipliers(variant, question, worth, amount);
  if (game.counts_horses && (horses || worth.horses_hit > 0)) {
    amount.terms.push_back({.kind = Term::Kind::kOneMore,
                            .parts = {worth.horses_hit},
                            .counts_as = worth.horses_hit,
                            .unit = {"马", "horses"}});
  }
  if (worth.share > 0 && units != worth.share && units % worth.share == 0) {
    amount.terms.push_back(Plain(units / worth.share, {"份", "shares"}));
  }
  if (amount.terms.empty()) amount.terms.push_back(Plain(1));
  if (UnitsOf(amount, game) == units) return amount;
  Amount plain = InUnits(game, units, 1);
  plain.explained = false;
  return plain;
}

Amount AmountOfKong(const rules::VariantInfo& game, const rules::Kong& kong, rules::Units units) {
  constexpr rules::Units kPayers = rules::kSeatCount - 1;
  const bool for_all = kong.paid_by && units % kPayers == 0;
  Amount amount = InUnits(game, units, for_all ? kPayers : 1);
  Words& unit = amount.divisor == 1 ? amount.terms[0].unit : amount.unit;
  unit = {game.kong_names.unit_zh, game.kong_names.unit_en};
  return amount;
}

void AppendFigures(const Amount& amount, Text& out) {
  Append(amount, {" x ", " -> ", "", nullptr}, out);
}
void AppendZh(const Amount& amount, Text& out) {
  Append(amount, {" × ", " → ", "", &Words::zh}, out);
}
void AppendEn(const Amount& amount, Text& out) {
  Append(amount, {" x ", " -> ", " ", &Words::en}, out);
}

}  // namespace mj::receipt
