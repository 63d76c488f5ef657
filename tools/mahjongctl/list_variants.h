// mahjongctl variants: the games, for a person to read.
#pragma once

#include <ostream>
#include <string>

#include "tools/mahjongctl/exit_code.h"

namespace mj::mahjongctl {

// All games with their rulebook versions and options; or, for one `variant`, its tables too.
// kFailed, and the games there are on `err`, when there is none of that id.
// `json`: a JSON object a game, with its tables.
ExitCode ListVariants(const std::string& variant, bool json, std::ostream& out, std::ostream& err);

}  // namespace mj::mahjongctl
