// The languages in which people are addressed.
#pragma once

#include <array>
#include <string_view>

namespace mj::base {

enum class Language { kZhHans, kZhHant, kEn };

inline constexpr std::array kLanguages{Language::kZhHans, Language::kZhHant, Language::kEn};

// "zh-Hans", "zh-Hant" or "en".
[[nodiscard]] std::string_view LanguageTag(Language language);

// The best match for an Accept-Language value (RFC 9110), e.g. "zh-TW;q=0.9, en;q=0.5". Chinese by
// script, else by region: TW, HK and MO read traditional, all others simplified. Of equal weights
// the first counts, q=0 excludes. Without any match, or malformed: the source texts' own zh-Hans.
[[nodiscard]] Language ChooseLanguage(std::string_view accept_language);

}  // namespace mj::base
