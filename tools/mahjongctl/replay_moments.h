// A recorded round as a row of moments, for whoever shows it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "libs/narration/narrator.h"
#include "libs/proof/replay.h"
#include "libs/record/round_record.h"
#include "libs/round/state.h"

namespace mj::mahjongctl {

// Behind one event of the record.
struct Moment {
  record::Time time{};
  narration::Sentence told;        // the event
  std::size_t event = 0;           // its index in the record
  round::State state;              // all four hands
  rules::PerSeat<bool> auto_play;  // for whom the system plays
};

struct Replay {
  const rules::Variant* game = nullptr;
  std::vector<Moment> moments;          // as far as the events fit the rules
  std::optional<proof::Misfit> misfit;  // and what does not; then nothing follows
};

// Names for people: "2 juan-17", ids by their end where they are long; "3 bot".
[[nodiscard]] rules::PerSeat<std::string> NamesOf(const record::RoundRecord& record);

// Nothing for a game or rulebook that this program does not have. No moments where the round was void
// before its deal.
[[nodiscard]] std::optional<Replay> ReplayOf(const record::RoundRecord& record);

// What came of it in the end, a sentence each: won, exhausted or void; paid.
[[nodiscard]] std::vector<narration::Sentence> OutcomeOf(const record::RoundRecord& record);
// The same, with other names.
[[nodiscard]] std::vector<narration::Sentence> OutcomeOf(const record::RoundRecord& record,
                                                         const rules::PerSeat<std::string>& names);

// Tiles of one kind of list as text: the concealed ones without the one just drawn, and that.
struct ShownHand {
  tiles::TileCounts resting;
  std::optional<tiles::Tile> drawn;
};
[[nodiscard]] ShownHand HandOf(const round::State& state, rules::Seat seat);

// Whose turn it is, or whose tile lies to be claimed.
[[nodiscard]] std::optional<rules::Seat> ActorOf(const round::State& state);

}  // namespace mj::mahjongctl
