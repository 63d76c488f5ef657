// Streams of players' entries as they are written, by whichever replica.
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <memory>

#include "absl/status/status.h"
#include "libs/base/clock.h"
#include "libs/base/executor.h"
#include "libs/base/mutex.h"
#include "libs/rpc/stream.h"
#include "mahjong/wallet/v1/wallet_service.pb.h"
#include "services/wallet/app/wallet.h"

namespace mj::wallet::rpc {

// One thread looks after all of them. Each `pause` it asks the wallet once, for all accounts that are
// watched, how far they have come, and then for the entries of those alone that have moved. A stream
// whose client does not read is passed over, so that nothing is kept for it here. Thread-safe.
class Watches {
 public:
  using Stream = mj::rpc::ServerStream<::mahjong::wallet::v1::WatchAccountResponse>;

  // Keeps references to both. The thread starts with the first stream.
  Watches(Wallet& wallet, const base::Clock& clock,
          std::chrono::nanoseconds pause = std::chrono::milliseconds(200));
  // Waits for what is being asked. Streams that are still open get no more.
  ~Watches();
  Watches(const Watches&) = delete;
  Watches& operator=(const Watches&) = delete;

  // Sends what there is now, and then what comes, until the stream ends. Failures: as
  // Wallet::EntriesAfter.
  [[nodiscard]] absl::Status Open(const CallContext& context, const WatchRequest& request,
                                  const Stream& stream);

 private:
  struct Watch {
    CallContext context;
    WatchRequest request;  // after the last entry that was sent
    Stream stream;
    bool behind = false;  // there is more than was sent
  };

  // Sends the next entries. OK if it is to be asked again.
  [[nodiscard]] absl::Status Step(Watch& watch);
  // Sends to each that has something to be sent. Those that end are taken out.
  void Round(std::list<Watch>& open);
  void Run();
  [[nodiscard]] bool Stopping();

  Wallet& wallet_;
  const base::Clock& clock_;
  const std::chrono::nanoseconds pause_;
  base::Mutex mutex_;
  base::CondVar changed_;
  bool running_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::list<Watch> arriving_ ABSL_GUARDED_BY(mutex_);
  base::Executor thread_;  // last: ends before what it uses
};

}  // namespace mj::wallet::rpc
