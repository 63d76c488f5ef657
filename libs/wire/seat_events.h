// What a seat sees of play, as events of its stream.
#pragma once

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "libs/round/view.h"
#include "mahjong/table/v1/table_event.pb.h"

namespace mj::wire {

// Sets the event's payload. False, and nothing set, for RoundBegan, Won and RoundEnded: the stream
// tells these by events of the table's own (round_began, round_ended, round_void).
//
//   decision_id   the name under which the seat is asked; used for YouAreAsked and YouAnswered.
//
// Sequence, time and deadline are the caller's.
bool ToProto(const round::SeatEvent& event, std::uint64_t decision_id,
             ::mahjong::table::v1::TableEvent& message);

// What is the same to whoever sees it, of a seat's stream or watching.
void ToProto(const round::DiceRolled& event, ::mahjong::table::v1::DiceRolled& message);
void ToProto(const round::IndicatorTurned& event, ::mahjong::table::v1::IndicatorTurned& message);
void ToProto(const round::Discarded& event, ::mahjong::table::v1::TileDiscarded& message);
void ToProto(const round::Called& event, ::mahjong::table::v1::MeldCalled& message);
void ToProto(const round::KongDeclared& event, ::mahjong::table::v1::KongDeclared& message);
void ToProto(const round::KongMade& event, ::mahjong::table::v1::KongMade& message);
[[nodiscard]] ::mahjong::table::v1::DrawSource ToProto(round::DrawKind kind);

// One event of play, as a client reads it.
struct PlayedEvent {
  round::SeatEvent event;  // numbers of decisions in it are 0: the stream names them by decision_id
  std::uint64_t decision_id = 0;  // with YouAreAsked and YouAnswered
};

// The other way, for clients. Nothing for an event that is not of play, or not known to this
// program. BAD_TILES, BAD_SEAT, BAD_MELD, BAD_KONG, UNKNOWN_ENUM_VALUE with the field, for what no
// server sends.
absl::StatusOr<std::optional<PlayedEvent>> PlayedFromProto(
    const ::mahjong::table::v1::TableEvent& message);

}  // namespace mj::wire
