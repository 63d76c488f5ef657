#include "services/table/rpc/pump.h"

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include "libs/base/mutex.h"
#include "services/table/rpc/messages.h"

namespace mj::table::rpc {
namespace {

// Event: what the subscription gives; Response: what is sent of it.
template <typename Event, typename Response>
class Pump : public std::enable_shared_from_this<Pump<Event, Response>> {
 public:
  using Reader = BasicSubscription<Event>;
  using Stream = mj::rpc::ServerStream<Response>;

  //   batch    events with the stream at once.
  //   runner   where it works; null: on whatever thread calls.
  Pump(std::shared_ptr<Reader> subscription, const base::Clock& clock, Stream stream,
       std::size_t batch, base::TaskRunner* runner)
      : subscription_(std::move(subscription)),
        clock_(clock),
        stream_(std::move(stream)),
        batch_(batch),
        runner_(runner) {}

  // Who holds whom: the subscription and the stream their callbacks and so the pump, the pump both.
  // The stream's end lets go.
  void Start() {
    stream_.OnEnd([subscription = subscription_] { subscription->Cancel(); });
    stream_.OnWritten([self = this->shared_from_this()] { self->Go(); });
    subscription_->OnReady([self = this->shared_from_this()] { self->Go(); });
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
    if (runner_ == nullptr) return Work();
    // A runner that has stopped: so does the server, which ends the stream.
    (void)runner_->Post([self = this->shared_from_this()] { self->Work(); });
  }

  void Work() {
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
    const typename Reader::Taken taken = subscription_->Take(batch_);
    if (!Send(taken)) return;
    if (!taken.end) return;
    if (taken.end->ok()) {
      stream_.Finish(*taken.end);
    } else {
      stream_.Cut(*taken.end);
    }
  }

  // What was taken together goes in one message. False: the stream has ended.
  bool Send(const typename Reader::Taken& taken) {
    if (taken.events.empty() && !taken.notice) return true;
    Response response;
    if constexpr (std::is_same_v<Event, Shown>) {
      for (const Event& event : taken.events) ToProto(event, *response.add_events());
      if (taken.notice) {
        response.mutable_notice()->set_observers(
            static_cast<std::uint32_t>(taken.notice->observers));
      }
    } else {  // one at a time, and no notices
      if (taken.events.empty()) return true;
      ToProto(taken.events.front(), *response.mutable_event());
    }
    ToProto(clock_.Now(), *response.mutable_server_time());
    return stream_.Send(std::move(response));
  }

  const std::shared_ptr<Reader> subscription_;
  const base::Clock& clock_;
  const Stream stream_;
  const std::size_t batch_;
  base::TaskRunner* const runner_;
  base::Mutex mutex_;
  bool busy_ ABSL_GUARDED_BY(mutex_) = false;
  bool again_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace

void PumpEvents(std::shared_ptr<Subscription> subscription, const base::Clock& clock,
                mj::rpc::ServerStream<proto::SubscribeResponse> stream) {
  std::make_shared<Pump<Shown, proto::SubscribeResponse>>(std::move(subscription), clock,
                                                          std::move(stream), 16, nullptr)
      ->Start();
}

void PumpWatched(std::shared_ptr<WatchSubscription> subscription, const base::Clock& clock,
                 base::TaskRunner& runner, mj::rpc::ServerStream<proto::WatchResponse> stream) {
  std::make_shared<Pump<Watched, proto::WatchResponse>>(std::move(subscription), clock,
                                                        std::move(stream), 1, &runner)
      ->Start();
}

}  // namespace mj::table::rpc
