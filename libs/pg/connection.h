// One connection to PostgreSQL. Inside this room only: everyone else has a Pool.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/pg/param.h"
#include "libs/pg/result.h"

namespace mj::pg {

struct ConnectionOptions {
  std::string url;
  std::string application_name;
  std::chrono::seconds connect_timeout{3};
  bool prepared_statements = true;
  bool plans_by_index = false;  // PoolOptions
};

// One statement of a pipeline.
struct PipelineItem {
  std::string_view sql;
  std::span<const Param> params;
  // Prepared at its first use in this connection, where the options allow it. For constants of the
  // program only: what is prepared stays.
  bool prepare = true;
};

// Used by one thread at a time, but for Cut. Every function turns libpqxx's exceptions into a
// status (errors.h).
class Connection {
 public:
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<Connection>> Open(
      const ConnectionOptions& options);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Several statements without parameters, in one message.
  [[nodiscard]] absl::Status Command(const std::string& sql);

  // One statement. Prepared at its first use in this connection, where the options allow it.
  [[nodiscard]] absl::StatusOr<Result> Execute(std::string_view sql, std::span<const Param> params);

  // Statements sent at once, and their answers in their order: one round trip for all of them. The
  // first that fails ends it: those after it are not executed. Begins and ends no transaction by
  // itself unless there is none, then they are one of their own.
  [[nodiscard]] absl::StatusOr<std::vector<Result>> Pipeline(std::span<const PipelineItem> items);

  // Shuts the socket down, so that a call that waits for the server returns UNAVAILABLE now. For
  // another thread, when a server that no longer answers would hold this one for ever.
  void Cut();

 private:
  struct Rep;
  explicit Connection(std::unique_ptr<Rep> rep);

  std::unique_ptr<Rep> rep_;
};

}  // namespace mj::pg
