#include "services/table/app/state.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/fairness/commitment.h"
#include "libs/round/decide.h"
#include "libs/round/result.h"
#include "libs/variants/registry.h"
#include "services/table/app/clocks.h"

namespace mj::table {
namespace {

absl::Status Unfit(const TableState& state, const LogEntry& entry, std::string_view what) {
  return absl::DataLossError(base::ToAbsl(
      base::Cat("table ", state.id.value(), " event ", std::to_string(entry.seq), ": ", what)));
}

class Applier {
 public:
  Applier(TableState& state, const LogEntry& entry) : state_(state), entry_(entry) {}

  absl::Status operator()(const TableCreated& event) {
    if (state_.last_seq != 0) return Unfit("made a second time");
    state_.variant = variants::Find(event.spec.variant);
    if (state_.variant == nullptr) return Unfit(base::Cat("no such game: ", event.spec.variant));
    const auto options = rules::ParseOptions(state_.variant->options(), event.spec.options);
    if (!std::holds_alternative<rules::Options>(options)) return Unfit("options that do not exist");
    state_.options = std::get<rules::Options>(options);
    state_.id = event.table;
    state_.request = event.request;
    state_.spec = event.spec;
    state_.created_at = entry_.time;
    for (Seat seat : rules::kSeats) {
      state_.seats[seat].player = event.spec.players[seat];
      state_.seats[seat].bot = event.spec.bots[seat];
      state_.token_hashes[seat] = event.spec.token_hashes[seat];
    }
    FoldMade(state_);
    return absl::OkStatus();
  }

  absl::Status operator()(const SeatTaken& event) {
    if (!state_.seats[event.seat].player.empty()) return Unfit("a taken seat taken");
    state_.seats[event.seat] = {.player = event.player};
    state_.token_hashes[event.seat] = event.token_hash;
    FoldTaken(state_, event.seat);
    return absl::OkStatus();
  }

  absl::Status operator()(const SeatReadied& event) {
    if (state_.seats[event.seat].player.empty()) return Unfit("an empty seat is ready");
    state_.seats[event.seat].ready = true;
    state_.nonce_hashes[event.seat] = event.nonce_hash;
    return absl::OkStatus();
  }

  absl::Status operator()(const RoundBegun& event) {
    if (Live() != nullptr) return Unfit("a round within a round");
    if (!state_.all_ready()) return Unfit("a round for which not all are ready");
    state_.round.emplace().begun = event;
    state_.rounds_begun = event.number;
    for (SeatInfo& seat : state_.seats) seat.ready = false;
    state_.nonce_hashes = {};
    state_.leaving = {};
    return absl::OkStatus();
  }

  absl::Status operator()(const NonceRevealed& event) {
    if (!state_.to_draw() || !state_.round->begun.nonce_hashes[event.seat]) {
      return Unfit("a nonce out of place");
    }
    state_.round->reveals[event.seat] = event.nonce;
    return absl::OkStatus();
  }

  absl::Status operator()(const DealDrawn& event) {
    if (!state_.to_draw()) return Unfit("a deal out of place");
    auto setup = round::MakeSetup({.variant = state_.variant,
                                   .options = state_.options,
                                   .dealer = event.dealer,
                                   .round_wind = event.round_wind,
                                   .seat_winds = event.seat_winds,
                                   .dice = event.dice,
                                   .wall = event.wall});
    if (!std::holds_alternative<round::Setup>(setup)) return Unfit("a round that cannot be dealt");
    state_.round->deal = event;
    state_.round->setup = std::get<round::Setup>(std::move(setup));
    return absl::OkStatus();
  }

  absl::Status operator()(const QuestionAsked&) {
    if (Live() != nullptr || !state_.all_seated()) return Unfit("a question out of place");
    return absl::OkStatus();
  }

  absl::Status operator()(const ClocksRestarted&) { return absl::OkStatus(); }

  absl::Status operator()(const AutoPlaySet& event) {
    if (Playing() == nullptr) return Unfit("auto-play without a round");
    state_.seats[event.seat].auto_play = event.on;
    return absl::OkStatus();
  }

  absl::Status operator()(const SeatLeaving& event) {
    if (Playing() == nullptr || state_.seats[event.seat].player != event.player) {
      return Unfit("leaving out of place");
    }
    state_.leaving[event.seat] = event.reason;
    return absl::OkStatus();
  }

  absl::Status operator()(const RoundPlayed& event) {
    Round* round = Live();
    if (round == nullptr || !round->deal || round->play.over())
      return Unfit("play without a round");
    round::Apply(*round->setup, round->play, event.event);
    if (const auto* answered = std::get_if<round::Answered>(&event.event)) {
      Remember(*answered, round->answers[answered->seat]);
    }
    if (!round->play.over()) return absl::OkStatus();
    for (SeatInfo& seat : state_.seats) seat.auto_play = false;
    const auto next = round::NextRound(*round->setup, round->play);
    state_.next.reset();
    if (next) state_.next = NextDeal{next->dealer, next->round_wind, round->deal->seat_winds};
    return absl::OkStatus();
  }

