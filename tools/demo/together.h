// Four strangers at one table, for what is shown beside the games themselves.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "libs/player/table_player.h"
#include "libs/rules/seat.h"

namespace mj::demo {

// What they are called; and all their ids by seat, "prefix-ming" and so on.
std::string NameOfStranger(std::size_t seat);
std::vector<std::string> IdsOfStrangers(const std::string& prefix);

// `play(seat, halt)` for each of the four, each on a thread of its own, until all have come back. When
// one fails the others are halted, who would wait for it for ever. OK, or the first failure.
absl::Status PlayTogether(const std::function<absl::Status(int, player::Halt&)>& play);

}  // namespace mj::demo
