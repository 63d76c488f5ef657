// What happens in a round. Events hold the full truth, hidden tiles too, and are the only thing
// that changes a State; what one seat may see of them is in view.h.
//
// A round is one line of these, in this order:
//
//   RoundBegan [Asked Answered] DiceRolled Dealt Drew(kDealt) [IndicatorTurned]
//   then turns:    Asked Answered  ┬ Discarded ─ [Asked Answered…] ┬ Called ─ turn without a draw
//                                  │                               ├ KongMade ─ Drew(kReplacement)
//                                  │                               ├ Won
//                                  │                               └ Drew(kWall) ─ next seat's turn
//                                  ├ KongDeclared ─ [Asked Answered…] ┬ KongMade ─
//                                  Drew(kReplacement) │                                  └ Won (the
//                                  kong is robbed) ├ KongMade (concealed) ─ Drew(kReplacement) └
//                                  Won
//   and the end:   Won [HorsesTurned] RoundEnded | RoundEnded (exhausted, void)
//
// [Asked …] stands only where somebody has something to decide. The events of one Decide belong
// together: a table journals and applies all of them or none.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "libs/round/choice.h"
#include "libs/round/setup.h"
#include "libs/rules/hand.h"

namespace mj::round {

using rules::CalledMeld;
using rules::Deal;
using rules::Kong;
using rules::MeldKind;
using rules::Melds;
using rules::Win;
using Wins = InlineVector<Win, rules::kMaxWins>;
using Horses = InlineVector<Tile, rules::kMaxHorses>;

// A seat's decisions of one round are numbered 1, 2, 3… for each seat on its own: a number that
// counted other seats' decisions too would tell a seat that others were asked.
using DecisionId = std::uint32_t;

// What one seat is asked.
struct Ask {
  DecisionId decision = 0;
  Offer offer;
  bool operator==(const Ask&) const = default;
};

enum class DrawKind : std::uint8_t {
  kDealt,        // the dealer's fourteenth tile, which counts as drawn (PLAY-02)
  kWall,         // from the front
  kReplacement,  // a kong's, from the back
};

enum class AnswerBy : std::uint8_t {
  kPlayer,
  kOverrun,   // the seat was late (COM-09)
  kAutoPlay,  // the system plays for the seat (COM-09)
  kAbsence,   // the seat has left while a window was open: a pass (COM-10)
};

enum class Outcome : std::uint8_t { kWin, kExhausted, kVoid };

enum class VoidReason : std::uint8_t {
  kEscape,          // left, or closed the client (主动逃跑)
  kConnectionLost,  // 断线逃跑
  kAllAbsent,       // all four at once: nobody escaped
  kOperator,
};

// ------------------------------------------------------------------------------------ events

// `deal`: dealer, winds, and the wild kind where the options fix it.
struct RoundBegan {
  Deal deal;
  bool operator==(const RoundBegan&) const = default;
};

struct DiceRolled {
  Dice faces{};
  bool operator==(const DiceRolled&) const = default;
};

// Thirteen tiles to each seat.
struct Dealt {
  PerSeat<TileCounts> hands;
  bool operator==(const Dealt&) const = default;
};

// The wall's last tile was turned; it stays out of play (JY-50, PLAY-10).
struct IndicatorTurned {
  Tile indicator;
  Tile wild;
  bool operator==(const IndicatorTurned&) const = default;
};

struct Drew {
  Seat seat = Seat::k0;
  Tile tile;  // hidden from others
  DrawKind kind = DrawKind::kWall;
  std::uint8_t left = 0;  // tiles left in the wall afterwards
  bool operator==(const Drew&) const = default;
};

// Whoever has something to decide now. Each seat sees its own part, and nothing when it has none.
struct Asked {
  // By hand, so that asks which nobody looks at are not cleared first: half of what asking costs.
  Asked() {}  // NOLINT(modernize-use-equals-default)

  PerSeat<std::optional<Ask>> asks;
  bool operator==(const Asked&) const = default;
};

// A seat's answer to its open decision. Only that seat sees it; what comes of it, if anything, are
// the events that follow, at once on a turn, when the window closes otherwise.
struct Answered {
  Seat seat = Seat::k0;
  DecisionId decision = 0;
  Choice choice;
  AnswerBy by = AnswerBy::kPlayer;
  bool operator==(const Answered&) const = default;
};

struct Discarded {
  Seat seat = Seat::k0;
  Tile tile;
  bool operator==(const Discarded&) const = default;
};

// A chow or pung on the last discard.
struct Called {
  Seat seat = Seat::k0;
  CalledMeld meld;     // `from` is the discarder
  Tile tile;           // the tile claimed
  bool kills = false;  // SG-43: from now on the discarder alone pays
  bool operator==(const Called&) const = default;
};

// A seat adds `tile` to its pung; the kong stands when nobody robs it.
struct KongDeclared {
  Seat seat = Seat::k0;
  Tile tile;
  bool operator==(const KongDeclared&) const = default;
};

// A kong of any sort is complete; the replacement follows.
struct KongMade {
  Kong kong;
  bool operator==(const KongMade&) const = default;
};

// A seat left while a claim window was open: it is void once the window closes without a win
// (COM-10). Nobody sees it before that.
struct LeaveNoted {
  Seat seat = Seat::k0;
  VoidReason reason = VoidReason::kEscape;
  bool operator==(const LeaveNoted&) const = default;
};

// In turn order after the discarder or the kong's owner (PLAY-15). All of them are legal.
struct Won {
  Wins wins;
  bool operator==(const Won&) const = default;
};

struct HorsesTurned {
  Horses horses;
  bool operator==(const HorsesTurned&) const = default;
};

// The last event of a round.
struct RoundEnded {
  Outcome outcome = Outcome::kExhausted;
  std::optional<VoidReason> reason;  // kVoid only
  std::optional<Seat> seat;          // kVoid by one seat only
  bool operator==(const RoundEnded&) const = default;
};

using Event =
    std::variant<RoundBegan, DiceRolled, Dealt, IndicatorTurned, Drew, Asked, Answered, Discarded,
                 Called, KongDeclared, KongMade, LeaveNoted, Won, HorsesTurned, RoundEnded>;

}  // namespace mj::round
