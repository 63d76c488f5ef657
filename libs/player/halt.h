// How streams that are being read on several threads are ended together, or taken up again.
#pragma once

#include <chrono>
#include <set>

#include "absl/status/status.h"
#include "libs/base/mutex.h"

namespace grpc {
class ClientContext;
}

namespace mj::player {

// Ends the play of everybody who was given it: they would wait for ever for a player who is gone.
// Thread-safe.
class Halt {
 public:
  void Now();
  bool halted() const;
  // Waits so long, or until it is halted.
  void Pause(std::chrono::milliseconds time);

 private:
  friend class StreamHold;
  mutable base::Mutex mutex_;
  base::CondVar changed_;
  bool halted_ ABSL_GUARDED_BY(mutex_) = false;
  std::set<grpc::ClientContext*> streams_ ABSL_GUARDED_BY(mutex_);
};

// Keeps a stream within reach of a Halt while it is read.
class StreamHold {
 public:
  StreamHold(Halt& halt, grpc::ClientContext& context);
  ~StreamHold();
  StreamHold(const StreamHold&) = delete;
  StreamHold& operator=(const StreamHold&) = delete;

 private:
  Halt& halt_;
  grpc::ClientContext& context_;
};

// Whether a stream that ended so can be resumed after its last event, and a call be made again. Whoever
// halts asks halted() too: CANCELLED may be its own.
bool IsResumable(const absl::Status& ended);

// Whether an answer or a nonce came when it was over what it was for, which is no failure: another answer
// had closed the window, the nonces were drawn from, or the round had ended.
bool IsTooLate(const absl::Status& answered);

}  // namespace mj::player
