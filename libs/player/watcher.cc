#include "libs/player/watcher.h"

#include <grpcpp/client_context.h>

#include <chrono>

#include "libs/player/route.h"
#include "libs/rpc/client.h"
#include "libs/rpc/grpc_status.h"

namespace mj::player {

absl::Status WatchTable(table::TableService::StubInterface& stub, const WatcherOptions& options,
                        const WatchListener& listener, Halt& halt) {
  table::WatchRequest request;
  request.set_table_id(options.table_id);
  request.set_player_id(options.player_id);
  request.set_seat(options.seat);
  request.set_after_sequence(options.after);
  TableRoute route(stub, options.table_id, halt);
  while (true) {
    grpc::ClientContext context;
    rpc::Prepare(context, {.timeout = std::chrono::milliseconds(0), .player = options.player_id});
    const auto reader = route.stub().Watch(&context, request);
    const StreamHold hold(halt, context);
    bool enough = false;
    for (table::WatchResponse response; !enough && reader->Read(&response);) {
      request.set_after_sequence(response.event().sequence());
      route.Reached();
      enough = !listener(response.event());
    }
    if (enough) context.TryCancel();
    const absl::Status ended = rpc::FromGrpc(reader->Finish());
    if (enough) return absl::OkStatus();
    const bool again = route.FindAgain(ended);
    if (halt.halted()) return absl::CancelledError("halted");
    if (!again) return ended;
  }
}

}  // namespace mj::player
