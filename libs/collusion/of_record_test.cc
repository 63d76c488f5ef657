#include "libs/collusion/of_record.h"

#include <gtest/gtest.h>

#include <vector>

namespace mj::collusion {
namespace {

using rules::Seat;

record::RoundRecord Paid(const std::vector<round::Event>& events) {
  record::RoundRecord record;
  record.round_id = "r";
  for (const Seat seat : rules::kSeats) {
    record.players[seat] = "p" + std::to_string(rules::IndexOf(seat));
  }
  for (const round::Event& event : events) record.events.push_back({record::Time(), event});
  record::Settled settled;
  settled.scored.transfers = {{Seat::k1, Seat::k2, 300, "GD-1"}};
  record.end = settled;
  return record;
}

round::Asked AskedToWin(Seat seat) {
  round::Asked asked;
  asked.asks[seat].emplace().offer.win = true;
  return asked;
}

round::Answered Answer(Seat seat, round::Choice choice,
                       round::AnswerBy by = round::AnswerBy::kPlayer) {
  return {.seat = seat, .decision = 1, .choice = choice, .by = by};
}

TEST(OfRecordTest, WhoPaidWhomAndWhoThrewIt) {
  round::Won won;
  rules::Win win;
  win.seat = Seat::k2;
  win.from = Seat::k1;
  won.wins.push_back(win);
  const auto round = OfRecord(Paid({round::Discarded{Seat::k1, tiles::kEast}, AskedToWin(Seat::k2),
                                    Answer(Seat::k2, round::Choice::Win()), won}));
  ASSERT_TRUE(round.has_value());
  EXPECT_EQ(round->id, "r");
  EXPECT_EQ(round->players[3], "p3");
  ASSERT_EQ(round->payments.size(), 1U);
  EXPECT_EQ(round->payments[0].from, 1U);
  EXPECT_EQ(round->payments[0].to, 2U);
  EXPECT_EQ(round->payments[0].coins, 300);
  ASSERT_EQ(round->deal_ins.size(), 1U);
  EXPECT_EQ(round->deal_ins[0].thrower, 1U);
  EXPECT_EQ(round->deal_ins[0].winner, 2U);
  ASSERT_EQ(round->chances.size(), 1U);
  EXPECT_TRUE(round->chances[0].taken);
}

TEST(OfRecordTest, AWinThatIsLetGoIsTheChoiceOfItsPlayerAlone) {
  const auto passes = [](const std::vector<round::Event>& events) {
    return OfRecord(Paid(events))->chances.size();
  };
  const round::Event thrown = round::Discarded{Seat::k1, tiles::kEast};
  const round::Event passed = Answer(Seat::k0, round::Choice::Pass());
  EXPECT_EQ(passes({thrown, AskedToWin(Seat::k0), passed}), 1U);
  EXPECT_EQ(passes({round::KongDeclared{Seat::k1, tiles::kEast}, AskedToWin(Seat::k0), passed}),
            1U);
  for (const round::AnswerBy by :
       {round::AnswerBy::kOverrun, round::AnswerBy::kAutoPlay, round::AnswerBy::kAbsence}) {
    EXPECT_EQ(passes({thrown, AskedToWin(Seat::k0), Answer(Seat::k0, round::Choice::Pass(), by)}),
              0U);
  }
  EXPECT_EQ(passes({thrown, round::Asked(), passed}), 0U) << "no win was offered";
  EXPECT_EQ(passes({thrown, round::Drew{Seat::k0, tiles::kEast}, AskedToWin(Seat::k0),
                    Answer(Seat::k0, round::Choice::Discard(tiles::kEast))}),
            0U)
      << "its own tile";
}

TEST(OfRecordTest, ARoundThatWasNotPaidInCoinsIsNone) {
  record::RoundRecord record = Paid({});
  EXPECT_TRUE(OfRecord(record).has_value());
  record.currency = record::Currency::kPractice;
  EXPECT_FALSE(OfRecord(record).has_value());
  record.currency = record::Currency::kCoin;
  record.end = record::Voided();
  EXPECT_FALSE(OfRecord(record).has_value());
}

}  // namespace
}  // namespace mj::collusion
