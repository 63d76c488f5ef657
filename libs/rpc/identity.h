// Who a client is: whom it trusts, and what it shows.
#pragma once

#include <grpcpp/security/credentials.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "libs/base/clock.h"
#include "libs/base/mutex.h"
#include "libs/rpc/security.h"

namespace mj::rpc {

struct ClientIdentity {
  // authority alone: the server has to show that it is one of ours; with certificate and key we are a
  // service. Without: plaintext.
  TlsFiles tls = {};
  // The token of a call that is made for `player`; empty: for nobody but the caller itself. An empty
  // token is not sent. Thread-safe, and quick. Null: no tokens.
  std::function<std::string(std::string_view player)> token = {};
  std::chrono::seconds reload{10};  // how often the files are looked at
};

// The process's own, which channels and calls take that are given none. Once, from main, before the
// first channel; without it they are plaintext, and nobody's.
void SetClientIdentity(ClientIdentity identity);
// Null before SetClientIdentity.
[[nodiscard]] const ClientIdentity* OwnIdentity();

// For a channel. A token that goes over plaintext goes to this machine's own addresses only.
[[nodiscard]] std::shared_ptr<grpc::ChannelCredentials> CredentialsOf(
    const ClientIdentity* identity);

// A token that somebody else puts into a file anew before it expires. Thread-safe.
class TokenFile {
 public:
  // `clock` outlives this.
  TokenFile(std::string path, std::chrono::seconds reload, const base::Clock& clock)
      : path_(std::move(path)), reload_(reload), clock_(clock) {}

  // What the file held when it was last read; empty: it could never be.
  [[nodiscard]] std::string Token();

 private:
  const std::string path_;
  const std::chrono::seconds reload_;
  const base::Clock& clock_;
  base::Mutex mutex_;
  bool read_ ABSL_GUARDED_BY(mutex_) = false;
  base::MonotonicTime read_at_ ABSL_GUARDED_BY(mutex_);
  std::string token_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::rpc
