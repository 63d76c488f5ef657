#include "libs/rpc/stream.h"

#include "libs/base/check.h"
#include "libs/base/reasons.h"

namespace mj::rpc {

StreamState::StreamState(StreamOperations& operations, base::Clock& clock, std::size_t outbox_max,
                         std::chrono::nanoseconds patience)
    : operations_(operations), clock_(clock), outbox_max_(outbox_max), patience_(patience) {}

bool StreamState::Send(Message message) {
  {
    base::MutexLock lock(mutex_);
    if (end_) {
      return false;
    }
    if (outbox_.size() < outbox_max_) {
      outbox_.push_back(std::move(message));
      message = nullptr;
    }
  }
  if (message != nullptr) {
    Cut(base::Error(base::Reason::kStreamTooSlow));
    return false;
  }
  Pump();
  return true;
}

void StreamState::Finish(absl::Status status) {
  {
    base::MutexLock lock(mutex_);
    if (!End(std::move(status), /*drop=*/false)) {
      return;
    }
  }
  CallEnd();
  Pump();
}

void StreamState::Cut(absl::Status status) {
  {
    base::MutexLock lock(mutex_);
    if (!End(std::move(status), /*drop=*/true)) {
      return;
    }
    if (busy_) {
      clock_.CallAfter(patience_, [weak = weak_from_this()] {
        if (const auto self = weak.lock()) {
          self->LosePatience();
        }
      });
    }
  }
  CallEnd();
  Pump();
}

void StreamState::OnEnd(std::function<void()> callback) {
  {
    base::MutexLock lock(mutex_);
    if (!end_) {
      on_end_ = std::move(callback);
      return;
    }
  }
  callback();
}

void StreamState::OnWritten(std::function<void()> callback) {
  base::MutexLock lock(mutex_);
  if (!end_) {
    on_written_ = std::move(callback);
  }
}

std::size_t StreamState::unsent() const {
  base::MutexLock lock(mutex_);
  return outbox_.size() + (in_flight_ != nullptr ? 1 : 0);
}

bool StreamState::ended() const {
  base::MutexLock lock(mutex_);
  return end_.has_value();
}

void StreamState::Written(bool ok) {
  bool ends = false;
  std::function<void()> written;
  {
    base::MutexLock lock(mutex_);
    busy_ = false;
    in_flight_ = nullptr;
    if (!ok) {
      ends = End(base::Error(base::Reason::kCancelled), /*drop=*/true);
      outbox_.clear();
    } else if (outbox_.empty() && !end_) {
      written = on_written_;
    }
  }
  if (ends) {
    CallEnd();
  }
  Pump();
  if (written) {
    written();
  }
}

void StreamState::Cancelled() {
  bool ends = false;
  {
    base::MutexLock lock(mutex_);
    ends = End(base::Error(base::Reason::kCancelled), /*drop=*/true);
    outbox_.clear();
  }
  if (ends) {
    CallEnd();
  }
  Pump();
}

absl::Status StreamState::Done() {
  base::MutexLock lock(mutex_);
  MJ_CHECK(finished_ && !aborting_, "a stream was done before it was finished");
  return *end_;
}

bool StreamState::End(absl::Status status, bool drop) {
  if (end_) {
    return false;
  }
  end_ = std::move(status);
  if (drop) {
    outbox_.clear();
  }
  return true;
}

void StreamState::CallEnd() {
  std::function<void()> callback;
  std::function<void()> dropped;  // outside of the lock: it may be the last to hold something
  {
    base::MutexLock lock(mutex_);
    callback = std::exchange(on_end_, nullptr);
    dropped = std::exchange(on_written_, nullptr);
  }
  if (callback) {
    callback();
  }
}

void StreamState::Pump() {
  Message write;
  std::optional<absl::Status> finish;
  {
    base::MutexLock lock(mutex_);
    if (busy_ || finished_ || aborting_) {
      return;
    }
    if (!outbox_.empty()) {
      in_flight_ = std::move(outbox_.front());
      outbox_.pop_front();
      write = in_flight_;
      busy_ = true;
    } else if (end_) {
      finish = end_;
      finished_ = true;
    }
  }
  if (write != nullptr) {
    operations_.Write(*write);
  } else if (finish) {
    operations_.Finish(*finish);
  }
}

void StreamState::LosePatience() {
  {
    base::MutexLock lock(mutex_);
    if (!busy_ || finished_) {
      return;
    }
    // The write in flight keeps the call alive; should it end meanwhile, Finish waits for us.
    aborting_ = true;
  }
  operations_.Abort();
  {
    base::MutexLock lock(mutex_);
    aborting_ = false;
  }
  Pump();
}

}  // namespace mj::rpc
