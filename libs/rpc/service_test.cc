#include "libs/rpc/service.h"

#include <gmock/gmock.h>
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grpc/health/v1/health.grpc.pb.h"
#include "libs/base/files.h"
#include "libs/rpc/puppet_testing.h"

namespace mj::rpc {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using grpc::health::v1::Health;
using grpc::health::v1::HealthCheckRequest;
using grpc::health::v1::HealthCheckResponse;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(ServiceTest, StopEndsStreamsAndLetsCallsFinish) {
  config_.drain = seconds(30);
  Start();
  const auto stream = Subscribe("open");
  tablev1::SubscribeResponse response;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(stream->reader->Read(&response));
  }
  table_->stream_open.Await();

  const auto health = Health::NewStub(channel_);
  grpc::ClientContext watch_context;
  const auto watch = health->Watch(&watch_context, HealthCheckRequest());
  HealthCheckResponse health_now;
  ASSERT_TRUE(watch->Read(&health_now));
  EXPECT_EQ(health_now.status(), HealthCheckResponse::SERVING);

  auto call = std::async(std::launch::async, [&] { return GetTable("wait"); });
  table_->working.Await();
  auto stop = std::async(std::launch::async, [&] { service_->Stop(); });

  EXPECT_FALSE(stream->reader->Read(&response));
  EXPECT_THAT(FromGrpc(stream->reader->Finish()), FailsWith(Reason::kShuttingDown));
  ASSERT_TRUE(watch->Read(&health_now));
  EXPECT_EQ(health_now.status(), HealthCheckResponse::NOT_SERVING);
  EXPECT_FALSE(watch->Read(&health_now));
  EXPECT_TRUE(closed_.empty());

  table_->let_work_end.Set();
  EXPECT_THAT(call.get(), IsOk());
  // Well before the drain time: nothing is open any more.
  EXPECT_EQ(stop.wait_for(seconds(10)), std::future_status::ready);
  EXPECT_THAT(closed_, ElementsAre("second", "first"));
}

TEST_F(ServiceTest, AClientConnectsAnewAfterAWhileAndItsStreamsStay) {
  config_.connection = seconds(1);
  Start();
  const auto stream = Subscribe("open");
  tablev1::SubscribeResponse response;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(stream->reader->Read(&response));
  }
  const auto peers = [&] {
    std::set<std::string> ports;
    const std::string log = Log();
    constexpr std::string_view kPeer = R"("peer":")";
    for (std::size_t at = log.find(kPeer); at != std::string::npos; at = log.find(kPeer, at + 1)) {
      ports.insert(log.substr(at, log.find('"', at + kPeer.size()) - at));
    }
    return ports;
  };
  while (peers().size() < 2) {
    ASSERT_THAT(GetTable("t1"), IsOk()) << "no call fails";
  }
  EXPECT_FALSE(table_->stream_ended.IsSet());
  stream->context.TryCancel();
  EXPECT_FALSE(stream->reader->Finish().ok());
}

TEST_F(ServiceTest, AfterTheDrainTimeCallsAreCancelled) {
  config_.drain = seconds(0);
  Start();
  auto call = std::async(std::launch::async, [&] { return GetTable("wait"); });
  table_->working.Await();
  auto stop = std::async(std::launch::async, [&] { service_->Stop(); });
  EXPECT_FALSE(call.get().ok());
  table_->let_work_end.Set();
  stop.get();
}

TEST_F(ServiceTest, HealthKnowsEachService) {
  Start();
  const auto health = Health::NewStub(channel_);
  const auto check = [&](const std::string& service) {
    HealthCheckRequest request;
    request.set_service(service);
    return Invoke(*health, &Health::StubInterface::Check, request, {.timeout = kLong});
  };
  EXPECT_EQ(check("")->status(), HealthCheckResponse::SERVING);
  EXPECT_EQ(check("mahjong.table.v1.TableService")->status(), HealthCheckResponse::SERVING);
  EXPECT_THAT(check("nobody"), FailsWith(Reason::kServiceUnknown));
}

// Sends one reflection request and returns the answer's bytes, or the status' code.
std::string Reflect(const std::shared_ptr<grpc::Channel>& channel, const std::string& request) {
  grpc::GenericStub stub(channel);
  grpc::ClientContext context;
  grpc::CompletionQueue queue;
  const auto call = stub.PrepareCall(
      &context, "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", &queue);
  const auto wait = [&queue] {
    void* tag = nullptr;
    bool ok = false;
    queue.Next(&tag, &ok);
    return ok;
  };
  call->StartCall(nullptr);
  std::string answer;
  if (wait()) {
    const grpc::Slice slice(request);
    call->WriteLast(grpc::ByteBuffer(&slice, 1), grpc::WriteOptions(), nullptr);
    wait();
    grpc::ByteBuffer buffer;
    call->Read(&buffer, nullptr);
    if (wait()) {
      std::vector<grpc::Slice> slices;
      EXPECT_TRUE(buffer.Dump(&slices).ok());
      for (const grpc::Slice& part : slices) {
        answer.append(reinterpret_cast<const char*>(part.begin()), part.size());
      }
    }
  }
  grpc::Status status;
  call->Finish(&status, nullptr);
  wait();
  queue.Shutdown();
  return status.ok() ? answer : "code " + std::to_string(status.error_code());
}

const std::string kListServices = "\x3A\x01*";
const std::string kDescribeHealth = "\x22\x15grpc.health.v1.Health";

