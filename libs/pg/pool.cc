#include "libs/pg/pool.h"

#include <algorithm>

#include "libs/base/check.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/pg/connection.h"
#include "libs/pg/errors.h"

namespace mj::pg {
namespace {

using base::MonotonicTime;
using base::Reason;
using std::chrono::milliseconds;

// How much longer than its deadline a server may stay silent before its connection is cut.
constexpr milliseconds kSilenceGrace{500};

// Never more than PostgreSQL takes for a timeout.
milliseconds Left(const base::Clock& clock, MonotonicTime deadline) {
  const auto left = std::chrono::duration_cast<milliseconds>(deadline - clock.Monotonic());
  return std::min<milliseconds>(left, std::chrono::hours(24));
}

absl::Status TooLate(std::string_view where) {
  return base::Error(Reason::kDeadlineExceeded, base::Cat("deadline passed ", where));
}

std::string_view BeginOf(const RunOptions& options) {
  using Isolation = RunOptions::Isolation;
  switch (options.isolation) {
    case Isolation::kReadCommitted:
      return options.read_only ? "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY"
                               : "BEGIN ISOLATION LEVEL READ COMMITTED";
    case Isolation::kRepeatableRead:
      return options.read_only ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
                               : "BEGIN ISOLATION LEVEL REPEATABLE READ";
    case Isolation::kSerializable:
      return options.read_only ? "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY"
                               : "BEGIN ISOLATION LEVEL SERIALIZABLE";
  }
  return "BEGIN";
}

// A client that stands still for longer than all of its transaction may take is not coming back in
// time: the server lets go of its locks.
std::string PatienceOf(milliseconds limit) {
  return base::Cat("SET LOCAL idle_in_transaction_session_timeout = ",
                   std::to_string(limit.count()));
}

std::string LimitOf(milliseconds limit) {
  return base::Cat("SET LOCAL statement_timeout = ", std::to_string(limit.count()));
}

// Cuts a connection whose server stays silent past the deadline; while it lives.
class SilenceGuard {
 public:
  SilenceGuard(base::Clock& clock, Connection& connection, MonotonicTime deadline)
      : clock_(clock), state_(std::make_shared<State>()) {
    state_->connection = &connection;
    timer_ = clock.CallAfter(deadline - clock.Monotonic() + kSilenceGrace, [state = state_] {
      base::MutexLock lock(state->mutex);
      if (state->connection != nullptr) state->connection->Cut();
    });
  }
  ~SilenceGuard() {
    clock_.Cancel(timer_);
    base::MutexLock lock(state_->mutex);
    state_->connection = nullptr;
  }
  SilenceGuard(const SilenceGuard&) = delete;
  SilenceGuard& operator=(const SilenceGuard&) = delete;

 private:
  struct State {
    base::Mutex mutex;
    Connection* connection ABSL_GUARDED_BY(mutex) = nullptr;
  };

