#include "libs/proof/replay.h"

#include <iterator>
#include <utility>
#include <variant>
#include <vector>

#include "libs/proof/checks.h"
#include "libs/variants/registry.h"

namespace mj::proof {
namespace {

using record::LeaveReason;
using round::AnswerBy;
using round::Event;
using rules::Seat;

std::string Place(std::size_t index) { return "events[" + std::to_string(index) + "]"; }

// What an event is called, by its place among the alternatives of round::Event.
std::string_view KindOf(const Event& event) {
  constexpr std::string_view kNames[] = {
      "the beginning", "the dice",  "the deal",  "the indicator", "a draw",
      "a question",    "an answer", "a discard", "a call",        "a kong declared",
      "a kong made",   "a leave",   "a win",     "the horses",    "the end"};
  static_assert(std::size(kNames) == std::variant_size_v<Event>);
  return kNames[event.index()];
}

std::string_view WhyNot(round::Rejection rejection) {
  switch (rejection) {
    case round::Rejection::kAlreadyBegun:
      return "the round has begun already";
    case round::Rejection::kNotBegun:
      return "the round has not begun";
    case round::Rejection::kRepeatedAnswer:
      return "it has been given before";
    case round::Rejection::kRoundOver:
      return "the round is over";
    case round::Rejection::kSeatNotNamed:
      return "an end by a seat names the seat, and no other end does";
    case round::Rejection::kAlreadyLeaving:
      return "another seat's leave is noted";
    case round::Rejection::kUnknownDecision:
      return "the seat was not asked that";
    case round::Rejection::kStaleDecision:
      return "the seat has been asked something else since";
    case round::Rejection::kAlreadyAnswered:
      return "the seat has answered that";
    case round::Rejection::kNothingHeldBack:
      return "no tile lies unclaimed";
    case round::Rejection::kDecisionClosed:
      return "the window had closed";
    case round::Rejection::kNotOffered:
      return "the seat was not offered that";
  }
  return "";
}

// An overrun after which the system may take over: late on a turn (D-COM-6), not at the dice.
bool Counts(const round::Answered& answered) {
  return answered.by == AnswerBy::kOverrun && answered.choice.kind != round::ChoiceKind::kPass &&
         answered.choice.kind != round::ChoiceKind::kRoll;
}

class Player {
 public:
  Player(const round::Setup& setup, const record::RoundRecord& record, Played& played)
      : setup_(setup), record_(record), played_(played) {}

  // Whether the event at `index` fits.
  bool Take(std::size_t index) {
    index_ = index;
    return std::visit([this](const auto& what) { return On(what); }, record_.events[index].what);
  }

  // Whether all that had to come has come.
  bool Finish() {
    index_ = record_.events.size();
    if (Refused()) return true;
    if (expected_at_ < expected_.size() && !Cut()) {
      return Wrong(Said("the record ends before ", KindOf(expected_[expected_at_])));
    }
    if (!state().over()) return Wrong("the record ends before the round does");
    const auto* over = std::get_if<round::Over>(&state().phase);
    for (const Seat seat : rules::kSeats) {
      if (leaving_[seat] && !left_[seat] && over->outcome != round::Outcome::kVoid) {
        return Wrong(Said(SeatText(seat), " said that it leaves, and did not"));
      }
    }
    return true;
  }

 private:
  round::State& state() { return played_.state; }
  bool Refused() const {
    const auto* voided = std::get_if<record::Voided>(&record_.end);
    return voided != nullptr && voided->voided.reason == record::VoidReason::kRefused;
  }

  bool Wrong(std::string text) {
    played_.misfit = Misfit{Place(index_), std::move(text)};
    return false;
  }

  // ------------------------------------------------------------------------ the engine's events

