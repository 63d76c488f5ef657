#include "libs/ledger/reversal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/support/counts.h"

namespace mj::ledger {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const AccountId kAnn{"ann"};
const AccountId kBob{"bob"};
const AccountId kRake{"house_rake"};
const AccountId kLoss{"house_loss"};

// Ann lost 30 to Bob; both paid 4 of rake.
const std::vector<Entry> kRound = {{kAnn, -30_coins, Purpose::kPayment},
                                   {kBob, 30_coins, Purpose::kPayment},
                                   {kAnn, -4_coins, Purpose::kRake},
                                   {kRake, 8_coins, Purpose::kRake},
                                   {kBob, -4_coins, Purpose::kRake}};

TEST(ReversalTest, SaysTheOppositeOncePerAccountWhoGainsFirst) {
  const auto reversal = Reverse(kRound, {{kAnn, 0_coins}, {kBob, 26_coins}}, kLoss);
  ASSERT_TRUE(reversal.ok());
  EXPECT_THAT(reversal.value().entries, ElementsAre(Entry{kAnn, 34_coins, Purpose::kReversal},
                                                    Entry{kBob, -26_coins, Purpose::kReversal},
                                                    Entry{kRake, -8_coins, Purpose::kReversal}));
  EXPECT_THAT(reversal.value().missing, IsEmpty());
  EXPECT_EQ(reversal.value().covered, 0_coins);
}

TEST(ReversalTest, WhatAReceiverHasSpentIsMissingAndTheHousesToCover) {
  const auto reversal = Reverse(kRound, {{kAnn, 0_coins}, {kBob, 10_coins}}, kLoss);
  ASSERT_TRUE(reversal.ok());
  EXPECT_THAT(reversal.value().entries, ElementsAre(Entry{kAnn, 34_coins, Purpose::kReversal},
                                                    Entry{kBob, -10_coins, Purpose::kReversal},
                                                    Entry{kRake, -8_coins, Purpose::kReversal},
                                                    Entry{kLoss, -16_coins, Purpose::kCover}));
  EXPECT_THAT(reversal.value().missing, ElementsAre(std::pair(kBob, 16_coins)));
  EXPECT_EQ(reversal.value().covered, 16_coins);
}

TEST(ReversalTest, AReceiverWithNothingHasNoEntry) {
  const auto reversal = Reverse(kRound, {{kAnn, 0_coins}, {kBob, 0_coins}}, kLoss);
  ASSERT_TRUE(reversal.ok());
  EXPECT_EQ(reversal.value().entries.size(), 3U);
  EXPECT_EQ(reversal.value().covered, 26_coins);
}

TEST(ReversalTest, RefusesWhatDoesNotBalanceAndWhatGrowsTooLarge) {
  const std::vector<Entry> unbalanced = {{kAnn, 1_coins, Purpose::kPayment}};
  EXPECT_EQ(Reverse(unbalanced, {}, kLoss).rejection(), Rejection::kUnbalanced);
  const Coins limit = Coins::From(kCoinsMax).value();
  EXPECT_EQ(Reverse(kRound, {{kAnn, limit}, {kBob, 26_coins}}, kLoss).rejection(),
            Rejection::kTooLarge);
  EXPECT_THAT(Reverse({}, {}, kLoss).value().entries, IsEmpty());
}

TEST(ReversalTest, RandomRowsSumToZeroAndNobodyGoesBelow) {
  std::mt19937_64 random(7);
  const std::int64_t runs = mj::testing::Count(20000);
  for (std::int64_t run = 0; run < runs; ++run) {
    Journal journal;
    std::map<AccountId, Coins> balances;
    for (char name = 'a'; name < 'e'; ++name) {
      balances[AccountId{std::string(1, name)}] =
          Coins::From(static_cast<std::int64_t>(random() % 60)).value();
    }
    for (int line = 0; line < 6; ++line) {
      const AccountId from{std::string(1, static_cast<char>('a' + random() % 5))};
      const AccountId to{std::string(1, static_cast<char>('a' + random() % 5))};
      const auto coins = Coins::From(static_cast<std::int64_t>(random() % 40)).value();
      (void)journal.Move(from, to, coins, random() % 2 == 0 ? Purpose::kPayment : Purpose::kRake);
    }
    const auto reversal = Reverse(journal.Entries(), balances, kLoss);
    ASSERT_TRUE(reversal.ok());
    EXPECT_EQ(CheckBalanced(reversal.value().entries), std::nullopt);
    Coins missing;
    for (const auto& [account, coins] : reversal.value().missing) {
      missing = Add(missing, coins).value();
    }
    EXPECT_EQ(missing, reversal.value().covered);
    for (const Entry& entry : reversal.value().entries) {
      const auto balance = balances.find(entry.account);
      if (balance == balances.end()) continue;
      balance->second = Add(balance->second, entry.coins).value();
      EXPECT_FALSE(balance->second.IsNegative());
    }
    for (const auto& [account, coins] : reversal.value().missing) {
      EXPECT_EQ(balances.at(account), 0_coins);  // all of it was taken before the house pays
    }
  }
}

}  // namespace
}  // namespace mj::ledger
