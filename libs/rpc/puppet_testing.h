// A service whose calls do what their request says, and a fixture that runs it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"
#include "libs/base/strings.h"
#include "libs/rpc/client.h"
#include "libs/rpc/service.h"
#include "mahjong/table/v1/table_service.grpc.pb.h"

namespace mj::rpc {

namespace tablev1 = mahjong::table::v1;
using tablev1::TableService;

inline constexpr std::chrono::milliseconds kLong{20'000};

// Something that happens once, waited for.
class Event {
 public:
  void Set() {
    base::MutexLock lock(mutex_);
    set_ = true;
    changed_.NotifyAll();
  }
  void Await() {
    base::MutexLock lock(mutex_);
    while (!set_) {
      changed_.Wait(mutex_);
    }
  }
  bool IsSet() {
    base::MutexLock lock(mutex_);
    return set_;
  }

 private:
  base::Mutex mutex_;
  base::CondVar changed_;
  bool set_ = false;
};

// A table service whose calls do what the table's id says.
class PuppetTable final : public TableService::CallbackService {
 public:
  explicit PuppetTable(Front& front) : front_(front) {}

  grpc::ServerUnaryReactor* GetTable(grpc::CallbackServerContext* context,
                                     const tablev1::GetTableRequest* request,
                                     tablev1::GetTableResponse* response) override {
    return front_.Unary(
        context, "GetTable", request, response,
        [](const tablev1::GetTableRequest& in) {
          return base::IsId(in.table_id())
                     ? absl::OkStatus()
                     : base::Error(base::Reason::kBadId, "table_id: want an id",
                                   {.field = "table_id"});
        },
        [this](Call& call, const tablev1::GetTableRequest& in, tablev1::GetTableResponse& out) {
          call.Note("table_id", in.table_id());
          ++works;
          return Work(in.table_id(), call, out);
        });
  }

  grpc::ServerUnaryReactor* LeaveTable(grpc::CallbackServerContext* context,
                                       const tablev1::LeaveTableRequest* request,
                                       tablev1::LeaveTableResponse* response) override {
    return front_.UnaryNow(
        context, "LeaveTable", request, response,
        [](Call& call, const tablev1::LeaveTableRequest& in, tablev1::LeaveTableResponse&) {
          call.Note("table_id", in.table_id());
          if (in.table_id() == "throw") throw std::runtime_error("secret of the house");
          if (in.table_id() == "refuse") return base::Error(base::Reason::kTableNotFound);
          return absl::OkStatus();
        });
  }

  grpc::ServerUnaryReactor* Act(grpc::CallbackServerContext* context,
                                const tablev1::ActRequest* request,
                                tablev1::ActResponse* response) override {
    return front_.UnaryAsync(
        context, "Act", request, response, Front::kNoValidation,
        [this](const std::shared_ptr<Call>& call, const tablev1::ActRequest& in,
               tablev1::ActResponse& out, const Done& done) {
          call->Note("table_id", in.table_id());
          if (in.table_id() == "forget") {
            return;
          }
          front_executor->Post([&in, &out, done] {
            out.set_last_sequence(in.decision_id() + 1);
            done(absl::OkStatus());
            done(absl::InternalError("a second end is ignored"));
          });
        });
  }

  grpc::ServerWriteReactor<tablev1::SubscribeResponse>* Subscribe(
      grpc::CallbackServerContext* context, const tablev1::SubscribeRequest* request) override {
    return front_.Stream<tablev1::SubscribeResponse>(
        context, "Subscribe", request, Front::kNoValidation,
        [this](Call&, const tablev1::SubscribeRequest& in,
               const ServerStream<tablev1::SubscribeResponse>& stream) {
          stream.OnEnd([this] { stream_ended.Set(); });
          if (in.table_id() == "refuse") {
            return base::Error(base::Reason::kNotSeated);
          }
          if (in.table_id() == "flood") {
            // Beyond any window of the transport.
            tablev1::SubscribeResponse big;
            big.add_events()->mutable_table_formed()->mutable_table()->set_table_id(
                std::string(100'000, 'x'));
            while (stream.Send(big)) {
            }
            return absl::OkStatus();
          }
          for (std::uint64_t i = in.after_sequence() + 1; i <= 3; ++i) {
            tablev1::SubscribeResponse response;
            response.add_events()->set_sequence(i);
            stream.Send(std::move(response));
          }
          if (in.table_id() == "finish") {
            stream.Finish(absl::OkStatus());
          }
          stream_open.Set();
          return absl::OkStatus();
        });
  }

  base::Executor* front_executor = nullptr;
  std::atomic<int> works = 0;
  std::atomic<int> unavailable_left = 0;
  Event working;
  Event let_work_end;
  Event stream_open;
  Event stream_ended;

 private:
  absl::Status Work(const std::string& what, Call& call, tablev1::GetTableResponse& out) {
    if (what == "refuse") {
      return base::Error(base::Reason::kTableNotFound, "no table",
                         {.metadata = {{"table_id", what}}});
    }
    if (what == "throw") {
      throw std::runtime_error("secret of the house");
    }
    if (what == "flaky" && unavailable_left-- > 0) {
      return base::Error(base::Reason::kUnavailable);
    }
    if (what == "wait") {
      working.Set();
      let_work_end.Await();
    }
    out.mutable_table()->set_table_id(what);
    out.mutable_table()->set_address(call.request_id());
    return absl::OkStatus();
  }

  Front& front_;
};

class ServiceTest : public ::testing::Test {
 protected:
  ServerConfig config_;
  PuppetTable* table_ = nullptr;
  std::vector<std::string> log_;
  base::Mutex log_mutex_;
  std::vector<std::string> closed_;
  std::unique_ptr<RunningService> service_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<TableService::Stub> stub_;

  void Start() {
    config_.log_level = obs::LogLevel::kDebug;
    auto started = StartService(
        "table", config_,
        [this](Bindings& bindings) {
          table_ =
              &bindings.AddService<TableService>(std::make_unique<PuppetTable>(bindings.front()));
          table_->front_executor = &bindings.executor();
          bindings.OnStop("first", [this] { closed_.emplace_back("first"); });
          bindings.OnStop("second", [this] { closed_.emplace_back("second"); });
          return absl::OkStatus();
        },
        {.log_line = [this](std::string_view line) {
          base::MutexLock lock(log_mutex_);
          log_.emplace_back(line);
        }});
    ASSERT_THAT(started, base::IsOk());
    service_ = *std::move(started);
    channel_ = MakeChannel({.target = service_->address()});
    stub_ = TableService::NewStub(channel_);
  }

  absl::StatusOr<tablev1::GetTableResponse> GetTable(const std::string& what,
                                                     CallOptions options = {.timeout = kLong}) {
    tablev1::GetTableRequest request;
    request.set_table_id(what);
    return Invoke(*stub_, &TableService::StubInterface::GetTable, request, options);
  }

  // An open stream, and its client.
  struct Subscription {
    grpc::ClientContext context;
    std::unique_ptr<grpc::ClientReader<tablev1::SubscribeResponse>> reader;
  };
  std::unique_ptr<Subscription> Subscribe(const std::string& what, std::uint64_t after = 0) {
    auto subscription = std::make_unique<Subscription>();
    Prepare(subscription->context, {.timeout = kLong});
    tablev1::SubscribeRequest request;
    request.set_table_id(what);
    request.set_after_sequence(after);
    subscription->reader = stub_->Subscribe(&subscription->context, request);
    return subscription;
  }

  std::string Log() {
    base::MutexLock lock(log_mutex_);
    return base::Join(log_, "\n");
  }
};

}  // namespace mj::rpc
