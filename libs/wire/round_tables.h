// The enums of a finished round, on the wire and ours: what the files of this room share.
#pragma once

#include "libs/rules/hand.h"
#include "libs/wire/fields.h"
#include "mahjong/common/v1/common.pb.h"
#include "mahjong/common/v1/finished_round.pb.h"

namespace mj::wire {

inline constexpr Pairs<::mahjong::common::v1::MeldKind, rules::MeldKind, 5> kMeldKinds = {
    {{::mahjong::common::v1::MELD_KIND_CHOW, rules::MeldKind::kChow},
     {::mahjong::common::v1::MELD_KIND_PUNG, rules::MeldKind::kPung},
     {::mahjong::common::v1::MELD_KIND_DISCARD_KONG, rules::MeldKind::kDiscardKong},
     {::mahjong::common::v1::MELD_KIND_ADDED_KONG, rules::MeldKind::kAddedKong},
     {::mahjong::common::v1::MELD_KIND_CONCEALED_KONG, rules::MeldKind::kConcealedKong}}};
inline constexpr Pairs<::mahjong::common::v1::KongKind, rules::MeldKind, 3> kKongKinds = {
    {{::mahjong::common::v1::KONG_KIND_DISCARD, rules::MeldKind::kDiscardKong},
     {::mahjong::common::v1::KONG_KIND_ADDED, rules::MeldKind::kAddedKong},
     {::mahjong::common::v1::KONG_KIND_CONCEALED, rules::MeldKind::kConcealedKong}}};
inline constexpr Pairs<::mahjong::common::v1::WinMethod, rules::WinWay, 3> kMethods = {
    {{::mahjong::common::v1::WIN_METHOD_SELF_DRAW, rules::WinWay::kSelfDraw},
     {::mahjong::common::v1::WIN_METHOD_DISCARD, rules::WinWay::kDiscard},
     {::mahjong::common::v1::WIN_METHOD_ROBBED_KONG, rules::WinWay::kRobbedKong}}};
inline constexpr Pairs<::mahjong::common::v1::RoundEnd, rules::RoundEnd, 2> kEnds = {
    {{::mahjong::common::v1::ROUND_END_WIN, rules::RoundEnd::kWin},
     {::mahjong::common::v1::ROUND_END_EXHAUSTED, rules::RoundEnd::kExhausted}}};
inline constexpr Pairs<::mahjong::common::v1::WinFlag, bool rules::WinFlags::*, 4> kFlags = {
    {{::mahjong::common::v1::WIN_FLAG_LAST_TILE, &rules::WinFlags::last_tile},
     {::mahjong::common::v1::WIN_FLAG_KONG_REPLACEMENT, &rules::WinFlags::kong_replacement},
     {::mahjong::common::v1::WIN_FLAG_HEAVENLY, &rules::WinFlags::heavenly},
     {::mahjong::common::v1::WIN_FLAG_EARTHLY, &rules::WinFlags::earthly}}};

}  // namespace mj::wire
