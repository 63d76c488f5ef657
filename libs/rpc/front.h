// What every call of a service passes through. A handler of the generated CallbackService is one
// statement:
//
//   grpc::ServerUnaryReactor* GetAccount(grpc::CallbackServerContext* context,
//                                        const GetAccountRequest* request,
//                                        GetAccountResponse* response) override {
//     return front_.Unary(context, "GetAccount", request, response, ValidateGetAccount,
//                         [this](rpc::Call& call, const auto& in, auto& out) {
//                           return GetAccountInto(call, in, out);  // may block
//                         });
//   }
#pragma once

#include <google/protobuf/message_lite.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "libs/base/clock.h"
#include "libs/base/executor.h"
#include "libs/base/mutex.h"
#include "libs/base/uuid.h"
#include "libs/obs/log.h"
#include "libs/obs/rpc_metrics.h"
#include "libs/rpc/call.h"
#include "libs/rpc/guard.h"
#include "libs/rpc/stream.h"

namespace mj::rpc {

// Ends a unary call. Call it once, from any thread; the request and the response are gone
// afterwards. Further calls are ignored; if the last copy goes unused, the call ends with INTERNAL.
class Done {
 public:
  class Ending;
  explicit Done(std::shared_ptr<Ending> ending) : ending_(std::move(ending)) {}
  void operator()(const absl::Status& status) const;

 private:
  std::shared_ptr<Ending> ending_;
};

// What a front works with. All referenced objects must outlive every call.
struct FrontParts {
  base::Clock& clock;
  base::UuidGenerator& ids;
  base::TaskRunner& runner;
  obs::Logger log;
  obs::RpcMetrics& metrics;
  std::size_t outbox_max = 256;  // messages that wait for one stream's client
  std::chrono::nanoseconds stream_patience{5'000'000'000};  // see StreamState
  Guard* guard = nullptr;                                   // null: whoever reaches it is served
  std::size_t streams_max = 0;  // of all callers together; 0: no limit. More are TOO_MANY_STREAMS
};

// The front of a service. Thread-safe. What it does with each call:
//
//   1. asks the guard, then runs the validation, on gRPC's thread; a failure is the answer;
//   2. posts the work to the runner; if that is full, OVERLOADED;
//   3. does not run it if the client has gone or its deadline has passed meanwhile;
//   4. sends its status with details in the client's language; an exception is INTERNAL;
//   5. counts, measures, and writes a log line: OK at level debug, refusals at info, what may be
//      retried at warn, our own faults at error.
//
// Validate: absl::Status(const Request&), quick, without side effects; or kNoValidation.
class Front {
 public:
  explicit Front(FrontParts parts);
  ~Front();
  Front(const Front&) = delete;
  Front& operator=(const Front&) = delete;

  static constexpr auto kNoValidation = [](const auto&) { return absl::OkStatus(); };

  // A call whose work may block: absl::Status(Call&, const Request&, Response&), on the runner.
  template <typename Request, typename Response, typename Validate, typename Work>
  grpc::ServerUnaryReactor* Unary(grpc::CallbackServerContext* context, std::string_view method,
                                  const Request* request, Response* response,
                                  const Validate& validate, Work work) {
    return StartUnary(
        context, method, AskedBy(*request), [&] { return validate(*request); },
        [request, response, work = std::move(work)](Call& call) mutable {
          return work(call, *request, *response);
        });
  }

  // A call whose work is short and waits for nothing: absl::Status(Call&, const Request&, Response&),
  // at once, on gRPC's thread. Saves the way through the runner; its queue does not bound these calls.
  template <typename Request, typename Response, typename Work>
  grpc::ServerUnaryReactor* UnaryNow(grpc::CallbackServerContext* context, std::string_view method,
                                     const Request* request, Response* response, const Work& work) {
    return RunNow(context, method, AskedBy(*request),
                  [&](Call& call) { return work(call, *request, *response); });
  }

  // A call that something else ends: void(std::shared_ptr<Call>, const Request&, Response&, Done),
  // on gRPC's thread, which must not block. Request and response stay until Done was called.
  template <typename Request, typename Response, typename Validate, typename Begin>
  grpc::ServerUnaryReactor* UnaryAsync(grpc::CallbackServerContext* context,
                                       std::string_view method, const Request* request,
                                       Response* response, const Validate& validate,
                                       const Begin& begin) {
    return StartUnaryAsync(
        context, method, AskedBy(*request), [&] { return validate(*request); },
        [&](std::shared_ptr<Call> call, Done done) {
          begin(std::move(call), *request, *response, std::move(done));
        });
  }

