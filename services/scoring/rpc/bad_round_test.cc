// Every finished round that cannot be, refused over real gRPC with its reason, field and tile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "libs/base/status_testing.h"
#include "services/scoring/rpc/server_testing.h"

namespace mj::scoring::rpc {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;

struct BadRound {
  const char* name;
  void (*break_it)(common::FinishedRound&);
  Reason reason;
  const char* field;
  const char* tile = "";
};
void PrintTo(const BadRound& bad, std::ostream* out) { *out << bad.name; }

common::ClaimedWin& First(common::FinishedRound& round) { return *round.mutable_wins(0); }

// A self-draw by seat 2 alone, for the faults that only it can have.
void MakeSelfDraw(common::FinishedRound& round) {
  round.mutable_wins()->RemoveLast();
  First(round).set_how(common::WIN_METHOD_SELF_DRAW);
  First(round).clear_from();
}

// The same hand in a game that turns horses.
void MakeShaoguan(common::FinishedRound& round) {
  MakeSelfDraw(round);
  round.set_variant("shaoguan");
}

// A self-draw by seat 2 after a kill of seat 3 by its fourth meld (SG-43).
void MakeKill(common::FinishedRound& round) {
  round = Parse<common::FinishedRound>(R"(
    variant: "shaoguan" base: 10 end: ROUND_END_WIN
    wins { seat: 2 concealed: "3z" tile: "3z" how: WIN_METHOD_SELF_DRAW killer_paid_by: 3
           melds { kind: MELD_KIND_CONCEALED_KONG tiles: "4444p" }
           melds { kind: MELD_KIND_PUNG tiles: "555p" from: 1 }
           melds { kind: MELD_KIND_PUNG tiles: "777s" from: 0 }
           melds { kind: MELD_KIND_PUNG tiles: "888s" from: 3 } }
    kongs { seat: 2 kind: KONG_KIND_CONCEALED tile: "4p" })");
}

// The same hand where white is wild.
void MakeJieyang(common::FinishedRound& round) {
  MakeSelfDraw(round);
  round.set_variant("jieyang");
  (*round.mutable_options())["wild"] = "white";
  round.set_wild("5z");
}

const BadRound kBadRounds[] = {
    {"UnknownVariant", [](auto& r) { r.set_variant("bridge"); }, Reason::kUnknownVariant,
     "round.variant"},
    {"NoVariant", [](auto& r) { r.clear_variant(); }, Reason::kUnknownVariant, "round.variant"},
    {"UnknownOption", [](auto& r) { (*r.mutable_options())["speed"] = "1"; },
     Reason::kUnknownOption, "round.options.speed"},
    {"OptionOutOfRange", [](auto& r) { (*r.mutable_options())["max_multiplier"] = "-1"; },
     Reason::kOptionOutOfRange, "round.options.max_multiplier"},
    {"OptionIsNoNumber", [](auto& r) { (*r.mutable_options())["max_multiplier"] = "1e1"; },
     Reason::kOptionOutOfRange, "round.options.max_multiplier"},
    {"BaseZero", [](auto& r) { r.set_base(0); }, Reason::kBadBase, "round.base"},
    {"BaseNegative", [](auto& r) { r.set_base(-100); }, Reason::kBadBase, "round.base"},
    {"BaseOverflows", [](auto& r) { r.set_base(INT64_MAX); }, Reason::kBadBase, "round.base"},
    {"BaseTooHigh", [](auto& r) { r.set_base(10'001); }, Reason::kBadBase, "round.base"},
    {"Dealer", [](auto& r) { r.set_dealer(4); }, Reason::kBadSeat, "round.dealer"},
    {"NoEnd", [](auto& r) { r.clear_end(); }, Reason::kFieldRequired, "round.end"},
    {"WinnersSeat", [](auto& r) { First(r).set_seat(9); }, Reason::kBadSeat, "round.wins[0].seat"},
    {"NoTiles", [](auto& r) { First(r).set_concealed("hello"); }, Reason::kBadTiles,
     "round.wins[0].concealed"},
    {"FifteenTiles", [](auto& r) { First(r).set_concealed("33355577799s12m"); },
     Reason::kWrongTileCount, "round.wins[0].concealed"},
    {"TwelveTiles", [](auto& r) { First(r).set_concealed("333555777s"); }, Reason::kWrongTileCount,
     "round.wins[0].concealed"},
    {"FiveOfAKind", [](auto& r) { First(r).set_concealed("2235557779s"); }, Reason::kTooManyCopies,
     "round.wins[0]", "2s"},
    {"FiveOverTheTable", [](auto& r) { r.mutable_wins(1)->set_concealed("444888m666456p1z"); },
     Reason::kTooManyCopies, "round.wins", "1z"},
    {"TileOutsideTheSet",
     [](auto& r) {
       r.set_variant("shaoguan");
       r.clear_wins();
       r.set_end(common::ROUND_END_EXHAUSTED);
       r.mutable_kongs(0)->set_tile("5m");
     },
     Reason::kTileOutsideSet, "round.kongs[0].tile", "5m"},
    {"NoSuchMeld", [](auto& r) { First(r).mutable_melds(0)->set_tiles("223s"); }, Reason::kBadMeld,
     "round.wins[0].melds[0].tiles"},
    {"ChowInAGameWithout",
     [](auto& r) {
       First(r).mutable_melds(0)->set_kind(common::MELD_KIND_CHOW);
       First(r).mutable_melds(0)->set_tiles("456m");
     },
     Reason::kBadMeld, "round.wins[0].melds", "4m"},
    {"MeldFromSelf", [](auto& r) { First(r).mutable_melds(0)->set_from(2); },
     Reason::kBadMeldSource, "round.wins[0].melds", "2s"},
    {"MeldFromNobody", [](auto& r) { First(r).mutable_melds(0)->clear_from(); },
     Reason::kBadMeldSource, "round.wins[0].melds", "2s"},
    {"ChowNotFromThePreviousSeat",
     [](auto& r) {
       r.set_variant("guangdong");
       r.set_round_wind("1z");
       for (const char* wind : {"1z", "2z", "3z", "4z"}) r.add_seat_winds(wind);
       First(r).mutable_melds(0)->set_kind(common::MELD_KIND_CHOW);
       First(r).mutable_melds(0)->set_tiles("456m");
       First(r).mutable_melds(0)->set_from(3);
     },
     Reason::kBadMeldSource, "round.wins[0].melds", "4m"},
    {"ConcealedKongFromSomebody",
     [](auto& r) {
       First(r).mutable_melds(0)->set_kind(common::MELD_KIND_CONCEALED_KONG);
       First(r).mutable_melds(0)->set_tiles("2222s");
     },
     Reason::kBadMeldSource, "round.wins[0].melds", "2s"},
    {"WinFromSelf", [](auto& r) { First(r).set_from(2); }, Reason::kBadWinSource,
     "round.wins[0].from", "9s"},
    {"WinFromNobody", [](auto& r) { First(r).clear_from(); }, Reason::kBadWinSource,
     "round.wins[0].from", "9s"},
    {"SelfDrawFromSomebody", [](auto& r) { First(r).set_how(common::WIN_METHOD_SELF_DRAW); },
     Reason::kBadWinSource, "round.wins[0].from", "9s"},
    {"WinnersOfTwoTiles", [](auto& r) { r.mutable_wins(1)->set_tile("8s"); }, Reason::kBadWinners,
     "round.wins[1]", "8s"},
    {"WinnerTwice", [](auto& r) { r.mutable_wins(1)->set_seat(2); }, Reason::kBadWinners,
     "round.wins[1].seat", "9s"},
    {"NoWinner", [](auto& r) { r.clear_wins(); }, Reason::kBadWinners, "round.wins"},
    {"WinnerOfAnExhaustedWall", [](auto& r) { r.set_end(common::ROUND_END_EXHAUSTED); },
     Reason::kBadWinners, "round.wins"},
    {"LastTileOnADiscard", [](auto& r) { First(r).add_flags(common::WIN_FLAG_LAST_TILE); },
     Reason::kContradictoryFlags, "round.wins[0].flags", "9s"},
    {"HeavenlyByANonDealer",
     [](auto& r) {
       MakeSelfDraw(r);
       First(r).add_flags(common::WIN_FLAG_HEAVENLY);
     },
     Reason::kContradictoryFlags, "round.wins[0].flags", "9s"},
    {"ReplacementWithoutAKong",
     [](auto& r) {
       MakeSelfDraw(r);
       First(r).add_flags(common::WIN_FLAG_KONG_REPLACEMENT);
     },
     Reason::kContradictoryFlags, "round.wins[0].flags", "9s"},
    {"FlagTwice",
     [](auto& r) {
       First(r).add_flags(common::WIN_FLAG_EARTHLY);
       First(r).add_flags(common::WIN_FLAG_EARTHLY);
     },
     Reason::kContradictoryFlags, "round.wins[0].flags[1]"},
    {"FeederWithoutAReplacement", [](auto& r) { First(r).set_kong_feeder(1); },
     Reason::kBadKongFeeder, "round.wins[0].kong_feeder"},
    {"KillInAGameWithout", [](auto& r) { First(r).set_killer_paid_by(1); }, Reason::kBadKill,
     "round.wins[0].killer_paid_by"},
    {"KilledKongInAGameWithout", [](auto& r) { r.mutable_kongs(1)->set_paid_by(0); },
     Reason::kBadKill, "round.kongs[1].paid_by", "1z"},
    {"WinnersKongIsNoMeld", [](auto& r) { r.mutable_kongs(1)->set_seat(2); }, Reason::kBadKong,
     "round.kongs[1]", "1z"},
    {"WinnersMeldIsNoKong",
     [](auto& r) {
       First(r).mutable_melds(0)->set_kind(common::MELD_KIND_DISCARD_KONG);
       First(r).mutable_melds(0)->set_tiles("2222s");
     },
     Reason::kBadKong, "round.wins[0].melds", "2s"},
    {"DiscardKongFromNobody", [](auto& r) { r.mutable_kongs(0)->clear_from(); }, Reason::kBadKong,
     "round.kongs[0].from", "6z"},
    {"DiscardKongFromSelf", [](auto& r) { r.mutable_kongs(0)->set_from(1); }, Reason::kBadKong,
     "round.kongs[0].from", "6z"},
    {"ConcealedKongWithFrom", [](auto& r) { r.mutable_kongs(1)->set_from(0); }, Reason::kBadKong,
     "round.kongs[1].from", "1z"},
    {"KindKongedTwice", [](auto& r) { r.mutable_kongs(1)->set_tile("6z"); }, Reason::kBadKong,
     "round.kongs[1].tile", "6z"},
    {"WindsInAGameWithout", [](auto& r) { r.set_round_wind("1z"); }, Reason::kBadWind,
     "round.seat_winds"},
    {"NoWindsInAGameWithThem", [](auto& r) { r.set_variant("guangdong"); }, Reason::kBadWind,
     "round.seat_winds"},
    {"WildInAGameWithout", [](auto& r) { r.set_wild("5z"); }, Reason::kBadWild, "round.wild", "5z"},
    {"HorsesOutsideTheSet",
     [](auto& r) {
       MakeShaoguan(r);
       r.set_horses("1p5m");
     },
     Reason::kTileOutsideSet, "round.horses", "5m"},
    {"MoreHorsesThanTheOptionsTurn",
     [](auto& r) {
       MakeShaoguan(r);
       (*r.mutable_options())["horses"] = "1";
       r.set_horses("1p5p");
     },
     Reason::kBadHorses, "round.horses", "1p"},
    {"FiveHorses",
     [](auto& r) {
       MakeShaoguan(r);
       r.set_horses("12345p");
     },
     Reason::kBadHorses, "round.horses"},
    {"FiveOfAKindWithTheHorses",
     [](auto& r) {
       MakeShaoguan(r);
       r.set_horses("22s");
     },
     Reason::kTooManyCopies, "round.wins", "2s"},
    {"HorsesOfARobbedKong",
     [](auto& r) {
       MakeShaoguan(r);
       First(r).set_how(common::WIN_METHOD_ROBBED_KONG);
       First(r).set_from(0);
       First(r).set_tile("8s");
       r.set_horses("1p");
     },
     Reason::kBadHorses, "round.horses", "1p"},
    {"RobbedTileInTheHand",
     [](auto& r) {
       r.mutable_wins()->RemoveLast();
       First(r).set_how(common::WIN_METHOD_ROBBED_KONG);
     },
     Reason::kTooManyCopies, "round.wins[0]", "9s"},
    {"RobbedTileInAnotherKong",
     [](auto& r) {
       r.mutable_wins()->RemoveLast();
       First(r).set_how(common::WIN_METHOD_ROBBED_KONG);
       First(r).set_tile("1p");
       r.mutable_kongs(1)->set_tile("1p");
     },
     Reason::kTooManyCopies, "round.wins", "1p"},
    {"RobbedWildTile",
     [](auto& r) {
       MakeJieyang(r);
       First(r).set_how(common::WIN_METHOD_ROBBED_KONG);
       First(r).set_from(0);
       First(r).set_tile("5z");
     },
     Reason::kBadKong, "round.wins[0].tile", "5z"},
    {"WildTileAbsent",
     [](auto& r) {
       MakeJieyang(r);
       r.clear_wild();
     },
     Reason::kBadWild, "round.wild"},
    {"AnotherWildTileThanTheFixedOne",
     [](auto& r) {
       MakeJieyang(r);
       r.set_wild("1m");
     },
     Reason::kBadWild, "round.wild", "1m"},
    {"PungOfWildTiles",
     [](auto& r) {
       MakeJieyang(r);
       First(r).mutable_melds(0)->set_tiles("555z");
     },
     Reason::kBadMeld, "round.wins[0].melds", "5z"},
    {"KongOfWildTiles",
     [](auto& r) {
       MakeJieyang(r);
       r.mutable_kongs(0)->set_tile("5z");
     },
     Reason::kBadKong, "round.kongs[0].kind", "5z"},
    {"TheIndicatorIsOutOfPlay",
     [](auto& r) {
       MakeJieyang(r);
       (*r.mutable_options())["wild"] = "flipped";
       r.set_wild("3s");
       First(r).set_concealed("2555777899s");
       First(r).mutable_melds(0)->set_tiles("222s");
     },
     Reason::kTooManyCopies, "round.wins[0]", "2s"},
    {"OddBaseInAGameOfHalfBases",
     [](auto& r) {
       MakeJieyang(r);
       r.set_base(101);
     },
     Reason::kBadBase, "round.base"},
    {"FifthKongOfOneSeat",
     [](auto& r) {
       for (const char* tile : {"2z", "3z", "4z"}) {
         *r.add_kongs() = r.kongs(1);
         r.mutable_kongs()->rbegin()->set_tile(tile);
       }
     },
     Reason::kBadKong, "round.kongs[4].seat", "4z"},
    {"FourWinners",
     [](auto& r) {
       for (int i = 0; i < 2; ++i) *r.add_wins() = r.wins(1);
     },
     Reason::kBadWinners, "round.wins"},
    {"TwoSelfDraws",
     [](auto& r) {
       for (auto& win : *r.mutable_wins()) {
         win.set_how(common::WIN_METHOD_SELF_DRAW);
         win.clear_from();
       }
     },
     Reason::kBadWinners, "round.wins[1]", "9s"},
    {"WinnersOfTwoDiscarders", [](auto& r) { r.mutable_wins(1)->set_from(1); }, Reason::kBadWinners,
     "round.wins[1]", "9s"},
    {"HeavenlyOnADiscard",
     [](auto& r) {
       r.set_dealer(0);
       r.mutable_wins(1)->add_flags(common::WIN_FLAG_HEAVENLY);
     },
     Reason::kContradictoryFlags, "round.wins[1].flags", "9s"},
    {"EarthlyByTheDealer", [](auto& r) { r.mutable_wins(1)->add_flags(common::WIN_FLAG_EARTHLY); },
     Reason::kContradictoryFlags, "round.wins[1].flags", "9s"},
    {"ReplacementOnADiscard",
     [](auto& r) { First(r).add_flags(common::WIN_FLAG_KONG_REPLACEMENT); },
     Reason::kContradictoryFlags, "round.wins[0].flags", "9s"},
    {"KillWithoutAPung",
     [](auto& r) {
       MakeShaoguan(r);
       First(r).set_killer_paid_by(1);
     },
     Reason::kBadKill, "round.wins[0].killer_paid_by"},
    {"KillLeftOut",
     [](auto& r) {
       MakeKill(r);
       First(r).clear_killer_paid_by();
     },
     Reason::kBadKill, "round.wins[0].killer_paid_by"},
    {"KillByAnEarlierPung",
     [](auto& r) {
       MakeKill(r);
       First(r).set_killer_paid_by(0);
     },
     Reason::kBadKill, "round.wins[0].killer_paid_by"},
    {"ConcealedKongPaidByTheKilled",
     [](auto& r) {
       MakeKill(r);
       r.mutable_kongs(0)->set_paid_by(3);
     },
     Reason::kBadKill, "round.kongs[0].paid_by", "4p"},
    {"FeederLeftOut",
     [](auto& r) {
       MakeKill(r);
       First(r).clear_killer_paid_by();
       common::Meld& last = *First(r).mutable_melds(3);
       last.set_kind(common::MELD_KIND_DISCARD_KONG);
       last.set_tiles("8888s");
       *r.add_kongs() =
           Parse<common::CompletedKong>("seat: 2 kind: KONG_KIND_DISCARD tile: '8s' from: 3");
       First(r).add_flags(common::WIN_FLAG_KONG_REPLACEMENT);
     },
     Reason::kBadKongFeeder, "round.wins[0].kong_feeder"},
    {"KillOfOneself",
     [](auto& r) {
       MakeShaoguan(r);
       First(r).set_killer_paid_by(2);
     },
     Reason::kBadKill, "round.wins[0].killer_paid_by"},
    {"KongFromAnotherGiverThanTheMeld",
     [](auto& r) {
       First(r).mutable_melds(0)->set_kind(common::MELD_KIND_DISCARD_KONG);
       First(r).mutable_melds(0)->set_tiles("2222s");
       *r.mutable_kongs(0) =
           Parse<common::CompletedKong>("seat: 2 kind: KONG_KIND_DISCARD tile: '2s' from: 3");
     },
     Reason::kBadKong, "round.kongs[0]", "2s"},
    {"HorsesInAGameWithout", [](auto& r) { r.set_horses("1p"); }, Reason::kBadHorses,
     "round.horses", "1p"},
};

class BadRoundTest : public ::testing::TestWithParam<BadRound> {};

TEST_P(BadRoundTest, IsRefusedWithReasonFieldAndTile) {
  v1::ScoreRoundRequest request = GoodRound();
  GetParam().break_it(*request.mutable_round());
  const auto response = Call(request);
  ASSERT_THAT(response, FailsWith(GetParam().reason));
  EXPECT_EQ(response.status().code(), absl::StatusCode::kInvalidArgument);
  const auto carried = base::CarriedBy(response.status());
  ASSERT_TRUE(carried.has_value());
  EXPECT_EQ(carried->details.field, GetParam().field);
  const auto tile = carried->details.metadata.find("tile");
  EXPECT_EQ(tile == carried->details.metadata.end() ? "" : tile->second, GetParam().tile);
}

INSTANTIATE_TEST_SUITE_P(Every, BadRoundTest, ::testing::ValuesIn(kBadRounds),
                         [](const auto& row) { return row.param.name; });

TEST(ScoreRoundTest, RefusesARequestWithoutARound) {
  const auto response = Call(v1::ScoreRoundRequest());
  EXPECT_THAT(response, FailsWith(Reason::kFieldRequired));
}

TEST(ScoreRoundTest, GoesOnAfterAnythingThatWasRefused) {
  for (const BadRound& bad : kBadRounds) {
    v1::ScoreRoundRequest request = GoodRound();
    bad.break_it(*request.mutable_round());
    EXPECT_FALSE(Call(request).ok());
  }
  EXPECT_THAT(Call(GoodRound()), IsOk());
}

}  // namespace
}  // namespace mj::scoring::rpc
