#include "tools/mahjongctl/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <string_view>

#include "libs/base/check.h"

namespace mj::mahjongctl {
namespace {

constexpr std::string_view kEnter = "\033[?1049h\033[?25l\033[H\033[2J";
constexpr std::string_view kLeave = "\033[?25h\033[?1049l";
constexpr char kWoken = 'w', kResized = 'r', kEnd = 'e';

// Where signals are told; -1: nowhere.
std::atomic<int> signalled{-1};

void Told(char what) {
  const int to = signalled.load();
  // A full pipe wakes as well.
  if (to >= 0) (void)!write(to, &what, 1);
}

void OnSignal(int signal) {
  const int before = errno;
  Told(signal == SIGWINCH ? kResized : kEnd);
  errno = before;
}

void Write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// What was pressed, without the sequences of arrows and the like.
std::string KeysIn(std::string_view bytes) {
  std::string keys;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != '\033') {
      keys += bytes[i];
      continue;
    }
    if (i + 1 >= bytes.size() || (bytes[i + 1] != '[' && bytes[i + 1] != 'O')) continue;
    i += 2;
    while (i < bytes.size() && (bytes[i] < '@' || bytes[i] > '~')) ++i;
  }
  return keys;
}

}  // namespace

Terminal::Terminal() {
  MJ_CHECK(pipe2(pipe_, O_CLOEXEC | O_NONBLOCK) == 0);
  signalled.store(pipe_[1]);
  struct sigaction action{};
  action.sa_handler = OnSignal;
  for (const int signal : {SIGWINCH, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  errors_ = dup(STDERR_FILENO);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) {
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
  }
  Write(kEnter);
}

Terminal::~Terminal() {
  Write(kLeave);
  if (errors_ >= 0) {
    dup2(errors_, STDERR_FILENO);
    close(errors_);
  }
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  for (const int signal : {SIGWINCH, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
  signalled.store(-1);
  close(pipe_[0]);
  close(pipe_[1]);
}

Terminal::Size Terminal::size() const {
  winsize window{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0 || window.ws_row == 0) {
    return {};
  }
  return {window.ws_col, window.ws_row};
}

void Terminal::Show(const std::vector<std::string>& lines) {
  std::string screen = "\033[H";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) screen += "\r\n";
    // Cleared first: behind a full line the last column would go.
    screen += "\033[0m\033[K";
    screen += lines[i];
  }
  Write(screen);
}

Terminal::Heard Terminal::Wait(std::chrono::milliseconds time) {
  Heard heard;
  pollfd files[2] = {{STDIN_FILENO, POLLIN, 0}, {pipe_[0], POLLIN, 0}};
  if (poll(files, 2, static_cast<int>(time.count())) <= 0) return heard;
  char bytes[256];
  if (files[1].revents != 0) {
    const ssize_t count = read(pipe_[0], bytes, sizeof bytes);
    for (ssize_t i = 0; i < count; ++i) heard.over |= bytes[i] == kEnd;
  }
  if (files[0].revents != 0) {
    const ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
    if (count <= 0) {
      heard.over |= count == 0 || errno != EINTR;
    } else {
      heard.keys = KeysIn({bytes, static_cast<std::size_t>(count)});
    }
  }
  return heard;
}

void Terminal::Wake() { Told(kWoken); }

}  // namespace mj::mahjongctl
