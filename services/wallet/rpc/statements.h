// Players' statements as files, sent part by part as fast as the client reads.
#pragma once

#include <memory>

#include "absl/status/status.h"
#include "libs/base/clock.h"
#include "libs/base/executor.h"
#include "libs/rpc/stream.h"
#include "mahjong/wallet/v1/statement.pb.h"
#include "services/wallet/app/wallet.h"

namespace mj::wallet::rpc {

// Reads the next part on one thread of its own when the last one is written, so that a client which
// reads slowly costs one part of memory, and many exports leave the database to others. Thread-safe.
class Statements {
 public:
  using Stream = mj::rpc::ServerStream<::mahjong::wallet::v1::ExportStatementResponse>;

  // Keeps references to both.
  Statements(Wallet& wallet, const base::Clock& clock);
  // Every stream has ended before, as it does when the server stops.
  ~Statements() = default;

  // Sends the first part; the others follow by themselves, and then the stream finishes. Failures:
  // as Wallet::EntriesAfter.
  [[nodiscard]] absl::Status Open(const CallContext& context, const WatchRequest& request,
                                  const Stream& stream);

 private:
  struct Export {
    CallContext context;
    WatchRequest request;  // after the last entry that was sent
    Stream stream;
    bool done = false;  // the last part was sent
  };

  [[nodiscard]] absl::Status SendNext(Export& file);

  Wallet& wallet_;
  const base::Clock& clock_;
  base::Executor thread_;  // last: ends before what it uses
};

}  // namespace mj::wallet::rpc
