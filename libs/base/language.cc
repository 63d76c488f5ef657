#include "libs/base/language.h"

#include <optional>
#include <string>

#include "libs/base/strings.h"

namespace mj::base {
namespace {

std::optional<Language> ChineseByTag(const std::vector<std::string_view>& subtags) {
  for (std::size_t i = 1; i < subtags.size(); ++i) {
    if (subtags[i] == "hant") {
      return Language::kZhHant;
    }
    if (subtags[i] == "hans") {
      return Language::kZhHans;
    }
  }
  for (std::size_t i = 1; i < subtags.size(); ++i) {
    if (subtags[i] == "tw" || subtags[i] == "hk" || subtags[i] == "mo") {
      return Language::kZhHant;
    }
  }
  return Language::kZhHans;
}

std::optional<Language> ByTag(std::string_view tag) {
  const std::string lower = ToLowerAscii(tag);
  if (lower == "*") {
    return Language::kZhHans;
  }
  const auto subtags = Split(lower, '-');
  if (subtags.front() == "zh") {
    return ChineseByTag(subtags);
  }
  if (subtags.front() == "en") {
    return Language::kEn;
  }
  return std::nullopt;
}

// "q=0.5" in thousandths; nullopt if malformed.
std::optional<int> Weight(std::string_view parameter) {
  if (!parameter.starts_with("q=") && !parameter.starts_with("Q=")) {
    return std::nullopt;
  }
  const std::string_view digits = parameter.substr(2);
  if (digits.empty() || digits.size() > 5 || (digits[0] != '0' && digits[0] != '1') ||
      (digits.size() > 1 && digits[1] != '.')) {
    return std::nullopt;
  }
  int thousandths = (digits[0] - '0') * 1000;
  int unit = 100;
  for (const char c : digits.substr(digits.size() > 1 ? 2 : 1)) {
    if (c < '0' || c > '9') {
      return std::nullopt;
    }
    thousandths += (c - '0') * unit;
    unit /= 10;
  }
  return thousandths <= 1000 ? std::optional(thousandths) : std::nullopt;
}

}  // namespace

std::string_view LanguageTag(Language language) {
  switch (language) {
    case Language::kZhHans:
      return "zh-Hans";
    case Language::kZhHant:
      return "zh-Hant";
    case Language::kEn:
      return "en";
  }
  return "zh-Hans";
}

Language ChooseLanguage(std::string_view accept_language) {
  Language best = Language::kZhHans;
  int best_weight = 0;
  for (const std::string_view item : Split(accept_language, ',')) {
    const auto parts = Split(item, ';');
    const auto language = ByTag(Trim(parts.front()));
    const auto weight = parts.size() > 1 ? Weight(Trim(parts[1])) : std::optional(1000);
    if (language && weight && *weight > best_weight) {
      best = *language;
      best_weight = *weight;
    }
  }
  return best;
}

}  // namespace mj::base
