// Connections, a bounded number of them, and transactions over them.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/base/clock.h"
#include "libs/base/mutex.h"
#include "libs/pg/param.h"
#include "libs/pg/result.h"

namespace mj::pg {

class Connection;

// Numbers for metrics, since the pool was made or at this moment.
struct PoolStats {
  int in_use = 0;
  int idle = 0;
  int waiting = 0;
  std::int64_t opened = 0;    // connections made
  std::int64_t lost = 0;      // connections thrown away because they broke
  std::int64_t reruns = 0;    // transactions run again
  std::int64_t timeouts = 0;  // calls that found no free connection in time
};

struct PoolOptions {
  std::string url = {};               // libpq's: postgresql://user@host:port/database
  std::string application_name = {};  // shown in pg_stat_activity
  int connections_max = 8;            // at once, 1 or more
  std::chrono::seconds connect_timeout{3};
  // Off where PgBouncer 1.18 stands in between in transaction mode. Nothing else here depends on
  // the session, so that is the only switch.
  bool prepared_statements = true;
  // Prepared statements take indexes whatever size the planner believes tables to be, and join by
  // looking up row after row. For a service whose every statement asks for few rows: a plan is kept
  // as long as its connection, and one made while a table was small reads it from end to end ever
  // after. No effect without prepared statements, which are planned each time.
  bool plans_by_index = false;
  int attempts_max = 8;  // of one transaction, 1 or more
  // Told the numbers after every transaction, on the thread that ran it. Must be quick.
  std::function<void(const PoolStats&)> observer = {};
};

// A statement with its values, to be sent together with others. `sql` as in Transaction::Execute.
struct Statement {
  template <typename... T>
  explicit Statement(std::string_view text, const T&... values)
      : sql(text), params{Param(values)...} {}

  std::string_view sql;
  std::vector<Param> params;
};

// One transaction in progress. Lives inside Pool::Run only; not thread-safe. It begins at the server
// with the first statement.
class Transaction {
 public:
  // Sends one statement and waits for its answer.
  //
  //   MJ_ASSIGN_OR_RETURN(pg::Result found, tx.Execute("SELECT … WHERE id = $1", id));
  //
  // `sql` is a constant of the program: it is prepared once for each connection, and values come
  // in as parameters only. The first failure (errors.h) ends the transaction: every later Execute
  // returns it again without a word to the server.
  template <typename... T>
  [[nodiscard]] absl::StatusOr<Result> Execute(std::string_view sql, const T&... values) {
    const Param params[] = {Param(values)..., Param(nullptr)};
    return ExecuteParams(sql, std::span(params, sizeof...(T)));
  }

  // Sends several statements at once and waits for all their answers: one round trip (with the
  // transaction's beginning in it, if they are its first). None may depend on another's answer. The
  // first that fails ends the transaction, as in Execute, and those after it are not executed.
  [[nodiscard]] absl::StatusOr<std::vector<Result>> ExecuteTogether(
      std::span<const Statement> statements);

  // The same with the commit behind them: OK means committed. The last that a body does; when it
  // fails the body returns that failure. A connection that is lost here is lost at the commit.
  [[nodiscard]] absl::StatusOr<std::vector<Result>> ExecuteAndCommit(
      std::span<const Statement> statements);

 private:
  friend class Pool;
  Transaction(Connection& connection, const base::Clock& clock, base::MonotonicTime deadline,
              std::string_view begin)
      : connection_(connection), clock_(clock), deadline_(deadline), begin_(begin) {}

  [[nodiscard]] absl::StatusOr<Result> ExecuteParams(std::string_view sql,
                                                     std::span<const Param> params);
  // What has to be sent before the next statement, if anything: BEGIN, and the server's time limit
  // where what is left has become much less.
  [[nodiscard]] absl::StatusOr<std::vector<std::string>> Preamble();
  [[nodiscard]] absl::StatusOr<std::vector<Result>> Send(std::span<const Statement> statements);

