#include "services/table/rpc/pump.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "libs/base/mutex.h"
#include "services/table/rpc/messages.h"

namespace mj::table::rpc {
namespace {

constexpr std::size_t kBatch = 16;  // events with the stream at once

class Pump : public std::enable_shared_from_this<Pump> {
 public:
  using Stream = mj::rpc::ServerStream<proto::SubscribeResponse>;

  Pump(std::shared_ptr<Subscription> subscription, const base::Clock& clock, Stream stream)
      : subscription_(std::move(subscription)), clock_(clock), stream_(std::move(stream)) {}

  // Who holds whom: the subscription and the stream their callbacks and so the pump, the pump both.
  // The stream's end lets go.
  void Start() {
    stream_.OnEnd([subscription = subscription_] { subscription->Cancel(); });
    stream_.OnWritten([self = shared_from_this()] { self->Go(); });
    subscription_->OnReady([self = shared_from_this()] { self->Go(); });
  }

 private:
  // Called by the subscription when it was found empty and is not any more, and by the stream when
  // all that it was given is written; also from within Step, and by both at once. One of them
  // works.
  void Go() {
    {
      base::MutexLock lock(mutex_);
      again_ = true;
      if (busy_) return;
      busy_ = true;
    }
    while (Again()) Step();
  }

  bool Again() {
    base::MutexLock lock(mutex_);
    busy_ = std::exchange(again_, false);
    return busy_;
  }

  void Step() {
    // What was cut off need not wait for a client that does not read.
    if (stream_.unsent() > 0 && !subscription_->ended()) return;
    const Subscription::Taken taken = subscription_->Take(kBatch);
    for (const Shown& shown : taken.events) {
      proto::SubscribeResponse response;
      ToProto(shown, *response.mutable_event());
      ToProto(clock_.Now(), *response.mutable_server_time());
      if (!stream_.Send(std::move(response))) return;
    }
    if (!taken.end) return;
    if (taken.end->ok()) {
      stream_.Finish(*taken.end);
    } else {
      stream_.Cut(*taken.end);
    }
  }

  const std::shared_ptr<Subscription> subscription_;
  const base::Clock& clock_;
  const Stream stream_;
  base::Mutex mutex_;
  bool busy_ ABSL_GUARDED_BY(mutex_) = false;
  bool again_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace

void PumpEvents(std::shared_ptr<Subscription> subscription, const base::Clock& clock,
                mj::rpc::ServerStream<proto::SubscribeResponse> stream) {
  std::make_shared<Pump>(std::move(subscription), clock, std::move(stream))->Start();
}

}  // namespace mj::table::rpc
