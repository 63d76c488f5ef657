#include "tests/scorer/rounds_testing.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "libs/rules/check.h"
#include "tests/scorer/hands_testing.h"

namespace mj::scorer {
namespace {

using rules::FinishedRound;
using rules::MeldKind;
using rules::Seat;
using rules::WinWay;
using testing::Random;

OptionTexts RandomOptions(const rules::Variant& variant, Random& random) {
  OptionTexts texts;
  for (const rules::OptionDef& def : variant.options()) {
    if (random.OneIn(2)) continue;
    std::int64_t value = 0;
    switch (def.type) {
      case rules::OptionType::kFlag:
        value = random.Below(2);
        break;
      case rules::OptionType::kChoice:
        value = random.Below(static_cast<int>(def.choices.size()));
        break;
      case rules::OptionType::kNumber: {
        const std::int64_t most = std::min<std::int64_t>(def.max, def.min + 40);
        value = random.OneIn(2) ? def.min
                                : def.min + random.Below(static_cast<int>(most - def.min + 1));
        break;
      }
    }
    texts[std::string(def.name)] = rules::OptionText(def, value);
  }
  return texts;
}

class Maker {
 public:
  Maker(const rules::Variant& variant, Random& random) : variant_(variant), random_(random) {}

  RandomRound Make() {
    RandomRound made;
    made.texts = RandomOptions(variant_, random_);
    made.options = std::get<rules::Options>(rules::ParseOptions(variant_.options(), made.texts));
    play_ = variant_.play(made.options);
    MakeWall();
    MakeDeal();
    if (random_.OneIn(20)) {
      round_.end = rules::RoundEnd::kExhausted;
    } else {
      MakeWins();
    }
    // The winner's come last: a replacement may have won.
    const auto winners = std::exchange(round_.kongs, {});
    for (int more = random_.Below(4); more > 0; --more) AddOthersKong();
    for (const rules::Kong& kong : winners) round_.kongs.push_back(kong);
    TurnHorses();
    made.round = round_;
    return made;
  }

 private:
  Seat AnySeat() { return rules::kSeats[static_cast<std::size_t>(random_.Below(4))]; }
  Seat Other(Seat seat) { return rules::After(seat, 1 + random_.Below(3)); }

  void MakeWall() {
    for (int kind = 0; kind < 34; ++kind) {
      wall_.left[static_cast<std::size_t>(kind)] = play_.wall[tiles::Tile::At(kind)];
    }
    wall_.chow = play_.chow;
  }

  void MakeDeal() {
    round_.deal.dealer = AnySeat();
    if (play_.winds) {
      const Seat east = AnySeat();
      round_.deal.round_wind = tiles::Tile::At(kEast + random_.Below(4));
      round_.deal.seat_winds.emplace();
      for (int i = 0; i < 4; ++i) {
        (*round_.deal.seat_winds)[rules::After(east, i)] = tiles::Tile::At(kEast + i);
      }
    }
    if (play_.wild == rules::WildMode::kNone) return;
    tiles::Tile wild = play_.fixed_wild;
    if (play_.wild == rules::WildMode::kFlipped) {
      const tiles::Tile indicator = tiles::Tile::At(random_.Below(34));
      wild = tiles::NextInSequence(indicator);
      --wall_.left[static_cast<std::size_t>(indicator.index())];
    }
    round_.deal.wild = wild;
    wall_.wild = wild.index();
  }

  void MakeWins() {
    const int way = random_.Below(10);
    const Seat first = AnySeat();
    if (way < 5) return AddWin(first, WinWay::kSelfDraw, std::nullopt, std::nullopt);
    const WinWay on_others = way < 8 ? WinWay::kDiscard : WinWay::kRobbedKong;
    const Seat from = Other(first);
    std::optional<int> tile;
    const int winners = 1 + (random_.OneIn(2) ? random_.Below(3) : 0);
    std::vector<Seat> seats = {rules::After(from, 1), rules::After(from, 2), rules::After(from, 3)};
    while (static_cast<int>(seats.size()) > winners) {
      seats.erase(seats.begin() + random_.Below(static_cast<int>(seats.size())));
    }
    for (Seat seat : seats) {
      AddWin(seat, on_others, from, tile);
      if (!round_.wins.empty()) tile = round_.wins[0].tile.index();
    }
  }

  void AddWin(Seat seat, WinWay way, std::optional<Seat> from, std::optional<int> tile) {
    const auto dealt = MakeHand(wall_, seat, tile, random_);
    if (!dealt) return;
    rules::Win win;
    win.seat = seat;
    win.hand = dealt->hand;
    win.tile = tiles::Tile::At(dealt->tile);
    win.way = way;
    win.from = from;
    const std::optional<Seat> killed = KilledBy(win);
    if (way == WinWay::kSelfDraw) win.killed = killed;
    SetFlags(win);
    AddKongs(win, [](MeldKind kind) { return kind != MeldKind::kAddedKong; });
    AddKongs(win, [](MeldKind kind) { return kind == MeldKind::kAddedKong; });
    if (killed) MakeKilledPay(*killed, win);
    if (win.flags.kong_replacement) win.kong_feeder = round_.kongs[round_.kongs.size() - 1].from;
    round_.wins.push_back(win);
  }

