// The rules of Shaoguan as data: what the code runs, ListVariants returns and the docs print.
#pragma once

#include <string_view>

#include "libs/rules/patterns.h"
#include "libs/rules/variant.h"
#include "libs/variants/shaoguan/predicates.h"

namespace mj::variants::shaoguan {

using rules::OptionDef;
using rules::OptionType;
using rules::Pattern;
using rules::PatternRole;
using rules::RuleId;
using rules::RuleText;

inline constexpr rules::VariantInfo kInfo = {
    .id = "shaoguan",
    .name_zh = "韶关麻将",
    .name_en = "Shaoguan mahjong",
    .revision = 1,
    .units_per_base = 1,
    .base_from = rules::BaseFrom::kFirstPlayer,
    .counts_fan = false,
    .counts_multiplier = true,
    .counts_horses = true,
    .kong_names = {.of_discard = "放杠",
                   .added = "明杠",
                   .concealed = "暗杠",
                   .unit_zh = "分",
                   .unit_en = "points"},
    .base_zh = "底分",
    .factor_rule = "D-SG-9",
    .horses_rule = "SG-20",
    .kill_rule = "SG-43",
};

inline constexpr std::string_view kSevenPairsChoices[] = {"off", "pure", "all"};

inline constexpr OptionDef kOptions[] = {
    {.name = "with_characters",
     .type = OptionType::kFlag,
     .fallback = 1,
     .rule = "SG-01",
     .meaning_zh = "带万：有一万和九万，可做十三幺",
     .meaning_en = "play with 1m and 9m; without them there are no thirteen orphans",
     .first_player_chooses = true},
    {.name = "seven_pairs",
     .type = OptionType::kChoice,
     .fallback = 1,
     .max = 2,
     .choices = kSevenPairsChoices,
     .rule = "SG-04",
     .meaning_zh = "七对：不算、只算清一色七对、都算",
     .meaning_en = "seven pairs: none, of one suit only, or all"},
    {.name = "self_draw_doubles",
     .type = OptionType::kFlag,
     .fallback = 1,
     .rule = "D-SG-9",
     .meaning_zh = "自摸再乘二；关则牌型倍数即为最终分",
     .meaning_en = "self-draw doubles; off: the pattern's value is final"},
    {.name = "horses",
     .type = OptionType::kNumber,
     .fallback = 4,
     .min = 0,
     .max = rules::kMaxHorses,
     .rule = "SG-20",
     .meaning_zh = "买马张数",
     .meaning_en = "horses turned after a win"},
    {.name = "horses_on_robbed_kong",
     .type = OptionType::kFlag,
     .fallback = 0,
     .rule = "D-SG-6",
     .meaning_zh = "抢杠胡也买马",
     .meaning_en = "turn horses for a robbed kong too"},
};

// SG-30.
inline constexpr rules::Units kDiscardKong = 3, kAddedKong = 1, kConcealedKong = 2;
inline constexpr std::int64_t kSelfDrawFactor = 2;

// A hand counts its one best row (SG-10).
// clang-format off
inline constexpr Pattern kPatterns[] = {
    {"SG-11", "鸡胡", "chicken", PatternRole::kPoints, 2, {}, false, "002 7", IsChicken},
    {"SG-12", "对对胡", "all pungs", PatternRole::kPoints, 2, {}, false, "002 7", IsPungsOrMixedPairs},
    {"SG-13", "混一色", "half flush", PatternRole::kPoints, 4, {}, false, "002 7", IsHalfFlushSets},
    {"SG-14", "清一色", "full flush", PatternRole::kPoints, 8, {}, false, "002 7", IsFullFlushSets},
    {"SG-15", "混对", "half-flush pungs", PatternRole::kPoints, 8, {}, false, "002 7", IsMixedPungs},
    {"SG-16", "清对", "pure pungs, or seven pairs of one suit", PatternRole::kPoints, 16, {}, false, "002 7", IsPurePungs},
    {"SG-17", "幺九", "terminals and honours", PatternRole::kPoints, 16, {}, false, "002 7", IsTerminalsAndHonours},
    {"SG-18", "全番", "all honours", PatternRole::kPoints, 32, {}, false, "002 7", IsHonoursAlone},
    {"SG-19", "十三幺", "thirteen orphans", PatternRole::kPoints, 32, {}, false, "002 7", rules::IsThirteenOrphans},
};

inline constexpr RuleText kRules[] = {
    {"SG-01", "牌", "108 tiles with 1m and 9m, 100 without", "002 1, 7.3"},
    {"SG-02", "只许自摸", "self-draw only; no chow", "002 2, 4"},
    {"SG-03", "抢杠", "an added kong may be robbed, not by the pung's feeder", "002 4, 6(8)"},
    {"SG-04", "七对牌型", "seven pairs of one suit as a shape", "002 7"},
    {"SG-10", "不累积", "patterns are not added up: the best one counts", "002 6(7)"},
    {"SG-20", "买马", "each horse of the winner's position adds the win once more", "002 7.2"},
    {"SG-30", "杠", "kongs: discard 3 from the discarder, added 1 and concealed 2 from each", "002 6(3-6)"},
    {"SG-31", "荒庄不荒杠", "kongs count on an exhausted wall", "002 7.1"},
    {"SG-40", "自摸", "self-draw: each of the three pays", "002 6(2)"},
    {"SG-41", "抢杠胡", "robbed kong: its owner pays three shares", "002 6(8)"},
    {"SG-42", "杠上开花", "on a kong's replacement: of a discard kong its feeder pays three shares, else each pays", "002 6(9)"},
    {"SG-43", "歼牌", "who feeds the last pung before a single wait pays alone", "002 6(10)"},
    {"SG-50", "结算", "every point is worth N coins; each player pays the rake A", "002 6"},
    {"SG-51", "入桌设置", "the first player chooses characters and base", "002 7.3"},
    {"D-SG-6", "抢杠买马", "horses are turned for robbers of a kong where the table says so", "002 7.2"},
    {"D-SG-9", "自摸加倍", "points are doubled for the self-draw, unless the table says that the row is final", "002 6(2)"},
    {"SG-60", "逃跑", "an escaper pays, those who stay are compensated", "002 6(3)"},
};
// clang-format on

}  // namespace mj::variants::shaoguan
