// The four places of a table, in playing order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace mj::rules {

inline constexpr int kSeatCount = 4;

// Counter-clockwise in playing order (RULEBOOK 0).
enum class Seat : std::uint8_t { k0, k1, k2, k3 };

inline constexpr std::array<Seat, kSeatCount> kSeats = {Seat::k0, Seat::k1, Seat::k2, Seat::k3};

constexpr int IndexOf(Seat seat) { return static_cast<int>(seat); }
constexpr std::optional<Seat> SeatFromIndex(int index) {
  if (index < 0 || index >= kSeatCount) return std::nullopt;
  return static_cast<Seat>(index);
}
// The seat `steps` turns after `seat`; 1 is the next seat (下家), 3 the previous (上家).
constexpr Seat After(Seat seat, int steps = 1) {
  return static_cast<Seat>((IndexOf(seat) + steps) % kSeatCount);
}
constexpr Seat Before(Seat seat) { return After(seat, kSeatCount - 1); }
// Turns from `from` to `to`: 0-3.
constexpr int TurnsBetween(Seat from, Seat to) {
  return (IndexOf(to) - IndexOf(from) + kSeatCount) % kSeatCount;
}

// One T for each seat.
template <typename T>
class PerSeat {
 public:
  constexpr PerSeat() = default;
  constexpr explicit PerSeat(const std::array<T, kSeatCount>& values) : values_(values) {}

  constexpr T& operator[](Seat seat) { return values_[static_cast<std::size_t>(seat)]; }
  constexpr const T& operator[](Seat seat) const { return values_[static_cast<std::size_t>(seat)]; }
  constexpr auto begin() { return values_.begin(); }
  constexpr auto end() { return values_.end(); }
  constexpr auto begin() const { return values_.begin(); }
  constexpr auto end() const { return values_.end(); }

  constexpr bool operator==(const PerSeat&) const = default;

 private:
  std::array<T, kSeatCount> values_{};
};

}  // namespace mj::rules