  Connection& connection_;
  const base::Clock& clock_;
  const base::MonotonicTime deadline_;
  const std::string_view begin_;
  std::chrono::milliseconds statement_limit_{0};
  bool begun_ = false;
  bool committing_ = false;  // a commit was sent
  absl::Status failure_;
};

struct RunOptions {
  base::MonotonicTime deadline;
  enum class Isolation : std::uint8_t { kReadCommitted, kRepeatableRead, kSerializable };
  Isolation isolation = Isolation::kReadCommitted;
  bool read_only = false;
};

// Thread-safe. Blocks the calling thread: never call it on a gRPC thread.
//
// The pool opens connections when they are needed and keeps them. One that broke is thrown away
// with all idle ones (the server was probably restarted), and the transaction is run again on a new
// one. When none can be opened the answer is UNAVAILABLE at once, not at the deadline.
class Pool {
 public:
  // Opens nothing yet. `clock` must outlive the pool.
  Pool(PoolOptions options, base::Clock& clock);
  // REQUIRES no call in flight.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Runs `body` in one transaction and commits it if `body` returns OK, else rolls back and returns
  // what it returned.
  //
  // `body` may be run again from its beginning, at most attempts_max times and never after the
  // deadline: when it met another transaction (or returned ABORTED itself), and when the connection
  // was lost before the commit was sent. So it must keep no state across runs: it assigns its
  // results, it does not append to them.
  //
  // OK                 committed.
  // UNAVAILABLE        the database is away. If the connection was lost at the commit itself nobody
  //                    knows whether it took place: ask again under the same key.
  // DEADLINE_EXCEEDED  `options.deadline` passed: waiting for a connection, or in a statement, of
  //                    which the server is told (statement_timeout). A server that does not answer
  //                    at all is cut off half a second later. The server likewise ends a transaction
  //                    whose client stands still for as long, and its locks with it.
  // ABORTED            still met others after all attempts.
  // else               as `body` or a statement said.
  [[nodiscard]] absl::Status Run(const RunOptions& options,
                                 const std::function<absl::Status(Transaction&)>& body);

  // A transaction of one statement.
  template <typename... T>
  [[nodiscard]] absl::StatusOr<Result> Execute(const RunOptions& options, std::string_view sql,
                                               const T&... values) {
    Result result;
    absl::Status status = Run(options, [&](Transaction& tx) -> absl::Status {
      auto got = tx.Execute(sql, values...);
      if (!got.ok()) return std::move(got).status();
      result = *std::move(got);
      return absl::OkStatus();
    });
    if (!status.ok()) return status;
    return result;
  }

  // Whether the database answers now. For health checks.
  [[nodiscard]] absl::Status Ping(base::MonotonicTime deadline);

  [[nodiscard]] PoolStats stats() const;

  // By which deadlines are told.
  [[nodiscard]] base::Clock& clock() const { return clock_; }

 private:
  class Lease;

  [[nodiscard]] absl::StatusOr<std::unique_ptr<Connection>> Acquire(base::MonotonicTime deadline);
  void Release(std::unique_ptr<Connection> connection, bool broken);
  [[nodiscard]] absl::Status RunUntilDone(const RunOptions& options,
                                          const std::function<absl::Status(Transaction&)>& body);

  // How far one run came.
  enum class Stage : std::uint8_t { kNotConnected, kRunning, kCommitting };
  [[nodiscard]] absl::Status RunOnce(const RunOptions& options,
                                     const std::function<absl::Status(Transaction&)>& body,
                                     Stage& stage);
  void Pause(int attempt, base::MonotonicTime deadline);

  const PoolOptions options_;
  base::Clock& clock_;
  mutable base::Mutex mutex_;
  base::CondVar freed_;
  std::vector<std::unique_ptr<Connection>> idle_ ABSL_GUARDED_BY(mutex_);
  PoolStats stats_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::pg
