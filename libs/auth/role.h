// Who a caller can be.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace mj::auth {

enum class Role : std::uint8_t {
  kBackend,   // a game's own backend: acts for its players wherever their devices do not
  kPlayer,    // one player: acts for itself alone
  kObserver,  // who watches tables
  kOperator,  // who looks after tables and accounts
  kFinance,   // who looks after the books
  kScoring,   // the services, by their certificates
  kWallet,
  kTable,
  kMatchmaking,
};

inline constexpr std::array kRoles = {Role::kBackend,  Role::kPlayer,  Role::kObserver,
                                      Role::kOperator, Role::kFinance, Role::kScoring,
                                      Role::kWallet,   Role::kTable,   Role::kMatchmaking};

// "player", "service:table", ….
[[nodiscard]] std::string_view RoleName(Role role);
[[nodiscard]] std::optional<Role> RoleByName(std::string_view name);

// One of the suite's own services.
[[nodiscard]] constexpr bool IsService(Role role) { return role >= Role::kScoring; }
// Somebody who may speak of itself only.
[[nodiscard]] constexpr bool IsPerson(Role role) {
  return role == Role::kPlayer || role == Role::kObserver;
}

// Somebody on duty, who asks for things in its own name.
[[nodiscard]] constexpr bool IsOnDuty(Role role) {
  return role == Role::kOperator || role == Role::kFinance;
}

// The service that a certificate's SPIFFE id names: "spiffe://mahjong/service/table".
[[nodiscard]] std::optional<Role> ServiceOf(std::string_view spiffe_id);
inline constexpr std::string_view kServiceIds = "spiffe://mahjong/service/";

// A set of roles.
class Roles {
 public:
  constexpr Roles() = default;
  constexpr Roles(std::initializer_list<Role> roles) {
    for (const Role role : roles) bits_ |= Bit(role);
  }
  [[nodiscard]] constexpr bool Has(Role role) const { return (bits_ & Bit(role)) != 0; }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  friend constexpr Roles operator|(Roles a, Roles b) {
    Roles both;
    both.bits_ = a.bits_ | b.bits_;
    return both;
  }

 private:
  static constexpr std::uint32_t Bit(Role role) { return 1U << static_cast<unsigned>(role); }
  std::uint32_t bits_ = 0;
};

}  // namespace mj::auth
