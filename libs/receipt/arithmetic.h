// From a base to coins, in figures.
#pragma once

#include <cstdint>

#include "libs/ledger/coins.h"
#include "libs/receipt/names.h"
#include "libs/receipt/text.h"
#include "libs/rules/inline_vector.h"
#include "libs/rules/score.h"

namespace mj::receipt {

// One term of the product that an amount is.
struct Term {
  enum class Kind : std::uint8_t {
    kSum,      // of `parts`: "(2 + 1)"
    kPower,    // two to the sum of `parts`: "2^(4 + 2)"
    kProduct,  // of `parts`: "2 x 3"
    kOneMore,  // one and the only part: "(1 + 2)"
  };
  Kind kind = Kind::kProduct;
  rules::InlineVector<std::int64_t, 14> parts;  // at least one
  std::int64_t counts_as = 0;  // what sum or product count as: another figure under a limit
  Words unit;                  // what it is, where that has a name

  // The sum or product itself.
  std::int64_t total() const;
  bool limited() const { return total() != counts_as; }
  // What the base is multiplied by; 0 beyond int64.
  std::int64_t value() const;
};

// coins = base × terms / divisor.
struct Amount {
  rules::InlineVector<Term, 6> terms;
  int divisor = 1;
  Words unit{};           // what the whole is, where the divisor parts it from its term
  bool explained = true;  // false: the terms are the units alone, since no figure led to them
};

// How often the pattern counts in a reading to which it applies.
int TimesOf(const rules::Pattern& pattern, const rules::WinQuestion& question,
            const rules::Reading& reading);

// What `units` of a win are made of: fan, the pattern's multipliers or points, horses, shares, as far
// as the game counts them. `horses` says whether any were turned: then they are told, hit or not.
// REQUIRES: a legal win of `variant`, and units that PayWin gave.
Amount AmountOfWin(const rules::Variant& variant, const rules::WinQuestion& question,
                   const rules::Judgement& judgement, bool horses, rules::Units units);
// The same for the units that one seat owes for one kong.
Amount AmountOfKong(const rules::VariantInfo& game, const rules::Kong& kong, rules::Units units);

// Appends " x 2 x (2 x 6 -> 10)" in plain figures.
void AppendFigures(const Amount& amount, Text& out);
// The same as people write it, with what each term is: " × 2番 × (2 × 6 → 10)倍".
void AppendZh(const Amount& amount, Text& out);
void AppendEn(const Amount& amount, Text& out);

}  // namespace mj::receipt
