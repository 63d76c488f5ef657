// Another's tile: who may claim it, what wins, when a window closes, what is missed.
#include <gtest/gtest.h>

#include <algorithm>

#include "libs/round/decide.h"
#include "libs/round/play_testing.h"
#include "libs/rules/toy_testing.h"
#include "libs/tiles/mpsz.h"

namespace mj::round {
namespace {

Tile T(std::string_view text) { return *tiles::ParseTile(text); }

class ClaimsTest : public testing::Test {
 protected:
  ClaimsTest() { toy_.play_rules.chow = true; }

  // 5m: seat 1 may chow, seat 2 pung, seat 3 win.
  TestDeal ThreeClaims() const {
    return {.game = &toy_,
            .hands = {"1258m258p258s355z", "46m369p369s22347z", "55m147p147s24667z",
                      "46m123p456p789s11z"},
            .draws = "5m"};
  }

  rules::ToyGame toy_;
};

// Plays the answers in every order in which they can arrive; each order must lead to the same
// outcome. Answers for which the window did not wait are refused.
void ExpectInEveryOrder(const TestDeal& deal, std::vector<std::string> answers,
                        const std::string& outcome) {
  std::sort(answers.begin(), answers.end());
  do {
    TestRound round(deal);
    round.Play("0 discard 5m");
    SCOPED_TRACE(answers[0] + ", " + answers[1] + ", " + answers[2]);
    const std::size_t asked = round.events().size();
    bool closed = false;
    for (const std::string& answer : answers) {
      const Decision decision = round.Send(round.Parse(answer));
      if (closed) {
        EXPECT_EQ(std::get<Rejection>(decision),
                  round.state().over() ? Rejection::kRoundOver : Rejection::kDecisionClosed)
            << answer;
        continue;
      }
      ASSERT_TRUE(std::holds_alternative<std::vector<Event>>(decision)) << answer;
      closed = std::get<std::vector<Event>>(decision).size() > 1;
    }
    EXPECT_TRUE(closed);
    // What came of it, after the answers themselves.
    std::string text;
    for (std::size_t i = asked; i < round.events().size(); ++i) {
      const Event& event = round.events()[i];
      if (const auto* called = std::get_if<Called>(&event)) {
        text = (called->meld.meld.is_chow() ? "chow " : "pung ") +
               std::to_string(rules::IndexOf(called->seat));
      } else if (const auto* won = std::get_if<Won>(&event)) {
        text = "win";
        for (const Win& win : won->wins) text += " " + std::to_string(rules::IndexOf(win.seat));
      } else if (const auto* drew = std::get_if<Drew>(&event); drew != nullptr && text.empty()) {
        text = "draw " + std::to_string(rules::IndexOf(drew->seat));
      }
    }
    EXPECT_EQ(text, outcome);
  } while (std::next_permutation(answers.begin(), answers.end()));
}

// PLAY-12: everyone is asked, with what it may do whatever the others answer.
TEST_F(ClaimsTest, EverybodyWhoMayClaimIsAsked) {
  TestRound round(ThreeClaims());
  round.Play("0 discard 5m -> 1: chow 46m, pass; 2: pung, pass; 3: win, pass");
}

// COM-05, PLAY-12: by priority, never by arrival.
TEST_F(ClaimsTest, AWinBeatsAPungBeatsAChow) {
  ExpectInEveryOrder(ThreeClaims(), {"1 chow 46m", "2 pung", "3 win"}, "win 3");
  ExpectInEveryOrder(ThreeClaims(), {"1 chow 46m", "2 pung", "3 pass"}, "pung 2");
  ExpectInEveryOrder(ThreeClaims(), {"1 chow 46m", "2 pass", "3 pass"}, "chow 1");
  ExpectInEveryOrder(ThreeClaims(), {"1 pass", "2 pass", "3 pass"}, "draw 1");
}

// PLAY-12: the window closes once no missing answer can change the outcome, and not before.
TEST_F(ClaimsTest, AWindowWaitsOnlyForAnswersThatCanMatter) {
  TestRound round(ThreeClaims());
  round.Play(R"(
    0 discard 5m
    1 chow 46m  -> 2: pung, pass; 3: win, pass
    3 pass      -> 2: pung, pass
    2 pass      -> 1: *
  )");
  EXPECT_EQ(round.Last<Called>().meld, (CalledMeld{{MeldKind::kChow, T("4m")}, Seat::k0}));

  TestRound pung(ThreeClaims());
  pung.Play(R"(
    0 discard 5m
    3 pass
    2 pung      -> 2: *
    1#1 chow 46m !! decision closed
  )");

  TestRound win(ThreeClaims());
  win.Play(R"(
    0 discard 5m
    3 win       -> win 3
  )");
}

// CZ-05, GD-03, PLAY-15: all who win on a tile are paid; listed in turn order after the discarder.
TEST_F(ClaimsTest, SeveralWinnersAreListedInTurnOrder) {
  TestDeal deal{.game = &toy_,
                .dealer = Seat::k2,
                .hands = {"46m123p456p789s11z", "46m123p456p789s22z", "", "5m5m"},
                .draws = "5m"};
  deal.hands[3] = "46m123p456p789s33z";
  for (const char* order : {"0 win\n1 win\n3 win", "3 win\n1 win\n0 win", "1 win\n3 win\n0 win"}) {
    TestRound round(deal);
    round.Play("2 discard 5m -> 0: win, pass; 1: win, pass; 3: win, chow 46m, pass");
    round.Play(order);
    EXPECT_EQ(round.Now(), "win 3 0 1");
    for (const Win& win : round.Last<Won>().wins) {
      EXPECT_EQ(win.from, Seat::k2);
      EXPECT_EQ(win.way, rules::WinWay::kDiscard);
    }
  }
}

// GD-03: only the next seat may chow, with either pair of tiles, and never an honour.
TEST_F(ClaimsTest, OnlyTheNextSeatMayChow) {
  TestRound round(
      {.game = &toy_, .hands = {"", "3467m369p369s567z", "3467m369p369s124z"}, .draws = "5m9s"});
  round.Play(R"(
    0 discard 5m  -> 1: chow 34m, chow 46m, chow 67m, pass
    1 chow 67m    -> 1: discard 34m369p369s567z
    1 discard 6z  -> 2: *
  )");
  EXPECT_EQ(round.seat(1).hand.melds[0], (CalledMeld{{MeldKind::kChow, T("5m")}, Seat::k0}));
}

TEST_F(ClaimsTest, AChowDoesNotReachOverTheEndOfASuit) {
  TestRound round({.game = &toy_, .hands = {"", "1289m1289p1289s7z"}, .draws = "9m"});
  round.Play("0 discard 9m -> 1: *");
  EXPECT_TRUE(std::holds_alternative<Turn>(round.state().phase));

  TestRound low({.game = &toy_, .hands = {"", "2389m1289p1289s7z"}, .draws = "1m"});
  low.Play("0 discard 1m -> 1: chow 23m, pass");
}

TEST_F(ClaimsTest, WithoutChowInTheGameNobodyMay) {
  toy_.play_rules.chow = false;
  TestRound round(ThreeClaims());
  round.Play("0 discard 5m -> 2: pung, pass; 3: win, pass");
}

TEST_F(ClaimsTest, AWinThatIsNotLegalIsNotOffered) {
  toy_.discard_refusal = rules::NoWin::kDiscardWinNotAllowed;
  TestRound round(ThreeClaims());
  round.Play("0 discard 5m -> 1: chow 46m, pass; 2: pung, pass");
}

// --------------------------------------------------------------------------- missed wins (COM-12)

class LockTest : public testing::Test {
 protected:
  // Seat 2 waits for 1m and 4m; 0 and 1 have both to throw.
  TestDeal Waiting() const {
    return {.game = &toy_,
            .hands = {"14m", "14m", "23m456p789s11122z", "14m"},
            .draws = "9m9p9s9p9s7z6z6z6z"};
  }
  rules::ToyGame toy_;
};

// CZ-50, D-CZ-8: every winning tile, until the player draws.
TEST_F(LockTest, EveryTileUntilTheOwnDraw) {
  toy_.play_rules.missed_win = rules::MissedWin::kEveryTile;
  TestRound round(Waiting());
  round.Play(R"(
    0 discard 1m  -> 2: win, pass
    2 pass        -> 1: *
    1 discard 4m  -> 2: discard *
    2 discard 9s  -> 3: *
    3 discard 4m  -> 2: win, pass
  )");
}

TEST_F(LockTest, TheSameTileUntilTheOwnDraw) {
  toy_.play_rules.missed_win = rules::MissedWin::kSameTile;
  TestRound round(Waiting());
  round.Play(R"(
    0 discard 1m  -> 2: win, pass
    2 pass
    1 discard 4m  -> 2: win, pass
    2 pass        -> 2: discard *
  )");
  EXPECT_EQ(round.seat(2).lock, Lock{}) << "has drawn";

  TestRound same(Waiting());
  same.Play(R"(
    0 discard 1m
    2 pass
    1 discard 1m  -> 2: discard *
  )");
}

// PLAY-03: several missed kinds add up and end together.
TEST_F(LockTest, MissedKindsAddUp) {
  toy_.play_rules.missed_win = rules::MissedWin::kSameTile;
  TestRound round({.game = &toy_,
                   .dealer = Seat::k3,
                   .hands = {"14m", "14m", "23m456p789s11122z", "14m"},
                   .draws = "9m9p9s9p9s7z6z6z6z"});
  round.Play(R"(
    3 discard 1m  -> 2: win, pass
    2 pass
    0 discard 4m  -> 2: win, pass
    2 pass
  )");
  EXPECT_TRUE(round.seat(2).lock.Bars(T("1m")));
  EXPECT_TRUE(round.seat(2).lock.Bars(T("4m")));
  EXPECT_FALSE(round.seat(2).lock.Bars(T("7m")));
  round.Play(R"(
    1 discard 4m  -> 2: discard *
  )");
  EXPECT_EQ(round.seat(2).lock, Lock{});
}

// GD-80, PLAY-04: a lock that ends at the own discard, before that discard's window, and not
// before it.
TEST_F(LockTest, TheSameTileUntilTheOwnDiscard) {
  toy_.play_rules.missed_win = rules::MissedWin::kSameTile;
  toy_.play_rules.lock_ends = rules::LockEnds::kOwnDiscard;
  TestRound round(Waiting());
  round.Play(R"(
    0 discard 1m  -> 2: win, pass
    2 pass
    1 discard 9p  -> 2: discard *
  )");
  EXPECT_TRUE(round.seat(2).lock.Bars(T("1m"))) << "a draw does not end it";
  round.Play(R"(
    2 discard 9s
    3 discard 1m  -> 2: win, pass
  )");
}

TEST_F(LockTest, APungEndsItOrNotAsTheGameSays) {
  for (const rules::LockEnds ends :
       {rules::LockEnds::kOwnDrawOrCall, rules::LockEnds::kOwnDiscard}) {
    toy_.play_rules.missed_win = rules::MissedWin::kEveryTile;
    toy_.play_rules.lock_ends = ends;
    TestRound round(
        {.game = &toy_, .hands = {"1m", "", "11m456p789s11122z"}, .draws = "9m9p9s9p9s7z6z6z6z"});
    round.Play(R"(
      0 discard 1m  -> 2: win, pung, pass
      2 pung        -> 2: *
    )");
    EXPECT_EQ(round.seat(2).lock.every, ends == rules::LockEnds::kOwnDiscard)
        << "an answer other than win is a pass on the win";
  }
}

// COM-12, PLAY-03: a passed robbery locks as a passed discard does, and a lock bars robbing.
TEST_F(LockTest, RobbedKongsLockAndAreLocked) {
  toy_.play_rules.missed_win = rules::MissedWin::kEveryTile;
  const TestDeal deal{.game = &toy_,
                      .hands = {"14m", "11m", "23m456p789s11122z", ""},
                      .draws = "9m9p9s9p4m9p1m",
                      .back = "6z"};
  TestRound locks(deal);
  locks.Play(R"(
    0 discard 1m     -> 1: pung, pass; 2: win, pass
    2 pass
    1 pung           -> 1: discard *
    1 discard 2p     -> 2: discard *
    2 discard 9p
    3 discard 9s
    0 discard 9p     -> 1: *
    1 discard 4m     -> 2: win, pass
    2 pass           -> 2: discard *
  )");
  EXPECT_FALSE(locks.seat(2).lock.every);

  // Seat 3 passes a discard, then the robbery of the kong is barred.
  TestRound barred({.game = &toy_,
                    .dealer = Seat::k1,
                    .hands = {"", "", "1m", "23m456p789s11122z"},
                    .draws = "1m9p9s9p4m1m",
                    .back = "6z"});
  barred.Play(R"(
    1 discard 1m     -> 3: win, pass
    3 pass           -> 2: discard *
  )");
  EXPECT_TRUE(barred.seat(3).lock.every);

  TestRound robbery({.game = &toy_,
                     .hands = {"1m", "11m", "", "23m456p789s11122z"},
                     .draws = "9m9p9s9p1m",
                     .back = "6z"});
  robbery.Play(R"(
    0 discard 1m     -> 1: pung, pass; 3: win, pass
    3 pass
    1 pung
    1 discard 2p     -> 2: *
    2 discard 9p     -> 3: discard *
    3 discard 9s     -> 0: *
    0 discard 9p     -> 1: kong added 1m, discard *
    1 kong added 1m  -> 3: win, pass
    3 pass           -> 1: discard *
  )");
  EXPECT_TRUE(robbery.seat(3).lock.every);
  robbery.Play("1 discard 2s -> 2: *");
}

TEST_F(LockTest, ALockBarsARobbery) {
  toy_.play_rules.missed_win = rules::MissedWin::kSameTile;
  toy_.play_rules.lock_ends = rules::LockEnds::kOwnDiscard;
  // 3 misses 1m; before it discards again, 1 adds the fourth 1m to the pung made of that one.
  TestRound round({.game = &toy_,
                   .hands = {"1m", "11999m", "", "23m456p789s11122z"},
                   .draws = "9p9m",
                   .back = "1m6z"});
  round.Play(R"(
    0 discard 1m      -> 1: pung, pass; 3: win, pass
    3 pass
    1 pung            -> 1: discard *
    1 discard 2p      -> 2: discard *
    2 discard 9m      -> 1: kong discard 9m, pung, pass
    1 kong discard 9m -> 1: kong added 1m, discard *
  )");
  EXPECT_TRUE(round.seat(3).lock.Bars(T("1m")));
  round.Play("1 kong added 1m -> 1: discard *");
}

// PLAY-03: declining one's own winning draw locks nothing.
TEST_F(LockTest, DecliningTheOwnDrawLocksNothing) {
  toy_.play_rules.missed_win = rules::MissedWin::kEveryTile;
  TestRound round(
      {.game = &toy_, .hands = {"14m", "14m", "23m456p789s11122z", "14m"}, .draws = "9m9p1m4m"});
  round.Play(R"(
    0 discard 9m
    1 discard 9p  -> 2: win, discard *
    2 discard 1m  -> 3: *
    3 discard 4m  -> 2: win, pass
  )");
}

// COM-12: never on self-draws.
TEST_F(LockTest, ALockDoesNotBarTheOwnDraw) {
  toy_.play_rules.missed_win = rules::MissedWin::kEveryTile;
  toy_.play_rules.lock_ends = rules::LockEnds::kOwnDiscard;
  TestRound round(
      {.game = &toy_, .hands = {"14m", "14m", "23m456p789s11122z", "14m"}, .draws = "9m9p1m"});
  round.Play(R"(
    0 discard 1m  -> 2: win, pass
    2 pass
    1 discard 9p  -> 2: win, discard *
  )");
}

TEST_F(LockTest, WithoutALockInTheGameNothingIsMissed) {
  TestRound round(Waiting());
  round.Play(R"(
    0 discard 1m  -> 2: win, pass
    2 pass
    1 discard 1m  -> 2: win, pass
  )");
}

}  // namespace
}  // namespace mj::round
