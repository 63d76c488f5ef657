// The patterns that a win counted, as rows of its game's table.
#pragma once

#include <bit>
#include <cstddef>
#include <span>

#include "libs/rules/variant.h"

namespace mj::receipt {

// Calls `visit(const rules::Pattern&)` for each, in the table's order. REQUIRES: `worth` is one that
// `variant` appraised.
template <typename Visit>
void ForEachCounted(const rules::Variant& variant, const rules::Worth& worth, Visit&& visit) {
  const std::span<const rules::Pattern> table = variant.patterns();
  for (rules::RowMask left = worth.patterns.rows(); left != 0; left &= left - 1) {
    visit(table[static_cast<std::size_t>(std::countr_zero(left))]);
  }
}

}  // namespace mj::receipt
