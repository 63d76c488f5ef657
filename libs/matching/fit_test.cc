#include "libs/matching/fit.h"

#include <gtest/gtest.h>

#include <functional>
#include <string_view>
#include <vector>

namespace mj::matching {
namespace {

Ticket Someone(std::string name) {
  return {"ticket-" + name, name, {"game", {{"cap", "10"}}, 100, "COIN"}, 1'000, 9'000};
}

bool FitsWith(const Ticket& candidate, const std::vector<Ticket>& group) {
  std::vector<const Ticket*> members;
  for (const Ticket& ticket : group) members.push_back(&ticket);
  return Fits(candidate, members, 2'000);
}

TEST(FitTest, AnyoneFitsAnEmptyGroup) { EXPECT_TRUE(FitsWith(Someone("a"), {})); }

TEST(FitTest, AnotherPlayerOfTheSamePoolFits) {
  EXPECT_TRUE(FitsWith(Someone("d"), {Someone("a"), Someone("b"), Someone("c")}));
}

struct Difference {
  std::string_view name;
  std::function<void(Ticket&)> change;
};

void PrintTo(const Difference& d, std::ostream* os) { *os << d.name; }

class DifferenceTest : public ::testing::TestWithParam<Difference> {};

TEST_P(DifferenceTest, KeepsThemApart) {
  Ticket other = Someone("d");
  GetParam().change(other);
  EXPECT_FALSE(FitsWith(other, {Someone("a"), Someone("b")}));
  EXPECT_FALSE(FitsWith(Someone("b"), {Someone("a"), other})) << "the other way round";
}

INSTANTIATE_TEST_SUITE_P(
    All, DifferenceTest,
    ::testing::Values(
        Difference{"SamePlayer", [](Ticket& other) { other.player = "b"; }},
        Difference{"SameTicket", [](Ticket& other) { other.id = "ticket-b"; }},
        Difference{"AnotherGame", [](Ticket& other) { other.pool.variant = "other"; }},
        Difference{"AnotherOption", [](Ticket& other) { other.pool.options["cap"] = "0"; }},
        Difference{"OneOptionMore", [](Ticket& other) { other.pool.options["horses"] = "4"; }},
        Difference{"DefaultsOnly", [](Ticket& other) { other.pool.options.clear(); }},
        Difference{"AnotherBase", [](Ticket& other) { other.pool.base = 1'000; }},
        Difference{"AnotherCurrency", [](Ticket& other) { other.pool.currency = "PRACTICE"; }}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace mj::matching
