// Every rule has its test: the table is whole, its mutants fit the code, its tests exist, and the
// page for people is fresh.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "libs/base/files.h"
#include "tests/coverage/coverage_testing.h"
#include "tests/coverage/document.h"
#include "tests/coverage/mutants.h"

namespace mj::coverage {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDocument = "docs/rules/coverage.md";

std::string Text(const fs::path& path) { return base::ReadFile(path).value(); }

std::set<std::string> IdsOfTheBook() {
  const std::vector<std::string> ids = IdsIn(Text("tests/coverage/ids.txt"));
  return {ids.begin(), ids.end()};
}

std::set<std::string> Without(std::set<std::string> ids, const std::set<std::string>& others) {
  for (const std::string& other : others) ids.erase(other);
  return ids;
}

TEST(CoverageTest, EveryIdHasItsTestAndNoOtherIsInTheTable) {
  std::set<std::string> ids;
  for (const Section& section : Sections()) {
    for (const Rule& rule : section.rules) {
      EXPECT_TRUE(ids.insert(rule.id).second) << rule.id << " stands in the table twice";
    }
  }
  const std::set<std::string> book = IdsOfTheBook();
  EXPECT_GT(book.size(), 200u);
  EXPECT_EQ(Without(book, ids), std::set<std::string>()) << "have no test and are not owed";
  EXPECT_EQ(Without(ids, book), std::set<std::string>()) << "are not in ids.txt";
}

// Tests make up ids that are none.
bool IsOfATest(const fs::path& path) {
  const std::string name = path.stem().string();
  return name.ends_with("_test") || name.ends_with("_testing") || name.ends_with("_contract");
}

// An id that is cited in the product and that the book does not have is a slip of the pen.
TEST(CoverageTest, OnlyIdsOfTheBookAreCited) {
  const std::set<std::string> book = IdsOfTheBook();
  for (const char* folder : {"libs", "services", "tools", "protos", "migrations", "docs"}) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file() || IsOfATest(entry.path())) continue;
      for (const std::string& id : IdsIn(Text(entry.path()))) {
        EXPECT_TRUE(book.contains(id)) << entry.path() << " cites " << id;
      }
    }
  }
}

TEST(CoverageTest, EveryMutantFitsTheCode) {
  for (const Section& section : Sections()) {
    for (const Rule& rule : section.rules) {
      for (const Mutant& mutant : rule.mutants) {
        EXPECT_EQ(Mutate(Text(mutant.file), mutant).fault, "")
            << section.name << ", line " << mutant.line << ", " << rule.id << ": " << mutant.file;
      }
    }
  }
}

TEST(CoverageTest, EveryTestExists) {
  Build build(fs::current_path(), MJ_BUILD_FOLDER);
  ASSERT_EQ(build.fault(), "");
  for (const Section& section : Sections()) {
    for (const Rule& rule : section.rules) {
      for (const Mutant& mutant : rule.mutants) {
        const auto& tests = build.TestsOf(mutant.test.room);
        EXPECT_TRUE(std::find(tests.begin(), tests.end(), mutant.test.filter) != tests.end())
            << rule.id << ": there is no test " << mutant.test.filter << " in " << mutant.test.room;
      }
    }
  }
}

TEST(CoverageTest, TheDocumentIsFresh) {
  const std::string document = CoverageDocument(Sections());
  if (std::getenv("MJ_UPDATE_GOLDEN") != nullptr) std::ofstream(kDocument) << document;
  EXPECT_TRUE(Text(kDocument) == document)
      << kDocument << " is stale: run MJ_UPDATE_GOLDEN=1 ./dev test -R CoverageTest";
}

}  // namespace
}  // namespace mj::coverage
