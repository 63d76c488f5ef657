#include "libs/ledger/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mj::ledger {

void PrintTo(const Entry& entry, std::ostream* out) {
  *out << entry.account.text << ' ' << entry.coins.value();
}

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const AccountId kAnn{"ann"};
const AccountId kBob{"bob"};
const AccountId kRake{"rake"};

Coins Limit() { return Coins::From(kCoinsMax).value(); }

TEST(JournalTest, AMoveIsTwoEntriesThatSumToZero) {
  Journal journal;
  EXPECT_EQ(journal.Move(kAnn, kBob, 30_coins, Purpose::kPayment), std::nullopt);
  EXPECT_THAT(journal.Entries(), ElementsAre(Entry{kAnn, -30_coins, Purpose::kPayment},
                                             Entry{kBob, 30_coins, Purpose::kPayment}));
  EXPECT_EQ(CheckBalanced(journal.Entries()), std::nullopt);
}

TEST(JournalTest, MovesOfOneAccountAndPurposeAreNetted) {
  Journal journal;
  EXPECT_EQ(journal.Move(kAnn, kBob, 30_coins, Purpose::kPayment), std::nullopt);
  EXPECT_EQ(journal.Move(kBob, kAnn, 10_coins, Purpose::kPayment), std::nullopt);
  EXPECT_EQ(journal.Move(kAnn, kRake, 4_coins, Purpose::kRake), std::nullopt);
  EXPECT_EQ(journal.Move(kBob, kRake, 4_coins, Purpose::kRake), std::nullopt);
  EXPECT_THAT(
      journal.Entries(),
      ElementsAre(Entry{kAnn, -20_coins, Purpose::kPayment},
                  Entry{kBob, 20_coins, Purpose::kPayment}, Entry{kAnn, -4_coins, Purpose::kRake},
                  Entry{kRake, 8_coins, Purpose::kRake}, Entry{kBob, -4_coins, Purpose::kRake}));
}

TEST(JournalTest, WhatComesToNothingLeavesNoEntry) {
  Journal journal;
  EXPECT_EQ(journal.Move(kAnn, kBob, 30_coins, Purpose::kPayment), std::nullopt);
  EXPECT_EQ(journal.Move(kBob, kAnn, 30_coins, Purpose::kPayment), std::nullopt);
  EXPECT_THAT(journal.Entries(), IsEmpty());
}

TEST(JournalTest, ARefusedMoveChangesNothing) {
  Journal journal;
  ASSERT_EQ(journal.Move(kAnn, kBob, 1_coins, Purpose::kPayment), std::nullopt);
  const auto before = journal.Entries();
  EXPECT_EQ(journal.Move(kAnn, kAnn, 1_coins, Purpose::kPayment), Rejection::kSameAccount);
  EXPECT_EQ(journal.Move(kAnn, kAnn, 0_coins, Purpose::kPayment), Rejection::kSameAccount);
  EXPECT_EQ(journal.Move(kAnn, kBob, 0_coins, Purpose::kPayment), Rejection::kNotPositive);
  EXPECT_EQ(journal.Move(kAnn, kBob, -1_coins, Purpose::kPayment), Rejection::kNotPositive);
  EXPECT_EQ(journal.Move(kAnn, kBob, Limit(), Purpose::kPayment), Rejection::kTooLarge);
  EXPECT_EQ(journal.Entries(), before);
}

TEST(JournalTest, EntriesFromElsewhereHaveToBalance) {
  EXPECT_EQ(CheckBalanced({}), std::nullopt);
  const std::vector<Entry> off_by_one = {{kAnn, -30_coins}, {kBob, 29_coins}};
  EXPECT_EQ(CheckBalanced(off_by_one), Rejection::kUnbalanced);
  // 2^11 + 1 entries of 2^53 would wrap around an int64.
  std::vector<Entry> many(2049, Entry{kAnn, Limit()});
  EXPECT_EQ(CheckBalanced(many), Rejection::kUnbalanced);
  many.resize(4098, Entry{kBob, -Limit()});
  EXPECT_EQ(CheckBalanced(many), std::nullopt);
}

TEST(PostTest, TakesTheNextSequence) {
  const PlayerBalance before{100_coins, 0_coins, 7};
  const auto after = Post(before, -100_coins);
  ASSERT_TRUE(after.ok());
  EXPECT_EQ(after.value(), (PlayerBalance{0_coins, 0_coins, 8}));
}

TEST(PostTest, NeverBelowZeroNorIntoAHold) {
  EXPECT_EQ(Post({100_coins, 0_coins, 7}, -101_coins).rejection(), Rejection::kInsufficientFunds);
  EXPECT_TRUE(Post({100_coins, 60_coins, 7}, -40_coins).ok());
  EXPECT_EQ(Post({100_coins, 60_coins, 7}, -41_coins).rejection(), Rejection::kInsufficientFunds);
}

TEST(PostTest, NeverAboveTheLimit) {
  EXPECT_TRUE(Post({Limit(), 0_coins, 1}, 0_coins).ok());
  EXPECT_EQ(Post({Limit(), 0_coins, 1}, 1_coins).rejection(), Rejection::kTooLarge);
}

TEST(PlayerBalanceTest, SixHoldsOfAThousandOnFiveThousandFiveSucceed) {
  PlayerBalance balance{5000_coins, 0_coins, 3};
  for (int hold = 0; hold < 5; ++hold) {
    const auto held = Hold(balance, 1000_coins);
    ASSERT_TRUE(held.ok()) << hold;
    balance = held.value();
  }
  EXPECT_EQ(balance, (PlayerBalance{5000_coins, 5000_coins, 3}));
  EXPECT_EQ(Hold(balance, 1000_coins).rejection(), Rejection::kInsufficientFunds);
  EXPECT_EQ(Hold(balance, 1_coins).rejection(), Rejection::kInsufficientFunds);
  EXPECT_EQ(Hold(balance, -1_coins).rejection(), Rejection::kNotPositive);
  EXPECT_EQ(Hold(balance, 0_coins).value(), balance);
}

TEST(PlayerBalanceTest, ADebitReachesIntoWhatIsHeldOnlyWhereItMay) {
  const PlayerBalance balance{100_coins, 60_coins, 1};
  EXPECT_EQ(Post(balance, -41_coins).rejection(), Rejection::kInsufficientFunds);
  EXPECT_EQ(Post(balance, -40_coins).value(), (PlayerBalance{60_coins, 60_coins, 2}));
  EXPECT_EQ(Post(balance, -41_coins, Reach::kHeld).value(), (PlayerBalance{59_coins, 59_coins, 2}));
  EXPECT_EQ(Post(balance, -100_coins, Reach::kHeld).value(), (PlayerBalance{0_coins, 0_coins, 2}));
  EXPECT_EQ(Post(balance, -101_coins, Reach::kHeld).rejection(), Rejection::kInsufficientFunds);
  EXPECT_EQ(Post(balance, 5_coins, Reach::kHeld).value(), (PlayerBalance{105_coins, 60_coins, 2}));
}

}  // namespace
}  // namespace mj::ledger
