#include "libs/round/random_testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
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

int OneOf(int n, testing::Random& random) { return n == 1 ? 0 : random.Below(n); }

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
  const bool only_discards = !offer.win && !offer.pass && !offer.roll &&
                             offer.added_kongs.empty() && offer.concealed_kongs.empty();
  if (only_discards) {  // the usual case
    return Choice::Discard(offer.discards.Nth(OneOf(offer.discards.size(), random)));
  }
  const bool pung_kong = offer.discard_kong && offer.tile;
  const int of_kind[] = {// in the order of ChoiceKind
                         offer.win ? 1 : 0,
                         offer.pass ? 1 : 0,
                         offer.pung ? 1 : 0,
                         static_cast<int>(offer.chows.size()),
                         pung_kong ? 1 : 0,
                         offer.added_kongs.size(),
                         offer.concealed_kongs.size(),
                         offer.discards.size(),
                         offer.roll ? 1 : 0};
  const auto kinds = std::count_if(std::begin(of_kind), std::end(of_kind),
                                   [](int choices) { return choices > 0; });
  int nth = OneOf(static_cast<int>(kinds), random);
  std::size_t kind = 0;
  while (of_kind[kind] == 0 || nth-- > 0) ++kind;
  const int which = OneOf(of_kind[kind], random);
  switch (static_cast<ChoiceKind>(kind)) {
    case ChoiceKind::kWin:
      return Choice::Win();
    case ChoiceKind::kPass:
      return Choice::Pass();
    case ChoiceKind::kPung:
      return Choice::Pung();
    case ChoiceKind::kChow: {
      const Offer::Chow& chow = offer.chows[static_cast<std::size_t>(which)];
      return Choice::Chow(chow.low, chow.high);
    }
    case ChoiceKind::kDiscardKong:
      return Choice::DiscardKong(*offer.tile);
    case ChoiceKind::kAddedKong:
      return Choice::AddedKong(offer.added_kongs.Nth(which));
    case ChoiceKind::kConcealedKong:
      return Choice::ConcealedKong(offer.concealed_kongs.Nth(which));
    case ChoiceKind::kDiscard:
      return Choice::Discard(offer.discards.Nth(which));
    case ChoiceKind::kRoll:
      break;
  }
  return Choice::Roll();
}

bool PlayOut(const Setup& setup, State& state, testing::Random& random, const Chooser& choose,
             const Watcher& seen, int most_commands) {
  std::vector<Event> events;
  const auto send = [&](const Command& command) {
    events.clear();
    if (!seen) {
      if (!Play(setup, state, command, events)) return true;
    } else {
      Decision decision = Decide(setup, state, command);
      if (auto* decided = std::get_if<std::vector<Event>>(&decision)) {
        for (const Event& event : *decided) {
          Apply(setup, state, event);
          seen(state, event);
        }
        return true;
      }
    }
    ADD_FAILURE() << "an offered choice was refused";
    return false;
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
