// mahjongctl as a process, and a folder of the test's own for its files.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace mj::cli {

struct Outcome {
  int exit_code = -1;  // -1: it was ended by a signal
  std::string out;     // empty where it was redirected
  std::string err;
};

// A file's whole text; fails the test when there is none.
[[nodiscard]] std::string Text(const std::string& path);

class ProgramTest : public ::testing::Test {
 protected:
  ProgramTest();
  ~ProgramTest() override;

  // Runs `SETTINGS mahjongctl ARGUMENTS` by the shell, so that it may be fed and redirected.
  // `settings`: environment variables, as the shell writes them.
  Outcome Run(const std::string& arguments, const std::string& settings = {}) const;

  std::string Path(const std::string& name) const { return folder_ / name; }
  // Writes a file of that name and gives its path.
  std::string Write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace mj::cli
