// The sending end of a server stream, for code that must not wait for a client.
#pragma once

#include <google/protobuf/message_lite.h>

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "libs/base/clock.h"
#include "libs/base/mutex.h"

namespace mj::rpc {

// What a stream asks of gRPC. Implemented by the reactor; one operation at a time.
class StreamOperations {
 public:
  virtual void Write(const google::protobuf::MessageLite& message) = 0;
  virtual void Finish(const absl::Status& status) = 0;
  // Makes an operation that hangs fail.
  virtual void Abort() = 0;

 protected:
  ~StreamOperations() = default;
};

// The state of one stream. Handlers use ServerStream below.
//
// Invariants:
//   1. At most one Write is in flight; Finish is called once, and never beside a Write.
//   2. The outbox never holds more than `outbox_max` messages.
//   3. Once ended (finished, cut off, cancelled) no message is taken; the end callback runs once.
//   4. No operation is called under the lock, since gRPC may answer it on the same thread.
// Thread-safe.
class StreamState : public std::enable_shared_from_this<StreamState> {
 public:
  using Message = std::shared_ptr<const google::protobuf::MessageLite>;

  // `operations` must stay until Done(). A client that does not read is given `patience` after the
  // stream was cut off, then dropped.
  StreamState(StreamOperations& operations, base::Clock& clock, std::size_t outbox_max,
              std::chrono::nanoseconds patience);

  bool Send(Message message);
  void Finish(absl::Status status);
  void Cut(absl::Status status);
  void OnEnd(std::function<void()> callback);
  void OnWritten(std::function<void()> callback);
  [[nodiscard]] bool ended() const;
  [[nodiscard]] std::size_t unsent() const;

  // The reactor's reports.
  void Written(bool ok);
  void Cancelled();
  // Nothing is called on `operations` any more. Returns the status that was sent.
  absl::Status Done();

 private:
  // Ends the stream, dropping the outbox if `drop`. True: it was this call that did it.
  bool End(absl::Status status, bool drop) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CallEnd();
  void Pump();
  void LosePatience();

  StreamOperations& operations_;
  base::Clock& clock_;
  const std::size_t outbox_max_;
  const std::chrono::nanoseconds patience_;
  mutable base::Mutex mutex_;
  std::deque<Message> outbox_ ABSL_GUARDED_BY(mutex_);
  Message in_flight_ ABSL_GUARDED_BY(mutex_);
  std::optional<absl::Status> end_ ABSL_GUARDED_BY(mutex_);
  std::function<void()> on_end_ ABSL_GUARDED_BY(mutex_);
  std::function<void()> on_written_ ABSL_GUARDED_BY(mutex_);
  bool busy_ ABSL_GUARDED_BY(mutex_) = false;      // an operation is in flight
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;  // Finish was called
  bool aborting_ ABSL_GUARDED_BY(mutex_) = false;  // Abort is being called: keeps Finish away
};

// A stream of `Response`s to one client. Copies are the same stream. Thread-safe; nothing blocks.
template <typename Response>
class ServerStream {
 public:
  explicit ServerStream(std::shared_ptr<StreamState> state) : state_(std::move(state)) {}

  // Queues a message. False: the stream has ended, or ends now because the client reads too slowly
  // (it gets STREAM_TOO_SLOW): send no more.
  bool Send(Response response) const {
    return state_->Send(std::make_shared<const Response>(std::move(response)));
  }
  // The same for a message that several streams share.
  bool Send(std::shared_ptr<const Response> response) const {
    return state_->Send(std::move(response));
  }

  // Ends the stream after what is queued. The first end counts, further ones are ignored.
  void Finish(absl::Status status) const { state_->Finish(std::move(status)); }

  // Ends the stream at once; what is queued is not sent.
  void Cut(absl::Status status) const { state_->Cut(std::move(status)); }

  // Calls `callback` once, when the stream has ended for whatever reason (client gone, too slow,
  // finished, server draining), or now if it has. On any thread: it must not block, and may be
  // called from within Send and Finish. Unsubscribe here. Only one callback.
  void OnEnd(std::function<void()> callback) const { state_->OnEnd(std::move(callback)); }

  // Calls `callback` each time that everything sent so far has been written, until the stream ends.
  // For a producer that can wait, and so is never cut off: send no more than the outbox holds, send
  // on when this is called. On a gRPC thread: it must not block; it may Send. Only one callback.
  void OnWritten(std::function<void()> callback) const { state_->OnWritten(std::move(callback)); }

  // Messages that were sent and not yet written, the one in flight among them.
  [[nodiscard]] std::size_t unsent() const { return state_->unsent(); }

  [[nodiscard]] bool ended() const { return state_->ended(); }

 private:
  std::shared_ptr<StreamState> state_;
};

}  // namespace mj::rpc
