// What several rpcs read alike from their requests.
#pragma once

#include <google/protobuf/map.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/scoring/app/game.h"

namespace mj::scoring::rpc {

using OptionMap = google::protobuf::Map<std::string, std::string>;

// The game that a request names; failures as FindGame's.
absl::StatusOr<Game> GameOf(const std::string& variant, const OptionMap& options,
                            const std::string& version);

// FIELD_REQUIRED: the message `field` is absent.
absl::Status Missing(const std::string& field);

}  // namespace mj::scoring::rpc
