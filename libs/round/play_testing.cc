#include "libs/round/play_testing.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <sstream>

#include "libs/round/invariants.h"
#include "libs/tiles/mpsz.h"

namespace mj::round {
namespace {

std::vector<Tile> Tiles(std::string_view text) {
  auto tiles = tiles::ParseTiles(text);
  EXPECT_TRUE(tiles) << text;
  return tiles.value_or(std::vector<Tile>{});
}

// No two of one line make a pair or a sequence.
constexpr std::string_view kFillers[] = {"258m258p258s1357z", "147m147p147s246z", "369m369p369s"};

class WallBuilder {
 public:
  explicit WallBuilder(const rules::PlayRules& play) : rest_(play.wall) {}

  std::vector<Tile> Take(std::string_view text) {
    std::vector<Tile> taken = Tiles(text);
    for (Tile tile : taken) {
      EXPECT_TRUE(rest_.Has(tile)) << "no " << tiles::ToText(tile) << " left for " << text;
      if (rest_.Has(tile)) rest_.Remove(tile);
    }
    return taken;
  }

  void Fill(std::vector<Tile>& hand) {
    TileCounts held;
    for (Tile tile : hand) held.Add(tile);
    for (std::string_view fillers : kFillers) {
      for (Tile tile : Tiles(fillers)) {
        if (hand.size() >= rules::kHandTiles) return;
        if (!rest_.Has(tile) || held.Has(tile)) continue;
        rest_.Remove(tile);
        held.Add(tile);
        hand.push_back(tile);
      }
    }
    for (Tile tile : tiles::kAllKinds) {
      while (hand.size() < rules::kHandTiles && rest_.Has(tile)) {
        rest_.Remove(tile);
        hand.push_back(tile);
      }
    }
  }

  std::vector<Tile> Rest() const {
    std::vector<Tile> rest;
    for (Tile tile : tiles::kAllKinds) rest.insert(rest.end(), std::size_t(rest_[tile]), tile);
    return rest;
  }

