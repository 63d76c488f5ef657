#include "libs/player/halt.h"

#include <grpcpp/client_context.h>

#include "libs/base/reasons.h"

namespace mj::player {

StreamHold::StreamHold(Halt& halt, grpc::ClientContext& context) : halt_(halt), context_(context) {
  base::MutexLock lock(halt_.mutex_);
  halt_.streams_.insert(&context_);
  if (halt_.halted_) context_.TryCancel();
}

StreamHold::~StreamHold() {
  base::MutexLock lock(halt_.mutex_);
  halt_.streams_.erase(&context_);
}

void Halt::Now() {
  base::MutexLock lock(mutex_);
  halted_ = true;
  changed_.NotifyAll();
  for (grpc::ClientContext* stream : streams_) stream->TryCancel();
}

void Halt::Pause(std::chrono::milliseconds time) {
  base::MutexLock lock(mutex_);
  if (!halted_) (void)changed_.WaitFor(mutex_, time);
}

bool Halt::halted() const {
  base::MutexLock lock(mutex_);
  return halted_;
}

bool IsResumable(const absl::Status& ended) {
  // A gRPC server that shuts down answers CANCELLED to a call that it has not begun on.
  return ended.code() == absl::StatusCode::kUnavailable ||
         ended.code() == absl::StatusCode::kResourceExhausted ||
         ended.code() == absl::StatusCode::kCancelled;
}

bool IsTooLate(const absl::Status& answered) {
  return base::HasReason(answered, base::Reason::kDecisionStale) ||
         base::HasReason(answered, base::Reason::kRoundNotInProgress) ||
         base::HasReason(answered, base::Reason::kNonceTooLate);
}

}  // namespace mj::player
