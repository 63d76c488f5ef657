#include "tools/demo/checks.h"

#include <array>

#include "libs/base/strings.h"

namespace mj::demo {
namespace {

using base::Cat;
using rules::kSeats;
using table::TableEvent;

std::uint32_t Number(Seat seat) { return static_cast<std::uint32_t>(rules::IndexOf(seat)); }

std::string SeatText(Seat seat) { return Cat("seat ", std::to_string(rules::IndexOf(seat))); }

// A hidden tile in the stream of a seat that must not see it.
void LookForLeaks(const RoundStory& story, Seat seat, std::vector<std::string>& problems) {
  for (const TableEvent& event : story.StreamOf(seat)) {
    const bool others_draw = event.event_case() == TableEvent::kTileDrawn &&
                             event.tile_drawn().seat() != Number(seat) &&
                             !event.tile_drawn().tile().empty();
    if (others_draw) problems.push_back(Cat(SeatText(seat), " was shown another's draw"));
    const bool early_seed = event.event_case() == TableEvent::kRoundBegan &&
                            event.round_began().seed_hash().size() != 32;
    const bool early_nonce = event.event_case() == TableEvent::kDealDrawn &&
                             event.deal_drawn().nonces_size() != rules::kSeatCount;
    if (early_nonce) problems.push_back(Cat(SeatText(seat), " was not told the four nonces"));
    if (early_seed) problems.push_back(Cat(SeatText(seat), " was shown no hash of the seed"));
  }
}

void CompareStreams(const RoundStory& story, std::vector<std::string>& problems) {
  for (const Seat seat : kSeats) {
    if (BeganIn(story, seat) == nullptr || DrawnIn(story, seat) == nullptr ||
        EndedIn(story, seat) == nullptr || SettledIn(story, seat) == nullptr ||
        DealtTo(story, seat).empty()) {
      problems.push_back(Cat(SeatText(seat), " was not told the whole round"));
      continue;
    }
    const bool same =
        SettledIn(story, seat)->SerializeAsString() ==
            SettledIn(story, Seat::k0)->SerializeAsString() &&
        EndedIn(story, seat)->SerializeAsString() == EndedIn(story, Seat::k0)->SerializeAsString();
    if (!same) problems.push_back(Cat(SeatText(seat), " was told another end than seat 0"));
  }
}

void AddUp(const table::RoundSettled& settled, rules::PerSeat<std::int64_t>& balances,
           std::vector<std::string>& problems) {
  if (settled.seats_size() != rules::kSeatCount ||
      settled.score().net_size() != rules::kSeatCount) {
    problems.push_back("the settlement does not name four seats");
    return;
  }
  std::array<std::int64_t, rules::kSeatCount> by_transfer{};
  for (const auto& transfer : settled.score().transfers()) {
    by_transfer.at(transfer.from_seat() % rules::kSeatCount) -= transfer.coins();
    by_transfer.at(transfer.to_seat() % rules::kSeatCount) += transfer.coins();
  }
  std::int64_t all = 0;
  for (const Seat seat : kSeats) {
    const int i = rules::IndexOf(seat);
    const table::SeatResult& result = settled.seats(i);
    all += result.net() + result.rake();
    if (by_transfer.at(static_cast<std::size_t>(i)) != settled.score().net(i)) {
      problems.push_back(Cat(SeatText(seat), ": the transfers do not add up to its net"));
    }
    if (settled.shortfalls().empty() && result.net() + result.rake() != settled.score().net(i)) {
      problems.push_back(Cat(SeatText(seat), ": paid other than it was scored"));
    }
    if (balances[seat] + result.net() != result.balance()) {
      problems.push_back(Cat(SeatText(seat), ": the balance does not follow from the one before"));
    }
    balances[seat] = result.balance();
  }
  if (all != 0) problems.push_back("net and rake do not sum to zero");
}

}  // namespace

std::vector<std::string> ProblemsOf(const RoundStory& story,
                                    rules::PerSeat<std::int64_t>& balances) {
  std::vector<std::string> problems;
  CompareStreams(story, problems);
  for (const Seat seat : kSeats) LookForLeaks(story, seat, problems);
  if (const table::RoundSettled* settled = SettledIn(story, Seat::k0)) {
    AddUp(*settled, balances, problems);
  }
  return problems;
}

}  // namespace mj::demo
