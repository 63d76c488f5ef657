#include "libs/round/transcript.h"

#include <utility>
#include <variant>

namespace mj::round {
namespace {

class Player {
 public:
  explicit Player(const Setup& setup) : setup_(setup) {}

  Transcript Play(const std::vector<PerSeat<std::optional<Choice>>>& chosen) && {
    Send(Begin{});
    Roll();
    std::size_t next = 0;
    while (!out_.state.over() && !out_.error) {
      out_.steps.push_back(StepNow());
      if (next == chosen.size()) {
        Fail(TranscriptFault::kNotOver, std::nullopt);
      } else {
        Choose(chosen[next++]);
      }
    }
    if (!out_.error && next < chosen.size()) {
      out_.error = TranscriptError{TranscriptFault::kChoicesLeft, next, std::nullopt};
    }
    return std::move(out_);
  }

 private:
  bool Send(const Command& command) {
    Decision decision = Decide(setup_, out_.state, command);
    auto* events = std::get_if<std::vector<Event>>(&decision);
    if (events == nullptr) return false;
    for (const Event& event : *events) Apply(setup_, out_.state, event);
    out_.events.insert(out_.events.end(), events->begin(), events->end());
    return true;
  }

  void Roll() {
    const Seat dealer = out_.state.deal.dealer;
    if (!std::holds_alternative<Opening>(out_.state.phase)) return;
    Send(Act{dealer, out_.state.seats[dealer].decisions, Choice::Roll()});
  }

  Step StepNow() const {
    Step step;
    step.left = out_.state.left;
    if (const auto* turn = std::get_if<Turn>(&out_.state.phase)) {
      step.seat = turn->seat;
      step.tile = turn->drawn;
    } else if (const auto* window = std::get_if<Window>(&out_.state.phase)) {
      step.phase = StepPhase::kDiscard;
      step.seat = window->from;
      step.tile = window->tile;
    } else if (const auto* robbery = std::get_if<Robbery>(&out_.state.phase)) {
      step.phase = StepPhase::kRobbery;
      step.seat = robbery->owner;
      step.tile = robbery->tile;
    }
    for (Seat seat : rules::kSeats) step.offers[seat] = out_.state.seats[seat].open;
    return step;
  }

  void Choose(const PerSeat<std::optional<Choice>>& chosen) {
    const Step step = out_.steps.back();
    PerSeat<DecisionId> decisions;
    for (Seat seat : rules::kSeats) {
      decisions[seat] = out_.state.seats[seat].decisions;
      if (!chosen[seat]) continue;
      if (!step.offers[seat]) return Fail(TranscriptFault::kNotAsked, seat);
      if (!step.offers[seat]->Allows(*chosen[seat])) {
        return Fail(TranscriptFault::kNotOffered, seat);
      }
    }
    for (Seat seat : rules::kSeats) {
      if (!step.offers[seat]) continue;
      const SeatState& asked = out_.state.seats[seat];
      if (asked.decisions != decisions[seat] || !asked.open) return;  // the window has closed
      if (!chosen[seat]) return Fail(TranscriptFault::kChoiceMissing, seat);
      Send(Act{seat, decisions[seat], *chosen[seat]});
    }
  }

  void Fail(TranscriptFault fault, std::optional<Seat> seat) {
    out_.error = TranscriptError{fault, out_.steps.size() - 1, seat};
  }

  const Setup& setup_;
  Transcript out_;
};

}  // namespace

Transcript PlayTranscript(const Setup& setup,
                          const std::vector<PerSeat<std::optional<Choice>>>& chosen) {
  return Player(setup).Play(chosen);
}

}  // namespace mj::round
