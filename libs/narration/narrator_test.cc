#include "libs/narration/narrator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "libs/round/decide.h"
#include "libs/round/random_testing.h"
#include "libs/variants/registry.h"
#include "tests/support/counts.h"
#include "tests/support/random.h"

namespace mj::narration {
namespace {

using round::Choice;
using rules::Seat;
using tiles::Tile;

const rules::PerSeat<std::string> kNames({"0 ming", "1 hong", "2 juan", "3 tao"});

// Any game: how it calls its melds is its own.
class NarratorTest : public ::testing::Test {
 protected:
  const rules::Variant& game_ = *variants::All().front();
  Narrator narrator_{game_, kNames};
};

constexpr Tile kFour = Tile::Of(tiles::Suit::kDots, 4);

TEST_F(NarratorTest, ASentenceIsTheSameInBothLanguages) {
  const Sentence said = narrator_.Tell(round::Discarded{Seat::k2, kFour});
  EXPECT_EQ(said.en(), "2 juan throws 4p");
  EXPECT_EQ(said.zh(), "2 juan 出牌 四筒");
  EXPECT_EQ(said.both(), "2 juan throws 出牌 4p 四筒");
}

TEST_F(NarratorTest, ASeatIsToldWhatItMaySee) {
  const auto told = [this](const round::SeatEvent& event) {
    return narrator_.Tell(event, Seat::k0).en();
  };
  tiles::TileCounts hand;
  hand.Add(kFour, 2);
  EXPECT_EQ(told(round::HandDealt{hand}), "thirteen tiles to each: 0 ming 44p");
  EXPECT_EQ(told(round::HandDealt{}), "thirteen tiles to each");
  EXPECT_EQ(told(round::SeatDrew{Seat::k0, kFour, round::DrawKind::kWall, 57}),
            "0 ming draws 4p, 57 left");
  EXPECT_EQ(told(round::SeatDrew{Seat::k1, std::nullopt, round::DrawKind::kReplacement, 56}),
            "1 hong draws for its kong, 56 left");
  round::YouAreAsked asked;
  asked.ask.offer.Add(Choice::Pass());
  EXPECT_EQ(told(asked), "0 ming may pass");
  EXPECT_EQ(told(round::YouAnswered{1, Choice::Pass(), round::AnswerBy::kPlayer}),
            "0 ming chooses pass");
  EXPECT_EQ(told(round::Discarded{Seat::k2, kFour}), "2 juan throws 4p");
}

TEST_F(NarratorTest, MarksStandWhereTheyBelong) {
  EXPECT_EQ(narrator_.Tell(round::Drew{Seat::k1, kFour, round::DrawKind::kWall, 57}).both(),
            "1 hong draws 摸牌 4p 四筒, 57 left 余牌");
  EXPECT_EQ(
      narrator_.Tell(round::Answered{Seat::k1, 3, Choice::Pass(), round::AnswerBy::kOverrun}).en(),
      "1 hong chooses pass (too late, the system answers)");
  EXPECT_EQ(
      narrator_.Tell(round::RoundEnded{round::Outcome::kVoid, round::VoidReason::kEscape, Seat::k0})
          .both(),
      "void 作废: escape 主动逃跑 0 ming");
}

TEST_F(NarratorTest, AnOfferNamesEveryChoiceAndAllDiscardsInOne) {
  round::Offer offer;
  offer.Add(Choice::Win());
  offer.Add(Choice::Discard(kFour));
  offer.Add(Choice::Discard(tiles::kRed));
  EXPECT_EQ(narrator_.Tell(offer).en(), "win, throw 4p7z");
  round::Asked asked;
  asked.asks[Seat::k1] = round::Ask{1, offer};
  asked.asks[Seat::k3] = round::Ask{4, [] {
                                      round::Offer pass;
                                      pass.Add(Choice::Pass());
                                      return pass;
                                    }()};
  EXPECT_EQ(narrator_.Tell(asked).en(), "1 hong may win, throw 4p7z; 3 tao may pass");
}

TEST_F(NarratorTest, EveryChoiceHasWords) {
  for (const Choice& choice :
       {Choice::Win(), Choice::Pass(), Choice::Pung(), Choice::Roll(), Choice::Discard(kFour),
        Choice::Chow(kFour, Tile::Of(tiles::Suit::kDots, 5)), Choice::DiscardKong(kFour),
        Choice::AddedKong(kFour), Choice::ConcealedKong(kFour)}) {
    EXPECT_FALSE(narrator_.Tell(choice).en().empty());
    EXPECT_NE(narrator_.Tell(choice).en(), narrator_.Tell(choice).zh());
  }
}

TEST_F(NarratorTest, WhatATableAddsIsToldToo) {
  using record::LeaveReason;
  const auto tell = [&](record::What what) { return narrator_.TellRecorded(what).both(); };
  EXPECT_EQ(tell(record::AutoPlaySet{Seat::k2, true}), "2 juan the system plays for it 托管");
  EXPECT_EQ(tell(record::Leaving{Seat::k0, "p", LeaveReason::kClientClosed}),
            "0 ming says that it leaves 要离开: client closed 关闭客户端");
  EXPECT_EQ(tell(record::Left{Seat::k0, "p", LeaveReason::kLeft, ""}),
            "0 ming leaves 离开: of its own will 主动离开");
  EXPECT_EQ(tell(record::HandShown{Seat::k3, "p", false}),
            "3 tao hides its hand again 手牌不再可旁观");
  EXPECT_EQ(tell(record::ClocksRestarted{}), "every clock begins anew 计时重新开始");
  EXPECT_EQ(tell(round::Event(round::Discarded{Seat::k2, kFour})), "2 juan throws 出牌 4p 四筒");
}

TEST(WordsTest, EveryReasonHasWords) {
  for (const auto reason : {round::VoidReason::kEscape, round::VoidReason::kConnectionLost,
                            round::VoidReason::kAllAbsent, round::VoidReason::kOperator}) {
    EXPECT_FALSE(WordsFor(reason).zh.empty());
    EXPECT_FALSE(WordsFor(reason).en.empty());
  }
  for (int i = 0; i <= static_cast<int>(record::LeaveReason::kDisagreed); ++i) {
    EXPECT_FALSE(WordsFor(static_cast<record::LeaveReason>(i)).zh.empty());
  }
  for (int i = 0; i <= static_cast<int>(record::VoidReason::kRefused); ++i) {
    EXPECT_FALSE(WordsFor(static_cast<record::VoidReason>(i)).zh.empty());
  }
  EXPECT_EQ(Both(WordsFor(round::AnswerBy::kPlayer)), "");
  EXPECT_EQ(Both({"庄", "dealer"}), "dealer 庄");
  EXPECT_EQ(Both({"OK", "OK"}), "OK");
}

// Whatever any game does is told, and every kind of event is met.
TEST(NarratedGamesTest, EveryEventOfEveryGame) {
  std::set<std::size_t> met;
  for (const rules::Variant* game : variants::All()) {
    const Narrator narrator(*game, kNames);
    for (std::int64_t i = 0; i < testing::Count(40'000); ++i) {
      testing::Random random(static_cast<std::uint64_t>(i));
      const round::Setup setup =
          round::RandomSetup(*game, round::RandomOptions(*game, random), random);
      round::State state;
      const auto choose = [&](const round::State&, Seat, const round::Offer& offer) {
        return offer.win ? Choice::Win() : round::RandomChoice(offer, random);
      };
      const auto see = [&](const round::State&, const round::Event& event) {
        met.insert(event.index());
        const Sentence said = narrator.Tell(event);
        ASSERT_FALSE(said.en().empty());
        ASSERT_FALSE(said.zh().empty());
        ASSERT_EQ(said.en().find("  "), std::string::npos) << said.en();
      };
      ASSERT_TRUE(round::PlayOut(setup, state, random, choose, see, 4'000)) << "seed " << i;
    }
  }
  // All but a leave that is noted, which no game played to its end has.
  EXPECT_GE(met.size(), std::variant_size_v<round::Event> - 1);
}

}  // namespace
}  // namespace mj::narration
