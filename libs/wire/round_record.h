// The events of a round as they are stored.
//
// What is stored was written by this program or an older one, so whatever cannot be read is lost
// data and nobody's request: DATA_LOSS, with the field's path in the message.
#pragma once

#include "absl/status/statusor.h"
#include "libs/round/event.h"
#include "mahjong/record/v1/record.pb.h"

namespace mj::wire {

absl::StatusOr<round::Event> FromRecord(const ::mahjong::record::v1::RoundEvent& record);
void ToRecord(const round::Event& event, ::mahjong::record::v1::RoundEvent& record);

// FromRecord(ToRecord(event)) == event for every event.

}  // namespace mj::wire
