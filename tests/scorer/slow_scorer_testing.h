// What a finished round comes to, worked out once more: from the rulebook alone, without any of
// the product's rules, slowly and plainly.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "libs/rules/hand.h"

namespace mj::scorer {

// As on the wire: flags "true" and "false", numbers in decimal, choices by name. What is not named
// has the rulebook's default.
using OptionTexts = std::map<std::string, std::string>;

struct WinResult {
  std::string reason;                 // empty: a legal win; else CASES.md's word, the rest is empty
  std::vector<std::string> patterns;  // sorted
  std::int64_t fan = 0;               // Chaozhou, Guangdong
  std::int64_t multiplier = 1;        // Chaozhou, Shaoguan, Jieyang
  std::int64_t horses_hit = 0;        // Shaoguan
  std::int64_t share = 0;             // what one paying seat owes, in units

  bool operator==(const WinResult&) const = default;
};

struct Line {
  int from = 0;
  int to = 0;
  std::string rule;

  auto operator<=>(const Line&) const = default;
};

struct Result {
  std::vector<WinResult> wins;         // as in the round
  std::map<Line, std::int64_t> lines;  // units
  std::array<std::int64_t, 4> net{};   // units by seat

  bool operator==(const Result&) const = default;
};

// REQUIRES: `game` is one of the rulebook's four.
Result Score(std::string_view game, const OptionTexts& options, const rules::FinishedRound& round);

// Units are coins × this / base: 2 in Jieyang, whose kongs are worth half bases.
int UnitsPerBase(std::string_view game);

}  // namespace mj::scorer
