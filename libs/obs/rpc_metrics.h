// Rate, errors and duration of a service's methods.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "libs/base/mutex.h"
#include "libs/obs/metrics.h"

namespace mj::obs {

// Series, all with the label method:
//   mahjong_rpc_started_total             calls begun
//   mahjong_rpc_handled_total{code}       calls ended, by canonical code
//   mahjong_rpc_handling_seconds          from begin to end; unary calls only
//   mahjong_rpc_open                      calls that are open now
//   mahjong_rpc_messages_sent_total       messages of streams
//
// Methods are those of the service's own proto, so their number is bounded. Thread-safe.
class RpcMetrics {
 public:
  // Keeps a reference to `metrics`.
  explicit RpcMetrics(Metrics& metrics) : metrics_(metrics) {}

  void Started(std::string_view method);
  void Handled(std::string_view method, absl::StatusCode code, std::chrono::nanoseconds duration);
  void StreamEnded(std::string_view method, absl::StatusCode code);
  void MessageSent(std::string_view method);

 private:
  struct Method;
  Method& Of(std::string_view method);
  void Ended(Method& method, std::string_view name, absl::StatusCode code);

  Metrics& metrics_;
  base::Mutex mutex_;
  std::map<std::string, std::shared_ptr<Method>, std::less<>> methods_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::obs
