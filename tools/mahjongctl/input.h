// Where a command's documents come from.
#pragma once

#include <optional>
#include <string>

namespace mj::mahjongctl {

// All of a file, or of standard input for "-". Nothing when it cannot be read; errno says why.
std::optional<std::string> ReadInput(const std::string& path);

}  // namespace mj::mahjongctl
