// The rules of Guangdong as data: what the code runs, ListVariants returns and the docs print.
#pragma once

#include "libs/rules/patterns.h"
#include "libs/rules/variant.h"
#include "libs/variants/guangdong/predicates.h"

namespace mj::variants::guangdong {

using rules::OptionDef;
using rules::OptionType;
using rules::Pattern;
using rules::PatternRole;
using rules::RuleId;
using rules::RuleText;

// What made the fan another figure than the patterns' sum: GD-50's limits, or a floor.
constexpr RuleId LimitRule(const WinQuestion& question, const rules::Worth& worth) {
  if (worth.fan < worth.before_limit) return "GD-50";
  if (question.winners == 3) return "GD-61";
  return question.win->kong_feeder ? "GD-63" : "GD-62";
}

inline constexpr rules::VariantInfo kInfo = {
    .id = "guangdong",
    .name_zh = "广东麻将",
    .name_en = "Guangdong mahjong",
    .revision = 1,
    .units_per_base = 1,
    .base_from = rules::BaseFrom::kAgreement,
    .counts_fan = true,
    .fan_doubles = true,
    .counts_multiplier = false,
    .counts_horses = false,
    .kong_names = {.of_discard = "明杠", .added = "上杠", .concealed = "暗杠"},
    .base_zh = "底分",
    .discard_win_zh = "放炮",
    .robbed_kong_zh = "抢杠和",
    .limit_rule = LimitRule,
};

inline constexpr OptionDef kOptions[] = {
    {.name = "allow_chicken",
     .type = OptionType::kFlag,
     .fallback = 1,
     .rule = "GD-51",
     .meaning_zh = "是否允许鸡和",
     .meaning_en = "whether a chicken may win"},
};

// GD-50: small hands stop at three fan; big ones count from six on, else as three.
inline constexpr std::int64_t kFullFan = 3, kOpenFan = 6;

inline constexpr RuleId kImpliedByFlush[] = {"GD-20"};
inline constexpr RuleId kImpliedByPurePungs[] = {"GD-13", "GD-20"};

// Small patterns: `big` is false. The bonuses GD-40 to 42 stand last; their fan is counted by
// pung, less those that a counted pattern consists of (D-GD-3). GD-10 is what is left when
// nothing small or big applies: it has no predicate of its own.
// clang-format off
inline constexpr Pattern kPatterns[] = {
    {"GD-10", "鸡和", "chicken: none of the patterns below", PatternRole::kFan, 0, {}, false, "001 1.9.1", nullptr},
    {"GD-11", "平和", "all chows", PatternRole::kFan, 1, {}, false, "001 1.9.1", rules::IsAllSequences},
    {"GD-12", "混一色", "half flush", PatternRole::kFan, 2, {}, false, "001 1.9.1", rules::IsHalfFlush},
    {"GD-13", "对对和", "all pungs", PatternRole::kFan, 2, {}, false, "001 1.9.1", rules::IsAllTriplets},
    {"GD-20", "清一色", "full flush", PatternRole::kFan, 4, {}, true, "001 1.9.2", rules::IsFullFlush},
    {"GD-21", "混幺九", "mixed terminals", PatternRole::kFan, 5, {}, true, "001 1.9.2", IsMixedTerminals},
    {"GD-22", "十三幺", "thirteen orphans", PatternRole::kFan, 6, {}, true, "001 1.9.2", rules::IsThirteenOrphans},
    {"GD-23", "九莲宝灯", "nine gates", PatternRole::kFan, 6, kImpliedByFlush, true, "001 1.9.2", IsNineGates},
    {"GD-24", "清碰", "pure pungs", PatternRole::kFan, 5, kImpliedByPurePungs, true, "001 1.9.2", rules::IsFullFlushTriplets},
    {"GD-25", "全番", "all honours", PatternRole::kFan, 6, {}, true, "001 1.9.2", IsAllHonourTriplets},
    {"GD-26", "清幺九", "pure terminals", PatternRole::kFan, 6, {}, true, "001 1.9.2", IsPureTerminals},
    {"GD-27", "大三元", "big three dragons", PatternRole::kFan, 6, {}, true, "001 1.9.2", rules::HasThreeDragonTriplets},
    {"GD-28", "小三元", "small three dragons", PatternRole::kFan, 5, {}, true, "001 1.9.2", IsSmallThreeDragons},
    {"GD-29", "大四喜", "big four winds", PatternRole::kFan, 6, {}, true, "001 1.9.2", rules::HasFourWindTriplets},
    {"GD-30", "小四喜", "small four winds", PatternRole::kFan, 5, {}, true, "001 1.9.2", rules::HasThreeWindTripletsAndPair},
    {"GD-31", "天胡", "heavenly win", PatternRole::kFan, 6, {}, true, "001 1.9.2", rules::IsHeavenly},
    {"GD-32", "地胡", "earthly win", PatternRole::kFan, 6, {}, true, "001 1.9.2", rules::IsEarthly},
    {"GD-40", "圈风刻", "pung of the round wind", PatternRole::kFan, 1, {}, false, "001 1.9.3", HasRoundWindTriplet},
    {"GD-41", "门风刻", "pung of the seat wind", PatternRole::kFan, 1, {}, false, "001 1.9.3", HasSeatWindTriplet},
    {"GD-42", "箭刻", "each pung of dragons", PatternRole::kFan, 1, {}, false, "001 1.9.3", HasDragonTriplet, DragonTriplets},
};

inline constexpr RuleText kRules[] = {
    {"GD-01", "基本牌型", "four melds and a pair", "001 1.9"},
    {"GD-02", "十三幺牌型", "thirteen orphans as a shape", "001 1.9.2"},
    {"GD-03", "一炮多响", "several winners on one tile are all paid", "001 1.9.4"},
    {"D-GD-3", "加番不重复", "a counted pattern's own pungs bring no bonus besides: dragons in GD-27 and 28, winds in GD-29 and 30", "001 1.9.3"},
    {"D-GD-4", "大牌不加小牌", "a hand with a big pattern counts no small one", "001 1.9.2"},
    {"GD-50", "三番满六番爆", "three fan are full, from six on all count", "001 1.9, 1.10"},
    {"GD-51", "鸡和须自摸且有番", "a chicken wins by self-draw with a bonus fan only", "001 1.9.1"},
    {"GD-52", "自摸", "self-draw: each of the three pays the points", "001 1.10.1"},
    {"GD-53", "放炮", "discard: the discarder pays the points", "001 1.10.1"},
    {"GD-60", "一炮双响", "two winners: the discarder pays each by its own fan", "001 1.9.4"},
    {"GD-61", "一炮三响", "three winners: each counts at least three fan", "001 1.9.4"},
    {"GD-62", "杠上开花", "win on a kong's replacement: at least three fan", "001 1.9.4"},
    {"GD-63", "杠上开花包杠", "after a discard kong its feeder pays all three shares", "001 1.9.4"},
    {"GD-64", "包牌", "who gave the fourth called meld pays all three shares of a self-draw", "001 1.9.4"},
    {"GD-65", "抢杠和", "robbed kong: its owner pays all three shares", "001 1.9.4"},
    {"GD-66", "满番不解禁", "a floor of three fan does not make a chicken legal", "001 1.9.4"},
    {"GD-70", "风位和风圈", "winds are dealt, the round wind follows the deal", "001 1.5.1"},
    {"GD-80", "过水", "a passed win locks that tile until the own discard", "001 1.9.5"},
    {"GD-90", "底分设置", "the first player proposes the base, the others accept", "001 1.4.1"},
    {"GD-91", "积分条件", "fifty bases are needed to play on", "001 1.4.3"},
    {"GD-92", "逃跑惩罚", "an escape costs 64 bases", "000 2.6"},
};
// clang-format on

}  // namespace mj::variants::guangdong
