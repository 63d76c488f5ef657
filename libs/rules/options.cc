#include "libs/rules/options.h"

#include <charconv>
#include <cstddef>

namespace mj::rules {
namespace {

std::optional<std::int64_t> ValueOf(const OptionDef& def, std::string_view text) {
  switch (def.type) {
    case OptionType::kFlag:
      if (text == "true") return 1;
      if (text == "false") return 0;
      return std::nullopt;
    case OptionType::kNumber: {
      std::int64_t value = 0;
      const char* end = text.data() + text.size();
      const auto [rest, error] = std::from_chars(text.data(), end, value);
      if (error != std::errc() || rest != end) return std::nullopt;
      return value;
    }
    case OptionType::kChoice:
      for (std::size_t i = 0; i < def.choices.size(); ++i) {
        if (def.choices[i] == text) return static_cast<std::int64_t>(i);
      }
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

struct OptionParser {
  static std::variant<Options, OptionRefusal> Parse(
      std::span<const OptionDef> defs, const std::map<std::string, std::string>& texts) {
    Options options = DefaultOptions(defs);
    for (const auto& [name, text] : texts) {
      std::size_t i = 0;
      while (i < defs.size() && defs[i].name != name) ++i;
      if (i == defs.size()) return OptionRefusal{OptionFault::kUnknown, name};
      const auto value = ValueOf(defs[i], text);
      if (!value) return OptionRefusal{OptionFault::kNotAValue, name};
      if (defs[i].type == OptionType::kNumber && (*value < defs[i].min || *value > defs[i].max)) {
        return OptionRefusal{OptionFault::kOutOfRange, name};
      }
      options.values_[i] = *value;
    }
    return options;
  }
};

Options DefaultOptions(std::span<const OptionDef> defs) {
  Options options;
  for (std::size_t i = 0; i < defs.size(); ++i) options.values_[i] = defs[i].fallback;
  return options;
}

std::variant<Options, OptionRefusal> ParseOptions(std::span<const OptionDef> defs,
                                                  const std::map<std::string, std::string>& texts) {
  return OptionParser::Parse(defs, texts);
}

std::string OptionText(const OptionDef& def, std::int64_t value) {
  switch (def.type) {
    case OptionType::kFlag:
      return value != 0 ? "true" : "false";
    case OptionType::kNumber:
      return std::to_string(value);
    case OptionType::kChoice:
      return std::string(def.choices[static_cast<std::size_t>(value)]);
  }
  return {};
}

std::map<std::string, std::string> ToTexts(std::span<const OptionDef> defs, const Options& options,
                                           bool all) {
  std::map<std::string, std::string> texts;
  for (std::size_t i = 0; i < defs.size(); ++i) {
    if (all || options[i] != defs[i].fallback) {
      texts.emplace(defs[i].name, OptionText(defs[i], options[i]));
    }
  }
  return texts;
}

}  // namespace mj::rules
