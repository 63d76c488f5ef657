// What whoever watches a table is shown of it (COM-13): what is public, numbered by itself, and the
// hand of the seat from which it watches while that seat's player lends it.
//
// A type of its own, not a seat's stream with something left out: a WatchedEvent has no place for a
// concealed tile, a decision or an answer of a round that is being played. A hand is only in a
// LentHand, into which nobody can look once it has been taken back.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "services/table/app/shown.h"

namespace mj::table {

// Always the first: the table as it was made.
struct TableMade {
  TableInfo table;
  bool operator==(const TableMade&) const = default;
};

// A round begins; nothing is drawn before this.
struct RoundStarted {
  TableInfo table;  // as it stands now: who sits where
  RoundOpened round;
  bool operator==(const RoundStarted&) const = default;
};

// The system begins to play for a seat, or its player takes over again.
struct AutoPlayTurned {
  Seat seat = Seat::k0;
  bool on = false;
  bool operator==(const AutoPlayTurned&) const = default;
};

// Thirteen tiles to each seat.
struct HandsDealt {
  bool operator==(const HandsDealt&) const = default;
};

// A seat drew a tile.
struct TileTaken {
  Seat seat = Seat::k0;
  round::DrawKind kind = round::DrawKind::kWall;
  std::uint8_t left = 0;  // tiles left in the wall afterwards
  bool operator==(const TileTaken&) const = default;
};

// Horses, and whom they hit.
struct HorsesShown {
  round::Horses horses;
  HorseHits hits;
  bool operator==(const HorsesShown&) const = default;
};

using WatchedEvent =
    std::variant<TableMade, PlayerJoined, SeatReady, PlayOnAsked, AutoPlayTurned, RoundStarted,
                 DealOpened, round::DiceRolled, HandsDealt, round::IndicatorTurned, TileTaken,
                 round::Discarded, round::Called, round::KongDeclared, round::KongMade, HorsesShown,
                 RoundOver, RoundPaid, RoundDropped, PlayerLeft, TableClosed>;

// Whether whoever watches is told of `event` at all.
[[nodiscard]] bool IsWatched(const TableEvent& event);

// One time that a player lends its hand: until it is taken back, which is for good. Thread-safe.
class Lending {
 public:
  void TakeBack() { standing_.store(false); }
  [[nodiscard]] bool standing() const { return standing_.load(); }

 private:
  std::atomic<bool> standing_ = true;
};

// The concealed tiles of a hand as somebody else may see them, or none. Thread-safe.
class LentHand {
 public:
  LentHand() = default;
  LentHand(std::shared_ptr<const Lending> lending, const tiles::TileCounts& tiles)
      : lending_(std::move(lending)), tiles_(tiles) {}

  [[nodiscard]] std::optional<tiles::TileCounts> Look() const {
    if (lending_ == nullptr || !lending_->standing()) return std::nullopt;
    return tiles_;
  }

 private:
  std::shared_ptr<const Lending> lending_;
  tiles::TileCounts tiles_;
};

// One event as it is shown to who watches from one seat. Copies share the event.
struct Watched {
  StreamSeq sequence = 0;
  WallTime time{};  // when it happened
  std::shared_ptr<const WatchedEvent> event;
  LentHand hand;  // of that seat, after the event
};

// One event before it is cut for a seat: hands that were lent when it happened, and by which entry of
// the journal. Never leaves the table.
struct Scene {
  struct Hand {
    std::int64_t lent_by = 0;
    tiles::TileCounts tiles;
    bool operator==(const Hand&) const = default;
  };
  StreamSeq sequence = 0;
  WallTime time{};
  std::shared_ptr<const WatchedEvent> event;
  PerSeat<std::optional<Hand>> hands;
};

// What `entry`, applied already, is on `state`. REQUIRES: IsWatched(entry.event).
[[nodiscard]] Scene SceneOf(const TableState& state, const LogEntry& entry, StreamSeq sequence);

}  // namespace mj::table
