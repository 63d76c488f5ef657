// A whole round from its wall and the choices that were made: the form of tests/cases/rounds.jsonl,
// of `mahjongctl round`, of bug reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "libs/round/choice.h"
#include "libs/round/decide.h"

namespace mj::round {

enum class StepPhase : std::uint8_t {
  kTurn,     // seat to act; the tile just drawn, none after a chow or pung
  kDiscard,  // seat threw tile
  kRobbery,  // seat adds tile to its pung
};

// One decision point. Where the dealer is asked to roll, that is none: the transcript rolls.
struct Step {
  StepPhase phase = StepPhase::kTurn;
  Seat seat = Seat::k0;
  std::optional<Tile> tile;
  int left = 0;
  PerSeat<std::optional<Offer>> offers;
  bool operator==(const Step&) const = default;
};

enum class TranscriptFault : std::uint8_t {
  kNotAsked,       // a choice of a seat that has nothing to decide
  kNotOffered,     // a choice that is none of the seat's
  kChoiceMissing,  // a seat that is asked, and whose answer matters, has no choice
  kChoicesLeft,    // the round is over before the choices are
  kNotOver,        // the choices are over before the round is
};

struct TranscriptError {
  TranscriptFault fault = TranscriptFault::kNotAsked;
  std::size_t step = 0;      // counted from 0
  std::optional<Seat> seat;  // the first three
  bool operator==(const TranscriptError&) const = default;
};

struct Transcript {
  std::vector<Step> steps;    // up to the error, the step at fault included
  std::vector<Event> events;  // everything that happened
  State state;                // as it stood at the end
  std::optional<TranscriptError> error;
};

// Plays `chosen`, one entry for each decision point: what each seat that is asked chooses. In a
// window everybody who is asked is answered for, in seat order, until the window closes; a choice
// that came too late for that must have been offered all the same.
Transcript PlayTranscript(const Setup& setup,
                          const std::vector<PerSeat<std::optional<Choice>>>& chosen);

}  // namespace mj::round
