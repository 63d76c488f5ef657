// A live table: one serial queue on which commands are decided, journalled, applied and shown, in
// this order.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/base/clock.h"
#include "libs/base/entropy.h"
#include "libs/base/executor.h"
#include "libs/base/reasons.h"
#include "libs/base/serial_queue.h"
#include "libs/base/uuid.h"
#include "services/table/app/alarm.h"
#include "services/table/app/bot_seats.h"
#include "services/table/app/clocks.h"
#include "services/table/app/decide.h"
#include "services/table/app/feed.h"
#include "services/table/app/gallery.h"
#include "services/table/app/history.h"
#include "services/table/app/inspect.h"
#include "services/table/app/journal.h"
#include "services/table/app/leases.h"
#include "services/table/app/monitor.h"
#include "services/table/app/peers.h"
#include "services/table/app/presence.h"
#include "services/table/app/subscription.h"

namespace mj::table {

struct TableLimits {
  std::size_t queue_max = 256;    // calls that wait for one table's queue
  std::size_t waiting_max = 64;   // commands that wait for the journal
  std::size_t kept_max = 16;      // a stream's latest events, in memory
  std::size_t outbox_max = 256;   // a subscriber's unread events
  std::size_t watchers_max = 64;  // streams of those who watch one table
  // The table itself was held up when something took longer than this (D-COM-10).
  std::chrono::milliseconds stall{1'000};
  std::chrono::milliseconds peer_retry_min{100};
  std::chrono::milliseconds peer_retry_max{10'000};  // the pause doubles up to this
  std::chrono::milliseconds rooms_kept{60'000};      // before the wallet is asked for them again
};

// What a table works with. All of it outlives every table and every task of the runners.
struct Surroundings {
  EventLog& log;
  Journal& journal;
  Scorer& scorer;
  Wallet& wallet;
  base::TaskRunner& runner;    // tables' queues; nothing on it blocks
  base::TaskRunner& blocking;  // reading the log
  base::Clock& clock;
  base::Entropy& entropy;
  base::UuidGenerator& ids;
  Monitor& monitor;
  Leases& leases;
  OwnerId self;  // under which this process holds tables
  TableLimits limits;
};

// Answers a call, once, on whatever thread.
template <typename T>
using Done = std::function<void(absl::StatusOr<T>)>;

// Thread-safe: every call is posted to the table's queue and answered from there. Any call may
// answer OVERLOADED when too many wait, and UNAVAILABLE when the table is lost (see below).
//
// Invariants
//   1. nothing is shown or answered before it is journalled;
//   2. one append is under way at a time: commands are decided on what is durable, later ones wait;
//   3. the state is the fold of the journal: dropping the table and replaying it changes nothing.
//
// A table is lost when the log refuses its journal: every reader is cut off and every caller answered
// UNAVAILABLE, `gone` is called, and the next call loads the journal anew. It has moved when another
// process holds it: likewise with TABLE_MOVED, whose metadata says `address` where that is known.
class Table : public std::enable_shared_from_this<Table> {
 public:
  // Why a table is no longer to be held.
  enum class Gone { kClosed, kLost, kMoved };

  // Nothing runs before Start. `feeds` and `bots` have been shown what `fold` was made of; appends are
  // made under `epoch`. `gone` is called at most once, on the table's queue.
  Table(const Surroundings& surroundings, Fold fold, std::int64_t epoch, Feeds feeds, BotSeats bots,
        std::function<void(Gone)> gone);

  // Goes on with whatever the table itself has to do next (a round's deal, its scoring, its
  // posting).
  void Start();

  // Ends every stream with SHUTTING_DOWN and answers further commands with it. What is under way in
  // the journal is finished.
  void Stop();

  // Takes nothing more on: whoever calls, waits. Once nothing is under way in its journal, which is
  // between two decisions, `idle` is called on the table's queue, and MoveTo or Stop is to follow; with
  // nothing when it is gone before. Once.
  using Idle = std::function<void(std::optional<HeldTable>)>;
  void Retire(Idle idle);
  // Another process holds it now, reached under `address`; empty: not known.
  void MoveTo(const std::string& address);

  [[nodiscard]] std::int64_t epoch() const { return epoch_; }

  struct Seated {
    TableInfo table;
    Seat seat = Seat::k0;
  };
  void Join(const PlayerId& player, std::optional<Seat> seat,
            const std::optional<audit::Digest>& token_hash, Done<Seated> done);
  // These answer with the latest event of the seat's stream.
  void Ready(const PlayerId& player, int round_number,
             const std::optional<fairness::Digest>& nonce_hash, Done<StreamSeq> done);
  // As DecideReveal.
  void RevealNonce(const PlayerId& player, int round_number, const fairness::Bytes& nonce,
                   Done<StreamSeq> done);
  void Act(const PlayerId& player, DecisionRef decision, const round::Choice& choice,
           Done<StreamSeq> done);
  void AnswerStakes(const PlayerId& player, DecisionRef decision, const StakesAnswer& answer,
                    Done<StreamSeq> done);
  void TakeOver(const PlayerId& player, Done<StreamSeq> done);
  // What came of a player's leave.
  enum class Left {
    kGone,     // the seat is given up; no escape
    kEscaped,  // the round is void by it, and the penalty due (COM-10)
    kNotYet,   // the last tile may still be claimed, or looks so: it goes when that is decided
  };
  void Leave(const PlayerId& player, LeaveReason reason, Done<Left> done);
  // How the table was asked for when it was made, defaults filled in, and how it stands.
  struct Description {
    TableSpec spec;
    TableInfo info;
    std::optional<WallTime> deadline;  // of who asks (OwedBy)
  };
  // What is told of a table in this state, to nobody in particular or to `who`. As OpenSeat.
  [[nodiscard]] static absl::StatusOr<Description> DescriptionOf(const TableState& state,
                                                                 const std::optional<Asker>& who);
  void Describe(const std::optional<Asker>& who, Done<Description> done);
  // As DecideOrder. True: it is granted and journalled, and has yet to take effect.
  void Order(const OperatorActed& order, Done<bool> done);
  void Inspect(Done<Inspection> done);
  // No round begins at or after stop.from, whatever the journal says: it is told so, and the table
  // closes once that has come and no round is live.
  void SetStop(const RoundsStopped& stop);
  // As OpenSeat; SEQUENCE_AHEAD.
  void Subscribe(const Asker& who, StreamSeq after, Done<std::shared_ptr<Subscription>> done);

  // Lets whoever watches from the player's seat see its hand, or not any more. Once this is answered
  // nobody is told of a hand that was taken back. Answers as Ready. As DecideShowHand.
  void ShowHand(const PlayerId& player, bool show, Done<StreamSeq> done);
  // What is public, watch_delay_ms later, for one who has no seat here; from `after` + 1 on, 0: from
  // where the latest round began. A closed table tells the rest to whoever watched before.
  // TABLE_CLOSED, TABLE_NOT_WATCHABLE, SEATED_HERE (which also ends the streams of one who takes a
  // seat), SEQUENCE_AHEAD; OVERLOADED when watchers_max do.
  void Watch(const PlayerId& player, Seat seat, StreamSeq after,
             Done<std::shared_ptr<WatchSubscription>> done);

 private:
  using Decider = std::function<absl::StatusOr<Events>(const TableState&)>;
  struct Command {
    Decider decide;
    std::function<void(const absl::Status&)> done;
  };

  // Of a player who is heard of by it: journals what is decided, then answers.
  void Decide(const PlayerId& player, Decider decide, Done<StreamSeq> done);

  // Runs `task` on the queue, or answers OVERLOADED.
  template <typename T>
  void Enter(Done<T> done, std::function<void(Done<T>)> task);

  void Submit(Command command);
  void Run(Command command);
  void Commit(Events events, std::function<void(const absl::Status&)> done);
  void OnAppended(const absl::StatusOr<Appended>& appended, const std::vector<LogEntry>& entries,
                  const std::function<void(const absl::Status&)>& done);
  void Show(const std::vector<Showing>& showings);
  void FinishStreams(const LogEntry& entry);
  void GoOn();
  void Advance();
  void BeginNextRound();
  void Do(Events events);
  [[nodiscard]] Left HowLeft(const PlayerId& player) const;

  void PlayBots();
  void SetBotAlarm();

  void RestartClocks();
  [[nodiscard]] std::chrono::milliseconds StallOf(const std::vector<LogEntry>& entries) const;
  void SetClockAlarm();
  void OnDue(WallTime due);
  void Hear(const PlayerId& player);

  // Seats at the wallet. Each is held when its player sits, and anew after every round, which is
  // when whoever has too little is told so and removed (COM-15).
  struct HeldSeat {
    PlayerId player;  // empty: it is not held, as far as is known here
    Coins base = 0;
    Coins balance = 0;                                 // of its player, then
    bool operator==(const HeldSeat&) const = default;  // PerSeat wants it
  };
  [[nodiscard]] SeatHold HoldOf(const PlayerId& player, Coins base);
  // Asks the wallet to hold the seat; a bot of the house is given coins first where it needs them.
  void Reserve(Seat seat, const PlayerId& player, Coins base,
               std::function<void(absl::StatusOr<Coins>)> done);
  // Whether a seat is held for its player, for the base that it plays for at least.
  [[nodiscard]] bool IsHeld(Seat seat) const;
  bool HoldSeats();  // true: every seat that is taken is held
  void OnHeld(Seat seat, const PlayerId& player, Coins base, const absl::StatusOr<Coins>& balance);
  void ReleaseSeats();
  void NoteSeats(const LogEntry& entry);
  // Who wants to sit down, and how.
  struct Joining {
    PlayerId player;
    std::optional<Seat> seat;
    std::optional<audit::Digest> token_hash;
  };
  void ReserveAndJoin(const Joining& who, Done<Seated> done);
  void FinishJoin(const Joining& who, HeldSeat held, Done<Seated> done);

  // The game's rooms, and what follows from them for the stakes.
  [[nodiscard]] bool KnowsRooms() const;
  void ReadRooms(std::function<void(const absl::Status&)> done);
  bool HaveRooms();  // true: they are known; else they are asked for
  void AskForStakesNow();
  bool ChangeBase();  // true: it is being changed, or nobody knows yet whether it has to
  void AskToBegin();
  void OnBegun(const absl::Status& status);

  void AskScorer();
  void OnScored(const absl::StatusOr<Score>& score);
  void AskWallet();
  void AskToVoid();
  void OnVoided(const absl::StatusOr<std::optional<PenaltyPosted>>& voided);
  void OnPosted(const absl::StatusOr<RoundPosted>& posted);
  void PeerFailed(std::string_view peer, const absl::Status& status);

  void Attach(Seat seat, const PlayerId& player, StreamSeq after, std::vector<Shown> older,
              const Done<std::shared_ptr<Subscription>>& done);
  void LoadOlder(Seat seat, const PlayerId& player, StreamSeq after,
                 Done<std::shared_ptr<Subscription>> done);

  // Those who watch.
  [[nodiscard]] absl::Status MayWatch(const PlayerId& player, StreamSeq after) const;
  void LoadAndWatch(const PlayerId& player, Seat seat, StreamSeq after,
                    Done<std::shared_ptr<WatchSubscription>> done);
  void AttachWatcher(const PlayerId& player, Seat seat, StreamSeq after,
                     const std::vector<Scene>& older,
                     const Done<std::shared_ptr<WatchSubscription>>& done);
  void OnWatcherGone(const PlayerId& player, const WatchSubscription* reader);
  void NoteForWatchers(const LogEntry& entry);
  void TellWatchers();
  void CountWatchers();
  void ShutIfUnwatched();
  void GoIfClosed();

  void NoteSlow(std::size_t readers);
  void Lose(std::string_view why);
  void EndWith(const absl::Status& status, Gone why);
  StreamSeq LastShownTo(const PlayerId& player) const;

  const Surroundings in_;
  const std::int64_t epoch_;
  const std::function<void(Gone)> gone_;
  base::SerialQueue queue_;

  // The queue's own from here on.
  Fold fold_;
  Feeds feeds_;
  BotSeats bots_;
  bool appending_ = false;
  bool asking_ = false;  // a peer is asked, or will be when its timer fires
  bool started_ = false;
  bool stopped_ = false;
  bool lost_ = false;       // or moved
  absl::Status lost_with_;  // what whoever calls is told then
  Idle retire_;             // it is to be given away once it is idle
  std::deque<Command> waiting_;
  std::chrono::milliseconds peer_pause_{0};
  PerSeat<HeldSeat> held_;
  std::vector<Room> rooms_;  // empty: not known
  base::MonotonicTime rooms_read_;
  int holding_ = 0;                 // seats that the wallet is asked about
  std::vector<Unseated> refused_;   // of these
  absl::Status hold_failure_;       // of these, one that may pass
  std::vector<PlayerId> released_;  // who left, and whose seat the wallet still holds
  Presence presence_;
  bool held_up_ = false;  // the table itself was, and its clocks have not been started anew
  base::MonotonicTime append_began_;
  std::optional<WallTime> alarm_for_;  // for when the clock's alarm is set
  std::optional<WallTime> bot_alarm_for_;
  Gallery gallery_;
  int entering_ = 0;                   // who wants to watch and waits for the journal
  int observers_told_ = 0;             // to the four seats
  std::optional<RoundsStopped> stop_;  // as all tables are told; nothing: it is not known yet
  bool let_go_ = false;                // closed, and nobody holds this table any more
  Alarm peer_alarm_;
  Alarm clock_alarm_;
  Alarm bot_alarm_;
  Alarm watch_alarm_;
};

template <typename T>
void Table::Enter(Done<T> done, std::function<void(Done<T>)> task) {
  const auto shared = std::make_shared<Done<T>>(std::move(done));
  const bool taken = queue_.TryRun([self = shared_from_this(), shared, task = std::move(task)] {
    if (self->lost_) return (*shared)(self->lost_with_);
    task(std::move(*shared));
  });
  if (!taken) (*shared)(base::Error(base::Reason::kOverloaded));
}

}  // namespace mj::table
