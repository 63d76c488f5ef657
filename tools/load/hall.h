// All the tables of a load run.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "libs/base/clock.h"
#include "libs/base/mutex.h"
#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"
#include "tools/load/seat.h"

namespace mj::load {

struct HallOptions {
  std::string wallet_address;  // host:port
  std::string table_address;   // host:port, or several as gRPC resolves them
  std::string variant = "chaozhou";
  int tables = 100;
  std::chrono::milliseconds pace{3'000};
  std::uint64_t seed = 1;
  std::string prefix = "load";  // of the players' names; two runs at once need two
};

// Not thread-safe.
class Hall {
 public:
  // `clock` and `counts` outlive it.
  Hall(HallOptions options, base::Clock& clock, Counts& counts);
  // Closes.
  ~Hall();
  Hall(const Hall&) = delete;
  Hall& operator=(const Hall&) = delete;

  // Opens and funds the players, makes the tables, and lets the bots play. Blocks until all sit.
  absl::Status Open();
  // Ends every stream, and waits for that. The tables stay as they are.
  void Close();

 private:
  class Door;
  absl::Status Furnish(int table);

  const HallOptions options_;
  base::Clock& clock_;
  Counts& counts_;
  std::unique_ptr<::mahjong::wallet::v1::WalletService::StubInterface> wallet_;
  std::vector<std::unique_ptr<table::TableService::StubInterface>> stubs_;  // a connection each
  std::shared_ptr<Door> door_;
  std::vector<std::unique_ptr<Seat>> seats_;
};

}  // namespace mj::load
