// The table service over a journal in memory and peers in this process, served on a free port.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "libs/base/clock.h"
#include "libs/base/uuid.h"
#include "libs/rpc/client.h"
#include "libs/rpc/service.h"
#include "mahjong/table/v1/operator_service.grpc.pb.h"
#include "mahjong/table/v1/table_service.grpc.pb.h"
#include "services/table/app/fakes_testing.h"
#include "services/table/app/memory_event_log_testing.h"
#include "services/table/app/memory_outbox_testing.h"
#include "services/table/app/memory_round_store_testing.h"
#include "services/table/app/tables.h"

namespace mj::table::rpc {

namespace proto = ::mahjong::table::v1;

struct TableServerOptions {
  TableLimits limits = {};
  std::uint64_t seed = 1;                          // of everything random
  TableSettings settings = {.claim_pause_ms = 0};  // no pauses
};

class TableServer {
 public:
  explicit TableServer(TableServerOptions options = {});
  ~TableServer();

  [[nodiscard]] const std::string& address() const { return service_->address(); }
  [[nodiscard]] std::shared_ptr<grpc::Channel> channel() const { return channel_; }
  [[nodiscard]] proto::TableService::Stub& stub() const { return *stub_; }

  // The process ends and another begins on the same journal, on another port.
  void Restart();
  // /metrics, as text.
  [[nodiscard]] std::string Metrics() { return service_->metrics().Text(); }
  void Stop() { service_->Stop(); }

  // One call, as a client makes it.
  template <typename Request, typename Response>
  absl::StatusOr<Response> Call(grpc::Status (proto::TableService::StubInterface::*method)(
                                    grpc::ClientContext*, const Request&, Response*),
                                const std::type_identity_t<Request>& request) const {
    return mj::rpc::Invoke(*stub_, method, request, {.timeout = std::chrono::seconds(30)});
  }
  // …and an operator.
  template <typename Request, typename Response>
  absl::StatusOr<Response> Operate(
      grpc::Status (proto::TableOperatorService::StubInterface::*method)(grpc::ClientContext*,
                                                                         const Request&, Response*),
      const std::type_identity_t<Request>& request) const {
    return mj::rpc::Invoke(*operators_, method, request, {.timeout = std::chrono::seconds(30)});
  }
  // A table of the four players; "" when it is refused.
  std::string MakeTable(const std::string& request, const std::vector<std::string>& players,
                        const std::string& variant = "chaozhou") const;

  MemoryEventLog memory;
  base::SystemClock clock;  // of the store of rounds
  MemoryRoundStore rounds{memory, clock, Written};
  MemoryOutbox outbox;
  FaultyEventLog log{memory};
  FakeScorer scorer;
  FakeWallet wallet;
  CountingMonitor monitor;

 private:
  absl::Status Bind(mj::rpc::Bindings& bindings);
  // A record as it is stored.
  static std::string Written(const record::RoundRecord& record);

  const TableServerOptions options_;
  SeededEntropy entropy_;
  std::unique_ptr<mj::rpc::RunningService> service_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<proto::TableService::Stub> stub_;
  std::unique_ptr<proto::TableOperatorService::Stub> operators_;
};

}  // namespace mj::table::rpc
