// The door of a server: who calls, whether it may, and how much. Everything that libs/auth decides,
// between gRPC and the front.
#pragma once

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server_context.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/auth/access.h"
#include "libs/auth/caller.h"
#include "libs/auth/key_file.h"
#include "libs/auth/limits.h"
#include "libs/auth/verifier.h"
#include "libs/base/clock.h"
#include "libs/base/periodic.h"
#include "libs/obs/log.h"
#include "libs/obs/metrics.h"
#include "libs/rpc/call.h"
#include "libs/rpc/security.h"

namespace mj::rpc {

// What a front knows of a request before its handler runs.
struct Asked {
  std::string_view request = {};  // the message's full name; empty: it came as bytes
  auth::Named named = {};
};

// Thread-safe. Each call is looked at twice: by role before gRPC hands it on, where a refusal is a code
// and a message that begins with the reason; then at the front by what it asks for, with all details.
class Guard {
 public:
  // All referenced objects must outlive every call.
  Guard(Security security, const base::Clock& clock, const obs::Logger& log, obs::Metrics& metrics);
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  // Reads the files, and looks at them again from time to time. A file that cannot be read, or that is
  // no JWKS, ends the start; later it changes nothing, and is logged and counted.
  absl::Status Start();

  // For the port. Their processor uses this object.
  [[nodiscard]] std::shared_ptr<grpc::ServerCredentials> Credentials();

  // A call at the front: puts the caller into it. The failure is its answer.
  [[nodiscard]] absl::Status Admit(Call& call, const grpc::CallbackServerContext& context,
                                   const Asked& asked);

  // A stream that was admitted, as long as it is open. Leave exactly when Enter was OK.
  [[nodiscard]] absl::Status Enter(const Call& call);
  void Leave(const Call& call);

 private:
  class Processor;
  using Metadata = std::multimap<grpc::string_ref, grpc::string_ref>;

  // Who calls, by token or else by certificate; nullopt: it does not say. BAD_TOKEN, TOKEN_EXPIRED.
  absl::StatusOr<std::optional<auth::Caller>> WhoCalls(const Metadata& metadata,
                                                       const grpc::AuthContext* peer);
  absl::Status MayCall(const Metadata& metadata, const grpc::AuthContext* peer);
  absl::Status Check(Call& call, const grpc::CallbackServerContext& context, const Asked& asked);
  void LoadKeys();
  void Refused(std::string_view path, const absl::Status& status);

  const Security security_;
  const base::Clock& clock_;
  const obs::Logger log_;
  obs::Metrics& metrics_;
  auth::KeyFile keys_;
  auth::Verifier verifier_;
  auth::Limits limits_;
  base::Periodic reload_;  // last: ends before what it uses
};

}  // namespace mj::rpc
