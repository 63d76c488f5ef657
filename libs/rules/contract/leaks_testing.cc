#include "libs/rules/contract/leaks_testing.h"

#include <array>
#include <utility>
#include <vector>

#include "libs/round/decide.h"
#include "libs/round/random_testing.h"

namespace mj::rules::contract {
namespace {

using round::Act;
using round::Choice;
using round::Event;
using round::Setup;
using round::State;
using round::Viewer;

// What was chosen between two turns: the turn's own choice, and the answers to it.
struct Moment {
  Seat seat = Seat::k0;
  Choice choice;
  PerSeat<std::optional<Choice>> answers;
};

Setup WithWall(const Setup& setup, std::vector<Tile> wall) {
  round::SetupInput input;
  input.variant = &setup.variant();
  input.options = setup.options();
  input.dealer = setup.deal().dealer;
  input.round_wind = setup.deal().round_wind;
  input.seat_winds = setup.deal().seat_winds;
  input.dice = setup.dice();
  input.wall = std::move(wall);
  return std::get<Setup>(round::MakeSetup(std::move(input)));
}

// One telling of a round: by chance the first time, as told the second time.
class Telling {
 public:
  Telling(const Setup& setup, const Viewer& viewer) : setup_(setup), viewer_(viewer) {
    Send(round::Begin{});
    const Seat dealer = state_.deal.dealer;
    if (std::holds_alternative<round::Opening>(state_.phase)) {
      Send(Act{dealer, state_.seats[dealer].decisions, Choice::Roll()});
    }
  }

  // Up to `most` turns, never into the end: the winner's hand would be for everybody.
  void ByChance(testing::Random& random, int most) {
    while (static_cast<int>(moments.size()) < most) {
      const auto* turn = std::get_if<round::Turn>(&state_.phase);
      if (turn == nullptr) return;
      Moment moment{turn->seat, {}, {}};
      do {
        moment.choice = round::RandomChoice(*state_.seats[turn->seat].open, random);
      } while (moment.choice == Choice::Win());
      const State before = state_;
      const std::size_t told = events.size();
      Send(Act{moment.seat, state_.seats[moment.seat].decisions, moment.choice});
      Answer([&](Seat seat) {
        Choice answer = round::RandomChoice(*state_.seats[seat].open, random);
        if (answer == Choice::Win()) answer = Choice::Pass();
        moment.answers[seat] = answer;
        return answer;
      });
      if (state_.over()) {
        state_ = before;
        events.resize(told);
        return;
      }
      moments.push_back(moment);
    }
  }

  // False when a choice is not offered any more.
  bool AsTold(const std::vector<Moment>& told) {
    for (const Moment& moment : told) {
      const auto* turn = std::get_if<round::Turn>(&state_.phase);
      if (turn == nullptr || turn->seat != moment.seat) return false;
      if (!Send(Act{moment.seat, state_.seats[moment.seat].decisions, moment.choice})) return false;
      Answer([&](Seat seat) {
        const std::optional<Choice>& answer = moment.answers[seat];
        return answer && state_.seats[seat].open->Allows(*answer) ? *answer : Choice::Pass();
      });
    }
    return true;
  }

  const State& state() const { return state_; }
  std::vector<Event> events;
  std::vector<Moment> moments;

 private:
  bool Send(const round::Command& command) {
    const auto decision = Decide(setup_, state_, command);
    const auto* told = std::get_if<std::vector<Event>>(&decision);
    if (told == nullptr) return false;
    for (const Event& event : *told) {
      Apply(setup_, state_, event);
      events.push_back(event);
    }
    return true;
  }

  // The viewer first: whether a window still waits for it must not hang on others' answers.
  template <typename Choose>
  void Answer(Choose&& choose) {
    const Seat first = viewer_.seat.value_or(Seat::k0);
    for (int i = 0; i < kSeatCount; ++i) {
      const Seat seat = After(first, i);
      const round::SeatState& asked = state_.seats[seat];
      const bool window = std::holds_alternative<round::Window>(state_.phase) ||
                          std::holds_alternative<round::Robbery>(state_.phase);
      if (!window || !asked.open || asked.answer) continue;
      const Choice choice = choose(seat);
      Send(Act{seat, asked.decisions, choice});
    }
  }

  const Setup& setup_;
  const Viewer& viewer_;
  State state_;
};

// Which places of the wall hold tiles that the viewer has not seen by the end of `told`.
class HiddenPlaces {
 public:
  HiddenPlaces(const Setup& setup, const Telling& told, const Viewer& viewer) : setup_(setup) {
    Deal();
    for (const Event& event : told.events) std::visit(*this, event);
    for (std::size_t place = front_; place + back_ < setup.wall().size(); ++place) {
      places_.push_back(place);
    }
    for (Seat seat : kSeats) {
      if (seat != viewer.seat) {
        places_.insert(places_.end(), held_[seat].begin(), held_[seat].end());
      }
    }
  }

