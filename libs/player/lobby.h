// What a player does before it sits at a table.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "mahjong/matchmaking/v1/matchmaking_service.grpc.pb.h"
#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"

namespace mj::player {

namespace matchmaking = ::mahjong::matchmaking::v1;
namespace wallet = ::mahjong::wallet::v1;

// Every call waits at most this long.
inline constexpr std::chrono::seconds kCallTimeout{10};

// Opens the player's account and deposits `coins` (none when 0). Both writes carry request ids made
// of `player_id`: the same call again changes nothing.
absl::Status OpenFunded(wallet::WalletService::StubInterface& stub, const std::string& player_id,
                        std::int64_t coins);

// Deposits under the caller's request id: the same id again changes nothing.
absl::Status Deposit(wallet::WalletService::StubInterface& stub, const std::string& request_id,
                     const std::string& player_id, std::int64_t coins, const std::string& reason);

absl::StatusOr<std::int64_t> BalanceOf(wallet::WalletService::StubInterface& stub,
                                       const std::string& player_id);

// Queues the player; `base` 0: the player's own tier decides.
absl::StatusOr<matchmaking::Ticket> Queue(matchmaking::MatchmakingService::StubInterface& stub,
                                          const std::string& request_id,
                                          const std::string& player_id, const std::string& variant,
                                          std::int64_t base);

// The same for practice: an account in practice coins, with `coins` of them; and a ticket for a table with
// three bots, at once.
absl::Status OpenForPractice(wallet::WalletService::StubInterface& stub,
                             const std::string& player_id, std::int64_t coins);
absl::StatusOr<matchmaking::Ticket> QueueForPractice(
    matchmaking::MatchmakingService::StubInterface& stub, const std::string& request_id,
    const std::string& player_id, const std::string& variant, std::int64_t base,
    matchmaking::BotStrength strength = matchmaking::BOT_STRENGTH_UNSPECIFIED);

// Watches a ticket until it is assigned. Waits at most `limit`: DEADLINE_EXCEEDED. A ticket that
// ends otherwise fails with its reason; a stream that breaks is watched again.
absl::StatusOr<matchmaking::Assignment> AwaitAssignment(
    matchmaking::MatchmakingService::StubInterface& stub, const std::string& ticket_id,
    std::chrono::milliseconds limit);

}  // namespace mj::player
