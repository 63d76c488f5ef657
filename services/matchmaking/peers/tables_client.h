// Tables over gRPC.
#pragma once

#include <memory>

#include "libs/base/clock.h"
#include "libs/rpc/stub_pool.h"
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

  //   stub   reaches the table service, whichever process of it; `connect` makes one to the process that
  //          a table is at.
  TablesClient(std::unique_ptr<Stub> stub,
               mj::rpc::StubPool<::mahjong::table::v1::TableService>::Connect connect,
               const base::Clock& clock, TablesClientOptions options)
      : stub_(std::move(stub)), pool_(std::move(connect)), clock_(clock), options_(options) {}

  absl::StatusOr<TablePlace> CreateTable(const Match& match, base::MonotonicTime until) override;
  absl::StatusOr<TablePlace> JoinTable(const Match& match, base::MonotonicTime until) override;
  // Any process answers.
  absl::StatusOr<TableNow> GetTable(const TablePlace& place) override;
  absl::StatusOr<TableNow> GetTableFor(const LiveSeat& seat) override;
  absl::Status LeaveTable(const TablePlace& place, const PlayerId& player) override;

 private:
  absl::StatusOr<TableNow> Look(const ::mahjong::table::v1::GetTableRequest& request);
  // What is left for a call; DEADLINE_EXCEEDED if nothing is.
  absl::StatusOr<Millis> TimeLeft(base::MonotonicTime until) const;

  const std::unique_ptr<Stub> stub_;
  mj::rpc::StubPool<::mahjong::table::v1::TableService> pool_;
  const base::Clock& clock_;
  const TablesClientOptions options_;
};

// To the table service at `target`, host:port or whatever else gRPC resolves; connects when first used.
[[nodiscard]] std::unique_ptr<TablesClient> ConnectTables(const std::string& target,
                                                          const base::Clock& clock,
                                                          TablesClientOptions options = {});

}  // namespace mj::matchmaking::peers
