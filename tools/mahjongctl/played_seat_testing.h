// A round played at random in memory, as the stream of one of its seats.
#pragma once

#include <cstdint>
#include <functional>

#include "libs/rules/variant.h"
#include "tools/mahjongctl/seat_table.h"

namespace mj::mahjongctl {

// Before the server's time of the first event; each next one is a second later.
inline constexpr base::WallTime kStreamBegins{std::chrono::seconds(1'000'000'000)};
inline constexpr std::int64_t kShownBase = 100;

// Four bots play one round; `table` takes what a table service would tell seat 0 of it, up to the event
// after which `stop` says so or, where it never does, to the receipt and the question whether to play on.
void FollowRound(const rules::Variant& game, std::uint64_t seed, SeatTable& table,
                 const std::function<bool(const SeatTable&)>& stop = {});

}  // namespace mj::mahjongctl
