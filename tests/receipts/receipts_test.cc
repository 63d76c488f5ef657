#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "libs/receipt/arithmetic_testing.h"
#include "libs/receipt/price.h"
#include "libs/variants/registry.h"
#include "tests/scorer/rounds_testing.h"
#include "tests/support/counts.h"
#include "tests/support/random.h"

namespace mj::receipt {
namespace {

using Owed = std::map<std::tuple<Seat, Seat, rules::RuleId>, std::int64_t>;

// The first line that does not hold, in words; empty when all do.
std::string FaultOf(const PricedRound& priced, std::int64_t base) {
  Owed by_line, by_transfer;
  for (const Line& line : priced.lines) {
    const auto worked = WorkOut(line.arithmetic());
    if (!worked) return "cannot be read: " + std::string(line.arithmetic());
    if (!line.explained) return "leaves out what led to it: " + std::string(line.text_en());
    if (worked->base != base) return "begins with another base: " + std::string(line.arithmetic());
    if (worked->computed != line.coins.value() || worked->stated != line.coins.value()) {
      return "is wrong: " + std::string(line.arithmetic());
    }
    for (const Seat from : line.from) by_line[{from, line.to, line.rules[0]}] += worked->computed;
  }
  for (const CoinTransfer& transfer : priced.transfers) {
    by_transfer[{transfer.from, transfer.to, transfer.rule}] += transfer.coins.value();
  }
  return by_line == by_transfer ? "" : "the lines are not the transfers";
}

TEST(ReceiptsTest, HoldOnRandomRoundsOfEveryGame) {
  testing::Random random(20261130);
  int limited = 0;
  for (const rules::Variant* game : variants::All()) {
    const std::int64_t count = testing::Count(200'000);
    for (std::int64_t i = 0; i < count; ++i) {
      const scorer::RandomRound made = scorer::MakeRound(*game, random);
      const std::int64_t base = game->info().units_per_base * (1 + random.Below(5000));
      const auto priced = PriceRound(*game, made.options, base, made.round);
      ASSERT_TRUE(priced.ok());
      ASSERT_EQ(FaultOf(priced.value(), base), "") << game->info().id << " round " << i;
      for (const Line& line : priced.value().lines) {
        limited += WorkOut(line.arithmetic())->arrows;
      }
    }
  }
  EXPECT_GT(limited, 0);
}

}  // namespace
}  // namespace mj::receipt