TEST_F(ServiceTest, ReflectionByFlagDescribesHealthToo) {
  config_.reflection = true;
  Start();
  const std::string list = Reflect(channel_, kListServices);
  EXPECT_THAT(list, HasSubstr("mahjong.table.v1.TableService"));
  EXPECT_THAT(list, HasSubstr("grpc.health.v1.Health"));
  EXPECT_THAT(Reflect(channel_, kDescribeHealth), HasSubstr("HealthCheckResponse"));
}

TEST_F(ServiceTest, WithoutTheFlagNothingIsReflected) {
  Start();
  EXPECT_EQ(Reflect(channel_, kListServices), "code 12");
}

TEST_F(ServiceTest, WritesItsAddressesOnceItServes) {
  std::string folder = (std::filesystem::temp_directory_path() / "mj_rpc_XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  config_.address_file = folder + "/address";
  config_.metrics_listen = "127.0.0.1:0";
  config_.metrics_address_file = folder + "/metrics";
  Start();
  EXPECT_THAT(base::ReadFile(config_.address_file), base::IsOkAndHolds(service_->address() + "\n"));
  EXPECT_THAT(base::ReadFile(config_.metrics_address_file),
              base::IsOkAndHolds(service_->metrics_address() + "\n"));
  std::filesystem::remove_all(folder);
}

TEST_F(ServiceTest, APortInUseIsUnavailable) {
  Start();
  ServerConfig second;
  second.listen = service_->address();
  EXPECT_THAT(StartService("other", second, [](Bindings&) { return absl::OkStatus(); }),
              base::HasCode(absl::StatusCode::kUnavailable));
}

TEST_F(ServiceTest, WhatWasBoundIsUndoneWhenBindFails) {
  struct Noted {
    explicit Noted(std::vector<std::string>& to) : notes(to) {}
    ~Noted() { notes.emplace_back("destroyed"); }
    std::vector<std::string>& notes;
  };
  const auto started =
      StartService("table", config_,
                   [this](Bindings& bindings) {
                     bindings.Own(std::make_unique<Noted>(closed_));
                     bindings.OnStop("closer", [this] { closed_.emplace_back("closed"); });
                     return absl::UnavailableError("the schema is too old");
                   },
                   {.log_line = [](std::string_view) {}});
  EXPECT_THAT(started, base::HasCode(absl::StatusCode::kUnavailable));
  EXPECT_THAT(closed_, ElementsAre("closed", "destroyed"));
}

TEST_F(ServiceTest, SeveralServicesLiveInOneProcess) {
  Start();
  const auto first = std::move(service_);
  auto* const first_table = table_;
  Start();
  EXPECT_NE(first->address(), service_->address());
  EXPECT_THAT(GetTable("t1"), IsOk());
  EXPECT_EQ(table_->works, 1);
  EXPECT_EQ(first_table->works, 0);
}

TEST_F(ServiceTest, AServiceKnowsWhereItServes) {
  std::function<std::string()> served_at;
  std::string before;
  const auto started = StartService("table", config_,
                                    [&](Bindings& bindings) {
                                      before = bindings.ServedAt();
                                      served_at = [&bindings] { return bindings.ServedAt(); };
                                      return absl::OkStatus();
                                    },
                                    {.log_line = [](std::string_view) {}});
  ASSERT_THAT(started, IsOk());
  EXPECT_EQ(before, "");
  EXPECT_EQ(served_at(), (*started)->address());
}

// Otherwise a call that waits for something which never comes would hold up the end.
TEST_F(ServiceTest, DrainersRunBeforeCallsAreWaitedFor) {
  config_.drain = seconds(30);
  Event held;
  Event let_go;
  auto started = StartService("table", config_,
                              [&](Bindings& bindings) {
                                bindings.OnDrain("holder", [&] {
                                  held.Await();
                                  let_go.Set();
                                });
                                table_ = &bindings.AddService<TableService>(
                                    std::make_unique<PuppetTable>(bindings.front()));
                                table_->front_executor = &bindings.executor();
                                return absl::OkStatus();
                              },
                              {.log_line = [](std::string_view) {}});
  ASSERT_THAT(started, IsOk());
  stub_ = TableService::NewStub(MakeChannel({.target = (*started)->address()}));
  auto call = std::async(std::launch::async, [&] { return GetTable("wait"); });
  table_->working.Await();
  held.Set();
  auto stop = std::async(std::launch::async, [&] { (*started)->Stop(); });
  let_go.Await();  // while the call is still at work
  table_->let_work_end.Set();
  EXPECT_THAT(call.get(), IsOk());
  stop.get();
}

using RunServiceDeathTest = ServiceTest;

TEST_F(RunServiceDeathTest, RunsUntilSigtermAndExitsWithZero) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const int code = RunService("table", ServerConfig{}, [](Bindings& bindings) {
          bindings.OnStop("told", [] { std::fputs("closer ran\n", stderr); });
          bindings.clock().CallAfter(milliseconds(50), [] { ::kill(::getpid(), SIGTERM); });
          return absl::OkStatus();
        });
        std::exit(code);
      },
      ::testing::ExitedWithCode(0), "\"msg\":\"serving\"[^$]*closer ran");
}

TEST_F(RunServiceDeathTest, SaysWhyItCannotStart) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      std::exit(RunService("table", ServerConfig{},
                           [](Bindings&) { return absl::UnavailableError("no database"); })),
      ::testing::ExitedWithCode(1), "mj-table: cannot start: no database");
}

}  // namespace
}  // namespace mj::rpc
