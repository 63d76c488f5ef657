#include "libs/rpc/front.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <map>
#include <string>
#include <vector>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "libs/rpc/puppet_testing.h"

namespace mj::rpc {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using FrontTest = ServiceTest;

TEST_F(FrontTest, AnswersACall) {
  Start();
  const auto answer = GetTable("t1");
  ASSERT_THAT(answer, IsOk());
  EXPECT_EQ(answer->table().table_id(), "t1");
}

TEST_F(FrontTest, ARefusalNamesReasonFieldAndFacts) {
  Start();
  EXPECT_THAT(GetTable("no id!"), FailsWith(Reason::kBadId, "table_id"));
  EXPECT_EQ(table_->works, 0);
  const auto refused = GetTable("refuse");
  EXPECT_THAT(refused, FailsWith(Reason::kTableNotFound));
  EXPECT_EQ(base::CarriedBy(refused.status())->details.metadata.at("table_id"), "refuse");
}

TEST_F(FrontTest, AnswersInTheLanguageThatTheClientAccepts) {
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

TEST_F(FrontTest, AnExceptionIsInternalAndToldToTheLogOnly) {
  Start();
  const auto failed = GetTable("throw");
  EXPECT_THAT(failed, FailsWith(Reason::kInternal));
  EXPECT_THAT(std::string(failed.status().message()), Not(HasSubstr("secret")));
  EXPECT_THAT(Log(), HasSubstr(R"("table_id":"throw","method":"GetTable","reason":"INTERNAL",)"
                               R"("detail":"exception: secret of the house")"));
  EXPECT_THAT(GetTable("t1"), IsOk());
}

TEST_F(FrontTest, ACallKeepsItsIdOrGetsOne) {
  Start();
  EXPECT_EQ(GetTable("t1", {.timeout = kLong, .request_id = "my-id"})->table().address(), "my-id");
  const std::string made = GetTable("t1", {.timeout = kLong})->table().address();
  EXPECT_EQ(made.size(), 36U);
  EXPECT_EQ(GetTable("t1", {.timeout = kLong, .request_id = "not/an/id"})->table().address().size(),
            36U);
  EXPECT_THAT(Log(), HasSubstr(R"("request_id":"my-id")"));
}

TEST_F(FrontTest, ACallIsPartOfItsClientsTrace) {
  Start();
  const auto ids_of = [](const std::string& text) {
    const auto trace = ParseTraceParent(text);
    return base::Cat(R"("trace_id":")", trace->trace_id, R"(","span_id":")");
  };
  const std::string given = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  EXPECT_THAT(GetTable("t1", {.timeout = kLong, .trace = ParseTraceParent(given)}), IsOk());
  EXPECT_THAT(Log(), HasSubstr(ids_of(given)));
  EXPECT_THAT(Log(), Not(HasSubstr("00f067aa0ba902b7"))) << "a span of its own";

  const Trace work{"0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", true, {}};
  const TraceScope scope(work);
  EXPECT_THAT(GetTable("t1", {.timeout = kLong}), IsOk());
  EXPECT_THAT(Log(), HasSubstr(ids_of(TraceParentOf(work))));
}

TEST_F(FrontTest, ACallsIdIsItsTraceWhereThereIsNoOther) {
  Start();
  const std::string id = "01941f29-7c00-7000-8000-0123456789ab";
  EXPECT_THAT(GetTable("t1", {.timeout = kLong, .request_id = id}), IsOk());
  EXPECT_THAT(Log(), HasSubstr(R"("trace_id":"01941f297c00700080000123456789ab")"));
  EXPECT_THAT(GetTable("t2", {.timeout = kLong, .request_id = "my-id"}), IsOk());
  EXPECT_THAT(Log(), ContainsRegex(R"("request_id":"my-id","trace_id":"[0-9a-f]{32}")"));
}

TEST_F(FrontTest, WhatAClientSendsDoesNotFillTheLog) {
  Start();
  tablev1::ActRequest request;
  request.set_table_id(std::string(100'000, 'x'));
  EXPECT_THAT(Invoke(*stub_, &TableService::StubInterface::Act, request, {.timeout = kLong}),
              IsOk());
  EXPECT_THAT(Log(), HasSubstr(R"("table_id":"xxx)"));
  EXPECT_LT(Log().size(), 5000U);
}

TEST_F(FrontTest, AShortCallEndsAtOnceAsAnyOther) {
  config_.queue_max = 0;  // it needs no room in the queue
  Start();
  const auto leave = [&](const std::string& table, const std::string& id) {
    tablev1::LeaveTableRequest request;
    request.set_table_id(table);
    return Invoke(*stub_, &TableService::StubInterface::LeaveTable, request,
                  {.timeout = kLong, .request_id = id});
  };
  EXPECT_THAT(leave("t1", "my-id"), IsOk());
  EXPECT_THAT(Log(), HasSubstr(R"("request_id":"my-id")"));
  EXPECT_THAT(leave("refuse", ""), FailsWith(Reason::kTableNotFound));
  const auto failed = leave("throw", "");
  EXPECT_THAT(failed, FailsWith(Reason::kInternal));
  EXPECT_THAT(std::string(failed.status().message()), Not(HasSubstr("secret")));
  const std::string metrics = service_->metrics().Text();
  EXPECT_THAT(metrics, ::testing::ContainsRegex(
                           "mahjong_rpc_handled_total.*code=.OK.*method=.LeaveTable.* 1"));
  EXPECT_THAT(metrics, ::testing::ContainsRegex(
                           "mahjong_rpc_handled_total.*code=.NOT_FOUND.*method=.LeaveTable.* 1"));
}

TEST_F(FrontTest, AnAsynchronousCallEndsOnceAndIsNeverForgotten) {
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

TEST_F(FrontTest, WorkWhoseDeadlinePassedInTheQueueIsNotBegun) {
  config_.workers = 1;
  Start();
  auto waiting = std::async(std::launch::async, [&] { return GetTable("wait"); });
  table_->working.Await();
  EXPECT_THAT(GetTable("t1", {.timeout = milliseconds(30)}),
              base::HasCode(absl::StatusCode::kDeadlineExceeded));
  // The server counts from when it got the call, so its deadline is a little later.
  waiting.wait_for(milliseconds(300));
  table_->let_work_end.Set();
  EXPECT_THAT(waiting.get(), IsOk());
  EXPECT_THAT(GetTable("t2"), IsOk());
  EXPECT_EQ(table_->works, 2);
  EXPECT_THAT(Log(), HasSubstr(R"("reason":"DEADLINE_EXCEEDED")"));
}

TEST_F(FrontTest, AFullQueueAnswersOverloaded) {
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

TEST_F(FrontTest, ARequestThatIsTooLargeIsRefused) {
  Start();
  EXPECT_THAT(GetTable(std::string(5'000'000, 'a')),
              base::HasCode(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(GetTable("t1"), IsOk());
}

TEST_F(FrontTest, OnlyWhatIsSafeIsRetried) {
  Start();
  table_->unavailable_left = 2;
  EXPECT_THAT(GetTable("flaky"), FailsWith(Reason::kUnavailable));
  EXPECT_EQ(table_->works, 1);

  channel_ = MakeChannel({.target = service_->address(), .retry_safe = true});
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

TEST_F(FrontTest, APeerThatIsNotThereIsUnavailable) {
  Start();
  service_->Stop();
  EXPECT_THAT(GetTable("t1", {.timeout = seconds(5)}),
              base::HasCode(absl::StatusCode::kUnavailable));
}

TEST_F(FrontTest, AStreamDeliversInOrderAndFinishes) {
  Start();
  const auto stream = Subscribe("finish");
  tablev1::SubscribeResponse response;
  std::vector<std::uint64_t> got;
  while (stream->reader->Read(&response)) {
    got.push_back(response.events(0).sequence());
  }
  EXPECT_THAT(got, ElementsAre(1, 2, 3));
  EXPECT_THAT(FromGrpc(stream->reader->Finish()), IsOk());
  table_->stream_ended.Await();
}

TEST_F(FrontTest, AStreamThatIsRefusedSaysWhy) {
  Start();
  const auto stream = Subscribe("refuse");
  tablev1::SubscribeResponse response;
  EXPECT_FALSE(stream->reader->Read(&response));
  EXPECT_THAT(FromGrpc(stream->reader->Finish()), FailsWith(Reason::kNotSeated));
  table_->stream_ended.Await();
}

TEST_F(FrontTest, ACancelledStreamTellsItsOwner) {
  Start();
  const auto stream = Subscribe("open");
  tablev1::SubscribeResponse response;
  ASSERT_TRUE(stream->reader->Read(&response));
  EXPECT_FALSE(table_->stream_ended.IsSet());
  stream->context.TryCancel();
  table_->stream_ended.Await();
  EXPECT_THAT(FromGrpc(stream->reader->Finish()), base::HasCode(absl::StatusCode::kCancelled));
}

TEST_F(FrontTest, AClientThatReadsTooSlowlyIsCutOffAndToldSo) {
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

TEST_F(FrontTest, CountsCallsByMethodAndCode) {
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

}  // namespace
}  // namespace mj::rpc
