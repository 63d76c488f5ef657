#include "services/table/app/journal.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "libs/base/check.h"
#include "libs/base/mutex.h"
#include "libs/base/reasons.h"
#include "services/table/app/alarm.h"

namespace mj::table {

class Journal::Core : public std::enable_shared_from_this<Journal::Core> {
 public:
  Core(EventLog& log, base::TaskRunner& runner, base::Clock& clock, Monitor& monitor,
       JournalOptions options)
      : log_(log), runner_(runner), alarm_(clock), monitor_(monitor), options_(options) {}

  void Submit(Append append, const Done& done) {
    bool refused = false;
    {
      base::MutexLock lock(mutex_);
      refused = abandoned_;
      if (!refused) {
        queue_.push_back({std::move(append), done});
        if (running_) return;
        running_ = true;
      }
    }
    if (refused) return done(Stopped());
    PostStep();
  }

  void Stop() {
    std::vector<Pending> dropped;
    {
      base::MutexLock lock(mutex_);
      stopped_ = true;
      if (!paused_.empty()) dropped = TakeAll(std::exchange(paused_, {}));
    }
    Fail(dropped);
  }

  void Abandon() {
    std::vector<Pending> dropped;
    {
      base::MutexLock lock(mutex_);
      stopped_ = true;
      abandoned_ = true;
      dropped = TakeAll(std::exchange(paused_, {}));
    }
    alarm_.Cancel();
    Fail(dropped);
  }

 private:
  struct Pending {
    Append append;
    Done done;
  };

  static absl::Status Stopped() { return base::Error(base::Reason::kShuttingDown); }
  static void Fail(const std::vector<Pending>& dropped) {
    for (const Pending& pending : dropped) pending.done(Stopped());
  }

  // `group`, and everything that waits behind it.
  std::vector<Pending> TakeAll(std::vector<Pending> group) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    for (Pending& pending : queue_) group.push_back(std::move(pending));
    queue_.clear();
    return group;
  }

  void PostStep() {
    runner_.Post([self = shared_from_this()] { self->Step(); });
  }

  // Exactly one Step is posted, running or waiting for its timer while running_.
  void Step() {
    std::vector<Pending> group = TakeGroup();
    if (group.empty()) return;
    std::vector<Append> appends;
    appends.reserve(group.size());
    for (Pending& pending : group) appends.push_back(std::move(pending.append));
    const auto written = log_.Write(appends);
    if (!written.ok()) {
      for (std::size_t i = 0; i < group.size(); ++i) group[i].append = std::move(appends[i]);
      return TryAgain(std::move(group), written.status());
    }
    MJ_CHECK(written->size() == group.size());
    pause_ = {};
    // The next group is another thread's: this one goes on with the tables of its own.
    if (GoOn()) PostStep();
    Report(appends, *written);
    for (std::size_t i = 0; i < group.size(); ++i) group[i].done((*written)[i]);
  }

  // Whether there is something to write.
  bool GoOn() {
    base::MutexLock lock(mutex_);
    running_ = !queue_.empty();
    return running_;
  }

  // What this step is to write: what is to be tried again, and what waits. Empty: it was dropped.
  std::vector<Pending> TakeGroup() {
    base::MutexLock lock(mutex_);
    std::vector<Pending> group = std::exchange(paused_, {});
    while (!queue_.empty() && group.size() < options_.group_max) {
      group.push_back(std::move(queue_.front()));
      queue_.pop_front();
    }
    running_ = !group.empty();
    return group;
  }

  void TryAgain(std::vector<Pending> group, const absl::Status& status) {
    std::size_t waiting = group.size();
    std::vector<Pending> dropped;
    {
      base::MutexLock lock(mutex_);
      waiting += queue_.size();
      if (stopped_) {
        dropped = TakeAll(std::move(group));
        running_ = false;
      } else {
        paused_ = std::move(group);
      }
    }
    monitor_.OnJournalAway(status, waiting);
    if (!dropped.empty()) return Fail(dropped);
    pause_ = std::clamp(pause_ * 2, options_.retry_min, options_.retry_max);
    alarm_.Set(pause_, [weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->PostStep();
    });
  }

  void Report(const std::vector<Append>& appends, const std::vector<Appended>& written) {
    std::size_t tables = 0;
    std::size_t events = 0;
    for (std::size_t i = 0; i < appends.size(); ++i) {
      if (written[i] != Appended::kWritten) continue;
      ++tables;
      events += appends[i].entries.size();
    }
    monitor_.OnJournalled(tables, events);
  }

  EventLog& log_;
  base::TaskRunner& runner_;
  Alarm alarm_;
  Monitor& monitor_;
  const JournalOptions options_;
  std::chrono::milliseconds pause_{0};  // the steps' own

  base::Mutex mutex_;
  std::deque<Pending> queue_ ABSL_GUARDED_BY(mutex_);
  std::vector<Pending> paused_ ABSL_GUARDED_BY(mutex_);  // waits for its timer
  bool running_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  bool abandoned_ ABSL_GUARDED_BY(mutex_) = false;
};

Journal::Journal(EventLog& log, base::TaskRunner& runner, base::Clock& clock, Monitor& monitor,
                 JournalOptions options)
    : core_(std::make_shared<Core>(log, runner, clock, monitor, options)) {}

Journal::~Journal() { core_->Abandon(); }

void Journal::Submit(Append append, const Done& done) { core_->Submit(std::move(append), done); }

void Journal::Stop() { core_->Stop(); }

}  // namespace mj::table
