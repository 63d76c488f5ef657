#include "libs/auth/role.h"

#include "libs/base/check.h"

namespace mj::auth {
namespace {

constexpr std::string_view kServicePrefix = "service:";

}  // namespace

std::string_view RoleName(Role role) {
  switch (role) {
    case Role::kBackend:
      return "backend";
    case Role::kPlayer:
      return "player";
    case Role::kObserver:
      return "observer";
    case Role::kOperator:
      return "operator";
    case Role::kFinance:
      return "finance";
    case Role::kScoring:
      return "service:scoring";
    case Role::kWallet:
      return "service:wallet";
    case Role::kTable:
      return "service:table";
    case Role::kMatchmaking:
      return "service:matchmaking";
  }
  MJ_CHECK(false, "no such role");
  return {};
}

std::optional<Role> RoleByName(std::string_view name) {
  for (const Role role : kRoles) {
    if (RoleName(role) == name) return role;
  }
  return std::nullopt;
}

std::optional<Role> ServiceOf(std::string_view spiffe_id) {
  if (!spiffe_id.starts_with(kServiceIds)) return std::nullopt;
  const std::string_view service = spiffe_id.substr(kServiceIds.size());
  for (const Role role : kRoles) {
    if (IsService(role) && RoleName(role).substr(kServicePrefix.size()) == service) return role;
  }
  return std::nullopt;
}

}  // namespace mj::auth
