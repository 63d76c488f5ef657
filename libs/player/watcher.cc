#include "libs/player/watcher.h"

#include <grpcpp/client_context.h>

#include <chrono>

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
  int resumes = 0;
  while (true) {
    grpc::ClientContext context;
    rpc::Prepare(context, {.timeout = std::chrono::milliseconds(0)});
    const auto reader = stub.Watch(&context, request);
    const StreamHold hold(halt, context);
    bool enough = false;
    for (table::WatchResponse response; !enough && reader->Read(&response);) {
      request.set_after_sequence(response.event().sequence());
      resumes = 0;
      enough = !listener(response.event());
    }
    if (enough) context.TryCancel();
    const absl::Status ended = rpc::FromGrpc(reader->Finish());
    if (enough) return absl::OkStatus();
    if (halt.halted()) return absl::CancelledError("halted");
    if (!IsResumable(ended) || ++resumes > kResumesMax) return ended;
  }
}

}  // namespace mj::player
