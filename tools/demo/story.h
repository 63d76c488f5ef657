// What four players were told of their rounds, gathered as it arrives.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/rules/seat.h"
#include "mahjong/table/v1/table_event.pb.h"

namespace mj::demo {

namespace table = ::mahjong::table::v1;
using rules::PerSeat;
using rules::Seat;

// One round as each seat's stream told it, from RoundBegan to RoundSettled or RoundVoid.
struct RoundStory {
  std::uint32_t number = 0;
  std::array<std::vector<table::TableEvent>, rules::kSeatCount> streams;

  const std::vector<table::TableEvent>& StreamOf(Seat seat) const {
    return streams[static_cast<std::size_t>(rules::IndexOf(seat))];
  }
};

// Events go in on the players' threads, whole rounds come out on the teller's.
class Stories {
 public:
  // An event of the seat's stream, in the stream's order.
  void Add(Seat seat, const table::TableEvent& event);

  // A player's part is over; nothing more comes from it.
  void Finish(Seat seat);

  // Waits until all four streams have told round `number` to its end. Nothing when all players have
  // finished before, or when no stream has told anything for `patience`.
  std::optional<RoundStory> Await(std::uint32_t number, std::chrono::nanoseconds patience);

 private:
  struct Round {
    RoundStory story;
    PerSeat<bool> over;
  };

  mutable base::Mutex mutex_;
  base::CondVar changed_;
  std::map<std::uint32_t, Round> rounds_ ABSL_GUARDED_BY(mutex_);
  PerSeat<std::uint32_t> current_
      ABSL_GUARDED_BY(mutex_);  // the round that a stream is in; 0: none
  PerSeat<bool> finished_ ABSL_GUARDED_BY(mutex_);
  std::uint64_t events_ ABSL_GUARDED_BY(mutex_) = 0;
};

// ------------------------------------------------------------------------ parts of a story

// The first event of the kind in a seat's stream; nullptr when there is none.
const table::RoundBegan* BeganIn(const RoundStory& story, Seat seat);
const table::DealDrawn* DrawnIn(const RoundStory& story, Seat seat);
const table::RoundEnded* EndedIn(const RoundStory& story, Seat seat);
const table::RoundSettled* SettledIn(const RoundStory& story, Seat seat);
const table::DiceRolled* DiceIn(const RoundStory& story, Seat seat);
const table::HorsesTurned* HorsesIn(const RoundStory& story, Seat seat);
// The thirteen tiles that the seat was dealt, mpsz.
std::string DealtTo(const RoundStory& story, Seat seat);

}  // namespace mj::demo
