// Who watches a table, and what becomes of it.
#include <limits>
#include <string>
#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/strings.h"
#include "services/table/app/table.h"

namespace mj::table {
namespace {

using base::Error;
using base::Reason;
using Answer = Done<std::shared_ptr<WatchSubscription>>;

}  // namespace

absl::Status Table::MayWatch(const PlayerId& player, StreamSeq after) const {
  if (lost_) return lost_with_;
  if (stopped_) return Error(Reason::kShuttingDown);
  if (fold_.state.closed && after == 0) return Error(Reason::kTableClosed);
  if (fold_.state.spec.settings.watchable == 0) return Error(Reason::kTableNotWatchable);
  if (fold_.state.SeatOf(player)) return Error(Reason::kSeatedHere);
  if (gallery_.streams() + static_cast<std::size_t>(entering_) >= in_.limits.watchers_max) {
    return Error(Reason::kOverloaded, "as many watch this table as may");
  }
  return absl::OkStatus();
}

void Table::ShowHand(const PlayerId& player, bool show, Done<StreamSeq> done) {
  Decide(
      player, [player, show](const TableState& s) { return DecideShowHand(s, player, show); },
      std::move(done));
}

void Table::Watch(const PlayerId& player, Seat seat, StreamSeq after, Answer done) {
  Enter<std::shared_ptr<WatchSubscription>>(
      std::move(done), [this, player, seat, after](Answer answer) {
        const absl::Status may = MayWatch(player, after);
        if (!may.ok()) return answer(may);
        if (gallery_.Keeps(after)) return AttachWatcher(player, seat, after, {}, answer);
        LoadAndWatch(player, seat, after, std::move(answer));
      });
}

void Table::LoadAndWatch(const PlayerId& player, Seat seat, StreamSeq after, Answer done) {
  gallery_.Open(fold_.numbers.last_watched(), fold_.state.hand_shown);
  ++entering_;
  const auto answer = std::make_shared<Answer>(std::move(done));
  const StreamSeq from = after == 0 ? std::numeric_limits<StreamSeq>::max() : after;
  const WallTime told = gallery_.ToldUntil(in_.clock.Now());
  const bool taken = in_.blocking.TryPost([self = shared_from_this(), id = fold_.state.id, player,
                                           seat, after, from, told, answer] {
    auto scenes = LoadScenes(self->in_.log, id, from, told);
    self->queue_.Post([self, player, seat, after, answer, scenes = std::move(scenes)]() mutable {
      --self->entering_;
      absl::Status may = scenes.status();
      if (may.ok()) may = self->MayWatch(player, after);
      if (may.ok()) {
        self->gallery_.Settle(*scenes);
        self->TellWatchers();
        self->AttachWatcher(player, seat, after, *scenes, *answer);
      } else {
        (*answer)(may);
      }
      self->ShutIfUnwatched();
    });
  });
  if (taken) return;
  --entering_;
  ShutIfUnwatched();
  (*answer)(Error(Reason::kOverloaded));
}

void Table::AttachWatcher(const PlayerId& player, Seat seat, StreamSeq after,
                          const std::vector<Scene>& older, const Answer& done) {
  if (after > gallery_.told()) {
    return done(Error(Reason::kSequenceAhead,
                      base::Cat("after_sequence: got ", std::to_string(after), ", last is ",
                                std::to_string(gallery_.told())),
                      {.field = "after_sequence"}));
  }
  if (let_go_) {
    // Nobody would ring for what is not told yet.
    if (gallery_.next()) return done(Error(Reason::kUnavailable, "the table has just closed"));
    gallery_.End(absl::OkStatus());
  }
  auto subscription = std::make_shared<WatchSubscription>(in_.limits.outbox_max);
  const auto feed = gallery_.feed(seat);
  const auto refill = [self = shared_from_this(), feed, reader = subscription.get()] {
    self->queue_.Post([self, feed, reader] { self->NoteSlow(feed->Refill(reader)); });
  };
  gallery_.Enter(player, seat, subscription, after, older, refill);
  subscription->OnEnded([weak = weak_from_this(), player, reader = subscription.get()] {
    const auto self = weak.lock();
    if (self == nullptr) return;
    self->queue_.Post([self, player, reader] { self->OnWatcherGone(player, reader); });
  });
  CountWatchers();
  done(std::move(subscription));
}

void Table::OnWatcherGone(const PlayerId& player, const WatchSubscription* reader) {
  gallery_.Leave(player, reader);
  CountWatchers();
  ShutIfUnwatched();
}

// After `entry` was applied and shown to the seats.
void Table::NoteForWatchers(const LogEntry& entry) {
  if (!gallery_.open()) return;
  gallery_.Lend(fold_.state.hand_shown);
  if (const auto* taken = std::get_if<SeatTaken>(&entry.event)) {
    gallery_.Evict(taken->player, Error(Reason::kSeatedHere));
  }
  if (!IsWatched(entry.event)) return;
  gallery_.Add(SceneOf(fold_.state, entry, fold_.numbers.last_watched()));
}

void Table::TellWatchers() {
  if (!gallery_.open() || lost_ || stopped_ || retire_) return;
  const WallTime now = in_.clock.Now();
  NoteSlow(gallery_.Tell(now));
  const std::optional<WallTime> next = gallery_.next();
  if (!next) return watch_alarm_.Cancel();
  watch_alarm_.Set(*next - now, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self == nullptr) return;
    self->queue_.Post([self] {
      self->TellWatchers();
      self->GoIfClosed();
    });
  });
}

void Table::CountWatchers() {
  if (observers_told_ == gallery_.observers()) return;
  observers_told_ = gallery_.observers();
  feeds_.NotifyAll({observers_told_});
}

void Table::ShutIfUnwatched() {
  if (!gallery_.open() || entering_ > 0 || gallery_.streams() > 0) return;
  gallery_.Shut();
  watch_alarm_.Cancel();
  GoIfClosed();
}

// A closed table is held until whoever watches has been told.
void Table::GoIfClosed() {
  if (!fold_.state.closed || let_go_ || lost_ || stopped_) return;
  if (gallery_.open() && (!gallery_.settled() || gallery_.next())) return;
  let_go_ = true;
  gallery_.End(absl::OkStatus());
  gone_(Gone::kClosed);
}

}  // namespace mj::table
