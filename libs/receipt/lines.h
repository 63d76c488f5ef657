// One amount of a receipt in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "libs/ledger/coins.h"
#include "libs/receipt/arithmetic.h"
#include "libs/rules/inline_vector.h"
#include "libs/rules/score.h"

namespace mj::receipt {

using rules::Seat;

// One amount and how it was reached: a win, or one kong.
struct Line {
  bool is_kong = false;
  Seat to = Seat::k0;
  rules::InlineVector<Seat, 3> from;  // ascending
  ledger::Coins coins;                // what each of `from` pays
  // The one that says who pays first, then the patterns, then what else shaped the amount.
  rules::InlineVector<rules::RuleId, 16> rules;
  bool explained = true;  // Amount::explained

  // "100 x 3 x 2 x 3 = 1800", in the words of ReceiptLine.arithmetic.
  std::string_view arithmetic() const { return Part(0, zh_begins); }
  std::string_view text_zh() const { return Part(zh_begins, en_begins); }
  std::string_view text_en() const { return Part(en_begins, texts.size()); }

  // The three one after the other: one allocation.
  std::string texts;
  std::size_t zh_begins = 0;
  std::size_t en_begins = 0;

 private:
  std::string_view Part(std::size_t begin, std::size_t end) const {
    return std::string_view(texts).substr(begin, end - begin);
  }
};

// Equal debts to one seat under one rule.
struct Debt {
  Seat to = Seat::k0;
  rules::InlineVector<Seat, 3> from;
  rules::Units units = 0;
  rules::RuleId rule;
  ledger::Coins coins;  // of `units`
};

// `horses`: whether any were turned. REQUIRES: a legal win of `variant` at `base`, and what PayWin
// said of it.
Line LineOfWin(const rules::Variant& variant, std::int64_t base, const rules::WinQuestion& question,
               const rules::Judgement& judgement, bool horses, const Debt& debt);

// REQUIRES: what PayKongs said of `kong` alone.
Line LineOfKong(const rules::Variant& variant, std::int64_t base, const rules::Kong& kong,
                const Debt& debt);

}  // namespace mj::receipt
