#include "services/table/store/operation_kind.h"

#include <array>
#include <utility>

namespace mj::table::store {
namespace {

constexpr std::array<std::pair<std::string_view, OperationKind>, 5> kKinds = {{
    {"void_round", OperationKind::kVoidRound},
    {"close_table", OperationKind::kCloseTable},
    {"remove_player", OperationKind::kRemovePlayer},
    {"stop_rounds", OperationKind::kStopRounds},
    {"resume_rounds", OperationKind::kResumeRounds},
}};

}  // namespace

std::string_view ToSql(OperationKind kind) {
  for (const auto& [text, value] : kKinds) {
    if (value == kind) return text;
  }
  return "";  // no such value: refused by the relation
}

std::optional<OperationKind> ParseOperationKind(std::string_view text) {
  for (const auto& [name, value] : kKinds) {
    if (name == text) return value;
  }
  return std::nullopt;
}

}  // namespace mj::table::store
