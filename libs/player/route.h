// The way to one table, whichever process holds it now.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "libs/player/halt.h"
#include "libs/rpc/stub_pool.h"
#include "mahjong/table/v1/table_service.grpc.pb.h"

namespace mj::player {

// Not thread-safe; one for each player. Keeps references to the stub and the halt.
class TableRoute {
 public:
  using Stub = ::mahjong::table::v1::TableService::StubInterface;

  //   any   reaches the table service, whichever process of it.
  TableRoute(Stub& any, std::string table_id, Halt& halt);

  // Of whoever holds the table, as far as is known.
  [[nodiscard]] Stub& stub() { return *stub_; }

  // Whether what ended with `failure` may be tried again, now: the process is gone or stands still, the
  // table has moved, or moves just now. Then stub() is another one, and a while has passed. False when the
  // failure is of another kind, when nothing has gone well for kPatience, or after a halt.
  [[nodiscard]] bool FindAgain(const absl::Status& failure);

  // Something went well.
  void Reached() { tries_ = 0; }

  // A table is taken over within 5 s of its process's death.
  static constexpr std::chrono::seconds kPatience{20};

 private:
  void Ask();

  Stub& any_;
  const std::string table_id_;
  Halt& halt_;
  rpc::StubPool<::mahjong::table::v1::TableService> pool_;
  Stub* stub_;
  int tries_ = 0;  // since something went well
};

}  // namespace mj::player
