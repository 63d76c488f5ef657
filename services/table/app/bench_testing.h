// A table without a process around it, for tests of what is decided.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/fairness/commitment.h"
#include "libs/round/play_testing.h"
#include "libs/tiles/mpsz.h"
#include "libs/variants/registry.h"
#include "services/table/app/clocks.h"
#include "services/table/app/decide.h"

namespace mj::table {

inline Tile T(std::string_view text) { return *tiles::ParseTile(text); }

// Seat 0 deals and may throw 5m, which seat 2 may pung and seat 3 may win on.
inline round::TestDeal TwoClaims() {
  return {.hands = {"", "", "55m147p147s24667z", "11122233346m99m"}, .draws = "5m9p9s8s7s"};
}

// Four players "p0" to "p3", or these, at a table without pauses.
inline TableSpec Spec(std::vector<std::string> players = {"p0", "p1", "p2", "p3"}) {
  TableSpec spec;
  spec.variant = "chaozhou";
  spec.base = 100;
  spec.settings.claim_pause_ms = 0;
  for (std::size_t i = 0; i < players.size(); ++i) {
    spec.players[rules::kSeats[i]] = PlayerId(players[i]);
  }
  return spec;
}

// A table without a process around it.
class Bench {
 public:
  explicit Bench(TableSpec spec = Spec()) {
    Apply({TableCreated{TableId("t"), RequestId("m"), *CheckSpec(std::move(spec))}});
  }

  void Apply(const Events& events) {
    for (const TableEvent& event : events) {
      journal.push_back({state.last_seq + 1, now, event});
      ASSERT_THAT(table::Apply(state, journal.back()), base::IsOk());
    }
  }
  void Do(const absl::StatusOr<Events>& events) {
    ASSERT_THAT(events, base::IsOk());
    Apply(*events);
  }

  // With the hashes of these nonces, of whom has one.
  using Nonces = PerSeat<std::optional<fairness::Bytes>>;
  void ReadyAll(const Nonces& nonces = {}) {
    for (Seat seat : rules::kSeats) {
      std::optional<fairness::Digest> hash;
      if (nonces[seat]) hash = fairness::CommitNonce(*nonces[seat]);
      Do(DecideReady(state, PlayerId(state.seats[seat].player), 0, hash));
    }
  }
  void Begin(std::uint8_t seed_byte = 1) {
    ReadyAll();
    fairness::Seed seed{};
    seed.fill(seed_byte);
    Apply(BeginRound(state, NextRoundId(), seed));
    Apply(DrawDeal(state));
    Apply(OpenPlay(state));
  }

  // Deals as `deal` says; its game and options are the table's own.
  void BeginAs(round::TestDeal deal) {
    ReadyAll();
    deal.game = state.variant;
    const round::TestRound dealt(deal);
    Apply(BeginRound(state, NextRoundId(), {}));
    Events events = DrawDeal(state);
    auto& drawn = std::get<DealDrawn>(events.front());
    drawn.wall = dealt.setup().wall();
    drawn.dealer = deal.dealer;
    drawn.dice = deal.dice;
    Apply(events);
    Apply(OpenPlay(state));
  }
  RoundId NextRoundId() const { return RoundId("r" + std::to_string(state.rounds_begun + 1)); }

  // Time passes, and what falls due in it happens at its moment.
  void Wait(std::chrono::milliseconds time) {
    const WallTime until = now + time;
    for (auto due = NextDue(state); due && *due <= until; due = NextDue(state)) {
      now = std::max(now, *due);
      const Events events = DecideDue(state, now);
      ASSERT_FALSE(events.empty());
      Apply(events);
    }
    now = until;
  }

  // Who is asked, in seat order.
  std::vector<Seat> Asked() const {
    std::vector<Seat> asked;
    for (Seat seat : rules::kSeats) {
      const round::SeatState& play = state.round->play.seats[seat];
      if (play.open && !play.answer) asked.push_back(seat);
    }
    return asked;
  }
  DecisionRef Pending(Seat seat) const {
    return RefOf(state.round->begun.number, state.round->play.seats[seat].decisions);
  }
  round::Choice Some(Seat seat) const {
    return round::SystemChoice(*state.round->play.seats[seat].open, /*auto_play=*/true);
  }
  static PlayerId At(Seat seat) { return PlayerId("p" + std::to_string(rules::IndexOf(seat))); }

  void PlayToEnd() {
    while (!state.round->play.over()) {
      const Seat seat = Asked().front();
      Act(seat, Some(seat));
    }
  }
  void Act(Seat seat, const round::Choice& choice) {
    Do(DecideAct(state, At(seat), Pending(seat), choice, now));
  }
  void Leave(Seat seat, LeaveReason reason = LeaveReason::kLeft) {
    Do(DecideLeave(state, At(seat), reason, now));
  }
  void Score() { Apply({RoundScored{{}, "score"}}); }
  void Post() { Apply(PostRound(state, RoundPosted{"journal", {}, {}})); }

  template <typename E>
  std::vector<E> All() const {
    std::vector<E> found;
    for (const LogEntry& entry : journal) {
      if (const auto* event = std::get_if<E>(&entry.event)) found.push_back(*event);
    }
    return found;
  }
  // What the engine has told of this kind.
  template <typename E>
  std::vector<E> Told() const {
    std::vector<E> found;
    for (const RoundPlayed& played : All<RoundPlayed>()) {
      if (const auto* event = std::get_if<E>(&played.event)) found.push_back(*event);
    }
    return found;
  }

  TableState state;
  std::vector<LogEntry> journal;
  WallTime now{};  // of whatever is done
};

}  // namespace mj::table
