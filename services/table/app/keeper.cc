#include "services/table/app/keeper.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "libs/base/mutex.h"
#include "services/table/app/alarm.h"

namespace mj::table {

class Keeper::Core : public std::enable_shared_from_this<Keeper::Core> {
 public:
  Core(const KeeperParts& parts, OwnerId self, std::string instance,
       std::function<std::string()> address, KeeperOptions options)
      : in_(parts),
        self_(std::move(self)),
        instance_(std::move(instance)),
        address_(std::move(address)),
        options_(options),
        beat_alarm_(in_.clock),
        give_alarm_(in_.clock) {}

  void Start() {
    in_.runner.Post([self = shared_from_this()] { self->Beat(); });
  }

  void GiveAll(std::function<void()> done) {
    const std::vector<std::shared_ptr<Table>> tables = in_.tables.Close();
    {
      base::MutexLock lock(mutex_);
      giving_ = true;
      given_ = std::move(done);
      retiring_.insert(tables.begin(), tables.end());
    }
    beat_alarm_.Cancel();
    in_.runner.Post([self = shared_from_this()] {
      // Whatever fails in here, the lease is not prolonged, and others take what it held.
      (void)self->in_.leases.Retire(self->self_);
    });
    for (const auto& table : tables) {
      table->Retire([weak = weak_from_this(), table](const std::optional<HeldTable>& held) {
        if (const auto core = weak.lock()) core->OnIdle(table, held);
      });
    }
    give_alarm_.Set(options_.give_time, [weak = weak_from_this()] {
      const auto core = weak.lock();
      if (core != nullptr) core->in_.runner.Post([core] { core->FinishGiving(); });
    });
    in_.runner.Post([self = shared_from_this()] { self->GiveIdle(); });
  }

  void Stop() {
    {
      base::MutexLock lock(mutex_);
      stopped_ = true;
    }
    beat_alarm_.Cancel();
    give_alarm_.Cancel();
  }

 private:
  struct Idle {
    std::shared_ptr<Table> table;
    std::optional<HeldTable> held;  // nothing: it is gone, and not to be given
  };

  bool ended() const {
    base::MutexLock lock(mutex_);
    return stopped_ || giving_;
  }

  // ------------------------------------------------------------------------------------ the lease

  void Beat() {
    if (ended()) return;
    const Owner self{self_, instance_, address_()};
    const absl::Status kept = Prolong(self);
    bool more = false;
    if (!kept.ok()) {
      in_.monitor.OnLeaseFailed(kept);
    } else if (in_.clock.Monotonic() >= take_from_) {
      more = TakePage();
    }
    // However many there are to take, the lease is prolonged before each page of them.
    if (more) return Start();
    const bool soon = !kept.ok() || self.address.empty();
    if (ended()) return;
    beat_alarm_.Set(soon ? options_.beat_again : options_.beat, [weak = weak_from_this()] {
      const auto core = weak.lock();
      if (core != nullptr) core->Start();
    });
  }

  absl::Status Prolong(const Owner& self) {
    if (!begun_) {
      const absl::Status begun = in_.leases.Begin(self, options_.lease);
      begun_ = begun.ok();
      return begun;
    }
    const absl::StatusOr<bool> lasted = in_.leases.Renew(self, options_.lease);
    if (!lasted.ok()) return lasted.status();
    if (!*lasted) {
      lapsed_ = true;
      // Where it was the store that was away, others have yet to prolong theirs.
      take_from_ = in_.clock.Monotonic() + options_.lease;
    }
    if (!lapsed_) return absl::OkStatus();
    const auto held = in_.leases.ListHeld(self_);
    if (!held.ok()) return held.status();  // it is asked again at the next beat
    lapsed_ = false;
    in_.monitor.OnLeaseLapsed();
    in_.tables.KeepOnly(*held);
    return absl::OkStatus();
  }

