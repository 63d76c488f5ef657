// The messages of mahjong.matchmaking.v1 ↔ the nouns of app.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mahjong/matchmaking/v1/matchmaking_service.pb.h"
#include "services/matchmaking/app/wish.h"

namespace mj::matchmaking::rpc {

namespace proto = ::mahjong::matchmaking::v1;

// FIELD_REQUIRED for an empty one, BAD_ID for what is no id; both name `field`.
[[nodiscard]] absl::Status CheckId(std::string_view id, std::string_view field);

// The first failing field, in the order of the message: FIELD_REQUIRED, BAD_ID, UNKNOWN_ENUM_VALUE.
// Variant, options and base are left to the use case.
[[nodiscard]] absl::StatusOr<TicketRequest> FromProto(const proto::CreateTicketRequest& request);

[[nodiscard]] proto::Ticket ToProto(const Ticket& ticket);

}  // namespace mj::matchmaking::rpc
