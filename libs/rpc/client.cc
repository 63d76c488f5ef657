#include "libs/rpc/client.h"

#include <grpc/support/time.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include <algorithm>

#include "libs/base/strings.h"
#include "libs/rpc/keepalive.h"

namespace mj::rpc {
namespace {

// {"service": "a.B", "method": "C"} for "a.B/C".
std::string MethodName(const std::string& name) {
  const auto parts = base::Split(name, '/');
  std::string out = base::Cat(R"({"service": ")", parts[0], "\"");
  if (parts.size() > 1) {
    out += base::Cat(R"(, "method": ")", parts[1], "\"");
  }
  return out + "}";
}

std::string RetryConfig(const std::vector<std::string>& retry_safe) {
  std::vector<std::string> names;
  names.reserve(retry_safe.size());
  std::ranges::transform(retry_safe, std::back_inserter(names), MethodName);
  // No "timeout" here: gRPC 1.51 lets it fire a second or more too early.
  return base::Cat(R"({"methodConfig": [{"name": [)", base::Join(names, ", "), R"(],
    "retryPolicy": {"maxAttempts": 4, "initialBackoff": "0.05s", "maxBackoff": "1s",
                    "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"]}}]})");
}

}  // namespace

std::shared_ptr<grpc::Channel> MakeChannel(const ChannelOptions& options) {
  grpc::ChannelArguments arguments = ClientSettings();
  if (!options.retry_safe.empty()) {
    arguments.SetServiceConfigJSON(RetryConfig(options.retry_safe));
  }
  // Whatever a name resolves to shares the calls; one that is gone gets none.
  arguments.SetLoadBalancingPolicyName("round_robin");
  if (options.own_connection) arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  // A peer that restarts is back within a second: do not wait gRPC's two minutes.
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);
  return grpc::CreateCustomChannel(options.target, grpc::InsecureChannelCredentials(), arguments);
}

CallOptions OnBehalfOf(const Call& call, std::chrono::milliseconds timeout_max) {
  CallOptions options{
      .timeout = timeout_max, .language = call.language(), .request_id = call.request_id()};
  if (const auto left = call.Remaining()) {
    // 0 would mean no deadline.
    options.timeout = std::clamp(std::chrono::floor<std::chrono::milliseconds>(*left),
                                 std::chrono::milliseconds(1), timeout_max);
  }
  return options;
}

void Prepare(grpc::ClientContext& context, const CallOptions& options) {
  if (options.timeout > std::chrono::milliseconds::zero()) {
    context.set_deadline(gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                                      gpr_time_from_millis(options.timeout.count(), GPR_TIMESPAN)));
  }
  context.AddMetadata(kLanguageKey, std::string(base::LanguageTag(options.language)));
  if (!options.request_id.empty()) {
    context.AddMetadata(kRequestIdKey, options.request_id);
  }
}

}  // namespace mj::rpc
