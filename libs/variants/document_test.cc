// docs/rules/<game>.md are generated: MJ_UPDATE_GOLDEN=1 writes them, otherwise they must be fresh.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "libs/rules/document.h"
#include "libs/variants/registry.h"

namespace mj::variants {
namespace {

std::string PathOf(const rules::Variant& game) {
  return "docs/rules/" + std::string(game.info().id) + ".md";
}

TEST(DocumentTest, TheRulesDocumentsAreFresh) {
  for (const rules::Variant* game : All()) {
    const std::string document = rules::RulesDocument(*game);
    if (std::getenv("MJ_UPDATE_GOLDEN") != nullptr) {
      std::filesystem::create_directories("docs/rules");
      std::ofstream(PathOf(*game)) << document;
    }
    std::ifstream file(PathOf(*game));
    std::stringstream stored;
    stored << file.rdbuf();
    EXPECT_EQ(stored.str(), document)
        << PathOf(*game) << " is stale: run MJ_UPDATE_GOLDEN=1 ./dev test -R DocumentTest";
  }
}

TEST(DocumentTest, EveryPatternRuleAndOptionIsInIt) {
  for (const rules::Variant* game : All()) {
    const std::string document = rules::RulesDocument(*game);
    for (const rules::Pattern& pattern : game->patterns()) {
      EXPECT_NE(
          document.find("| " + std::string(pattern.id) + " | " + std::string(pattern.name_zh)),
          std::string::npos)
          << pattern.id;
    }
    for (const rules::RuleText& rule : game->rules()) {
      EXPECT_NE(document.find("| " + std::string(rule.id) + " |"), std::string::npos) << rule.id;
    }
    for (const rules::OptionDef& option : game->options()) {
      EXPECT_NE(document.find("`" + std::string(option.name) + "`"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace mj::variants
