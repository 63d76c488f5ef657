// Why a round is void, in a record's terms.
#pragma once

#include <optional>

#include "libs/record/events.h"
#include "mahjong/table/v1/table_service.pb.h"

namespace mj::player {

// Nothing for a reason that a later service gives.
[[nodiscard]] std::optional<record::VoidReason> ReasonOf(::mahjong::table::v1::VoidReason reason);

}  // namespace mj::player
