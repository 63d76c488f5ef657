#pragma once

#include <chrono>
#include <memory>
#include <string>

#include <grpcpp/security/credentials.h>

namespace mj::health {

enum class Health {
  kServing,
  kNotServing,  // it answered, but never SERVING before the deadline
  kNoAnswer,    // nobody listens there, or not gRPC
};

// Plain text for ""; else TLS with servers that this PEM file's authority vouches for. Null: it cannot be
// read.
[[nodiscard]] std::shared_ptr<grpc::ChannelCredentials> CredentialsFor(
    const std::string& authority_file);

// Asks the server at `address` ("host:port") for the health of the whole server and
// waits for SERVING until `deadline`. Blocks the calling thread; safe to call from several threads.
[[nodiscard]] Health WaitUntilServing(const std::string& address,
                                      std::chrono::system_clock::time_point deadline,
                                      const std::shared_ptr<grpc::ChannelCredentials>& credentials =
                                          grpc::InsecureChannelCredentials());

}  // namespace mj::health
