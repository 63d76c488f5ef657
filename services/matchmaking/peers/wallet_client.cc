#include "services/matchmaking/peers/wallet_client.h"

#include "libs/base/status.h"
#include "libs/rpc/client.h"
#include "services/matchmaking/peers/currency.h"

namespace mj::matchmaking::peers {
namespace {

namespace v1 = ::mahjong::wallet::v1;
using v1::WalletService;

}  // namespace

absl::StatusOr<std::int64_t> WalletClient::OpenTier(const PlayerId& player,
                                                    std::string_view variant,
                                                    std::string_view currency,
                                                    std::int64_t asked_base) {
  v1::GetStakeTierRequest request;
  request.set_player_id(player.value());
  request.set_variant(std::string(variant));
  request.set_currency(CurrencyToProto(currency));
  request.set_base(asked_base);
  MJ_ASSIGN_OR_RETURN(const v1::GetStakeTierResponse response,
                      mj::rpc::Invoke(*stub_, &WalletService::StubInterface::GetStakeTier, request,
                                      {.timeout = options_.timeout}));
  const std::int64_t base = response.tier().base();
  if (base < 1 || base > kBaseMax || (asked_base != 0 && base != asked_base)) {
    return absl::InternalError("GetStakeTier answered with a tier that was not asked for");
  }
  return base;
}

std::unique_ptr<WalletClient> ConnectWallet(const std::string& target,
                                            WalletClientOptions options) {
  const auto channel = mj::rpc::MakeChannel({.target = target, .retry_safe = true});
  return std::make_unique<WalletClient>(WalletService::NewStub(channel), options);
}

}  // namespace mj::matchmaking::peers
