// One hand's worth, laid out for a person.
#pragma once

#include <ostream>
#include <span>

#include "libs/casefile/case.h"
#include "libs/receipt/price.h"
#include "libs/receipt/readings.h"

namespace mj::mahjongctl {

// The hand, how it was won, every reading with its verdict, the patterns that counted, each amount
// with its arithmetic, and what every seat wins or loses; Chinese in the texts' words (COM-16) and
// English side by side. REQUIRES: `priced` and `readings` are those of the only win of `one`.
void ReportHand(const casefile::Case& one, const receipt::PricedRound& priced,
                std::span<const receipt::ReadHand> readings, std::ostream& out);

}  // namespace mj::mahjongctl
