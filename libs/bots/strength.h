// How well a bot plays.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace mj::bots {

enum class Strength : std::uint8_t {
  kWeak,    // a beginner: keeps what touches, calls what it can
  kMedium,  // counts what is missing and what is left
  kStrong,  // weighs what hands are worth, and what a throw may cost
};

inline constexpr std::array<Strength, 3> kStrengths = {Strength::kWeak, Strength::kMedium,
                                                       Strength::kStrong};

constexpr std::string_view NameOf(Strength strength) {
  switch (strength) {
    case Strength::kWeak:
      return "weak";
    case Strength::kMedium:
      return "medium";
    case Strength::kStrong:
      return "strong";
  }
  return {};
}

constexpr std::optional<Strength> StrengthNamed(std::string_view name) {
  for (Strength strength : kStrengths) {
    if (NameOf(strength) == name) return strength;
  }
  return std::nullopt;
}

}  // namespace mj::bots
