// What a round takes over from the one before it at its table: its record alone cannot show that.
#pragma once

#include <optional>

#include "libs/proof/replay.h"
#include "libs/record/round_record.h"

namespace mj::proof {

// Whether `before` is the round before `round`, whose dealer and winds were not drawn anew: then
// Follows has something to say.
[[nodiscard]] bool IsBefore(const record::RoundRecord& before, const record::RoundRecord& round);

// Why dealer and winds of `round` are not those that follow from `before`; nothing where they are.
// REQUIRES: IsBefore, and Verify(before) fits.
[[nodiscard]] std::optional<Misfit> Follows(const record::RoundRecord& before,
                                            const record::RoundRecord& round);

}  // namespace mj::proof
