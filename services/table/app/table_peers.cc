// What a table asks of the wallet and of scoring, and what it does with the answers.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/strings.h"
#include "libs/fairness/stream.h"
#include "services/table/app/table.h"

namespace mj::table {
namespace {

using base::Error;
using base::Reason;

}  // namespace

// ------------------------------------------------------------------- what the wallet holds

SeatHold Table::HoldOf(const PlayerId& player, Coins base) {
  const TableSpec& spec = fold_.state.spec;
  return {RequestId(in_.ids.Next()), fold_.state.id, player, spec.variant, base, spec.currency};
}

void Table::Reserve(Seat seat, const PlayerId& player, Coins base,
                    std::function<void(absl::StatusOr<Coins>)> done) {
  const SeatHold hold = HoldOf(player, base);
  if (!fold_.state.seats[seat].bot) return in_.wallet.Reserve(hold, std::move(done));
  // The answer comes on whatever thread: all that it needs is looked up now.
  const BotGrant grant{GrantIdOf(player, fold_.state.rounds_begun), player, kBotGrant};
  const SeatHold again = HoldOf(player, base);
  in_.wallet.Reserve(hold, [self = shared_from_this(), grant, again,
                            done = std::move(done)](const absl::StatusOr<Coins>& balance) {
    if (!NeedsGrant(balance)) return done(balance);
    self->in_.wallet.GrantBot(grant, [self, again, done](const absl::Status& granted) {
      if (!granted.ok()) return done(granted);
      self->in_.wallet.Reserve(again, done);
    });
  });
}

bool Table::IsHeld(Seat seat) const {
  const HeldSeat& held = held_[seat];
  return held.player == fold_.state.seats[seat].player &&
         held.base >= HoldBaseOf(fold_.state, seat);
}

bool Table::HoldSeats() {
  if (fold_.state.stage() != TableStage::kWaiting) return false;
  PerSeat<Coins> bases;
  std::vector<Seat> missing;
  for (Seat seat : rules::kSeats) {
    if (fold_.state.seats[seat].player.empty() || IsHeld(seat)) continue;
    bases[seat] = HoldBaseOf(fold_.state, seat);
    if (bases[seat] == 0) {
      if (!HaveRooms()) return false;
      bases[seat] = LeastRoom(rooms_)->base;
    }
    missing.push_back(seat);
  }
  if (missing.empty()) return true;
  if (std::exchange(asking_, true)) return false;
  refused_.clear();
  hold_failure_ = absl::OkStatus();
  holding_ = static_cast<int>(missing.size());
  for (Seat seat : missing) {
    const PlayerId player = fold_.state.seats[seat].player;
    Reserve(seat, player, bases[seat],
            [self = shared_from_this(), seat, player,
             base = bases[seat]](absl::StatusOr<Coins> balance) {
              self->queue_.Post([self, seat, player, base, balance = std::move(balance)] {
                self->OnHeld(seat, player, base, balance);
              });
            });
  }
  return false;
}

void Table::OnHeld(Seat seat, const PlayerId& player, Coins base,
                   const absl::StatusOr<Coins>& balance) {
  if (fold_.state.seats[seat].player != player) {
    released_.push_back(player);  // left while the wallet was asked
  } else if (balance.ok()) {
    held_[seat] = {player, base, *balance};
  } else if (MayPass(balance.status())) {
    hold_failure_ = balance.status();
  } else {
    const Reason why = base::ReasonToTell(balance.status());
    refused_.push_back(
        {seat, player,
         why == Reason::kBelowMinimum ? LeaveReason::kBelowMinimum : LeaveReason::kRefused,
         std::string(base::InfoOf(why).name)});
  }
  if (--holding_ > 0) return;
  if (!hold_failure_.ok()) return PeerFailed("wallet", hold_failure_);
  peer_pause_ = {};
  if (refused_.empty()) {
    asking_ = false;
    return GoOn();
  }
  Submit({[refused = std::exchange(refused_, {})](const TableState& s) -> absl::StatusOr<Events> {
            return Unseat(s, refused);
          },
          [this](const absl::Status&) {
            asking_ = false;
            // Nothing goes on by itself when they have left already.
            queue_.Post([self = shared_from_this()] { self->GoOn(); });
          }});
}

// ------------------------------------------------------------------------------------ the rooms

bool Table::KnowsRooms() const {
  return !rooms_.empty() && in_.clock.Monotonic() - rooms_read_ <= in_.limits.rooms_kept;
}

void Table::ReadRooms(std::function<void(const absl::Status&)> done) {
  const TableSpec& spec = fold_.state.spec;
  in_.wallet.ListRooms(
      spec.variant, spec.currency,
      [self = shared_from_this(), done = std::move(done)](absl::StatusOr<std::vector<Room>> rooms) {
        self->queue_.Post([self, done, rooms = std::move(rooms)] {
          if (!rooms.ok()) return done(rooms.status());
          if (rooms->empty()) return done(Error(Reason::kTierNotFound, "the game has no rooms"));
          self->rooms_ = *rooms;
          self->rooms_read_ = self->in_.clock.Monotonic();
          done(absl::OkStatus());
        });
      });
}

bool Table::HaveRooms() {
  if (KnowsRooms()) return true;
  if (std::exchange(asking_, true)) return false;
  ReadRooms([this](const absl::Status& status) {
    if (!status.ok()) return PeerFailed("wallet", status);
    peer_pause_ = {};
    asking_ = false;
    GoOn();
  });
  return false;
}

void Table::AskForStakesNow() {
  const std::uint32_t draw = fairness::UniformBelow(kDraws, [this] {
    std::array<std::byte, 2> word{};
    in_.entropy.Fill(word);
    return std::to_integer<std::uint32_t>(word[0]) << 8U | std::to_integer<std::uint32_t>(word[1]);
  });
  const Seat seat = NextProposer(fold_.state, static_cast<int>(draw));
  std::vector<Coins> bases = BasesFor(held_[seat].balance, rooms_);
  // It had enough for the least room when its seat was held: the rooms have changed since.
  if (bases.empty()) {
    held_[seat] = {};
    rooms_.clear();
    queue_.Post([self = shared_from_this()] { self->GoOn(); });
    return;
  }
  Do(AskForStakes(fold_.state, seat, std::move(bases)));
}

bool Table::ChangeBase() {
  const TableState& state = fold_.state;
  if (state.variant->info().base_from != rules::BaseFrom::kCoins) return false;
  if (!HaveRooms()) return true;
  PerSeat<Coins> balances;
  for (Seat seat : rules::kSeats) balances[seat] = held_[seat].balance;
  const Coins base = BaseOfCoins(state, rooms_, balances);
  if (base == state.base) return false;
  Do(SetBase(state, base));
  return true;
}

// Nobody's seat is given back before the round that it was played in is paid. What fails is not
// tried again: the wallet lets go of it by itself.
void Table::ReleaseSeats() {
  if (released_.empty() || (fold_.state.round && fold_.state.round->live())) return;
  for (const PlayerId& player : std::exchange(released_, {})) {
    if (fold_.state.SeatOf(player)) continue;
    in_.wallet.Release(HoldOf(player, fold_.state.base),
                       [self = shared_from_this()](const absl::Status&) {});
  }
}

void Table::AskToBegin() {
  if (std::exchange(asking_, true)) return;
  in_.wallet.BeginRound(BeginningOf(fold_.state), [self = shared_from_this()](absl::Status begun) {
    self->queue_.Post([self, begun = std::move(begun)] { self->OnBegun(begun); });
  });
}

void Table::OnBegun(const absl::Status& status) {
  if (!status.ok() && MayPass(status)) return PeerFailed("wallet", status);
  if (!status.ok()) {
    in_.monitor.OnPeerFailed("wallet", fold_.state.round->begun.round, status, false);
  }
  Submit({[ok = status.ok()](const TableState& s) -> absl::StatusOr<Events> {
            return ok ? OpenPlay(s) : DropRound(s);
          },
          [this](const absl::Status&) {
            asking_ = false;
            peer_pause_ = {};
          }});
}

// ------------------------------------------------------------------------------ the round's end

void Table::AskScorer() {
  if (std::exchange(asking_, true)) return;
  in_.scorer.ScoreRound(
      ScoreQuestionOf(fold_.state), [self = shared_from_this()](absl::StatusOr<Score> score) {
        self->queue_.Post([self, score = std::move(score)] { self->OnScored(score); });
      });
}

void Table::OnScored(const absl::StatusOr<Score>& score) {
  if (!score.ok()) return PeerFailed("scoring", score.status());
  const std::string& want = fold_.state.round->begun.rulebook_version;
  if (score->rulebook_version != want) {
    return PeerFailed("scoring",
                      Error(Reason::kRulebookVersionUnknown,
                            base::Cat("got ", score->rulebook_version, ", want ", want)));
  }
  // Nobody else's command may come between: a leave while the peer was asked is journalled already.
  Submit({[scored = score->scored](const TableState& s) -> absl::StatusOr<Events> {
            // An operator may have made it void meanwhile.
            if (NextStepOf(s) != NextStep::kScore) return Events{};
            return Events{scored};
          },
          [this](const absl::Status& status) {
            asking_ = false;
            if (!status.ok()) return;
            peer_pause_ = {};
            // Nothing goes on by itself where nothing was journalled.
            if (NextStepOf(fold_.state) == NextStep::kVoid) {
              queue_.Post([self = shared_from_this()] { self->GoOn(); });
            }
          }});
}

void Table::AskWallet() {
  if (std::exchange(asking_, true)) return;
  in_.wallet.SettleRound(
      SettlementOf(fold_.state), [self = shared_from_this()](absl::StatusOr<RoundPosted> posted) {
        self->queue_.Post([self, posted = std::move(posted)] { self->OnPosted(posted); });
      });
}

void Table::OnPosted(const absl::StatusOr<RoundPosted>& posted) {
  if (!posted.ok()) return PeerFailed("wallet", posted.status());
  Submit({[posted = *posted](const TableState& s) -> absl::StatusOr<Events> {
            return PostRound(s, posted);
          },
          [this](const absl::Status& status) {
            asking_ = false;
            if (!status.ok()) return;
            peer_pause_ = {};
            in_.monitor.OnRoundPaid(fold_.state.spec.variant);
          }});
}

void Table::AskToVoid() {
  if (std::exchange(asking_, true)) return;
  in_.wallet.VoidRound(
      VoidingOf(fold_.state),
      [self = shared_from_this()](absl::StatusOr<std::optional<PenaltyPosted>> voided) {
        self->queue_.Post([self, voided = std::move(voided)] { self->OnVoided(voided); });
      });
}

void Table::OnVoided(const absl::StatusOr<std::optional<PenaltyPosted>>& voided) {
  if (!voided.ok()) return PeerFailed("wallet", voided.status());
  Submit({[penalty = *voided](const TableState& s) -> absl::StatusOr<Events> {
            return VoidRound(s, penalty);
          },
          [this](const absl::Status& status) {
            asking_ = false;
            if (!status.ok()) return;
            peer_pause_ = {};
            in_.monitor.OnRoundVoided(fold_.state.spec.variant);
          }});
}

// The round waits, and is asked about again: it is never dropped.
void Table::PeerFailed(std::string_view peer, const absl::Status& status) {
  if (stopped_ || lost_) return;
  const bool passes = MayPass(status);
  const RoundId round = fold_.state.round ? fold_.state.round->begun.round : RoundId();
  in_.monitor.OnPeerFailed(peer, round, status, !passes);
  held_up_ = true;
  peer_pause_ =
      passes ? std::clamp(peer_pause_ * 2, in_.limits.peer_retry_min, in_.limits.peer_retry_max)
             : in_.limits.peer_retry_max;
  peer_alarm_.Set(peer_pause_, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self == nullptr) return;
    self->queue_.Post([self] {
      self->asking_ = false;
      self->GoOn();
    });
  });
}

}  // namespace mj::table
