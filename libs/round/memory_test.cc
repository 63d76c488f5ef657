// Rounds played in memory: the same by Play as by Decide and Apply, and almost without the heap.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libs/round/allocations_testing.h"
#include "libs/round/decide.h"
#include "libs/round/random_testing.h"
#include "libs/variants/registry.h"
#include "tests/support/counts.h"

namespace mj::round {
namespace {

class MemoryTest : public ::testing::TestWithParam<const rules::Variant*> {};

INSTANTIATE_TEST_SUITE_P(Games, MemoryTest,
                         ::testing::ValuesIn(variants::All().begin(), variants::All().end()),
                         [](const auto& game) { return std::string(game.param->info().id); });

// Any command, one that is refused too.
Command AnyCommand(const State& state, testing::Random& random) {
  const auto seat = static_cast<Seat>(random.Below(rules::kSeatCount));
  const SeatState& asked = state.seats[seat];
  const auto decision = static_cast<DecisionId>(
      asked.decisions + static_cast<DecisionId>(random.OneIn(20) ? random.Below(3) : 0));
  if (random.OneIn(200)) {
    const bool escape = random.OneIn(2);
    return Void{escape ? VoidReason::kEscape : VoidReason::kOperator,
                escape ? std::optional(seat) : std::nullopt};
  }
  if (random.OneIn(20)) return Timeout{seat, decision, random.OneIn(2)};
  if (random.OneIn(100)) return Begin{};
  const Choice choice = asked.open ? RandomChoice(*asked.open, random) : Choice::Pass();
  return Act{seat, decision, choice};
}

TEST_P(MemoryTest, PlayDoesWhatDecideAndApplyDo) {
  const rules::Variant& game = *GetParam();
  testing::Random random(3);
  const std::int64_t rounds = testing::Count(10'000);
  int refused = 0;
  for (std::int64_t i = 0; i < rounds; ++i) {
    const round::Setup setup = RandomSetup(game, RandomOptions(game, random), random);
    State told;
    State played;
    std::vector<Event> log;
    for (int command = 0; command < 5'000 && !told.over(); ++command) {
      const Command next = command == 0 ? Begin{} : AnyCommand(told, random);
      const Decision decision = Decide(setup, told, next);
      const std::size_t before = log.size();
      const std::optional<Rejection> rejection = Play(setup, played, next, log);
      if (const auto* events = std::get_if<std::vector<Event>>(&decision)) {
        ASSERT_EQ(rejection, std::nullopt);
        ASSERT_EQ(std::vector<Event>(log.begin() + static_cast<std::ptrdiff_t>(before), log.end()),
                  *events);
        for (const Event& event : *events) Apply(setup, told, event);
      } else {
        ASSERT_EQ(rejection, std::get<Rejection>(decision));
        ASSERT_EQ(log.size(), before);
        ++refused;
      }
      ASSERT_EQ(played, told);
    }
    ASSERT_TRUE(told.over());
  }
  EXPECT_GT(refused, 0);
}

// TARGETS P4: at most two allocations a decision, however it is played and watched.
TEST_P(MemoryTest, ADecisionHardlyAllocates) {
  const rules::Variant& game = *GetParam();
  testing::Random random(5);
  const rules::Options options = rules::DefaultOptions(game.options());
  std::uint64_t by_decide = 0;
  std::uint64_t by_play = 0;
  std::uint64_t decisions = 0;
  const std::int64_t rounds = testing::Count(10'000);
  std::vector<Event> log;
  log.reserve(4'000);  // more events than any round has
  for (std::int64_t i = 0; i < rounds; ++i) {
    const round::Setup setup = RandomSetup(game, options, random);
    State state;
    log.clear();
    ASSERT_EQ(Play(setup, state, Begin{}, log), std::nullopt);
    while (!state.over()) {
      for (Seat seat : rules::kSeats) {
        const SeatState& asked = state.seats[seat];
        if (!asked.open || asked.answer) continue;
        const Act act{seat, asked.decisions, RandomChoice(*asked.open, random)};
        const std::uint64_t start = Allocations();
        {
          [[maybe_unused]] const Decision decision = Decide(setup, state, act);
        }
        const std::uint64_t decided = Allocations();
        ASSERT_EQ(Play(setup, state, act, log), std::nullopt);
        by_play += Allocations() - decided;
        by_decide += decided - start;
        ++decisions;
      }
    }
    ASSERT_LE(log.size(), 4'000U);
  }
  EXPECT_GT(decisions, static_cast<std::uint64_t>(rounds));
  EXPECT_EQ(by_play, 0U);
  EXPECT_LE(by_decide, 2 * decisions);
}

}  // namespace
}  // namespace mj::round
