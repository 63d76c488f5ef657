// Reading one field of a message: what the files of this room share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/rules/seat.h"
#include "libs/tiles/tile.h"

namespace mj::wire {

// A row of a two-way table between a value on the wire (an enum, a text) and ours.
template <typename Wire, typename Domain>
struct Pair {
  Wire wire;
  Domain domain;
};
template <typename Wire, typename Domain, std::size_t N>
using Pairs = std::array<Pair<Wire, Domain>, N>;

template <typename Wire, typename Domain, std::size_t N>
std::optional<Domain> DomainOf(const Pairs<Wire, Domain, N>& pairs, Wire wire) {
  for (const auto& pair : pairs) {
    if (pair.wire == wire) return pair.domain;
  }
  return std::nullopt;
}

// The value's row; Wire{} when the table lacks it, which a test of the table would show.
template <typename Wire, typename Domain, std::size_t N>
Wire WireOf(const Pairs<Wire, Domain, N>& pairs, Domain domain) {
  for (const auto& pair : pairs) {
    if (pair.domain == domain) return pair.wire;
  }
  return Wire{};
}

using base::Quoted;

// "field: what", with the field named.
[[nodiscard]] absl::Status Wrong(base::Reason reason, std::string_view field,
                                 std::string_view what);

// "list[2]".
[[nodiscard]] std::string Element(std::string_view list, int index);

// An enum's value: FIELD_REQUIRED for 0, UNKNOWN_ENUM_VALUE for one that is not in the table.
template <typename Wire, typename Domain, std::size_t N>
absl::StatusOr<Domain> NeedEnum(const Pairs<Wire, Domain, N>& pairs, Wire value,
                                std::string_view field) {
  if (static_cast<int>(value) == 0) return Wrong(base::Reason::kFieldRequired, field, "absent");
  if (const std::optional<Domain> domain = DomainOf(pairs, value)) return *domain;
  return Wrong(base::Reason::kUnknownEnumValue, field,
               base::Cat("got ", std::to_string(static_cast<int>(value)), ", which is not known"));
}

// Exactly one tile; `reason` for anything else.
[[nodiscard]] absl::StatusOr<tiles::Tile> TileFromText(
    std::string_view text, std::string_view field, base::Reason reason = base::Reason::kBadTiles);

// BAD_SEAT beyond 3.
[[nodiscard]] absl::StatusOr<rules::Seat> SeatFromNumber(std::uint32_t number,
                                                         std::string_view field);

// The seat of an optional field, when it is there.
template <typename Message>
absl::StatusOr<std::optional<rules::Seat>> MaybeSeat(const Message& message,
                                                     bool (Message::*has)() const,
                                                     std::uint32_t (Message::*get)() const,
                                                     std::string_view field) {
  if (!(message.*has)()) return std::optional<rules::Seat>();
  MJ_ASSIGN_OR_RETURN(const rules::Seat seat, SeatFromNumber((message.*get)(), field));
  return std::optional<rules::Seat>(seat);
}

[[nodiscard]] constexpr std::uint32_t Number(rules::Seat seat) {
  return static_cast<std::uint32_t>(rules::IndexOf(seat));
}

// Which seats are named, by a list of their numbers; BAD_SEAT unless these rise.
template <typename Numbers>
absl::StatusOr<rules::PerSeat<bool>> SeatsFromNumbers(const Numbers& numbers,
                                                      std::string_view field) {
  rules::PerSeat<bool> named;
  std::uint32_t next = 0;
  for (const std::uint32_t number : numbers) {
    MJ_ASSIGN_OR_RETURN(const rules::Seat seat, SeatFromNumber(number, field));
    if (number < next) return Wrong(base::Reason::kBadSeat, field, "seats that do not rise");
    named[seat] = true;
    next = number + 1;
  }
  return named;
}

template <typename Numbers>
void ToNumbers(const rules::PerSeat<bool>& named, Numbers& numbers) {
  for (const rules::Seat seat : rules::kSeats) {
    if (named[seat]) numbers.Add(Number(seat));
  }
}

}  // namespace mj::wire