  base::Clock& clock_;
  std::shared_ptr<State> state_;
  base::TimerId timer_ = base::TimerId::kNone;
};

}  // namespace

absl::StatusOr<std::vector<std::string>> Transaction::Preamble() {
  const milliseconds left = Left(clock_, deadline_);
  if (left <= milliseconds(0)) {
    return TooLate(begun_ ? "between two statements" : "before the transaction began");
  }
  std::vector<std::string> commands;
  if (!begun_) {
    commands.emplace_back(begin_);
    commands.push_back(PatienceOf(left));
  }
  // Near what is left, without a message to the server for each statement.
  if (!begun_ || left < statement_limit_ / 2) {
    statement_limit_ = left;
    commands.push_back(LimitOf(left));
  }
  begun_ = true;
  return commands;
}

absl::StatusOr<Result> Transaction::ExecuteParams(std::string_view sql,
                                                  std::span<const Param> params) {
  MJ_CHECK(!committing_, "a statement after the commit");
  if (!failure_.ok()) return failure_;
  const auto preamble = Preamble();
  failure_ = preamble.status();
  if (failure_.ok() && !preamble->empty()) {
    failure_ = connection_.Command(base::Join(*preamble, ";"));
  }
  if (!failure_.ok()) return failure_;
  absl::StatusOr<Result> result = connection_.Execute(sql, params);
  if (!result.ok()) failure_ = result.status();
  return result;
}

absl::StatusOr<std::vector<Result>> Transaction::Send(std::span<const Statement> statements) {
  if (!failure_.ok()) return failure_;
  const auto preamble = Preamble();
  failure_ = preamble.status();
  if (!failure_.ok()) return failure_;
  std::vector<PipelineItem> items;
  items.reserve(preamble->size() + statements.size() + 1);
  for (const std::string& command : *preamble) items.push_back({command, {}, false});
  for (const Statement& statement : statements) items.push_back({statement.sql, statement.params});
  if (committing_) items.push_back({"COMMIT", {}});
  auto results = connection_.Pipeline(items);
  if (!results.ok()) {
    failure_ = results.status();
    return failure_;
  }
  const auto first = results->begin() + static_cast<std::ptrdiff_t>(preamble->size());
  results->erase(results->begin(), first);
  results->resize(statements.size());
  return results;
}

absl::StatusOr<std::vector<Result>> Transaction::ExecuteTogether(
    std::span<const Statement> statements) {
  MJ_CHECK(!committing_, "statements after the commit");
  return Send(statements);
}

absl::StatusOr<std::vector<Result>> Transaction::ExecuteAndCommit(
    std::span<const Statement> statements) {
  MJ_CHECK(!committing_, "a second commit");
  committing_ = true;
  return Send(statements);
}

// A connection out of the pool for the length of a scope.
class Pool::Lease {
 public:
  Lease(Pool& pool, std::unique_ptr<Connection> connection)
      : pool_(pool), connection_(std::move(connection)) {}
  ~Lease() { pool_.Release(std::move(connection_), broken_); }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  Connection& connection() { return *connection_; }
  void MarkBroken() { broken_ = true; }

