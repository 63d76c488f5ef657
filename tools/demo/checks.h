// What must hold of every round, as the players were told it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/demo/print.h"
#include "tools/demo/story.h"

namespace mj::demo {

// Every way in which the round's telling is wrong; none for a good one:
//
//   the four streams tell the same end and the same settlement, in the table's own terms;
//   no stream holds a tile that its seat could not see before the end;
//   what was won and lost adds up: transfers to net, net and rake to zero, and each balance to the
//   one before it.
//
// `balances` are those before the round; afterwards those after it. REQUIRES: the story was told
// to its end.
std::vector<std::string> ProblemsOf(const RoundStory& story,
                                    rules::PerSeat<std::int64_t>& balances);

}  // namespace mj::demo
