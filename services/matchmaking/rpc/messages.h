// The messages of mahjong.matchmaking.v1 ↔ the nouns of app.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mahjong/matchmaking/v1/matchmaking_service.pb.h"
#include "services/matchmaking/app/locator.h"
#include "services/matchmaking/app/wish.h"

namespace mj::matchmaking::rpc {

namespace proto = ::mahjong::matchmaking::v1;

// A private room's code, which is six digits. FIELD_REQUIRED, BAD_ID.
[[nodiscard]] absl::Status CheckCode(std::string_view code);

// The first failing field, in the order of the message: FIELD_REQUIRED, BAD_ID, UNKNOWN_ENUM_VALUE.
// Variant, options, base, latencies and addresses are left to the use case.
[[nodiscard]] absl::StatusOr<TicketRequest> FromProto(const proto::CreateTicketRequest& request);
[[nodiscard]] absl::StatusOr<TicketRequest> FromProto(const proto::OpenRoomRequest& request);
[[nodiscard]] absl::StatusOr<EntryRequest> FromProto(const proto::EnterRoomRequest& request);

// `wait` is the estimate, where there is one.
[[nodiscard]] proto::Ticket ToProto(const Ticket& ticket,
                                    std::optional<std::chrono::milliseconds> wait);
[[nodiscard]] proto::Room ToProto(const Room& room);
// The seat of a location.
[[nodiscard]] proto::Assignment ToProto(const LiveSeat& seat);

}  // namespace mj::matchmaking::rpc
