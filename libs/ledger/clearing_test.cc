#include "libs/ledger/clearing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "libs/ledger/clearing_model_testing.h"
#include "tests/support/counts.h"

namespace mj::ledger {
namespace {

Coins C(std::int64_t value) { return Coins::From(value).value(); }

PerParty<Coins> Balances(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
  return {C(a), C(b), C(c), C(d)};
}

TEST(ClearTest, RefusesInTheOrderOfRejection) {
  // Each row mends the fault of the row above it.
  struct Row {
    std::vector<Debt> debts;
    std::int64_t balance;
    std::int64_t rake;
    Rejection rejection;
  };
  const Coins max = C(kCoinsMax);
  const std::vector<Row> rows = {
      {{{2, 2, 1_coins}, {0, 4, 1_coins}, {0, 1, 0_coins}}, -1, 0, Rejection::kUnknownParty},
      {{{2, 2, 1_coins}, {9, 1, 1_coins}, {0, 1, 0_coins}}, -1, 0, Rejection::kUnknownParty},
      {{{2, 2, 1_coins}, {0, 1, 0_coins}, {0, 1, max}}, -1, 0, Rejection::kSameAccount},
      {{{0, 1, 0_coins}, {0, 1, max}, {0, 1, max}}, -1, 0, Rejection::kNotPositive},
      {{{0, 1, -1_coins}, {0, 1, max}, {0, 1, max}}, 0, 0, Rejection::kNotPositive},
      {{{0, 1, max}, {0, 1, max}}, -1, 0, Rejection::kNotPositive},
      {{{0, 1, max}, {0, 1, max}}, 0, -1, Rejection::kNotPositive},
      {{{0, 1, max}, {0, 1, 1_coins}}, 0, 0, Rejection::kTooLarge},
      {{{0, 1, max}, {0, 2, 1_coins}}, 0, 0, Rejection::kTooLarge},
      {{{0, 1, 1_coins}}, kCoinsMax, 0, Rejection::kTooLarge},  // the payee's balance
  };
  for (const Row& row : rows) {
    const auto got =
        Clear(Balances(row.balance, row.balance, row.balance, row.balance), row.debts, C(row.rake));
    ASSERT_FALSE(got.ok());
    EXPECT_EQ(Name(got.rejection()), Name(row.rejection));
  }
}

TEST(ClearTest, SeveralLinesOfOnePairAddUp) {
  const std::vector<Debt> debts = {{0, 1, 30_coins}, {0, 1, 12_coins}};
  const auto got = Clear(Balances(100, 0, 0, 0), debts, 0_coins);
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got.value().owed[0][1], 42_coins);
  EXPECT_EQ(got.value().paid[0][1], 42_coins);
}

TEST(ClearTest, TheLargestAmountsNeedNoLuck) {
  // Half of the limit each, in proportion of two greatest debts.
  const std::vector<Debt> debts = {{0, 1, C(kCoinsMax / 2)}, {0, 2, C(kCoinsMax / 2)}};
  const auto got = Clear(Balances(kCoinsMax - 1, 0, 0, 0), debts, C(kCoinsMax));
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got.value().paid[0][1].value(), kCoinsMax / 2 - 1);
  EXPECT_EQ(got.value().paid[0][2].value(), kCoinsMax / 2 - 1);
  EXPECT_EQ(got.value().rake_paid[0], 1_coins);  // what could not be divided
  EXPECT_EQ(got.value().rake_paid[1].value(), kCoinsMax / 2 - 1);
  EXPECT_EQ(got.value().rake_shortfall[3].value(), kCoinsMax);
}

// --- random debts against the invariants and a model written separately ---

struct Question {
  PerParty<Coins> balances;
  std::vector<Debt> debts;
  Coins rake;
};

