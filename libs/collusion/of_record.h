// A round's record, as far as collusion is looked for in it.
#pragma once

#include <optional>

#include "libs/collusion/played.h"
#include "libs/record/round_record.h"

namespace mj::collusion {

// Nothing of a round that is void, or that was not played for coins. The record is taken at its word (libs/proof proves
// one).
[[nodiscard]] std::optional<Round> OfRecord(const record::RoundRecord& record);

}  // namespace mj::collusion
