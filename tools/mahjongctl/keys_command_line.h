// The command line of `mahjongctl keys WHAT`.
#pragma once

#include <string>

#include "tools/mahjongctl/make_keys.h"

namespace CLI {
class App;
}

namespace mj::mahjongctl {

// Adds what `keys` takes, to be read into `arguments`, which outlives `keys`.
void AddKeys(CLI::App& keys, KeysArguments& arguments, const std::string& exit_codes);

}  // namespace mj::mahjongctl
