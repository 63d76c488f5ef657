#include "libs/round/decide.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "libs/round/applier.h"
#include "libs/round/offers.h"

namespace mj::round {
namespace {

using internal::ClaimOf;
using rules::WinWay;

// What a claim of another's tile ranks at; the highest wins (COM-05).
enum Rank : int { kNothing, kByChow, kByPungOrKong, kByWin };

Rank RankOf(const Choice& choice) {
  switch (choice.kind) {
    case ChoiceKind::kWin:
      return kByWin;
    case ChoiceKind::kPung:
    case ChoiceKind::kDiscardKong:
      return kByPungOrKong;
    case ChoiceKind::kChow:
      return kByChow;
    case ChoiceKind::kPass:
    case ChoiceKind::kAddedKong:
    case ChoiceKind::kConcealedKong:
    case ChoiceKind::kDiscard:
    case ChoiceKind::kRoll:
      return kNothing;
  }
  return kNothing;
}

Rank BestRank(const Offer& offer) {
  if (offer.win) return kByWin;
  if (offer.pung || offer.discard_kong) return kByPungOrKong;
  return offer.chows.empty() ? kNothing : kByChow;
}

// Tells a round on: each event is applied to the state at once, so that what follows is decided on
// what has happened.
class Narrator {
 public:
  Narrator(const Setup& setup, State& state, std::vector<Event>& events)
      : setup_(setup), state_(state), events_(events), apply_(setup, state) {}

  void BeginRound() {
    Tell(RoundBegan{setup_.deal()});
    if (!setup_.play().dealer_rolls) return Deal();
    Asked asked;
    internal::AskRoll(state_, asked);
    Tell(asked);
  }

  // REQUIRES: the seat has an open decision that allows `choice`.
  void Answer(Seat seat, const Choice& choice, AnswerBy by) {
    Tell(Answered{seat, state_.seats[seat].decisions, choice, by});
    if (std::holds_alternative<Opening>(state_.phase)) return Deal();
    if (std::holds_alternative<Turn>(state_.phase)) return Move(seat, choice);
    CloseWindowIfDecided();
  }

  // REQUIRES: HoldsBack.
  void Proceed() { CloseWindowIfDecided(); }

  void Abandon(const Void& command) {
    const bool by_seat = command.seat.has_value();
    if (!by_seat || !InWindow(state_)) {
      return Tell(RoundEnded{Outcome::kVoid, command.reason, command.seat});
    }
    const Seat leaver = *command.seat;
    Tell(LeaveNoted{leaver, command.reason});
    const SeatState& seat = state_.seats[leaver];
    if (seat.open && !seat.answer) {
      Tell(Answered{leaver, seat.decisions, Choice::Pass(), AnswerBy::kAbsence});
    }
    CloseWindowIfDecided();
  }

  // How far the claims of an open window have got.
  struct Claims {
    int best = kNothing;     // of the answers there are
    int missing = kNothing;  // what the others could still claim, at best
    PerSeat<Rank> of = PerSeat<Rank>({kNothing, kNothing, kNothing, kNothing});

    // Whether no answer that is still missing can change what comes of the window (PLAY-12). All
    // who win on a tile are paid.
    bool decided() const { return missing != kByWin && missing <= best; }
    // At most one seat can pung or kong a tile, and only one may chow.
    std::optional<Seat> Claimant(Rank rank) const {
      for (Seat seat : rules::kSeats) {
        if (of[seat] == rank) return seat;
      }
      return std::nullopt;
    }
  };

  static Claims ClaimsOf(const State& state) {
    Claims claims;
    for (Seat seat : rules::kSeats) {
      const SeatState& asked = state.seats[seat];
      if (!asked.open) continue;
      if (asked.answer) {
        claims.of[seat] = RankOf(*asked.answer);
        claims.best = std::max<int>(claims.best, claims.of[seat]);
      } else {
        claims.missing = std::max<int>(claims.missing, BestRank(*asked.open));
      }
    }
    // Once somebody has left, only a win counts; everything else ends void.
    if (state.leaving) claims.best = std::max<int>(claims.best, kByPungOrKong);
    return claims;
  }

