// The demo's flags.
#pragma once

#include <variant>

#include "tools/demo/demo.h"

namespace mj::demo {

// The options, or the exit code when help or a mistake has been printed: 0, or 2.
std::variant<DemoOptions, int> ParseCommandLine(int argc, const char* const* argv);

}  // namespace mj::demo
