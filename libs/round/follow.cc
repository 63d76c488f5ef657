#include "libs/round/follow.h"

#include <variant>

namespace mj::round {

using rules::Seat;
using rules::Tile;

Follower::Follower(const rules::PlayRules& play, const Viewer& viewer) : play_(play) {
  view_.viewer = viewer;
}

void Follower::Take(const SeatEvent& event) {
  std::visit([this](const auto& one) { On(one); }, event);
}

void Follower::On(const RoundBegan& event) {
  const Viewer viewer = view_.viewer;
  view_ = SeatView{};
  view_.viewer = viewer;
  view_.deal = event.deal;
  if (play_.wild == rules::WildMode::kFixed) view_.deal.wild = play_.fixed_wild;
  view_.left = static_cast<std::uint8_t>(play_.wall.total());
  EnterPhase(ViewPhase::kOpening);
}

void Follower::On(const DiceRolled& event) {
  EnterPhase(ViewPhase::kOpening);
  view_.dice = event.faces;
}

void Follower::On(const HandDealt& event) {
  for (const Seat seat : rules::kSeats) {
    view_.seats[seat].concealed = rules::kHandTiles;
    view_.left = static_cast<std::uint8_t>(view_.left - rules::kHandTiles);
  }
  if (event.hand) view_.hand = *event.hand;
}

void Follower::On(const IndicatorTurned& event) {
  view_.indicator = event.indicator;
  view_.deal.wild = event.wild;
  --view_.left;
}

void Follower::On(const SeatDrew& event) {
  EnterPhase(ViewPhase::kTurn, event.seat);
  ++view_.seats[event.seat].concealed;
  view_.left = event.left;
  if (event.tile) {
    view_.hand.Add(*event.tile);
    view_.drawn = event.tile;
  }
  EndLock(event.seat, rules::LockEnds::kOwnDrawOrCall);
}

void Follower::On(const YouAreAsked& event) {
  view_.ask = event.ask;
  offered_win_ = event.ask.offer.win && !view_.drawn;
}

void Follower::On(const YouAnswered& event) {
  view_.ask.reset();
  // Only another's tile can be missed (PLAY-03).
  const bool others = view_.phase == ViewPhase::kThrown || view_.phase == ViewPhase::kKongDeclared;
  if (!others || !offered_win_ || event.choice.kind == ChoiceKind::kWin || !view_.tile) {
    return;
  }
  if (play_.missed_win == rules::MissedWin::kSameTile) view_.lock.kinds.Add(*view_.tile);
  if (play_.missed_win == rules::MissedWin::kEveryTile) view_.lock.every = true;
}

void Follower::On(const Discarded& event) {
  EnterPhase(ViewPhase::kThrown, event.seat, event.tile);
  Take(event.seat, event.tile, 1);
  view_.river.push_back({event.seat, event.tile, std::nullopt});
  EndLock(event.seat, rules::LockEnds::kOwnDiscard);
}

void Follower::On(const Called& event) {
  EnterPhase(ViewPhase::kTurn, event.seat);
  rules::TileCounts taken;
  AddTo(taken, event.meld.meld);
  taken.Remove(event.tile);
  for (const Tile tile : tiles::kAllKinds) {
    if (taken.Has(tile)) Take(event.seat, tile, taken[tile]);
  }
  view_.seats[event.seat].melds.push_back(event.meld);
  if (!view_.river.empty()) view_.river.back().taken_by = event.seat;
  EndLock(event.seat, rules::LockEnds::kOwnDrawOrCall);
}

void Follower::On(const KongDeclared& event) {
  EnterPhase(ViewPhase::kKongDeclared, event.seat, event.tile);
}

void Follower::On(const KongMade& event) {
  const rules::Kong& kong = event.kong;
  EnterPhase(ViewPhase::kKongMade, kong.seat);
  const rules::Meld meld{kong.kind, kong.tile};
  Melds& melds = view_.seats[kong.seat].melds;
  if (kong.kind == rules::MeldKind::kAddedKong) {
    Take(kong.seat, kong.tile, 1);
    for (rules::CalledMeld& called : melds) {
      if (called.meld == rules::Meld{rules::MeldKind::kPung, kong.tile}) called.meld = meld;
    }
  } else {
    const bool given = kong.kind == rules::MeldKind::kDiscardKong;
    Take(kong.seat, kong.tile, given ? 3 : 4);
    melds.push_back({meld, given ? kong.from : std::nullopt});
    if (given && !view_.river.empty()) view_.river.back().taken_by = kong.seat;
  }
  view_.kongs.push_back(kong);
  EndLock(kong.seat, rules::LockEnds::kOwnDrawOrCall);
}

void Follower::On(const Won& event) {
  EnterPhase(ViewPhase::kWon);
  view_.wins = event.wins;
  if (event.wins.empty()) return;
  const rules::Win& first = event.wins[0];
  // A robbed tile has left its owner's hand.
  if (first.way == rules::WinWay::kRobbedKong && first.from) Take(*first.from, first.tile, 1);
}

void Follower::On(const HorsesTurned& event) {
  view_.horses = event.horses;
  view_.left = static_cast<std::uint8_t>(view_.left - event.horses.size());
}

void Follower::On(const RoundEnded& event) {
  EnterPhase(ViewPhase::kOver);
  view_.ended = event;
}

void Follower::EnterPhase(ViewPhase phase, std::optional<Seat> actor, std::optional<Tile> tile) {
  view_.phase = phase;
  view_.actor = actor;
  view_.tile = tile;
  view_.drawn.reset();
  view_.ask.reset();
}

void Follower::Take(Seat seat, Tile tile, int count) {
  view_.seats[seat].concealed = static_cast<std::uint8_t>(view_.seats[seat].concealed - count);
  if (IsOwn(seat)) view_.hand.Remove(tile, count);
}

void Follower::EndLock(Seat seat, rules::LockEnds when) {
  if (IsOwn(seat) && play_.lock_ends == when) view_.lock = Lock{};
}

}  // namespace mj::round
