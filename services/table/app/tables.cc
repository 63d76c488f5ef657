#include "services/table/app/tables.h"

#include <utility>

#include "libs/base/moved.h"
#include "libs/base/reasons.h"
#include "libs/base/strings.h"
#include "libs/variants/registry.h"

namespace mj::table {
namespace {

using base::Error;
using base::Reason;
using Found = std::function<void(absl::StatusOr<std::shared_ptr<Table>>)>;

absl::Status ToTell(const TableId& id, const absl::Status& status) {
  if (status.code() != absl::StatusCode::kDataLoss) return status;
  return Error(Reason::kInternal, base::Cat("the journal of ", id.value(), " cannot be read"));
}

}  // namespace

class Tables::Core : public std::enable_shared_from_this<Tables::Core> {
 public:
  Core(const Surroundings& surroundings, TablesOptions options)
      : in_(surroundings), options_(options) {}

  // Calls `found` with the table, which is loaded first if it is not held.
  void Find(const TableId& id, Found found) {
    std::shared_ptr<Table> held;
    absl::Status refused;
    {
      base::MutexLock lock(mutex_);
      const auto it = tables_.find(id);
      if (it != tables_.end() && it->second.table != nullptr) {
        held = it->second.table;
      } else if (stopped_) {
        refused = Error(Reason::kShuttingDown);
      } else if (it != tables_.end()) {
        it->second.waiting.push_back(std::move(found));
        return;
      } else if (tables_.size() >= options_.tables_max) {
        refused = Error(Reason::kOverloaded, "this process holds as many tables as it may");
      } else {
        tables_[id].waiting.push_back(found);
      }
    }
    if (held != nullptr) return found(std::move(held));
    if (!refused.ok()) return found(refused);
    const bool taken =
        in_.blocking.TryPost([self = shared_from_this(), id] { self->Load(id, std::nullopt); });
    if (!taken) Answer(id, Error(Reason::kOverloaded));
  }

  // Finds `id` and calls `call` with it, or `done` with why not.
  template <typename T>
  void With(const TableId& id, Done<T> done, std::function<void(Table&, Done<T>)> call) {
    Find(id, [done = std::move(done),
              call = std::move(call)](const absl::StatusOr<std::shared_ptr<Table>>& table) {
      if (!table.ok()) return done(table.status());
      call(**table, done);
    });
  }

  void Create(const RequestId& request, const TableSpec& asked, const SettingValues& given,
              Done<TableInfo> done) {
    absl::StatusOr<TableSpec> spec = CheckSpec(asked);
    if (!spec.ok()) return done(spec.status());
    const absl::StatusOr<TableSettings> settings = WithSettings(options_.settings, given);
    if (!settings.ok()) return done(settings.status());
    spec->settings = *settings;
    const TableId id(in_.ids.Next());
    SeatBots(id, *spec);
    const absl::Status room = CheckRoom();
    if (!room.ok()) return done(room);
    if (const auto stop = this->stop(); stop && stop->from && *stop->from <= in_.clock.Now()) {
      return done(Error(Reason::kRoundsStopped));
    }
    const LogEntry first{1, in_.clock.Now(), TableCreated{id, request, *std::move(spec)}};
    const bool taken = in_.blocking.TryPost(
        [self = shared_from_this(), first, given, done] { self->Make(first, given, done); });
    if (!taken) done(Error(Reason::kOverloaded));
  }

  void ListRooms(const std::string& variant, Currency currency, Done<RoomList> done) {
    const absl::StatusOr<const rules::Variant*> game = FindGame(variant);
    if (!game.ok()) return done(game.status());
    in_.wallet.ListRooms(variant, currency,
                         [done = std::move(done), from = (*game)->info().base_from](
                             absl::StatusOr<std::vector<Room>> rooms) {
                           if (!rooms.ok()) return done(rooms.status());
                           done(RoomList{*std::move(rooms), from});
                         });
  }

