#include "libs/round/view.h"

#include <gtest/gtest.h>

#include "libs/round/play_testing.h"
#include "libs/rules/toy_testing.h"
#include "libs/tiles/mpsz.h"

namespace mj::round {
namespace {

Tile T(std::string_view text) { return *tiles::ParseTile(text); }

class ViewTest : public testing::Test {
 protected:
  // 5m: seat 2 may pung, seat 3 win.
  TestDeal TwoClaims() const {
    return {.game = &toy_,
            .hands = {"", "", "55m147p147s24667z", "46m123p456p789s11z"},
            .draws = "5m9m9p9s2z2z"};
  }
  template <typename E>
  static std::optional<E> Seen(const Event& event, const Viewer& viewer) {
    const std::optional<SeatEvent> seen = Filter(event, viewer);
    if (!seen) return std::nullopt;
    return std::get<E>(*seen);
  }
  rules::ToyGame toy_;
};

TEST_F(ViewTest, AHandIsSeenByItsSeatAndWhoWatchesIt) {
  TestRound round(TwoClaims());
  const Event dealt = round.events()[2];
  const TileCounts hand = std::get<Dealt>(dealt).hands[Seat::k2];
  EXPECT_EQ(Seen<HandDealt>(dealt, Viewer::Player(Seat::k2))->hand, hand);
  EXPECT_EQ(Seen<HandDealt>(dealt, Viewer::Watching(Seat::k2))->hand, hand);
  EXPECT_EQ(Seen<HandDealt>(dealt, Viewer::Public())->hand, std::nullopt);

  EXPECT_EQ(Project(round.setup(), round.state(), Seat::k2).hand, hand);
  EXPECT_EQ(Project(round.setup(), round.state(), Viewer::Watching(Seat::k2)).hand, hand);
  EXPECT_TRUE(Project(round.setup(), round.state(), Viewer::Public()).hand.empty());
}

TEST_F(ViewTest, ADrawIsSeenByAllAndItsTileByItsSeat) {
  TestRound round(TwoClaims());
  const Event drew = round.Last<Drew>();
  EXPECT_EQ(Seen<SeatDrew>(drew, Viewer::Player(Seat::k0)),
            (SeatDrew{Seat::k0, T("5m"), DrawKind::kDealt, 83}));
  for (const Viewer& viewer : {Viewer::Player(Seat::k1), Viewer::Public()}) {
    EXPECT_EQ(Seen<SeatDrew>(drew, viewer),
              (SeatDrew{Seat::k0, std::nullopt, DrawKind::kDealt, 83}));
  }
  EXPECT_EQ(Project(round.setup(), round.state(), Seat::k0).drawn, T("5m"));
  EXPECT_EQ(Project(round.setup(), round.state(), Seat::k1).drawn, std::nullopt);
}

// PLAY-12, ARCHITECTURE 7.3: that somebody may claim is nobody else's business.
TEST_F(ViewTest, OnlyTheAskedSeeThatTheyAreAsked) {
  TestRound round(TwoClaims());
  round.Play("0 discard 5m");
  const Event asked = round.Last<Asked>();
  EXPECT_EQ(Seen<YouAreAsked>(asked, Viewer::Player(Seat::k2))->ask.decision, 1u);
  EXPECT_TRUE(Seen<YouAreAsked>(asked, Viewer::Player(Seat::k3))->ask.offer.win);
  for (const Viewer& viewer :
       {Viewer::Player(Seat::k0), Viewer::Player(Seat::k1), Viewer::Watching(Seat::k2),
        Viewer::Watching(Seat::k3), Viewer::Public()}) {
    EXPECT_EQ(Filter(asked, viewer), std::nullopt);
    EXPECT_EQ(Project(round.setup(), round.state(), viewer).ask, std::nullopt);
  }
  EXPECT_TRUE(Project(round.setup(), round.state(), Seat::k3).ask->offer.win);

  round.Play("3 pass");
  const Event answered = round.Last<Answered>();
  EXPECT_EQ(Seen<YouAnswered>(answered, Viewer::Player(Seat::k3))->choice, Choice::Pass());
  for (const Viewer& viewer :
       {Viewer::Player(Seat::k2), Viewer::Watching(Seat::k3), Viewer::Public()}) {
    EXPECT_EQ(Filter(answered, viewer), std::nullopt);
  }
  EXPECT_EQ(Project(round.setup(), round.state(), Seat::k3).ask, std::nullopt) << "has answered";
}

TEST_F(ViewTest, ALockIsSeenByItsPlayerAlone) {
  toy_.play_rules.missed_win = rules::MissedWin::kEveryTile;
  TestRound round(TwoClaims());
  round.Play(R"(
    0 discard 5m
    3 pass
  )");
  EXPECT_TRUE(Project(round.setup(), round.state(), Seat::k3).lock.every);
  EXPECT_FALSE(Project(round.setup(), round.state(), Viewer::Watching(Seat::k3)).lock.every);
  EXPECT_FALSE(Project(round.setup(), round.state(), Seat::k2).lock.every);
}

TEST_F(ViewTest, ANotedLeaveIsSeenByNobody) {
  TestRound round(TwoClaims());
  round.Play("0 discard 5m");
  const SeatView before = Project(round.setup(), round.state(), Seat::k2);
  round.Play("0 leave");
  EXPECT_EQ(Project(round.setup(), round.state(), Seat::k2), before);
  for (Seat seat : rules::kSeats) {
    EXPECT_EQ(Filter(round.Last<LeaveNoted>(), Viewer::Player(seat)), std::nullopt);
  }
}

TEST_F(ViewTest, WhatLiesOpenIsSeenByAll) {
  TestRound round({.game = &toy_,
                   .hands = {"1111m", "", "55m147p147s24667z", ""},
                   .draws = "5m",
                   .back = "9m"});
  round.Play(R"(
    0 kong concealed 1m
    0 discard 5m
    2 pung
  )");
  for (const Viewer& viewer : {Viewer::Player(Seat::k3), Viewer::Public()}) {
    const SeatView view = Project(round.setup(), round.state(), viewer);
    EXPECT_EQ(view.phase, ViewPhase::kTurn);
    EXPECT_EQ(view.actor, Seat::k2);
    EXPECT_EQ(view.seats[Seat::k0].melds[0],
              (CalledMeld{{MeldKind::kConcealedKong, T("1m")}, std::nullopt}));
    EXPECT_EQ(view.seats[Seat::k2].melds[0], (CalledMeld{{MeldKind::kPung, T("5m")}, Seat::k0}));
    EXPECT_EQ(view.seats[Seat::k0].concealed, 10);
    EXPECT_EQ(view.seats[Seat::k2].concealed, 11);
    EXPECT_EQ(view.river.back(), (Thrown{Seat::k0, T("5m"), Seat::k2}));
    EXPECT_EQ(view.left, 82);
    EXPECT_EQ(view.kongs.size(), 1u);
    EXPECT_EQ(view.dice, (Dice{3, 4}));
  }
}

TEST_F(ViewTest, PhasesAreNamed) {
  TestRound round(
      {.game = &toy_, .hands = {"1m", "11m", "", "23m456p789s11122z"}, .draws = "9m9p9s9p1m"});
  const auto phase = [&] { return Project(round.setup(), round.state(), Seat::k2).phase; };
  EXPECT_EQ(Project(round.setup(), State{}, Seat::k2).phase, ViewPhase::kNotBegun);
  EXPECT_EQ(phase(), ViewPhase::kTurn);
  round.Play("0 discard 1m");
  EXPECT_EQ(phase(), ViewPhase::kThrown);
  EXPECT_EQ(Project(round.setup(), round.state(), Seat::k2).tile, T("1m"));
  round.Play(R"(
    3 pass
    1 pung
    1 discard 2p
    2 discard 9p
    3 discard 9s
    0 discard 9p
    1 kong added 1m
  )");
  EXPECT_EQ(phase(), ViewPhase::kKongDeclared);
  EXPECT_EQ(Project(round.setup(), round.state(), Seat::k2).actor, Seat::k1);
  round.Play("3 win");
  EXPECT_EQ(phase(), ViewPhase::kOver);
  const SeatView over = Project(round.setup(), round.state(), Viewer::Public());
  EXPECT_EQ(over.wins.size(), 1u);
  EXPECT_EQ(over.ended, (RoundEnded{Outcome::kWin, std::nullopt, std::nullopt}));
}

}  // namespace
}  // namespace mj::round
