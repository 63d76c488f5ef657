// The events of a round as sentences.
#pragma once

#include <optional>
#include <string>

#include "libs/narration/sentence.h"
#include "libs/record/round_record.h"
#include "libs/round/choice.h"
#include "libs/round/event.h"
#include "libs/round/view.h"
#include "libs/rules/variant.h"

namespace mj::narration {

// Tells a round::Event whole, hidden tiles too: for rounds that are over. A round::SeatEvent has only what
// its viewer may see. Immutable, thread-safe.
class Narrator {
 public:
  // `game` outlives it. `names`: what to call each seat, e.g. "2 juan".
  Narrator(const rules::Variant& game, rules::PerSeat<std::string> names);

  // One sentence, never empty in either language, without a full stop.
  [[nodiscard]] Sentence Tell(const round::Event& event) const;
  // The same of what the player at `own` is shown.
  [[nodiscard]] Sentence Tell(const round::SeatEvent& event, rules::Seat own) const;
  // The same of whatever a round's record tells.
  [[nodiscard]] Sentence TellRecorded(const record::What& what) const;

  // What a seat may do, one choice after the other, all discards in one: "win, pass".
  [[nodiscard]] Sentence Tell(const round::Offer& offer) const;
  [[nodiscard]] Sentence Tell(const round::Choice& choice) const;

  [[nodiscard]] const std::string& NameOf(rules::Seat seat) const { return names_[seat]; }

 private:
  void Say(const round::RoundBegan& event, Sentence& out) const;
  void Say(const round::DiceRolled& event, Sentence& out) const;
  void Say(const round::Dealt& event, Sentence& out) const;
  void Say(const round::IndicatorTurned& event, Sentence& out) const;
  void Say(const round::Drew& event, Sentence& out) const;
  void Say(rules::Seat seat, round::DrawKind kind, std::optional<tiles::Tile> tile, int left,
           Sentence& out) const;
  void Say(const round::Asked& event, Sentence& out) const;
  void Say(const round::Answered& event, Sentence& out) const;
  void Say(const round::Discarded& event, Sentence& out) const;
  void Say(const round::Called& event, Sentence& out) const;
  void Say(const round::KongDeclared& event, Sentence& out) const;
  void Say(const round::KongMade& event, Sentence& out) const;
  void Say(const round::LeaveNoted& event, Sentence& out) const;
  void Say(const round::Won& event, Sentence& out) const;
  void Say(const round::HorsesTurned& event, Sentence& out) const;
  void Say(const round::RoundEnded& event, Sentence& out) const;
  void Say(const round::Event& event, Sentence& out) const;
  void Say(const record::AutoPlaySet& event, Sentence& out) const;
  void Say(const record::Leaving& event, Sentence& out) const;
  void Say(const record::Left& event, Sentence& out) const;
  void Say(const record::ClocksRestarted& event, Sentence& out) const;
  void Say(const record::HandShown& event, Sentence& out) const;
  void Say(const round::Choice& choice, Sentence& out) const;
  void Say(const round::Offer& offer, Sentence& out) const;
  [[nodiscard]] Words WordsOf(rules::MeldKind kind) const;

  const rules::Variant& game_;
  rules::PerSeat<std::string> names_;
};

}  // namespace mj::narration
