// Keys of a terminal, one at a time.
#pragma once

#include <termios.h>

namespace mj::mahjongctl {

// While it lives, standard input gives each key as it is pressed, unseen, ^C too.
class Keyboard {
 public:
  Keyboard();
  ~Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;

  // The next one, waiting for it; arrows right and down as 'n', left and up as 'b', home as 'g', end as
  // 'G'. 0 at the end of input.
  char Next();

 private:
  char Byte();

  termios before_{};  // in front of what is initialised by reading it
  bool terminal_ = false;
};

}  // namespace mj::mahjongctl
