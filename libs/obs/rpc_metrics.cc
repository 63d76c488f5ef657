#include "libs/obs/rpc_metrics.h"

#include <array>
#include <atomic>
#include <cstddef>

namespace mj::obs {
namespace {

// 0.5 ms to 10 s: from one echo to the longest deadline.
constexpr std::size_t kCodes = 17;

const std::vector<double>& Buckets() {
  static const std::vector<double> kBuckets{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                            0.1,    0.25,  0.5,    1,     2.5,  5,     10};
  return kBuckets;
}

}  // namespace

struct RpcMetrics::Method {
  prometheus::Counter& started;
  prometheus::Histogram& seconds;
  prometheus::Gauge& open;
  prometheus::Counter& sent;
  // By canonical code, once there was one: looking a series up by its labels costs more than the
  // rest of a short call.
  std::array<std::atomic<prometheus::Counter*>, kCodes> handled{};
};

RpcMetrics::Method& RpcMetrics::Of(std::string_view method) {
  base::MutexLock lock(mutex_);
  const auto known = methods_.find(method);
  if (known != methods_.end()) {
    return *known->second;
  }
  const Metrics::Labels labels{{"method", std::string(method)}};
  auto made = std::shared_ptr<Method>(new Method{
      metrics_.Counter("mahjong_rpc_started_total", "Calls begun.", labels),
      metrics_.Histogram("mahjong_rpc_handling_seconds",
                         "Seconds from the begin of a unary call to its end.", Buckets(), labels),
      metrics_.Gauge("mahjong_rpc_open", "Calls that are open now.", labels),
      metrics_.Counter("mahjong_rpc_messages_sent_total", "Messages sent on streams.", labels)});
  return *methods_.emplace(std::string(method), std::move(made)).first->second;
}

void RpcMetrics::Started(std::string_view method) {
  Method& of = Of(method);
  of.started.Increment();
  of.open.Increment();
}

void RpcMetrics::Ended(Method& method, std::string_view name, absl::StatusCode code) {
  method.open.Decrement();
  std::atomic<prometheus::Counter*>& slot = method.handled.at(static_cast<std::size_t>(code));
  prometheus::Counter* counter = slot.load(std::memory_order_acquire);
  if (counter == nullptr) {
    counter = &metrics_.Counter(
        "mahjong_rpc_handled_total", "Calls ended, by canonical code.",
        {{"method", std::string(name)}, {"code", absl::StatusCodeToString(code)}});
    slot.store(counter, std::memory_order_release);
  }
  counter->Increment();
}

void RpcMetrics::Handled(std::string_view method, absl::StatusCode code,
                         std::chrono::nanoseconds duration) {
  Method& of = Of(method);
  of.seconds.Observe(std::chrono::duration<double>(duration).count());
  Ended(of, method, code);
}

void RpcMetrics::StreamEnded(std::string_view method, absl::StatusCode code) {
  Ended(Of(method), method, code);
}

void RpcMetrics::MessageSent(std::string_view method) { Of(method).sent.Increment(); }

}  // namespace mj::obs
