// Tables over gRPC.
#pragma once

#include <memory>

#include "libs/base/clock.h"
#include "mahjong/table/v1/table_service.grpc.pb.h"
#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking::peers {

struct TablesClientOptions {
  // Of each call. A match whose table is not there by then is back in the pool.
  Millis timeout{900};
};

// Thread-safe; blocks. `clock` must outlive it.
class TablesClient final : public Tables {
 public:
  using Stub = ::mahjong::table::v1::TableService::StubInterface;

  TablesClient(std::unique_ptr<Stub> stub, const base::Clock& clock, TablesClientOptions options)
      : stub_(std::move(stub)), clock_(clock), options_(options) {}

  absl::StatusOr<TablePlace> CreateTable(const Match& match, base::MonotonicTime until) override;
  // With one table service behind one address, `place.address` is not looked at.
  absl::StatusOr<TableNow> GetTable(const TablePlace& place) override;
  absl::Status LeaveTable(const TablePlace& place, const PlayerId& player) override;

 private:
  const std::unique_ptr<Stub> stub_;
  const base::Clock& clock_;
  const TablesClientOptions options_;
};

// To the table service at host:port `target`; connects when first used.
[[nodiscard]] std::unique_ptr<TablesClient> ConnectTables(const std::string& target,
                                                          const base::Clock& clock,
                                                          TablesClientOptions options = {});

}  // namespace mj::matchmaking::peers
