#include "libs/rpc/keepalive.h"

#include <grpc/grpc.h>

namespace mj::rpc {
namespace {

int Milliseconds(std::chrono::milliseconds duration) { return static_cast<int>(duration.count()); }

}  // namespace

void ApplyServerSettings(grpc::ServerBuilder& builder, std::chrono::milliseconds connection) {
  builder.SetMaxReceiveMessageSize(kRequestBytesMax);
  // Else a second server on the same port would share its calls instead of failing to start.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  if (connection > std::chrono::milliseconds(0)) {
    builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS, Milliseconds(connection));
  }
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, Milliseconds(kHandshakeTimeout));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kStreamsMax);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
                             Milliseconds(kServerPingAllowedEvery));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, Milliseconds(kServerPingEvery));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, Milliseconds(kServerPingTimeout));
}

grpc::ChannelArguments ClientSettings() {
  grpc::ChannelArguments settings;
  settings.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, Milliseconds(kClientPingEvery));
  settings.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, Milliseconds(kClientPingTimeout));
  settings.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  settings.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  return settings;
}

}  // namespace mj::rpc
