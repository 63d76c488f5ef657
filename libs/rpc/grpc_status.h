// The one translation between the suite's failures and what goes over the wire.
#pragma once

#include <grpcpp/support/status.h>

#include "absl/status/status.h"
#include "google/rpc/status.pb.h"
#include "libs/base/language.h"

namespace mj::rpc {

// A failure as it stands inside an answer, with the same details as ToGrpc's. REQUIRES !status.ok().
[[nodiscard]] google::rpc::Status ToProto(const absl::Status& status, base::Language language);

// For a client: code and developer's message, and as details google.rpc.ErrorInfo (domain
// "mahjong", reason, metadata), LocalizedMessage in `language`, BadRequest if a field is at fault,
// RetryInfo if the reason is transient. The message of a status that carries no reason stays inside:
// the client gets the words of base::ReasonToTell.
[[nodiscard]] grpc::Status ToGrpc(const absl::Status& status, base::Language language);

// From a server: the same code and message, carrying reason, field, facts and retry time if the
// server sent them under the domain "mahjong". A refusal before the front has no details: there the
// message begins with the reason (guard.h).
[[nodiscard]] absl::Status FromGrpc(const grpc::Status& status);

}  // namespace mj::rpc
