// The whole suite in one process: four services over real gRPC, one private database.
#pragma once

#include <memory>
#include <string>

#include "libs/pg/cluster_testing.h"
#include "libs/rpc/service.h"
#include "tools/demo/evening.h"

namespace mj::e2e {

// Starts with the object, scoring and wallet first; stops in reverse. A service that does not start
// ends the test program with a message.
class Suite {
 public:
  Suite();
  ~Suite();
  Suite(const Suite&) = delete;
  Suite& operator=(const Suite&) = delete;

  const pg::testing::Database& database() const { return database_; }
  demo::Addresses addresses() const {
    return {wallet_->address(), table_->address(), matchmaking_->address()};
  }
  const std::string& scoring_address() const { return scoring_->address(); }
  const demo::Stubs& stubs() const { return stubs_; }

 private:
  pg::testing::Database database_;
  std::unique_ptr<rpc::RunningService> scoring_;
  std::unique_ptr<rpc::RunningService> wallet_;
  std::unique_ptr<rpc::RunningService> table_;
  std::unique_ptr<rpc::RunningService> matchmaking_;
  demo::Stubs stubs_;
};

}  // namespace mj::e2e