  static bool WindowDecided(const State& state) { return ClaimsOf(state).decided(); }

  static bool InWindow(const State& state) {
    return std::holds_alternative<Window>(state.phase) ||
           std::holds_alternative<Robbery>(state.phase);
  }

 private:
  template <typename E>
  [[gnu::always_inline]] void Tell(const E& event) {
    // Written where it stays, and applied from there: a copy of what was just written is slow.
    apply_(*std::get_if<E>(&events_.emplace_back(event)));
  }

  Seat Dealer() const { return state_.deal.dealer; }

  // ------------------------------------------------------------------------------ the wall

  Tile FrontTile(int ahead = 0) const {
    return setup_.wall()[static_cast<std::size_t>(state_.front) + static_cast<std::size_t>(ahead)];
  }
  Tile BackTile() const { return setup_.wall()[setup_.wall().size() - 1 - state_.back]; }

  // Three times four tiles to each seat from the dealer on, then one each (PLAY-01).
  void Deal() {
    Tell(DiceRolled{setup_.dice()});
    Dealt dealt;
    int next = 0;
    for (int tiles : {4, 4, 4, 1}) {
      for (int turn = 0; turn < rules::kSeatCount; ++turn) {
        const Seat seat = rules::After(Dealer(), turn);
        for (int i = 0; i < tiles; ++i) dealt.hands[seat].Add(FrontTile(next++));
      }
    }
    Tell(dealt);
    Tell(Drew{Dealer(), FrontTile(), DrawKind::kDealt, LeftAfterOne()});
    if (setup_.play().wild == rules::WildMode::kFlipped) {
      const Tile indicator = BackTile();
      Tell(IndicatorTurned{indicator, tiles::NextInSequence(indicator)});
    }
    AskTurn();
  }

  void DrawNext(Seat seat) {
    if (state_.left == 0) {
      return Tell(RoundEnded{Outcome::kExhausted, std::nullopt, std::nullopt});
    }
    Tell(Drew{seat, FrontTile(), DrawKind::kWall, LeftAfterOne()});
    AskTurn();
  }

  void DrawReplacement(Seat seat) {
    Tell(Drew{seat, BackTile(), DrawKind::kReplacement, LeftAfterOne()});
    AskTurn();
  }

  std::uint8_t LeftAfterOne() const { return static_cast<std::uint8_t>(state_.left - 1); }

  // ------------------------------------------------------------------------------- a turn

  void AskTurn() {
    Asked& asked = std::get<Asked>(events_.emplace_back(std::in_place_type<Asked>));
    internal::AskTurn(setup_, state_, asked);
    apply_(asked);
  }

  void Move(Seat seat, const Choice& choice) {
    switch (choice.kind) {
      case ChoiceKind::kWin: {
        Wins wins;
        wins.push_back(ClaimOf(setup_, state_, seat));
        return Win(wins);
      }
      case ChoiceKind::kConcealedKong:
        Tell(KongMade{Kong{seat, MeldKind::kConcealedKong, choice.tile, std::nullopt,
                           state_.seats[seat].killed}});
        return DrawReplacement(seat);
      case ChoiceKind::kAddedKong:
        Tell(KongDeclared{seat, choice.tile});
        if (!AskOthers()) CompleteAddedKong(seat, choice.tile);
        return;
      case ChoiceKind::kDiscard:
        Tell(Discarded{seat, choice.tile});
        if (!AskOthers()) DrawNext(rules::After(seat));
        return;
      case ChoiceKind::kPass:
      case ChoiceKind::kPung:
      case ChoiceKind::kChow:
      case ChoiceKind::kDiscardKong:
      case ChoiceKind::kRoll:
        return;  // never offered on a turn
    }
  }

  void CompleteAddedKong(Seat seat, Tile tile) {
    Tell(KongMade{Kong{seat, MeldKind::kAddedKong, tile, std::nullopt, state_.seats[seat].killed}});
    DrawReplacement(seat);
  }

  // ------------------------------------------------------------------------------ a window

  // Asks everybody who may claim; false when nobody may.
  bool AskOthers() {
    Asked& asked = std::get<Asked>(events_.emplace_back(std::in_place_type<Asked>));
    if (!internal::AskClaims(setup_, state_, asked)) {
      events_.pop_back();
      return false;
    }
    apply_(asked);
    return true;
  }

