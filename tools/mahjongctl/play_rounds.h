// mahjongctl round --rounds: what every round of a file comes to when it is played.
#pragma once

#include <ostream>
#include <string_view>

#include "tools/mahjongctl/exit_code.h"

namespace mj::mahjongctl {

// One line for each document of `text`, in order: {"id", "steps", "result"}, or {"id", "error"} for
// one that is malformed, or in which a choice was not offered; the error names the step.
ExitCode PlayRounds(std::string_view text, std::ostream& out);

}  // namespace mj::mahjongctl