  template <typename Chosen>
  void AddKongs(const rules::Win& win, Chosen chosen) {
    for (const rules::CalledMeld& called : win.hand.melds) {
      if (!called.meld.is_kong() || !chosen(called.meld.kind)) continue;
      rules::Kong kong;
      kong.seat = win.seat;
      kong.kind = called.meld.kind;
      kong.tile = called.meld.tile;
      if (kong.kind == MeldKind::kDiscardKong) kong.from = called.from;
      round_.kongs.push_back(kong);
    }
  }

  // SG-43: the killing pung's own kong comes after it, other added ones may.
  void MakeKilledPay(Seat killed, const rules::Win& win) {
    bool after = false;
    for (rules::Kong& kong : round_.kongs) {
      if (kong.seat != win.seat || kong.kind != MeldKind::kAddedKong) continue;
      after = after || kong.tile == win.hand.melds[3].meld.tile || random_.OneIn(2);
      if (after) kong.paid_by = killed;
    }
  }

  // SG-43: who gave the pung that left a single tile.
  std::optional<Seat> KilledBy(const rules::Win& win) const {
    if (!play_.kill || win.hand.melds.size() != 4) return std::nullopt;
    const rules::CalledMeld& last = win.hand.melds[3];
    const bool was_pung =
        last.meld.kind == MeldKind::kPung || last.meld.kind == MeldKind::kAddedKong;
    return was_pung ? last.from : std::nullopt;
  }

  // Only such flags as can be true of the hand.
  void SetFlags(rules::Win& win) {
    const auto& melds = win.hand.melds;
    const bool self_draw = win.way == WinWay::kSelfDraw;
    const bool dealer = win.seat == round_.deal.dealer;
    const bool konged =
        std::any_of(melds.begin(), melds.end(),
                    [](const rules::CalledMeld& called) { return called.meld.is_kong(); });
    if (self_draw && random_.OneIn(8)) win.flags.last_tile = true;
    if (self_draw && konged && random_.OneIn(2)) win.flags.kong_replacement = true;
    if (win.flags.last_tile || win.flags.kong_replacement || !random_.OneIn(5)) return;
    if (dealer) {
      win.flags.heavenly = self_draw && melds.empty() && !play_.kill;
    } else {
      win.flags.earthly = MayBeEarthly(win);
    }
  }

  // By the rulebook: CZ-34, GD-32, JY-33.
  bool MayBeEarthly(const rules::Win& win) const {
    const std::string_view game = variant_.info().id;
    if (game == "guangdong") return true;
    if (!win.hand.melds.empty()) return false;
    if (game == "chaozhou") return win.way != WinWay::kRobbedKong;
    if (game == "jieyang") {
      return win.way == WinWay::kDiscard && win.from == rules::Before(win.seat);
    }
    return false;
  }

  void AddOthersKong() {
    const Seat seat = AnySeat();
    for (const rules::Win& win : round_.wins) {
      if (win.seat == seat) return;
    }
    const int kind = random_.Below(34);
    int& left = wall_.left[static_cast<std::size_t>(kind)];
    if (left < 4 || wall_.wild == kind) return;
    left = 0;
    rules::Kong kong;
    kong.seat = seat;
    kong.kind =
        PickFrom(std::array{MeldKind::kDiscardKong, MeldKind::kAddedKong, MeldKind::kConcealedKong},
                 random_);
    kong.tile = tiles::Tile::At(kind);
    if (const auto killed = PaidBefore(seat)) {
      kong.kind = MeldKind::kAddedKong;
      kong.paid_by = killed;
    } else if (kong.kind == MeldKind::kDiscardKong) {
      kong.from = Other(seat);
    } else if (play_.kill && kong.kind == MeldKind::kAddedKong && random_.OneIn(3)) {
      kong.paid_by = Other(seat);
    }
    round_.kongs.push_back(kong);
  }

  // Whom this seat killed, as far as its kongs tell.
  std::optional<Seat> PaidBefore(Seat seat) const {
    std::optional<Seat> killed;
    for (const rules::Kong& kong : round_.kongs) {
      if (kong.seat == seat && kong.paid_by) killed = kong.paid_by;
    }
    return killed;
  }

  void TurnHorses() {
    if (round_.wins.empty()) return;
    const rules::Win& win = round_.wins[0];
    if (win.way == WinWay::kDiscard || win.flags.last_tile) return;
    if (win.way == WinWay::kRobbedKong && !play_.horses_on_robbed_kong) return;
    const int turned = random_.OneIn(5) ? random_.Below(play_.horses + 1) : play_.horses;
    while (static_cast<int>(round_.horses.size()) < turned) {
      const int kind = random_.Below(34);
      int& left = wall_.left[static_cast<std::size_t>(kind)];
      if (left == 0) continue;
      --left;
      round_.horses.push_back(tiles::Tile::At(kind));
    }
  }

  const rules::Variant& variant_;
  Random& random_;
  rules::PlayRules play_;
  Wall wall_;
  FinishedRound round_;
};

}  // namespace

RandomRound MakeRound(const rules::Variant& variant, Random& random) {
  while (true) {
    RandomRound made = Maker(variant, random).Make();
    if (!rules::CheckRound(variant, made.options, made.round)) return made;
  }
}

}  // namespace mj::scorer
