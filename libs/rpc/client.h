// Calling another service: one channel a peer, a deadline on every call, retries only where a
// repeated call has no second effect.
//
//   const auto channel = MakeChannel({.target = "127.0.0.1:7001", .retry_safe = true});
//   const auto stub = ScoringService::NewStub(channel);
//   MJ_ASSIGN_OR_RETURN(const ScoreRoundResponse scored,
//                       Invoke(*stub, &ScoringService::StubInterface::ScoreRound, request,
//                              {.timeout = std::chrono::seconds(2)}));
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/statusor.h"
#include "libs/base/language.h"
#include "libs/rpc/call.h"
#include "libs/rpc/grpc_status.h"
#include "libs/rpc/identity.h"
#include "libs/rpc/trace.h"

namespace mj::rpc {

struct ChannelOptions {
  // "host:port", several as "10.0.0.1:7,10.0.0.2:7", or whatever else gRPC resolves
  // ("dns:///table:7000"): several addresses share the calls.
  std::string target = {};
  // Whether what is safe to repeat is sent again when an attempt ended with UNAVAILABLE, up to four times
  // within the call's deadline. Safe is what protos/service_config.json lists: reads, and writes that
  // take place once however often they are sent.
  bool retry_safe = false;
  // Otherwise channels to one address share a connection.
  bool own_connection = false;
  // Null: the process's own. Must outlive this call only.
  const ClientIdentity* identity = nullptr;
};

// Connects when first used and again whenever the connection is lost. Thread-safe; meant to be kept.
[[nodiscard]] std::shared_ptr<grpc::Channel> MakeChannel(const ChannelOptions& options);

struct CallOptions {
  // From now until the call ends with DEADLINE_EXCEEDED. 0: none, for long streams only.
  std::chrono::milliseconds timeout;
  // In which failures are to be told; they come back as reasons, so only logs see it.
  base::Language language = base::Language::kEn;
  // Carried on, so that one request can be followed through all logs. Empty: the server makes one.
  std::string request_id = {};
  // The trace that it is part of. Empty: that of the work that this thread does (TraceScope), else that
  // of the request id.
  std::optional<Trace> trace = {};
  // For whom it is made, whose token it then carries (ClientIdentity::token); empty: the caller itself.
  std::string player = {};
  // The token itself, where it is not the process's identity that has one.
  std::string token = {};
};

// Options for a call that serves an incoming one: its id, trace and language, and its remaining time, at
// most `timeout_max`.
[[nodiscard]] CallOptions OnBehalfOf(const Call& call, std::chrono::milliseconds timeout_max);

// Sets deadline, token and metadata; for calls that Invoke does not cover (streams).
void Prepare(grpc::ClientContext& context, const CallOptions& options);

// Calls and waits; not on a gRPC thread. Fails with what FromGrpc says.
template <typename Stub, typename Interface, typename Request, typename Response>
[[nodiscard]] absl::StatusOr<Response> Invoke(
    Stub& stub, grpc::Status (Interface::*method)(grpc::ClientContext*, const Request&, Response*),
    const std::type_identity_t<Request>& request, const CallOptions& options) {
  grpc::ClientContext context;
  Prepare(context, options);
  Response response;
  const grpc::Status status = (stub.*method)(&context, request, &response);
  if (!status.ok()) {
    return FromGrpc(status);
  }
  return response;
}

// Calls and does not wait: `done` runs once, on a gRPC thread, and must not block.
//   InvokeAsync(*stub->async(), &WalletService::StubInterface::async_interface::SettleRound, …)
template <typename Async, typename Interface, typename Request, typename Response>
void InvokeAsync(Async& async,
                 void (Interface::*method)(grpc::ClientContext*, const Request*, Response*,
                                           std::function<void(grpc::Status)>),
                 std::type_identity_t<Request> request, const CallOptions& options,
                 std::function<void(absl::StatusOr<std::type_identity_t<Response>>)> done) {
  struct State {
    grpc::ClientContext context;
    Request request;
    Response response;
  };
  auto state = std::make_shared<State>();
  Prepare(state->context, options);
  state->request = std::move(request);
  State& at = *state;
  (async.*method)(
      &at.context, &at.request, &at.response,
      [state = std::move(state), done = std::move(done)](const grpc::Status& status) mutable {
        auto answer = status.ok() ? absl::StatusOr<Response>(std::move(state->response))
                                  : absl::StatusOr<Response>(FromGrpc(status));
        // The context holds the channel. Whoever hears of the end may end the channel
        // too, and gRPC's own thread must not be the last to hold it.
        state = nullptr;
        done(std::move(answer));
      });
}

}  // namespace mj::rpc
