#include "libs/base/files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "libs/base/status_testing.h"

namespace mj::base {
namespace {

class FilesTest : public ::testing::Test {
 protected:
  FilesTest() {
    std::string name = (std::filesystem::temp_directory_path() / "mj_files_XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~FilesTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

TEST_F(FilesTest, WritesReplacesAndReads) {
  const std::string path = folder_ / "address";
  EXPECT_THAT(WriteFileAtomically(path, "127.0.0.1:1\n"), IsOk());
  EXPECT_THAT(ReadFile(path), IsOkAndHolds(std::string("127.0.0.1:1\n")));
  EXPECT_THAT(WriteFileAtomically(path, std::string(100'000, 'x')), IsOk());
  EXPECT_THAT(ReadFile(path), IsOkAndHolds(std::string(100'000, 'x')));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(FilesTest, ASecretIsItsOwnersAlone) {
  const std::string path = folder_ / "key";
  EXPECT_THAT(WriteSecretAtomically(path, "secret"), IsOk());
  EXPECT_THAT(ReadFile(path), IsOkAndHolds(std::string("secret")));
  const auto owner_alone = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
  EXPECT_EQ(std::filesystem::status(path).permissions(), owner_alone);
  EXPECT_THAT(WriteFileAtomically(path, "told"), IsOk());
  EXPECT_THAT(WriteSecretAtomically(path, "secret again"), IsOk());
  EXPECT_EQ(std::filesystem::status(path).permissions(), owner_alone);
}

TEST_F(FilesTest, SaysWhichFileFailed) {
  const std::string path = folder_ / "none" / "file";
  const absl::Status written = WriteFileAtomically(path, "x");
  EXPECT_THAT(written, HasCode(absl::StatusCode::kNotFound));
  EXPECT_NE(written.ToString().find(path), std::string::npos);
  EXPECT_THAT(ReadFile(path), HasCode(absl::StatusCode::kNotFound));
  EXPECT_THAT(ReadFile(folder_), HasCode(absl::StatusCode::kUnavailable));
}

}  // namespace
}  // namespace mj::base
