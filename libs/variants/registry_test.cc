#include "libs/variants/registry.h"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace mj::variants {
namespace {

TEST(RegistryTest, FindsEveryGameByItsIdAndNothingElse) {
  ASSERT_FALSE(All().empty());
  for (const rules::Variant* game : All()) EXPECT_EQ(Find(game->info().id), game);
  EXPECT_EQ(Find(""), nullptr);
  EXPECT_EQ(Find("riichi"), nullptr);
}

TEST(RegistryTest, IsSortedById) {
  EXPECT_TRUE(std::is_sorted(All().begin(), All().end(), [](const auto* a, const auto* b) {
    return a->info().id < b->info().id;
  }));
}

// A rule id names one thing within a game, and whatever a pattern implies is a pattern.
TEST(RegistryTest, TablesAreConsistent) {
  for (const rules::Variant* game : All()) {
    SCOPED_TRACE(game->info().id);
    EXPECT_LE(game->patterns().size(), rules::kMaxPatterns);
    EXPECT_TRUE(std::is_sorted(game->patterns().begin(), game->patterns().end(),
                               [](const auto& a, const auto& b) { return a.id < b.id; }));
    std::set<std::string_view> patterns;
    for (const rules::Pattern& pattern : game->patterns()) {
      EXPECT_TRUE(patterns.insert(pattern.id).second) << pattern.id;
      EXPECT_FALSE(pattern.name_zh.empty()) << pattern.id;
      EXPECT_FALSE(pattern.name_en.empty()) << pattern.id;
      EXPECT_FALSE(pattern.source.empty()) << pattern.id;
      // Only a row that is worth nothing may be what is left when no other applies.
      EXPECT_TRUE(pattern.applies != nullptr || pattern.value == 0) << pattern.id;
    }
    for (const rules::Pattern& pattern : game->patterns()) {
      for (rules::RuleId implied : pattern.implies) {
        EXPECT_TRUE(patterns.contains(implied)) << pattern.id << " implies " << implied;
        EXPECT_NE(implied, pattern.id);
      }
    }
    for (const rules::RuleText& rule : game->rules()) {
      EXPECT_TRUE(patterns.insert(rule.id).second) << rule.id << " stands in both tables";
    }
    EXPECT_LE(game->options().size(), static_cast<std::size_t>(rules::kMaxOptions));
    for (const rules::OptionDef& option : game->options()) {
      EXPECT_LE(option.min, option.fallback) << option.name;
      EXPECT_GE(option.max, option.fallback) << option.name;
    }
  }
}

TEST(RegistryTest, VersionsDifferBetweenGamesAndNotBetweenCalls) {
  std::set<std::string> versions;
  for (const rules::Variant* game : All()) {
    const std::string version = rules::RulebookVersion(*game);
    EXPECT_EQ(version, rules::RulebookVersion(*game));
    EXPECT_TRUE(versions.insert(version).second);
  }
}

}  // namespace
}  // namespace mj::variants
