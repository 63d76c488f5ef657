#pragma once

#include <chrono>
#include <string>

namespace mj::health {

enum class Health {
  kServing,
  kNotServing,  // it answered, but never SERVING before the deadline
  kNoAnswer,    // nobody listens there, or not gRPC
};

// Asks the server at `address` ("host:port", plain text) for the health of the whole server and
// waits for SERVING until `deadline`. Blocks the calling thread; safe to call from several threads.
[[nodiscard]] Health WaitUntilServing(const std::string& address,
                                      std::chrono::system_clock::time_point deadline);

}  // namespace mj::health
