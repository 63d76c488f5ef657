#include "libs/rpc/service.h"

#include <gmock/gmock.h>
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <future>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "libs/base/files.h"
#include "libs/base/mutex.h"
#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"
#include "libs/base/strings.h"
#include "libs/rpc/client.h"
#include "mahjong/table/v1/table_service.grpc.pb.h"

namespace mj::rpc {
namespace {

namespace tablev1 = mahjong::table::v1;
using base::Error;
using base::FailsWith;
using base::IsOk;
using base::Reason;
using grpc::health::v1::Health;
using grpc::health::v1::HealthCheckRequest;
using grpc::health::v1::HealthCheckResponse;
using std::chrono::milliseconds;
using std::chrono::seconds;
using tablev1::TableService;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr milliseconds kLong{20'000};

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
                     : Error(Reason::kBadId, "table_id: want an id", {.field = "table_id"});
        },
        [this](Call& call, const tablev1::GetTableRequest& in, tablev1::GetTableResponse& out) {
          call.Note("table_id", in.table_id());
          ++works;
          return Work(in.table_id(), call, out);
        });
  }

  grpc::ServerUnaryReactor* Act(grpc::CallbackServerContext* context,
                                const tablev1::ActRequest* request,
                                tablev1::ActResponse* response) override {
    return front_.UnaryAsync(context, "Act", request, response, Front::kNoValidation,
                             [this](const std::shared_ptr<Call>&, const tablev1::ActRequest& in,
                                    tablev1::ActResponse& out, const Done& done) {
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
            return Error(Reason::kNotSeated);
          }
          if (in.table_id() == "flood") {
            // Beyond any window of the transport.
            tablev1::SubscribeResponse big;
            big.mutable_event()->mutable_table_formed()->mutable_table()->set_table_id(
                std::string(100'000, 'x'));
            while (stream.Send(big)) {
            }
            return absl::OkStatus();
          }
          for (std::uint64_t i = in.after_sequence() + 1; i <= 3; ++i) {
            tablev1::SubscribeResponse response;
            response.mutable_event()->set_sequence(i);
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
      return Error(Reason::kTableNotFound, "no table", {.metadata = {{"table_id", what}}});
    }
    if (what == "throw") {
      throw std::runtime_error("secret of the house");
    }
    if (what == "flaky" && unavailable_left-- > 0) {
      return Error(Reason::kUnavailable);
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
    ASSERT_THAT(started, IsOk());
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

TEST_F(ServiceTest, AnswersACall) {
  Start();
  const auto answer = GetTable("t1");
  ASSERT_THAT(answer, IsOk());
  EXPECT_EQ(answer->table().table_id(), "t1");
}

TEST_F(ServiceTest, ARefusalNamesReasonFieldAndFacts) {
  Start();
  EXPECT_THAT(GetTable("no id!"), FailsWith(Reason::kBadId, "table_id"));
  EXPECT_EQ(table_->works, 0);
  const auto refused = GetTable("refuse");
  EXPECT_THAT(refused, FailsWith(Reason::kTableNotFound));
  EXPECT_EQ(base::CarriedBy(refused.status())->details.metadata.at("table_id"), "refuse");
}

TEST_F(ServiceTest, AnswersInTheLanguageThatTheClientAccepts) {
  Start();
  const std::map<std::string, std::string> wants{
      {"", "牌桌不存在"}, {"zh-TW, en;q=0.5", "牌桌不存在"}, {"en-GB", "There is no such table."}};
  for (const auto& [header, words] : wants) {
    grpc::ClientContext context;
    if (!header.empty()) {
      context.AddMetadata("accept-language", header);
    }
    tablev1::GetTableRequest request;
    request.set_table_id("refuse");
    tablev1::GetTableResponse response;
    const grpc::Status status = stub_->GetTable(&context, request, &response);
    google::rpc::Status details;
    ASSERT_TRUE(details.ParseFromString(status.error_details()));
    google::rpc::LocalizedMessage localized;
    for (const auto& any : details.details()) {
      any.UnpackTo(&localized);
    }
    EXPECT_EQ(localized.message(), words) << header;
  }
}

TEST_F(ServiceTest, AnExceptionIsInternalAndToldToTheLogOnly) {
  Start();
  const auto failed = GetTable("throw");
  EXPECT_THAT(failed, FailsWith(Reason::kInternal));
  EXPECT_THAT(std::string(failed.status().message()), Not(HasSubstr("secret")));
  EXPECT_THAT(Log(), HasSubstr(R"("table_id":"throw","method":"GetTable","reason":"INTERNAL",)"
                               R"("detail":"exception: secret of the house")"));
  EXPECT_THAT(GetTable("t1"), IsOk());
}

TEST_F(ServiceTest, ACallKeepsItsIdOrGetsOne) {
  Start();
  EXPECT_EQ(GetTable("t1", {.timeout = kLong, .request_id = "my-id"})->table().address(), "my-id");
  const std::string made = GetTable("t1", {.timeout = kLong})->table().address();
  EXPECT_EQ(made.size(), 36U);
  EXPECT_EQ(GetTable("t1", {.timeout = kLong, .request_id = "not/an/id"})->table().address().size(),
            36U);
  EXPECT_THAT(Log(), HasSubstr(R"("request_id":"my-id")"));
}

TEST_F(ServiceTest, AnAsynchronousCallEndsOnceAndIsNeverForgotten) {
  Start();
  tablev1::ActRequest request;
  request.set_table_id("t1");
  request.set_decision_id(41);
  const auto answer =
      Invoke(*stub_, &TableService::StubInterface::Act, request, {.timeout = kLong});
  ASSERT_THAT(answer, IsOk());
  EXPECT_EQ(answer->last_sequence(), 42U);

  std::promise<absl::Status> ended;
  InvokeAsync(*stub_->async(), &TableService::StubInterface::async_interface::Act, request,
              {.timeout = kLong}, [&](const absl::StatusOr<tablev1::ActResponse>& response) {
                ended.set_value(response.status());
              });
  EXPECT_THAT(ended.get_future().get(), IsOk());

  request.set_table_id("forget");
  EXPECT_THAT(Invoke(*stub_, &TableService::StubInterface::Act, request, {.timeout = kLong}),
              FailsWith(Reason::kInternal));
}

TEST_F(ServiceTest, WorkWhoseDeadlinePassedInTheQueueIsNotBegun) {
  config_.workers = 1;
  Start();
  auto waiting = std::async(std::launch::async, [&] { return GetTable("wait"); });
  table_->working.Await();
  EXPECT_THAT(GetTable("t1", {.timeout = milliseconds(30)}),
              base::HasCode(absl::StatusCode::kDeadlineExceeded));
  table_->let_work_end.Set();
  EXPECT_THAT(waiting.get(), IsOk());
  EXPECT_THAT(GetTable("t2"), IsOk());
  EXPECT_EQ(table_->works, 2);
  EXPECT_THAT(Log(), HasSubstr(R"("reason":"DEADLINE_EXCEEDED")"));
}

TEST_F(ServiceTest, AFullQueueAnswersOverloaded) {
  config_.workers = 1;
  config_.queue_max = 1;
  Start();
  auto running = std::async(std::launch::async, [&] { return GetTable("wait"); });
  table_->working.Await();
  // The queue has one place: of two more calls one waits and one is refused.
  auto one = std::async(std::launch::async, [&] { return GetTable("t1"); });
  auto two = std::async(std::launch::async, [&] { return GetTable("t1"); });
  while (one.wait_for(milliseconds(1)) != std::future_status::ready &&
         two.wait_for(milliseconds(1)) != std::future_status::ready) {
  }
  table_->let_work_end.Set();
  const auto first = one.get();
  const auto second = two.get();
  EXPECT_NE(first.ok(), second.ok());
  const absl::Status refused = first.ok() ? second.status() : first.status();
  EXPECT_THAT(refused, FailsWith(Reason::kOverloaded));
  EXPECT_TRUE(base::CarriedBy(refused)->details.retry_after.has_value());
  EXPECT_THAT(running.get(), IsOk());
}

TEST_F(ServiceTest, ARequestThatIsTooLargeIsRefused) {
  Start();
  EXPECT_THAT(GetTable(std::string(5'000'000, 'a')),
              base::HasCode(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(GetTable("t1"), IsOk());
}

TEST_F(ServiceTest, OnlyWhatIsSafeIsRetried) {
  Start();
  table_->unavailable_left = 2;
  EXPECT_THAT(GetTable("flaky"), FailsWith(Reason::kUnavailable));
  EXPECT_EQ(table_->works, 1);

  channel_ = MakeChannel(
      {.target = service_->address(), .retry_safe = {"mahjong.table.v1.TableService/GetTable"}});
  stub_ = TableService::NewStub(channel_);
  table_->works = 0;
  table_->unavailable_left = 2;
  EXPECT_THAT(GetTable("flaky"), IsOk());
  EXPECT_EQ(table_->works, 3);

  table_->works = 0;
  table_->unavailable_left = 100;
  EXPECT_THAT(GetTable("flaky"), FailsWith(Reason::kUnavailable));
  EXPECT_EQ(table_->works, 4);
}

TEST_F(ServiceTest, APeerThatIsNotThereIsUnavailable) {
  Start();
  service_->Stop();
  EXPECT_THAT(GetTable("t1", {.timeout = seconds(5)}),
              base::HasCode(absl::StatusCode::kUnavailable));
}

TEST_F(ServiceTest, AStreamDeliversInOrderAndFinishes) {
  Start();
  const auto stream = Subscribe("finish");
  tablev1::SubscribeResponse response;
  std::vector<std::uint64_t> got;
  while (stream->reader->Read(&response)) {
    got.push_back(response.event().sequence());
  }
  EXPECT_THAT(got, ElementsAre(1, 2, 3));
  EXPECT_THAT(FromGrpc(stream->reader->Finish()), IsOk());
  table_->stream_ended.Await();
}

TEST_F(ServiceTest, AStreamThatIsRefusedSaysWhy) {
  Start();
  const auto stream = Subscribe("refuse");
  tablev1::SubscribeResponse response;
  EXPECT_FALSE(stream->reader->Read(&response));
  EXPECT_THAT(FromGrpc(stream->reader->Finish()), FailsWith(Reason::kNotSeated));
  table_->stream_ended.Await();
}

TEST_F(ServiceTest, ACancelledStreamTellsItsOwner) {
  Start();
  const auto stream = Subscribe("open");
  tablev1::SubscribeResponse response;
  ASSERT_TRUE(stream->reader->Read(&response));
  EXPECT_FALSE(table_->stream_ended.IsSet());
  stream->context.TryCancel();
  table_->stream_ended.Await();
  EXPECT_THAT(FromGrpc(stream->reader->Finish()), base::HasCode(absl::StatusCode::kCancelled));
}

TEST_F(ServiceTest, AClientThatReadsTooSlowlyIsCutOffAndToldSo) {
  Start();
  const auto stream = Subscribe("flood");
  table_->stream_ended.Await();  // nothing was read, and the server is not held up
  EXPECT_THAT(GetTable("t1"), IsOk());
  tablev1::SubscribeResponse response;
  int got = 0;
  while (stream->reader->Read(&response)) {
    ++got;
  }
  EXPECT_LT(got, 256);
  EXPECT_THAT(FromGrpc(stream->reader->Finish()), FailsWith(Reason::kStreamTooSlow));
}

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

TEST_F(ServiceTest, CountsCallsByMethodAndCode) {
  config_.metrics_listen = "127.0.0.1:0";
  Start();
  EXPECT_THAT(service_->metrics_address(), HasSubstr("127.0.0.1:"));
  (void)GetTable("t1");
  (void)GetTable("refuse");
  const std::string text = service_->metrics().Text();
  EXPECT_THAT(text, HasSubstr(R"(mahjong_rpc_handled_total{service="table",code="NOT_FOUND",)"
                              R"(method="GetTable"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(mahjong_rpc_handled_total{service="table",code="OK",)"
                              R"(method="GetTable"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(mahjong_rpc_open{service="table",method="GetTable"} 0)"));
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
