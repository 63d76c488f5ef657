#include "tools/mahjongctl/keyboard.h"

#include <unistd.h>

namespace mj::mahjongctl {

Keyboard::Keyboard() : terminal_(tcgetattr(STDIN_FILENO, &before_) == 0) {
  if (!terminal_) return;
  termios keys = before_;
  keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG);
  keys.c_cc[VMIN] = 1;
  keys.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSANOW, &keys);
}

Keyboard::~Keyboard() {
  if (terminal_) tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

char Keyboard::Byte() {
  char byte = 0;
  return read(STDIN_FILENO, &byte, 1) == 1 ? byte : '\0';
}

char Keyboard::Next() {
  const char key = Byte();
  if (key != '\033') return key;
  // "ESC [ X" or "ESC O X".
  const char kind = Byte();
  if (kind != '[' && kind != 'O') return kind;
  switch (Byte()) {
    case 'A':
    case 'D':
      return 'b';
    case 'H':
      return 'g';
    case 'F':
      return 'G';
    case '\0':
      return '\0';
    default:
      return 'n';
  }
}

}  // namespace mj::mahjongctl