  void CloseWindowIfDecided() {
    const Claims claims = ClaimsOf(state_);
    if (!claims.decided()) return;
    const bool won = claims.best == kByWin;
    if (const auto* robbery = std::get_if<Robbery>(&state_.phase)) {
      const auto [owner, tile] = *robbery;
      if (won) return WinAfter(owner, claims);
      if (EndForLeaver()) return;
      return CompleteAddedKong(owner, tile);
    }
    const auto [from, tile] = std::get<Window>(state_.phase);
    if (won) return WinAfter(from, claims);
    if (EndForLeaver()) return;
    if (claims.best == kNothing) return DrawNext(rules::After(from));
    if (const std::optional<Seat> seat = claims.Claimant(kByPungOrKong)) {
      return state_.seats[*seat].answer->kind == ChoiceKind::kPung ? CallPung(*seat, from, tile)
                                                                   : CallKong(*seat, from, tile);
    }
    if (const std::optional<Seat> seat = claims.Claimant(kByChow)) CallChow(*seat, from, tile);
  }

  // Everybody who claims the win, in turn order after `owner` of the tile (PLAY-15).
  void WinAfter(Seat owner, const Claims& claims) {
    Wins wins;
    for (int turn = 1; turn < rules::kSeatCount; ++turn) {
      const Seat seat = rules::After(owner, turn);
      if (claims.of[seat] == kByWin) wins.push_back(ClaimOf(setup_, state_, seat));
    }
    Win(wins);
  }

  bool EndForLeaver() {
    if (!state_.leaving) return false;
    Tell(RoundEnded{Outcome::kVoid, state_.leaving->reason, state_.leaving->seat});
    return true;
  }

  void CallPung(Seat seat, Seat from, Tile tile) {
    Called called{seat, CalledMeld{{MeldKind::kPung, tile}, from}, tile, false};
    // SG-43: four concealed tiles and the pung leave a single one.
    called.kills = setup_.play().kill && state_.seats[seat].hand.concealed.total() == 4;
    Tell(called);
    AskTurn();
  }

  void CallChow(Seat seat, Seat from, Tile tile) {
    const Tile low = std::min(tile, state_.seats[seat].answer->tile);
    Tell(Called{seat, CalledMeld{{MeldKind::kChow, low}, from}, tile, false});
    AskTurn();
  }

  void CallKong(Seat seat, Seat from, Tile tile) {
    Tell(KongMade{Kong{seat, MeldKind::kDiscardKong, tile, from, std::nullopt}});
    DrawReplacement(seat);
  }

  // -------------------------------------------------------------------------------- the end

  void Win(const Wins& wins) {
    Tell(Won{wins});
    TurnHorses(wins[0].way);
    Tell(RoundEnded{Outcome::kWin, std::nullopt, std::nullopt});
  }

  // From the wall's front in drawing order, fewer when fewer are left (SG-20).
  void TurnHorses(WinWay way) {
    const rules::PlayRules& play = setup_.play();
    const bool turned =
        way == WinWay::kSelfDraw || (way == WinWay::kRobbedKong && play.horses_on_robbed_kong);
    const int count = turned ? std::min<int>(play.horses, state_.left) : 0;
    if (count == 0) return;
    Horses horses;
    for (int i = 0; i < count; ++i) horses.push_back(FrontTile(i));
    Tell(HorsesTurned{horses});
  }

