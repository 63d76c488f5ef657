// Coins: the only unit of money. Whole, signed, checked: no operation here overflows silently.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

namespace mj::ledger {

// The greatest amount anywhere, in either direction (D-SET-3): a double in a client holds it
// exactly.
inline constexpr std::int64_t kCoinsMax = std::int64_t{1} << 53;

// A signed amount in [-2^53, 2^53]. A value of this type is within the limit by construction.
class Coins {
 public:
  constexpr Coins() = default;  // none

  // Nothing when `value` is outside of the limit.
  [[nodiscard]] static constexpr std::optional<Coins> From(std::int64_t value) {
    if (value < -kCoinsMax || value > kCoinsMax) return std::nullopt;
    return Coins(value);
  }

  [[nodiscard]] constexpr std::int64_t value() const { return value_; }
  [[nodiscard]] constexpr bool IsZero() const { return value_ == 0; }
  [[nodiscard]] constexpr bool IsPositive() const { return value_ > 0; }
  [[nodiscard]] constexpr bool IsNegative() const { return value_ < 0; }

  // The limit is symmetric, so every amount has its opposite.
  [[nodiscard]] constexpr Coins operator-() const { return Coins(-value_); }

  friend constexpr auto operator<=>(Coins, Coins) = default;

 private:
  explicit constexpr Coins(std::int64_t value) : value_(value) {}
  friend consteval Coins operator""_coins(unsigned long long value);

  std::int64_t value_ = 0;
};

// 100_coins; a literal beyond the limit does not compile.
consteval Coins operator""_coins(unsigned long long value) {
  if (value > static_cast<unsigned long long>(kCoinsMax)) throw "beyond 2^53";
  return Coins(static_cast<std::int64_t>(value));
}

// Nothing when the result is outside of the limit. Neither can overflow an int64 on the way.
[[nodiscard]] constexpr std::optional<Coins> Add(Coins a, Coins b) {
  return Coins::From(a.value() + b.value());
}
[[nodiscard]] constexpr std::optional<Coins> Subtract(Coins a, Coins b) {
  return Coins::From(a.value() - b.value());
}

// `part` of `whole` of an amount, rounded towards zero: amount × part / whole, with a 128-bit
// product. REQUIRES 0 ≤ part ≤ whole, whole > 0; so it never leaves the limit.
[[nodiscard]] Coins Proportion(Coins amount, Coins part, Coins whole);

}  // namespace mj::ledger