  void Get(const TableId& id, const Done<TableInfo>& done) {
    Describe(id, {}, [done](const absl::StatusOr<Table::Description>& table) {
      if (!table.ok()) return done(table.status());
      done(table->info);
    });
  }

  // Wherever it is held: if not here, by its journal.
  void Describe(const TableId& id, const std::optional<Asker>& who,
                const Done<Table::Description>& done) {
    Find(id, [self = shared_from_this(), id, who,
              done](const absl::StatusOr<std::shared_ptr<Table>>& table) {
      if (table.ok()) return (*table)->Describe(who, done);
      const std::optional<std::string> address = base::MovedTo(table.status());
      if (!address) return done(table.status());
      self->ByJournal<Table::Description>(
          id,
          [who, address = *address](const TableState& state) {
            absl::StatusOr<Table::Description> there = Table::DescriptionOf(state, who);
            if (there.ok()) there->info.address = address;
            return there;
          },
          done);
    });
  }

  void Inspect(const TableId& id, const Done<Inspection>& done) {
    Find(id, [self = shared_from_this(), id,
              done](const absl::StatusOr<std::shared_ptr<Table>>& table) {
      if (table.ok()) return (*table)->Inspect(done);
      const std::optional<std::string> address = base::MovedTo(table.status());
      if (!address) return done(table.status());
      self->ByJournal<Inspection>(
          id,
          [address = *address](const TableState& state) -> absl::StatusOr<Inspection> {
            Inspection seen = InspectionOf(state, std::nullopt);
            seen.info.address = address;
            return seen;
          },
          done);
    });
  }

  void SetStop(const RoundsStopped& stop) {
    // Posted under the mutex: a table never hears of an older stop after a newer one.
    base::MutexLock lock(mutex_);
    if (stop_ == stop) return;
    stop_ = stop;
    for (const auto& [id, entry] : tables_) {
      if (entry.table != nullptr) entry.table->SetStop(stop);
    }
  }

  void Adopt(const HeldTable& held) {
    if (!Claim(held.table)) return;  // whoever loads it takes it anew
    in_.blocking.Post([self = shared_from_this(), held] { self->Load(held.table, held.epoch); });
  }

  void KeepOnly(const std::vector<HeldTable>& held) {
    std::unordered_map<TableId, std::int64_t> epochs;
    for (const HeldTable& one : held) epochs[one.table] = one.epoch;
    std::vector<std::shared_ptr<Table>> gone;
    {
      base::MutexLock lock(mutex_);
      for (const auto& [id, entry] : tables_) {
        if (entry.table == nullptr) continue;
        const auto epoch = epochs.find(id);
        if (epoch == epochs.end() || epoch->second > entry.table->epoch()) {
          gone.push_back(entry.table);
        }
      }
    }
    for (const auto& table : gone) table->MoveTo({});
  }

  std::vector<std::shared_ptr<Table>> Close() {
    std::vector<std::shared_ptr<Table>> held;
    base::MutexLock lock(mutex_);
    stopped_ = true;
    for (const auto& [id, entry] : tables_) {
      if (entry.table != nullptr) held.push_back(entry.table);
    }
    return held;
  }

  void Stop() {
    for (const auto& table : Close()) table->Stop();
  }

  std::size_t held() const {
    base::MutexLock lock(mutex_);
    return tables_.size();
  }

  std::size_t room() const {
    base::MutexLock lock(mutex_);
    if (stopped_ || tables_.size() >= options_.tables_max) return 0;
    return options_.tables_max - tables_.size();
  }

 private:
  struct Entry {
    std::shared_ptr<Table> table;  // null while it is loaded
    std::vector<Found> waiting;    // for that
  };

  bool stopped() const {
    base::MutexLock lock(mutex_);
    return stopped_;
  }

