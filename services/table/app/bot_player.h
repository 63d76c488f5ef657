// A bot of the house at one seat of a practice table.
//
// It is told of the table what a player there is told (shown.h), event by event, and nothing else: that
// has no place for a tile that is hidden from the seat. What it does is what a client would send. So
// it can be made anew from its stream, wherever the table is held, and goes on as it would have.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <variant>

#include "libs/bots/bot.h"
#include "libs/round/choice.h"
#include "libs/round/follow.h"
#include "services/table/app/shown.h"

namespace mj::table {

// What a bot does.
struct SayReady {};
struct AnswerTurn {
  DecisionRef decision = 0;
  round::Choice choice;
};
struct AnswerAboutStakes {
  DecisionRef decision = 0;
  StakesAnswer answer;
};
using BotMove = std::variant<SayReady, AnswerTurn, AnswerAboutStakes>;

// Plays as bots::Bot of the table's strength (bot_strength) does; names the least base, accepts every other, is ready for every round, and has no
// nonce: what the house adds to a deal is its seed. Thinks for bot_think_ms, a quarter more or less,
// but never beyond half of the time that it has. Chance is its own and the same in every process: it
// follows from its player id and the number of the event that it answers. Not thread-safe.
class BotPlayer {
 public:
  // `formed` begins its stream; `distances` outlives it. REQUIRES: a game of the registry.
  BotPlayer(const TableFormed& formed, WallTime now, bots::Distances& distances);

  // The next event of its stream.
  void See(const Shown& shown);

  // When it will do something, if nothing happens before; nothing: it waits to be asked.
  [[nodiscard]] std::optional<WallTime> next() const;
  // What it does then. It does it once. REQUIRES: next().
  BotMove Move();

 private:
  struct Turn {
    DecisionRef decision = 0;
    WallTime at{};
  };
  struct Question {
    DecisionRef decision = 0;
    WallTime at{};
    StakesAnswer answer;
  };

  void Adopt(const OptionTexts& options);
  // When it answers what was shown at `now` and is due at `due`.
  [[nodiscard]] WallTime After(WallTime now, std::optional<WallTime> due = std::nullopt) const;
  void WantReady(WallTime now, std::optional<WallTime> due = std::nullopt);
  void NotReady();

  void On(const SeatReady& event, WallTime now);
  void On(const PlayOnAsked& event, WallTime now);
  void On(const StakesWanted& event, WallTime now);
  void On(const StakesNamed& event, WallTime now);
  void On(const ConsentWanted& event, WallTime now);
  void On(const ConsentGiven& event, WallTime now);
  void On(const BaseChanged& event, WallTime now);
  void On(const ClockMoved& event, WallTime now);
  void On(const RoundOpened& event, WallTime now);
  void On(const DealOpened& event, WallTime now);
  void On(const PlayShown& event, WallTime now);
  void On(const RoundOver& event, WallTime now);
  void On(const RoundPaid& event, WallTime now);
  void On(const RoundDropped& event, WallTime now);
  // Who comes, goes or watches is nothing to it.
  template <typename Other>
  void On(const Other& /*event*/, WallTime /*now*/) {}

  const Seat seat_;
  const rules::Variant& game_;
  bots::Distances& distances_;
  const std::uint64_t seed_;
  const std::chrono::milliseconds think_;
  const bots::Strength strength_;
  rules::PlayRules play_;
  std::optional<bots::Bot> bot_;
  std::optional<round::Follower> follower_;
  StreamSeq seen_ = 1;

  bool ready_ = false;
  std::optional<WallTime> ready_at_;
  std::optional<Question> question_;
  std::optional<Turn> turn_;
};

}  // namespace mj::table
