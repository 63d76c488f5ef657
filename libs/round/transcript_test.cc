#include "libs/round/transcript.h"

#include <gtest/gtest.h>

#include "libs/round/play_testing.h"
#include "libs/rules/toy_testing.h"
#include "libs/tiles/mpsz.h"

namespace mj::round {
namespace {

using Chosen = PerSeat<std::optional<Choice>>;

Chosen By(std::initializer_list<std::pair<Seat, std::string_view>> choices) {
  Chosen chosen;
  for (const auto& [seat, text] : choices) chosen[seat] = *ParseChoice(text);
  return chosen;
}

class TranscriptTest : public testing::Test {
 protected:
  // 5m: seat 2 may pung, seat 3 win.
  round::Setup TwoClaims() const {
    return TestRound({.game = &toy_,
                      .hands = {"", "", "55m147p147s24667z", "46m123p456p789s11z"},
                      .draws = "5m9m9p9s2z2z"})
        .setup();
  }
  rules::ToyGame toy_;
};

TEST_F(TranscriptTest, StepsAreWhereSomebodyDecides) {
  const Transcript played = PlayTranscript(
      TwoClaims(), {By({{Seat::k0, "discard 5m"}}), By({{Seat::k2, "pung"}, {Seat::k3, "win"}})});
  EXPECT_EQ(played.error, std::nullopt);
  ASSERT_EQ(played.steps.size(), 2u);
  EXPECT_EQ(played.steps[0].phase, StepPhase::kTurn);
  EXPECT_EQ(played.steps[0].tile, tiles::ParseTile("5m"));
  EXPECT_EQ(played.steps[0].left, 83);
  EXPECT_EQ(played.steps[1].phase, StepPhase::kDiscard);
  EXPECT_EQ(played.steps[1].seat, Seat::k0);
  EXPECT_TRUE(played.steps[1].offers[Seat::k2]->pung);
  EXPECT_FALSE(played.steps[1].offers[Seat::k1]);
  EXPECT_TRUE(played.state.over());

  State replayed;
  const round::Setup setup = TwoClaims();
  for (const Event& event : played.events) Apply(setup, replayed, event);
  EXPECT_EQ(replayed, played.state);
}

TEST_F(TranscriptTest, AfterACallTheStepHasNoTile) {
  const Transcript played = PlayTranscript(
      TwoClaims(), {By({{Seat::k0, "discard 5m"}}), By({{Seat::k2, "pung"}, {Seat::k3, "pass"}})});
  ASSERT_EQ(played.steps.size(), 3u);
  EXPECT_EQ(played.steps[2].seat, Seat::k2);
  EXPECT_EQ(played.steps[2].tile, std::nullopt);
}

TEST_F(TranscriptTest, TheDealersRollIsNoStep) {
  toy_.play_rules.dealer_rolls = true;
  const Transcript played = PlayTranscript(TwoClaims(), {By({{Seat::k0, "discard 5m"}})});
  ASSERT_EQ(played.steps.size(), 2u);
  EXPECT_EQ(played.steps[0].left, 83);
}

TEST_F(TranscriptTest, ErrorsNameStepAndSeat) {
  struct Case {
    std::vector<Chosen> chosen;
    TranscriptError error;
  };
  const Chosen thrown = By({{Seat::k0, "discard 5m"}});
  const Chosen won = By({{Seat::k2, "pass"}, {Seat::k3, "win"}});
  const Case cases[] = {
      {{By({{Seat::k1, "discard 5m"}})}, {TranscriptFault::kNotAsked, 0, Seat::k1}},
      {{By({{Seat::k0, "discard 9s"}})}, {TranscriptFault::kNotOffered, 0, Seat::k0}},
      {{By({})}, {TranscriptFault::kChoiceMissing, 0, Seat::k0}},
      {{thrown, By({{Seat::k3, "pung"}})}, {TranscriptFault::kNotOffered, 1, Seat::k3}},
      {{thrown, By({{Seat::k2, "pung"}})}, {TranscriptFault::kChoiceMissing, 1, Seat::k3}},
      {{thrown, By({{Seat::k2, "pung"}, {Seat::k3, "pung"}})},
       {TranscriptFault::kNotOffered, 1, Seat::k3}},
      {{thrown, won, thrown}, {TranscriptFault::kChoicesLeft, 2, std::nullopt}},
      {{thrown}, {TranscriptFault::kNotOver, 1, std::nullopt}},
      {{}, {TranscriptFault::kNotOver, 0, std::nullopt}},
  };
  for (const Case& test : cases) {
    const Transcript played = PlayTranscript(TwoClaims(), test.chosen);
    EXPECT_EQ(played.error, test.error)
        << static_cast<int>(test.error.fault) << " at " << test.error.step;
  }
}

// A choice that the window did not wait for must have been offered all the same.
TEST_F(TranscriptTest, LateChoicesAreLookedAtToo) {
  toy_.play_rules.chow = true;
  const round::Setup setup = TestRound({.game = &toy_,
                                        .hands = {"", "46m369p369s33467z", "55m147p147s24667z", ""},
                                        .draws = "5m"})
                                 .setup();
  const Chosen thrown = By({{Seat::k0, "discard 5m"}});
  EXPECT_EQ(PlayTranscript(setup, {thrown, By({{Seat::k1, "pass"}, {Seat::k2, "pung"}})}).error,
            (TranscriptError{TranscriptFault::kNotOver, 2, std::nullopt}));
  EXPECT_EQ(PlayTranscript(setup, {thrown, By({{Seat::k2, "pung"}, {Seat::k3, "pass"}})}).error,
            (TranscriptError{TranscriptFault::kNotAsked, 1, Seat::k3}));
}

}  // namespace
}  // namespace mj::round
