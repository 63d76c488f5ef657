// The kit itself: a game that keeps the contract passes, and each kind of broken game is told.
#include <gtest/gtest.h>

#include "libs/rules/contract/leaks_testing.h"
#include "libs/rules/contract/playouts_testing.h"
#include "libs/rules/contract/scoring_testing.h"
#include "libs/rules/toy_testing.h"

namespace mj::rules::contract {
namespace {

// All that the engine can play at once.
ToyGame Everything() {
  ToyGame toy;
  toy.play_rules.chow = true;
  toy.play_rules.winds = true;
  toy.play_rules.dealer_rolls = true;
  toy.play_rules.missed_win = MissedWin::kSameTile;
  toy.play_rules.lock_ends = LockEnds::kOwnDiscard;
  toy.play_rules.feeder_may_not_rob = true;
  toy.play_rules.kill = true;
  toy.play_rules.horses = 4;
  toy.play_rules.horses_on_robbed_kong = true;
  toy.play_rules.wild = WildMode::kFlipped;
  return toy;
}

TEST(ContractTest, AGameThatKeepsItPasses) {
  ToyGame toy;
  EXPECT_EQ(CheckOptions(toy), "");
  EXPECT_EQ(CheckJudgements(toy, 20, 1), "");
  EXPECT_EQ(CheckPlayouts(toy, 40, 1), "");
  EXPECT_EQ(CheckLeaks(toy, 40, 1), "");
}

TEST(ContractTest, AndOneThatPlaysEverything) {
  const ToyGame toy = Everything();
  EXPECT_EQ(CheckPlayouts(toy, 100, 1), "");
  EXPECT_EQ(CheckLeaks(toy, 100, 1), "");
}

struct WinnersMatter : ToyGame {
  Worth Appraise(const WinQuestion& question, const Reading& reading, const FinishedRound& round,
                 const Options& options) const override {
    Worth worth = ToyGame::Appraise(question, reading, round, options);
    if (question.winners == 3) worth.no_win = NoWin::kChickenNotAllowed;
    return worth;
  }
};
TEST(ContractTest, TellsWhenLegalityHangsOnTheNumberOfWinners) {
  EXPECT_NE(CheckJudgements(WinnersMatter(), 20, 1), "");
}

struct MeldOrderMatters : ToyGame {
  Worth Appraise(const WinQuestion& question, const Reading& reading, const FinishedRound& round,
                 const Options& options) const override {
    Worth worth = ToyGame::Appraise(question, reading, round, options);
    if (!question.win->hand.melds.empty())
      worth.share += question.win->hand.melds[0].meld.tile.index();
    return worth;
  }
};
TEST(ContractTest, TellsWhenWorthHangsOnTheOrderOfMelds) {
  EXPECT_NE(CheckJudgements(MeldOrderMatters(), 100, 1), "");
}

struct PaysItself : ToyGame {
  void PayWin(const WinQuestion& question, const Worth&, const Options&,
              Transfers& transfers) const override {
    Owe(transfers, question.win->seat, question.win->seat, 1, "TOY-5");
  }
};
TEST(ContractTest, TellsWhenATransferIsNone) { EXPECT_NE(CheckPlayouts(PaysItself(), 40, 1), ""); }

// Heavenly for anybody: no round that the scoring could accept.
struct WrongFlag : ToyGame {
  WinFlags FirstTurn(const FirstTurnFacts&, const Options&) const override {
    WinFlags flags;
    flags.heavenly = true;
    flags.earthly = true;
    return flags;
  }
};
TEST(ContractTest, TellsWhenTheScoringWouldRefuseTheResult) {
  EXPECT_NE(CheckPlayouts(WrongFlag(), 40, 1), "");
}

struct WrongDefault : ToyGame {
  std::span<const OptionDef> options() const override {
    static constexpr OptionDef kOptions[] = {{.name = "number",
                                              .type = OptionType::kNumber,
                                              .fallback = 10,
                                              .min = 0,
                                              .max = 9,
                                              .rule = "TOY-9",
                                              .meaning_zh = "",
                                              .meaning_en = ""}};
    return kOptions;
  }
};
TEST(ContractTest, TellsWhenADefaultIsOutOfRange) { EXPECT_NE(CheckOptions(WrongDefault()), ""); }

TEST(ContractTest, TellsWhenDrawsAreShownToAll) {
  Showing showing = RealShowing();
  showing.filter = [](const round::Event& event, const round::Viewer& viewer) {
    auto seen = Filter(event, viewer);
    if (const auto* drew = std::get_if<round::Drew>(&event)) {
      std::get<round::SeatDrew>(*seen).tile = drew->tile;
    }
    return seen;
  };
  EXPECT_NE(CheckLeaks(ToyGame(), 20, 1, showing), "");
}

TEST(ContractTest, TellsWhenItIsShownThatSomebodyIsAsked) {
  Showing showing = RealShowing();
  showing.filter = [](const round::Event& event, const round::Viewer& viewer) {
    auto seen = Filter(event, viewer);
    const bool asked = std::holds_alternative<round::Asked>(event);
    if (asked && !seen) seen = round::YouAreAsked{};
    return seen;
  };
  EXPECT_NE(CheckLeaks(ToyGame(), 100, 1, showing), "");
}

TEST(ContractTest, TellsWhenAnotherHandIsInTheView) {
  Showing showing = RealShowing();
  showing.project = [](const round::Setup& setup, const round::State& state,
                       const round::Viewer& viewer) {
    round::SeatView view = Project(setup, state, viewer);
    view.hand = state.seats[After(viewer.seat.value_or(Seat::k0))].hand.concealed;
    return view;
  };
  EXPECT_NE(CheckLeaks(ToyGame(), 20, 1, showing), "");
}

}  // namespace
}  // namespace mj::rules::contract
