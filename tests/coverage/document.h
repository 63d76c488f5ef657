#pragma once

#include <span>
#include <string>

#include "tests/coverage/table.h"

namespace mj::coverage {

// docs/rules/coverage.md: for each section a table of its rules, what each says, and its tests.
std::string CoverageDocument(std::span<const Section> sections);

}  // namespace mj::coverage