 private:
  TileCounts rest_;
};

std::vector<Tile> BuildWall(const TestDeal& deal, const rules::PlayRules& play) {
  WallBuilder builder(play);
  PerSeat<std::vector<Tile>> hands;
  for (Seat seat : rules::kSeats) {
    hands[seat] = builder.Take(deal.hands[static_cast<std::size_t>(seat)]);
  }
  const std::vector<Tile> draws = builder.Take(deal.draws);
  const std::vector<Tile> back = builder.Take(deal.back);
  for (Seat seat : rules::kSeats) {
    builder.Fill(hands[seat]);
    EXPECT_EQ(hands[seat].size(), std::size_t(rules::kHandTiles))
        << "seat " << rules::IndexOf(seat);
  }

  std::vector<Tile> wall;
  std::size_t dealt = 0;
  for (std::size_t tiles : {4u, 4u, 4u, 1u}) {
    for (int turn = 0; turn < rules::kSeatCount; ++turn) {
      const std::vector<Tile>& hand = hands[rules::After(deal.dealer, turn)];
      for (std::size_t i = 0; i < tiles; ++i) wall.push_back(hand.at(dealt + i));
    }
    dealt += tiles;
  }
  wall.insert(wall.end(), draws.begin(), draws.end());
  const std::vector<Tile> rest = builder.Rest();
  wall.insert(wall.end(), rest.begin(), rest.end());
  wall.insert(wall.end(), back.rbegin(), back.rend());
  return wall;
}

Setup BuildSetup(const TestDeal& deal) {
  SetupInput input;
  input.variant = deal.game;
  const auto options = rules::ParseOptions(
      deal.game->options(),
      std::map<std::string, std::string>(deal.options.begin(), deal.options.end()));
  input.options = std::get<rules::Options>(options);
  input.dealer = deal.dealer;
  input.round_wind = deal.round_wind;
  if (deal.round_wind) {
    input.seat_winds.emplace(std::array{tiles::kEast, tiles::kSouth, tiles::kWest, tiles::kNorth});
  }
  input.dice = deal.dice;
  input.wall = BuildWall(deal, deal.game->play(input.options));
  auto setup = MakeSetup(std::move(input));
  EXPECT_TRUE(std::holds_alternative<Setup>(setup));
  return std::get<Setup>(std::move(setup));
}

std::string_view Trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

std::string JoinedTexts(const Offer& offer) {
  std::string joined;
  for (const std::string& text : ToTexts(offer)) joined += (joined.empty() ? "" : ", ") + text;
  return joined;
}

std::string EndText(const State& state, const Over& over) {
  std::string text;
  switch (over.outcome) {
    case Outcome::kWin:
      text = "win";
      for (const Win& win : state.wins) text += " " + std::to_string(rules::IndexOf(win.seat));
      return text;
    case Outcome::kExhausted:
      return "exhausted";
    case Outcome::kVoid:
      break;
  }
  text = "void";
  switch (over.reason.value_or(VoidReason::kOperator)) {
    case VoidReason::kEscape:
      text += " escape";
      break;
    case VoidReason::kConnectionLost:
      text += " lost";
      break;
    case VoidReason::kAllAbsent:
      text += " absent";
      break;
    case VoidReason::kOperator:
      text += " operator";
      break;
  }
  if (over.seat) text += " " + std::to_string(rules::IndexOf(*over.seat));
  return text;
}

}  // namespace

std::string_view ToText(Rejection rejection) {
  switch (rejection) {
    case Rejection::kAlreadyBegun:
      return "already begun";
    case Rejection::kNotBegun:
      return "not begun";
    case Rejection::kRepeatedAnswer:
      return "repeated";
    case Rejection::kRoundOver:
      return "round over";
    case Rejection::kSeatNotNamed:
      return "seat not named";
    case Rejection::kAlreadyLeaving:
      return "already leaving";
    case Rejection::kUnknownDecision:
      return "unknown decision";
    case Rejection::kStaleDecision:
      return "stale decision";
    case Rejection::kAlreadyAnswered:
      return "already answered";
    case Rejection::kNothingHeldBack:
      return "nothing held back";
    case Rejection::kDecisionClosed:
      return "decision closed";
    case Rejection::kNotOffered:
      return "not offered";
  }
  return "?";
}

TestRound::TestRound(const TestDeal& deal) : setup_(BuildSetup(deal)) { Send(Begin{}); }

void TestRound::Play(std::string_view script) {
  std::istringstream lines{std::string(script)};
  for (std::string line; std::getline(lines, line);) {
    if (!Trim(line).empty()) PlayLine(Trim(line));
  }
}

void TestRound::PlayLine(std::string_view line) {
  SCOPED_TRACE(std::string(line));
  const std::size_t then = line.find("->");
  const std::size_t refused = line.find("!!");
  const Decision decision = Send(Parse(Trim(line.substr(0, std::min(then, refused)))));
  const auto* rejection = std::get_if<Rejection>(&decision);
  if (refused != std::string_view::npos) {
    ASSERT_NE(rejection, nullptr) << "was accepted";
    EXPECT_EQ(ToText(*rejection), Trim(line.substr(refused + 2)));
    return;
  }
  ASSERT_EQ(rejection, nullptr) << ToText(*rejection) << "; offered were " << Now();
  if (then == std::string_view::npos) return;
  const std::string_view expected = Trim(line.substr(then + 2));
  if (expected.ends_with('*')) {
    EXPECT_TRUE(Now().starts_with(expected.substr(0, expected.size() - 1))) << Now();
  } else {
    EXPECT_EQ(Now(), expected);
  }
}

std::string TestRound::Now() const {
  if (const auto* over = std::get_if<Over>(&state_.phase)) return EndText(state_, *over);
  std::string text;
  for (Seat seat : rules::kSeats) {
    const SeatState& asked = state_.seats[seat];
    if (!asked.open || asked.answer) continue;
    text += (text.empty() ? "" : "; ") + std::to_string(rules::IndexOf(seat)) + ": " +
            JoinedTexts(*asked.open);
  }
  return text;
}

Decision TestRound::Send(const Command& command) {
  const State before = state_;
  const Decision decision = Decide(setup_, state_, command);
  EXPECT_EQ(state_, before);
  if (const auto* events = std::get_if<std::vector<Event>>(&decision)) {
    EXPECT_FALSE(events->empty());
    for (const Event& event : *events) {
      Apply(setup_, state_, event);
      events_.push_back(event);
      const std::optional<Breach> breach = CheckInvariants(setup_, state_);
      EXPECT_FALSE(breach) << "breach " << static_cast<int>(*breach) << " after event "
                           << event.index();
    }
  }
  return decision;
}

Command TestRound::Parse(std::string_view line) const {
  if (line == "absent") return Void{VoidReason::kAllAbsent, std::nullopt};
  if (line == "operator") return Void{VoidReason::kOperator, std::nullopt};
  const auto seat = static_cast<Seat>(line[0] - '0');
  DecisionId decision = state_.seats[seat].decisions;
  std::string_view words = line.substr(1);
  if (words.starts_with('#')) {
    decision = static_cast<DecisionId>(words[1] - '0');
    words.remove_prefix(2);
  }
  words = Trim(words);
  if (words == "late") return Timeout{seat, decision, false};
  if (words == "auto") return Timeout{seat, decision, true};
  if (words == "leave") return Void{VoidReason::kEscape, seat};
  if (words == "lost") return Void{VoidReason::kConnectionLost, seat};
  const std::optional<Choice> choice = ParseChoice(words);
  EXPECT_TRUE(choice) << words << " is no choice";
  return Act{seat, decision, choice.value_or(Choice::Pass())};
}

void TestRound::Missing() { ADD_FAILURE() << "no such event has happened"; }

}  // namespace mj::round
