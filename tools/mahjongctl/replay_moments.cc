#include "tools/mahjongctl/replay_moments.h"

#include <utility>
#include <variant>

#include "libs/base/strings.h"
#include "libs/console/text.h"
#include "libs/narration/words.h"
#include "tools/mahjongctl/record_file.h"

namespace mj::mahjongctl {
namespace {

using base::Cat;
using narration::Sentence;
using rules::Seat;

constexpr std::size_t kNameMax = 16;

std::string NameOf(Seat seat, const std::string& player) {
  // Ids of one kind begin alike.
  const std::string tail =
      player.size() <= kNameMax ? player : player.substr(player.size() - kNameMax);
  return Cat(std::to_string(rules::IndexOf(seat)), " ", Printable(tail));
}

void SayPaid(const rules::PerSeat<record::SeatPosted>& seats,
             const rules::PerSeat<std::string>& names, Sentence& out) {
  bool first = true;
  for (const Seat seat : rules::kSeats) {
    if (!std::exchange(first, false)) out.Say(";");
    out.Say(names[seat]).Say(console::Signed(seats[seat].net)).Say("=");
    out.Say(console::Grouped(seats[seat].balance));
  }
}

}  // namespace

rules::PerSeat<std::string> NamesOf(const record::RoundRecord& record) {
  rules::PerSeat<std::string> names;
  for (const Seat seat : rules::kSeats) {
    names[seat] = NameOf(seat, record.bots[seat] ? "bot" : record.players[seat]);
  }
  return names;
}

std::optional<Replay> ReplayOf(const record::RoundRecord& record) {
  Replay replay;
  replay.game = proof::FindRules(record.variant, record.rulebook_version);
  if (replay.game == nullptr) return std::nullopt;
  const auto setup = proof::SetupOf(*replay.game, record);
  if (!setup) return replay;
  const narration::Narrator narrator(*replay.game, NamesOf(record));
  rules::PerSeat<bool> auto_play;
  proof::Played played =
      proof::ReplayPlay(*setup, record, [&](std::size_t index, const round::State& state) {
        const record::RecordedEvent& event = record.events[index];
        if (const auto* set = std::get_if<record::AutoPlaySet>(&event.what)) {
          auto_play[set->seat] = set->on;
        }
        replay.moments.push_back(
            {event.time, narrator.TellRecorded(event.what), index, state, auto_play});
      });
  replay.misfit = std::move(played.misfit);
  return replay;
}

std::vector<Sentence> OutcomeOf(const record::RoundRecord& record) {
  return OutcomeOf(record, NamesOf(record));
}

std::vector<Sentence> OutcomeOf(const record::RoundRecord& record,
                                const rules::PerSeat<std::string>& names) {
  std::vector<Sentence> out;
  if (const auto* settled = std::get_if<record::Settled>(&record.end)) {
    SayPaid(settled->posted.seats, names, out.emplace_back().Say(narration::kPaid).Say(":"));
    for (const record::Shortfall& shortfall : settled->posted.shortfalls) {
      constexpr narration::Words kShort = {"未能付给", "could not pay"};
      out.emplace_back()
          .Say(names[shortfall.from])
          .Say(kShort)
          .Say(names[shortfall.to])
          .Say(console::Grouped(shortfall.coins));
    }
    return out;
  }
  const record::RoundVoided& voided = std::get<record::Voided>(record.end).voided;
  out.emplace_back().Say(narration::kVoid).Say(":").Say(narration::WordsFor(voided.reason));
  if (voided.escaped) out.back().Say(names[*voided.escaped]);
  if (voided.penalty) {
    SayPaid(voided.penalty->seats, names, out.emplace_back().Say(narration::kPaid).Say(":"));
  }
  return out;
}

ShownHand HandOf(const round::State& state, Seat seat) {
  ShownHand hand{state.seats[seat].hand.concealed, std::nullopt};
  const auto* turn = std::get_if<round::Turn>(&state.phase);
  if (turn == nullptr || turn->seat != seat || !turn->drawn || !hand.resting.Has(*turn->drawn)) {
    return hand;
  }
  hand.resting.Remove(*turn->drawn);
  hand.drawn = turn->drawn;
  return hand;
}

std::optional<Seat> ActorOf(const round::State& state) {
  if (const auto* turn = std::get_if<round::Turn>(&state.phase)) return turn->seat;
  if (const auto* window = std::get_if<round::Window>(&state.phase)) return window->from;
  if (const auto* robbery = std::get_if<round::Robbery>(&state.phase)) return robbery->owner;
  if (const auto* replacing = std::get_if<round::Replacing>(&state.phase)) return replacing->seat;
  return std::nullopt;
}

}  // namespace mj::mahjongctl
