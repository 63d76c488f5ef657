// A channel for tests that is connected before the first call.
#pragma once

#include <grpc/support/time.h>
#include <grpcpp/channel.h>

#include <memory>

#include "libs/rpc/client.h"

namespace mj::rpc {

// MakeChannel, and then the connection, waited for up to 20 s. A test that starts its own server
// would otherwise fail on a loaded machine when the very first attempt to connect does: calls that
// are not safe to retry fail at once, as they should.
inline std::shared_ptr<grpc::Channel> ConnectedChannel(const ChannelOptions& options) {
  auto channel = MakeChannel(options);
  channel->WaitForConnected(
      gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_seconds(20, GPR_TIMESPAN)));
  return channel;
}

}  // namespace mj::rpc
