// Rounds told as text, for tests: hands as in a book, then line for line who does what.
//
//   TestRound round({.game = &toy, .hands = {"123m456p789s1122z", "55m…", "", ""}, .draws = "5m"});
//   round.Play(R"(
//     0 discard 5m     -> 1: pung, pass
//     1 pung           -> 1: discard 147m258p369s12z
//     0 discard 1m     !! not offered
//   )");
//
// After `->` stands who is asked what afterwards, or how the round ended ("win 1 3", "exhausted",
// "void escape 2"), a `*` at its end for anything more; after `!!` why the command is refused. Both may be left out. Every event is
// checked against the invariants; every refusal and every Decide must leave the state as it was.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "libs/round/command.h"
#include "libs/round/decide.h"

namespace mj::round {

struct TestDeal {
  const rules::Variant* game = nullptr;
  std::vector<std::pair<std::string, std::string>> options{};
  Seat dealer = Seat::k0;
  std::array<std::string, 4> hands{};  // up to 13 tiles; filled up with tiles that fit nothing
  std::string draws{};                 // from the front: the dealer's fourteenth, then as drawn
  std::string back{};                  // from the back: the indicator, replacements, as they come
  std::optional<Tile> round_wind{};    // set: seat 0 is East
  Dice dice{3, 4};
};

class TestRound {
 public:
  // Builds a wall that deals like this and opens the round. The rest of the wall, between draws
  // and back, holds what the game's wall has left, in canonical order.
  explicit TestRound(const TestDeal& deal);

  // Each line a command and what must come of it; a failure names the line.
  void Play(std::string_view script);

  // "1: pung, pass; 2: win, pass" or how the round ended.
  std::string Now() const;

  // Sends any command. The events, applied; or the refusal.
  Decision Send(const Command& command);
  // One of the lines above without its expectation: "2 pung", "2 late", "2 auto", "2 leave",
  // "2 lost", "absent", "operator". A number behind the seat names another decision: "2#1 pung".
  Command Parse(std::string_view line) const;

  const Setup& setup() const { return setup_; }
  const State& state() const { return state_; }
  const SeatState& seat(int index) const { return state_.seats[static_cast<Seat>(index)]; }
  const std::vector<Event>& events() const { return events_; }  // all so far
  // The last event of this type; the test fails without any.
  template <typename E>
  E Last() const {
    for (auto it = events_.rbegin(); it != events_.rend(); ++it) {
      if (const auto* event = std::get_if<E>(&*it)) return *event;
    }
    Missing();
    return E{};
  }

 private:
  void PlayLine(std::string_view line);
  static void Missing();

  Setup setup_;
  State state_;
  std::vector<Event> events_;
};

// "not offered", "not begun", …
std::string_view ToText(Rejection rejection);

}  // namespace mj::round
