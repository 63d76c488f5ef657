// What a wallet would post of a round, for tests: balances by chance, often too small for the debts.
#pragma once

#include "libs/record/round_record.h"
#include "tests/support/random.h"

namespace mj::proof {

// Fills `posted` and `row`, from `scored`.
void PostSettlement(const record::RoundRecord& record, testing::Random& random,
                    record::Settled& settled);

// Fills `penalty`, where somebody escaped, and `row`.
void PostVoid(const record::RoundRecord& record, testing::Random& random, record::Voided& voided);

}  // namespace mj::proof
