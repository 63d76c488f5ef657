// What a table journals. Events hold the whole truth, hidden tiles and the seed too, and are the
// only thing that changes a table's state (state.h); what a player is shown of them is in shown.h.
//
//   TableCreated, then in any order while no round is played  SeatTaken SeatReadied SeatLeft
//   StakesAsked StakesProposed ConsentAsked StakesAccepted BaseSet, as the game comes to its stakes
//   QuestionAsked, once four are seated and these are settled
//   a round:  RoundBegun NonceRevealed… DealDrawn RoundPlayed… RoundScored RoundPosted
//   or a void one:  RoundBegun NonceRevealed… DealDrawn RoundPlayed… RoundVoided
//   or, where the wallet does not let it begin:  RoundBegun NonceRevealed… DealDrawn RoundVoided
//   the end:  TableEnded
//
// While a round is played, AutoPlaySet and SeatLeaving may stand between its events; SeatLeft also
// between the end of play and RoundPosted. ClocksRestarted, HandShown, OperatorActed and RoundsStopped may
// stand anywhere.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "libs/fairness/deal.h"
#include "libs/record/events.h"
#include "libs/round/event.h"
#include "libs/round/setup.h"
#include "services/table/app/model.h"

namespace mj::table {

// What a round's record keeps too.
using record::AutoPlaySet;
using record::ClocksRestarted;
using record::PenaltyPosted;
using record::RoundPosted;
using record::RoundScored;
using record::RoundVoided;
using record::SeatPosted;
using record::SeatTransfer;
using record::Shortfall;

struct TableCreated {
  TableId table;
  RequestId request;  // that made it
  TableSpec spec;
  bool operator==(const TableCreated&) const = default;
};

struct SeatTaken {
  Seat seat = Seat::k0;
  PlayerId player;
  std::optional<audit::Digest> token_hash{};  // as in TableSpec
  bool operator==(const SeatTaken&) const = default;
};

struct SeatReadied {
  Seat seat = Seat::k0;
  int round_number = 0;
  std::optional<fairness::Digest>
      nonce_hash;  // of the nonce that it will reveal; none: it has none
  bool operator==(const SeatReadied&) const = default;
};

// Everybody who has not said so already is asked whether to play on (COM-14).
struct QuestionAsked {
  int round_number = 0;
  bool operator==(const QuestionAsked&) const = default;
};

// A seat is asked to name the stakes (GD-90, SG-51). There are none from now on, and nobody has said
// that it plays.
struct StakesAsked {
  int number = 0;  // counts the table's questions about its stakes from 1
  Seat seat = Seat::k0;
  std::vector<Coins> bases;  // that it may name, rising
  bool operator==(const StakesAsked&) const = default;
};

// It has named them, and so agreed to them.
struct StakesProposed {
  int number = 0;
  Seat seat = Seat::k0;
  Coins base = 0;
  OptionTexts asked;    // the options that it named
  OptionTexts options;  // every option of the game, as they are from now on
  bool operator==(const StakesProposed&) const = default;
};

// Everybody who has not agreed yet is asked whether it does (GD-90).
struct ConsentAsked {
  int number = 0;
  bool operator==(const ConsentAsked&) const = default;
};

// A seat agrees.
struct StakesAccepted {
  int number = 0;
  Seat seat = Seat::k0;
  bool operator==(const StakesAccepted&) const = default;
};

// The base follows the players' coins (CZ-70). Nobody has said that it plays for this one.
struct BaseSet {
  Coins base = 0;
  bool operator==(const BaseSet&) const = default;
};

// A player has said in a round that it leaves. It goes when the round is over; whether that is an
// escape is for the round to say (COM-10).
struct SeatLeaving {
  Seat seat = Seat::k0;
  PlayerId player;
  LeaveReason reason = LeaveReason::kLeft;
  bool operator==(const SeatLeaving&) const = default;
};

// Whoever watches from this seat may see its hand, or may not any more (COM-13).
struct HandShown {
  Seat seat = Seat::k0;
  PlayerId player;
  bool show = false;
  bool operator==(const HandShown&) const = default;
};

// A round begins. Whatever will be random in it is fixed by this, but for the nonces to these hashes,
// which are revealed now and not before. `seed` is secret until the round is over.
struct RoundBegun {
  RoundId round;
  int number = 0;                // counts the table's rounds from 1
  std::string rulebook_version;  // by which it will be scored
  Coins base = 0;
  PerSeat<PlayerId> players;
  PerSeat<bool> bots;  // of the house
  fairness::Seed seed{};
  PerSeat<std::optional<fairness::Digest>> nonce_hashes;  // as they came with ready
  bool operator==(const RoundBegun&) const = default;
};

// SHA-256 of the seed: what is shown of it before the deal.
[[nodiscard]] fairness::Digest SeedHash(const RoundBegun& begun);

// A seat has sent a nonce, in time. One that does not count is followed by another at most, which
// does. Shown to nobody before the deal is drawn.
struct NonceRevealed {
  Seat seat = Seat::k0;
  fairness::Bytes nonce;  // of one that is too long, as much as shows that it is
  bool operator==(const NonceRevealed&) const = default;
};

// What became of a seat's nonce: its hash is in RoundBegun.
struct SeatNonce {
  std::optional<fairness::Bytes> reveal;  // the latest that came in time, whether it counts or not
  fairness::NonceOutcome outcome = fairness::NonceOutcome::kNotCommitted;
  bool operator==(const SeatNonce&) const = default;
};

// The deal is drawn, from the seed and the nonces that count. What replays the round is in here.
// `wall` is secret until the round is over.
struct DealDrawn {
  PerSeat<SeatNonce> nonces;
  Seat dealer = Seat::k0;
  round::Dice dice{1, 1};
  std::optional<Tile> round_wind;           // games with winds
  std::optional<PerSeat<Tile>> seat_winds;  // games with winds
  bool anew = false;       // dealer and winds are drawn too; else they follow from the round before
  std::vector<Tile> wall;  // in drawing order
  bool operator==(const DealDrawn&) const = default;
};

// An event of the round's engine.
struct RoundPlayed {
  round::Event event;
  bool operator==(const RoundPlayed&) const = default;
};

struct SeatLeft {
  Seat seat = Seat::k0;
  PlayerId player;
  LeaveReason reason = LeaveReason::kLeft;
  std::string why{};  // kBelowMinimum and kRefused: the name of the wallet's reason
  bool operator==(const SeatLeft&) const = default;
};

// An operator has asked for something at this table, and it is granted. What can be done at once stands
// behind it in the same append; the rest follows when it can (TableState::orders).
struct OperatorActed {
  OperationKind kind = OperationKind::kVoidRound;  // kVoidRound, kCloseTable or kRemovePlayer
  RequestId request;
  std::string who;
  std::string reason;
  RoundId round{};       // kVoidRound
  PlayerId player{};     // kRemovePlayer
  bool at_once = false;  // kCloseTable: the present round is to be void
  bool operator==(const OperatorActed&) const = default;
};

// No round begins at or after `from`; nothing: that is off again. All tables are told the same.
struct RoundsStopped {
  std::optional<WallTime> from;
  bool operator==(const RoundsStopped&) const = default;
};

struct TableEnded {
  bool operator==(const TableEnded&) const = default;
};

using TableEvent =
    std::variant<TableCreated, SeatTaken, SeatReadied, QuestionAsked, RoundBegun, RoundPlayed,
                 AutoPlaySet, SeatLeaving, ClocksRestarted, RoundScored, RoundPosted, RoundVoided,
                 SeatLeft, HandShown, TableEnded, StakesAsked, StakesProposed, ConsentAsked,
                 StakesAccepted, BaseSet, NonceRevealed, DealDrawn, OperatorActed, RoundsStopped>;

// One row of a table's journal.
struct LogEntry {
  std::int64_t seq = 0;  // counts the table's events from 1 without gaps
  WallTime time{};       // when it happened, by the owner's clock
  TableEvent event;
  bool operator==(const LogEntry&) const = default;
};

}  // namespace mj::table
