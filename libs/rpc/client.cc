#include "libs/rpc/client.h"

#include <grpc/support/time.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include <algorithm>

#include "libs/base/strings.h"
#include "libs/rpc/keepalive.h"
#include "libs/rpc/service_config.h"

namespace mj::rpc {

namespace {

// A list of addresses under the scheme by which gRPC takes one: a name cannot stand in it.
std::string Resolvable(const std::string& target) {
  const bool list = target.find(',') != std::string::npos;
  if (!list || target.starts_with("ipv4:") || target.starts_with("ipv6:")) return target;
  return base::Cat(target.starts_with('[') ? "ipv6:" : "ipv4:", target);
}

}  // namespace

std::shared_ptr<grpc::Channel> MakeChannel(const ChannelOptions& options) {
  grpc::ChannelArguments arguments = ClientSettings();
  if (options.retry_safe) arguments.SetServiceConfigJSON(kServiceConfig);
  // Whatever a name resolves to shares the calls; one that is gone gets none.
  arguments.SetLoadBalancingPolicyName("round_robin");
  if (options.own_connection) arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  // A peer that restarts is back within a second: do not wait gRPC's two minutes.
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);
  const std::string target = Resolvable(options.target);
  if (target.find(',') != std::string::npos) {
    // Certificates are for hosts, and a list is none: all of its servers have to be the first one's host.
    const std::size_t first = target.find(':') + 1;
    std::string host = target.substr(first, target.find(',') - first);
    arguments.SetString(GRPC_ARG_DEFAULT_AUTHORITY, host);
  }
  return grpc::CreateCustomChannel(
      target, CredentialsOf(options.identity != nullptr ? options.identity : OwnIdentity()),
      arguments);
}

CallOptions OnBehalfOf(const Call& call, std::chrono::milliseconds timeout_max) {
  CallOptions options{.timeout = timeout_max,
                      .language = call.language(),
                      .request_id = call.request_id(),
                      .trace = call.trace()};
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
  std::optional<Trace> trace = options.trace;
  if (const Trace* const current = CurrentTrace(); !trace && current != nullptr) trace = *current;
  if (!trace) trace = TraceOfId(options.request_id);
  if (trace) {
    context.AddMetadata(kTraceParentKey, TraceParentOf(*trace));
    if (!trace->state.empty()) context.AddMetadata(kTraceStateKey, trace->state);
  }
  std::string token = options.token;
  if (const ClientIdentity* own = OwnIdentity(); token.empty() && own != nullptr && own->token) {
    token = own->token(options.player);
  }
  if (!token.empty()) context.AddMetadata("authorization", base::Cat("Bearer ", token));
}

}  // namespace mj::rpc
