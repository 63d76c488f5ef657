#include "libs/rpc/stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grpc/health/v1/health.pb.h"
#include "libs/base/reasons.h"
#include "libs/base/simulated_clock_testing.h"
#include "libs/base/status_testing.h"

namespace mj::rpc {
namespace {

using base::Error;
using base::Reason;
using grpc::health::v1::HealthCheckRequest;
using std::chrono::seconds;
using ::testing::ElementsAre;

// Notes what is asked of gRPC; the test plays gRPC's part.
class FakeOperations final : public StreamOperations {
 public:
  void Write(const google::protobuf::MessageLite& message) override {
    asked.push_back(static_cast<const HealthCheckRequest&>(message).service());
  }
  void Finish(const absl::Status& status) override {
    asked.push_back(
        "finish " +
        std::string(
            base::InfoOf(status.ok() ? Reason::kInternal : base::ReasonToTell(status)).name));
  }
  void Abort() override { asked.emplace_back("abort"); }

  std::vector<std::string> asked;
};

class StreamStateTest : public ::testing::Test {
 protected:
  StreamStateTest() {
    stream_.OnEnd([this] { ++ends_; });
  }

  bool Send(const std::string& text) {
    HealthCheckRequest message;
    message.set_service(text);
    return stream_.Send(std::move(message));
  }

  FakeOperations operations_;
  base::SimulatedClock clock_;
  std::shared_ptr<StreamState> state_ =
      std::make_shared<StreamState>(operations_, clock_, /*outbox_max=*/2, seconds(5));
  ServerStream<HealthCheckRequest> stream_{state_};
  int ends_ = 0;
};

TEST_F(StreamStateTest, WritesOneAfterTheOther) {
  EXPECT_TRUE(Send("a"));
  EXPECT_TRUE(Send("b"));
  EXPECT_THAT(operations_.asked, ElementsAre("a"));
  state_->Written(true);
  state_->Written(true);
  EXPECT_TRUE(Send("c"));
  EXPECT_THAT(operations_.asked, ElementsAre("a", "b", "c"));
  EXPECT_EQ(ends_, 0);
}

TEST_F(StreamStateTest, FinishesAfterWhatIsQueued) {
  Send("a");
  Send("b");
  stream_.Finish(Error(Reason::kTableClosed));
  EXPECT_EQ(ends_, 1);
  EXPECT_FALSE(Send("c"));
  stream_.Finish(absl::OkStatus());
  state_->Written(true);
  state_->Written(true);
  EXPECT_THAT(operations_.asked, ElementsAre("a", "b", "finish TABLE_CLOSED"));
  EXPECT_THAT(state_->Done(), base::FailsWith(Reason::kTableClosed));
  EXPECT_EQ(ends_, 1);
}

TEST_F(StreamStateTest, CutDropsWhatIsQueued) {
  Send("a");
  Send("b");
  stream_.Cut(Error(Reason::kShuttingDown));
  EXPECT_EQ(ends_, 1);
  state_->Written(true);
  EXPECT_THAT(operations_.asked, ElementsAre("a", "finish SHUTTING_DOWN"));
}

TEST_F(StreamStateTest, AFullOutboxCutsTheStreamOff) {
  EXPECT_TRUE(Send("a"));  // in flight
  EXPECT_TRUE(Send("b"));
  EXPECT_TRUE(Send("c"));
  EXPECT_FALSE(Send("d"));
  EXPECT_TRUE(stream_.ended());
  EXPECT_EQ(ends_, 1);
  EXPECT_FALSE(Send("e"));
  state_->Written(true);
  EXPECT_THAT(operations_.asked, ElementsAre("a", "finish STREAM_TOO_SLOW"));
}

TEST_F(StreamStateTest, AClientThatNeverReadsIsDropped) {
  for (const auto* text : {"a", "b", "c", "d"}) {
    Send(text);
  }
  clock_.Advance(seconds(4));
  EXPECT_THAT(operations_.asked, ElementsAre("a"));
  clock_.Advance(seconds(1));
  EXPECT_THAT(operations_.asked, ElementsAre("a", "abort"));
  state_->Cancelled();
  state_->Written(false);
  EXPECT_THAT(operations_.asked, ElementsAre("a", "abort", "finish STREAM_TOO_SLOW"));
  EXPECT_THAT(state_->Done(), base::FailsWith(Reason::kStreamTooSlow));
  EXPECT_EQ(ends_, 1);
}

TEST_F(StreamStateTest, PatienceIsForgottenWhenTheWriteGoesThrough) {
  for (const auto* text : {"a", "b", "c", "d"}) {
    Send(text);
  }
  state_->Written(true);
  clock_.Advance(seconds(60));
  EXPECT_THAT(operations_.asked, ElementsAre("a", "finish STREAM_TOO_SLOW"));
}

TEST_F(StreamStateTest, ACancelledStreamEndsOnce) {
  Send("a");
  Send("b");
  state_->Cancelled();
  EXPECT_EQ(ends_, 1);
  EXPECT_FALSE(Send("c"));
  state_->Written(false);
  EXPECT_THAT(operations_.asked, ElementsAre("a", "finish CANCELLED"));
  EXPECT_EQ(ends_, 1);
}

TEST_F(StreamStateTest, AFailedWriteEndsTheStream) {
  Send("a");
  Send("b");
  state_->Written(false);
  EXPECT_EQ(ends_, 1);
  EXPECT_THAT(operations_.asked, ElementsAre("a", "finish CANCELLED"));
}

TEST_F(StreamStateTest, AFailedWriteDropsWhatWasToBeSentBeforeTheFinish) {
  Send("a");
  Send("b");
  stream_.Finish(absl::OkStatus());
  state_->Written(false);
  EXPECT_EQ(operations_.asked.size(), 2U);
  EXPECT_THAT(state_->Done(), base::IsOk());
}

TEST_F(StreamStateTest, AProducerThatWaitsIsNeverTooSlow) {
  int sent = 0;
  const auto send_some = [&] {
    while (sent < 10 && stream_.unsent() < 2) {
      ASSERT_TRUE(Send(std::to_string(sent)));
      ++sent;
    }
  };
  stream_.OnWritten(send_some);
  send_some();
  EXPECT_EQ(stream_.unsent(), 2U);
  for (int written = 0; written < 10; ++written) {
    state_->Written(true);
  }
  EXPECT_THAT(operations_.asked, ElementsAre("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"));
  EXPECT_EQ(stream_.unsent(), 0U);
  EXPECT_FALSE(stream_.ended());
}

TEST_F(StreamStateTest, NobodyIsCalledToSendAfterTheEnd) {
  const auto kept = std::make_shared<int>(0);
  stream_.OnWritten([kept] { ++*kept; });
  Send("a");
  stream_.Finish(absl::OkStatus());
  state_->Written(true);
  EXPECT_EQ(*kept, 0);
  EXPECT_EQ(kept.use_count(), 1);
}

TEST_F(StreamStateTest, WhoAsksAfterTheEndIsToldAtOnce) {
  state_->Cancelled();
  int told = 0;
  stream_.OnEnd([&] { ++told; });
  EXPECT_EQ(told, 1);
}

}  // namespace
}  // namespace mj::rpc
