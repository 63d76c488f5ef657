#include "tools/demo/story.h"

#include <algorithm>
#include <utility>

namespace mj::demo {
namespace {

using table::TableEvent;

const TableEvent* FindIn(const RoundStory& story, Seat seat, TableEvent::EventCase kind) {
  for (const TableEvent& event : story.StreamOf(seat)) {
    if (event.event_case() == kind) return &event;
  }
  return nullptr;
}

bool All(const PerSeat<bool>& flags) {
  return std::all_of(flags.begin(), flags.end(), [](bool flag) { return flag; });
}

}  // namespace

void Stories::Add(Seat seat, const TableEvent& event) {
  base::MutexLock lock(mutex_);
  if (event.event_case() == TableEvent::kRoundBegan) {
    current_[seat] = event.round_began().round_number();
  }
  ++events_;
  const std::uint32_t number = current_[seat];
  if (number == 0) return;
  Round& round = rounds_[number];
  round.story.number = number;
  round.story.streams[static_cast<std::size_t>(rules::IndexOf(seat))].push_back(event);
  if (event.event_case() == TableEvent::kRoundSettled ||
      event.event_case() == TableEvent::kRoundVoid) {
    round.over[seat] = true;
    current_[seat] = 0;
  }
  changed_.NotifyAll();
}

void Stories::Finish(Seat seat) {
  base::MutexLock lock(mutex_);
  finished_[seat] = true;
  changed_.NotifyAll();
}

std::optional<RoundStory> Stories::Await(std::uint32_t number, std::chrono::nanoseconds patience) {
  base::MutexLock lock(mutex_);
  while (true) {
    const auto round = rounds_.find(number);
    if (round != rounds_.end() && All(round->second.over)) return round->second.story;
    if (All(finished_)) return std::nullopt;
    const std::uint64_t before = events_;
    if (!changed_.WaitFor(mutex_, patience) && events_ == before) return std::nullopt;
  }
}

const table::RoundBegan* BeganIn(const RoundStory& story, Seat seat) {
  const TableEvent* event = FindIn(story, seat, TableEvent::kRoundBegan);
  return event == nullptr ? nullptr : &event->round_began();
}
const table::DealDrawn* DrawnIn(const RoundStory& story, Seat seat) {
  const TableEvent* event = FindIn(story, seat, TableEvent::kDealDrawn);
  return event == nullptr ? nullptr : &event->deal_drawn();
}
const table::RoundEnded* EndedIn(const RoundStory& story, Seat seat) {
  const TableEvent* event = FindIn(story, seat, TableEvent::kRoundEnded);
  return event == nullptr ? nullptr : &event->round_ended();
}
const table::RoundSettled* SettledIn(const RoundStory& story, Seat seat) {
  const TableEvent* event = FindIn(story, seat, TableEvent::kRoundSettled);
  return event == nullptr ? nullptr : &event->round_settled();
}
const table::DiceRolled* DiceIn(const RoundStory& story, Seat seat) {
  const TableEvent* event = FindIn(story, seat, TableEvent::kDiceRolled);
  return event == nullptr ? nullptr : &event->dice_rolled();
}
const table::HorsesTurned* HorsesIn(const RoundStory& story, Seat seat) {
  const TableEvent* event = FindIn(story, seat, TableEvent::kHorsesTurned);
  return event == nullptr ? nullptr : &event->horses_turned();
}
std::string DealtTo(const RoundStory& story, Seat seat) {
  const TableEvent* event = FindIn(story, seat, TableEvent::kTilesDealt);
  return event == nullptr ? std::string() : event->tiles_dealt().hand();
}

}  // namespace mj::demo
