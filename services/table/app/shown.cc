#include "services/table/app/shown.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "libs/round/result.h"
#include "services/table/app/clocks.h"
#include "services/table/app/decide.h"
#include "services/table/app/watched.h"

namespace mj::table {
namespace {

using Event = std::shared_ptr<const ShownEvent>;

template <typename T>
Event Make(T event) {
  return std::make_shared<const ShownEvent>(std::move(event));
}

// What each open stream is shown; nothing where it is shown nothing. Equal events are shared.
class Projector {
 public:
  using Views = PerSeat<Event>;

  explicit Projector(const TableState& state) : state_(state) {}

  Views operator()(const TableCreated& event) {
    Views views;
    for (Seat seat : rules::kSeats) {
      if (!event.spec.players[seat].empty()) views[seat] = Make(TableFormed{state_.info(), seat});
    }
    return views;
  }

  Views operator()(const SeatTaken& event) {
    Views views = Same(PlayerJoined{event.seat, event.player});
    views[event.seat] = Make(TableFormed{state_.info(), event.seat});
    return views;
  }

  Views operator()(const SeatReadied& event) {
    return Same(SeatReady{event.seat, event.round_number});
  }

  Views operator()(const QuestionAsked& event) {
    return Same(PlayOnAsked{event.round_number, *state_.question_due});
  }

  // Only to whom a clock runs: it tells nobody that somebody else is asked.
  Views operator()(const ClocksRestarted&) {
    Views views;
    for (Seat seat : rules::kSeats) {
      if (const auto due = AnswerDue(state_, seat)) {
        const RoundClocks& clocks = state_.round->clocks;
        views[seat] = Make(ClockMoved{RefOf(state_.rounds_begun, clocks.decision[seat]), *due});
      } else if (const auto& prompt = state_.stakes.prompts[seat]) {
        views[seat] = Make(ClockMoved{StakesRef(prompt->number), prompt->due});
      } else if (state_.question_due && !state_.seats[seat].ready) {
        views[seat] = Make(ClockMoved{0, *state_.question_due});
      } else if (state_.WaitsForNonce(seat)) {
        views[seat] = Make(ClockMoved{0, *state_.round->clocks.reveal_due});
      }
    }
    return views;
  }

  Views operator()(const AutoPlaySet& event) {
    Views views = Same(AutoPlayChanged{event.seat, event.on, {}});
    if (const auto due = AnswerDue(state_, event.seat)) {
      views[event.seat] = Make(AutoPlayChanged{event.seat, event.on, due});
    }
    return views;
  }

  // Told once it is gone: a leave in an open window would tell that there is one.
  Views operator()(const SeatLeaving&) { return {}; }

  Views operator()(const RoundBegun& event) { return Same(OpenedBy(state_, event)); }

  Views operator()(const NonceRevealed&) { return {}; }  // told once the deal is drawn

  Views operator()(const DealDrawn& event) { return Same(DealtBy(event)); }

  Views operator()(const RoundPlayed& event) {
    if (const auto* ended = std::get_if<round::RoundEnded>(&event.event)) {
      // A void round is told once the wallet has closed it.
      if (ended->outcome == round::Outcome::kVoid) return {};
      return Same(OverBy(state_));
    }
    if (std::holds_alternative<round::RoundBegan>(event.event) ||
        std::holds_alternative<round::Won>(event.event)) {
      return {};  // said by RoundOpened and RoundOver
    }
    Views views;
    for (Seat seat : rules::kSeats) {
      auto seen = round::Filter(event.event, round::Viewer::Player(seat));
      if (!seen) continue;
      PlayShown play{state_.rounds_begun, std::move(*seen), {}, {}, {}};
      if (std::holds_alternative<round::YouAreAsked>(play.event)) {
        play.win = OfferedWorth(*state_.round, seat);
        play.due = AnswerDue(state_, seat);
      } else if (const auto* turned = std::get_if<round::HorsesTurned>(&play.event)) {
        play.hits = HitsOf(*state_.round, turned->horses);
      }
      views[seat] = FindEqual(views, play);
      if (views[seat] == nullptr) views[seat] = Make(std::move(play));
    }
    return views;
  }

  Views operator()(const RoundScored&) { return {}; }  // shown once it is paid

  Views operator()(const RoundPosted& event) { return Same(PaidBy(state_, event)); }