  absl::Status operator()(const RoundScored& event) {
    Round* round = Live();
    if (round == nullptr || !round->play.over() || round->scored)
      return Unfit("a score out of place");
    if (state_.to_void()) return Unfit("a score of a void round");
    round->scored = event;
    return absl::OkStatus();
  }

  absl::Status operator()(const RoundPosted& event) {
    Round* round = Live();
    if (round == nullptr || !round->scored) return Unfit("posted out of place");
    round->posted = event;
    state_.orders.voids = false;
    return absl::OkStatus();
  }

  absl::Status operator()(const RoundVoided& event) {
    Round* round = Live();
    const bool refused = event.reason == VoidReason::kRefused;
    if (round == nullptr || !round->deal ||
        (refused ? !std::holds_alternative<round::NotBegun>(round->play.phase)
                 : !state_.to_void())) {
      return Unfit("void out of place");
    }
    round->voided = true;
    state_.orders.voids = false;
    // Who deals next follows from no round that counts for nothing.
    if (!refused) state_.next.reset();
    return absl::OkStatus();
  }

  absl::Status operator()(const SeatLeft& event) {
    if (event.player.empty() || state_.seats[event.seat].player != event.player) {
      return Unfit("left by who does not sit there");
    }
    state_.seats[event.seat] = {};
    state_.token_hashes[event.seat].reset();
    state_.leaving[event.seat].reset();
    state_.orders.removes[event.seat] = false;
    state_.hand_shown[event.seat].reset();
    state_.next.reset();  // whoever comes now, dealer and winds are drawn anew
    FoldLeft(state_, event.seat);
    return absl::OkStatus();
  }

  absl::Status operator()(const StakesAsked& event) {
    if (!WantsProposal(state_) || state_.seats[event.seat].player.empty()) {
      return Unfit("stakes asked for out of place");
    }
    FoldStakes(state_, event, entry_.time);
    return absl::OkStatus();
  }

  absl::Status operator()(const StakesProposed& event) {
    if (!Asked(event.seat, event.number, StakesQuestion::kPropose)) {
      return Unfit("stakes that nobody asked for");
    }
    const auto options = rules::ParseOptions(state_.variant->options(), event.options);
    if (!std::holds_alternative<rules::Options>(options)) return Unfit("options that do not exist");
    state_.options = std::get<rules::Options>(options);
    FoldStakes(state_, event);
    return absl::OkStatus();
  }

  absl::Status operator()(const ConsentAsked& event) {
    if (!WantsConsent(state_)) return Unfit("consent asked for out of place");
    FoldStakes(state_, event, entry_.time);
    return absl::OkStatus();
  }

  absl::Status operator()(const StakesAccepted& event) {
    if (!Asked(event.seat, event.number, StakesQuestion::kAccept)) {
      return Unfit("consent that nobody asked for");
    }
    FoldStakes(state_, event);
    return absl::OkStatus();
  }

  absl::Status operator()(const BaseSet& event) {
    if (Live() != nullptr) return Unfit("a base set within a round");
    state_.base = event.base;
    for (SeatInfo& seat : state_.seats) seat.ready = false;
    return absl::OkStatus();
  }

  absl::Status operator()(const HandShown& event) {
    if (event.player.empty() || state_.seats[event.seat].player != event.player) {
      return Unfit("a hand shown by who does not sit there");
    }
    state_.hand_shown[event.seat].reset();
    if (event.show) state_.hand_shown[event.seat] = entry_.seq;
    return absl::OkStatus();
  }

  absl::Status operator()(const OperatorActed& event) {
    Orders& orders = state_.orders;
    orders.given.push_back(event);
    // A round that is scored is the wallet's to pay.
    const bool voidable = Live() != nullptr && !Live()->scored;
    switch (event.kind) {
      case OperationKind::kVoidRound:
        if (!voidable || event.round != Live()->begun.round) return Unfit("a round not to be void");
        orders.voids = true;
        return absl::OkStatus();
      case OperationKind::kCloseTable:
        orders.closes = true;
        orders.voids = orders.voids || (event.at_once && voidable);
        return absl::OkStatus();
      case OperationKind::kRemovePlayer: {
        const std::optional<Seat> seat = state_.SeatOf(event.player);
        if (!seat) return Unfit("removal of who does not sit there");
        orders.removes[*seat] = true;
        return absl::OkStatus();
      }
      case OperationKind::kStopRounds:
      case OperationKind::kResumeRounds:
        break;
    }
    return Unfit("an operation of no table");
  }

  absl::Status operator()(const RoundsStopped& event) {
    state_.stop_from = event.from;
    return absl::OkStatus();
  }

