// What operators ask for, as it is stored.
#pragma once

#include <optional>
#include <string_view>

#include "services/table/app/model.h"

namespace mj::table::store {

// "void_round", "close_table", "remove_player", "stop_rounds", "resume_rounds".
[[nodiscard]] std::string_view ToSql(OperationKind kind);
[[nodiscard]] std::optional<OperationKind> ParseOperationKind(std::string_view text);

}  // namespace mj::table::store