  Views operator()(const RoundVoided& event) { return Same(DroppedBy(state_, event)); }

  Views operator()(const SeatLeft& event) {
    return Same(PlayerLeft{event.seat, event.player, event.reason, event.why});
  }

  Views operator()(const HandShown& event) {
    Views views;
    views[event.seat] = Make(HandShowing{event.show});
    return views;
  }

  Views operator()(const StakesAsked& event) {
    const WallTime due = state_.stakes.prompts[event.seat]->due;
    Views views = Same(StakesWanted{event.seat, due, 0, {}, {}});
    views[event.seat] = Make(StakesWanted{event.seat, due, StakesRef(event.number), event.bases,
                                          FirstPlayersChoices(state_)});
    return views;
  }

  Views operator()(const StakesProposed& event) {
    return Same(StakesNamed{event.seat, event.base, state_.info().options});
  }

  Views operator()(const ConsentAsked& event) {
    Views views;
    for (Seat seat : rules::kSeats) {
      const auto& prompt = state_.stakes.prompts[seat];
      if (!prompt || prompt->number != event.number) continue;
      views[seat] = Make(ConsentWanted{StakesRef(event.number), *state_.stakes.proposer,
                                       state_.base, state_.info().options, prompt->due});
    }
    return views;
  }

  Views operator()(const StakesAccepted& event) { return Same(ConsentGiven{event.seat}); }

  Views operator()(const BaseSet& event) { return Same(BaseChanged{event.base}); }

  Views operator()(const OperatorActed&) { return {}; }  // what comes of it is told

  Views operator()(const RoundsStopped& event) { return Same(RoundsStopping{event.from}); }

  Views operator()(const TableEnded&) { return Same(TableClosed{}); }

 private:
  template <typename T>
  static Views Same(T event) {
    Views views;
    const Event shared = Make(std::move(event));
    for (Event& view : views) view = shared;
    return views;
  }

  static Event FindEqual(const Views& views, const PlayShown& play) {
    for (const Event& view : views) {
      if (view != nullptr && std::get<PlayShown>(*view) == play) return view;
    }
    return nullptr;
  }

  const TableState& state_;
};

}  // namespace

RoundOpened OpenedBy(const TableState& state, const RoundBegun& event) {
  return {event.round,     event.number,       event.rulebook_version,        event.base,
          SeedHash(event), event.nonce_hashes, state.round->clocks.reveal_due};
}

DealOpened DealtBy(const DealDrawn& event) {
  return {event.dealer, event.round_wind, event.seat_winds, event.anew, event.nonces};
}

RoundOver OverBy(const TableState& state) {
  const Round& round = *state.round;
  RoundOver over{
      state.spec.variant, state.info().options, round.begun.base, *round::Finished(round.play), {}};
  for (Seat seat : rules::kSeats) over.hands[seat] = round.play.seats[seat].hand.concealed;
  // Whoever won by its own draw still holds the winning tile.
  for (const rules::Win& win : over.outcome.wins) over.hands[win.seat] = win.hand.concealed;
  return over;
}

RoundPaid PaidBy(const TableState& state, const RoundPosted& event) {
  const Round& round = *state.round;
  return {round.begun.round, *round.scored,     event, *round::NextRound(*round.setup, round.play),
          round.begun.seed,  round.deal->nonces};
}

RoundDropped DroppedBy(const TableState& state, const RoundVoided& event) {
  const Round& round = *state.round;
  return {round.begun.round, event.reason,     event.escaped,
          event.penalty,     round.begun.seed, round.deal->nonces};
}

std::vector<Showing> StreamNumbers::Show(const TableState& state, const LogEntry& entry) {
  if (IsWatched(entry.event)) ++last_watched_;
  const PerSeat<Event> views = std::visit(Projector(state), entry.event);
  std::vector<Showing> showings;
  for (Seat seat : rules::kSeats) {
    if (views[seat] == nullptr) continue;
    const bool opens = std::holds_alternative<TableFormed>(*views[seat]);
    if (!opens && last_[seat] == 0) continue;  // nobody's stream
    showings.push_back({seat, {++last_[seat], entry.time, views[seat]}});
  }
  if (const auto* left = std::get_if<SeatLeft>(&entry.event)) last_[left->seat] = 0;
  if (std::holds_alternative<TableEnded>(entry.event)) last_ = {};
  return showings;
}

}  // namespace mj::table
