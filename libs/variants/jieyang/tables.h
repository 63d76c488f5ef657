// The rules of Jieyang as data: what the code runs, ListVariants returns and the docs print.
#pragma once

#include <string_view>

#include "libs/rules/patterns.h"
#include "libs/rules/variant.h"
#include "libs/variants/jieyang/predicates.h"

namespace mj::variants::jieyang {

using rules::OptionDef;
using rules::OptionType;
using rules::Pattern;
using rules::PatternRole;
using rules::RuleId;
using rules::RuleText;

// The text pays kongs in half bases: everything is counted in halves, and bases are even (D-JY-5).
inline constexpr rules::VariantInfo kInfo = {
    .id = "jieyang",
    .name_zh = "揭阳麻将",
    .name_en = "Jieyang mahjong",
    .revision = 2,
    .units_per_base = 2,
    .counts_fan = false,
    .counts_multiplier = true,
    .counts_horses = false,
    .kong_names = {.of_discard = "点杠",
                   .added = "明杠",
                   .concealed = "暗杠",
                   .unit_zh = "倍",
                   .unit_en = "times"},
    .limit_rule = [](const rules::WinQuestion&, const rules::Worth&) -> RuleId {
      return "D-JY-10";
    },
};

inline constexpr std::string_view kWildChoices[] = {"none", "white", "flipped"};

inline constexpr OptionDef kOptions[] = {
    {.name = "max_multiplier",
     .type = OptionType::kNumber,
     .fallback = 13,
     .min = 0,
     .max = 1000,
     .rule = "D-JY-10",
     .meaning_zh = "倍数封顶；0 表示不封顶",
     .meaning_en = "cap on the product of multipliers; 0 plays without a cap"},
    {.name = "wild",
     .type = OptionType::kChoice,
     .fallback = 0,
     .max = 2,
     .choices = kWildChoices,
     .rule = "JY-50",
     .meaning_zh = "鬼牌：无、白板、翻牌",
     .meaning_en = "wild tiles: none, the white dragon, or by a turned tile"},
};

// JY-40, in half bases.
inline constexpr rules::Units kDiscardKong = 3, kAddedKong = 1, kConcealedKong = 2;
// JY-02: a discard may be won on with a pattern of at least this value.
inline constexpr std::int64_t kDiscardWinValue = 10;

inline constexpr RuleId kImpliedBySmallWinds[] = {"JY-22"};
inline constexpr RuleId kImpliedByBigWinds[] = {"JY-21", "JY-22"};
inline constexpr RuleId kImpliedByOneFourAlike[] = {"JY-27"};
inline constexpr RuleId kImpliedByTwoFourAlikes[] = {"JY-27", "JY-28"};
inline constexpr RuleId kImpliedByArhats[] = {"JY-21"};

// clang-format off
inline constexpr Pattern kPatterns[] = {
    {"JY-20", "海底捞月", "last tile of the wall, self-drawn", PatternRole::kMultiplier, 2, {}, false, "003 分数计算", rules::IsLastTile},
    {"JY-21", "碰碰胡", "all pungs", PatternRole::kMultiplier, 2, {}, true, "003 note 2h", rules::IsAllTriplets},
    {"JY-22", "混一色", "half flush", PatternRole::kMultiplier, 3, {}, true, "003 note 2g", rules::IsHalfFlush},
    {"JY-23", "清一色", "full flush", PatternRole::kMultiplier, 5, {}, true, "003 note 2a", rules::IsFullFlush},
    {"JY-24", "小三元", "three dragon pungs", PatternRole::kMultiplier, 3, {}, true, "003 note 2b", rules::HasThreeDragonTriplets},
    {"JY-25", "小四喜", "small four winds", PatternRole::kMultiplier, 3, kImpliedBySmallWinds, true, "003 note 2c", rules::HasThreeWindTripletsAndPair},
    {"JY-26", "大四喜", "big four winds", PatternRole::kMultiplier, 5, kImpliedByBigWinds, true, "003 note 2d", rules::HasFourWindTriplets},
    {"JY-27", "对对胡", "seven pairs", PatternRole::kMultiplier, 3, {}, true, "003 note 2f", rules::IsSevenPairs},
    {"JY-28", "豪华七小对", "seven pairs with four alike", PatternRole::kMultiplier, 5, kImpliedByOneFourAlike, true, "003 分数计算", rules::IsSevenPairsWith<1>},
    {"JY-29", "双豪华七小对", "seven pairs with two or three fours alike", PatternRole::kMultiplier, 10, kImpliedByTwoFourAlikes, true, "003 分数计算", IsTwoOrMoreFourAlikes},
    {"JY-30", "十三么", "thirteen orphans", PatternRole::kMultiplier, 13, {}, true, "003 note 2e", rules::IsThirteenOrphans},
    {"JY-31", "十八罗汉", "eighteen arhats: four kongs", PatternRole::kMultiplier, 10, kImpliedByArhats, true, "003 note 2k", IsEighteenArhats},
    {"JY-32", "天胡", "heavenly win", PatternRole::kMultiplier, 10, {}, true, "003 note 2i", rules::IsHeavenly},
    {"JY-33", "地胡", "earthly win", PatternRole::kMultiplier, 10, {}, true, "003 note 2j", rules::IsEarthly},
    {"JY-34", "无鬼", "no wild tile, where they are in play", PatternRole::kMultiplier, 2, {}, false, "003", HasNoWild},
};

inline constexpr RuleText kRules[] = {
    {"JY-01", "只许自摸", "self-draw only", "003 胡牌的方式 1"},
    {"JY-02", "大牌胡", "a hand with a pattern worth 10 or more may win on a discard, one share", "003 胡牌的方式 3"},
    {"JY-03", "抢杠胡", "robbed kong: its owner pays three shares", "003 胡牌的方式 6"},
    {"JY-10", "自摸", "self-draw: once the base, from each of the three", "003 分数计算"},
    {"JY-40", "杠", "kongs: discard 1.5 bases from the discarder, added 0.5 and concealed 1 from each", "003 分数计算"},
    {"JY-41", "流局不计分", "an exhausted wall pays no kong", "003 胡牌的方式 5"},
    {"JY-50", "鬼牌", "wild tiles stand for any tile", "003"},
    {"D-JY-10", "最高倍数", "the multipliers' product counts up to a cap, 13 unless the table says otherwise", "003"},
    {"JY-60", "漏胡", "a passed win locks that tile until draw, pung or kong", "003 note 1"},
};
// clang-format on

}  // namespace mj::variants::jieyang