  // Tells of a table that is somebody else's.
  template <typename T>
  void ByJournal(const TableId& id, std::function<absl::StatusOr<T>(const TableState&)> tell,
                 const Done<T>& done) {
    const bool taken =
        in_.blocking.TryPost([self = shared_from_this(), id, tell = std::move(tell), done] {
          const absl::StatusOr<Fold> fold = Replay(self->in_.log, id);
          if (!fold.ok()) return done(ToTell(id, fold.status()));
          done(tell(fold->state));
        });
    if (!taken) done(Error(Reason::kOverloaded));
  }

  std::optional<RoundsStopped> stop() const {
    base::MutexLock lock(mutex_);
    return stop_;
  }

  absl::Status CheckRoom() const {
    base::MutexLock lock(mutex_);
    if (stopped_) return Error(Reason::kShuttingDown);
    if (tables_.size() < options_.tables_max) return absl::OkStatus();
    return Error(Reason::kOverloaded, "this process holds as many tables as it may");
  }

  // Marks a table as being loaded by the caller; false when it is held or being loaded already.
  bool Claim(const TableId& id) {
    base::MutexLock lock(mutex_);
    if (stopped_) return false;
    return tables_.try_emplace(id).second;
  }

  // Blocks. REQUIRES: claimed. Whoever waits is answered. Takes the table, unless it is taken already.
  void Load(const TableId& id, std::optional<std::int64_t> epoch) {
    if (!epoch) {
      const auto taken = in_.leases.Take(id, in_.self);
      if (!taken.ok()) return Answer(id, taken.status());
      if (const auto* elsewhere = std::get_if<Elsewhere>(&*taken)) {
        return Answer(id, base::Moved(elsewhere->address));
      }
      epoch = std::get<HeldTable>(*taken).epoch;
    }
    Feeds feeds(in_.limits.kept_max);
    BotSeats bots;
    absl::StatusOr<Fold> fold = Replay(in_.log, id, [&feeds, &bots](const Showing& showing) {
      feeds.Show(showing);
      bots.Show(showing);
    });
    if (!fold.ok()) {
      in_.monitor.OnReplayFailed(id, fold.status());
      Answer(id, ToTell(id, fold.status()));
      // It is this process's, and nobody else's to go on with.
      if (MayPass(fold.status())) LoadLater(id);
      return;
    }
    const bool closed = fold->state.closed;
    const auto table =
        std::make_shared<Table>(in_, *std::move(fold), *epoch, std::move(feeds), std::move(bots),
                                [self = weak_from_this(), id](Table::Gone why) {
                                  const auto core = self.lock();
                                  if (core == nullptr) return;
                                  core->Drop(id);
                                  if (why == Table::Gone::kLost) core->LoadLater(id);
                                });
    Answer(id, table);
    // A closed table answers what is asked of it now, and is then let go.
    if (closed) Drop(id);
    {
      base::MutexLock lock(mutex_);
      if (stop_) table->SetStop(*stop_);
    }
    table->Start();
  }

  // Blocks.
  void Make(const LogEntry& first, const SettingValues& given, const Done<TableInfo>& done) {
    const auto& created = std::get<TableCreated>(first.event);
    const auto made = in_.log.Create(first, in_.self);
    if (!made.ok()) return done(made.status());
    if (const auto* busy = std::get_if<Busy>(&*made)) {
      return done(
          Error(Reason::kPlayerBusy, base::Cat("player_ids: ", busy->player.value()),
                {.field = "player_ids", .metadata = {{"player_id", busy->player.value()}}}));
    }
    if (const auto* before = std::get_if<MadeBefore>(&*made)) {
      return AnswerMadeBefore(before->table, created.spec, given, done);
    }
    // Loaded like any other: one way into this process.
    Get(created.table, done);
  }

