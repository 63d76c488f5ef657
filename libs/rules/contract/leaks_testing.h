// That nobody is told what is not for them.
#pragma once

#include <cstdint>
#include <string>

#include "libs/round/view.h"
#include "libs/rules/variant.h"

namespace mj::rules::contract {

// What a viewer is shown, for a check that wants to break it: round::Filter and round::Project.
struct Showing {
  std::optional<round::SeatEvent> (*filter)(const round::Event&, const round::Viewer&);
  round::SeatView (*project)(const round::Setup&, const round::State&, const round::Viewer&);
};
Showing RealShowing();

// Plays `count` rounds from `seed` up to some moment, then again with all tiles that a viewer has
// not seen by then dealt to each other's places, the same choices made. The viewer, a seat, one
// who watches a seat, or the public, must be shown the same. The first difference in words, empty
// when there is none.
//
// What others are asked changes with their tiles: whoever is asked only the second time passes.
std::string CheckLeaks(const Variant& game, std::int64_t count, std::uint64_t seed,
                       const Showing& showing = RealShowing());

}  // namespace mj::rules::contract
