// `mahjongctl play` as a person has it: the program in a terminal, keys and screen through tmux, on the
// whole suite.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <thread>

#include "libs/variants/registry.h"
#include "tests/e2e/suite_testing.h"
#include "tools/mahjongctl/exit_code.h"
#include "tools/mahjongctl/play_seat.h"

namespace mj::e2e {
namespace {

using ::testing::HasSubstr;

constexpr int kLooksMax = 500;      // a clock that ticks is a change, too
constexpr int kSilenceMs = 30'000;  // without a change of the screen, which has failed

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// A terminal of a tmux server of its own, and what is to be seen in it.
class Screen {
 public:
  // Runs `command` by a shell at 80 x 24; then "exit CODE" is to be seen.
  explicit Screen(const std::string& command) {
    std::filesystem::create_directories(folder_);
    EXPECT_EQ(mkfifo(fifo_.c_str(), 0600), 0);
    output_ = open(fifo_.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    EXPECT_GE(output_, 0);
    Tmux("new-session -d -x 80 -y 24 \"" + command + "; echo exit \\$?; exec cat\"");
    Tmux("set-option -g window-size manual");
    Tmux("pipe-pane -o 'cat > " + fifo_ + "'");
  }
  ~Screen() {
    Tmux("kill-server");
    close(output_);
    std::filesystem::remove_all(folder_);
  }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  void Press(const std::string& key) const { Tmux("send-keys '" + key + "'"); }
  void Resize(int columns, int rows) const {
    Tmux("resize-window -x " + std::to_string(columns) + " -y " + std::to_string(rows));
  }

  [[nodiscard]] std::string Text() const {
    FILE* pipe = popen((Call() + "capture-pane -p").c_str(), "r");
    std::string text;
    std::array<char, 4096> bytes{};
    while (const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), pipe)) {
      text.append(bytes.data(), count);
    }
    pclose(pipe);
    return text;
  }

  // Looks whenever the screen changes, until it is so.
  bool Await(const std::function<bool(const std::string&)>& so) const {
    std::string text;
    for (int look = 0; look < kLooksMax; ++look) {
      text = Text();
      if (so(text)) return true;
      pollfd file{output_, POLLIN, 0};
      if (poll(&file, 1, kSilenceMs) <= 0) break;
      std::array<char, 4096> bytes{};
      while (read(output_, bytes.data(), bytes.size()) > 0) {
      }
    }
    ADD_FAILURE() << "in vain, on the screen:\n" << text;
    return false;
  }
  bool Await(std::string_view part) const {
    return Await([part](const std::string& text) { return Has(text, part); });
  }

 private:
  [[nodiscard]] std::string Call() const {
    return "LC_ALL=C.UTF-8 TERM=xterm-256color tmux -u -f /dev/null -S " + folder_ + "/socket ";
  }
  void Tmux(const std::string& arguments) const {
    EXPECT_EQ(std::system((Call() + arguments).c_str()), 0) << arguments;
  }

  const std::string folder_ =
      std::string(::testing::TempDir()) + "mj_play_" + std::to_string(getpid());
  const std::string fifo_ = folder_ + "/output";
  int output_ = -1;
};

class PlayTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::string Command(const std::string& arguments) const {
    return MJ_MAHJONGCTL " play --wallet " + suite_.addresses().wallet + " --matchmaking " +
           suite_.addresses().matchmaking + " --target " + suite_.addresses().table + " " +
           arguments;
  }

  // Throws three tiles, passes whatever is offered meanwhile.
  static void ThrowThree(const Screen& screen) {
    for (int thrown = 0; thrown < 3;) {
      ASSERT_TRUE(screen.Await([](const std::string& text) {
        return Has(text, " throw ") || Has(text, "[0] pass") || Has(text, "[1]") ||
               Has(text, "[Enter]");
      }));
      const std::string text = screen.Text();
      const bool turn = Has(text, " throw ");
      const std::string key = turn                    ? "a"
                              : Has(text, "[0] pass") ? "0"
                              : Has(text, "[1]")      ? "1"
                                                      : "Enter";
      screen.Press(key);
      ASSERT_TRUE(screen.Await([&](const std::string& now) { return now != text; }));
      thrown += turn ? 1 : 0;
    }
  }

  Suite suite_;
};

TEST_F(PlayTest, APersonPlaysAtATerminal) {
  const std::string game(variants::All().front()->info().id);
  const Screen screen(Command("--variant " + game));
  ASSERT_TRUE(screen.Await("自己"));
  ASSERT_TRUE(screen.Await("手牌 13"));
  screen.Press("z");
  ASSERT_TRUE(screen.Await("does nothing now"));
  ThrowThree(screen);

  screen.Resize(100, 30);
  const std::string rule = [] {
    std::string line;
    for (int i = 0; i < 100; ++i) line += "─";
    return line;
  }();
  ASSERT_TRUE(screen.Await(rule));
  screen.Press("w");
  ASSERT_TRUE(screen.Await([](const std::string& text) {
    return Has(text, "no wait 未听牌") || Has(text, "waits 听牌:");
  }));
  screen.Press("C-c");
  ASSERT_TRUE(screen.Await("leave the table? 离开牌桌？ y/n"));
  screen.Press("n");
  ASSERT_TRUE(screen.Await([](const std::string& text) { return !Has(text, "y/n"); }));
  screen.Press("C-c");
  ASSERT_TRUE(screen.Await("y/n"));
  screen.Press("y");
  ASSERT_TRUE(screen.Await("exit 0"));
  // An escape: the seats are given up once the wallet has closed the round.
  while (suite_.database().Execute("SELECT count(*) FROM tables.seats") != "0") {
    std::this_thread::yield();
  }
}

TEST_F(PlayTest, ItCanBeHadInAsciiWithoutColours) {
  const std::string game(variants::All().back()->info().id);
  const Screen screen(Command("--variant " + game + " --ascii --no-color"));
  ASSERT_TRUE(screen.Await("tiles 13"));
  const std::string text = screen.Text();
  for (const char c : text) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << text;
  screen.Press("q");
  ASSERT_TRUE(screen.Await("leave the table? y/n"));
  screen.Press("y");
  ASSERT_TRUE(screen.Await("exit 0"));
}

TEST_F(PlayTest, WhatCannotBeIsSaid) {
  mahjongctl::PlayArguments arguments;
  std::ostringstream none;
  EXPECT_EQ(mahjongctl::PlaySeat(arguments, true, none), mahjongctl::kUsage);
  EXPECT_THAT(none.str(), HasSubstr("./dev up -d"));
  arguments.addresses = {suite_.addresses().wallet, suite_.addresses().matchmaking,
                         suite_.addresses().table};
  std::ostringstream no_terminal;
  EXPECT_EQ(mahjongctl::PlaySeat(arguments, false, no_terminal), mahjongctl::kUsage);
  EXPECT_THAT(no_terminal.str(), HasSubstr("terminal"));
  arguments.variant = "riichi";
  std::ostringstream unknown;
  EXPECT_EQ(mahjongctl::PlaySeat(arguments, true, unknown), mahjongctl::kFailed);
  EXPECT_THAT(unknown.str(), HasSubstr("UNKNOWN_VARIANT"));
  arguments.addresses.wallet = "127.0.0.1:1";
  std::ostringstream nowhere;
  EXPECT_EQ(mahjongctl::PlaySeat(arguments, true, nowhere), mahjongctl::kUnavailable);
  EXPECT_THAT(nowhere.str(), HasSubstr("./dev up -d"));
}

}  // namespace
}  // namespace mj::e2e