  void AnswerMadeBefore(const TableId& id, const TableSpec& spec, const SettingValues& given,
                        const Done<TableInfo>& done) {
    Describe(id, {}, [spec, given, done](const absl::StatusOr<Table::Description>& before) {
      // Closed for so long that its events are gone.
      if (base::HasReason(before.status(), Reason::kTableNotFound)) {
        return done(Error(Reason::kTableClosed));
      }
      if (!before.ok()) return done(before.status());
      // The defaults of that time are not asked for.
      TableSpec again = spec;
      SeatBots(before->info.id, again);
      again.settings = WithSettings(before->spec.settings, given).value_or(spec.settings);
      if (before->spec != again) {
        return done(Error(Reason::kRequestIdReused, {}, {.field = "request_id"}));
      }
      done(before->info);
    });
  }

  void Answer(const TableId& id, const absl::StatusOr<std::shared_ptr<Table>>& table) {
    std::vector<Found> waiting;
    std::size_t held = 0;
    bool stopped = false;
    {
      base::MutexLock lock(mutex_);
      Entry& entry = tables_[id];
      waiting.swap(entry.waiting);
      stopped = stopped_;
      if (table.ok()) {
        entry.table = *table;
      } else {
        tables_.erase(id);
      }
      held = tables_.size();
    }
    if (stopped && table.ok()) (*table)->Stop();
    in_.monitor.OnTablesHeld(held);
    for (const Found& found : waiting) found(table);
  }

  void Drop(const TableId& id) {
    std::size_t held = 0;
    {
      base::MutexLock lock(mutex_);
      tables_.erase(id);
      held = tables_.size();
    }
    in_.monitor.OnTablesHeld(held);
  }

  // Until it is held, closed, or cannot be read.
  void LoadLater(const TableId& id) {
    in_.clock.CallAfter(options_.load_retry, [weak = weak_from_this(), id] {
      const auto core = weak.lock();
      if (core == nullptr || core->stopped()) return;
      core->Find(id, [weak, id](const absl::StatusOr<std::shared_ptr<Table>>& table) {
        const auto again = weak.lock();
        if (again == nullptr || table.ok() || again->stopped()) return;
        if (MayPass(table.status())) again->LoadLater(id);
      });
    });
  }

