// Why calls fail: the one table of reasons (reasons.inc), and how a failure carries its reason from
// the room that found it to the door, where libs/rpc makes google.rpc.Status of it.
//
//   return Error(Reason::kBadSeat, Cat("dealer: got ", seat, ", want 0 to 3"), {.field = "dealer"});
//
//   if (HasReason(status, Reason::kInsufficientFunds)) …
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "libs/base/language.h"

namespace mj::base {

// ErrorInfo.domain of every failure.
inline constexpr std::string_view kErrorDomain = "mahjong";

enum class Reason : std::uint8_t {
#define MJ_REASON(enumerator, name, code, transient, hans, hant, en) enumerator,
#include "libs/base/reasons.inc"
#undef MJ_REASON
};

// A row of the table.
struct ReasonInfo {
  Reason reason;
  std::string_view name;  // UPPER_SNAKE, at most 63 characters
  absl::StatusCode code;
  bool transient;  // the same call may succeed a moment later
  std::string_view zh_hans;
  std::string_view zh_hant;
  std::string_view en;

  // For a player.
  [[nodiscard]] std::string_view Words(Language language) const;
};

// Every reason, in the order of the table.
[[nodiscard]] std::span<const ReasonInfo> AllReasons();
[[nodiscard]] const ReasonInfo& InfoOf(Reason reason);
[[nodiscard]] std::optional<Reason> ReasonByName(std::string_view name);

// What a failure says besides its reason. All optional.
struct ErrorDetails {
  // The request's field at fault, as a path: "round.wins[0].tile".
  std::string field = {};
  // Facts for programs: {"balance": "90", "minimum": "160"}. Keys are lower_snake.
  std::map<std::string, std::string> metadata = {};
  // When to try again; transient reasons have a default.
  std::optional<std::chrono::milliseconds> retry_after = {};
};

// A failed status of the reason's code. `message` is English for developers, in the form
// "field: got, want"; empty: the table's English. Players see the table's words.
[[nodiscard]] absl::Status Error(Reason reason, std::string_view message = {},
                                 const ErrorDetails& details = {});

// The same failure with `prefix` before its field, for a message that stands inside another:
// InField("round", …) makes "wins[0].tile" to "round.wins[0].tile". OK and statuses without a reason
// or a field come back unchanged.
[[nodiscard]] absl::Status InField(std::string_view prefix, const absl::Status& status);

// A failure as it is carried: by name, since a newer peer may send a reason that is not in this
// program's table.
struct CarriedError {
  std::string reason;
  ErrorDetails details;
};

// What `status` carries; nullopt if it is OK or was made without a reason.
[[nodiscard]] std::optional<CarriedError> CarriedBy(const absl::Status& status);

// Attaches a failure to a status of any code; used where it comes in from the wire.
void Carry(absl::Status& status, const CarriedError& error);

[[nodiscard]] bool HasReason(const absl::Status& status, Reason reason);

// The reason under which a failed status is told to a client. A status without one is told by its
// code as far as any client can act on it (UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, OVERLOADED,
// CONFLICT, UNIMPLEMENTED); every other code without a reason is our own fault: INTERNAL.
// REQUIRES !status.ok().
[[nodiscard]] Reason ReasonToTell(const absl::Status& status);

}  // namespace mj::base