  const Setup& setup_;
  State& state_;
  std::vector<Event>& events_;
  internal::Applier apply_;
};

// Whether `seat` has nothing open under the name of `decision`, in the order of Rejection.
std::optional<Rejection> CheckDecision(const SeatState& seat, DecisionId decision) {
  if (decision == 0 || decision > seat.decisions) return Rejection::kUnknownDecision;
  if (decision < seat.decisions) return Rejection::kStaleDecision;
  if (seat.answer) return Rejection::kAlreadyAnswered;
  if (!seat.open) return Rejection::kDecisionClosed;
  return std::nullopt;
}

std::optional<Rejection> Check(const State& state, const Act& act) {
  const SeatState& seat = state.seats[act.seat];
  if (seat.decisions != 0 && act.decision == seat.decisions && seat.answer == act.choice) {
    return Rejection::kRepeatedAnswer;
  }
  if (state.over()) return Rejection::kRoundOver;
  if (const auto rejection = CheckDecision(seat, act.decision)) return rejection;
  if (!seat.open->Allows(act.choice)) return Rejection::kNotOffered;
  return std::nullopt;
}

std::optional<Rejection> Check(const State& state, const Timeout& timeout) {
  if (state.over()) return Rejection::kRoundOver;
  return CheckDecision(state.seats[timeout.seat], timeout.decision);
}

std::optional<Rejection> Check(const State& state, const Void& command) {
  if (state.over()) return Rejection::kRoundOver;
  const bool escape =
      command.reason == VoidReason::kEscape || command.reason == VoidReason::kConnectionLost;
  if (escape != command.seat.has_value()) return Rejection::kSeatNotNamed;
  if (escape && state.leaving) return Rejection::kAlreadyLeaving;
  return std::nullopt;
}

std::optional<Rejection> Check(const State& state, const Proceed&) {
  if (state.over()) return Rejection::kRoundOver;
  return HoldsBack(state) ? std::nullopt : std::optional(Rejection::kNothingHeldBack);
}

bool Begun(const State& state) { return !std::holds_alternative<NotBegun>(state.phase); }

std::optional<Rejection> Check(const State& state, const Begin&) {
  return Begun(state) ? std::optional(Rejection::kAlreadyBegun) : std::nullopt;
}

std::optional<Rejection> Check(const State& state, const Command& command) {
  return std::visit(
      [&](const auto& one) -> std::optional<Rejection> {
        constexpr bool kBegins = std::is_same_v<std::decay_t<decltype(one)>, Begin>;
        if (!kBegins && !Begun(state)) return Rejection::kNotBegun;
        return Check(state, one);
      },
      command);
}

// REQUIRES: Check has found nothing.
class Teller {
 public:
  Teller(const Setup& setup, State& state, std::vector<Event>& log)
      : state_(state), narrator_(setup, state, log) {}

  void operator()(const Begin&) { narrator_.BeginRound(); }
  void operator()(const Act& act) { narrator_.Answer(act.seat, act.choice, AnswerBy::kPlayer); }
  void operator()(const Timeout& timeout) {
    const Choice choice = SystemChoice(*state_.seats[timeout.seat].open, timeout.auto_play);
    narrator_.Answer(timeout.seat, choice,
                     timeout.auto_play ? AnswerBy::kAutoPlay : AnswerBy::kOverrun);
  }
  void operator()(const Void& command) { narrator_.Abandon(command); }
  void operator()(const Proceed&) { narrator_.Proceed(); }

 private:
  const State& state_;
  Narrator narrator_;
};

// Most commands lead to fewer events than this.
constexpr std::size_t kUsualEvents = 8;

}  // namespace

bool FollowsUnclaimedTile(const Event& event) {
  if (const auto* drew = std::get_if<Drew>(&event)) return drew->kind == DrawKind::kWall;
  if (const auto* made = std::get_if<KongMade>(&event)) {
    return made->kong.kind == MeldKind::kAddedKong;
  }
  const auto* ended = std::get_if<RoundEnded>(&event);
  if (ended == nullptr) return false;
  return ended->outcome == Outcome::kExhausted ||
         (ended->outcome == Outcome::kVoid && ended->seat.has_value());
}

bool HoldsBack(const State& state) {
  return Narrator::InWindow(state) && Narrator::WindowDecided(state);
}

Decision Decide(const Setup& setup, const State& state, const Command& command) {
  if (const auto rejection = Check(state, command)) return *rejection;
  State after = state;
  std::vector<Event> events;
  events.reserve(kUsualEvents);
  std::visit(Teller(setup, after, events), command);
  return events;
}

std::optional<Rejection> Play(const Setup& setup, State& state, const Command& command,
                              std::vector<Event>& log) {
  if (const auto rejection = Check(state, command)) return rejection;
  std::visit(Teller(setup, state, log), command);
  return std::nullopt;
}

}  // namespace mj::round
