// What a case must come to, as the format writes it.
#pragma once

#include <variant>

#include "libs/casefile/case.h"
#include "libs/rules/score.h"

namespace mj::casefile {

// The `expect` object: wins in order, transfers, net; in coins. A FormatError when an amount
// would not fit (only a game without bounds on fan could).
std::variant<OrderedJson, FormatError> Expect(const Case& the_case);

}  // namespace mj::casefile
