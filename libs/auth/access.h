// The one table of who may call what.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "libs/auth/caller.h"
#include "libs/auth/role.h"

namespace mj::auth {

enum class Effect : std::uint8_t {
  kReads,
  kWrites,  // needs a deadline
};

// Which field of the request names whom it is about. Of a player or an observer it must be the
// caller itself.
enum class About : std::uint8_t {
  kNothing,         // what anybody with the role may know or do
  kPlayerId,        // player_id
  kPlayerIdOrNone,  // player_id, which may be empty
  kAccountId,       // account_id
};

struct Access {
  std::string_view path;  // "/mahjong.wallet.v1.WalletService/Deposit"
  Roles roles;
  Effect effect = Effect::kReads;
  About about = About::kNothing;
  // Without an identity, too: health.
  bool open = false;
};

// Every rpc that is served, by service. What has no row is refused to everybody.
[[nodiscard]] std::span<const Access> AccessTable();

// The row of a path; null: none.
[[nodiscard]] const Access* FindAccess(std::string_view path);

// The row of the rpc whose request is this message ("mahjong.wallet.v1.DepositRequest"); null: none.
[[nodiscard]] const Access* FindAccessOf(std::string_view request);
// The name of the message that a path's rpc takes: "/p.v1.S/M" takes p.v1.MRequest.
[[nodiscard]] std::string RequestOf(std::string_view path);

// Whether this caller may call this path at all; null: nobody has said who it is. UNAUTHENTICATED_CALLER,
// ROLE_NOT_ALLOWED.
[[nodiscard]] absl::Status MayCall(std::string_view path, const Caller* caller);

// Whom a request names: the fields that it has.
struct Named {
  std::optional<std::string_view> player = {};
  std::optional<std::string_view> account = {};
  // Who asks for it, of a write by people on duty: what the books and audit trails will say.
  std::optional<std::string_view> asker = {};
  std::string_view asker_field = {};
};

// Whether this caller may ask for what is about these, and in this name. NOT_YOUR_PLAYER, NOT_YOUR_NAME,
// with the field. A name that is empty is left to the handler.
[[nodiscard]] absl::Status MaySpeakOf(const Access& access, const Caller& caller,
                                      const Named& named);

// The table as Markdown, for docs/security.md.
[[nodiscard]] std::string AccessAsMarkdown();

}  // namespace mj::auth
