// What a seat may do and what it does, as messages.
#pragma once

#include "absl/status/statusor.h"
#include "libs/round/choice.h"
#include "mahjong/table/v1/decision.pb.h"

namespace mj::wire {

// A choice of a round. Fails with FIELD_REQUIRED ("choice") when nothing is chosen, CHOICE_NOT_OFFERED
// for one about the stakes, BAD_TILES ("discard.tile",
// "kong.tile", "chow.tiles") for text that is no such tiles, BAD_KONG ("kong.kind"). Whether it was
// offered is not asked here.
absl::StatusOr<round::Choice> FromProto(const ::mahjong::table::v1::Choice& message);
void ToProto(const round::Choice& choice, ::mahjong::table::v1::Choice& message);

// Sets kind, tile and offers; id and deadline are the caller's.
void ToProto(const round::Offer& offer, ::mahjong::table::v1::Decision& message);

// The other way, for clients. BAD_TILES and BAD_KONG with the field, for what no server sends.
absl::StatusOr<round::Offer> FromProto(const ::mahjong::table::v1::Decision& message);

}  // namespace mj::wire
