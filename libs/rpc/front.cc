#include "libs/rpc/front.h"

#include <atomic>
#include <exception>
#include <string>
#include <vector>

#include "libs/base/check.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/rpc/grpc_status.h"

namespace mj::rpc {

using base::Error;
using base::Reason;

// A unary call between gRPC's ends: deletes itself when gRPC is done with it.
class Front::UnaryReactor final : public grpc::ServerUnaryReactor {
 public:
  explicit UnaryReactor(std::shared_ptr<Call> call) : call_(std::move(call)) {}

 private:
  void OnCancel() override { call_->MarkCancelled(); }
  void OnDone() override { delete this; }

  const std::shared_ptr<Call> call_;
};

// The right to finish a unary call, shared by the copies of its Done.
class Done::Ending {
 public:
  Ending(Front& front, std::shared_ptr<Call> call, grpc::ServerUnaryReactor* reactor)
      : front_(front), call_(std::move(call)), reactor_(reactor) {}
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;
  ~Ending() { Finish(absl::InternalError("the handler forgot its call")); }

  void Finish(const absl::Status& status) {
    if (finished_.exchange(true)) {
      return;
    }
    reactor_->Finish(front_.EndUnary(*call_, status));
  }

 private:
  Front& front_;
  const std::shared_ptr<Call> call_;
  grpc::ServerUnaryReactor* const reactor_;
  std::atomic<bool> finished_ = false;
};

void Done::operator()(const absl::Status& status) const { ending_->Finish(status); }

Front::Front(FrontParts parts) : parts_(std::move(parts)) {}

Front::~Front() {
  base::MutexLock lock(mutex_);
  MJ_CHECK(streams_.empty(), "a front must outlive its streams");
}

grpc::ServerUnaryReactor* Front::StartUnaryAsync(
    grpc::CallbackServerContext* context, std::string_view method, const Asked& asked,
    const std::function<absl::Status()>& validate,
    const std::function<void(std::shared_ptr<Call>, Done)>& begin) {
  parts_.metrics.Started(method);
  auto call = std::make_shared<Call>(method, *context, parts_.clock, parts_.ids);
  auto* reactor = new UnaryReactor(call);
  const Done done(std::make_shared<Done::Ending>(*this, call, reactor));
  absl::Status valid = Admit(*call, *context, asked);
  if (valid.ok()) valid = validate();
  if (!valid.ok()) {
    done(valid);
  } else {
    begin(std::move(call), done);
  }
  return reactor;
}

grpc::ServerUnaryReactor* Front::StartUnary(grpc::CallbackServerContext* context,
                                            std::string_view method, const Asked& asked,
                                            const std::function<absl::Status()>& validate,
                                            std::function<absl::Status(Call&)> work) {
  return StartUnaryAsync(context, method, asked, validate,
                         [this, &work](std::shared_ptr<Call> call, const Done& done) {
                           const bool taken = parts_.runner.TryPost(
                               [this, call = std::move(call), done, work = std::move(work)] {
                                 done(RunGuarded(*call, work));
                               });
                           if (!taken) {
                             done(Error(Reason::kOverloaded));
                           }
                         });
}

grpc::ServerUnaryReactor* Front::RunNow(grpc::CallbackServerContext* context,
                                        std::string_view method, const Asked& asked,
                                        const std::function<absl::Status(Call&)>& work) {
  parts_.metrics.Started(method);
  Call call(method, *context, parts_.clock, parts_.ids);
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  absl::Status status = Admit(call, *context, asked);
  if (status.ok()) status = RunGuarded(call, work);
  reactor->Finish(EndUnary(call, status));
  return reactor;
}

absl::Status Front::Admit(Call& call, const grpc::CallbackServerContext& context,
                          const Asked& asked) const {
  return parts_.guard == nullptr ? absl::OkStatus() : parts_.guard->Admit(call, context, asked);
}

absl::Status Front::AdmitStream(StreamCore& core, const grpc::CallbackServerContext& context,
                                const Asked& asked) {
  if (parts_.streams_max > 0 && open_streams() > parts_.streams_max) {
    return Error(Reason::kTooManyStreams);
  }
  if (parts_.guard == nullptr) return absl::OkStatus();
  MJ_RETURN_IF_ERROR(parts_.guard->Admit(*core.call, context, asked));
  MJ_RETURN_IF_ERROR(parts_.guard->Enter(*core.call));
  core.counted = true;
  return absl::OkStatus();
}

grpc::Status Front::EndUnary(const Call& call, const absl::Status& status) const {
  grpc::Status sent = ToGrpc(status, call.language());
  parts_.metrics.Handled(call.method(), static_cast<absl::StatusCode>(sent.error_code()),
                         parts_.clock.Monotonic() - call.started());
  LogEnd(call, status);
  return sent;
}

Front::StreamCore Front::EnterStream(StreamOperations& operations,
                                     grpc::CallbackServerContext& context,
                                     std::string_view method) {
  parts_.metrics.Started(method);
  StreamCore core;
  core.call = std::make_shared<Call>(method, context, parts_.clock, parts_.ids);
  core.state = std::make_shared<StreamState>(operations, parts_.clock, parts_.outbox_max,
                                             parts_.stream_patience);
  base::MutexLock lock(mutex_);
  core.entry = streams_.insert(streams_.end(), core.state);
  return core;
}

void Front::OpenStream(const StreamCore& core, const absl::Status& valid,
                       std::function<absl::Status(Call&)> open) {
  const auto state = core.state;
  if (!valid.ok()) {
    state->Cut(valid);
    return;
  }
  {
    base::MutexLock lock(mutex_);
    if (ending_) {
      open = nullptr;
    }
  }
  if (!open) {
    state->Cut(Error(Reason::kShuttingDown));
    return;
  }
  const bool taken = parts_.runner.TryPost([this, call = core.call, state, open = std::move(open)] {
    if (const absl::Status opened = RunGuarded(*call, open); !opened.ok()) {
      state->Finish(opened);
    }
  });
  if (!taken) {
    state->Cut(Error(Reason::kOverloaded));
  }
}

void Front::LeaveStream(const StreamCore& core) {
  const absl::Status status = core.state->Done();
  const auto code = ToGrpc(status, core.call->language()).error_code();
  parts_.metrics.StreamEnded(core.call->method(), static_cast<absl::StatusCode>(code));
  LogEnd(*core.call, status);
  if (core.counted) parts_.guard->Leave(*core.call);
  base::MutexLock lock(mutex_);
  streams_.erase(core.entry);
}

grpc::Status Front::StreamStatus(const StreamCore& core, const absl::Status& status) const {
  return ToGrpc(status, core.call->language());
}

void Front::EndStreams() {
  std::vector<std::shared_ptr<StreamState>> open;
  {
    base::MutexLock lock(mutex_);
    ending_ = true;
    for (const auto& entry : streams_) {
      if (auto state = entry.lock()) {
        open.push_back(std::move(state));
      }
    }
  }
  for (const auto& state : open) {
    state->Cut(Error(Reason::kShuttingDown));
  }
}

std::size_t Front::open_streams() const {
  base::MutexLock lock(mutex_);
  return streams_.size();
}

absl::Status Front::RunGuarded(Call& call, const std::function<absl::Status(Call&)>& work) const {
  if (call.Remaining() == std::chrono::nanoseconds::zero()) {
    return Error(Reason::kDeadlineExceeded);
  }
  if (call.cancelled()) {
    return Error(Reason::kCancelled);
  }
  const TraceScope scope(call.trace());
  try {
    return work(call);
  } catch (const std::exception& error) {
    return absl::InternalError(base::Cat("exception: ", error.what()));
  } catch (...) {
    return absl::InternalError("exception of unknown type");
  }
}

void Front::LogEnd(const Call& call, const absl::Status& status) const {
  obs::LogLevel level = obs::LogLevel::kDebug;
  std::string_view reason = "OK";
  if (!status.ok()) {
    const base::ReasonInfo& info = base::InfoOf(base::ReasonToTell(status));
    reason = info.name;
    level = info.transient ? obs::LogLevel::kWarn : obs::LogLevel::kInfo;
    if (info.reason == Reason::kInternal) {
      level = obs::LogLevel::kError;
    }
  }
  if (!parts_.log.Writes(level)) {
    return;
  }
  obs::Logger log = parts_.log;
  if (const auth::Caller* caller = call.caller()) {
    log = log.With({"caller", auth::NameOf(*caller)});
    if (!caller->key_id.empty()) log = log.With({"key_id", caller->key_id});
  }
  for (const auto& [key, value] : call.notes()) {
    log = log.With({key, value});
  }
  const auto spent = parts_.clock.Monotonic() - call.started();
  log.Write(level, "call",
            {{"method", call.method()},
             {"reason", reason},
             {"detail", base::ToStd(status.message())},
             {"ms", std::chrono::duration<double, std::milli>(spent).count()},
             {"request_id", call.request_id()},
             {"trace_id", call.trace().trace_id},
             {"span_id", call.trace().span_id},
             {"peer", call.peer()}});
}

}  // namespace mj::rpc