Question RandomQuestion(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t end) { return static_cast<std::int64_t>(random() % end); };
  // Small amounts meet circles and exact fits often; large ones meet the 128-bit product.
  const std::uint64_t scale = random() % 4 == 0 ? (std::uint64_t{1} << 49) : 1 + random() % 40;
  Question question;
  for (Coins& balance : question.balances) balance = C(below(scale + 1));
  const std::int64_t lines = below(14);
  for (std::int64_t line = 0; line < lines; ++line) {
    const Party from = random() % kParties;
    const Party to = (from + 1 + random() % (kParties - 1)) % kParties;
    question.debts.push_back({from, to, C(1 + below(scale))});
  }
  if (random() % 3 == 0) question.rake = C(below(scale));
  return question;
}

std::string Describe(const Question& question) {
  std::string text = "balances";
  for (const Coins balance : question.balances) text += " " + std::to_string(balance.value());
  for (const Debt& debt : question.debts) {
    text += "; " + std::to_string(debt.from) + "->" + std::to_string(debt.to) + " " +
            std::to_string(debt.coins.value());
  }
  return text + "; rake " + std::to_string(question.rake.value());
}

std::int64_t Sum(const PerParty<Coins>& coins) {
  std::int64_t sum = 0;
  for (const Coins some : coins) sum += some.value();
  return sum;
}

void ExpectInvariants(const Question& question, const Clearing& clearing) {
  for (Party from = 0; from < kParties; ++from) {
    std::int64_t in_hand = question.balances[from].value() - clearing.rake_paid[from].value();
    for (Party to = 0; to < kParties; ++to) {
      ASSERT_GE(clearing.paid[from][to], 0_coins);
      ASSERT_GE(clearing.set_off[from][to], 0_coins);
      ASSERT_GE(clearing.shortfall[from][to], 0_coins);
      ASSERT_EQ(clearing.owed[from][to].value(), clearing.set_off[from][to].value() +
                                                     clearing.paid[from][to].value() +
                                                     clearing.shortfall[from][to].value());
      in_hand += clearing.paid[to][from].value() - clearing.paid[from][to].value();
    }
    ASSERT_EQ(clearing.balance_after[from].value(), in_hand);
    ASSERT_GE(clearing.balance_after[from], 0_coins);
    ASSERT_EQ(clearing.rake_paid[from].value() + clearing.rake_shortfall[from].value(),
              question.rake.value());
    ASSERT_GE(clearing.rake_paid[from], 0_coins);
  }
  ASSERT_EQ(Sum(question.balances), Sum(clearing.balance_after) + Sum(clearing.rake_paid));
}

void ExpectSame(const Clearing& a, const Clearing& b) {
  ASSERT_EQ(a.owed, b.owed);
  ASSERT_EQ(a.set_off, b.set_off);
  ASSERT_EQ(a.paid, b.paid);
  ASSERT_EQ(a.shortfall, b.shortfall);
  ASSERT_EQ(a.rake_paid, b.rake_paid);
  ASSERT_EQ(a.rake_shortfall, b.rake_shortfall);
  ASSERT_EQ(a.balance_after, b.balance_after);
}

TEST(ClearTest, RandomDebtsKeepTheInvariantsAndMatchTheModel) {
  for (std::int64_t seed = 0; seed < mj::testing::Count(2'000'000); ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    const Question question = RandomQuestion(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + Describe(question));
    const auto got = Clear(question.balances, question.debts, question.rake);
    ASSERT_TRUE(got.ok());
    ASSERT_NO_FATAL_FAILURE(ExpectInvariants(question, got.value()));
    ASSERT_NO_FATAL_FAILURE(
        ExpectSame(got.value(), ClearSlowly(question.balances, question.debts, question.rake)));

    std::vector<Debt> shuffled = question.debts;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    ASSERT_NO_FATAL_FAILURE(
        ExpectSame(got.value(), Clear(question.balances, shuffled, question.rake).value()));
  }
}

}  // namespace
}  // namespace mj::ledger
