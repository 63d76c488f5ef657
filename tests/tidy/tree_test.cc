#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/tidy/checks.h"

namespace mj::tidy {
namespace {

namespace fs = std::filesystem;

// The test that the house is tidy. Run in the repository's root, as ctest does.
TEST(TreeTest, TheRepositoryIsTidy) {
  ASSERT_TRUE(fs::exists("CMakePresets.json")) << "to be run in the root of the repository";
  for (const Finding& finding : CheckTree(".")) ADD_FAILURE() << finding.ToString();
}

class CheckTreeTest : public ::testing::Test {
 protected:
  // One folder a process: ctest runs the tests of this suite side by side.
  CheckTreeTest()
      : root_(fs::path(::testing::TempDir()) / ("mj_tidy_tree." + std::to_string(getpid()))) {
    fs::remove_all(root_);
  }
  ~CheckTreeTest() override { fs::remove_all(root_); }

  void Write(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  std::string Found() {
    std::string all;
    for (const Finding& finding : CheckTree(root_.string())) all += finding.ToString() + "\n";
    return all;
  }

  fs::path root_;
};

TEST_F(CheckTreeTest, NothingToSay) {
  Write("CMakeLists.txt", "");
  Write("libs/tiles/CMakeLists.txt", "");
  Write("libs/tiles/README.md", "# tiles\n");
  Write("libs/tiles/a.cc", "#include <vector>\n");
  EXPECT_EQ(Found(), "");
}

TEST_F(CheckTreeTest, ARoomNeedsItsReadme) {
  Write("libs/tiles/CMakeLists.txt", "");
  EXPECT_EQ(Found().substr(0, 11), "libs/tiles:");
}

TEST_F(CheckTreeTest, IdsComeFromTheFolders) {
  Write("libs/variants/fifth/a.cc", "const char* id = \"fifth\";\n");
  EXPECT_EQ(Found(), "");
  Write("libs/round/a.cc", "\nconst char* id = \"fifth\";\n");
  EXPECT_EQ(Found().substr(0, 18), "libs/round/a.cc:2:");
}

TEST_F(CheckTreeTest, ReadsShellAndSqlButNoPackages) {
  Write("dev", "# FIXME\n");
  Write("migrations/0001_a.sql", "-- FIXME\n");
  Write("tools/x/node_modules/y/z.js", "// FIXME\n");
  const std::string found = Found();
  EXPECT_NE(found.find("dev:1:"), std::string::npos) << found;
  EXPECT_NE(found.find("migrations/0001_a.sql:1:"), std::string::npos) << found;
  EXPECT_EQ(found.find("node_modules"), std::string::npos) << found;
}

}  // namespace
}  // namespace mj::tidy