  // A server stream. Open: absl::Status(Call&, const Request&, ServerStream<Response>), on the
  // runner; a failure ends the stream with it, OK leaves it open for whoever kept the stream. The
  // call object stays as long as the stream is open.
  template <typename Response, typename Request, typename Validate, typename Open>
  grpc::ServerWriteReactor<Response>* Stream(grpc::CallbackServerContext* context,
                                             std::string_view method, const Request* request,
                                             const Validate& validate, Open open) {
    auto* reactor = new WriteReactor<Response>(*this, context, method);
    absl::Status valid = AdmitStream(reactor->core(), *context, AskedBy(*request));
    if (valid.ok()) valid = validate(*request);
    OpenStream(reactor->core(), valid,
               [request = *request, open = std::move(open),
                stream = ServerStream<Response>(reactor->core().state)](Call& call) mutable {
                 return open(call, std::as_const(request), stream);
               });
    return reactor;
  }

  // Ends every stream with SHUTTING_DOWN, and from now on each new one at once.
  void EndStreams();

  // Streams that are open now.
  [[nodiscard]] std::size_t open_streams() const;

 private:
  friend class Done::Ending;
  class UnaryReactor;

  // What a stream's reactor and its front share.
  struct StreamCore {
    std::shared_ptr<Call> call;
    std::shared_ptr<StreamState> state;
    std::list<std::weak_ptr<StreamState>>::iterator entry;
    bool counted = false;  // the guard has to be told of its end
  };

  // What the guard is to know of a request.
  template <typename Request>
  Asked AskedBy(const Request& request) const {
    Asked asked;
    if (parts_.guard == nullptr) return asked;
    if constexpr (requires { Request::descriptor(); }) {
      asked.request = Request::descriptor()->full_name();
    }
    if constexpr (requires { request.player_id(); }) asked.named.player = request.player_id();
    if constexpr (requires { request.account_id(); }) asked.named.account = request.account_id();
    if constexpr (requires { request.requested_by(); }) {
      asked.named.asker = request.requested_by();
      asked.named.asker_field = "requested_by";
    } else if constexpr (requires { request.operator_(); }) {
      asked.named.asker = request.operator_();
      asked.named.asker_field = "operator";
    }
    return asked;
  }

  template <typename Response>
  class WriteReactor final : public grpc::ServerWriteReactor<Response>, public StreamOperations {
   public:
    WriteReactor(Front& front, grpc::CallbackServerContext* context, std::string_view method)
        : front_(front), context_(context), core_(front.EnterStream(*this, *context, method)) {}

    StreamCore& core() { return core_; }

    void Write(const google::protobuf::MessageLite& message) override {
      this->StartWrite(static_cast<const Response*>(&message));
    }
    void Finish(const absl::Status& status) override {
      grpc::ServerWriteReactor<Response>::Finish(front_.StreamStatus(core_, status));
    }
    void Abort() override { context_->TryCancel(); }

   private:
    void OnWriteDone(bool ok) override {
      if (ok) {
        front_.parts_.metrics.MessageSent(core_.call->method());
      }
      // The state outlives this reactor, which Written may bring to its end.
      const auto state = core_.state;
      state->Written(ok);
    }
    void OnCancel() override {
      core_.call->MarkCancelled();
      const auto state = core_.state;
      state->Cancelled();
    }
    void OnDone() override {
      front_.LeaveStream(core_);
      delete this;
    }

    Front& front_;
    grpc::CallbackServerContext* const context_;
    StreamCore core_;
  };

  grpc::ServerUnaryReactor* StartUnary(grpc::CallbackServerContext* context,
                                       std::string_view method, const Asked& asked,
                                       const std::function<absl::Status()>& validate,
                                       std::function<absl::Status(Call&)> work);
  grpc::ServerUnaryReactor* StartUnaryAsync(
      grpc::CallbackServerContext* context, std::string_view method, const Asked& asked,
      const std::function<absl::Status()>& validate,
      const std::function<void(std::shared_ptr<Call>, Done)>& begin);

  grpc::ServerUnaryReactor* RunNow(grpc::CallbackServerContext* context, std::string_view method,
                                   const Asked& asked,
                                   const std::function<absl::Status(Call&)>& work);

  StreamCore EnterStream(StreamOperations& operations, grpc::CallbackServerContext& context,
                         std::string_view method);
  absl::Status Admit(Call& call, const grpc::CallbackServerContext& context,
                     const Asked& asked) const;
  absl::Status AdmitStream(StreamCore& core, const grpc::CallbackServerContext& context,
                           const Asked& asked);
  void OpenStream(const StreamCore& core, const absl::Status& valid,
                  std::function<absl::Status(Call&)> open);
  void LeaveStream(const StreamCore& core);
  grpc::Status StreamStatus(const StreamCore& core, const absl::Status& status) const;

  // The work's status; INTERNAL if it throws; CANCELLED or DEADLINE_EXCEEDED if nobody waits.
  absl::Status RunGuarded(Call& call, const std::function<absl::Status(Call&)>& work) const;
  // Counts, measures and logs a unary call's end; what is to be sent.
  grpc::Status EndUnary(const Call& call, const absl::Status& status) const;
  void LogEnd(const Call& call, const absl::Status& status) const;

  FrontParts parts_;
  mutable base::Mutex mutex_;
  bool ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::list<std::weak_ptr<StreamState>> streams_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::rpc