 private:
  Pool& pool_;
  std::unique_ptr<Connection> connection_;
  bool broken_ = false;
};

Pool::Pool(PoolOptions options, base::Clock& clock) : options_(std::move(options)), clock_(clock) {
  MJ_CHECK(options_.connections_max >= 1);
  MJ_CHECK(options_.attempts_max >= 1);
}

Pool::~Pool() {
  base::MutexLock lock(mutex_);
  MJ_CHECK(stats_.in_use == 0, "a pool is destroyed while a transaction runs");
}

absl::StatusOr<std::unique_ptr<Connection>> Pool::Acquire(MonotonicTime deadline) {
  {
    base::MutexLock lock(mutex_);
    ++stats_.waiting;
    while (stats_.in_use >= options_.connections_max) {
      const auto left = deadline - clock_.Monotonic();
      if (left <= std::chrono::nanoseconds(0)) {
        --stats_.waiting;
        ++stats_.timeouts;
        return TooLate("waiting for a connection");
      }
      freed_.WaitFor(mutex_, left);
    }
    --stats_.waiting;
    ++stats_.in_use;
    if (!idle_.empty()) {
      std::unique_ptr<Connection> connection = std::move(idle_.back());
      idle_.pop_back();
      return connection;
    }
  }
  auto opened = Connection::Open({options_.url, options_.application_name, options_.connect_timeout,
                                  options_.prepared_statements, options_.plans_by_index});
  base::MutexLock lock(mutex_);
  if (opened.ok()) {
    ++stats_.opened;
  } else {
    --stats_.in_use;
    freed_.NotifyOne();
  }
  return opened;
}

void Pool::Release(std::unique_ptr<Connection> connection, bool broken) {
  std::vector<std::unique_ptr<Connection>> dropped;  // closed without the lock
  base::MutexLock lock(mutex_);
  --stats_.in_use;
  if (broken) {
    dropped = std::move(idle_);
    idle_.clear();
    dropped.push_back(std::move(connection));
    stats_.lost += static_cast<std::int64_t>(dropped.size());
  } else {
    idle_.push_back(std::move(connection));
  }
  freed_.NotifyOne();
}

absl::Status Pool::RunOnce(const RunOptions& options,
                           const std::function<absl::Status(Transaction&)>& body, Stage& stage) {
  stage = Stage::kNotConnected;
  MJ_ASSIGN_OR_RETURN(std::unique_ptr<Connection> acquired, Acquire(options.deadline));
  stage = Stage::kRunning;
  Lease lease(*this, std::move(acquired));
  const SilenceGuard guard(clock_, lease.connection(), options.deadline);
  Transaction tx(lease.connection(), clock_, options.deadline, BeginOf(options));

  absl::Status status = Left(clock_, options.deadline) <= milliseconds(0)
                            ? TooLate("before the transaction began")
                            : body(tx);
  // What the database refused cannot be committed, whatever the body made of it.
  if (status.ok()) status = tx.failure_;
  if (status.ok() && (tx.committing_ || !tx.begun_)) return status;
  if (tx.committing_) stage = Stage::kCommitting;
  if (status.ok()) {
    stage = Stage::kCommitting;
    status = lease.connection().Command("COMMIT");
    if (status.ok()) return status;
  }
  if (IsAway(status) || IsAway(tx.failure_)) {
    lease.MarkBroken();
  } else if (tx.begun_ && !lease.connection().Command("ROLLBACK").ok()) {
    lease.MarkBroken();
  }
  return status;
}

// Lets the other transaction finish. Longer each time, and not the same for everyone.
void Pool::Pause(int attempt, MonotonicTime deadline) {
  base::Mutex mutex;
  base::CondVar never;
  base::MutexLock lock(mutex);
  const auto spread = clock_.Monotonic().since_start.count() / 1000 % 1000;
  const auto pause = std::chrono::microseconds(attempt * attempt * (500 + spread));
  const auto left = deadline - clock_.Monotonic();
  never.WaitFor(mutex, std::min<std::chrono::nanoseconds>(pause, left));
}

absl::Status Pool::RunUntilDone(const RunOptions& options,
                                const std::function<absl::Status(Transaction&)>& body) {
  for (int attempt = 1;; ++attempt) {
    Stage stage = Stage::kNotConnected;
    const absl::Status status = RunOnce(options, body, stage);
    const bool met_another = absl::IsAborted(status);
    if (IsAway(status)) {
      if (stage == Stage::kNotConnected) return status;
      if (stage == Stage::kCommitting) {
        return Away(
            base::Cat("the outcome of the commit is unknown: ", base::ToStd(status.message())));
      }
      if (Left(clock_, options.deadline) <= milliseconds(0)) {
        return TooLate("while the server was silent");
      }
    } else if (!met_another || Left(clock_, options.deadline) <= milliseconds(0)) {
      return status;
    }
    if (attempt >= options_.attempts_max) return status;
    {
      base::MutexLock lock(mutex_);
      ++stats_.reruns;
    }
    if (met_another) Pause(attempt, options.deadline);
  }
}

absl::Status Pool::Run(const RunOptions& options,
                       const std::function<absl::Status(Transaction&)>& body) {
  absl::Status status = RunUntilDone(options, body);
  if (options_.observer) options_.observer(stats());
  return status;
}

absl::Status Pool::Ping(MonotonicTime deadline) {
  return Execute({.deadline = deadline, .read_only = true}, "SELECT 1").status();
}

PoolStats Pool::stats() const {
  base::MutexLock lock(mutex_);
  PoolStats stats = stats_;
  stats.idle = static_cast<int>(idle_.size());
  return stats;
}

}  // namespace mj::pg
