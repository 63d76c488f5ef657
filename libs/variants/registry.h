// The games that this build plays.
#pragma once

#include <span>
#include <string_view>

#include "libs/rules/variant.h"

namespace mj::variants {

// Every game, sorted by id. Static lifetime; any thread.
std::span<const rules::Variant* const> All();

// The game with this id, or null.
const rules::Variant* Find(std::string_view id);

}  // namespace mj::variants
