#include "services/scoring/app/scoring.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"
#include "libs/rules/toy_testing.h"
#include "libs/tiles/mpsz.h"
#include "services/scoring/app/refusal.h"

namespace mj::scoring {
namespace {

using base::FailsWith;
using base::Reason;

Game Chaozhou() { return FindGame("chaozhou", {}, "").value(); }

rules::Hand HandOf(const std::string& concealed) {
  return {.concealed = tiles::ParseCounts(concealed).value(), .melds = {}};
}

std::string FieldOf(const absl::Status& status) {
  const auto carried = base::CarriedBy(status);
  return carried ? carried->details.field : "";
}

TEST(FindGameTest, KnowsEveryGameByItsId) {
  for (const rules::Variant* variant : AllGames()) {
    const auto game = FindGame(variant->info().id, {}, "");
    ASSERT_TRUE(game.ok());
    EXPECT_EQ(game->variant, variant);
    EXPECT_EQ(game->rulebook_version, rules::RulebookVersion(*variant));
    EXPECT_TRUE(FindGame(variant->info().id, {}, game->rulebook_version).ok());
  }
}

TEST(FindGameTest, RefusesTheFirstThatIsWrong) {
  EXPECT_THAT(FindGame("bridge", {{"x", "1"}}, "old"), FailsWith(Reason::kUnknownVariant));
  const auto old = FindGame("chaozhou", {{"x", "1"}}, "chaozhou-0000000000000000");
  EXPECT_THAT(old, FailsWith(Reason::kRulebookVersionUnknown));
  EXPECT_EQ(base::CarriedBy(old.status())->details.metadata.at("served"),
            Chaozhou().rulebook_version);
  const auto unknown = FindGame("chaozhou", {{"x", "1"}}, "");
  EXPECT_THAT(unknown, FailsWith(Reason::kUnknownOption));
  EXPECT_EQ(FieldOf(unknown.status()), "options.x");
  EXPECT_THAT(FindGame("chaozhou", {{"max_multiplier", "ten"}}, ""),
              FailsWith(Reason::kOptionOutOfRange));
  EXPECT_THAT(FindGame("chaozhou", {{"max_multiplier", "-1"}}, ""),
              FailsWith(Reason::kOptionOutOfRange));
}

// The next rules of the toy game, with the last ones kept.
class NewerToy : public rules::ToyGame {
 public:
  const rules::VariantInfo& info() const override {
    static const rules::VariantInfo newer = [this] {
      rules::VariantInfo info = rules::ToyGame::info();
      ++info.revision;
      return info;
    }();
    return newer;
  }
  std::span<const rules::Variant* const> former() const override { return former_; }

