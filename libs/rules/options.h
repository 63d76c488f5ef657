// A game's options: what can be chosen when a table is made.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace mj::rules {

inline constexpr int kMaxOptions = 8;

enum class OptionType : std::uint8_t { kFlag, kNumber, kChoice };

// One option as a row of its game's table. Texts are static.
struct OptionDef {
  std::string_view name;  // snake_case, as on the wire
  OptionType type = OptionType::kFlag;
  std::int64_t fallback = 0;                    // a flag: 0 or 1; a choice: an index into `choices`
  std::int64_t min = 0;                         // kNumber only, inclusive
  std::int64_t max = 1;                         // kNumber only, inclusive
  std::span<const std::string_view> choices{};  // kChoice only
  std::string_view rule;                        // the rule that it belongs to
  std::string_view meaning_zh;
  std::string_view meaning_en;
  bool first_player_chooses = false;  // with the base, where the game lets it (SG-51)
};

// Values for every option of one game, by the position of its row. Made by DefaultOptions or
// ParseOptions only, so a value is always in range.
class Options {
 public:
  constexpr std::int64_t operator[](std::size_t i) const { return values_[i]; }
  constexpr bool operator==(const Options&) const = default;

 private:
  friend Options DefaultOptions(std::span<const OptionDef>);
  friend struct OptionParser;
  std::array<std::int64_t, kMaxOptions> values_{};
};

enum class OptionFault : std::uint8_t { kUnknown, kNotAValue, kOutOfRange };

struct OptionRefusal {
  OptionFault fault = OptionFault::kUnknown;
  std::string name;  // of the option that is refused

  bool operator==(const OptionRefusal&) const = default;
};

Options DefaultOptions(std::span<const OptionDef> defs);

// Text values as they stand on the wire: a flag "true"/"false", a number in decimal, a choice by
// its name. What is not named has its default. The first refused option in the order of names.
std::variant<Options, OptionRefusal> ParseOptions(std::span<const OptionDef> defs,
                                                  const std::map<std::string, std::string>& texts);

// The value of one option as text; ParseOptions reads it back.
std::string OptionText(const OptionDef& def, std::int64_t value);

// Every option with its value; what differs from the defaults alone when `all` is false.
std::map<std::string, std::string> ToTexts(std::span<const OptionDef> defs, const Options& options,
                                           bool all);

}  // namespace mj::rules
