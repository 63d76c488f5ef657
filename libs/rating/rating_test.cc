// The vectors are those that OpenSkill publishes with its implementations (openskill.js, src/__tests__:
// rate and models/plackett-luce), which have tau 0; they are rounded to millionths here.
#include "libs/rating/rating.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "tests/support/counts.h"
#include "tests/support/random.h"

namespace mj::rating {
namespace {

constexpr Model kStill{.tau = 0};

Rating Of(double mean, double spread) {
  return {std::llround(mean * 1e6), std::llround(spread * 1e6)};
}

struct Vector {
  std::string name;
  std::vector<std::pair<double, double>> before;
  std::vector<std::int64_t> results;
  std::vector<std::pair<double, double>> after;
  Model model = kStill;
};
void PrintTo(const Vector& v, std::ostream* os) { *os << v.name; }

class VectorTest : public ::testing::TestWithParam<Vector> {};

TEST_P(VectorTest, IsAsPublished) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < GetParam().before.size(); ++i) {
    const auto& [mean, spread] = GetParam().before[i];
    parts.push_back({Of(mean, spread), GetParam().results[i]});
  }
  const std::vector<Rating> after = AfterRound(parts, GetParam().model);
  ASSERT_EQ(after.size(), parts.size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Rating want = Of(GetParam().after[i].first, GetParam().after[i].second);
    // One millionth: the spread that goes in was rounded too.
    EXPECT_NEAR(static_cast<double>(after[i].mean), static_cast<double>(want.mean), 1.01) << i;
    EXPECT_NEAR(static_cast<double>(after[i].spread), static_cast<double>(want.spread), 1.01) << i;
  }
}

const std::pair<double, double> kNew = {25, 25.0 / 3};
const std::pair<double, double> kW = {15, 25.0 / 3};
const std::pair<double, double> kX = {20, 25.0 / 3};
const std::pair<double, double> kZ = {30, 25.0 / 3};

INSTANTIATE_TEST_SUITE_P(
    OpenSkill, VectorTest,
    ::testing::Values(
        Vector{"TwoNew",
               {kNew, kNew},
               {2, 1},
               {{27.63523138347365, 8.065506316323548}, {22.36476861652635, 8.065506316323548}}},
        Vector{"ThreeNew",
               {kNew, kNew, kNew},
               {3, 2, 1},
               {{27.868876552746237, 8.204837030780652},
                {25.717219138186557, 8.057829747583874},
                {21.413904309067206, 8.057829747583874}}},
        Vector{"FourNew",
               {kNew, kNew, kNew, kNew},
               {4, 3, 2, 1},
               {{27.795084971874736, 8.263160757613477},
                {26.552824984374855, 8.179213704945203},
                {24.68943500312503, 8.083731307186588},
                {20.96265504062538, 8.083731307186588}}},
        Vector{"FourOfDifferentBelief",
               {{29.182, 4.782}, {27.174, 4.922}, {16.672, 6.217}, kNew},
               {4, 3, 2, 1},
               {{30.209971908310553, 4.764898977359521},
                {27.64460833689499, 4.882789305097372},
                {17.403586731283518, 6.100723440599442},
                {19.214790707434826, 7.8542613981643985}}},
        Vector{"FourInAnotherOrder",
               {kW, kX, kNew, kZ},
               {4, 2, 1, 3},
               {{18.13094482387197, 8.283124738447958},
                {20.40517319790051, 8.107463101775272},
                {20.65608164139383, 8.082178279446465},
                {30.80780033683369, 8.154697408620104}}},
        Vector{"TwoOfFourTie",
               {kW, kX, kNew, kZ},
               {2, 1, 2, 3},
               {{15.340046366255285, 8.21273604193863},
                {18.007807436399276, 8.188629384105589},
                {24.25804790911316, 8.166514496319483},
                {32.39409828823228, 8.247276990243211}}},
        Vector{"TiedByScore",
               {kNew, kNew, kNew, kNew},
               {37, 19, 37, 42},
               {{24.68943500312503, 8.179213704945203},
                {22.826045021875203, 8.179213704945203},
                {24.68943500312503, 8.179213704945203},
                {27.795084971874736, 8.263160757613477}}},
        Vector{"AllTie",
               {kNew, kNew, kNew, kNew},
               {1, 1, 1, 1},
               {{25, 8.263160757613477},
                {25, 8.263160757613477},
                {25, 8.263160757613477},
                {25, 8.263160757613477}}},
        Vector{"LosersTie",
               {{10, 8}, {5, 10}, {0, 12}},
               {1, 0, 0},
               {{11.942833056030613, 7.926463661123746},
                {2.938193791485662, 9.65347573412201},
                {-1.4023734358082325, 11.323360667700934}}},
        Vector{"DoubtedAnew",
               {{25, 3}, {25, 3}},
               {1, 0},
               {{25.624880438870754, 2.9879993738476953}, {24.375119561129246, 2.9879993738476953}},
               {.tau = 0.3}}),
    [](const auto& row) { return row.param.name; });

