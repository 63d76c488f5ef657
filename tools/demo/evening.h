// Four bots from their accounts to the table, and the rounds that they play there.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "libs/base/executor.h"
#include "mahjong/matchmaking/v1/matchmaking_service.grpc.pb.h"
#include "mahjong/table/v1/table_service.grpc.pb.h"
#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"
#include "tools/demo/print.h"
#include "tools/demo/story.h"

namespace mj::demo {

// host:port of each service.
struct Addresses {
  std::string wallet;
  std::string table;
  std::string matchmaking;
};

struct Stubs {
  std::unique_ptr<::mahjong::wallet::v1::WalletService::Stub> wallet;
  std::unique_ptr<::mahjong::table::v1::TableService::Stub> table;
  std::unique_ptr<::mahjong::matchmaking::v1::MatchmakingService::Stub> matchmaking;
};
Stubs Connect(const Addresses& addresses);

// Opens four accounts whose ids begin with `prefix`, funds them so that their own stake tiers
// differ, and queues them for the lowest of these (CZ-70: the base is the lowest of the four), until
// matchmaking has seated all at one table. UNKNOWN game: NOT_FOUND; no table within `limit`:
// DEADLINE_EXCEEDED; else the failure of the call that could not be made.
absl::StatusOr<Sitting> SeatFour(const Stubs& stubs, const std::string& prefix,
                                 const std::string& variant, std::chrono::milliseconds limit);

struct PlayOptions {
  std::uint32_t rounds = 8;
  std::uint64_t seed = 1;  // of the bots; who holds which tiles is the table's to draw
};

// What a player with this balance after a round buys in for, to go on; 0 when it need not.
std::int64_t BuyIn(std::int64_t balance, std::int64_t base);

// Plays the rounds: each bot on a thread of its own by its own stream alone. `told` hears every
// round in order, on the calling thread, once all four streams have told its end. Between rounds
// who is short of coins deposits BuyIn. OK when all rounds were played; else the first player's
// failure, or DEADLINE_EXCEEDED when nothing happens any more.
absl::Status PlayRounds(const Stubs& stubs, const Sitting& sitting, const PlayOptions& options,
                        const std::function<void(const RoundStory&)>& told);

}  // namespace mj::demo
