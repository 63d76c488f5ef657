// The whole suite in one process: four services over real gRPC, some of them more than once, one private
// database.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "libs/pg/cluster_testing.h"
#include "libs/rpc/service.h"
#include "tools/demo/evening.h"

namespace mj::e2e {

struct Replicas {
  int table = 1;
  int matchmaking = 1;
};

// Starts with the object, scoring and wallet first; stops in reverse. A service that does not start
// ends the test program with a message.
class Suite {
 public:
  Suite() : Suite(Replicas{}) {}
  explicit Suite(const Replicas& replicas);
  ~Suite();
  Suite(const Suite&) = delete;
  Suite& operator=(const Suite&) = delete;

  const pg::testing::Database& database() const { return database_; }
  demo::Addresses addresses() const {
    return {wallet_->address(), TargetOf(tables_), TargetOf(matchmakers_)};
  }
  // Of each replica.
  std::vector<std::string> matchmakers() const;
  const std::string& scoring_address() const { return scoring_->address(); }
  const demo::Stubs& stubs() const { return stubs_; }

 private:
  using Running = std::vector<std::unique_ptr<rpc::RunningService>>;
  // As gRPC resolves one or several.
  static std::string TargetOf(const Running& replicas);

  pg::testing::Database database_;
  std::unique_ptr<rpc::RunningService> scoring_;
  std::unique_ptr<rpc::RunningService> wallet_;
  Running tables_;
  Running matchmakers_;
  demo::Stubs stubs_;
};

}  // namespace mj::e2e
