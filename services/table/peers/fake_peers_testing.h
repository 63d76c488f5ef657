// Scoring and wallet, served over gRPC from the app's fakes.
#pragma once

#include <grpcpp/server.h>

#include <memory>
#include <string>

#include "services/table/app/fakes_testing.h"

namespace mj::table::peers {

// Both on one port. Thread-safe.
class FakePeers {
 public:
  FakePeers();
  ~FakePeers();
  FakePeers(const FakePeers&) = delete;
  FakePeers& operator=(const FakePeers&) = delete;

  [[nodiscard]] const std::string& address() const { return address_; }

  // Nobody answers from now on; again, at the same address.
  void Stop();
  void Start();

  FakeScorer scorer;
  FakeWallet wallet;

 private:
  class Scoring;
  class Settling;

  std::unique_ptr<Scoring> scoring_;
  std::unique_ptr<Settling> settling_;
  std::string address_ = "127.0.0.1:0";
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace mj::table::peers