  // Whether there may be more.
  bool TakePage() {
    const auto limit = std::min(options_.page, static_cast<std::int64_t>(in_.tables.room()));
    if (limit == 0) return false;
    const auto taken = in_.leases.TakeSome(self_, limit);
    if (!taken.ok()) {
      in_.monitor.OnLeaseFailed(taken.status());
      return false;
    }
    for (const HeldTable& held : *taken) in_.tables.Adopt(held);
    if (!taken->empty()) in_.monitor.OnTablesTaken(taken->size());
    return static_cast<std::int64_t>(taken->size()) == limit;
  }

  // --------------------------------------------------------------------------------- giving away

  void OnIdle(const std::shared_ptr<Table>& table, const std::optional<HeldTable>& held) {
    {
      base::MutexLock lock(mutex_);
      idle_.push_back({table, held});
    }
    in_.runner.Post([self = shared_from_this()] { self->GiveIdle(); });
  }

  // Those that have become idle since the last time.
  void GiveIdle() {
    std::vector<Idle> idle;
    bool all = false;
    {
      base::MutexLock lock(mutex_);
      if (given_ == nullptr) return;
      idle.swap(idle_);
      for (const Idle& one : idle) retiring_.erase(one.table);
      all = retiring_.empty();
      std::erase_if(idle, [](const Idle& one) { return !one.held.has_value(); });
    }
    if (!idle.empty()) Give(idle);
    if (all) FinishGiving();
  }

  void Give(const std::vector<Idle>& idle) {
    std::vector<HeldTable> held;
    held.reserve(idle.size());
    for (const Idle& one : idle) held.push_back(*one.held);
    const auto addresses = in_.leases.GiveAway(self_, held);
    if (!addresses.ok()) in_.monitor.OnLeaseFailed(addresses.status());
    std::size_t given = 0;
    for (std::size_t i = 0; i < idle.size(); ++i) {
      if (addresses.ok() && !addresses->at(i).empty()) {
        idle[i].table->MoveTo(addresses->at(i));
        ++given;
      } else {
        idle[i].table->Stop();
      }
    }
    if (given > 0) in_.monitor.OnTablesGiven(given);
  }

  void FinishGiving() {
    std::function<void()> done;
    std::set<std::shared_ptr<Table>> late;
    {
      base::MutexLock lock(mutex_);
      done = std::exchange(given_, nullptr);
      if (done == nullptr) return;
      late.swap(retiring_);
      for (const Idle& one : std::exchange(idle_, {})) late.insert(one.table);
    }
    for (const auto& table : late) table->Stop();
    const absl::Status ended = in_.leases.End(self_);
    if (!ended.ok()) in_.monitor.OnLeaseFailed(ended);
    done();
  }

  const KeeperParts in_;
  const OwnerId self_;
  const std::string instance_;
  const std::function<std::string()> address_;
  const KeeperOptions options_;
  Alarm beat_alarm_;
  Alarm give_alarm_;

  bool begun_ = false;             // the beats' own
  bool lapsed_ = false;            // likewise: what was taken meanwhile is not known yet
  base::MonotonicTime take_from_;  // likewise: nothing of others is taken before

  mutable base::Mutex mutex_;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  bool giving_ ABSL_GUARDED_BY(mutex_) = false;
  std::function<void()> given_ ABSL_GUARDED_BY(mutex_);
  std::set<std::shared_ptr<Table>> retiring_ ABSL_GUARDED_BY(mutex_);
  std::vector<Idle> idle_ ABSL_GUARDED_BY(mutex_);
};

Keeper::Keeper(const KeeperParts& parts, OwnerId self, std::string instance,
               std::function<std::string()> address, KeeperOptions options)
    : core_(std::make_shared<Core>(parts, std::move(self), std::move(instance), std::move(address),
                                   options)) {}

Keeper::~Keeper() { Stop(); }

void Keeper::Start() { core_->Start(); }

void Keeper::GiveAll(std::function<void()> done) { core_->GiveAll(std::move(done)); }

void Keeper::Stop() { core_->Stop(); }

}  // namespace mj::table
