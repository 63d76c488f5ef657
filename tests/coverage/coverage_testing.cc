#include "tests/coverage/coverage_testing.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <utility>

namespace mj::coverage {

std::vector<Section> Sections() {
  std::vector<Section> sections;
  for (const char* name :
       {"common", "play", "chaozhou", "guangdong", "shaoguan", "jieyang", "settlement"}) {
    const std::string path = std::string("tests/coverage/rules/") + name + ".txt";
    std::ifstream file(path);
    EXPECT_TRUE(file) << path << ": run from the repository's root";
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    auto section = ParseSection(text);
    if (const auto* error = std::get_if<TableError>(&section)) {
      ADD_FAILURE() << path << ":" << error->line << ": " << error->what;
      continue;
    }
    sections.push_back(std::get<Section>(std::move(section)));
  }
  return sections;
}

}  // namespace mj::coverage
