// A bot at a table, over gRPC.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "libs/base/entropy.h"
#include "libs/player/halt.h"
#include "mahjong/table/v1/table_service.grpc.pb.h"

namespace mj::player {

namespace table = ::mahjong::table::v1;

struct TablePlayerOptions {
  std::string table_id;
  std::string player_id;
  std::string join_token{};        // that came with the assignment; empty: the seat needs none
  std::uint64_t seed = 0;          // decides between choices that are equally good
  std::uint32_t rounds = 1;        // settled or void rounds to play before leaving the table
  std::uint32_t idle_round = 0;    // in which it answers nothing, and reveals nothing; 0: none
  std::uint32_t escape_round = 0;  // in which it leaves right after its first discard; 0: none
  std::int64_t base = 0;           // that it names when it is asked for the stakes; 0: the least
  // Where its nonces come from, one for each round; null: it has none. Outlives the play.
  base::Entropy* entropy = nullptr;
};

// Hears every event of the seat's stream, in order, once each; called on the thread that plays.
using Listener = std::function<void(const table::TableEvent&)>;

// Plays at the table until `options.rounds` rounds are over, then leaves: subscribes to the seat's
// stream, says ready before each round, reveals its nonce when the round has begun, follows the stream
// and answers every decision by what it shows alone. Asked for the stakes it names some, asked whether
// it accepts others' it does. A stream that breaks is resumed after the last event. Blocks; one thread
// for each player.
//
// OK when the rounds were played. CANCELLED after `halt`. FAILED_PRECONDITION when the table closed,
// or the player was removed, before; INTERNAL when the stream shows what cannot be; otherwise the
// failure of the call that could not be made.
//
//   stub   reaches the table service, whichever process of it: the one that holds the table is
//          found, and found again when it is another one.
absl::Status PlayAtTable(table::TableService::StubInterface& stub,
                         const TablePlayerOptions& options, const Listener& listener, Halt& halt);

}  // namespace mj::player
