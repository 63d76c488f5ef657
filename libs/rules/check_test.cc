#include "libs/rules/check.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

#include "libs/rules/toy_testing.h"
#include "libs/tiles/mpsz.h"

namespace mj::rules {
namespace {

TileCounts Counts(const std::string& text) { return *tiles::ParseCounts(text); }
Tile One(const std::string& text) { return *tiles::ParseTile(text); }
CalledMeld Called(MeldKind kind, const std::string& tiles, std::optional<Seat> from) {
  return {.meld = *tiles::ParseMeld(kind, tiles), .from = from};
}
Kong KongOf(Seat seat, MeldKind kind, const std::string& tile, std::optional<Seat> from = {}) {
  return {.seat = seat, .kind = kind, .tile = One(tile), .from = from, .paid_by = {}};
}

// A sound round, which every row spoils in one way: seat 1 wins on a discard of seat 2, a called
// pung and a concealed kong beside its hand.
FinishedRound Sound() {
  Win win;
  win.seat = Seat::k1;
  win.hand.concealed = Counts("99m34p456s");
  win.hand.melds.push_back(Called(MeldKind::kPung, "222m", Seat::k3));
  win.hand.melds.push_back(Called(MeldKind::kConcealedKong, "7777z", {}));
  win.tile = One("5p");
  win.way = WinWay::kDiscard;
  win.from = Seat::k2;
  FinishedRound round;
  round.wins.push_back(win);
  round.kongs.push_back(KongOf(Seat::k1, MeldKind::kConcealedKong, "7z"));
  round.kongs.push_back(KongOf(Seat::k3, MeldKind::kDiscardKong, "1z", Seat::k0));
  return round;
}

FinishedRound SoundSelfDraw() {
  FinishedRound round = Sound();
  round.wins[0].way = WinWay::kSelfDraw;
  round.wins[0].from = {};
  return round;
}

// Seat 1 drew its last tile after a kill by its fourth meld: seat 0 pays it alone, and the kong that
// it added afterwards (SG-43).
FinishedRound SoundKill() {
  FinishedRound round = SoundSelfDraw();
  Win& win = round.wins[0];
  win.hand.concealed = Counts("5p");
  win.hand.melds[0] = Called(MeldKind::kAddedKong, "2222m", Seat::k3);
  win.hand.melds.push_back(Called(MeldKind::kPung, "333s", Seat::k2));
  win.hand.melds.push_back(Called(MeldKind::kPung, "999s", Seat::k0));
  win.killed = Seat::k0;
  round.kongs.push_back(KongOf(Seat::k1, MeldKind::kAddedKong, "2m"));
  round.kongs[2].paid_by = Seat::k0;
  return round;
}

// Seat 1 drew its last tile in the place of a discard kong's fourth, which seat 2 had discarded.
FinishedRound SoundReplacement() {
  FinishedRound round = SoundSelfDraw();
  Win& win = round.wins[0];
  win.hand.melds.push_back(Called(MeldKind::kDiscardKong, "3333s", Seat::k2));
  win.hand.concealed = Counts("99m34p");
  win.flags.kong_replacement = true;
  win.kong_feeder = Seat::k2;
  round.kongs.push_back(KongOf(Seat::k1, MeldKind::kDiscardKong, "3s", Seat::k2));
  return round;
}

struct Row {
  const char* name;
  FinishedRound round;
  std::function<void(FinishedRound&, ToyGame&)> spoil;
  RoundFault fault;
  const char* tile = "";
};

std::vector<Row> Rows() {
  using F = RoundFault;
  using R = FinishedRound&;
  using G = ToyGame&;
  return {
      {"twelve tiles", Sound(), [](R r, G) { r.wins[0].hand.concealed = Counts("99m34p45s"); },
       F::kWrongTileCount},
      {"fourteen and the winning tile", Sound(),
       [](R r, G) { r.wins[0].hand.concealed = Counts("99m34p4567s"); }, F::kWrongTileCount},
      {"a tile that the game does not have", Sound(),
       [](R, G g) { g.play_rules.wall.Remove(One("9m"), 4); }, F::kTileOutsideSet, "9m"},
      {"five alike within a hand", Sound(),
       [](R r, G) { r.wins[0].hand.concealed = Counts("22m34p456s"); }, F::kTooManyAlike, "2m"},
      {"five alike with another's kong", Sound(),
       [](R r, G) { r.kongs.push_back(KongOf(Seat::k0, MeldKind::kConcealedKong, "9m")); },
       F::kTooManyAlike, "9m"},
      {"a chow in a game without", Sound(),
       [](R r, G) { r.wins[0].hand.melds[0] = Called(MeldKind::kChow, "345s", Seat::k0); },
       F::kBadMeld, "3s"},
      {"a chow from another than the previous seat", Sound(),
       [](R r, G g) {
         g.play_rules.chow = true;
         r.wins[0].hand.melds[0] = Called(MeldKind::kChow, "345s", Seat::k2);
       },
       F::kMeldGiverNotPrevious, "3s"},
      {"a pung from oneself", Sound(), [](R r, G) { r.wins[0].hand.melds[0].from = Seat::k1; },
       F::kMeldFromSelf, "2m"},
      {"a pung from nobody", Sound(), [](R r, G) { r.wins[0].hand.melds[0].from = {}; },
       F::kMeldGiverMissing, "2m"},
      {"a concealed kong from somebody", Sound(),
       [](R r, G) { r.wins[0].hand.melds[1].from = Seat::k0; }, F::kMeldGiverUnexpected, "7z"},
      {"a win from oneself", Sound(), [](R r, G) { r.wins[0].from = Seat::k1; }, F::kWinFromSelf,
       "5p"},
      {"a discard of nobody", Sound(), [](R r, G) { r.wins[0].from = {}; }, F::kWinFromMissing,
       "5p"},
      {"a self-draw from somebody", Sound(), [](R r, G) { r.wins[0].way = WinWay::kSelfDraw; },
       F::kWinFromUnexpected, "5p"},
      {"the last tile as a discard", Sound(), [](R r, G) { r.wins[0].flags.last_tile = true; },
       F::kFlagContradicts, "5p"},
      {"a replacement as a discard", Sound(),
       [](R r, G) { r.wins[0].flags.kong_replacement = true; }, F::kFlagContradicts, "5p"},
      {"heavenly by a non-dealer", SoundSelfDraw(),
       [](R r, G) {
         r.wins[0].hand = {.concealed = Counts("99m34p456s222m111z"), .melds = {}};
         r.kongs.clear();
         r.wins[0].flags.heavenly = true;
       },
       F::kFlagContradicts, "5p"},
      {"heavenly with a meld", SoundSelfDraw(),
       [](R r, G) {
         r.deal.dealer = Seat::k1;
         r.wins[0].flags.heavenly = true;
       },
       F::kFlagContradicts, "5p"},
      {"earthly by the dealer", Sound(),
       [](R r, G) {
         r.deal.dealer = Seat::k1;
         r.wins[0].flags.earthly = true;
       },
       F::kFlagContradicts, "5p"},
      {"a feeder without its kong", SoundSelfDraw(),
       [](R r, G) {
         r.wins[0].flags.kong_replacement = true;
         r.wins[0].kong_feeder = Seat::k0;
       },
       F::kFeederContradicts},
      {"a feeder of a win on another tile", SoundReplacement(),
       [](R r, G) { r.wins[0].flags.kong_replacement = false; }, F::kFeederContradicts},
      {"another feeder", SoundReplacement(), [](R r, G) { r.wins[0].kong_feeder = Seat::k3; },
       F::kFeederContradicts},
      {"a feeder that is left out", SoundReplacement(), [](R r, G) { r.wins[0].kong_feeder = {}; },
       F::kFeederContradicts},
      {"the feeder of an earlier kong", SoundReplacement(),
       [](R r, G) { std::swap(r.kongs[0], r.kongs[2]); }, F::kFeederContradicts},
      {"a replacement before another's kong", SoundReplacement(),
       [](R r, G) { std::swap(r.kongs[1], r.kongs[2]); }, F::kFlagContradicts, "5p"},
      {"a killed seat in a game without kills", SoundSelfDraw(),
       [](R r, G) { r.wins[0].killed = Seat::k0; }, F::kKilledContradicts},
      {"a killed seat and its kong in a game without kills", SoundKill(),
       [](R r, G) { r.kongs[2].paid_by = {}; }, F::kKilledContradicts},
      {"the giver of an earlier pung as the killed", SoundKill(),
       [](R r, G g) {
         g.play_rules.kill = true;
         r.wins[0].killed = Seat::k3;
       },
       F::kKilledContradicts},
      {"a killed seat that is left out", SoundKill(),
       [](R r, G g) {
         g.play_rules.kill = true;
         r.wins[0].killed = {};
       },
       F::kKilledContradicts},
      {"a killed seat that pays for a discard", SoundKill(),
       [](R r, G g) {
         g.play_rules.kill = true;
         r.wins[0].way = WinWay::kDiscard;
         r.wins[0].from = Seat::k3;
       },
       F::kKilledContradicts},
      {"a killed seat though the fourth meld is a discard kong", SoundKill(),
       [](R r, G g) {
         g.play_rules.kill = true;
         r.wins[0].hand.melds[3] = Called(MeldKind::kDiscardKong, "9999s", Seat::k0);
         r.kongs.push_back(KongOf(Seat::k1, MeldKind::kDiscardKong, "9s", Seat::k0));
       },
       F::kKilledContradicts},
      {"a kill by three melds", SoundKill(),
       [](R r, G g) {
         g.play_rules.kill = true;
         r.wins[0].hand.melds = {};
         for (int i : {0, 1, 3}) {
           r.wins[0].hand.melds.push_back(
               SoundKill().wins[0].hand.melds[static_cast<std::size_t>(i)]);
         }
         r.wins[0].hand.concealed = Counts("5p345s");
       },
       F::kKilledContradicts},
      {"a concealed kong that the killed pays", SoundKill(),
       [](R r, G g) {
         g.play_rules.kill = true;
         r.kongs[0].paid_by = Seat::k0;
       },
       F::kKilledContradicts, "7z"},
      {"a kong that another than the killed pays", SoundKill(),
       [](R r, G g) {
         g.play_rules.kill = true;
         r.kongs[2].paid_by = Seat::k2;
       },
       F::kKilledContradicts, "2m"},
      {"the killing pung as a kong that all pay", SoundKill(),
       [](R r, G g) {
         g.play_rules.kill = true;
         r.wins[0].hand.melds[3] = Called(MeldKind::kAddedKong, "9999s", Seat::k0);
         r.kongs.push_back(KongOf(Seat::k1, MeldKind::kAddedKong, "9s"));
         r.kongs[2].paid_by = {};
       },
       F::kKilledContradicts, "9s"},
      {"a kong that all pay after one that the killed paid", SoundKill(),
       [](R r, G g) {
         g.play_rules.kill = true;
         r.wins[0].hand.melds[2] = Called(MeldKind::kAddedKong, "3333s", Seat::k2);
         r.kongs.push_back(KongOf(Seat::k1, MeldKind::kAddedKong, "3s"));
       },
       F::kKilledContradicts, "3s"},
      {"a kong of a seat that did not win, paid by itself", SoundKill(),
       [](R r, G g) {
         g.play_rules.kill = true;
         r.kongs[1] = KongOf(Seat::k3, MeldKind::kAddedKong, "1z");
         r.kongs[1].paid_by = Seat::k3;
       },
       F::kKilledContradicts, "1z"},
      {"a discard kong of a seat that did not win, paid alone", SoundKill(),
       [](R r, G g) {
         g.play_rules.kill = true;
         r.kongs[1].paid_by = Seat::k2;
       },
       F::kKilledContradicts, "1z"},
      {"nobody won", Sound(), [](R r, G) { r.wins.clear(); }, F::kNoWinner},
      {"somebody won an exhausted wall", Sound(), [](R r, G) { r.end = RoundEnd::kExhausted; },
       F::kUnexpectedWinner},
      {"a seat wins twice", Sound(), [](R r, G) { r.wins.push_back(r.wins[0]); }, F::kWinnerTwice,
       "5p"},
      {"two winners on two tiles", Sound(),
       [](R r, G) {
         Win other = r.wins[0];
         other.seat = Seat::k3;
         other.hand = {.concealed = Counts("11123334445s11p"), .melds = {}};
         other.tile = One("2p");
         r.kongs.pop_back();
         r.wins.push_back(other);
       },
       F::kWinnersDisagree, "2p"},
      {"a winner's kong that is not listed", Sound(), [](R r, G) { r.kongs.clear(); },
       F::kKongContradictsMeld, "7z"},
      {"a listed kong that the winner does not have", Sound(),
       [](R r, G) { r.kongs.push_back(KongOf(Seat::k1, MeldKind::kConcealedKong, "8s")); },
       F::kKongContradictsMeld, "8s"},
      {"a discard kong of nobody's tile", Sound(), [](R r, G) { r.kongs[1].from = {}; },
       F::kKongGiver, "1z"},
      {"a discard kong of one's own tile", Sound(), [](R r, G) { r.kongs[1].from = Seat::k3; },
       F::kKongGiver, "1z"},
      {"one kind konged twice", Sound(),
       [](R r, G) { r.kongs.push_back(KongOf(Seat::k0, MeldKind::kConcealedKong, "1z")); },
       F::kKongTwice, "1z"},
      {"a pung as a kong", Sound(), [](R r, G) { r.kongs[1].kind = MeldKind::kPung; }, F::kBadMeld,
       "1z"},
      {"winds in a game without", Sound(), [](R r, G) { r.deal.round_wind = tiles::kEast; },
       F::kWindsContradict},
      {"no winds in a game with them", Sound(), [](R, G g) { g.play_rules.winds = true; },
       F::kWindsContradict},
      {"two East seats", Sound(),
       [](R r, G g) {
         g.play_rules.winds = true;
         r.deal.round_wind = tiles::kEast;
         r.deal.seat_winds =
             PerSeat<Tile>({tiles::kEast, tiles::kEast, tiles::kWest, tiles::kNorth});
       },
       F::kWindsContradict, "1z"},
      {"a wild kind in a game without", Sound(), [](R r, G) { r.deal.wild = tiles::kWhite; },
       F::kWildContradicts, "5z"},
      {"another wild kind than the game's", Sound(),
       [](R r, G g) {
         g.play_rules.wild = WildMode::kFixed;
         g.play_rules.fixed_wild = tiles::kWhite;
         r.deal.wild = tiles::kRed;
       },
       F::kWildContradicts, "7z"},
      {"a kong of wild tiles", Sound(),
       [](R r, G g) {
         g.play_rules.wild = WildMode::kFixed;
         g.play_rules.fixed_wild = tiles::kRed;
         r.deal.wild = tiles::kRed;
       },
       F::kBadMeld, "7z"},
      {"four of the turned indicator", Sound(),
       [](R r, G g) {
         g.play_rules.wild = WildMode::kFlipped;
         r.deal.wild = One("2z");  // the indicator is 1z, all four of which are a kong
       },
       F::kTooManyAlike, "1z"},
      {"horses in a game without", SoundSelfDraw(), [](R r, G) { r.horses.push_back(One("1p")); },
       F::kHorsesContradict, "1p"},
  };
}

TEST(CheckTest, ASoundRoundHasNoFault) {
  const ToyGame game;
  const Options options = DefaultOptions(game.options());
  EXPECT_EQ(CheckRound(game, options, Sound()), std::nullopt);
  EXPECT_EQ(CheckRound(game, options, SoundSelfDraw()), std::nullopt);
  EXPECT_EQ(CheckRound(game, options, SoundReplacement()), std::nullopt);
}

TEST(CheckTest, AKillIsSoundWhereTheGameHasIt) {
  ToyGame game;
  game.play_rules.kill = true;
  const Options options = DefaultOptions(game.options());
  EXPECT_EQ(CheckRound(game, options, SoundKill()), std::nullopt);
  // The kong came first, and all pay it.
  FinishedRound before = SoundKill();
  before.kongs[2].paid_by = {};
  EXPECT_EQ(CheckRound(game, options, before), std::nullopt);
  // A kong of the killing pung itself.
  FinishedRound of_it = SoundKill();
  of_it.wins[0].hand.melds[3] = Called(MeldKind::kAddedKong, "9999s", Seat::k0);
  of_it.kongs.push_back(KongOf(Seat::k1, MeldKind::kAddedKong, "9s"));
  of_it.kongs[3].paid_by = Seat::k0;
  EXPECT_EQ(CheckRound(game, options, of_it), std::nullopt);
}

TEST(CheckTest, WhoPaysMayBeLeftOutOfOneClaim) {
  ToyGame game;
  game.play_rules.kill = true;
  const Options options = DefaultOptions(game.options());
  Win win = SoundKill().wins[0];
  EXPECT_EQ(CheckWin(game, options, {}, win), std::nullopt);
  win.killed = {};
  EXPECT_EQ(CheckWin(game, options, {}, win), std::nullopt);
  win = SoundReplacement().wins[0];
  win.kong_feeder = {};
  EXPECT_EQ(CheckWin(game, options, {}, win), std::nullopt);
  win.kong_feeder = Seat::k0;
  EXPECT_EQ(CheckWin(game, options, {}, win)->fault, RoundFault::kFeederContradicts);
}

TEST(CheckTest, EachFaultIsNamedWithItsTile) {
  for (Row& row : Rows()) {
    SCOPED_TRACE(row.name);
    ToyGame game;
    row.spoil(row.round, game);
    const auto refusal = CheckRound(game, DefaultOptions(game.options()), row.round);
    ASSERT_TRUE(refusal);
    EXPECT_EQ(static_cast<int>(refusal->fault), static_cast<int>(row.fault));
    EXPECT_EQ(refusal->tile ? tiles::ToText(*refusal->tile) : "", row.tile);
  }
}

TEST(CheckTest, AWaitingHandIsCheckedOnItsOwn) {
  const ToyGame game;
  const Options options = DefaultOptions(game.options());
  Hand hand = Sound().wins[0].hand;
  EXPECT_EQ(CheckHand(game, options, {}, Seat::k1, hand), std::nullopt);
  EXPECT_EQ(CheckHand(game, options, {}, Seat::k3, hand)->fault, RoundFault::kMeldFromSelf);
  hand.concealed.Add(One("9m"));
  EXPECT_EQ(CheckHand(game, options, {}, Seat::k1, hand)->fault, RoundFault::kWrongTileCount);
}

}  // namespace
}  // namespace mj::rules
