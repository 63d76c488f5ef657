#include "services/table/app/watched.h"

#include <utility>

#include "libs/base/check.h"
#include "libs/round/result.h"

namespace mj::table {
namespace {

// Named one by one, so that a new event does not become public by default.
struct Public {
  bool operator()(const TableCreated&) const { return true; }
  bool operator()(const SeatTaken&) const { return true; }
  bool operator()(const SeatReadied&) const { return true; }
  bool operator()(const QuestionAsked&) const { return true; }
  bool operator()(const RoundBegun&) const { return true; }
  bool operator()(const NonceRevealed&) const { return false; }  // told once the deal is drawn
  bool operator()(const DealDrawn&) const { return true; }
  bool operator()(const RoundPlayed& event) const { return std::visit(*this, event.event); }
  bool operator()(const AutoPlaySet&) const { return true; }
  bool operator()(const SeatLeaving&) const { return false; }      // told once it is gone
  bool operator()(const ClocksRestarted&) const { return false; }  // tells who is asked
  bool operator()(const RoundScored&) const { return false; }      // told once it is paid
  bool operator()(const RoundPosted&) const { return true; }
  bool operator()(const RoundVoided&) const { return true; }
  bool operator()(const SeatLeft&) const { return true; }
  bool operator()(const HandShown&) const { return false; }
  bool operator()(const StakesAsked&) const { return false; }  // what comes of it, with the round
  bool operator()(const StakesProposed&) const { return false; }
  bool operator()(const ConsentAsked&) const { return false; }
  bool operator()(const StakesAccepted&) const { return false; }
  bool operator()(const BaseSet&) const { return false; }
  bool operator()(const OperatorActed&) const { return false; }  // what comes of it is told
  bool operator()(const RoundsStopped&) const { return false; }
  bool operator()(const TableEnded&) const { return true; }

  bool operator()(const round::RoundBegan&) const { return false; }  // said by RoundBegun
  bool operator()(const round::DiceRolled&) const { return true; }
  bool operator()(const round::Dealt&) const { return true; }
  bool operator()(const round::IndicatorTurned&) const { return true; }
  bool operator()(const round::Drew&) const { return true; }
  bool operator()(const round::Asked&) const { return false; }
  bool operator()(const round::Answered&) const { return false; }
  bool operator()(const round::Discarded&) const { return true; }
  bool operator()(const round::Called&) const { return true; }
  bool operator()(const round::KongDeclared&) const { return true; }
  bool operator()(const round::KongMade&) const { return true; }
  bool operator()(const round::LeaveNoted&) const { return false; }
  bool operator()(const round::Won&) const { return false; }  // said by RoundEnded
  bool operator()(const round::HorsesTurned&) const { return true; }
  bool operator()(const round::RoundEnded& event) const {
    return event.outcome != round::Outcome::kVoid;  // told once the wallet has closed it
  }
};

class Watcher {
 public:
  explicit Watcher(const TableState& state) : state_(state) {}

  WatchedEvent operator()(const TableCreated&) { return TableMade{state_.info()}; }
  WatchedEvent operator()(const SeatTaken& event) { return PlayerJoined{event.seat, event.player}; }
  WatchedEvent operator()(const SeatReadied& event) {
    return SeatReady{event.seat, event.round_number};
  }
  WatchedEvent operator()(const QuestionAsked& event) {
    return PlayOnAsked{event.round_number, *state_.question_due};
  }
  WatchedEvent operator()(const RoundBegun& event) {
    return RoundStarted{state_.info(), OpenedBy(state_, event)};
  }
  WatchedEvent operator()(const DealDrawn& event) { return DealtBy(event); }
  WatchedEvent operator()(const RoundPlayed& event) { return std::visit(*this, event.event); }
  WatchedEvent operator()(const AutoPlaySet& event) { return AutoPlayTurned{event.seat, event.on}; }
  WatchedEvent operator()(const RoundPosted& event) { return PaidBy(state_, event); }
  WatchedEvent operator()(const RoundVoided& event) { return DroppedBy(state_, event); }
  WatchedEvent operator()(const SeatLeft& event) {
    return PlayerLeft{event.seat, event.player, event.reason, event.why};
  }
  WatchedEvent operator()(const TableEnded&) { return TableClosed{}; }

  WatchedEvent operator()(const round::DiceRolled& event) { return event; }
  WatchedEvent operator()(const round::Dealt&) { return HandsDealt{}; }
  WatchedEvent operator()(const round::IndicatorTurned& event) { return event; }
  WatchedEvent operator()(const round::Drew& event) {
    return TileTaken{event.seat, event.kind, event.left};
  }
  WatchedEvent operator()(const round::Discarded& event) { return event; }
  WatchedEvent operator()(const round::Called& event) { return event; }
  WatchedEvent operator()(const round::KongDeclared& event) { return event; }
  WatchedEvent operator()(const round::KongMade& event) { return event; }
  WatchedEvent operator()(const round::HorsesTurned& event) {
    return HorsesShown{event.horses, HitsOf(*state_.round, event.horses)};
  }
  WatchedEvent operator()(const round::RoundEnded&) { return OverBy(state_); }

  template <typename Hidden>
  WatchedEvent operator()(const Hidden&) {
    MJ_CHECK(false, "an event that is not shown");
  }

 private:
  const TableState& state_;
};

}  // namespace

bool IsWatched(const TableEvent& event) { return std::visit(Public(), event); }

Scene SceneOf(const TableState& state, const LogEntry& entry, StreamSeq sequence) {
  MJ_CHECK(IsWatched(entry.event), "an event that is not shown");
  Scene scene{sequence,
              entry.time,
              std::make_shared<const WatchedEvent>(std::visit(Watcher(state), entry.event)),
              {}};
  if (state.stage() != TableStage::kPlaying) return scene;
  for (Seat seat : rules::kSeats) {
    if (!state.hand_shown[seat]) continue;
    const tiles::TileCounts& tiles = state.round->play.seats[seat].hand.concealed;
    if (tiles.total() > 0) scene.hands[seat] = Scene::Hand{*state.hand_shown[seat], tiles};
  }
  return scene;
}

}  // namespace mj::table
