// The rules of Chaozhou as data: what the code runs, ListVariants returns and the docs print.
#pragma once

#include <array>
#include <string_view>

#include "libs/rules/patterns.h"
#include "libs/rules/variant.h"

namespace mj::variants::chaozhou {

using rules::OptionDef;
using rules::OptionType;
using rules::Pattern;
using rules::PatternRole;
using rules::RuleId;
using rules::RuleText;

inline constexpr rules::VariantInfo kInfo = {
    .id = "chaozhou",
    .name_zh = "潮州麻将",
    .name_en = "Chaozhou mahjong",
    .revision = 1,
    .units_per_base = 1,
    .counts_fan = true,
    .counts_multiplier = true,
    .counts_horses = false,
    .kong_names = {.of_discard = "点杠",
                   .added = "明杠",
                   .concealed = "暗杠",
                   .unit_zh = "番",
                   .unit_en = "fan"},
    .limit_rule = [](const rules::WinQuestion&, const rules::Worth&) -> RuleId { return "D-CZ-4"; },
};

inline constexpr OptionDef kOptions[] = {
    {.name = "max_multiplier",
     .type = OptionType::kNumber,
     .fallback = 10,
     .min = 0,
     .max = 1000,
     .rule = "D-CZ-4",
     .meaning_zh = "倍数封顶；0 表示不封顶",
     .meaning_en = "cap on the product of multipliers; 0 plays without a cap"},
};

// The fan of a win before CZ-12, by the way it was won.
inline constexpr rules::Units kFanOnDiscard = 3;     // CZ-10
inline constexpr rules::Units kFanOnSelfDraw = 2;    // CZ-11
inline constexpr rules::Units kFanOnRobbedKong = 2;  // CZ-13

// CZ-40.
inline constexpr rules::Units kDiscardKong = 3, kAddedKong = 1, kConcealedKong = 2;

inline constexpr RuleId kImpliedBySmallWinds[] = {"CZ-23"};
inline constexpr RuleId kImpliedByBigWinds[] = {"CZ-22", "CZ-23"};
inline constexpr RuleId kImpliedByOneFourAlike[] = {"CZ-28"};
inline constexpr RuleId kImpliedByTwoFourAlikes[] = {"CZ-28", "CZ-29"};
inline constexpr RuleId kImpliedByThreeFourAlikes[] = {"CZ-28", "CZ-29", "CZ-30"};

// clang-format off
inline constexpr Pattern kPatterns[] = {
    {"CZ-12", "门前清", "concealed hand", PatternRole::kFan, 1, {}, false, "000 2.5", rules::IsConcealedHand},
    {"CZ-20", "海底捞月", "last tile of the wall, self-drawn", PatternRole::kMultiplier, 2, {}, false, "000 2.5", rules::IsLastTile},
    {"CZ-21", "杠上开花", "win on a kong's replacement", PatternRole::kMultiplier, 2, {}, false, "000 2.5", rules::IsKongReplacement},
    {"CZ-22", "碰碰胡", "all pungs", PatternRole::kMultiplier, 2, {}, true, "000 2.4 note 3h", rules::IsAllTriplets},
    {"CZ-23", "混一色", "half flush", PatternRole::kMultiplier, 2, {}, true, "000 2.4 note 3g", rules::IsHalfFlush},
    {"CZ-24", "清一色", "full flush", PatternRole::kMultiplier, 3, {}, true, "000 2.4 note 3a", rules::IsFullFlush},
    {"CZ-25", "小三元", "three dragon pungs", PatternRole::kMultiplier, 4, {}, true, "000 2.4 note 3b", rules::HasThreeDragonTriplets},
    {"CZ-26", "小四喜", "small four winds", PatternRole::kMultiplier, 4, kImpliedBySmallWinds, true, "000 2.4 note 3c", rules::HasThreeWindTripletsAndPair},
    {"CZ-27", "大四喜", "big four winds", PatternRole::kMultiplier, 4, kImpliedByBigWinds, true, "000 2.4 note 3d", rules::HasFourWindTriplets},
    {"CZ-28", "对对胡", "seven pairs", PatternRole::kMultiplier, 3, {}, true, "000 2.4 note 3f", rules::IsSevenPairs},
    {"CZ-29", "豪华七小对", "seven pairs with four alike", PatternRole::kMultiplier, 6, kImpliedByOneFourAlike, true, "000 2.5", rules::IsSevenPairsWith<1>},
    {"CZ-30", "双豪七小对", "seven pairs with two fours alike", PatternRole::kMultiplier, 12, kImpliedByTwoFourAlikes, true, "000 2.5", rules::IsSevenPairsWith<2>},
    {"CZ-31", "三豪七小对", "seven pairs with three fours alike", PatternRole::kMultiplier, 24, kImpliedByThreeFourAlikes, true, "000 2.5", rules::IsSevenPairsWith<3>},
    {"CZ-32", "十三幺", "thirteen orphans", PatternRole::kMultiplier, 13, {}, true, "000 2.4 note 3e", rules::IsThirteenOrphans},
    {"CZ-33", "天胡", "heavenly win", PatternRole::kMultiplier, 13, {}, false, "000 2.5", rules::IsHeavenly},
    {"CZ-34", "地胡", "earthly win", PatternRole::kMultiplier, 13, {}, false, "000 2.5", rules::IsEarthly},
};

inline constexpr RuleText kRules[] = {
    {"CZ-01", "基本牌型", "four melds and a pair", "000 2.3"},
    {"CZ-02", "七对牌型", "seven pairs as a shape; four alike may be two pairs", "000 2.4 note 3f"},
    {"CZ-03", "十三幺牌型", "thirteen orphans as a shape", "000 2.4 note 3e"},
    {"CZ-04", "点炮可胡", "any shape may win on a discard", "000 2.4(1)"},
    {"CZ-05", "一炮多响", "several winners on one tile are all paid", "000 2.4 note 2"},
    {"CZ-10", "炮胡", "win on a discard: 3 fan, paid by the discarder", "000 2.5"},
    {"CZ-11", "自摸", "self-draw: 2 fan, paid by each of the three", "000 2.5"},
    {"CZ-13", "抢杠胡", "robbed kong: 2 fan, its owner pays all three shares", "000 2.4(6)"},
    {"CZ-40", "杠牌", "kongs: discard 3 from the discarder, added 1 and concealed 2 from each", "000 2.5"},
    {"CZ-41", "流局不计分", "an exhausted wall pays no kong", "000 2.4(5)"},
    {"CZ-50", "漏胡", "a passed win locks every winning tile until draw, pung or kong", "000 2.4 note 1"},
    {"CZ-60", "逃跑惩罚", "an escape costs 64 bases", "000 2.6"},
    {"D-CZ-4", "封顶", "the multipliers' product counts up to a cap, 10 unless the table says otherwise", "000 2.5"},
    {"CZ-70", "底注调节", "the base follows the players' coins", "000 2.7"},
};
// clang-format on

}  // namespace mj::variants::chaozhou
