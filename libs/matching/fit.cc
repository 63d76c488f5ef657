#include "libs/matching/fit.h"

#include <algorithm>

namespace mj::matching {
namespace {

bool MayMeet(const Ticket& a, const Ticket& b) {
  return a.id != b.id && a.player != b.player && a.pool == b.pool;
}

}  // namespace

bool Fits(const Ticket& candidate, std::span<const Ticket* const> group, TimeMs /*now*/) {
  return std::all_of(group.begin(), group.end(),
                     [&](const Ticket* member) { return MayMeet(candidate, *member); });
}

}  // namespace mj::matching
