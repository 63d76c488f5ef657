#include "libs/rpc/call.h"

#include <grpc/support/time.h>

#include <algorithm>

#include "libs/base/strings.h"

namespace mj::rpc {
namespace {

// More than any id; what comes from outside must not fill the log.
constexpr std::size_t kNoteBytesMax = 128;

std::string_view Metadata(const grpc::CallbackServerContext& context, const char* key) {
  const auto& all = context.client_metadata();
  const auto found = all.find(key);
  if (found == all.end()) {
    return {};
  }
  return {found->second.data(), found->second.size()};
}

// A span of its own in the trace that it is part of.
Trace TraceOf(const grpc::CallbackServerContext& context, const std::string& request_id,
              base::UuidGenerator& ids) {
  constexpr std::size_t kStateBytesMax = 512;
  std::optional<Trace> trace = ParseTraceParent(Metadata(context, kTraceParentKey));
  if (trace) {
    const std::string_view state = Metadata(context, kTraceStateKey);
    if (state.size() <= kStateBytesMax) trace->state = state;
  } else {
    trace = TraceOfId(request_id);
  }
  const std::string id = ids.Next();
  if (!trace) return TraceOfId(id).value_or(Trace());
  trace->span_id = TraceOfId(id).value_or(*trace).span_id;
  return *std::move(trace);
}

std::optional<std::chrono::nanoseconds> UntilDeadline(const gpr_timespec& deadline) {
  if (gpr_time_cmp(deadline, gpr_inf_future(deadline.clock_type)) == 0) {
    return std::nullopt;
  }
  const gpr_timespec left = gpr_time_sub(deadline, gpr_now(deadline.clock_type));
  return std::chrono::seconds(left.tv_sec) + std::chrono::nanoseconds(left.tv_nsec);
}

}  // namespace

Call::Call(std::string_view method, grpc::CallbackServerContext& context, const base::Clock& clock,
           base::UuidGenerator& ids)
    : clock_(clock),
      method_(method),
      request_id_(Metadata(context, kRequestIdKey)),
      peer_(context.peer()),
      language_(base::ChooseLanguage(Metadata(context, kLanguageKey))),
      started_(clock.Monotonic()) {
  if (!base::IsId(request_id_)) {
    request_id_ = ids.Next();
  }
  trace_ = TraceOf(context, request_id_, ids);
  // Trailing: with initial metadata of its own a failure would count as an answer that has begun,
  // which gRPC does not retry.
  context.AddTrailingMetadata(kRequestIdKey, request_id_);
  if (const auto left = UntilDeadline(context.raw_deadline())) {
    deadline_ = started_ + *left;
  }
}

std::optional<std::chrono::nanoseconds> Call::Remaining() const {
  if (!deadline_) {
    return std::nullopt;
  }
  return std::max(*deadline_ - clock_.Monotonic(), std::chrono::nanoseconds::zero());
}

void Call::Note(std::string_view key, std::string_view value) {
  base::MutexLock lock(mutex_);
  notes_.emplace_back(key, value.substr(0, kNoteBytesMax));
}

std::vector<std::pair<std::string, std::string>> Call::notes() const {
  base::MutexLock lock(mutex_);
  return notes_;
}

}  // namespace mj::rpc
