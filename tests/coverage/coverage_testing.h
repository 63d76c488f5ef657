#pragma once

#include <vector>

#include "tests/coverage/table.h"

namespace mj::coverage {

// The whole table, read from tests/coverage/rules/. A file that cannot be read is a failed
// expectation. Run from the root.
std::vector<Section> Sections();

}  // namespace mj::coverage
