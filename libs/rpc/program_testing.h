// A service's own program as a process, for tests that kill it.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace mj::rpc {

// Not thread-safe, but for Kill and Signal while nothing else is called. Killed with the object, and
// with the test, however that ends.
class Program {
 public:
  // Runs `path` on a free port and waits until it serves; a failure of the test when it does not. What
  // it says goes nowhere.
  //   arguments   besides where it listens and where it writes its address
  Program(const std::string& path, const std::vector<std::string>& arguments);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // host:port where it serves.
  [[nodiscard]] const std::string& address() const { return address_; }

  void Signal(int signal) const;
  // As a crash does; returns when it is gone. Again: no effect.
  void Kill();
  // Asks it to end, and waits for that; its exit code, -1 when it had none.
  int End();

 private:
  pid_t pid_ = -1;
  std::string address_;
};

}  // namespace mj::rpc
