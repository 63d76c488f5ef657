// Every registered game keeps the contract.
#include <gtest/gtest.h>

#include <string>

#include "libs/rules/contract/leaks_testing.h"
#include "libs/rules/contract/playouts_testing.h"
#include "libs/rules/contract/scoring_testing.h"
#include "libs/variants/registry.h"
#include "tests/support/counts.h"

namespace mj {
namespace {

class ContractTest : public ::testing::TestWithParam<const rules::Variant*> {};

INSTANTIATE_TEST_SUITE_P(Games, ContractTest,
                         ::testing::ValuesIn(variants::All().begin(), variants::All().end()),
                         [](const auto& game) { return std::string(game.param->info().id); });

TEST_P(ContractTest, Options) { EXPECT_EQ(rules::contract::CheckOptions(*GetParam()), ""); }

TEST_P(ContractTest, Playouts) {
  EXPECT_EQ(rules::contract::CheckPlayouts(*GetParam(), testing::Count(100'000), 1), "");
}

TEST_P(ContractTest, ViewsLeakNothing) {
  EXPECT_EQ(rules::contract::CheckLeaks(*GetParam(), testing::Count(100'000), 1), "");
}

TEST_P(ContractTest, Judgements) {
  EXPECT_EQ(rules::contract::CheckJudgements(*GetParam(), testing::Count(20'000), 1), "");
}

}  // namespace
}  // namespace mj