TEST(RatingTest, ARoundOfOneChangesNothing) {
  const Part alone{Of(30, 2), 7};
  EXPECT_EQ(AfterRound(std::span(&alone, 1)), std::vector<Rating>{alone.before});
  EXPECT_TRUE(AfterRound({}).empty());
}

TEST(RatingTest, WhatIsOutOfRangeIsTakenAsTheNearestValueInside) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  const std::array wild = {Part{{kMost, kMost}, kLeast}, Part{{kLeast, kLeast}, kMost}};
  const std::array tame = {Part{{kMeanMax, kSpreadMax}, 0}, Part{{-kMeanMax, 1}, 1}};
  EXPECT_EQ(AfterRound(wild), AfterRound(tame));
}

TEST(RatingTest, HoldsItsInvariantsOnRandomTables) {
  for (std::int64_t seed = 0; seed < mj::testing::Count(200'000); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    mj::testing::Random random(static_cast<std::uint64_t>(seed));
    std::vector<Part> parts(4);
    const bool equal = seed % 3 == 0;
    for (Part& part : parts) {
      if (!equal) {
        part.before.mean = random.Below(60'000'000) - 5'000'000;
        part.before.spread = 1 + random.Below(25'000'000);
      }
      part.result = random.Below(5) - 2;
    }
    const std::vector<Rating> after = AfterRound(parts);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      ASSERT_GT(after[i].spread, 0);
      ASSERT_LE(after[i].spread, kSpreadMax);
      for (std::size_t j = 0; equal && j < parts.size(); ++j) {
        if (parts[i].result > parts[j].result) {
          ASSERT_GE(after[i].mean, after[j].mean);
        } else if (parts[i].result == parts[j].result) {
          ASSERT_EQ(after[i], after[j]);
        }
      }
    }
    std::reverse(parts.begin(), parts.end());
    std::vector<Rating> mirrored = AfterRound(parts);
    std::reverse(mirrored.begin(), mirrored.end());
    for (std::size_t i = 0; i < after.size(); ++i) {
      // Sums in another order may end one millionth away.
      ASSERT_NEAR(static_cast<double>(mirrored[i].mean), static_cast<double>(after[i].mean), 1.01);
      ASSERT_NEAR(static_cast<double>(mirrored[i].spread), static_cast<double>(after[i].spread),
                  1.01);
    }
  }
}

TEST(RatingTest, ABetterPlayerIsFoundOut) {
  // One wins three rounds of four, the others share the rest.
  mj::testing::Random random(7);
  std::vector<Rating> ratings(4);
  for (int round = 0; round < 200; ++round) {
    const int winner = random.OneIn(4) ? 1 + random.Below(3) : 0;
    std::vector<Part> parts;
    for (int i = 0; i < 4; ++i) {
      parts.push_back({ratings[static_cast<std::size_t>(i)], i == winner ? 3 : -1});
    }
    ratings = AfterRound(parts);
  }
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_GT(ratings[0].mean - 3 * ratings[0].spread, ratings[i].mean) << i;
  }
  EXPECT_LT(ratings[0].spread, 3'000'000);
}

}  // namespace
}  // namespace mj::rating
