// Counts what the program takes from the heap.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <new>
#include <string>
#include <variant>
#include <vector>

#include "libs/rules/claims_testing.h"
#include "libs/rules/score.h"
#include "libs/rules/waits.h"
#include "libs/variants/registry.h"

namespace {

std::atomic<long> allocations = 0;

void* Allocate(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  std::abort();
}

}  // namespace

void* operator new(std::size_t size) { return Allocate(size); }
void* operator new[](std::size_t size) { return Allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace mj {
namespace {

constexpr int kClaims = 500;

// How many allocations `run` makes.
template <typename Run>
long AllocationsOf(Run&& run) {
  const long before = allocations;
  run();
  return allocations - before;
}

TEST(AllocationsTest, AreCounted) {
  EXPECT_EQ(AllocationsOf([] {}), 0);
  EXPECT_GE(AllocationsOf([] { std::vector<int> numbers(1000, 1); }), 1);
}

void ExpectNone(const rules::Variant& game, const std::map<std::string, std::string>& texts,
                int wild) {
  SCOPED_TRACE(std::string(game.info().id) + " with " + std::to_string(wild) + " wild tiles");
  const auto options = std::get<rules::Options>(rules::ParseOptions(game.options(), texts));
  const auto claims = rules::WinningClaims(1, kClaims, game, options, wild);
  const rules::Shapes shapes = game.shapes(options);
  rules::ClaimRunner runner(game, options);
  const rules::WaitFinder finder(game, options, runner.round().deal);
  std::int64_t sum = 0;  // of everything, so that nothing is left out
  EXPECT_EQ(AllocationsOf([&] {
              for (const rules::SmallClaim& claim : claims) {
                runner.Set(claim);
                const rules::FinishedRound& round = runner.round();
                const rules::Win& win = *runner.question().win;
                sum += rules::IsWin(claim.concealed, win.hand.melds, round.deal.wild, shapes);
                sum += rules::Judge(game, options, round, runner.question()).worth.share;
                sum += rules::JudgeClaim(game, options, round.deal, win).worth.fan;
                sum += rules::ScoreRound(game, options, round).net[win.seat];
                sum += rules::IndexOf(rules::NextAfter(game, options, round).dealer);
                finder.ForEach(win.seat, win.hand, {},
                               [&](const rules::Wait& wait) { sum += wait.unseen; });
              }
            }),
            0);
  EXPECT_NE(sum, 0);
}

TEST(AllocationsTest, NoneOnTheWayToAValue) {
  for (const rules::Variant* game : variants::All()) ExpectNone(*game, {}, 0);
}

TEST(AllocationsTest, NoneWithWildTiles) {
  int games = 0;
  for (const rules::Variant* game : variants::All()) {
    for (const rules::OptionDef& option : game->options()) {
      if (option.name != "wild") continue;
      ++games;
      for (int wild = 0; wild <= 4; ++wild) ExpectNone(*game, {{"wild", "white"}}, wild);
    }
  }
  EXPECT_GT(games, 0);
}

}  // namespace
}  // namespace mj
