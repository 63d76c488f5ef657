// Is a shuffled wall uniform? χ² with fixed seeds: the outcome is the same on every machine. The
// biased shuffles at the end show that the tests can fail.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "libs/fairness/deal.h"
#include "libs/fairness/fairness_testing.h"
#include "tests/support/counts.h"

namespace mj::fairness {
namespace {

// How many standard deviations a χ² value lies from its mean (Wilson and Hilferty): about normal.
double Deviations(double chi_squared, double degrees) {
  const double variance = 2.0 / (9.0 * degrees);
  return (std::cbrt(chi_squared / degrees) - (1.0 - variance)) / std::sqrt(variance);
}

// Beyond ±4.5 one fair run in 150,000 falls; the seeds are fixed, so a passing run passes for ever.
constexpr double kSuspicious = 4.5;

double ChiSquared(const std::vector<double>& hits, double expected) {
  double sum = 0;
  for (double h : hits) sum += (h - expected) * (h - expected) / expected;
  return sum;
}

using Shuffler = std::function<Wall(const tiles::TileCounts&, const Seed&)>;

Wall Fair(const tiles::TileCounts& tiles, const Seed& seed) {
  return ShuffleWall(tiles, Digest{}, seed);
}

// A shuffle that swaps place i with a place chosen by `pick(stream, i, n)`.
Shuffler Swapping(std::function<std::size_t(Stream&, std::size_t, std::size_t)> pick) {
  return [pick](const tiles::TileCounts& tiles, const Seed& seed) {
    Wall wall;
    for (tiles::Tile tile : tiles::kAllKinds)
      wall.insert(wall.end(), static_cast<std::size_t>(tiles[tile]), tile);
    Stream stream(Label::kWall, Digest{}, seed);
    for (std::size_t i = wall.size(); i-- > 1;)
      std::swap(wall[i], wall[pick(stream, i, wall.size())]);
    return wall;
  };
}

// Position × kind. Margins are fixed in both directions (each wall has each position once and each
// kind four times), so χ² has (positions - 1)(kinds - 1) degrees of freedom after scaling.
double PositionDeviations(const Shuffler& shuffle, std::int64_t walls) {
  const tiles::TileCounts tiles = FullSet();
  const std::size_t n = 136;
  std::vector<double> hits(n * tiles::kKindCount);
  for (std::int64_t i = 0; i < walls; ++i) {
    const Wall wall = shuffle(tiles, TestSeed(static_cast<std::uint64_t>(i)));
    for (std::size_t at = 0; at < n; ++at) {
      hits[at * tiles::kKindCount + static_cast<std::size_t>(wall[at].index())] += 1;
    }
  }
  const double scaled = ChiSquared(hits, static_cast<double>(walls) * 4 / 136) * 135 / 136;
  return Deviations(scaled, 135.0 * 33.0);
}

// Neighbours in the wall: the pair of kinds at (2i, 2i+1). Two of a kind are rarer (4·3 of 136·135
// ordered pairs) than two different ones (4·4).
double NeighbourDeviations(const Shuffler& shuffle, std::int64_t walls) {
  const tiles::TileCounts tiles = FullSet();
  double same = 0;
  const double pairs = static_cast<double>(walls) * 68;
  for (std::int64_t i = 0; i < walls; ++i) {
    const Wall wall = shuffle(tiles, TestSeed(static_cast<std::uint64_t>(i) + 1'000'000'000));
    for (std::size_t at = 0; at < 136; at += 2) same += wall[at] == wall[at + 1] ? 1 : 0;
  }
  const double p = 3.0 / 135.0;
  return (same - pairs * p) / std::sqrt(pairs * p * (1 - p));
}

std::int64_t Walls() { return std::max<std::int64_t>(mj::testing::Count(1'000'000), 10'000); }

TEST(StatisticsTest, EveryKindIsAtEveryPlaceEquallyOften) {
  EXPECT_LT(std::abs(PositionDeviations(Fair, Walls())), kSuspicious);
}

TEST(StatisticsTest, NeighboursAreIndependent) {
  EXPECT_LT(std::abs(NeighbourDeviations(Fair, Walls())), kSuspicious);
}

TEST(StatisticsTest, EachSeatsDealtHandIsAlike) {
  // How many pairs of one kind the first thirteen tiles of each seat hold (PLAY-01's deal): the
  // same mean for all four seats.
  std::array<double, 4> sum{};
  double squares = 0;
  const std::int64_t walls = Walls();
  for (std::int64_t i = 0; i < walls; ++i) {
    const Wall wall = Fair(FullSet(), TestSeed(static_cast<std::uint64_t>(i) + 2'000'000'000));
    for (std::size_t seat = 0; seat < 4; ++seat) {
      tiles::TileCounts hand;
      for (std::size_t t = 0; t < 12; ++t) hand.Add(wall[t / 4 * 16 + seat * 4 + t % 4]);
      hand.Add(wall[48 + seat]);
      double pairs = 0;
      for (tiles::Tile tile : tiles::kAllKinds) pairs += hand[tile] * (hand[tile] - 1) / 2.0;
      sum[seat] += pairs;
      squares += pairs * pairs;
    }
  }
  const double n = static_cast<double>(walls);
  const double mean = 13.0 * 12.0 / 2.0 * 3.0 / 135.0;
  const double deviation = std::sqrt((squares / (4 * n) - mean * mean) / n);
  for (std::size_t seat = 0; seat < 4; ++seat) {
    EXPECT_LT(std::abs(sum[seat] / n - mean), kSuspicious * deviation) << "seat " << seat;
  }
}

TEST(StatisticsTest, DiceDealerAndWinds) {
  const std::int64_t rounds = 20 * Walls();
  std::vector<double> dice(36);
  std::vector<double> dealers(4);
  std::vector<double> east(4);
  std::vector<double> dealer_and_east(16);  // the two draws know nothing of each other
  for (std::int64_t i = 0; i < rounds; ++i) {
    const Seed seed = TestSeed(static_cast<std::uint64_t>(i) + 3'000'000'000);
    const Dice roll = RollDice(Digest{}, seed);
    dice[static_cast<std::size_t>((roll.first - 1) * 6 + roll.second - 1)] += 1;
    const auto dealer = static_cast<std::size_t>(DrawDealer(Digest{}, seed));
    const SeatWinds winds = DrawWinds(Digest{}, seed);
    std::size_t east_seat = 0;
    while (winds[east_seat] != tiles::kEast) ++east_seat;
    dealers[dealer] += 1;
    east[east_seat] += 1;
    dealer_and_east[dealer * 4 + east_seat] += 1;
  }
  const double n = static_cast<double>(rounds);
  EXPECT_LT(std::abs(Deviations(ChiSquared(dice, n / 36), 35)), kSuspicious);
  EXPECT_LT(std::abs(Deviations(ChiSquared(dealers, n / 4), 3)), kSuspicious);
  EXPECT_LT(std::abs(Deviations(ChiSquared(east, n / 4), 3)), kSuspicious);
  EXPECT_LT(std::abs(Deviations(ChiSquared(dealer_and_east, n / 16), 15)), kSuspicious);
}

TEST(StatisticsTest, TheSameShuffleWrittenHereIsFairToo) {
  // Shows that the mutants below fail for what they change, not for how this file shuffles.
  const Shuffler copy = Swapping([](Stream& s, std::size_t i, std::size_t) {
    return std::size_t{s.Below(static_cast<std::uint32_t>(i + 1))};
  });
  EXPECT_EQ(copy(FullSet(), TestSeed(1)), Fair(FullSet(), TestSeed(1)));
}

TEST(StatisticsTest, SwappingWithAnyPlaceIsFound) {
  // The classic mistake: j from the whole wall instead of from what is left.
  const Shuffler biased = Swapping([](Stream& s, std::size_t, std::size_t n) {
    return std::size_t{s.Below(static_cast<std::uint32_t>(n))};
  });
  EXPECT_GT(PositionDeviations(biased, Walls()), kSuspicious);
}

TEST(StatisticsTest, NeverLeavingATileInPlaceIsFound) {
  const Shuffler biased = Swapping([](Stream& s, std::size_t i, std::size_t) {
    return std::size_t{s.Below(static_cast<std::uint32_t>(i))};
  });
  EXPECT_GT(PositionDeviations(biased, Walls()), kSuspicious);
}

TEST(StatisticsTest, ModuloOfAByteIsFound) {
  const Shuffler biased = Swapping([](Stream& s, std::size_t i, std::size_t) {
    return std::size_t{s.NextWord() % 256U} % (i + 1);
  });
  EXPECT_GT(PositionDeviations(biased, Walls()), kSuspicious);
}

TEST(StatisticsTest, AShuffleThatSeparatesNeighboursIsFound) {
  const Shuffler biased = [](const tiles::TileCounts& tiles, const Seed& seed) {
    Wall wall = Fair(tiles, seed);
    if (wall[0] == wall[1]) std::swap(wall[1], wall[2]);
    for (std::size_t i = 2; i + 2 < wall.size(); i += 4) {
      if (wall[i] == wall[i + 1]) std::swap(wall[i + 1], wall[i + 2]);
    }
    return wall;
  };
  EXPECT_GT(std::abs(NeighbourDeviations(biased, Walls())), kSuspicious);
}

}  // namespace
}  // namespace mj::fairness
