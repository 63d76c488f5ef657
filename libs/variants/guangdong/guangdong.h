// Guangdong mahjong 广东麻将, the 鸡平和 rules.
#pragma once

#include "libs/rules/variant.h"

namespace mj::variants::guangdong {

// Positions in the options' table.
enum Option : std::size_t { kAllowChicken };

const rules::Variant& Game();

}  // namespace mj::variants::guangdong
