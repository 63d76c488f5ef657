#include "libs/rules/check.h"

#include <algorithm>
#include <cstddef>

#include "libs/tiles/meld.h"

namespace mj::rules {
namespace {

using Answer = std::optional<RoundRefusal>;

RoundRefusal Refuse(RoundFault fault, std::optional<Tile> tile = std::nullopt) {
  return {.fault = fault, .tile = tile};
}

RoundRefusal InWin(RoundRefusal refusal, std::size_t index) {
  refusal.index = static_cast<int>(index);
  refusal.part = RoundPart::kWin;
  return refusal;
}

// How many of each kind a round can show: what the wall holds, less a turned indicator (JY-50).
TileCounts Limits(const PlayRules& play, const Deal& deal) {
  TileCounts limits = play.wall;
  if (play.wild != WildMode::kFlipped || !deal.wild) return limits;
  for (Tile tile : tiles::kAllKinds) {
    if (play.wall.Has(tile) && tiles::NextInSequence(tile) == *deal.wild) limits.Remove(tile);
  }
  return limits;
}

// One look at all kinds, without a branch for each: nearly every hand passes.
bool Within(const TileCounts& counts, const TileCounts& limits) {
  bool within = true;
  for (std::size_t i = 0; i < tiles::kKindCount; ++i) {
    within &= counts.by_index()[i] <= limits.by_index()[i];
  }
  return within;
}

Answer CheckCounts(const PlayRules& play, const Deal& deal, const TileCounts& counts) {
  const TileCounts limits = Limits(play, deal);
  if (Within(counts, limits)) return std::nullopt;
  for (Tile tile : tiles::kAllKinds) {
    if (counts.Has(tile) && play.wall[tile] == 0) return Refuse(RoundFault::kTileOutsideSet, tile);
  }
  for (Tile tile : tiles::kAllKinds) {
    if (counts[tile] > limits[tile]) return Refuse(RoundFault::kTooManyAlike, tile);
  }
  return std::nullopt;
}

Answer CheckMelds(const PlayRules& play, const Deal& deal, Seat seat, const Melds& melds) {
  for (const CalledMeld& called : melds) {
    const Meld& meld = called.meld;
    if (meld.is_chow() && (!play.chow || !meld.tile.starts_chow())) {
      return Refuse(RoundFault::kBadMeld, meld.tile);
    }
    // A wild tile cannot stand in a pung or a kong (JY-50).
    if (!meld.is_chow() && deal.wild == meld.tile) return Refuse(RoundFault::kBadMeld, meld.tile);
    if (called.from == seat) return Refuse(RoundFault::kMeldFromSelf, meld.tile);
    const bool concealed = meld.kind == MeldKind::kConcealedKong;
    if (!concealed && !called.from) return Refuse(RoundFault::kMeldGiverMissing, meld.tile);
    if (concealed && called.from) return Refuse(RoundFault::kMeldGiverUnexpected, meld.tile);
    if (meld.is_chow() && called.from != Before(seat)) {
      return Refuse(RoundFault::kMeldGiverNotPrevious, meld.tile);
    }
  }
  return std::nullopt;
}

Answer CheckDealAlone(const PlayRules& play, const Deal& deal) {
  const bool has_winds = deal.round_wind.has_value() && deal.seat_winds.has_value();
  const bool has_any = deal.round_wind.has_value() || deal.seat_winds.has_value();
  if (play.winds ? !has_winds : has_any) return Refuse(RoundFault::kWindsContradict);
  if (play.winds) {
    if (!deal.round_wind->is_wind()) return Refuse(RoundFault::kWindsContradict, *deal.round_wind);
    for (Seat seat : kSeats) {
      // Dealt counter-clockwise: the next seat has the next wind.
      const Tile wind = (*deal.seat_winds)[seat];
      if (!wind.is_wind()) return Refuse(RoundFault::kWindsContradict, wind);
      if ((*deal.seat_winds)[After(seat)] != tiles::NextInSequence(wind)) {
        return Refuse(RoundFault::kWindsContradict, wind);
      }
    }
  }
  const bool fits = play.wild == WildMode::kNone    ? !deal.wild.has_value()
                    : play.wild == WildMode::kFixed ? deal.wild == play.fixed_wild
                                                    : deal.wild && play.wall.Has(*deal.wild);
  if (!fits) return Refuse(RoundFault::kWildContradicts, deal.wild);
  return std::nullopt;
}

Answer CheckDeal(const PlayRules& play, const Deal& deal) {
  Answer fault = CheckDealAlone(play, deal);
  if (fault) fault->part = RoundPart::kDeal;
  return fault;
}

TileCounts AllTiles(const Hand& hand) {
  TileCounts counts = hand.concealed;
  for (const CalledMeld& called : hand.melds) AddTo(counts, called.meld);
  return counts;
}

Answer CheckHandTiles(const PlayRules& play, const Deal& deal, Seat seat, const Hand& hand,
                      const TileCounts& all) {
  if (hand.concealed.total() != hand.resting_tiles()) return Refuse(RoundFault::kWrongTileCount);
  if (const Answer fault = CheckCounts(play, deal, all)) return fault;
  return CheckMelds(play, deal, seat, hand.melds);
}

bool HasKong(const Melds& melds) {
  return std::any_of(melds.begin(), melds.end(),
                     [](const CalledMeld& called) { return called.meld.is_kong(); });
}

// Whether the round can have gone so that this win is what its flags say, by the game's own
// definition: of the facts that they hang on, some are seen in the finished round, the others may
// have been either way.
bool CanBeFirstTurn(const Variant& game, const Options& options, const FinishedRound& round,
                    const Win& win) {
  const bool called = std::any_of(round.wins.begin(), round.wins.end(),
                                  [](const Win& each) { return !each.hand.melds.empty(); });
  const bool anyone_called =
      called || !win.hand.melds.empty() || !round.kongs.empty() || win.way == WinWay::kRobbedKong;
  const bool from_previous = win.way == WinWay::kDiscard && win.from == Before(win.seat);
  FirstTurnFacts facts{.winner = win.seat,
                       .dealer = round.deal.dealer,
                       .way = win.way,
                       .winner_called = !win.hand.melds.empty()};
  for (facts.winner_draws = 0; facts.winner_draws <= 2; ++facts.winner_draws) {
    for (const bool call : {false, true}) {
      for (const bool second_turn : {false, true}) {
        for (const bool first_discard : {false, true}) {
          if ((anyone_called && !call) || (first_discard && !from_previous)) continue;
          facts.anyone_called = call;
          facts.dealer_second_turn = second_turn;
          facts.previous_seats_first_discard = first_discard;
          const WinFlags flags = game.FirstTurn(facts, options);
          if (flags.heavenly == win.flags.heavenly && flags.earthly == win.flags.earthly) {
            return true;
          }
        }
      }
    }
  }
  return false;
}

Answer CheckFirstTurn(const Variant& game, const Options& options, const FinishedRound& round,
                      const Win& win) {
  if (!win.flags.heavenly && !win.flags.earthly) return std::nullopt;
  if (CanBeFirstTurn(game, options, round, win)) return std::nullopt;
  return Refuse(RoundFault::kFlagContradicts, win.tile);
}

Answer CheckFlags(const Deal& deal, const Win& win) {
  const bool self_draw = win.way == WinWay::kSelfDraw;
  const WinFlags& flags = win.flags;
  const bool contradicts =
      (flags.last_tile && !self_draw) ||
      (flags.kong_replacement && (!self_draw || !HasKong(win.hand.melds))) ||
      (flags.heavenly && (!self_draw || win.seat != deal.dealer || !win.hand.melds.empty() ||
                          flags.kong_replacement || flags.last_tile)) ||
      (flags.earthly && (win.seat == deal.dealer || flags.heavenly || flags.last_tile));
  if (contradicts) return Refuse(RoundFault::kFlagContradicts, win.tile);
  return std::nullopt;
}

// SG-43, which the hand shows: its fourth meld is a pung, which left a single tile, perhaps made a
// kong since.
std::optional<Seat> KilledBy(const PlayRules& play, const Melds& melds) {
  if (!play.kill || melds.size() != melds.capacity()) return std::nullopt;
  const CalledMeld& last = melds[melds.size() - 1];
  const bool pung = last.meld.kind == MeldKind::kPung || last.meld.kind == MeldKind::kAddedKong;
  return pung ? last.from : std::nullopt;
}

std::optional<Seat> KilledBy(const PlayRules& play, const Win& win) {
  return win.way == WinWay::kSelfDraw ? KilledBy(play, win.hand.melds) : std::nullopt;
}

// Who is named must be the right one. That nobody is named is judged with the whole round, since
// what a hand is worth does not hang on who pays.
Answer CheckPayers(const PlayRules& play, const Win& win) {
  if (win.kong_feeder) {
    const bool fed =
        std::any_of(win.hand.melds.begin(), win.hand.melds.end(), [&](const CalledMeld& called) {
          return called.meld.kind == MeldKind::kDiscardKong && called.from == win.kong_feeder;
        });
    if (!win.flags.kong_replacement || !fed) return Refuse(RoundFault::kFeederContradicts);
  }
  if (win.killed && win.killed != KilledBy(play, win)) {
    return Refuse(RoundFault::kKilledContradicts);
  }
  return std::nullopt;
}

Answer CheckOneWin(const PlayRules& play, const Deal& deal, const Win& win) {
  TileCounts all = AllTiles(win.hand);
  all.Add(win.tile);
  if (const Answer fault = CheckHandTiles(play, deal, win.seat, win.hand, all)) return fault;
  const bool self_draw = win.way == WinWay::kSelfDraw;
  if (win.from == win.seat) return Refuse(RoundFault::kWinFromSelf, win.tile);
  if (!self_draw && !win.from) return Refuse(RoundFault::kWinFromMissing, win.tile);
  if (self_draw && win.from) return Refuse(RoundFault::kWinFromUnexpected, win.tile);
  if (win.way == WinWay::kRobbedKong) {
    if (win.tile == deal.wild) return Refuse(RoundFault::kRobbedCannotBe, win.tile);
    // The other three are the robbed pung.
    if (all[win.tile] > 1) return Refuse(RoundFault::kTooManyAlike, win.tile);
  }
  if (const Answer fault = CheckFlags(deal, win)) return fault;
  return CheckPayers(play, win);
}

// Several winners share one tile, thrown or added by one seat; each wins once.
Answer CheckTogether(const FinishedRound& round) {
  const Win& first = round.wins[0];
  for (std::size_t i = 1; i < round.wins.size(); ++i) {
    const Win& win = round.wins[i];
    const bool agree = win.way == first.way && win.tile == first.tile && win.from == first.from &&
                       win.way != WinWay::kSelfDraw;
    if (!agree) {
      return InWin(Refuse(RoundFault::kWinnersDisagree, win.tile), i);
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (round.wins[j].seat == win.seat) {
        return InWin(Refuse(RoundFault::kWinnerTwice, win.tile), i);
      }
    }
  }
  return std::nullopt;
}

const Win* WinOf(const FinishedRound& round, Seat seat) {
  for (const Win& win : round.wins) {
    if (win.seat == seat) return &win;
  }
  return nullptr;
}

bool IsMeldOf(const Win& win, const Kong& kong) {
  return std::any_of(win.hand.melds.begin(), win.hand.melds.end(), [&](const CalledMeld& called) {
    return called.meld == Meld{kong.kind, kong.tile} &&
           (kong.kind != MeldKind::kDiscardKong || called.from == kong.from);
  });
}

// SG-43: whoever was killed pays every kong that comes after. With four melds made and one tile
// left, that can only be an added one.
bool CanBePaidBy(const PlayRules& play, const FinishedRound& round, std::size_t index) {
  const Kong& kong = round.kongs[index];
  std::optional<Seat> owed;  // by an earlier kong of this seat
  for (std::size_t i = 0; i < index; ++i) {
    if (round.kongs[i].seat == kong.seat && round.kongs[i].paid_by) owed = round.kongs[i].paid_by;
  }
  const Win* win = WinOf(round, kong.seat);
  const std::optional<Seat> killed =
      win == nullptr ? std::nullopt : KilledBy(play, win->hand.melds);
  if (!kong.paid_by) {
    const bool killer =
        killed && win->hand.melds[win->hand.melds.size() - 1].meld.tile == kong.tile;
    return !owed && !killer;
  }
  return play.kill && kong.kind == MeldKind::kAddedKong && kong.paid_by != kong.seat &&
         (!owed || owed == kong.paid_by) && (win == nullptr || killed == kong.paid_by);
}

Answer CheckKongs(const PlayRules& play, const FinishedRound& round) {
  for (std::size_t i = 0; i < round.kongs.size(); ++i) {
    const Kong& kong = round.kongs[i];
    const auto refuse = [&](RoundFault fault) {
      return RoundRefusal{fault, kong.tile, static_cast<int>(i), RoundPart::kKong};
    };
    if (play.wall[kong.tile] == 0) return refuse(RoundFault::kTileOutsideSet);
    if (!IsKong(kong.kind) || kong.tile == round.deal.wild) return refuse(RoundFault::kBadMeld);
    const bool given = kong.kind == MeldKind::kDiscardKong;
    if (given != kong.from.has_value() || kong.from == kong.seat) {
      return refuse(RoundFault::kKongGiver);
    }
    if (!CanBePaidBy(play, round, i)) return refuse(RoundFault::kKilledContradicts);
    std::size_t before = 0;
    for (std::size_t j = 0; j < i; ++j) {
      if (round.kongs[j].tile == kong.tile) return refuse(RoundFault::kKongTwice);
      if (round.kongs[j].seat == kong.seat) ++before;
    }
    if (before == Melds::capacity()) return refuse(RoundFault::kFifthKong);
    const Win* win = WinOf(round, kong.seat);
    if (win != nullptr && !IsMeldOf(*win, kong)) return refuse(RoundFault::kKongContradictsMeld);
  }
  for (std::size_t i = 0; i < round.wins.size(); ++i) {
    const Win& win = round.wins[i];
    for (const CalledMeld& called : win.hand.melds) {
      if (!called.meld.is_kong()) continue;
      const bool listed =
          std::any_of(round.kongs.begin(), round.kongs.end(), [&](const Kong& kong) {
            return kong.seat == win.seat && kong.kind == called.meld.kind &&
                   kong.tile == called.meld.tile;
          });
      if (!listed) {
        return InWin(Refuse(RoundFault::kKongContradictsMeld, called.meld.tile), i);
      }
    }
  }
  return std::nullopt;
}

// Whoever has to pay for the others is named: what the kongs and melds say, nobody may leave out.
Answer CheckWhoPays(const PlayRules& play, const FinishedRound& round) {
  for (std::size_t i = 0; i < round.wins.size(); ++i) {
    const Win& win = round.wins[i];
    if (win.flags.kong_replacement) {
      // Nothing comes between a kong and its replacement, so that it is the round's last.
      const Kong& replaced = round.kongs[round.kongs.size() - 1];
      if (replaced.seat != win.seat) {
        return InWin(Refuse(RoundFault::kFlagContradicts, win.tile), i);
      }
      if (win.kong_feeder != replaced.from) return InWin(Refuse(RoundFault::kFeederContradicts), i);
    }
    if (win.killed != KilledBy(play, win)) return InWin(Refuse(RoundFault::kKilledContradicts), i);
  }
  return std::nullopt;
}

// Everything that lies open when the round is over, each tile once.
TileCounts VisibleTiles(const FinishedRound& round) {
  TileCounts visible;
  for (const Win& win : round.wins) visible += AllTiles(win.hand);
  if (!round.wins.empty()) {
    // A robbed kong's other three tiles lie there as a pung.
    visible.Add(round.wins[0].tile, round.wins[0].way == WinWay::kRobbedKong ? 4 : 1);
  }
  for (const Kong& kong : round.kongs) {
    if (WinOf(round, kong.seat) == nullptr) visible.Add(kong.tile, 4);
  }
  for (Tile horse : round.horses) visible.Add(horse);
  return visible;
}

Answer CheckHorses(const PlayRules& play, const FinishedRound& round) {
  if (round.horses.empty()) return std::nullopt;
  const bool turned = round.end == RoundEnd::kWin && !round.wins.empty() &&
                      (round.wins[0].way == WinWay::kSelfDraw || play.horses_on_robbed_kong);
  if (!turned || static_cast<int>(round.horses.size()) > play.horses) {
    return RoundRefusal{RoundFault::kHorsesContradict, round.horses[0], -1, RoundPart::kHorses};
  }
  for (const Tile horse : round.horses) {
    if (play.wall.Has(horse)) continue;
    return RoundRefusal{RoundFault::kTileOutsideSet, horse, -1, RoundPart::kHorses};
  }
  return std::nullopt;
}

}  // namespace

std::optional<RoundRefusal> CheckWin(const Variant& variant, const Options& options,
                                     const Deal& deal, const Win& win) {
  const PlayRules play = variant.play(options);
  if (const Answer fault = CheckDeal(play, deal)) return fault;
  if (const Answer fault = CheckOneWin(play, deal, win)) return fault;
  FinishedRound alone;
  alone.deal = deal;
  return CheckFirstTurn(variant, options, alone, win);
}

std::optional<RoundRefusal> CheckHand(const Variant& variant, const Options& options,
                                      const Deal& deal, Seat seat, const Hand& hand) {
  const PlayRules play = variant.play(options);
  if (const Answer fault = CheckDeal(play, deal)) return fault;
  return CheckHandTiles(play, deal, seat, hand, AllTiles(hand));
}

std::optional<RoundRefusal> CheckRound(const Variant& variant, const Options& options,
                                       const FinishedRound& round) {
  const PlayRules play = variant.play(options);
  if (const Answer fault = CheckDeal(play, round.deal)) return fault;
  if (round.end == RoundEnd::kWin && round.wins.empty()) return Refuse(RoundFault::kNoWinner);
  if (round.end == RoundEnd::kExhausted && !round.wins.empty()) {
    return Refuse(RoundFault::kUnexpectedWinner);
  }
  for (std::size_t i = 0; i < round.wins.size(); ++i) {
    const Win& win = round.wins[i];
    if (const Answer fault = CheckOneWin(play, round.deal, win)) return InWin(*fault, i);
    if (const Answer fault = CheckFirstTurn(variant, options, round, win)) {
      return InWin(*fault, i);
    }
  }
  if (!round.wins.empty()) {
    if (const Answer fault = CheckTogether(round)) return fault;
  }
  if (const Answer fault = CheckKongs(play, round)) return fault;
  if (const Answer fault = CheckWhoPays(play, round)) return fault;
  if (const Answer fault = CheckHorses(play, round)) return fault;
  return CheckCounts(play, round.deal, VisibleTiles(round));
}

}  // namespace mj::rules
