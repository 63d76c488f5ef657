// Group commit: what several tables have to journal goes to the log in one durable step.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

#include "libs/base/clock.h"
#include "libs/base/executor.h"
#include "services/table/app/event_log.h"
#include "services/table/app/monitor.h"

namespace mj::table {

struct JournalOptions {
  std::size_t group_max = 256;  // appends in one step
  std::chrono::milliseconds retry_min{20};
  std::chrono::milliseconds retry_max{2'000};  // the pause doubles up to this
};

// Thread-safe. One step is under way at a time; what is submitted meanwhile forms the next, so the
// group grows with the load and an idle table waits for nobody. The thread that has written a group
// tells its tables, while another thread of the runner, where it has one, writes the next.
//
// Keeps references: log, runner, clock and monitor must outlive every task of `runner`.
class Journal {
 public:
  Journal(EventLog& log, base::TaskRunner& runner, base::Clock& clock, Monitor& monitor,
          JournalOptions options = {});
  // Stops, and fails whatever the runner has not run.
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // Journals `append` and then calls `done`, once. While the log is away this lasts: it is tried
  // until it has an answer, and fails with SHUTTING_DOWN only once stopped; then nobody knows
  // whether it was written. A table submits one append at a time.
  using Done = std::function<void(absl::StatusOr<Appended>)>;
  void Submit(Append append, const Done& done);

  // From now on nothing is tried twice: what can be written still is, and when the log is away,
  // what is with it and waits behind it fails.
  void Stop();

 private:
  class Core;
  std::shared_ptr<Core> core_;
};

}  // namespace mj::table