  std::vector<std::size_t> Take() { return std::move(places_); }

  void operator()(const round::Drew& drew) {
    if (drew.kind == round::DrawKind::kReplacement) {
      held_[drew.seat].push_back(setup_.wall().size() - 1 - back_++);
    } else {
      held_[drew.seat].push_back(front_++);
    }
  }
  void operator()(const round::IndicatorTurned&) { ++back_; }
  void operator()(const round::Discarded& discarded) { Show(discarded.seat, discarded.tile, 1); }
  void operator()(const round::Called& called) {
    TileCounts shown;
    tiles::AddTo(shown, called.meld.meld);
    shown.Remove(called.tile);
    for (Tile tile : tiles::kAllKinds) Show(called.seat, tile, shown[tile]);
  }
  void operator()(const round::KongDeclared& kong) { Show(kong.seat, kong.tile, 1); }
  void operator()(const round::KongMade& made) {
    if (made.kong.kind == MeldKind::kConcealedKong) Show(made.kong.seat, made.kong.tile, 4);
    if (made.kong.kind == MeldKind::kDiscardKong) Show(made.kong.seat, made.kong.tile, 3);
  }
  template <typename E>
  void operator()(const E&) {}

 private:
  void Deal() {
    for (int tiles : {4, 4, 4, 1}) {
      for (int turn = 0; turn < kSeatCount; ++turn) {
        for (int i = 0; i < tiles; ++i) {
          held_[After(setup_.deal().dealer, turn)].push_back(front_++);
        }
      }
    }
  }
  // The first places that held such a tile are the ones that were shown: it was there in time.
  void Show(Seat seat, Tile tile, int n) {
    std::vector<std::size_t>& held = held_[seat];
    for (std::size_t i = 0; i < held.size() && n > 0;) {
      if (setup_.wall()[held[i]] == tile) {
        held.erase(held.begin() + static_cast<std::ptrdiff_t>(i));
        --n;
      } else {
        ++i;
      }
    }
  }

  const Setup& setup_;
  std::size_t front_ = 0;
  std::size_t back_ = 0;
  PerSeat<std::vector<std::size_t>> held_;
  std::vector<std::size_t> places_;
};

std::vector<Tile> Exchanged(std::vector<Tile> wall, const std::vector<std::size_t>& places,
                            testing::Random& random) {
  for (std::size_t i = places.size(); i > 1; --i) {
    std::swap(wall[places[i - 1]],
              wall[places[static_cast<std::size_t>(random.Below(static_cast<int>(i)))]]);
  }
  return wall;
}

std::vector<round::SeatEvent> Shown(const std::vector<Event>& events, const Viewer& viewer,
                                    const Showing& showing) {
  std::vector<round::SeatEvent> shown;
  for (const Event& event : events) {
    if (auto seen = showing.filter(event, viewer)) shown.push_back(*std::move(seen));
  }
  return shown;
}

std::string Difference(const Variant& game, std::uint64_t seed, const Showing& showing,
                       bool& compared) {
  testing::Random random(seed);
  const Options options = round::RandomOptions(game, random);
  const Setup setup = round::RandomSetup(game, options, random);
  const auto seat = static_cast<Seat>(random.Below(kSeatCount));
  const std::array viewers = {Viewer::Player(seat), Viewer::Watching(seat), Viewer::Public()};
  const Viewer viewer = viewers[static_cast<std::size_t>(random.Below(3))];

  Telling first(setup, viewer);
  first.ByChance(random, 1 + random.Below(60));
  const Setup other =
      WithWall(setup, Exchanged(setup.wall(), HiddenPlaces(setup, first, viewer).Take(), random));
  Telling second(other, viewer);
  compared = second.AsTold(first.moments);
  if (!compared) return {};
  if (Shown(first.events, viewer, showing) != Shown(second.events, viewer, showing)) {
    return "the events differ";
  }
  if (!(showing.project(setup, first.state(), viewer) ==
        showing.project(other, second.state(), viewer))) {
    return "the views differ";
  }
  return {};
}

}  // namespace

Showing RealShowing() {
  return {.filter = [](const Event& event, const Viewer& viewer) { return Filter(event, viewer); },
          .project = [](const Setup& setup, const State& state,
                        const Viewer& viewer) { return Project(setup, state, viewer); }};
}

std::string CheckLeaks(const Variant& game, std::int64_t count, std::uint64_t seed,
                       const Showing& showing) {
  std::int64_t compared = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t own = seed + static_cast<std::uint64_t>(i);
    bool same_choices = false;
    const std::string difference = Difference(game, own, showing, same_choices);
    if (!difference.empty()) return "seed " + std::to_string(own) + ": " + difference;
    compared += same_choices ? 1 : 0;
  }
  if (2 * compared < count) {
    return "only " + std::to_string(compared) + " of " + std::to_string(count) + " were compared";
  }
  return {};
}

}  // namespace mj::rules::contract
