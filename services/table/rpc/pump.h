// From a table's subscription to a client's stream, at the client's pace.
#pragma once

#include <memory>

#include "libs/base/clock.h"
#include "libs/base/executor.h"
#include "libs/rpc/stream.h"
#include "mahjong/table/v1/table_service.pb.h"
#include "services/table/app/subscription.h"

namespace mj::table::rpc {

// Sends what `subscription` gives until it ends, and ends the stream with it; cancels the
// subscription when the stream ends first. Returns at once; lives as long as either does. A few
// events at a time are with the stream, in one message, the rest wait in the subscription, which knows
// when a client is too slow.
// Each is sent with `clock`'s time; the clock outlives both.
void PumpEvents(std::shared_ptr<Subscription> subscription, const base::Clock& clock,
                mj::rpc::ServerStream<::mahjong::table::v1::SubscribeResponse> stream);

// The same for one who watches; works on `runner`, which outlives both. One event at a time is with
// the stream: a hand that is taken back is not in what waits for the client.
void PumpWatched(std::shared_ptr<WatchSubscription> subscription, const base::Clock& clock,
                 base::TaskRunner& runner,
                 mj::rpc::ServerStream<::mahjong::table::v1::WatchResponse> stream);

}  // namespace mj::table::rpc
