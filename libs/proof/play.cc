// The play, and how it ended.
#include "libs/proof/checks.h"

namespace mj::proof {
namespace {

using rules::Seat;

std::string WinText(const rules::Win& win) {
  std::string text = SeatText(win.seat);
  switch (win.way) {
    case rules::WinWay::kSelfDraw:
      return text + " by self-draw";
    case rules::WinWay::kDiscard:
      text += " on a discard";
      break;
    case rules::WinWay::kRobbedKong:
      text += " robbing a kong";
      break;
  }
  return win.from ? Said(text, " of ", SeatText(*win.from)) : text;
}

// A round of which nothing was played.
Checked CheckRefused(const Case& the) {
  const record::RoundVoided& voided = the.voided()->voided;
  if (voided.escaped) return Misfit{"voided.voided.escaped_seat", "nobody escapes from no round"};
  if (voided.penalty) return Misfit{"voided.voided.penalty", "nobody escaped"};
  if (the.voided()->row) return Misfit{"voided.row", "a round that was not begun has none"};
  return Proved{"the wallet did not let it begin"};
}

Checked CheckVoided(Case& the, const round::Over& over) {
  const record::RoundVoided& voided = the.voided()->voided;
  // What was played to its end and could not be scored is an operator's to end.
  if (over.outcome != round::Outcome::kVoid && voided.reason == record::VoidReason::kOperator) {
    if (voided.escaped) return Misfit{"voided.voided.escaped_seat", "nobody escaped"};
    if (voided.penalty) return Misfit{"voided.voided.penalty", "nobody escaped"};
    if (!the.voided()->row) return Misfit{"voided.row", "missing"};
    the.not_provable.push_back("why an operator made void what was played to its end");
    return Proved{"void: an operator ended it before it was scored"};
  }
  if (over.outcome != round::Outcome::kVoid || !over.reason) {
    return Misfit{"voided", "the play was not void"};
  }
  if (voided.reason != record::ReasonOf(*over.reason)) {
    return Misfit{"voided.voided.reason", "another reason than the play ended for"};
  }
  if (voided.escaped != over.seat) {
    return Misfit{"voided.voided.escaped_seat", "not the seat that made it void"};
  }
  if (voided.penalty.has_value() != voided.escaped.has_value()) {
    return Misfit{"voided.voided.penalty", "an escape has one, and nothing else"};
  }
  if (!the.voided()->row) return Misfit{"voided.row", "missing"};
  return Proved{over.seat ? Said("void: ", SeatText(*over.seat), " escaped")
                          : "void: nobody escaped"};
}

}  // namespace

Checked CheckPlay(Case& the) {
  if (!the.setup) {
    // Whatever happened here, none of it is play.
    for (std::size_t i = 0; i < the.record.events.size(); ++i) {
      if (std::holds_alternative<round::Event>(the.record.events[i].what)) {
        return Misfit{Said("events[", std::to_string(i), "]"), "play without a deal"};
      }
    }
    return Nothing{"nothing was played"};
  }
  the.played = ReplayPlay(*the.setup, the.record);
  if (the.played->misfit) return *the.played->misfit;
  if (the.refused()) return Nothing{"nothing was played"};
  the.not_provable.push_back(
      "whether a player was late where the system gave the answer that the player could have "
      "given");
  return Proved{Said(Count(the.record.events.size(), "event"), " are what the rules make of ",
                     Count(the.played->answers, "answer"),
                     ": each was offered, each draw is the wall's tile")};
}

Checked CheckOutcome(Case& the) {
  if (the.refused()) return CheckRefused(the);
  const auto* over = std::get_if<round::Over>(&the.played->state.phase);
  if (over == nullptr) return Misfit{"events", "the round is not over"};
  if (the.voided() != nullptr) return CheckVoided(the, *over);
  if (over->outcome == round::Outcome::kVoid) return Misfit{"settled", "the play was void"};
  if (over->outcome == round::Outcome::kExhausted) return Proved{"exhausted wall"};
  std::string text = "won by ";
  bool first = true;
  for (const rules::Win& win : the.played->state.wins) {
    text += Said(first ? "" : " and ", WinText(win));
    first = false;
  }
  return Proved{std::move(text)};
}

}  // namespace mj::proof
