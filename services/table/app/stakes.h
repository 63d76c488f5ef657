// How a table comes to its stakes, and keeps them (GD-90, SG-51, D-CZ-10). Pure: time and chance are
// handed in, and what is kept here is a part of the table's state, written by Apply only.
//
//   agreement (GD-90)      the first at an empty table is asked to propose; everybody else is asked
//                          to accept, whoever comes later too; a refusal is a leave. The base stays
//                          while its proposer does. When that one goes it is void, and somebody of
//                          those who are left, drawn, is asked to propose: all accept anew.
//   first player (SG-51)   likewise, with the options that are the first player's; nobody is asked
//                          to accept: whoever does not like it does not say that it plays on.
//   coins (CZ-70, D-CZ-10) the lowest of the four players' tiers, and never above the base of the
//                          room in which the table was made.
//
// At a table that was made with its players their tickets named the base: that was their consent, and
// the first of them counts as the proposer.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "services/table/app/model.h"
#include "services/table/app/peers.h"

namespace mj::table {

struct ConsentAsked;
struct StakesAccepted;
struct StakesAsked;
struct StakesProposed;
struct TableState;

enum class StakesQuestion : std::uint8_t { kPropose, kAccept };

// A question that one seat has yet to answer. No answer in time is a leave (COM-14).
struct StakesPrompt {
  StakesQuestion about = StakesQuestion::kPropose;
  int number = 0;
  WallTime due{};
  bool operator==(const StakesPrompt&) const = default;
};

// What a seat answers. A refusal is an answer to either question, and leaves the table.
struct StakesAnswer {
  enum class Kind : std::uint8_t { kPropose, kAccept, kRefuse };
  Kind kind = Kind::kAccept;
  Coins base = 0;       // kPropose
  OptionTexts options;  // kPropose: those that are the first player's; what is left out stays
  bool operator==(const StakesAnswer&) const = default;
};

// A question that a seat was once asked, and its answer, if it gave one.
struct StakesAsking {
  int number = 0;
  std::optional<StakesAnswer> answer;
  bool operator==(const StakesAsking&) const = default;
};

struct Stakes {
  std::optional<Seat> first;     // sat down at an empty table, and was not asked yet
  std::optional<Seat> proposer;  // whose the base is; it is seated
  int asked = 0;                 // questions so far
  PerSeat<std::optional<StakesPrompt>> prompts;
  std::vector<Coins> bases;  // that whoever is asked to propose may name
  PerSeat<bool> agreed;
  PerSeat<std::vector<StakesAsking>> askings;  // of whoever sits there, the oldest first
};

// What whoever is asked to propose may choose besides the base.
struct OptionChoice {
  std::string name;
  std::vector<std::string> values;
  std::string now;  // as it stands
  bool operator==(const OptionChoice&) const = default;
};
[[nodiscard]] std::vector<OptionChoice> FirstPlayersChoices(const TableState& state);

// The name of a seat's question outside. Rounds count from 1, so none of theirs is one of these.
[[nodiscard]] constexpr DecisionRef StakesRef(int number) {
  return static_cast<DecisionRef>(number);
}

// What the seat was asked under that name; nullptr: nothing.
[[nodiscard]] const StakesAsking* FindAsking(const TableState& state, Seat seat,
                                             DecisionRef decision);

// Whether there is a base, and everybody who sits there has agreed to it where the game asks for that.
[[nodiscard]] bool StakesSettled(const TableState& state);

// Whether somebody has to be asked for them: to propose; to accept. Never both.
[[nodiscard]] bool WantsProposal(const TableState& state);
[[nodiscard]] bool WantsConsent(const TableState& state);

// The base for which the wallet is to hold the seat of whoever sits there; 0: of the game's least
// room.
[[nodiscard]] Coins HoldBaseOf(const TableState& state, Seat seat);
// …and of whoever would take a seat.
[[nodiscard]] Coins JoinBaseOf(const TableState& state);

// The least room of a game; nullptr when there is none.
[[nodiscard]] const Room* LeastRoom(std::span<const Room> rooms);

// Where the base comes from the coins: what it has to be, by the coins of the four; who reaches no room
// counts for the least. REQUIRES: all_seated(), there are rooms, amounts are within 2^53.
[[nodiscard]] Coins BaseOfCoins(const TableState& state, std::span<const Room> rooms,
                                const PerSeat<Coins>& balances);

// Who is asked to propose now: the first who came, or else somebody of those who sit there, by
// `draw`, which is uniform in 0 to kDraws - 1. REQUIRES: WantsProposal.
inline constexpr int kDraws = 12;  // divisible by 1, 2, 3 and 4
[[nodiscard]] Seat NextProposer(const TableState& state, int draw);

// The bases that whoever has so many coins may name, rising.
[[nodiscard]] std::vector<Coins> BasesFor(Coins balance, std::span<const Room> rooms);

// Parts of Apply. `now`: when it happened.
void FoldStakes(TableState& state, const StakesAsked& event, WallTime now);
void FoldStakes(TableState& state, const StakesProposed& event);
void FoldStakes(TableState& state, const ConsentAsked& event, WallTime now);
void FoldStakes(TableState& state, const StakesAccepted& event);
void FoldMade(TableState& state);
void FoldTaken(TableState& state, Seat seat);
void FoldLeft(TableState& state, Seat seat);

// Every open question gets its full time again.
void RestartPrompts(TableState& state, WallTime now);
// The one that is due first.
[[nodiscard]] std::optional<Seat> FirstPrompt(const TableState& state);

}  // namespace mj::table