  absl::Status operator()(const TableEnded&) {
    state_.closed = true;
    state_.hand_shown = {};
    state_.orders.removes = {};
    for (SeatInfo& seat : state_.seats) seat = {};
    return absl::OkStatus();
  }

 private:
  static void Remember(const round::Answered& answered,
                       std::vector<std::optional<round::Choice>>& answers) {
    if (answers.size() < answered.decision) answers.resize(answered.decision);
    answers[answered.decision - 1] = answered.choice;
  }
  bool Asked(Seat seat, int number, StakesQuestion about) const {
    const auto& prompt = state_.stakes.prompts[seat];
    return prompt && prompt->number == number && prompt->about == about;
  }
  Round* Playing() {
    Round* round = Live();
    return round != nullptr && !round->play.over() ? round : nullptr;
  }
  Round* Live() { return state_.round && state_.round->live() ? &*state_.round : nullptr; }
  absl::Status Unfit(std::string_view what) { return table::Unfit(state_, entry_, what); }

  TableState& state_;
  const LogEntry& entry_;
};

}  // namespace

fairness::NonceRecord Round::nonce(Seat seat) const {
  return {begun.nonce_hashes[seat], reveals[seat]};
}

bool Round::Answered(Seat seat, round::DecisionId decision, const round::Choice& choice) const {
  const auto& given = answers[seat];
  return decision >= 1 && decision <= given.size() && given[decision - 1] == choice;
}

TableStage TableState::stage() const {
  if (closed) return TableStage::kClosed;
  if (!round || !round->live()) return TableStage::kWaiting;
  return round->play.over() ? TableStage::kSettling : TableStage::kPlaying;
}

std::optional<Seat> TableState::SeatOf(const PlayerId& player) const {
  if (player.empty()) return std::nullopt;
  for (Seat seat : rules::kSeats) {
    if (seats[seat].player == player) return seat;
  }
  return std::nullopt;
}

int TableState::seated() const {
  return static_cast<int>(std::count_if(seats.begin(), seats.end(),
                                        [](const SeatInfo& seat) { return !seat.player.empty(); }));
}

int TableState::bots() const {
  return static_cast<int>(
      std::count_if(seats.begin(), seats.end(), [](const SeatInfo& seat) { return seat.bot; }));
}

bool TableState::all_seated() const {
  for (const SeatInfo& seat : seats) {
    if (seat.player.empty()) return false;
  }
  return true;
}

std::optional<TableState::VoidCause> TableState::to_void() const {
  if (!round || !round->live()) return std::nullopt;
  const auto* over = std::get_if<round::Over>(&round->play.phase);
  if (over == nullptr) return std::nullopt;
  if (over->outcome == round::Outcome::kVoid) {
    return VoidCause{record::ReasonOf(*over->reason), over->seat};
  }
  if (orders.voids && !round->scored) return VoidCause{VoidReason::kOperator, std::nullopt};
  return std::nullopt;
}

bool TableState::to_draw() const { return round && round->live() && !round->deal; }

bool TableState::WaitsForNonce(Seat seat) const {
  if (!to_draw() || leaving[seat]) return false;
  const fairness::NonceRecord nonce = round->nonce(seat);
  return nonce.commitment && fairness::CheckNonce(nonce) != fairness::NonceOutcome::kRevealed;
}

bool TableState::all_ready() const {
  for (const SeatInfo& seat : seats) {
    if (seat.player.empty() || !seat.ready) return false;
  }
  return true;
}

TableInfo TableState::info() const {
  TableInfo info;
  info.id = id;
  info.variant = spec.variant;
  info.options = rules::ToTexts(variant->options(), options, /*all=*/false);
  info.base = base;
  info.proposer = stakes.proposer;
  info.agreed = stakes.agreed;
  info.currency = spec.currency;
  info.stage = stage();
  info.seats = seats;
  info.settings = Differing(spec.settings);
  info.round_number = rounds_begun;
  if (round && round->live()) {
    info.round = round->begun.round;
  }
  if (round && round->live() && round->deal) {
    info.dealer = round->deal->dealer;
  } else if (next) {
    info.dealer = next->dealer;
  }
  info.created_at = created_at;
  info.media_room = spec.media_room;
  return info;
}

absl::Status Apply(TableState& state, const LogEntry& entry) {
  if (entry.seq != state.last_seq + 1) return Unfit(state, entry, "not the next event");
  const bool creates = std::holds_alternative<TableCreated>(entry.event);
  if (!creates && state.last_seq == 0) return Unfit(state, entry, "before the table was made");
  if (state.closed) return Unfit(state, entry, "after the table was closed");
  MJ_RETURN_IF_ERROR(std::visit(Applier(state, entry), entry.event));
  RunClocks(state, entry);
  state.last_seq = entry.seq;
  return absl::OkStatus();
}

}  // namespace mj::table
