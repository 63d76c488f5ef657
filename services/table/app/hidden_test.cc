// Tiles that a seat cannot see make no difference to what it is shown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <vector>

#include "libs/variants/registry.h"
#include "services/table/app/hidden_testing.h"
#include "tests/support/counts.h"
#include "tests/support/random.h"

namespace mj::table {
namespace {

class HiddenTest : public ::testing::TestWithParam<const rules::Variant*> {};

INSTANTIATE_TEST_SUITE_P(Games, HiddenTest,
                         ::testing::ValuesIn(variants::All().begin(), variants::All().end()),
                         [](const auto& game) { return std::string(game.param->info().id); });

TEST_P(HiddenTest, OtherTilesUnderTheSameCommandsShowTheSame) {
  const std::string id(GetParam()->info().id);
  const std::int64_t samples = testing::Count(20'000);
  std::int64_t steps_compared = 0;
  for (std::int64_t sample = 0; sample < samples; ++sample) {
    testing::Random random(static_cast<std::uint64_t>(sample) + 1);
    const auto viewer = static_cast<Seat>(random.Below(4));
    const TwoPlays plays = PlayTwice(id, random, viewer);
    steps_compared += plays.steps;
    const auto a = plays.one.StreamOf(viewer);
    const auto b = plays.other.StreamOf(viewer);
    ASSERT_EQ(a.size(), b.size()) << id << " sample " << sample;
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].sequence, b[i].sequence);
      ASSERT_TRUE(*a[i].event == *b[i].event) << id << " sample " << sample << " event " << i;
    }
  }
  std::cout << "[  figures ] " << id << ": " << steps_compared << " steps of " << samples
            << " samples\n";
  EXPECT_GT(steps_compared, samples);
}

}  // namespace
}  // namespace mj::table
