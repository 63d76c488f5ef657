#include "libs/obs/metrics.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>

#include "libs/base/status_testing.h"
#include "libs/obs/rpc_metrics.h"

namespace mj::obs {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(MetricsTest, TheSameNameAndLabelsAreOneSeries) {
  Metrics metrics("wallet");
  metrics.Counter("mahjong_things_total", "Things.", {{"kind", "a"}}).Increment();
  metrics.Counter("mahjong_things_total", "Things.", {{"kind", "a"}}).Increment(2);
  metrics.Counter("mahjong_things_total", "Things.", {{"kind", "b"}}).Increment();
  EXPECT_THAT(metrics.Text(), HasSubstr("mahjong_things_total{service=\"wallet\",kind=\"a\"} 3\n"));
  EXPECT_THAT(metrics.Text(), HasSubstr("mahjong_things_total{service=\"wallet\",kind=\"b\"} 1\n"));
}

TEST(RpcMetricsTest, CountsRateErrorsAndDuration) {
  Metrics metrics("wallet");
  RpcMetrics rpc(metrics);
  rpc.Started("Deposit");
  EXPECT_THAT(metrics.Text(),
              HasSubstr("mahjong_rpc_open{service=\"wallet\",method=\"Deposit\"} 1\n"));
  rpc.Handled("Deposit", absl::StatusCode::kNotFound, std::chrono::milliseconds(3));
  rpc.Started("Subscribe");
  rpc.MessageSent("Subscribe");
  rpc.StreamEnded("Subscribe", absl::StatusCode::kOk);
  const std::string text = metrics.Text();
  EXPECT_THAT(text, HasSubstr("mahjong_rpc_open{service=\"wallet\",method=\"Deposit\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("mahjong_rpc_handled_total{service=\"wallet\",code=\"NOT_FOUND\","
                              "method=\"Deposit\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("mahjong_rpc_handling_seconds_bucket{service=\"wallet\","
                              "method=\"Deposit\",le=\"0.005\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("mahjong_rpc_messages_sent_total{service=\"wallet\","
                              "method=\"Subscribe\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("mahjong_rpc_handled_total{service=\"wallet\",code=\"OK\","));
}

TEST(BoundedLabelTest, TellsWhatIsBeyondTheBoundAsOther) {
  BoundedLabel label(2);
  EXPECT_EQ(label.Value("chaozhou"), "chaozhou");
  EXPECT_EQ(label.Value("guangdong"), "guangdong");
  EXPECT_EQ(label.Value("x1"), "other");
  EXPECT_EQ(label.Value("chaozhou"), "chaozhou");
  EXPECT_EQ(label.Value(""), "other");
  EXPECT_EQ(label.Value(std::string(65, 'a')), "other");
}

std::string HttpGet(const std::string& address, const std::string& path) {
  const auto port = static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
    ::close(fd);
    return "";
  }
  const std::string request = "GET " + path + " HTTP/1.0\r\n\r\n";
  EXPECT_EQ(::send(fd, request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
  std::string answer;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = ::recv(fd, buffer.data(), buffer.size(), 0)) > 0;) {
    answer.append(buffer.data(), static_cast<std::size_t>(got));
  }
  ::close(fd);
  return answer;
}

TEST(MetricsTest, ServesThemOnAFreePort) {
  Metrics metrics("wallet");
  metrics.Gauge("mahjong_live_tables", "Tables.").Set(7);
  const auto address = metrics.Listen("127.0.0.1:0");
  ASSERT_THAT(address, base::IsOk());
  EXPECT_THAT(*address, Not(::testing::EndsWith(":0")));
  EXPECT_THAT(HttpGet(*address, "/metrics"),
              HasSubstr("mahjong_live_tables{service=\"wallet\"} 7\n"));

  Metrics second("other");
  EXPECT_THAT(second.Listen(*address), base::HasCode(absl::StatusCode::kUnavailable));
  EXPECT_THAT(second.Listen("nonsense"), base::HasCode(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace mj::obs
