#include "libs/ledger/units.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <ostream>
#include <string_view>

namespace mj::ledger {
namespace {

struct Case {
  std::string_view name;
  std::int64_t units;
  std::int64_t units_per_base;
  std::int64_t base;
  std::int64_t coins;
  std::optional<Rejection> rejection;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class UnitsTest : public ::testing::TestWithParam<Case> {};

TEST_P(UnitsTest, BecomeCoinsOrAreRefused) {
  const Case& c = GetParam();
  const auto got = CoinsFromUnits(c.units, c.units_per_base, Coins::From(c.base).value());
  ASSERT_EQ(got.ok(), !c.rejection.has_value());
  if (got.ok()) {
    EXPECT_EQ(got.value().value(), c.coins);
  } else {
    EXPECT_EQ(Name(got.rejection()), Name(*c.rejection));
  }
}

constexpr auto kMax64 = std::numeric_limits<std::int64_t>::max();
constexpr auto kMin64 = std::numeric_limits<std::int64_t>::min();

INSTANTIATE_TEST_SUITE_P(
    Table, UnitsTest,
    ::testing::Values(Case{"Whole", 12, 1, 100, 1200, {}}, Case{"Nothing", 0, 1, 10, 0, {}},
                      Case{"OwedIsNegative", -12, 1, 100, -1200, {}},
                      Case{"HalfUnits", 3, 2, 10, 15, {}},
                      Case{"HalfUnitsOfAnOddBase", 3, 2, 5, 0, Rejection::kBaseNotWhole},
                      // Two halves of 5 would be whole; the base is refused all the same.
                      Case{"OddBaseWhateverTheUnits", 2, 2, 5, 0, Rejection::kBaseNotWhole},
                      Case{"OddBaseAndNoUnits", 0, 2, 5, 0, Rejection::kBaseNotWhole},
                      Case{"BaseZero", 1, 1, 0, 0, Rejection::kNotPositive},
                      Case{"BaseNegative", 1, 1, -10, 0, Rejection::kNotPositive},
                      Case{"NoUnitsPerBase", 1, 0, 10, 0, Rejection::kNotPositive},
                      Case{"NegativeUnitsPerBase", 1, -1, 10, 0, Rejection::kNotPositive},
                      Case{"AtTheLimit", kCoinsMax / 2, 1, 2, kCoinsMax, {}},
                      Case{"BeyondTheLimit", kCoinsMax / 2 + 1, 1, 2, 0, Rejection::kTooLarge},
                      Case{"BeyondInt64", kMax64, 1, 10000, 0, Rejection::kTooLarge},
                      Case{"BeyondInt64Below", kMin64, 1, 10000, 0, Rejection::kTooLarge}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace mj::ledger