 private:
  rules::ToyGame older_;
  std::array<const rules::Variant*, 1> former_ = {&older_};
};

// A round pins the version that it began with, and goes on by it.
TEST(ChooseVersionTest, ServesWhatTheGameKept) {
  const NewerToy game;
  const std::vector<ServedVersion> served = VersionsOf(game);
  ASSERT_EQ(served.size(), 2u);
  EXPECT_EQ(served[0].variant, &game);
  EXPECT_EQ(served[1].variant, game.former()[0]);
  EXPECT_NE(served[0].version, served[1].version);
  for (const ServedVersion& one : served) {
    const auto chosen = ChooseVersion(served, one.version);
    ASSERT_THAT(chosen, base::IsOk());
    EXPECT_EQ((*chosen)->variant, one.variant);
  }
  EXPECT_EQ((*ChooseVersion(served, ""))->variant, &game);
  const auto unknown = ChooseVersion(served, "toy-0000000000000000");
  EXPECT_THAT(unknown, FailsWith(Reason::kRulebookVersionUnknown));
  EXPECT_EQ(base::CarriedBy(unknown.status())->details.metadata.at("served"),
            served[0].version + " " + served[1].version);
}

TEST(CheckBaseTest, HoldsTheLimits) {
  EXPECT_TRUE(CheckBase(Chaozhou(), 1).ok());
  EXPECT_TRUE(CheckBase(Chaozhou(), 10'000).ok());
  for (const std::int64_t base :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{10'001}, INT64_MAX, INT64_MIN}) {
    EXPECT_THAT(CheckBase(Chaozhou(), base), FailsWith(Reason::kBadBase)) << base;
  }
}

TEST(CheckBaseTest, AsksForWholeCoins) {
  for (const rules::Variant* variant : AllGames()) {
    const Game game = FindGame(variant->info().id, {}, "").value();
    EXPECT_EQ(CheckBase(game, 101).ok(), 101 % variant->info().units_per_base == 0)
        << variant->info().id;
  }
}

TEST(EvaluateHandTest, PutsTheReadingThatCountedFirst) {
  const rules::Win win{.seat = rules::Seat::k1,
                       .hand = HandOf("111222333m44p55z"),
                       .tile = *tiles::ParseTile("4p"),
                       .way = rules::WinWay::kSelfDraw,
                       .from = {},
                       .flags = {},
                       .kong_feeder = {},
                       .killed = {}};
  const auto verdict = EvaluateHand(Chaozhou(), 100, {}, win, {});
  ASSERT_THAT(verdict, base::IsOk());
  ASSERT_EQ(verdict->readings.size(), 2u);
  EXPECT_EQ(verdict->readings[0].verdict, receipt::Verdict::kCounted);
  ASSERT_EQ(verdict->lines.size(), 1u);
  EXPECT_EQ(verdict->lines[0].arithmetic(), "100 x (2 + 1) x 2 = 600");
}

TEST(EvaluateHandTest, NeedsNoKongsBesideTheMelds) {
  rules::Win win{.seat = rules::Seat::k1,
                 .hand = HandOf("99m345p45678s"),
                 .tile = *tiles::ParseTile("3s"),
                 .way = rules::WinWay::kSelfDraw,
                 .from = {},
                 .flags = {.last_tile = false, .kong_replacement = true},
                 .kong_feeder = rules::Seat::k3,
                 .killed = {}};
  win.hand.melds.push_back(
      {.meld = {rules::MeldKind::kDiscardKong, *tiles::ParseTile("2m")}, .from = rules::Seat::k3});
  const auto verdict = EvaluateHand(Chaozhou(), 100, {}, win, {});
  ASSERT_THAT(verdict, base::IsOk());
  ASSERT_EQ(verdict->lines.size(), 1u);  // the win; the kong is no part of the hand's worth
  EXPECT_EQ(verdict->lines[0].arithmetic(), "100 x 2 x 2 = 400");
}

TEST(EvaluateHandTest, NamesTheFieldOfTheClaim) {
  rules::Win win{.seat = rules::Seat::k1,
                 .hand = HandOf("111222333m44p5z"),
                 .tile = *tiles::ParseTile("4p"),
                 .way = rules::WinWay::kSelfDraw,
                 .from = {},
                 .flags = {},
                 .kong_feeder = {},
                 .killed = {}};
  auto verdict = EvaluateHand(Chaozhou(), 100, {}, win, {});
  EXPECT_THAT(verdict, FailsWith(Reason::kWrongTileCount));
  EXPECT_EQ(FieldOf(verdict.status()), "win.concealed");
  win.hand = HandOf("111222333m44p55z");
  verdict = EvaluateHand(Chaozhou(), 100, {}, win, {*tiles::ParseTile("1m")});
  EXPECT_THAT(verdict, FailsWith(Reason::kBadHorses));
  EXPECT_EQ(FieldOf(verdict.status()), "horses");
}

TEST(ListWaitsTest, SaysWhatEachTileIsWorth) {
  // Waits for 1m and 4m; two 4m are seen elsewhere.
  const auto waits = ListWaits(Chaozhou(), 100, {}, rules::Seat::k2, HandOf("23m456p789s11122z"),
                               tiles::ParseCounts("44m").value());
  ASSERT_THAT(waits, base::IsOk());
  ASSERT_EQ(waits->size(), 2u);
  const TileWait& four = (*waits)[1];
  EXPECT_EQ(four.tile, *tiles::ParseTile("4m"));
  EXPECT_EQ(four.unseen, 2);
  ASSERT_EQ(four.ways.size(), 3u);
  EXPECT_EQ(four.ways[0].coins.value(), 3 * 100 * 3);  // self-drawn and concealed
  EXPECT_EQ(four.ways[1].coins.value(), 100 * 4);      // on a discard
  EXPECT_EQ(four.ways[2].coins.value(), 3 * 100 * 3);  // its owner pays all three
}

TEST(ListWaitsTest, LeavesOutARobberyThatCannotBe) {
  // Waits for 2z and 7z, of both of which it holds two: nobody can have a pung of them.
  const auto waits =
      ListWaits(Chaozhou(), 100, {}, rules::Seat::k2, HandOf("123m456p789s2277z"), {});
  ASSERT_THAT(waits, base::IsOk());
  ASSERT_EQ(waits->size(), 2u);
  for (const TileWait& wait : *waits) EXPECT_EQ(wait.ways.size(), 2u);
}

TEST(ListWaitsTest, SaysWhyAWayIsNone) {
  const auto game = FindGame("jieyang", {}, "");
  ASSERT_THAT(game, base::IsOk());
  const auto waits = ListWaits(*game, 100, {}, rules::Seat::k2, HandOf("23m456p789s11122z"), {});
  ASSERT_THAT(waits, base::IsOk());
  const WaitWay& discard = waits->at(0).ways.at(1);
  EXPECT_EQ(discard.judgement.worth.no_win, rules::NoWin::kDiscardWinNotAllowed);
  EXPECT_TRUE(discard.coins.IsZero());
}

TEST(ListWaitsTest, HasNothingForAHandThatWaitsForNothing) {
  const auto waits =
      ListWaits(Chaozhou(), 100, {}, rules::Seat::k2, HandOf("147m258p369s1234z"), {});
  ASSERT_THAT(waits, base::IsOk());
  EXPECT_TRUE(waits->empty());
}

TEST(ListWaitsTest, RefusesWhatCannotBe) {
  const auto few = ListWaits(Chaozhou(), 100, {}, rules::Seat::k2, HandOf("123m"), {});
  EXPECT_THAT(few, FailsWith(Reason::kWrongTileCount));
  EXPECT_EQ(FieldOf(few.status()), "concealed");
  const auto seen = ListWaits(Chaozhou(), 100, {}, rules::Seat::k2, HandOf("23m456p789s11122z"),
                              tiles::ParseCounts("11z").value());
  EXPECT_THAT(seen, FailsWith(Reason::kTooManyCopies));
  EXPECT_EQ(FieldOf(seen.status()), "seen");
}

// Every fault has its reason and, where the fault has a place, its field.
struct FaultRow {
  rules::RoundFault fault;
  rules::RoundPart part;
  Reason reason;
  const char* field;
};
class RefusalTest : public ::testing::TestWithParam<FaultRow> {};

TEST_P(RefusalTest, HasItsReasonAndField) {
  const absl::Status status = RefusedRound({.fault = GetParam().fault,
                                            .tile = *tiles::ParseTile("5m"),
                                            .index = 1,
                                            .part = GetParam().part});
  EXPECT_THAT(status, FailsWith(GetParam().reason));
  EXPECT_EQ(FieldOf(status), GetParam().field);
  EXPECT_EQ(base::CarriedBy(status)->details.metadata.at("tile"), "5m");
}

using rules::RoundFault;
using rules::RoundPart;
INSTANTIATE_TEST_SUITE_P(
    Every, RefusalTest,
    ::testing::Values(
        FaultRow{RoundFault::kWrongTileCount, RoundPart::kWin, Reason::kWrongTileCount,
                 "wins[1].concealed"},
        FaultRow{RoundFault::kTileOutsideSet, RoundPart::kWin, Reason::kTileOutsideSet, "wins[1]"},
        FaultRow{RoundFault::kTileOutsideSet, RoundPart::kKong, Reason::kTileOutsideSet,
                 "kongs[1].tile"},
        FaultRow{RoundFault::kTooManyAlike, RoundPart::kWin, Reason::kTooManyCopies, "wins[1]"},
        FaultRow{RoundFault::kTooManyAlike, RoundPart::kWhole, Reason::kTooManyCopies, "wins"},
        FaultRow{RoundFault::kBadMeld, RoundPart::kWin, Reason::kBadMeld, "wins[1].melds"},
        FaultRow{RoundFault::kBadMeld, RoundPart::kKong, Reason::kBadKong, "kongs[1].kind"},
        FaultRow{RoundFault::kMeldFromSelf, RoundPart::kWin, Reason::kBadMeldSource,
                 "wins[1].melds"},
        FaultRow{RoundFault::kMeldGiverMissing, RoundPart::kWin, Reason::kBadMeldSource,
                 "wins[1].melds"},
        FaultRow{RoundFault::kMeldGiverNotPrevious, RoundPart::kWin, Reason::kBadMeldSource,
                 "wins[1].melds"},
        FaultRow{RoundFault::kMeldGiverUnexpected, RoundPart::kWin, Reason::kBadMeldSource,
                 "wins[1].melds"},
        FaultRow{RoundFault::kWinFromSelf, RoundPart::kWin, Reason::kBadWinSource, "wins[1].from"},
        FaultRow{RoundFault::kWinFromMissing, RoundPart::kWin, Reason::kBadWinSource,
                 "wins[1].from"},
        FaultRow{RoundFault::kWinFromUnexpected, RoundPart::kWin, Reason::kBadWinSource,
                 "wins[1].from"},
        FaultRow{RoundFault::kRobbedCannotBe, RoundPart::kWin, Reason::kBadKong, "wins[1].tile"},
        FaultRow{RoundFault::kFifthKong, RoundPart::kKong, Reason::kBadKong, "kongs[1].seat"},
        FaultRow{RoundFault::kTileOutsideSet, RoundPart::kHorses, Reason::kTileOutsideSet,
                 "horses"},
        FaultRow{RoundFault::kWinnersDisagree, RoundPart::kWin, Reason::kBadWinners, "wins[1]"},
        FaultRow{RoundFault::kWinnerTwice, RoundPart::kWin, Reason::kBadWinners, "wins[1].seat"},
        FaultRow{RoundFault::kNoWinner, RoundPart::kWhole, Reason::kBadWinners, "wins"},
        FaultRow{RoundFault::kUnexpectedWinner, RoundPart::kWhole, Reason::kBadWinners, "wins"},
        FaultRow{RoundFault::kFlagContradicts, RoundPart::kWin, Reason::kContradictoryFlags,
                 "wins[1].flags"},
        FaultRow{RoundFault::kFeederContradicts, RoundPart::kWin, Reason::kBadKongFeeder,
                 "wins[1].kong_feeder"},
        FaultRow{RoundFault::kKilledContradicts, RoundPart::kWin, Reason::kBadKill,
                 "wins[1].killer_paid_by"},
        FaultRow{RoundFault::kKilledContradicts, RoundPart::kKong, Reason::kBadKill,
                 "kongs[1].paid_by"},
        FaultRow{RoundFault::kKongContradictsMeld, RoundPart::kKong, Reason::kBadKong, "kongs[1]"},
        FaultRow{RoundFault::kKongContradictsMeld, RoundPart::kWin, Reason::kBadKong,
                 "wins[1].melds"},
        FaultRow{RoundFault::kKongGiver, RoundPart::kKong, Reason::kBadKong, "kongs[1].from"},
        FaultRow{RoundFault::kKongTwice, RoundPart::kKong, Reason::kBadKong, "kongs[1].tile"},
        FaultRow{RoundFault::kWindsContradict, RoundPart::kDeal, Reason::kBadWind, "seat_winds"},
        FaultRow{RoundFault::kWildContradicts, RoundPart::kDeal, Reason::kBadWild, "wild"},
        FaultRow{RoundFault::kHorsesContradict, RoundPart::kHorses, Reason::kBadHorses, "horses"}));

}  // namespace
}  // namespace mj::scoring
