#include "tools/load/seat.h"

#include <gtest/gtest.h>

namespace mj::load {
namespace {

TEST(FailuresTest, AreCountedByReason) {
  Failures failures;
  failures.Add(base::Error(base::Reason::kOverloaded));
  failures.Add(base::Error(base::Reason::kOverloaded));
  failures.Add(absl::DeadlineExceededError("no answer"));
  EXPECT_EQ(failures.by_reason(),
            (std::map<std::string, std::int64_t>{{"OVERLOADED", 2}, {"DEADLINE_EXCEEDED", 1}}));
}

TEST(ChooseTest, ThrowsWhatItDrewIfItMay) {
  table::Decision decision;
  decision.mutable_offers()->set_discards("13m4p");
  table::Choice choice;
  ASSERT_TRUE(Choose(decision, "3m", choice));
  EXPECT_EQ(choice.discard().tile(), "3m");
  for (const char* drawn : {"2m", "4s", ""}) {
    ASSERT_TRUE(Choose(decision, drawn, choice));
    EXPECT_EQ(choice.discard().tile(), "1m") << drawn;
  }
}

TEST(ChooseTest, WinsBeforeAnythingElse) {
  table::Decision decision;
  decision.mutable_offers()->set_discards("1m");
  decision.mutable_offers()->set_pass(true);
  decision.mutable_offers()->mutable_win();
  table::Choice choice;
  ASSERT_TRUE(Choose(decision, "1m", choice));
  EXPECT_TRUE(choice.has_win());
}

TEST(ChooseTest, AnswersEveryOtherQuestion) {
  table::Choice choice;
  table::Decision dice;
  dice.mutable_offers()->set_roll(true);
  ASSERT_TRUE(Choose(dice, "", choice));
  EXPECT_TRUE(choice.has_roll());
  table::Decision claim;
  claim.mutable_offers()->set_pass(true);
  claim.mutable_offers()->set_pung(true);
  ASSERT_TRUE(Choose(claim, "", choice));
  EXPECT_TRUE(choice.has_pass());
  table::Decision stakes;
  stakes.mutable_offers()->add_bases(10);
  ASSERT_TRUE(Choose(stakes, "", choice));
  EXPECT_EQ(choice.propose().base(), 10);
  table::Decision consent;
  consent.mutable_offers()->set_accept(true);
  ASSERT_TRUE(Choose(consent, "", choice));
  EXPECT_TRUE(choice.has_accept());
  EXPECT_FALSE(Choose(table::Decision(), "", choice));
}

}  // namespace
}  // namespace mj::load