  bool On(const Event& event) {
    if (Refused()) return Wrong(Said(KindOf(event), " in a round that was not let begin"));
    if (expected_at_ < expected_.size() && expected_[expected_at_] == event) return Happen(event);
    if (expected_at_ < expected_.size() && !Cut()) {
      const std::string_view wanted = KindOf(expected_[expected_at_]);
      const std::string_view got = KindOf(event);
      if (wanted == got) return Wrong(Said(wanted, " is another than the rules give here"));
      return Wrong(Said(got, " where the rules give ", wanted));
    }
    expected_.clear();
    expected_at_ = 0;
    const std::optional<round::Command> command = CommandFor(event);
    if (!command) return false;
    round::Decision decided = round::Decide(setup_, state(), *command);
    if (const auto* rejection = std::get_if<round::Rejection>(&decided)) {
      return Wrong(Said(KindOf(event), " that cannot be: ", WhyNot(*rejection)));
    }
    expected_ = std::get<std::vector<Event>>(std::move(decided));
    if (expected_.front() == event) return Happen(event);
    if (expected_.front().index() == event.index()) {
      return Wrong(Said(KindOf(event), " is another than the rules give here"));
    }
    return Wrong(Said(KindOf(event), " where the rules give ", KindOf(expected_.front())));
  }

  // Whether the rest of what was expected may have been held back until a pause was over, and is
  // asked for by a command of its own.
  bool Cut() const {
    return expected_at_ > 0 && round::FollowsUnclaimedTile(expected_[expected_at_]);
  }

  bool Happen(const Event& event) {
    ++expected_at_;
    round::Apply(setup_, state(), event);
    if (std::holds_alternative<round::Answered>(event)) ++played_.answers;
    return true;
  }

  // The command that the event tells of.
  std::optional<round::Command> CommandFor(const Event& event) {
    if (std::holds_alternative<round::NotBegun>(state().phase)) return round::Begin{};
    if (const auto leaver = MustGo()) return VoidBy(*leaver);
    if (const auto* answered = std::get_if<round::Answered>(&event)) return AnswerOf(*answered);
    if (const auto* noted = std::get_if<round::LeaveNoted>(&event)) {
      Wrong(Said(SeatText(noted->seat), " leaves, and has not said so"));
      return std::nullopt;
    }
    if (round::FollowsUnclaimedTile(event) && round::HoldsBack(state())) return round::Proceed{};
    const auto* ended = std::get_if<round::RoundEnded>(&event);
    if (ended != nullptr && ended->outcome == round::Outcome::kVoid && !ended->seat &&
        ended->reason) {
      return round::Void{*ended->reason, std::nullopt};
    }
    Wrong(Said(KindOf(event), " that follows from nothing"));
    return std::nullopt;
  }

  std::optional<round::Command> AnswerOf(const round::Answered& answered) {
    const bool by_system = answered.by == AnswerBy::kAutoPlay;
    if (by_system != auto_play_[answered.seat]) {
      Wrong(by_system ? Said("the system answers for ", SeatText(answered.seat),
                             ", which it does not play for")
                      : Said(SeatText(answered.seat), " answers while the system plays for it"));
      return std::nullopt;
    }
    if (answered.by == AnswerBy::kPlayer) {
      return round::Act{answered.seat, answered.decision, answered.choice};
    }
    return round::Timeout{answered.seat, answered.decision, by_system};
  }

  // Who has said that it leaves, while nothing else has ended or is about to end the round.
  std::optional<Seat> MustGo() const {
    if (played_.state.over() || played_.state.leaving) return std::nullopt;
    for (const Seat seat : rules::kSeats) {
      if (leaving_[seat]) return seat;
    }
    return std::nullopt;
  }

  round::Void VoidBy(Seat seat) const {
    const bool lost = *leaving_[seat] == LeaveReason::kConnectionLost;
    return {lost ? round::VoidReason::kConnectionLost : round::VoidReason::kEscape, seat};
  }

  // -------------------------------------------------------------------------- what else happens

  // What is not the engine's stands between commands: the events of one belong together.
  bool Between() {
    if (expected_at_ < expected_.size() && !Cut()) {
      return Wrong("in the middle of events that belong together");
    }
    expected_.clear();
    expected_at_ = 0;
    return true;
  }

