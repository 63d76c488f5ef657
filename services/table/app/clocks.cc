#include "services/table/app/clocks.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

#include "libs/base/check.h"
#include "libs/round/decide.h"
#include "services/table/app/plays.h"

namespace mj::table {
namespace {

std::chrono::milliseconds Ms(std::int64_t ms) { return std::chrono::milliseconds(ms); }

bool Waits(const round::SeatState& seat) { return seat.open && !seat.answer; }

// A turn or the dice; else another's tile.
bool OnTurn(const Round& round) {
  return std::holds_alternative<round::Turn>(round.play.phase) ||
         std::holds_alternative<round::Opening>(round.play.phase);
}

// The system answers a claim when the pause ends, as if there were none: a moment later would tell
// that the seat could have claimed.
WallTime DueOf(const TableState& state, Seat seat, WallTime now) {
  const TableSettings& settings = state.spec.settings;
  if (OnTurn(*state.round)) {
    return now + Ms(state.seats[seat].auto_play ? settings.auto_play_ms : settings.act_ms);
  }
  if (!state.seats[seat].auto_play) return now + Ms(settings.claim_ms);
  return std::max(now, state.round->clocks.pause_until);
}

bool AnyoneHasNonce(const Round& round) {
  return std::any_of(round.begun.nonce_hashes.begin(), round.begun.nonce_hashes.end(),
                     [](const auto& hash) { return hash.has_value(); });
}

// An overrun that counts: one on a turn (D-COM-6), not at the dice (COM-02). The window's answers
// of one who is late are passes.
bool Counts(const round::Answered& answered) {
  return answered.by == round::AnswerBy::kOverrun &&
         answered.choice.kind != round::ChoiceKind::kPass &&
         answered.choice.kind != round::ChoiceKind::kRoll;
}

class Runner {
 public:
  Runner(TableState& state, WallTime now) : state_(state), now_(now) {}

  void operator()(const RoundPlayed& played) {
    Round& round = *state_.round;
    const auto* answered = std::get_if<round::Answered>(&played.event);
    if (answered != nullptr && Counts(*answered)) ++round.overruns[answered->seat];
    if (std::holds_alternative<round::Discarded>(played.event) ||
        std::holds_alternative<round::KongDeclared>(played.event)) {
      round.clocks.pause_until = now_ + Ms(state_.spec.settings.claim_pause_ms);
    }
    for (Seat seat : rules::kSeats) {
      const round::SeatState& play = round.play.seats[seat];
      std::optional<WallTime>& due = round.clocks.answer_due[seat];
      if (!Waits(play)) {
        due.reset();
      } else if (!due || round.clocks.decision[seat] != play.decisions) {
        due = DueOf(state_, seat, now_);
        round.clocks.decision[seat] = play.decisions;
      }
    }
  }
  void operator()(const AutoPlaySet& set) { Restart(set.seat); }
  void operator()(const TableCreated&) {
    if (!state_.anyone_seated()) WaitForTheFirst();
  }
  void operator()(const SeatTaken&) { state_.empty_due.reset(); }
  void operator()(const ClocksRestarted&) {
    if (state_.empty_due) WaitForTheFirst();
    if (state_.question_due) Ask();
    RestartPrompts(state_, now_);
    if (!state_.round) return;
    if (state_.round->clocks.reveal_due) WaitForNonces();
    state_.round->clocks.pause_until = now_ + Ms(state_.spec.settings.claim_pause_ms);
    for (Seat seat : rules::kSeats) Restart(seat);
  }
  void operator()(const QuestionAsked&) { Ask(); }
  void operator()(const BaseSet&) { state_.question_due.reset(); }
  void operator()(const SeatReadied&) {
    if (state_.all_ready()) state_.question_due.reset();
  }
  void operator()(const RoundBegun&) {
    state_.question_due.reset();
    if (AnyoneHasNonce(*state_.round)) WaitForNonces();
  }
  void operator()(const DealDrawn&) { state_.round->clocks.reveal_due.reset(); }
  void operator()(const SeatLeft&) { state_.question_due.reset(); }
  void operator()(const TableEnded&) { state_.question_due.reset(); }
  template <typename E>
  void operator()(const E&) {}

 private:
  void Restart(Seat seat) {
    std::optional<WallTime>& due = state_.round->clocks.answer_due[seat];
    if (due) due = DueOf(state_, seat, now_);
  }
  void WaitForNonces() {
    state_.round->clocks.reveal_due = now_ + Ms(state_.spec.settings.reveal_ms);
  }
  void WaitForTheFirst() { state_.empty_due = now_ + Ms(state_.spec.settings.empty_ms); }
  void Ask() { state_.question_due = now_ + Ms(state_.spec.settings.question_ms); }

