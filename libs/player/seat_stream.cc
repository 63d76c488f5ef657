#include "libs/player/seat_stream.h"

#include <grpcpp/client_context.h>

#include <chrono>
#include <cstdint>
#include <optional>

#include "libs/rpc/client.h"

namespace mj::player {

absl::Status ReadSeat(TableRoute& route, const SeatStreamOptions& options, Halt& halt) {
  std::uint64_t last_sequence = 0;
  std::optional<absl::Status> done;
  // False: it reads no further.
  const auto take_all = [&](const table::SubscribeResponse& response) {
    for (const table::TableEvent& event : response.events()) {
      if (event.sequence() <= last_sequence) continue;
      last_sequence = event.sequence();
      const absl::StatusOr<bool> more = options.take(event);
      if (more.ok() && *more) continue;
      done = more.status();
      return false;
    }
    return true;
  };
  const auto read = [&] {
    table::SubscribeRequest request;
    request.set_table_id(options.table_id);
    request.set_player_id(options.player_id);
    request.set_after_sequence(last_sequence);
    request.set_join_token(options.join_token);
    grpc::ClientContext context;
    rpc::Prepare(context, {.timeout = std::chrono::milliseconds(0), .player = options.player_id});
    const auto reader = route.stub().Subscribe(&context, request);
    const StreamHold hold(halt, context);
    for (table::SubscribeResponse response; reader->Read(&response);) {
      if (take_all(response)) continue;
      context.TryCancel();
      break;
    }
    return rpc::FromGrpc(reader->Finish());
  };
  while (true) {
    const std::uint64_t before = last_sequence;
    const absl::Status ended = read();
    if (done) return *done;
    if (last_sequence > before) route.Reached();
    if (options.broke && !halt.halted()) options.broke();
    const bool again = route.FindAgain(ended);
    if (halt.halted()) return absl::CancelledError("halted");
    if (!again) return ended;
  }
}

}  // namespace mj::player
