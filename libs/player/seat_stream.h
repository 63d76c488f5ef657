// A seat's stream, read to its end wherever the table goes.
#pragma once

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "libs/player/halt.h"
#include "libs/player/route.h"
#include "mahjong/table/v1/table_service.grpc.pb.h"

namespace mj::player {

namespace table = ::mahjong::table::v1;

struct SeatStreamOptions {
  std::string table_id;
  std::string player_id;
  std::string join_token{};  // that came with the assignment; empty: the seat needs none
  // Hears every event, in order, once each, on the thread that reads. False: that was the last one; a
  // failure ends the reading too.
  std::function<absl::StatusOr<bool>(const table::TableEvent&)> take;
  // Hears that the stream broke and will be resumed; may be empty.
  std::function<void()> broke;
};

// Reads until `take` has enough. A stream that breaks is resumed after the last event. Blocks.
//
// OK when `take` had enough; its failure; CANCELLED after `halt`; otherwise the failure of a stream that
// could not be resumed.
absl::Status ReadSeat(TableRoute& route, const SeatStreamOptions& options, Halt& halt);

}  // namespace mj::player
