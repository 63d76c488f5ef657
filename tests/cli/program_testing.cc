#include "tests/cli/program_testing.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "libs/base/files.h"

namespace mj::cli {

ProgramTest::ProgramTest() {
  const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
  folder_ = std::filesystem::path(::testing::TempDir()) /
            ("mj_cli_" + std::to_string(getpid()) + "_" + info->name());
  std::filesystem::create_directories(folder_);
}

ProgramTest::~ProgramTest() { std::filesystem::remove_all(folder_); }

Outcome ProgramTest::Run(const std::string& arguments, const std::string& settings) const {
  const bool redirected = arguments.find('>') != std::string::npos;
  const std::string command = settings + " " MJ_MAHJONGCTL " " + arguments + " 2>" + Path("err") +
                              (redirected ? "" : " >" + Path("out"));
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, redirected ? "" : Text(Path("out")),
          Text(Path("err"))};
}

std::string ProgramTest::Write(const std::string& name, const std::string& text) const {
  std::ofstream(Path(name)) << text;
  return Path(name);
}

std::string Text(const std::string& path) { return base::ReadFile(path).value(); }

}  // namespace mj::cli
