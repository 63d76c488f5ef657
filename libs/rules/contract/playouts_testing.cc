#include "libs/rules/contract/playouts_testing.h"

#include <optional>
#include <vector>

#include "libs/bots/bot.h"
#include "libs/round/invariants.h"
#include "libs/round/random_testing.h"
#include "libs/round/result.h"
#include "libs/rules/check.h"
#include "libs/rules/score.h"

namespace mj::rules::contract {
namespace {

using round::Act;
using round::Choice;
using round::Event;
using round::Offer;
using round::Rejection;
using round::State;

// A tile is drawn at most 136 times, and each discard answered by at most three.
constexpr int kMostCommands = 4 * tiles::kKindCount * tiles::kCopies;
constexpr int kRefusalsTried = 12;

Choice AnyChoice(testing::Random& random) {
  const auto tile = [&] { return Tile::At(random.Below(tiles::kKindCount)); };
  switch (random.Below(9)) {
    case 0:
      return Choice::Win();
    case 1:
      return Choice::Pass();
    case 2:
      return Choice::Pung();
    case 3:
      return Choice::Chow(tile(), tile());
    case 4:
      return Choice::DiscardKong(tile());
    case 5:
      return Choice::AddedKong(tile());
    case 6:
      return Choice::ConcealedKong(tile());
    case 7:
      return Choice::Roll();
    default:
      return Choice::Discard(tile());
  }
}

class Playout {
 public:
  Playout(const Variant& game, testing::Random& random, bots::Distances& distances)
      : options_(round::RandomOptions(game, random)),
        setup_(round::RandomSetup(game, options_, random)),
        bot_(game, options_, random.Next(), distances),
        random_(random) {}

  std::string Play(bool by_bots) {
    const auto choose = [&](const State& state, Seat seat, const Offer& offer) {
      if (random_.OneIn(8)) CheckOffers(state);
      return by_bots ? bot_.Choose(Project(setup_, state, seat))
                     : round::RandomChoice(offer, random_);
    };
    const auto seen = [&](const State& state, const Event& event) {
      events_.push_back(event);
      if (const auto breach = round::CheckInvariants(setup_, state)) {
        Fault("breach " + std::to_string(static_cast<int>(*breach)) + " after event " +
              std::to_string(event.index()));
      }
    };
    State state;
    if (!round::PlayOut(setup_, state, random_, choose, seen, kMostCommands)) {
      Fault("the round does not end");
    }
    CheckReplay(state);
    CheckResult(state);
    return fault_;
  }

 private:
  void Fault(const std::string& what) {
    if (fault_.empty()) fault_ = what;
  }

  void CheckOffers(const State& state) {
    const State before = state;
    for (Seat seat : kSeats) {
      const round::SeatState& asked = state.seats[seat];
      const bool open = asked.open && !asked.answer;
      if (open) {
        ForEachChoice(*asked.open, [&](const Choice& choice) {
          CheckAccepted(state, Act{seat, asked.decisions, choice}, ToText(choice));
        });
      }
      CheckSystem(state, seat, open);
      for (int i = 0; i < kRefusalsTried; ++i) {
        const Choice choice = AnyChoice(random_);
        if (open && asked.open->Allows(choice)) continue;
        const auto decision = Decide(setup_, state, Act{seat, asked.decisions, choice});
        const auto* rejection = std::get_if<Rejection>(&decision);
        if (rejection == nullptr) Fault("accepted without an offer: " + ToText(choice));
        if (open && rejection != nullptr && *rejection != Rejection::kNotOffered) {
          Fault("refused for another reason than that it was not offered: " + ToText(choice));
        }
      }
    }
    if (!(state == before)) Fault("a question changed the state");
  }

  // Time may run out for whoever is asked, and anybody may leave at any moment.
  void CheckSystem(const State& state, Seat seat, bool open) {
    for (const bool auto_play : {false, true}) {
      const round::Timeout timeout{seat, state.seats[seat].decisions, auto_play};
      if (open) {
        CheckAccepted(state, timeout, "a timeout");
      } else if (std::holds_alternative<std::vector<Event>>(Decide(setup_, state, timeout))) {
        Fault("a timeout of a seat that is not asked");
      }
    }
    CheckAccepted(state, round::Void{round::VoidReason::kEscape, seat}, "an escape");
  }

  void CheckAccepted(const State& state, const round::Command& command, const std::string& what) {
    const auto decision = Decide(setup_, state, command);
    const auto* events = std::get_if<std::vector<Event>>(&decision);
    if (events == nullptr) return Fault("refused: " + what);
    State after = state;
    for (std::size_t i = 0; i < events->size(); ++i) {
      if (i > 0 && FollowsUnclaimedTile((*events)[i])) CheckProceed(after, *events, i, what);
      Apply(setup_, after, (*events)[i]);
      if (CheckInvariants(setup_, after)) Fault("a breach after " + what);
    }
    if (HoldsBack(after)) Fault("nothing was held back after " + what);
  }

  // What was held back from `from` on is what Proceed gives, and a leave in between ends it void.
  void CheckProceed(const State& state, const std::vector<Event>& events, std::size_t from,
                    const std::string& what) {
    if (!HoldsBack(state)) return Fault("not held back after " + what);
    const std::vector<Event> rest(events.begin() + static_cast<std::ptrdiff_t>(from), events.end());
    if (Decide(setup_, state, round::Proceed{}) != round::Decision(rest)) {
      Fault("Proceed gives something else after " + what);
    }
    if (state.leaving) return;
    State left = state;
    const round::Decision leave =
        Decide(setup_, state, round::Void{round::VoidReason::kEscape, kSeats[0]});
    for (const Event& event : std::get<std::vector<Event>>(leave)) Apply(setup_, left, event);
    if (!left.over()) Fault("a leave while nothing is claimed does not end the round");
  }

  void CheckReplay(const State& state) {
    State replayed;
    for (const Event& event : events_) Apply(setup_, replayed, event);
    if (!(replayed == state)) Fault("the replay came to another state");
  }

  void CheckResult(const State& state) {
    const std::optional<FinishedRound> finished = round::Finished(state);
    if (!finished) return Fault("no result");
    if (const auto refusal = CheckRound(setup_.variant(), options_, *finished)) {
      return Fault("the scoring refuses the result: fault " +
                   std::to_string(static_cast<int>(refusal->fault)));
    }
    const RoundScore score = ScoreRound(setup_.variant(), options_, *finished);
    for (const Judgement& judged : score.wins) {
      if (!judged.legal()) Fault("a win that was offered is not legal");
    }
    Units sum = 0;
    for (Units units : score.net) sum += units;
    if (sum != 0) Fault("the settlement does not sum to zero");
    for (const Transfer& transfer : score.transfers) {
      if (transfer.units <= 0 || transfer.from == transfer.to) Fault("a transfer that is none");
    }
  }

  Options options_;
  round::Setup setup_;
  bots::Bot bot_;
  testing::Random& random_;
  std::vector<Event> events_;
  std::string fault_;
};

}  // namespace

std::string CheckPlayouts(const Variant& game, std::int64_t count, std::uint64_t seed) {
  bots::Distances distances;
  for (std::int64_t i = 0; i < count; ++i) {
    testing::Random random(seed + static_cast<std::uint64_t>(i));
    Playout playout(game, random, distances);
    const std::string fault = playout.Play(i % 4 == 3);
    if (!fault.empty()) {
      return "seed " + std::to_string(seed + static_cast<std::uint64_t>(i)) + ": " + fault;
    }
  }
  return {};
}

}  // namespace mj::rules::contract
