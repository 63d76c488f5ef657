#include "tools/mahjongctl/crowd.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

#include "libs/base/strings.h"
#include "libs/bots/mix.h"

namespace mj::mahjongctl {
namespace {

using base::Cat;
using std::chrono::milliseconds;

constexpr std::size_t kTable = 4;
constexpr std::uint64_t kOneIn = 8;
// Long enough for some to be matched meanwhile, and too short for others.
constexpr std::uint64_t kMindMs = 400;

// It only spreads the crowd.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Below(std::uint64_t bound) {
    const std::uint64_t drawn = bots::Mix(state_);
    state_ += kStep;
    return drawn % bound;
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15ULL;
  std::uint64_t state_;
};

// How large the parties of four places are.
std::vector<int> Company(Draw& draw) {
  if (draw.Below(kOneIn) != 0) return {1, 1, 1, 1};
  switch (draw.Below(3)) {
    case 0:
      return {4};
    case 1:
      return {2, 2};
    default:
      return {1, 2, 1};
  }
}

}  // namespace

std::vector<Party> DrawCrowd(int players, milliseconds within, const std::string& prefix,
                             std::uint64_t seed) {
  Draw draw(seed);
  std::vector<Party> crowd;
  const auto span = static_cast<std::uint64_t>(within.count());
  int named = 0;
  while (named < players) {
    for (const int size : Company(draw)) {
      Party party;
      for (int i = 0; i < size; ++i) {
        party.players.push_back(Cat(prefix, "-", std::to_string(++named)));
      }
      party.comes = milliseconds(draw.Below(span));
      if (draw.Below(kOneIn) == 0) party.changes_its_mind = milliseconds(draw.Below(kMindMs));
      crowd.push_back(std::move(party));
    }
  }
  std::stable_sort(crowd.begin(), crowd.end(),
                   [](const Party& a, const Party& b) { return a.comes < b.comes; });
  return crowd;
}

std::vector<std::string> FaultsOf(const std::vector<Party>& crowd,
                                  const std::vector<GivenSeat>& seats) {
  std::vector<std::string> faults;
  std::map<std::string, std::vector<const GivenSeat*>> by_player;
  std::map<std::string, std::vector<const GivenSeat*>> by_table;
  for (const GivenSeat& seat : seats) {
    by_player[seat.player].push_back(&seat);
    by_table[seat.table].push_back(&seat);
  }
  std::set<std::string> known;
  for (const Party& party : crowd) {
    std::set<std::string> tables;
    for (const std::string& player : party.players) {
      known.insert(player);
      const auto& given = by_player[player];
      if (given.empty()) faults.push_back(Cat(player, " has no seat"));
      if (given.size() > 1) {
        faults.push_back(Cat(player, " has ", std::to_string(given.size()), " seats"));
      }
      for (const GivenSeat* seat : given) tables.insert(seat->table);
    }
    if (tables.size() > 1)
      faults.push_back(Cat(party.players.front(), " sits without its friends"));
  }
  for (const auto& [player, given] : by_player) {
    if (!known.contains(player)) faults.push_back(Cat(player, " was not in the queue"));
  }
  for (const auto& [table, given] : by_table) {
    std::set<std::string> players;
    std::set<std::uint32_t> places;
    for (const GivenSeat* seat : given) {
      players.insert(seat->player);
      places.insert(seat->seat);
    }
    const bool four = given.size() == kTable && players.size() == kTable;
    if (!four || places.size() != kTable || *places.rbegin() >= kTable) {
      faults.push_back(Cat("table ", table, " has ", std::to_string(players.size()), " players on ",
                           std::to_string(places.size()), " seats"));
    }
  }
  return faults;
}

milliseconds Percentile(std::vector<milliseconds> times, int percent) {
  if (times.empty()) return milliseconds(0);
  std::sort(times.begin(), times.end());
  const std::size_t rank = (times.size() * static_cast<std::size_t>(percent) + 99) / 100;
  return times[std::clamp<std::size_t>(rank, 1, times.size()) - 1];
}

}  // namespace mj::mahjongctl
