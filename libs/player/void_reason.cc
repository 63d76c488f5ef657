#include "libs/player/void_reason.h"

namespace mj::player {

namespace table = ::mahjong::table::v1;

std::optional<record::VoidReason> ReasonOf(table::VoidReason reason) {
  switch (reason) {
    case table::VOID_REASON_ESCAPE:
      return record::VoidReason::kEscape;
    case table::VOID_REASON_CONNECTION_LOST:
      return record::VoidReason::kConnectionLost;
    case table::VOID_REASON_ALL_ABSENT:
      return record::VoidReason::kAllAbsent;
    case table::VOID_REASON_OPERATOR:
      return record::VoidReason::kOperator;
    case table::VOID_REASON_REFUSED:
      return record::VoidReason::kRefused;
    default:
      return std::nullopt;
  }
}

}  // namespace mj::player
