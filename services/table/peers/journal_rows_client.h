// The wallet's journal rows as records want them.
#pragma once

#include <grpcpp/channel.h>

#include <chrono>
#include <memory>

#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"
#include "services/table/app/records.h"

namespace mj::table::peers {

// Thread-safe. Waits for the answer: not to be called on a gRPC thread.
class JournalRowsClient final : public JournalRows {
 public:
  JournalRowsClient(const std::shared_ptr<grpc::Channel>& channel,
                    std::chrono::milliseconds timeout)
      : stub_(::mahjong::wallet::v1::WalletService::NewStub(channel)), timeout_(timeout) {}

  absl::StatusOr<record::JournalRow> ReadRow(const RoundId& round) override;

 private:
  const std::unique_ptr<::mahjong::wallet::v1::WalletService::Stub> stub_;
  const std::chrono::milliseconds timeout_;
};

}  // namespace mj::table::peers
