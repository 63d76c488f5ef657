// What players are shown of a table, each in a stream of its own.
//
// Hidden from a stream are the other seats' concealed tiles, draws, decisions and answers, the
// wall, and the seed, before the round is over; anybody's nonce before the deal is drawn. Events of a stream are numbered for that stream
// alone: a common numbering would have gaps, and gaps would tell that somebody else was asked.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "libs/fairness/commitment.h"
#include "libs/round/view.h"
#include "libs/rules/hand.h"
#include "services/table/app/state.h"
#include "services/table/app/worth.h"

namespace mj::table {

// The first event of every stream: the table as it stood when this seat was taken.
struct TableFormed {
  TableInfo table;
  Seat own_seat = Seat::k0;
  bool operator==(const TableFormed&) const = default;
};

struct PlayerJoined {
  Seat seat = Seat::k0;
  PlayerId player;
  bool operator==(const PlayerJoined&) const = default;
};

struct SeatReady {
  Seat seat = Seat::k0;
  int round_number = 0;
  bool operator==(const SeatReady&) const = default;
};

// A seat is asked to name the stakes; no answer in time is a leave. There are none until then.
struct StakesWanted {
  Seat seat = Seat::k0;
  WallTime due{};
  // Only to that seat; 0 and nothing to others.
  DecisionRef decision = 0;
  std::vector<Coins> bases;
  std::vector<OptionChoice> options;
  bool operator==(const StakesWanted&) const = default;
};

// It has named them.
struct StakesNamed {
  Seat seat = Seat::k0;
  Coins base = 0;
  OptionTexts options;  // what differs from the game's defaults
  bool operator==(const StakesNamed&) const = default;
};

// This seat is asked whether it accepts the stakes; no answer in time is a leave.
struct ConsentWanted {
  DecisionRef decision = 0;
  Seat proposer = Seat::k0;
  Coins base = 0;
  OptionTexts options;  // what differs from the game's defaults
  WallTime due{};
  bool operator==(const ConsentWanted&) const = default;
};

struct ConsentGiven {
  Seat seat = Seat::k0;
  bool operator==(const ConsentGiven&) const = default;
};

// The next rounds are played for another base, since the players' coins are other ones.
struct BaseChanged {
  Coins base = 0;
  bool operator==(const BaseChanged&) const = default;
};

// Everybody who has not said so already is asked whether to play on; no answer in time is a leave.
struct PlayOnAsked {
  int round_number = 0;
  WallTime due{};
  bool operator==(const PlayOnAsked&) const = default;
};

// This seat's time for what it is asked has begun anew.
struct ClockMoved {
  // Also a question about the stakes; 0: the one whether to play on or, in a round that is not dealt,
  // for the nonce.
  DecisionRef decision = 0;
  WallTime due{};
  bool operator==(const ClockMoved&) const = default;
};

// The system begins to play for a seat, or its player takes over again.
struct AutoPlayChanged {
  Seat seat = Seat::k0;
  bool on = false;
  std::optional<WallTime> due;  // this seat's own: until when it has time for its open decision
  bool operator==(const AutoPlayChanged&) const = default;
};

// Whoever watches from this seat may see its hand, or may not any more. Only in its own stream.
struct HandShowing {
  bool on = false;
  bool operator==(const HandShowing&) const = default;
};

// A round begins; nothing is drawn before this.
struct RoundOpened {
  RoundId round;
  int number = 0;
  std::string rulebook_version;
  Coins base = 0;
  fairness::Digest seed_hash{};                           // SHA-256 of the seed
  PerSeat<std::optional<fairness::Digest>> nonce_hashes;  // of the seats that have a nonce
  std::optional<WallTime> reveal_due;                     // until when these are waited for
  bool operator==(const RoundOpened&) const = default;
};

// The deal is drawn, and nobody's nonce changes it any more; nothing is dealt before this.
struct DealOpened {
  Seat dealer = Seat::k0;
  std::optional<Tile> round_wind;
  std::optional<PerSeat<Tile>> seat_winds;
  bool anew = false;  // as in DealDrawn
  PerSeat<SeatNonce> nonces;
  bool operator==(const DealOpened&) const = default;
};

// An event of play, as this seat sees it. Never RoundBegan, Won or RoundEnded: RoundOpened and
// RoundOver say these.
struct PlayShown {
  int round_number = 0;
  round::SeatEvent event;
  std::optional<WinWorth> win;  // with YouAreAsked, when a win is offered
  std::optional<WallTime> due;  // with YouAreAsked: until when
  HorseHits hits;               // with HorsesTurned
  bool operator==(const PlayShown&) const = default;
};

// Play is over.
struct RoundOver {
  std::string variant;
  OptionTexts options;  // what differs from the game's defaults
  Coins base = 0;
  rules::FinishedRound outcome;
  PerSeat<tiles::TileCounts> hands;  // concealed at the end; a winner's without the winning tile
  bool operator==(const RoundOver&) const = default;
};

// The round is paid, and its seed public; the nonces stand beside it once more.
struct RoundPaid {
  RoundId round;
  RoundScored scored;
  RoundPosted posted;
  rules::NextDeal next;  // if the same four go on
  fairness::Seed seed{};
  PerSeat<SeatNonce> nonces;
  bool operator==(const RoundPaid&) const = default;
};

// The round counts for nothing; its seed is public, as if it were paid.
struct RoundDropped {
  RoundId round;
  VoidReason reason = VoidReason::kRefused;
  std::optional<Seat> escaped;
  std::optional<PenaltyPosted> penalty;
  fairness::Seed seed{};
  PerSeat<SeatNonce> nonces;
  bool operator==(const RoundDropped&) const = default;
};

// No round begins at or after `from`; nothing: that is off again.
struct RoundsStopping {
  std::optional<WallTime> from;
  bool operator==(const RoundsStopping&) const = default;
};

// Last event of the stream of the one who left.
struct PlayerLeft {
  Seat seat = Seat::k0;
  PlayerId player;
  LeaveReason reason = LeaveReason::kLeft;
  std::string why{};  // as in SeatLeft
  bool operator==(const PlayerLeft&) const = default;
};

// Last event of every stream that is still open.
struct TableClosed {
  bool operator==(const TableClosed&) const = default;
};

using ShownEvent =
    std::variant<TableFormed, PlayerJoined, SeatReady, PlayOnAsked, ClockMoved, AutoPlayChanged,
                 RoundOpened, PlayShown, RoundOver, RoundPaid, RoundDropped, PlayerLeft,
                 HandShowing, TableClosed, StakesWanted, StakesNamed, ConsentWanted, ConsentGiven,
                 BaseChanged, DealOpened, RoundsStopping>;

// What is told of a round's beginning and end is the same for all, whoever watches too. REQUIRES:
// the event has been applied to `state`; OverBy: the round is over, and not void.
[[nodiscard]] RoundOpened OpenedBy(const TableState& state, const RoundBegun& event);
[[nodiscard]] DealOpened DealtBy(const DealDrawn& event);
[[nodiscard]] RoundOver OverBy(const TableState& state);
[[nodiscard]] RoundPaid PaidBy(const TableState& state, const RoundPosted& event);
[[nodiscard]] RoundDropped DroppedBy(const TableState& state, const RoundVoided& event);

// One event of one stream. Copies share the event.
struct Shown {
  StreamSeq sequence = 0;
  WallTime time{};  // when it happened
  std::shared_ptr<const ShownEvent> event;
};

// Whose stream an event goes to.
struct Showing {
  Seat seat = Seat::k0;
  Shown shown;
};

// The numbers of the four streams, and of what is shown to whoever watches: a fold over the journal like the state, so that an event has the
// same number for ever, whichever process shows it.
class StreamNumbers {
 public:
  // What `entry`, applied already, shows on `state`; at most one event for each stream.
  [[nodiscard]] std::vector<Showing> Show(const TableState& state, const LogEntry& entry);

  // The latest event of the stream of whoever sits there; 0 when nobody does.
  [[nodiscard]] StreamSeq last(Seat seat) const { return last_[seat]; }
  // The latest event of those that whoever watches is told (watched.h).
  [[nodiscard]] StreamSeq last_watched() const { return last_watched_; }

 private:
  PerSeat<StreamSeq> last_;  // 0: no stream is open
  StreamSeq last_watched_ = 0;
};

}  // namespace mj::table
