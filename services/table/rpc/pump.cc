#include "services/table/rpc/pump.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "services/table/rpc/messages.h"

namespace mj::table::rpc {
namespace {

constexpr std::size_t kBatch = 16;  // events with the stream at once

class Pump : public std::enable_shared_from_this<Pump> {
 public:
  using Stream = mj::rpc::ServerStream<proto::SubscribeResponse>;

  Pump(std::shared_ptr<Subscription> subscription, Stream stream)
      : subscription_(std::move(subscription)), stream_(std::move(stream)) {}

  // Who holds whom: the subscription its callback and so the pump, the pump the stream. Cancel lets go.
  void Start() {
    stream_.OnEnd([subscription = subscription_] { subscription->Cancel(); });
    subscription_->OnReady([self = shared_from_this()] { self->Go(); });
  }

 private:
  // Called when there is something to take: by the subscription when it was found empty, by the stream
  // when it has been drained of what was taken; by both at once only when the subscription was cut off,
  // and then there is nothing left to take but the end.
  void Go() {
    const Subscription::Taken taken = subscription_->Take(kBatch);
    for (const Shown& shown : taken.events) {
      proto::SubscribeResponse response;
      ToProto(shown, *response.mutable_event());
      if (!stream_.Send(std::move(response))) return;
    }
    if (taken.end) return End(*taken.end);
    if (taken.events.empty()) return;  // the subscription calls
    stream_.OnDrained([self = shared_from_this()] { self->Go(); });
  }

  void End(const absl::Status& status) {
    if (status.ok()) {
      stream_.Finish(status);
    } else {
      stream_.Cut(status);
    }
  }

  const std::shared_ptr<Subscription> subscription_;
  const Stream stream_;
};

}  // namespace

void PumpEvents(std::shared_ptr<Subscription> subscription,
                mj::rpc::ServerStream<proto::SubscribeResponse> stream) {
  std::make_shared<Pump>(std::move(subscription), std::move(stream))->Start();
}

}  // namespace mj::table::rpc
