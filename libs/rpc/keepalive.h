// How both ends of a connection find out that the other is gone, and how much one may ask for.
// In one place, because a server punishes a client that pings more often than it allows.
#pragma once

#include <grpcpp/server_builder.h>
#include <grpcpp/support/channel_arguments.h>

#include <chrono>

namespace mj::rpc {

// A client pings after 10 s of silence, with or without open calls, and gives up 5 s later: a server
// that stands still is found out by whoever only listens, too.
inline constexpr std::chrono::milliseconds kClientPingEvery{10'000};
inline constexpr std::chrono::milliseconds kClientPingTimeout{5'000};

// A server bears a ping every 10 s (one second is left for what the network shifts), and itself
// pings silent clients, which mostly are phones in a tunnel.
inline constexpr std::chrono::milliseconds kServerPingAllowedEvery{9'000};
inline constexpr std::chrono::milliseconds kServerPingEvery{60'000};
inline constexpr std::chrono::milliseconds kServerPingTimeout{20'000};

// Who has connected and not said a word of TLS or HTTP/2 by then is cut off.
inline constexpr std::chrono::milliseconds kHandshakeTimeout{10'000};
// Of one connection, half-sent requests among them, which no limit by caller sees.
inline constexpr int kStreamsMax = 20'000;

// A request holds at most a round; 1 MiB is plenty.
inline constexpr int kRequestBytesMax = 1 << 20;

// `connection`: after about so long a client is told to connect anew for further calls, while those that
// are open go on; 0: never.
void ApplyServerSettings(grpc::ServerBuilder& builder,
                         std::chrono::milliseconds connection = std::chrono::milliseconds(0));
[[nodiscard]] grpc::ChannelArguments ClientSettings();

}  // namespace mj::rpc
