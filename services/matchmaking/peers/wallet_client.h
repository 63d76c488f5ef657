// Wallet over gRPC.
#pragma once

#include <memory>
#include <string>

#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"
#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking::peers {

struct WalletClientOptions {
  Millis timeout{2'000};  // of each call
};

// Thread-safe; blocks.
class WalletClient final : public Wallet {
 public:
  using Stub = ::mahjong::wallet::v1::WalletService::StubInterface;

  WalletClient(std::unique_ptr<Stub> stub, WalletClientOptions options)
      : stub_(std::move(stub)), options_(options) {}

  absl::StatusOr<std::int64_t> OpenTier(const PlayerId& player, std::string_view variant,
                                        std::string_view currency,
                                        std::int64_t asked_base) override;

 private:
  const std::unique_ptr<Stub> stub_;
  const WalletClientOptions options_;
};

// To the wallet at host:port `target`; connects when first used.
[[nodiscard]] std::unique_ptr<WalletClient> ConnectWallet(const std::string& target,
                                                          WalletClientOptions options = {});

}  // namespace mj::matchmaking::peers
