// Which rpcs are sent again, and how: protos/service_config.json, built in. Clients in other languages read
// the same file.
#pragma once

namespace mj::rpc {

// gRPC's service config: JSON.
extern const char* const kServiceConfig;

}  // namespace mj::rpc
