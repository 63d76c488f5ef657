#include "services/table/app/journal.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "libs/base/check.h"
#include "libs/base/mutex.h"
#include "libs/base/reasons.h"

namespace mj::table {

class Journal::Core : public std::enable_shared_from_this<Journal::Core> {
 public:
  Core(EventLog& log, base::TaskRunner& runner, base::Clock& clock, Monitor& monitor,
       JournalOptions options)
      : log_(log), runner_(runner), clock_(clock), monitor_(monitor), options_(options) {}

  void Submit(Append append, Done done) {
    bool stopped = false;
    {
      base::MutexLock lock(mutex_);
      stopped = stopped_;
      if (!stopped) {
        queue_.push_back({std::move(append), done});
        if (running_) return;
        running_ = true;
      }
    }
    if (stopped) return done(Stopped());
    PostStep();
  }

  void Stop() {
    std::deque<Pending> dropped;
    {
      base::MutexLock lock(mutex_);
      stopped_ = true;
      dropped.swap(queue_);
      // A group that waits for its timer is nobody's until the timer fires, which now it need not.
      if (pausing_) {
        for (Pending& pending : group_) dropped.push_back(std::move(pending));
        group_.clear();
        pausing_ = false;
      }
    }
    for (const Pending& pending : dropped) pending.done(Stopped());
  }

 private:
  struct Pending {
    Append append;
    Done done;
  };

  static absl::Status Stopped() { return base::Error(base::Reason::kShuttingDown); }

  void PostStep() {
    runner_.Post([self = shared_from_this()] { self->Step(); });
  }

  // Exactly one Step is posted, running or waiting for its timer while running_.
  void Step() {
    if (!TakeGroup()) return;
    std::vector<Append> appends;
    appends.reserve(group_.size());
    for (Pending& pending : group_) appends.push_back(std::move(pending.append));
    const auto written = log_.Write(appends);
    if (!written.ok()) {
      for (std::size_t i = 0; i < group_.size(); ++i) group_[i].append = std::move(appends[i]);
      return TryAgain(written.status());
    }
    MJ_CHECK(written->size() == group_.size());
    pause_ = {};
    Report(appends, *written);
    std::vector<Pending> answered = std::exchange(group_, {});
    for (std::size_t i = 0; i < answered.size(); ++i) answered[i].done((*written)[i]);
    PostStep();
  }

  // The group of this step: the one that is to be tried again, else what waits. False: none.
  bool TakeGroup() {
    base::MutexLock lock(mutex_);
    pausing_ = false;
    if (group_.empty()) {
      const std::size_t size = std::min(queue_.size(), options_.group_max);
      for (std::size_t i = 0; i < size; ++i) {
        group_.push_back(std::move(queue_.front()));
        queue_.pop_front();
      }
    }
    running_ = !group_.empty();
    return running_;
  }

  void TryAgain(const absl::Status& status) {
    std::size_t waiting = group_.size();
    std::vector<Pending> dropped;
    {
      base::MutexLock lock(mutex_);
      waiting += queue_.size();
      if (stopped_) {
        dropped.swap(group_);
      } else {
        pausing_ = true;
      }
    }
    monitor_.OnJournalAway(status, waiting);
    for (const Pending& pending : dropped) pending.done(Stopped());
    if (!dropped.empty()) return;
    pause_ = std::clamp(pause_ * 2, options_.retry_min, options_.retry_max);
    clock_.CallAfter(pause_, [self = shared_from_this()] { self->PostStep(); });
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
  base::Clock& clock_;
  Monitor& monitor_;
  const JournalOptions options_;

  // The step's own; while pausing_, whoever holds mutex_ may take them.
  std::vector<Pending> group_;
  std::chrono::milliseconds pause_{0};

  base::Mutex mutex_;
  std::deque<Pending> queue_ ABSL_GUARDED_BY(mutex_);
  bool running_ ABSL_GUARDED_BY(mutex_) = false;
  bool pausing_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
};

Journal::Journal(EventLog& log, base::TaskRunner& runner, base::Clock& clock, Monitor& monitor,
                 JournalOptions options)
    : core_(std::make_shared<Core>(log, runner, clock, monitor, options)) {}

Journal::~Journal() { Stop(); }

void Journal::Submit(Append append, Done done) {
  core_->Submit(std::move(append), std::move(done));
}

void Journal::Stop() { core_->Stop(); }

}  // namespace mj::table