  TableState& state_;
  const WallTime now_;
};

// Dealt, and not over.
bool Playing(const TableState& state) {
  return state.stage() == TableStage::kPlaying &&
         !std::holds_alternative<round::NotBegun>(state.round->play.phase);
}

// Where the earliest answer is due.
std::optional<Seat> FirstDue(const Round& round) {
  std::optional<Seat> first;
  for (Seat seat : rules::kSeats) {
    const auto& due = round.clocks.answer_due[seat];
    if (due && (!first || *due < *round.clocks.answer_due[*first])) first = seat;
  }
  return first;
}

void TakeEarlier(std::optional<WallTime>& first, std::optional<WallTime> other) {
  if (other && (!first || *other < *first)) first = other;
}

// Nobody answers for this seat in time.
Events AnswerFor(const TableState& state, Seat seat, WallTime now) {
  const Round& round = *state.round;
  const bool auto_play = state.seats[seat].auto_play;
  Events events =
      Command(state, round::Timeout{seat, round.play.seats[seat].decisions, auto_play}, now);
  const auto& answered = std::get<round::Answered>(std::get<RoundPlayed>(events.front()).event);
  const bool over = std::any_of(events.begin(), events.end(), EndsPlay);
  if (!over && Counts(answered) && round.overruns[seat] + 1 >= state.spec.settings.overruns) {
    // Right behind the answer: what it is asked next is asked of the system already.
    events.insert(events.begin() + 1, AutoPlaySet{seat, true});
  }
  return events;
}

Events LeaveWithoutAnswer(const TableState& state) {
  Events events;
  for (Seat seat : rules::kSeats) {
    const SeatInfo& info = state.seats[seat];
    if (info.player.empty() || info.ready) continue;
    events.emplace_back(SeatLeft{seat, info.player, LeaveReason::kNoAnswer});
  }
  CloseWithTheLast(state, events);
  return events;
}

std::optional<Seat> LongestAway(const TableState& state, const Absences& away) {
  std::optional<Seat> longest;
  for (Seat seat : rules::kSeats) {
    if (!away[seat] || state.leaving[seat]) continue;
    if (!longest || *away[seat] < *away[*longest]) longest = seat;
  }
  return longest;
}

// When the round ends by absence: of one seat, or of all four and nobody's.
struct Loss {
  WallTime time{};
  std::optional<Seat> seat;
};

std::optional<Loss> NextLoss(const TableState& state, const Absences& away) {
  if (!Playing(state)) return std::nullopt;
  const auto longest = LongestAway(state, away);
  if (!longest) return std::nullopt;
  const TableSettings& settings = state.spec.settings;
  const WallTime escaped = *away[*longest] + Ms(settings.away_ms);
  // As it is then, and not when somebody looks: an alarm may be a little late.
  if (!AllAbsent(away, settings, escaped)) return Loss{escaped, longest};
  return Loss{**std::max_element(away.begin(), away.end()) + Ms(settings.all_away_ms), {}};
}

}  // namespace

void RunClocks(TableState& state, const LogEntry& entry) {
  std::visit(Runner(state, entry.time), entry.event);
}

std::optional<WallTime> AnswerDue(const TableState& state, Seat seat) {
  return Playing(state) ? state.round->clocks.answer_due[seat] : std::nullopt;
}

std::optional<WallTime> OwedBy(const TableState& state, Seat seat) {
  if (state.seats[seat].player.empty() || state.leaving[seat]) return std::nullopt;
  if (state.stage() == TableStage::kWaiting) {
    std::optional<WallTime> due;
    if (!state.seats[seat].ready) due = state.question_due;
    if (state.stakes.prompts[seat]) TakeEarlier(due, state.stakes.prompts[seat]->due);
    return due;
  }
  if (!state.to_draw()) return AnswerDue(state, seat);
  return state.WaitsForNonce(seat) ? state.round->clocks.reveal_due : std::nullopt;
}

std::optional<WallTime> NextDue(const TableState& state) {
  std::optional<WallTime> due;
  if (state.stage() == TableStage::kWaiting) {
    due = state.question_due;
    TakeEarlier(due, state.empty_due);
    if (const auto seat = FirstPrompt(state)) TakeEarlier(due, state.stakes.prompts[*seat]->due);
    return due;
  }
  if (state.to_draw()) return state.round->clocks.reveal_due;
  if (!Playing(state)) return std::nullopt;
  for (const auto& answer : state.round->clocks.answer_due) TakeEarlier(due, answer);
  if (round::HoldsBack(state.round->play)) TakeEarlier(due, state.round->clocks.pause_until);
  return due;
}

Events DecideDue(const TableState& state, WallTime now) {
  const std::optional<WallTime> due = NextDue(state);
  if (!due || *due > now) return {};
  if (state.to_draw()) return DrawDeal(state);
  if (!Playing(state)) {
    if (state.empty_due) return {TableEnded{}};
    if (const auto seat = FirstPrompt(state); seat && state.stakes.prompts[*seat]->due == due) {
      return LeaveTable(state, *seat, LeaveReason::kNoAnswer);
    }
    return LeaveWithoutAnswer(state);
  }
  const Round& round = *state.round;
  if (const auto seat = FirstDue(round); seat && round.clocks.answer_due[*seat] == due) {
    return AnswerFor(state, *seat, now);
  }
  return Command(state, round::Proceed{}, now);
}

std::optional<WallTime> NextAbsence(const TableState& state, const Absences& away) {
  const auto loss = NextLoss(state, away);
  return loss ? std::optional(loss->time) : std::nullopt;
}

Events DecideAbsence(const TableState& state, const Absences& away, WallTime now) {
  const auto loss = NextLoss(state, away);
  if (!loss || loss->time > now) return {};
  if (!loss->seat) {
    return Command(state, round::Void{round::VoidReason::kAllAbsent, std::nullopt}, now);
  }
  return Depart(state, *loss->seat, LeaveReason::kConnectionLost, now);
}

}  // namespace mj::table
