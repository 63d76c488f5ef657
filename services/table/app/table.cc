#include "services/table/app/table.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

#include "libs/base/check.h"
#include "libs/base/moved.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/table/app/orders.h"

namespace mj::table {
namespace {

using base::Error;
using base::Reason;

bool RestartsClocks(const std::vector<LogEntry>& entries) {
  return std::holds_alternative<ClocksRestarted>(entries.front().event);
}

}  // namespace

Table::Table(const Surroundings& surroundings, Fold fold, std::int64_t epoch, Feeds feeds,
             BotSeats bots, std::function<void(Gone)> gone)
    : in_(surroundings),
      epoch_(epoch),
      gone_(std::move(gone)),
      queue_(in_.runner, in_.limits.queue_max),
      fold_(std::move(fold)),
      feeds_(std::move(feeds)),
      bots_(std::move(bots)),
      presence_(fold_.state.spec.settings),
      gallery_(in_.limits.kept_max,
               std::chrono::milliseconds(fold_.state.spec.settings.watch_delay_ms)),
      let_go_(fold_.state.closed),
      peer_alarm_(in_.clock),
      clock_alarm_(in_.clock),
      bot_alarm_(in_.clock),
      watch_alarm_(in_.clock) {
  const WallTime now = in_.clock.Now();
  presence_.Restart(now);
  // A bot's connection is this table itself.
  for (Seat seat : rules::kSeats) {
    if (fold_.state.seats[seat].bot) presence_.Connect(seat, now);
  }
}

void Table::Start() {
  queue_.Post([self = shared_from_this()] {
    // Whoever left right before this process's predecessor ended may still be held.
    if (self->fold_.state.round) {
      for (const PlayerId& player : self->fold_.state.round->begun.players) {
        if (!self->fold_.state.SeatOf(player)) self->released_.push_back(player);
      }
    }
    self->held_up_ = true;  // for as long as nobody held it
    self->started_ = true;
    self->GoOn();
  });
}

void Table::Stop() {
  queue_.Post([self = shared_from_this()] {
    self->stopped_ = true;
    self->peer_alarm_.Cancel();
    self->clock_alarm_.Cancel();
    self->bot_alarm_.Cancel();
    self->watch_alarm_.Cancel();
    self->feeds_.EndAll(Error(Reason::kShuttingDown));
    self->gallery_.End(Error(Reason::kShuttingDown));
    for (const Command& command : std::exchange(self->waiting_, {})) {
      command.done(Error(Reason::kShuttingDown));
    }
  });
}

void Table::Retire(Idle idle) {
  queue_.Post([self = shared_from_this(), idle = std::move(idle)]() mutable {
    if (self->lost_ || self->stopped_) return idle(std::nullopt);
    self->retire_ = std::move(idle);
    if (!self->appending_) self->GoOn();
  });
}

void Table::MoveTo(const std::string& address) {
  queue_.Post([self = shared_from_this(), address] {
    if (self->lost_) return;
    // Where nobody has said who holds it, it may be this process after all.
    self->EndWith(base::Moved(address), address.empty() ? Gone::kLost : Gone::kMoved);
  });
}

// ---------------------------------------------------------------------------------------- calls

void Table::Join(const PlayerId& player, std::optional<Seat> seat,
                 const std::optional<audit::Digest>& token_hash, Done<Seated> done) {
  Enter<Seated>(
      std::move(done), [this, who = Joining{player, seat, token_hash}](Done<Seated> answer) {
        Hear(who.player);
        // The wallet is asked only for a seat that there is.
        const absl::StatusOr<Events> events = DecideJoin(fold_.state, who.player, who.seat);
        if (!events.ok()) return answer(events.status());
        if (stopped_) return answer(Error(Reason::kShuttingDown));
        if (events->empty()) {
          return answer(Seated{fold_.state.info(), *fold_.state.SeatOf(who.player)});
        }
        ReserveAndJoin(who, std::move(answer));
      });
}

void Table::ReserveAndJoin(const Joining& who, Done<Seated> done) {
  Coins base = JoinBaseOf(fold_.state);
  if (base == 0 && !KnowsRooms()) {
    return ReadRooms([this, who, done](const absl::Status& status) {
      if (!status.ok()) return done(status);
      ReserveAndJoin(who, done);
    });
  }
  if (base == 0) base = LeastRoom(rooms_)->base;
  in_.wallet.Reserve(HoldOf(who.player, base),
                     [self = shared_from_this(), who, base, done](absl::StatusOr<Coins> balance) {
                       self->queue_.Post([self, who, base, done, balance = std::move(balance)] {
                         if (!balance.ok()) return done(balance.status());
                         self->FinishJoin(who, {who.player, base, *balance}, done);
                       });
                     });
}

void Table::FinishJoin(const Joining& who, HeldSeat held, Done<Seated> done) {
  if (lost_) return done(lost_with_);
  Submit(
      {[who](const TableState& s) { return DecideJoin(s, who.player, who.seat, who.token_hash); },
       [this, player = who.player, held = std::move(held), done](const absl::Status& status) {
         const std::optional<Seat> own = fold_.state.SeatOf(player);
         if (!own) released_.push_back(player);
         if (!status.ok()) {
           ReleaseSeats();
           return done(status);
         }
         if (own) held_[*own] = held;
         done(Seated{fold_.state.info(), *own});
       }});
}

void Table::Decide(const PlayerId& player, Decider decide, Done<StreamSeq> done) {
  Enter<StreamSeq>(
      std::move(done), [this, player, decide = std::move(decide)](Done<StreamSeq> answer) {
        Hear(player);
        Submit({decide, [this, player, answer = std::move(answer)](const absl::Status& status) {
                  if (!status.ok()) return answer(status);
                  answer(LastShownTo(player));
                }});
      });
}

void Table::Ready(const PlayerId& player, int round_number,
                  const std::optional<fairness::Digest>& nonce_hash, Done<StreamSeq> done) {
  Decide(
      player,
      [player, round_number, nonce_hash](const TableState& s) {
        return DecideReady(s, player, round_number, nonce_hash);
      },
      std::move(done));
}

void Table::RevealNonce(const PlayerId& player, int round_number, const fairness::Bytes& nonce,
                        Done<StreamSeq> done) {
  // A refusal is answered once it is journalled what was refused.
  const auto answer = std::make_shared<absl::Status>();
  Decide(
      player,
      [player, round_number, nonce, answer](const TableState& s) -> absl::StatusOr<Events> {
        Reveal reveal = DecideReveal(s, player, round_number, nonce);
        *answer = std::move(reveal.answer);
        return std::move(reveal.events);
      },
      [answer, done = std::move(done)](const absl::StatusOr<StreamSeq>& last) {
        if (last.ok() && !answer->ok()) return done(*answer);
        done(last);
      });
}

void Table::Act(const PlayerId& player, DecisionRef decision, const round::Choice& choice,
                Done<StreamSeq> done) {
  Decide(
      player,
      [this, player, decision, choice](const TableState& s) {
        return DecideAct(s, player, decision, choice, in_.clock.Now());
      },
      std::move(done));
}

void Table::AnswerStakes(const PlayerId& player, DecisionRef decision, const StakesAnswer& answer,
                         Done<StreamSeq> done) {
  Decide(
      player,
      [player, decision, answer](const TableState& s) {
        return DecideStakes(s, player, decision, answer);
      },
      std::move(done));
}

void Table::TakeOver(const PlayerId& player, Done<StreamSeq> done) {
  Decide(
      player, [player](const TableState& s) { return DecideTakeOver(s, player); }, std::move(done));
}

void Table::Leave(const PlayerId& player, LeaveReason reason, Done<Left> done) {
  Enter<Left>(std::move(done), [this, player, reason](Done<Left> answer) {
    Submit({[this, player, reason](const TableState& s) {
              return DecideLeave(s, player, reason, in_.clock.Now());
            },
            [this, player, answer = std::move(answer)](const absl::Status& status) {
              if (!status.ok()) return answer(status);
              answer(HowLeft(player));
            }});
  });
}

Table::Left Table::HowLeft(const PlayerId& player) const {
  const TableState& state = fold_.state;
  const std::optional<Seat> seat = state.SeatOf(player);
  if (!seat) return Left::kGone;
  const auto cause = state.to_void();
  if (!cause) return Left::kNotYet;
  return cause->escaped == seat ? Left::kEscaped : Left::kGone;
}

// ------------------------------------------------------------------------------------- commands

void Table::Submit(Command command) {
  if (stopped_) return command.done(Error(Reason::kShuttingDown));
  if (!appending_ && !retire_) return Run(std::move(command));
  if (waiting_.size() >= in_.limits.waiting_max) return command.done(Error(Reason::kOverloaded));
  waiting_.push_back(std::move(command));
}

void Table::Run(Command command) {
  absl::StatusOr<Events> events = command.decide(fold_.state);
  if (!events.ok()) return command.done(events.status());
  if (events->empty()) return command.done(absl::OkStatus());
  Commit(*std::move(events), std::move(command.done));
}

void Table::Commit(Events events, std::function<void(const absl::Status&)> done) {
  MJ_CHECK(!appending_);
  appending_ = true;
  append_began_ = in_.clock.Monotonic();
  Append append;
  append.table = fold_.state.id;
  append.epoch = epoch_;
  std::int64_t seq = fold_.state.last_seq;
  const WallTime now = in_.clock.Now();
  for (TableEvent& event : events) append.entries.push_back({++seq, now, std::move(event)});
  auto entries = append.entries;
  in_.journal.Submit(
      std::move(append), [self = shared_from_this(), entries = std::move(entries),
                          done = std::move(done)](absl::StatusOr<Appended> appended) mutable {
        self->queue_.Run([self, appended, entries = std::move(entries), done = std::move(done)] {
          self->OnAppended(appended, entries, done);
        });
      });
}

void Table::OnAppended(const absl::StatusOr<Appended>& appended,
                       const std::vector<LogEntry>& entries,
                       const std::function<void(const absl::Status&)>& done) {
  appending_ = false;
  if (in_.clock.Monotonic() - append_began_ > StallOf(entries)) held_up_ = true;
  if (!appended.ok()) {
    done(appended.status());
    return Lose("its journal was not answered");
  }
  switch (*appended) {
    case Appended::kWritten:
      break;
    case Appended::kPlayerBusy:
      done(Error(Reason::kPlayerBusy));
      return GoOn();
    case Appended::kRequestReused:
      done(Error(Reason::kRequestIdReused, {}, {.field = "request_id"}));
      return GoOn();
    case Appended::kNotOwner:
      done(base::Moved({}));
      in_.monitor.OnTableLost(fold_.state.id, "another process holds it");
      return EndWith(base::Moved({}), Gone::kLost);  // it is loaded again if it is not
    case Appended::kRefused:
      done(Error(Reason::kInternal));
      return Lose("the journal refuses its events");
  }
  for (const LogEntry& entry : entries) {
    const absl::StatusOr<std::vector<Showing>> showings = fold_.Apply(entry);
    MJ_CHECK(showings.ok(), base::ToStd(showings.status().message()));
    NoteSeats(entry);
    Show(*showings);
    FinishStreams(entry);
    NoteForWatchers(entry);
  }
  feeds_.TellAll();
  TellWatchers();
  done(absl::OkStatus());
  GoIfClosed();
  GoOn();
}

// From when on an append has held the table up. Clocks that have just been started anew are so once
// more only where half of a claim's time is gone: else a journal that stays slow would do nothing but
// restart them.
std::chrono::milliseconds Table::StallOf(const std::vector<LogEntry>& entries) const {
  if (!RestartsClocks(entries)) return in_.limits.stall;
  const std::chrono::milliseconds half(fold_.state.spec.settings.claim_ms / 2);
  return std::max(in_.limits.stall * 2, half);
}

void Table::NoteSeats(const LogEntry& entry) {
  if (const auto* left = std::get_if<SeatLeft>(&entry.event)) {
    released_.push_back(left->player);
    held_[left->seat] = {};
  }
  if (const auto* taken = std::get_if<SeatTaken>(&entry.event)) {
    presence_.TakeSeat(taken->seat, in_.clock.Now());
  }
  if (std::holds_alternative<RoundPosted>(entry.event) ||
      std::holds_alternative<RoundVoided>(entry.event)) {
    held_ = {};
  }
}

void Table::Show(const std::vector<Showing>& showings) {
  for (const Showing& showing : showings) {
    NoteSlow(feeds_.Show(showing));
    bots_.Show(showing);
  }
}

void Table::NoteSlow(std::size_t readers) {
  for (std::size_t i = 0; i < readers; ++i) in_.monitor.OnSlowSubscriber(fold_.state.id);
}

// Streams end with their player's leave, or with the table.
void Table::FinishStreams(const LogEntry& entry) {
  if (const auto* left = std::get_if<SeatLeft>(&entry.event)) {
    feeds_.End(left->seat, absl::OkStatus());
  }
  if (fold_.state.closed) feeds_.EndAll(absl::OkStatus());
}

// Takes up what waited for the journal; the table's own steps come first.
void Table::GoOn() {
  if (lost_ || stopped_) return;
  if (retire_) {
    // Stays retired, and has said so.
    if (!appending_) {
      std::exchange(retire_,
                    [](const std::optional<HeldTable>&) {})(HeldTable{fold_.state.id, epoch_});
    }
    return;
  }
  Advance();
  while (!appending_ && !lost_ && !waiting_.empty()) {
    Command next = std::move(waiting_.front());
    waiting_.pop_front();
    Run(std::move(next));
  }
  if (!appending_ && std::exchange(held_up_, false)) RestartClocks();
  if (!appending_ && !lost_) PlayBots();
  if (!appending_ && !lost_) SetClockAlarm();
}

void Table::Advance() {
  if (appending_) return;
  ReleaseSeats();
  if (stop_ && *stop_ != RoundsStopped{fold_.state.stop_from} && !fold_.state.closed) {
    return Do({*stop_});
  }
  if (StopsNow(fold_.state, in_.clock.Now())) return Do(CloseByOperator(fold_.state));
  switch (NextStepOf(fold_.state)) {
    case NextStep::kNothing:
      (void)HoldSeats();
      return;
    case NextStep::kAskForStakes:
      if (HoldSeats() && HaveRooms()) AskForStakesNow();
      return;
    case NextStep::kAskConsent:
      return Do(AskConsent(fold_.state));
    case NextStep::kAsk:
      if (HoldSeats() && !ChangeBase()) Do(AskToPlayOn(fold_.state));
      return;
    case NextStep::kBeginRound:
      if (HoldSeats() && !ChangeBase()) BeginNextRound();
      return;
    case NextStep::kDrawDeal:
      return Do(DrawDeal(fold_.state));
    case NextStep::kOpenPlay:
      return AskToBegin();
    case NextStep::kEscape:
      return Do(LeaveNow(fold_.state, in_.clock.Now()));
    case NextStep::kEndByOperator:
      return Do(EndByOperator(fold_.state, in_.clock.Now()));
    case NextStep::kDismiss:
      return Do(Dismiss(fold_.state));
    case NextStep::kScore:
      return AskScorer();
    case NextStep::kSettle:
      return AskWallet();
    case NextStep::kVoid:
      return AskToVoid();
  }
}

void Table::Do(Events events) {
  if (!events.empty()) Commit(std::move(events), [](const absl::Status&) {});
}

void Table::BeginNextRound() {
  fairness::Seed seed{};
  in_.entropy.Fill(std::as_writable_bytes(std::span(seed)));
  Commit(BeginRound(fold_.state, RoundId(in_.ids.Next()), seed),
         [this](const absl::Status& status) {
           if (status.ok()) in_.monitor.OnRoundBegun(fold_.state.spec.variant);
         });
}

// ----------------------------------------------------------------------------------------- bots

// Bots send what clients could, and it is decided on as if they had.
void Table::PlayBots() {
  while (!appending_) {
    const WallTime now = in_.clock.Now();
    const auto taken = bots_.Take(now);
    if (!taken) break;
    const PlayerId player = fold_.state.seats[taken->seat].player;
    const auto decide = [&](const TableState& state) -> absl::StatusOr<Events> {
      if (const auto* turn = std::get_if<AnswerTurn>(&taken->move)) {
        return DecideAct(state, player, turn->decision, turn->choice, now);
      }
      if (const auto* stakes = std::get_if<AnswerAboutStakes>(&taken->move)) {
        return DecideStakes(state, player, stakes->decision, stakes->answer);
      }
      return DecideReady(state, player, 0);
    };
    // What came too late is refused, as a client's would be.
    Run({decide, [](const absl::Status&) {}});
  }
  SetBotAlarm();
}

void Table::SetBotAlarm() {
  const std::optional<WallTime> next = bots_.next();
  if (next == bot_alarm_for_) return;
  bot_alarm_for_ = next;
  if (!next) return bot_alarm_.Cancel();
  bot_alarm_.Set(*next - in_.clock.Now(), [weak = weak_from_this(), next = *next] {
    const auto self = weak.lock();
    if (self == nullptr) return;
    self->queue_.Post([self, next] {
      if (self->bot_alarm_for_ != next) return;
      self->bot_alarm_for_.reset();
      if (!self->appending_) self->GoOn();  // else it is called behind the append
    });
  });
}

// --------------------------------------------------------------------------------------- clocks

// Whatever kept the table itself from going on is nobody's overrun and nobody's absence (D-COM-10).
void Table::RestartClocks() {
  presence_.Forgive(in_.clock.Now());
  if (NextDue(fold_.state)) Do({ClocksRestarted{}});
}

void Table::SetClockAlarm() {
  std::optional<WallTime> due = NextDue(fold_.state);
  const auto absence = NextAbsence(fold_.state, presence_.away());
  if (absence && (!due || *absence < *due)) due = absence;
  const auto stop = NextStop(fold_.state);
  if (stop && (!due || *stop < *due)) due = stop;
  if (due == alarm_for_) return;
  alarm_for_ = due;
  if (!due) return clock_alarm_.Cancel();
  clock_alarm_.Set(*due - in_.clock.Now(), [weak = weak_from_this(), due = *due] {
    const auto self = weak.lock();
    if (self != nullptr) self->queue_.Post([self, due] { self->OnDue(due); });
  });
}

void Table::OnDue(WallTime due) {
  if (lost_ || stopped_ || retire_ || alarm_for_ != due) return;
  alarm_for_.reset();
  if (appending_) return;  // GoOn sets the alarm again
  const WallTime now = in_.clock.Now();
  // This process stood still, or its clock was changed.
  if (now - due > in_.limits.stall || due - now > in_.limits.stall) {
    held_up_ = true;
    return GoOn();
  }
  Events events = DecideDue(fold_.state, now);
  if (events.empty()) events = DecideAbsence(fold_.state, presence_.away(), now);
  if (events.empty()) return GoOn();
  Do(std::move(events));
}

void Table::Hear(const PlayerId& player) {
  if (const auto seat = fold_.state.SeatOf(player)) presence_.Call(*seat, in_.clock.Now());
}

// -------------------------------------------------------------------------------------- streams

void Table::Subscribe(const Asker& who, StreamSeq after, Done<std::shared_ptr<Subscription>> done) {
  using Answer = Done<std::shared_ptr<Subscription>>;
  Enter<std::shared_ptr<Subscription>>(std::move(done), [this, who, after](Answer answer) {
    if (stopped_) return answer(Error(Reason::kShuttingDown));
    const absl::StatusOr<Seat> seat = OpenSeat(fold_.state, who);
    if (!seat.ok()) return answer(seat.status());
    const Feed& feed = *feeds_[*seat];
    if (after > feed.last()) {
      return answer(Error(Reason::kSequenceAhead,
                          base::Cat("after_sequence: got ", std::to_string(after), ", last is ",
                                    std::to_string(feed.last())),
                          {.field = "after_sequence"}));
    }
    if (feed.Keeps(after)) return Attach(*seat, who.player, after, {}, answer);
    LoadOlder(*seat, who.player, after, std::move(answer));
  });
}

void Table::LoadOlder(Seat seat, const PlayerId& player, StreamSeq after,
                      Done<std::shared_ptr<Subscription>> done) {
  const auto answer = std::make_shared<Done<std::shared_ptr<Subscription>>>(std::move(done));
  const bool taken = in_.blocking.TryPost(
      [self = shared_from_this(), id = fold_.state.id, seat, player, after, answer] {
        auto older = LoadStream(self->in_.log, id, seat, player, after);
        self->queue_.Post([self, seat, player, after, answer, older = std::move(older)]() mutable {
          if (!older.ok()) return (*answer)(older.status());
          self->Attach(seat, player, after, *std::move(older), *answer);
        });
      });
  if (!taken) (*answer)(Error(Reason::kOverloaded));
}

void Table::Attach(Seat seat, const PlayerId& player, StreamSeq after, std::vector<Shown> older,
                   const Done<std::shared_ptr<Subscription>>& done) {
  if (lost_) return done(lost_with_);
  if (stopped_) return done(Error(Reason::kShuttingDown));
  if (fold_.state.seats[seat].player != player) return done(Error(Reason::kNotSeated));
  auto subscription = std::make_shared<Subscription>(in_.limits.outbox_max);
  const auto feed = feeds_[seat];
  // Keeps table and feed for as long as a reader is behind; Cancel and End let go of it.
  const auto refill = [self = shared_from_this(), feed, reader = subscription.get()] {
    self->queue_.Post([self, feed, reader] { self->NoteSlow(feed->Refill(reader)); });
  };
  feed->Attach(subscription, after, std::move(older), refill);
  if (observers_told_ > 0) subscription->Notify({observers_told_});
  presence_.Connect(seat, in_.clock.Now());
  subscription->OnEnded([weak = weak_from_this(), seat, player] {
    const auto self = weak.lock();
    if (self == nullptr) return;
    self->queue_.Post([self, seat, player] {
      if (self->fold_.state.seats[seat].player != player) return;
      self->presence_.Disconnect(seat, self->in_.clock.Now());
      if (!self->appending_ && !self->lost_ && !self->stopped_) self->SetClockAlarm();
    });
  });
  done(std::move(subscription));
}

StreamSeq Table::LastShownTo(const PlayerId& player) const {
  const std::optional<Seat> seat = fold_.state.SeatOf(player);
  return seat ? fold_.numbers.last(*seat) : 0;
}

void Table::Lose(std::string_view why) {
  in_.monitor.OnTableLost(fold_.state.id, why);
  EndWith(Error(Reason::kUnavailable, why), Gone::kLost);
}

void Table::EndWith(const absl::Status& status, Gone why) {
  lost_ = true;
  lost_with_ = status;
  if (retire_) std::exchange(retire_, nullptr)(std::nullopt);
  peer_alarm_.Cancel();
  clock_alarm_.Cancel();
  bot_alarm_.Cancel();
  watch_alarm_.Cancel();
  feeds_.EndAll(status);
  gallery_.End(status);
  for (const Command& command : std::exchange(waiting_, {})) command.done(status);
  gone_(why);
}

}  // namespace mj::table
