#include "libs/base/language.h"

#include <gtest/gtest.h>

namespace mj::base {
namespace {

struct Case {
  std::string_view name;
  std::string_view header;
  Language want;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class ChooseLanguageTest : public ::testing::TestWithParam<Case> {};

TEST_P(ChooseLanguageTest, Chooses) {
  EXPECT_EQ(ChooseLanguage(GetParam().header), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, ChooseLanguageTest,
    ::testing::Values(Case{"Nothing", "", Language::kZhHans}, Case{"English", "en", Language::kEn},
                      Case{"EnglishOfARegion", "en-GB", Language::kEn},
                      Case{"CaseDoesNotMatter", "ZH-hant", Language::kZhHant},
                      Case{"PlainChinese", "zh", Language::kZhHans},
                      Case{"TaiwanReadsTraditional", "zh-TW", Language::kZhHant},
                      Case{"HongKongReadsTraditional", "zh-HK", Language::kZhHant},
                      Case{"ScriptBeatsRegion", "zh-Hans-HK", Language::kZhHans},
                      Case{"Cantonese", "zh-yue-Hant", Language::kZhHant},
                      Case{"WeightsDecide", "zh-TW;q=0.4, en;q=0.8", Language::kEn},
                      Case{"FirstOfEqualsWins", "zh-TW, en", Language::kZhHant},
                      Case{"UnknownIsSkipped", "fr, de;q=0.9, en;q=0.1", Language::kEn},
                      Case{"ZeroExcludes", "en;q=0", Language::kZhHans},
                      Case{"Star", "*", Language::kZhHans},
                      Case{"BadWeightIsSkipped", "en;q=2, zh-TW;q=0.1", Language::kZhHant},
                      Case{"Garbage", ";;,,q=;=,\x01", Language::kZhHans},
                      Case{"PrefixIsNotEnough", "english", Language::kZhHans}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace mj::base
