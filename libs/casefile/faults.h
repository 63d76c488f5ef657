// What a refused round looks like to whoever wrote the case.
#pragma once

#include "libs/casefile/fields.h"
#include "libs/rules/check.h"

namespace mj::casefile {

// The field at fault, and what is wrong there, with the offending tile where there is one.
// REQUIRES: CheckRound(…, round) answered `refusal`.
FormatError ToFormatError(const rules::RoundRefusal& refusal, const rules::FinishedRound& round);

}  // namespace mj::casefile
