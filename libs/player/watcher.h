// Somebody who watches a table, over gRPC.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "libs/player/halt.h"
#include "mahjong/table/v1/table_service.grpc.pb.h"

namespace mj::player {

namespace table = ::mahjong::table::v1;

struct WatcherOptions {
  std::string table_id;
  std::string player_id;    // who watches
  std::uint32_t seat = 0;   // from which
  std::uint64_t after = 0;  // 0: begin with the latest round
};

// Hears every event in order, once each, on the thread that watches. False: that was enough.
using WatchListener = std::function<bool(const table::WatchedEvent&)>;

// Watches until the table closes or the listener has enough. A stream that breaks is resumed after
// the last event. Blocks.
//
// OK at the end; CANCELLED after `halt`; otherwise why the table cannot be watched, or the failure of
// a stream that broke again and again without an event.
absl::Status WatchTable(table::TableService::StubInterface& stub, const WatcherOptions& options,
                        const WatchListener& listener, Halt& halt);

}  // namespace mj::player
