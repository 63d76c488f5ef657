// Record → report.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "libs/proof/report.h"
#include "libs/receipt/price.h"
#include "libs/record/round_record.h"
#include "libs/rules/variant.h"

namespace mj::proof {

// A score that was recomputed.
struct Recomputed {
  const rules::Variant& game;
  std::string_view rulebook_version;
  const rules::FinishedRound& round;
  const receipt::PricedRound& priced;
};

// Where the scorer's answer as it was recorded (RoundScored::score, whose form is not known here)
// differs from what it would answer now; nothing where it does not. libs/wire has it.
using ScoreMisfit =
    std::function<std::optional<std::string>(std::string_view answer, const Recomputed& now)>;

// Recomputes the whole round. Pure but for what `score_misfit` does; thread-safe; any record has a
// report.
[[nodiscard]] Report Verify(const record::RoundRecord& record, const ScoreMisfit& score_misfit);

}  // namespace mj::proof