  bool On(const record::AutoPlaySet& set) {
    // It begins right behind the answer that was late.
    if (!(set.on && expected_at_ == 1) && !Between()) return false;
    if (state().over()) return Wrong("auto-play behind the end");
    if (auto_play_[set.seat] == set.on) return Wrong("auto-play is set to what it is");
    if (set.on) {
      const Event* before =
          index_ == 0 ? nullptr : std::get_if<Event>(&record_.events[index_ - 1].what);
      const auto* late = before == nullptr ? nullptr : std::get_if<round::Answered>(before);
      if (late == nullptr || late->seat != set.seat || !Counts(*late)) {
        return Wrong("auto-play begins, and the seat was not late on its turn");
      }
    }
    auto_play_[set.seat] = set.on;
    return true;
  }

  bool On(const record::Leaving& leaving) {
    if (!Between()) return false;
    if (state().over()) return Wrong("a seat says behind the end that it leaves");
    if (leaving.player != record_.players[leaving.seat])
      return Wrong("the seat is another player's");
    if (leaving_[leaving.seat]) return Wrong("the seat has said that it leaves");
    leaving_[leaving.seat] = leaving.reason;
    return true;
  }

  bool On(const record::Left& left) {
    if (!Between()) return false;
    if (!state().over()) return Wrong("a seat is given up in the middle of play");
    if (left.player != record_.players[left.seat]) return Wrong("the seat is another player's");
    if (std::exchange(left_[left.seat], true)) return Wrong("the seat has been given up");
    if (leaving_[left.seat] && *leaving_[left.seat] != left.reason) {
      return Wrong("the seat said another reason when it left");
    }
    return true;
  }

  bool On(const record::HandShown& shown) {
    if (!Between()) return false;
    if (shown.player != record_.players[shown.seat]) return Wrong("the seat is another player's");
    std::optional<bool>& before = shown_[shown.seat];
    if (before == shown.show) return Wrong("the hand is shown or hidden already");
    before = shown.show;
    return true;
  }

  bool On(const record::ClocksRestarted&) { return Between(); }

  const round::Setup& setup_;
  const record::RoundRecord& record_;
  Played& played_;
  std::size_t index_ = 0;
  std::vector<Event> expected_;  // of the latest command
  std::size_t expected_at_ = 0;  // those that have come
  rules::PerSeat<bool> auto_play_;
  rules::PerSeat<std::optional<LeaveReason>> leaving_;
  rules::PerSeat<bool> left_;
  rules::PerSeat<std::optional<bool>> shown_;  // before the round: not known
};

}  // namespace

const rules::Variant* FindRules(std::string_view variant, std::string_view rulebook_version) {
  const rules::Variant* present = variants::Find(variant);
  if (present == nullptr) return nullptr;
  if (rules::RulebookVersion(*present) == rulebook_version) return present;
  for (const rules::Variant* former : present->former()) {
    if (rules::RulebookVersion(*former) == rulebook_version) return former;
  }
  return nullptr;
}

std::optional<round::Setup> SetupOf(const rules::Variant& game, const record::RoundRecord& record) {
  const auto options = rules::ParseOptions(game.options(), record.options);
  if (!std::holds_alternative<rules::Options>(options) || !record.dice) return std::nullopt;
  auto setup = round::MakeSetup({.variant = &game,
                                 .options = std::get<rules::Options>(options),
                                 .dealer = record.dealer,
                                 .round_wind = record.round_wind,
                                 .seat_winds = record.seat_winds,
                                 .dice = {static_cast<std::uint8_t>(record.dice->first),
                                          static_cast<std::uint8_t>(record.dice->second)},
                                 .wall = record.wall});
  if (!std::holds_alternative<round::Setup>(setup)) return std::nullopt;
  return std::get<round::Setup>(std::move(setup));
}

Played ReplayPlay(const round::Setup& setup, const record::RoundRecord& record,
                  const SeeEvent& see) {
  Played played;
  Player player(setup, record, played);
  for (std::size_t i = 0; i < record.events.size(); ++i) {
    if (!player.Take(i)) return played;
    ++played.events;
    if (see) see(i, played.state);
  }
  (void)player.Finish();
  return played;
}

}  // namespace mj::proof
