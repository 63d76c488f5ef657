// The command line of `mahjongctl ops VERB`.
#pragma once

#include <string>

#include "tools/mahjongctl/operate.h"

namespace CLI {
class App;
}

namespace mj::mahjongctl {

// Adds what `ops` takes, to be read into `arguments`, which outlives `ops`.
void AddOps(CLI::App& ops, OpsArguments& arguments, const std::string& exit_codes);

}  // namespace mj::mahjongctl
