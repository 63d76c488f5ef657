#include "libs/round/random_testing.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <utility>

namespace mj::round {
namespace {

std::vector<Tile> Shuffled(const TileCounts& counts, testing::Random& random) {
  std::vector<Tile> wall;
  for (Tile tile : tiles::kAllKinds) {
    wall.insert(wall.end(), static_cast<std::size_t>(counts[tile]), tile);
  }
  for (std::size_t i = wall.size(); i > 1; --i) {
    std::swap(wall[i - 1], wall[static_cast<std::size_t>(random.Below(static_cast<int>(i)))]);
  }
  return wall;
}

Seat RandomSeat(testing::Random& random) {
  return static_cast<Seat>(random.Below(rules::kSeatCount));
}

}  // namespace

rules::Options RandomOptions(const rules::Variant& game, testing::Random& random) {
  std::map<std::string, std::string> texts;
  for (const rules::OptionDef& def : game.options()) {
    if (random.OneIn(2)) continue;
    std::int64_t low = 0;
    std::int64_t high = 1;
    if (def.type == rules::OptionType::kNumber) {
      low = def.min;
      high = def.max;
    } else if (def.type == rules::OptionType::kChoice) {
      high = static_cast<std::int64_t>(def.choices.size()) - 1;
    }
    const std::int64_t value = low + random.Below(static_cast<int>(high - low + 1));
    texts[std::string(def.name)] = rules::OptionText(def, value);
  }
  const auto options = rules::ParseOptions(game.options(), texts);
  if (const auto* refused = std::get_if<rules::OptionRefusal>(&options)) {
    ADD_FAILURE() << "option " << refused->name << " is refused within its range";
    return rules::DefaultOptions(game.options());
  }
  return std::get<rules::Options>(options);
}

Setup RandomSetup(const rules::Variant& game, const rules::Options& options,
                  testing::Random& random) {
  const rules::PlayRules play = game.play(options);
  SetupInput input;
  input.variant = &game;
  input.options = options;
  input.dealer = RandomSeat(random);
  input.dice = {static_cast<std::uint8_t>(1 + random.Below(6)),
                static_cast<std::uint8_t>(1 + random.Below(6))};
  if (play.winds) {
    constexpr std::array kWinds = {tiles::kEast, tiles::kSouth, tiles::kWest, tiles::kNorth};
    const Seat east = RandomSeat(random);
    input.round_wind = kWinds[static_cast<std::size_t>(random.Below(4))];
    input.seat_winds.emplace();
    for (int i = 0; i < rules::kSeatCount; ++i) {
      (*input.seat_winds)[rules::After(east, i)] = kWinds[static_cast<std::size_t>(i)];
    }
  }
  input.wall = Shuffled(play.wall, random);
  auto setup = MakeSetup(std::move(input));
  EXPECT_TRUE(std::holds_alternative<Setup>(setup));
  return std::get<Setup>(std::move(setup));
}

Choice RandomChoice(const Offer& offer, testing::Random& random) {
  const std::vector<Choice> choices = ChoicesOf(offer);
  std::array<bool, 9> has{};
  int kinds = 0;
  for (const Choice& choice : choices) {
    bool& known = has[static_cast<std::size_t>(choice.kind)];
    kinds += known ? 0 : 1;
    known = true;
  }
  int nth = random.Below(kinds);
  ChoiceKind kind = ChoiceKind::kPass;
  for (std::size_t i = 0; i < has.size(); ++i) {
    if (has[i] && nth-- == 0) kind = static_cast<ChoiceKind>(i);
  }
  std::vector<Choice> of_kind;
  for (const Choice& choice : choices) {
    if (choice.kind == kind) of_kind.push_back(choice);
  }
  return of_kind[static_cast<std::size_t>(random.Below(static_cast<int>(of_kind.size())))];
}

bool PlayOut(const Setup& setup, State& state, testing::Random& random, const Chooser& choose,
             const Watcher& seen, int most_commands) {
  const auto send = [&](const Command& command) {
    const Decision decision = Decide(setup, state, command);
    const auto* events = std::get_if<std::vector<Event>>(&decision);
    if (events == nullptr) {
      ADD_FAILURE() << "an offered choice was refused";
      return false;
    }
    for (const Event& event : *events) {
      Apply(setup, state, event);
      if (seen) seen(state, event);
    }
    return true;
  };
  if (std::holds_alternative<NotBegun>(state.phase) && !send(Begin{})) return false;
  for (int i = 0; i < most_commands && !state.over(); ++i) {
    Seat seat = RandomSeat(random);
    int looked = 0;
    while (looked < rules::kSeatCount && (!state.seats[seat].open || state.seats[seat].answer)) {
      seat = rules::After(seat);
      ++looked;
    }
    if (looked == rules::kSeatCount) {
      ADD_FAILURE() << "nobody is asked, and the round is not over";
      return false;
    }
    const SeatState& asked = state.seats[seat];
    if (!send(Act{seat, asked.decisions, choose(state, seat, *asked.open)})) return false;
  }
  return state.over();
}

}  // namespace mj::round
