#include "tests/coverage/coverage_testing.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "libs/base/files.h"

namespace mj::coverage {

std::vector<Section> Sections() {
  std::vector<Section> sections;
  for (const char* name :
       {"common", "play", "chaozhou", "guangdong", "shaoguan", "jieyang", "settlement"}) {
    const std::string path = std::string("tests/coverage/rules/") + name + ".txt";
    const std::string text = base::ReadFile(path).value();
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
