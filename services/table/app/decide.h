// What a command does to a table: the events that follow from it, or why it is refused.
//
// Pure: nothing here keeps state, reads a clock or draws a number. Events are to be journalled all
// or none, and then applied. No events: the command is fine and changes nothing.
//
// Failures carry a reason of the one table (libs/base/reasons.h); the first that applies, in the
// order named, TABLE_CLOSED before all of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/fairness/commitment.h"
#include "libs/round/choice.h"
#include "services/table/app/peers.h"
#include "services/table/app/state.h"

namespace mj::table {

using Events = std::vector<TableEvent>;

// UNKNOWN_VARIANT.
[[nodiscard]] absl::StatusOr<const rules::Variant*> FindGame(const std::string& variant);

// A table as it is asked for: `options` may leave out what has its default. Fills in the defaults.
// UNKNOWN_VARIANT, UNKNOWN_OPTION, OPTION_OUT_OF_RANGE, BAD_BASE (one that cannot be; none, with
// players; one, at an empty table whose players are to find it), DUPLICATE_PLAYER,
// BOTS_FOR_PRACTICE_ONLY (at a table where coins are played for, or without a player).
// REQUIRES: no player on a bot's seat; bots get their ids with the table's (SeatBots).
[[nodiscard]] absl::StatusOr<TableSpec> CheckSpec(TableSpec asked);

// Puts the bots that were asked for on their seats.
void SeatBots(const TableId& table, TableSpec& spec);

// Seats a player: at `seat`, or anywhere. Nothing to do for one who sits already, unless elsewhere.
// SEAT_TAKEN, TABLE_FULL (metadata: watchable, "true" or "false").
// `token_hash` is the seat's from then on (TableSpec).
[[nodiscard]] absl::StatusOr<Events> DecideJoin(
    const TableState& state, const PlayerId& player, std::optional<Seat> seat,
    const std::optional<audit::Digest>& token_hash = std::nullopt);

// Where a player sits who has not left. TABLE_CLOSED, NOT_SEATED.
[[nodiscard]] absl::StatusOr<Seat> SeatedAt(const TableState& state, const PlayerId& player);

// The seat of who asks for what is that seat's alone. A seat that needs no token is opened with any. How
// long it takes tells nothing of the right token. NOT_SEATED, BAD_JOIN_TOKEN.
[[nodiscard]] absl::StatusOr<Seat> OpenSeat(const TableState& state, const Asker& who);

// `round_number` 0: whichever is next. `nonce_hash`: of the nonce that the player is going to reveal,
// if it has one. Nothing to do for a round that has begun, or when ready already: with another hash,
// or with none, what was said first stands. NOT_SEATED, ROUND_IN_PROGRESS.
[[nodiscard]] absl::StatusOr<Events> DecideReady(
    const TableState& state, const PlayerId& player, int round_number,
    const std::optional<fairness::Digest>& nonce_hash = std::nullopt);

// A player reveals its nonce for a round that has begun and is not dealt (libs/fairness/SPEC.md 1).
// `answer` is what the player is told; `events` are to be journalled whatever that is: of the nonces
// that do not count the first is kept, to be told as what came of it, and one that counts may
// still follow it. The one that counts may be sent again, however late in its round or after it.
// NOT_SEATED, ROUND_NOT_IN_PROGRESS (it has not begun, or the player has no part in it),
// NONCE_TOO_LATE (the deal is drawn; a round before), NONCE_NOT_COMMITTED, BAD_NONCE (its length, or it
// does not hash to what came with ready).
struct Reveal {
  absl::Status answer;
  Events events{};
};
[[nodiscard]] Reveal DecideReveal(const TableState& state, const PlayerId& player, int round_number,
                                  const fairness::Bytes& nonce);

// Answers a decision. Nothing to do for the same answer again, however late in its round or after
// it. One for whom the system plays takes over again (COM-09). NOT_SEATED, ROUND_NOT_IN_PROGRESS,
// DECISION_NOT_OFFERED, DECISION_STALE, TILE_NOT_HELD, CHOICE_NOT_OFFERED.
[[nodiscard]] absl::StatusOr<Events> DecideAct(const TableState& state, const PlayerId& player,
                                               DecisionRef decision, const round::Choice& choice,
                                               WallTime now);

// The player plays for itself again. Nothing to do for one that does. NOT_SEATED,
// ROUND_NOT_IN_PROGRESS.
[[nodiscard]] absl::StatusOr<Events> DecideTakeOver(const TableState& state,
                                                    const PlayerId& player);

// Whoever watches from the player's seat may see its hand, from the next event on, or may not any
// more (COM-13). Nothing to do when that is so already. NOT_SEATED, TABLE_NOT_WATCHABLE.
[[nodiscard]] absl::StatusOr<Events> DecideShowHand(const TableState& state, const PlayerId& player,
                                                    bool show);

// Gives up a seat; the last player to go closes the table, once the round is closed: bots of the house
// do not stay by themselves. While a round is
// played that is an escape, or may be (plays.h); nothing to do for one who has said so. NOT_SEATED.
[[nodiscard]] absl::StatusOr<Events> DecideLeave(const TableState& state, const PlayerId& player,
                                                 LeaveReason reason, WallTime now);

// Answers a question about the stakes (stakes.h). Nothing to do for the same answer again. A refusal
// leaves the table. NOT_SEATED, DECISION_NOT_OFFERED, DECISION_STALE, CHOICE_NOT_OFFERED (a base or an
// option that is not among those offered, or an answer to the other question).
[[nodiscard]] absl::StatusOr<Events> DecideStakes(const TableState& state, const PlayerId& player,
                                                  DecisionRef decision, const StakesAnswer& answer);

// `seat` does not answer, or does not want to go on: it leaves, and the table closes with the last player.
// REQUIRES: it is taken, and no round is live.
[[nodiscard]] Events LeaveTable(const TableState& state, Seat seat, LeaveReason reason);

// `seat`, which NextProposer has named, is asked for the stakes, and may name one of `bases`. REQUIRES:
// NextStepOf is kAskForStakes; `bases` not empty.
[[nodiscard]] Events AskForStakes(const TableState& state, Seat seat, std::vector<Coins> bases);
// REQUIRES: NextStepOf is kAskConsent.
[[nodiscard]] Events AskConsent(const TableState& state);
// The base follows the coins. REQUIRES: another one than the table has; no round is live.
[[nodiscard]] Events SetBase(const TableState& state, Coins base);

// Behind leaves: closes the table when no player is left there; bots of the house go before it ends.
void CloseWithTheLast(const TableState& state, Events& events);

// Four sit, and are asked whether to play on. REQUIRES: NextStepOf is kAsk.
[[nodiscard]] Events AskToPlayOn(const TableState& state);

// The next round, to be drawn from `seed`. REQUIRES: all_ready(), and no round is live.
[[nodiscard]] Events BeginRound(const TableState& state, const RoundId& round,
                                const fairness::Seed& seed);

// Draws the deal from the seed and the nonces that count: wall, dice and, unless they follow from the
// round before, dealer and winds. Nothing random is asked for. REQUIRES: to_draw().
[[nodiscard]] Events DrawDeal(const TableState& state);

// Opens play. REQUIRES: NextStepOf is kOpenPlay.
[[nodiscard]] Events OpenPlay(const TableState& state);

// The wallet did not let the round begin. REQUIRES: NextStepOf is kOpenPlay.
[[nodiscard]] Events DropRound(const TableState& state);

// Players for whom the wallet does not hold a seat leave, whoever of them still sits there; closes
// the table when nobody does any more. Nothing to do at a table that does not wait.
struct Unseated {
  Seat seat = Seat::k0;
  PlayerId player;
  LeaveReason reason = LeaveReason::kRefused;
  std::string why{};  // the name of the wallet's reason
};
[[nodiscard]] Events Unseat(const TableState& state, const std::vector<Unseated>& players);

// The round is paid; closes the table when nobody sits there any more. REQUIRES: it has been
// scored.
[[nodiscard]] Events PostRound(const TableState& state, RoundPosted posted);

// The wallet has closed a void round; whoever escaped is gone. `penalty`: where somebody did.
// REQUIRES: NextStepOf is kVoid.
[[nodiscard]] Events VoidRound(const TableState& state, std::optional<PenaltyPosted> penalty);

// What the table itself has to do next. A table that has been replayed goes on from here.
enum class NextStep : std::uint8_t {
  kNothing,        // it waits for players
  kAskForStakes,   // AskForStakes, once the wallet holds the seats
  kAskConsent,     // AskConsent
  kAsk,            // AskToPlayOn, once the wallet holds the four seats
  kBeginRound,     // BeginRound
  kDrawDeal,       // DrawDeal: no nonce is waited for
  kOpenPlay,       // tell the wallet, then OpenPlay
  kEscape,         // LeaveNow: somebody left before the deal
  kEndByOperator,  // EndByOperator: an operator made it void before the deal was open (orders.h)
  kDismiss,        // Dismiss: an operator wants somebody, or everybody, to go (orders.h)
  kScore,          // ask the scorer
  kSettle,         // ask the wallet
  kVoid,           // ask the wallet, then VoidRound
};
[[nodiscard]] NextStep NextStepOf(const TableState& state);

// REQUIRES: NextStepOf is kEscape.
[[nodiscard]] Events LeaveNow(const TableState& state, WallTime now);

// REQUIRES: NextStepOf is kVoid.
[[nodiscard]] Voiding VoidingOf(const TableState& state);
// REQUIRES: NextStepOf is kScore, or kSettle.
[[nodiscard]] ScoreQuestion ScoreQuestionOf(const TableState& state);
[[nodiscard]] Settlement SettlementOf(const TableState& state);
// REQUIRES: NextStepOf is kOpenPlay.
[[nodiscard]] Beginning BeginningOf(const TableState& state);

// The name under which a seat's decision of a round is known outside.
[[nodiscard]] constexpr DecisionRef RefOf(int round_number, round::DecisionId decision) {
  return (static_cast<DecisionRef>(round_number) << 32U) | decision;
}

}  // namespace mj::table