  const Surroundings in_;
  const TablesOptions options_;
  mutable base::Mutex mutex_;
  std::unordered_map<TableId, Entry> tables_ ABSL_GUARDED_BY(mutex_);
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  std::optional<RoundsStopped> stop_ ABSL_GUARDED_BY(mutex_);  // nothing: it is not known yet
};

Tables::Tables(const Surroundings& surroundings, TablesOptions options)
    : core_(std::make_shared<Core>(surroundings, options)) {}

Tables::~Tables() { Stop(); }

void Tables::Create(const RequestId& request, const TableSpec& asked, const SettingValues& given,
                    Done<TableInfo> done) {
  core_->Create(request, asked, given, std::move(done));
}

void Tables::ListRooms(const std::string& variant, Currency currency, Done<RoomList> done) {
  core_->ListRooms(variant, currency, std::move(done));
}

void Tables::Join(const TableId& table, const PlayerId& player, std::optional<Seat> seat,
                  const std::optional<audit::Digest>& token_hash, Done<Table::Seated> done) {
  core_->With<Table::Seated>(table, std::move(done),
                             [player, seat, token_hash](Table& t, Done<Table::Seated> answer) {
                               t.Join(player, seat, token_hash, std::move(answer));
                             });
}

void Tables::Ready(const TableId& table, const PlayerId& player, int round_number,
                   const std::optional<fairness::Digest>& nonce_hash, Done<StreamSeq> done) {
  core_->With<StreamSeq>(table, std::move(done),
                         [player, round_number, nonce_hash](Table& t, Done<StreamSeq> answer) {
                           t.Ready(player, round_number, nonce_hash, std::move(answer));
                         });
}

void Tables::RevealNonce(const TableId& table, const PlayerId& player, int round_number,
                         const fairness::Bytes& nonce, Done<StreamSeq> done) {
  core_->With<StreamSeq>(table, std::move(done),
                         [player, round_number, nonce](Table& t, Done<StreamSeq> answer) {
                           t.RevealNonce(player, round_number, nonce, std::move(answer));
                         });
}

void Tables::Act(const TableId& table, const PlayerId& player, DecisionRef decision,
                 const round::Choice& choice, Done<StreamSeq> done) {
  core_->With<StreamSeq>(table, std::move(done),
                         [player, decision, choice](Table& t, Done<StreamSeq> answer) {
                           t.Act(player, decision, choice, std::move(answer));
                         });
}

void Tables::TakeOver(const TableId& table, const PlayerId& player, Done<StreamSeq> done) {
  core_->With<StreamSeq>(table, std::move(done), [player](Table& t, Done<StreamSeq> answer) {
    t.TakeOver(player, std::move(answer));
  });
}

void Tables::AnswerStakes(const TableId& table, const PlayerId& player, DecisionRef decision,
                          const StakesAnswer& answer, Done<StreamSeq> done) {
  core_->With<StreamSeq>(table, std::move(done),
                         [player, decision, answer](Table& t, Done<StreamSeq> told) {
                           t.AnswerStakes(player, decision, answer, std::move(told));
                         });
}

void Tables::Leave(const TableId& table, const PlayerId& player, LeaveReason reason,
                   Done<Table::Left> done) {
  core_->With<Table::Left>(table, std::move(done),
                           [player, reason](Table& t, Done<Table::Left> answer) {
                             t.Leave(player, reason, std::move(answer));
                           });
}

void Tables::ShowHand(const TableId& table, const PlayerId& player, bool show,
                      Done<StreamSeq> done) {
  core_->With<StreamSeq>(table, std::move(done), [player, show](Table& t, Done<StreamSeq> answer) {
    t.ShowHand(player, show, std::move(answer));
  });
}

void Tables::Order(const TableId& table, const OperatorActed& order, Done<bool> done) {
  core_->With<bool>(table, std::move(done),
                    [order](Table& t, Done<bool> answer) { t.Order(order, std::move(answer)); });
}

void Tables::Inspect(const TableId& table, Done<Inspection> done) { core_->Inspect(table, done); }

void Tables::SetStop(const RoundsStopped& stop) { core_->SetStop(stop); }

void Tables::Get(const TableId& table, Done<TableInfo> done) { core_->Get(table, done); }

void Tables::GetFor(const TableId& table, const Asker& who, Done<Table::Description> done) {
  core_->Describe(table, who, done);
}

void Tables::Subscribe(const TableId& table, const Asker& who, StreamSeq after,
                       Done<std::shared_ptr<Subscription>> done) {
  using Answer = Done<std::shared_ptr<Subscription>>;
  core_->With<std::shared_ptr<Subscription>>(
      table, std::move(done),
      [who, after](Table& t, Answer answer) { t.Subscribe(who, after, std::move(answer)); });
}

void Tables::Watch(const TableId& table, const PlayerId& player, Seat seat, StreamSeq after,
                   Done<std::shared_ptr<WatchSubscription>> done) {
  using Answer = Done<std::shared_ptr<WatchSubscription>>;
  core_->With<std::shared_ptr<WatchSubscription>>(table, std::move(done),
                                                  [player, seat, after](Table& t, Answer answer) {
                                                    t.Watch(player, seat, after, std::move(answer));
                                                  });
}

void Tables::Adopt(const HeldTable& held) { core_->Adopt(held); }

void Tables::KeepOnly(const std::vector<HeldTable>& held) { core_->KeepOnly(held); }

std::vector<std::shared_ptr<Table>> Tables::Close() { return core_->Close(); }

void Tables::Stop() { core_->Stop(); }

std::size_t Tables::held() const { return core_->held(); }

std::size_t Tables::room() const { return core_->room(); }

}  // namespace mj::table
