// A terminal that one person plays at.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "tools/mahjongctl/keyboard.h"

namespace mj::mahjongctl {

// While it lives the screen is the program's own, the cursor hidden and nothing else is written to it,
// whoever writes to standard error. One at a time. Thread-safe where it says so.
class Terminal {
 public:
  // REQUIRES: standard input and output are terminals.
  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  struct Size {
    int columns = 80;
    int rows = 24;
  };
  [[nodiscard]] Size size() const;

  // Draws the lines from the top, each cut off by nothing but its own length.
  void Show(const std::vector<std::string>& lines);

  // What the wait was for.
  struct Heard {
    std::string keys;   // as they were pressed; of escape sequences nothing
    bool over = false;  // the terminal is gone, or the program is asked to end
  };
  // Until a key is pressed, the size changes, Wake is called, or the time is up.
  Heard Wait(std::chrono::milliseconds time);

  // Ends a Wait, or the next one. Thread-safe.
  void Wake();

 private:
  Keyboard keyboard_;
  int pipe_[2] = {-1, -1};
  int errors_ = -1;  // standard error as it was
};

}  // namespace mj::mahjongctl
