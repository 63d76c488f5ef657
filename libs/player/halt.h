// How streams that are being read on several threads are ended together, or taken up again.
#pragma once

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

 private:
  friend class StreamHold;
  mutable base::Mutex mutex_;
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

// A stream that breaks without an event in between is resumed this often.
inline constexpr int kResumesMax = 10;
// Whether a stream that ended so can be resumed after its last event.
bool IsResumable(const absl::Status& ended);

}  // namespace mj::player
