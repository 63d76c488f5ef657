// A finished round and its parts, as messages.
//
// Reading fails with INVALID_ARGUMENT and the path of the field within the message that was handed
// in ("wins[0].melds[1].tiles"); base::InField puts what is around it before it. Whether the round
// is one that the game knows is not asked here: that is rules::CheckRound.
#pragma once

#include <google/protobuf/repeated_field.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "libs/rules/hand.h"
#include "libs/wire/fields.h"
#include "mahjong/common/v1/common.pb.h"
#include "mahjong/common/v1/finished_round.pb.h"

namespace mj::wire {

// Everything but variant, options and base, which stand for themselves.
//
// BAD_SEAT, BAD_WIND, BAD_WILD, BAD_TILES, BAD_MELD, BAD_KONG, BAD_HORSES; BAD_WINNERS for more
// than three wins; FIELD_REQUIRED for an absent method or end, UNKNOWN_ENUM_VALUE for one that is
// not known; CONTRADICTORY_FLAGS for a flag that is unknown or stands twice.
absl::StatusOr<rules::FinishedRound> FromProto(const ::mahjong::common::v1::FinishedRound& message);
void ToProto(const rules::FinishedRound& round, ::mahjong::common::v1::FinishedRound& message);

absl::StatusOr<rules::Win> FromProto(const ::mahjong::common::v1::ClaimedWin& message);
void ToProto(const rules::Win& win, ::mahjong::common::v1::ClaimedWin& message);

absl::StatusOr<rules::CalledMeld> FromProto(const ::mahjong::common::v1::Meld& message);
void ToProto(const rules::CalledMeld& meld, ::mahjong::common::v1::Meld& message);

absl::StatusOr<rules::Kong> FromProto(const ::mahjong::common::v1::CompletedKong& message);
void ToProto(const rules::Kong& kong, ::mahjong::common::v1::CompletedKong& message);

// The parts of a hand that several messages share. Fields "melds[0].kind", "horses"; "dealer",
// "round_wind", "seat_winds[2]", "wild".
using RepeatedMelds = google::protobuf::RepeatedPtrField<::mahjong::common::v1::Meld>;
using RepeatedText = google::protobuf::RepeatedPtrField<std::string>;
absl::StatusOr<rules::Melds> MeldsFromProto(const RepeatedMelds& melds);
absl::StatusOr<rules::InlineVector<rules::Tile, rules::kMaxHorses>> HorsesFromText(
    std::string_view horses);
absl::StatusOr<rules::Deal> DealFromProto(std::uint32_t dealer, const std::string& round_wind,
                                          const RepeatedText& seat_winds, const std::string& wild);

// One field on its own, named for the message.
//   tiles     BAD_TILES for text that is no tiles (empty text is none of them, and good)
//   a seat    see fields.h
absl::StatusOr<rules::TileCounts> CountsFromText(std::string_view text, std::string_view field);

::mahjong::common::v1::WinMethod ToProto(rules::WinWay way);
::mahjong::common::v1::MeldKind ToProto(rules::MeldKind kind);
// REQUIRES: a kong.
::mahjong::common::v1::KongKind KongKindToProto(rules::MeldKind kind);
// Nothing for a way or kind that this program does not know.
std::optional<rules::WinWay> WinWayOf(::mahjong::common::v1::WinMethod how);
std::optional<rules::MeldKind> MeldKindOf(::mahjong::common::v1::MeldKind kind);
std::optional<rules::MeldKind> MeldKindOf(::mahjong::common::v1::KongKind kind);

}  // namespace mj::wire
