// Calls to a peer that are under way, so that the process can end without them.
#pragma once

#include <grpcpp/client_context.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <utility>

#include "absl/status/statusor.h"
#include "libs/base/mutex.h"
#include "libs/base/reasons.h"
#include "libs/rpc/client.h"
#include "libs/rpc/grpc_status.h"

namespace mj::table::peers {

// Thread-safe.
class Calls {
 public:
  Calls() = default;
  // Stops.
  ~Calls();
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  // Cancels what is under way and waits until each `done` has returned. From now on calls end at
  // once, with CANCELLED. Not from within a `done`.
  void Stop();

  // Calls `method` and, when it has ended, `done`: once, on a gRPC thread; it must not block.
  template <typename Response, typename Async, typename Interface, typename Request>
  void Start(Async& async,
             void (Interface::*method)(grpc::ClientContext*, const Request*, Response*,
                                       std::function<void(grpc::Status)>),
             Request request, const mj::rpc::CallOptions& options,
             std::function<void(absl::StatusOr<Response>)> done) {
    struct Call {
      grpc::ClientContext context;
      Request request;
      Response response;
    };
    auto call = std::make_shared<Call>();
    mj::rpc::Prepare(call->context, options);
    call->request = std::move(request);
    Call& at = *call;
    if (!Enter(at.context)) return done(base::Error(base::Reason::kCancelled));
    (async.*method)(
        &at.context, &at.request, &at.response,
        [this, call = std::move(call), done = std::move(done)](const grpc::Status& status) mutable {
          End(std::move(call), status, done);
        });
  }

 private:
  template <typename Call, typename Response = decltype(Call::response)>
  void End(std::shared_ptr<Call> call, const grpc::Status& status,
           const std::function<void(absl::StatusOr<Response>)>& done) {
    if (status.ok()) {
      done(std::move(call->response));
    } else {
      done(mj::rpc::FromGrpc(status));
    }
    // Its context holds the channel, which must not end on gRPC's own thread: whoever waits for us
    // goes on only when we hold it no more.
    grpc::ClientContext* const context = &call->context;
    call = nullptr;
    Leave(context);
  }

  bool Enter(grpc::ClientContext& context);  // false: stopped
  void Leave(grpc::ClientContext* context);

  base::Mutex mutex_;
  base::CondVar left_;
  std::set<grpc::ClientContext*> under_way_ ABSL_GUARDED_BY(mutex_);
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace mj::table::peers
