#include "libs/rpc/program_testing.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <thread>

#include "libs/base/files.h"
#include "libs/base/strings.h"

namespace mj::rpc {
namespace {

// No other program of this test, or of another one, has it.
std::string AddressFile() {
  static std::atomic<int> programs = 0;
  return base::Cat(::testing::TempDir(), "/mj-program-", std::to_string(getpid()), "-",
                   std::to_string(++programs));
}

}  // namespace

Program::Program(const std::string& path, const std::vector<std::string>& arguments) {
  const std::string address_file = AddressFile();
  std::vector<std::string> command{path, "--listen", "127.0.0.1:0", "--address-file", address_file};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  std::transform(command.begin(), command.end(), std::back_inserter(argv),
                 [](std::string& word) { return word.data(); });
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(open("/dev/null", O_RDWR | O_CLOEXEC), STDERR_FILENO);
    execv(path.c_str(), argv.data());
    _exit(127);
  }
  // It is written in one step, once the service serves.
  while (!std::filesystem::exists(address_file)) {
    if (waitpid(pid_, nullptr, WNOHANG) != 0) {
      pid_ = -1;
      ADD_FAILURE() << path << " ended before it served";
      return;
    }
    std::this_thread::yield();
  }
  const auto address = base::ReadFile(address_file);
  std::filesystem::remove(address_file);
  if (!address.ok()) {
    ADD_FAILURE() << address.status();
    return;
  }
  address_ = address->substr(0, address->find_last_not_of(" \n") + 1);
}

Program::~Program() { Kill(); }

void Program::Signal(int signal) const { kill(pid_, signal); }

void Program::Kill() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

int Program::End() {
  int status = 0;
  kill(pid_, SIGTERM);
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace mj::rpc
