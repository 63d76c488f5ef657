// The wallet as the table asks it.
#pragma once

#include <grpcpp/channel.h>

#include <chrono>
#include <memory>

#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"
#include "services/table/app/peers.h"
#include "services/table/peers/calls.h"

namespace mj::table::peers {

// Thread-safe. `done` runs on a gRPC thread.
class WalletClient final : public Wallet {
 public:
  WalletClient(const std::shared_ptr<grpc::Channel>& channel, std::chrono::milliseconds timeout)
      : stub_(::mahjong::wallet::v1::WalletService::NewStub(channel)), timeout_(timeout) {}

  void ListRooms(const std::string& variant, Currency currency,
                 std::function<void(absl::StatusOr<std::vector<Room>>)> done) override;
  void Reserve(const SeatHold& seat, std::function<void(absl::StatusOr<Coins>)> done) override;
  void Release(const SeatHold& seat, std::function<void(absl::Status)> done) override;
  void GrantBot(const BotGrant& grant, std::function<void(absl::Status)> done) override;
  void BeginRound(const Beginning& beginning, std::function<void(absl::Status)> done) override;
  void SettleRound(const Settlement& settlement,
                   std::function<void(absl::StatusOr<RoundPosted>)> done) override;
  void VoidRound(const Voiding& voiding,
                 std::function<void(absl::StatusOr<std::optional<PenaltyPosted>>)> done) override;

  // Cancels what is under way and waits for it; further calls end with CANCELLED. The destructor
  // does so too.
  void Stop() { calls_.Stop(); }

 private:
  void Deposit(const BotGrant& grant, std::function<void(absl::Status)> done);

  const std::unique_ptr<::mahjong::wallet::v1::WalletService::Stub> stub_;
  const std::chrono::milliseconds timeout_;
  Calls calls_;  // last: ends before what its calls use
};

}  // namespace mj::table::peers
