#include "libs/narration/narrator.h"

#include <string_view>
#include <utility>
#include <variant>

#include "libs/narration/words.h"
#include "libs/receipt/names.h"

namespace mj::narration {

using round::Choice;
using round::ChoiceKind;
using rules::MeldKind;
using rules::Seat;

Narrator::Narrator(const rules::Variant& game, rules::PerSeat<std::string> names)
    : game_(game), names_(std::move(names)) {}

Sentence Narrator::Tell(const round::Event& event) const {
  Sentence out;
  Say(event, out);
  return out;
}

Sentence Narrator::Tell(const round::SeatEvent& event, Seat own) const {
  Sentence out;
  if (const auto* dealt = std::get_if<round::HandDealt>(&event)) {
    out.Say(kDealt);
    if (dealt->hand) out.Say(":").Say(NameOf(own)).Say(*dealt->hand);
  } else if (const auto* drew = std::get_if<round::SeatDrew>(&event)) {
    Say(drew->seat, drew->kind, drew->tile, drew->left, out);
  } else if (const auto* asked = std::get_if<round::YouAreAsked>(&event)) {
    out.Say(NameOf(own)).Say(kMay);
    Say(asked->ask.offer, out);
  } else if (const auto* answered = std::get_if<round::YouAnswered>(&event)) {
    Say(round::Answered{own, answered->decision, answered->choice, answered->by}, out);
  } else {
    std::visit(
        [&](const auto& same) {
          if constexpr (requires { round::Event(same); }) Say(same, out);
        },
        event);
  }
  return out;
}

Sentence Narrator::TellRecorded(const record::What& what) const {
  Sentence out;
  std::visit([&](const auto& each) { Say(each, out); }, what);
  return out;
}

Sentence Narrator::Tell(const round::Offer& offer) const {
  Sentence out;
  Say(offer, out);
  return out;
}

Sentence Narrator::Tell(const Choice& choice) const {
  Sentence out;
  Say(choice, out);
  return out;
}

Words Narrator::WordsOf(MeldKind kind) const { return receipt::WordsForMeld(game_, kind); }

void Narrator::Say(const round::RoundBegan& event, Sentence& out) const {
  out.Say(kDealer).Say(NameOf(event.deal.dealer));
  if (event.deal.round_wind) out.Say(",").Say(kRoundWind).Say(*event.deal.round_wind);
  if (event.deal.wild) out.Say(",").Say(kWild).Say(*event.deal.wild);
}

void Narrator::Say(const round::DiceRolled& event, Sentence& out) const {
  out.Say(kDice);
  for (const std::uint8_t face : event.faces) out.Say(std::to_string(face));
}

void Narrator::Say(const round::Dealt&, Sentence& out) const { out.Say(kDealt); }

void Narrator::Say(const round::IndicatorTurned& event, Sentence& out) const {
  out.Say(kTurned).Say(event.indicator).Say(",").Say(kWild).Say(event.wild);
}

void Narrator::Say(const round::Drew& event, Sentence& out) const {
  Say(event.seat, event.kind, event.tile, event.left, out);
}

void Narrator::Say(Seat seat, round::DrawKind kind, std::optional<tiles::Tile> tile, int left,
                   Sentence& out) const {
  out.Say(NameOf(seat)).Say(kind == round::DrawKind::kReplacement ? kDrawsForKong : kDraws);
  if (tile) out.Say(*tile);
  out.Say(",").Say(std::to_string(left)).Say(kLeft);
}

void Narrator::Say(const round::Asked& event, Sentence& out) const {
  bool first = true;
  for (const Seat seat : rules::kSeats) {
    if (!event.asks[seat]) continue;
    if (!std::exchange(first, false)) out.Say(";");
    out.Say(NameOf(seat)).Say(kMay);
    Say(event.asks[seat]->offer, out);
  }
}

void Narrator::Say(const round::Answered& event, Sentence& out) const {
  out.Say(NameOf(event.seat)).Say(kChooses);
  Say(event.choice, out);
  if (event.by != round::AnswerBy::kPlayer) out.Say("(").Say(WordsFor(event.by)).Say(")");
}

void Narrator::Say(const round::Discarded& event, Sentence& out) const {
  out.Say(NameOf(event.seat)).Say(kThrows).Say(event.tile);
}

void Narrator::Say(const round::Called& event, Sentence& out) const {
  out.Say(NameOf(event.seat)).Say(WordsOf(event.meld.meld.kind)).Say(event.meld.meld);
  if (event.meld.from) out.Say(kFrom).Say(NameOf(*event.meld.from));
}

void Narrator::Say(const round::KongDeclared& event, Sentence& out) const {
  constexpr Words kAdds = {"欲", "adds to its pung"};
  out.Say(NameOf(event.seat)).Say(kAdds).Say(WordsOf(MeldKind::kAddedKong)).Say(event.tile);
}

void Narrator::Say(const round::KongMade& event, Sentence& out) const {
  const rules::Kong& kong = event.kong;
  out.Say(NameOf(kong.seat)).Say(WordsOf(kong.kind)).Say(tiles::Meld{kong.kind, kong.tile});
  if (kong.from) out.Say(kFrom).Say(NameOf(*kong.from));
}

void Narrator::Say(const round::LeaveNoted& event, Sentence& out) const {
  out.Say(NameOf(event.seat)).Say(kLeaves).Say(":").Say(WordsFor(event.reason));
}

void Narrator::Say(const round::Won& event, Sentence& out) const {
  bool first = true;
  for (const rules::Win& win : event.wins) {
    if (!std::exchange(first, false)) out.Say(";");
    out.Say(NameOf(win.seat)).Say(kWins).Say(win.tile).Say(",");
    out.Say(receipt::WordsFor(game_.info(), win.way));
    if (win.from) out.Say(kFrom).Say(NameOf(*win.from));
  }
}

void Narrator::Say(const round::HorsesTurned& event, Sentence& out) const {
  out.Say(kHorses);
  for (const tiles::Tile horse : event.horses) out.Say(horse);
}

void Narrator::Say(const round::RoundEnded& event, Sentence& out) const {
  switch (event.outcome) {
    case round::Outcome::kWin:
      out.Say(kOver);
      return;
    case round::Outcome::kExhausted:
      out.Say(kExhausted);
      return;
    case round::Outcome::kVoid:
      out.Say(kVoid);
      if (event.reason) out.Say(":").Say(WordsFor(*event.reason));
      if (event.seat) out.Say(NameOf(*event.seat));
      return;
  }
}

void Narrator::Say(const round::Event& event, Sentence& out) const {
  std::visit([&](const auto& each) { Say(each, out); }, event);
}

void Narrator::Say(const record::AutoPlaySet& event, Sentence& out) const {
  out.Say(NameOf(event.seat)).Say(event.on ? kSystemPlays : kPlaysAgain);
}

void Narrator::Say(const record::Leaving& event, Sentence& out) const {
  constexpr Words kSays = {"要离开", "says that it leaves"};
  out.Say(NameOf(event.seat)).Say(kSays).Say(":").Say(WordsFor(event.reason));
}

void Narrator::Say(const record::Left& event, Sentence& out) const {
  out.Say(NameOf(event.seat)).Say(kLeaves).Say(":").Say(WordsFor(event.reason));
}

void Narrator::Say(const record::ClocksRestarted&, Sentence& out) const {
  out.Say(kClocksRestarted);
}

void Narrator::Say(const record::HandShown& event, Sentence& out) const {
  out.Say(NameOf(event.seat)).Say(event.show ? kHandShown : kHandHidden);
}

void Narrator::Say(const Choice& choice, Sentence& out) const {
  switch (choice.kind) {
    case ChoiceKind::kWin:
      out.Say(kWin);
      return;
    case ChoiceKind::kPass:
      out.Say(kPass);
      return;
    case ChoiceKind::kPung:
      out.Say(WordsOf(MeldKind::kPung));
      return;
    case ChoiceKind::kChow: {
      tiles::TileCounts tiles;
      tiles.Add(choice.tile);
      tiles.Add(choice.other);
      out.Say(WordsOf(MeldKind::kChow)).Say(tiles);
      return;
    }
    case ChoiceKind::kDiscardKong:
      out.Say(WordsOf(MeldKind::kDiscardKong)).Say(choice.tile);
      return;
    case ChoiceKind::kAddedKong:
      out.Say(WordsOf(MeldKind::kAddedKong)).Say(choice.tile);
      return;
    case ChoiceKind::kConcealedKong:
      out.Say(WordsOf(MeldKind::kConcealedKong)).Say(choice.tile);
      return;
    case ChoiceKind::kDiscard:
      out.Say(kDiscard).Say(choice.tile);
      return;
    case ChoiceKind::kRoll:
      out.Say(kRoll);
      return;
  }
}

void Narrator::Say(const round::Offer& offer, Sentence& out) const {
  bool first = true;
  tiles::TileCounts discards;
  const auto next = [&] {
    if (!std::exchange(first, false)) out.Say(",");
  };
  round::ForEachChoice(offer, [&](const Choice& choice) {
    if (choice.kind == ChoiceKind::kDiscard) {
      discards.Add(choice.tile);
    } else {
      next();
      Say(choice, out);
    }
  });
  if (discards.empty()) return;
  next();
  out.Say(kDiscard).Say(discards);
}

}  // namespace mj::narration
