// What a seated player says to its table.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "libs/base/entropy.h"
#include "libs/fairness/commitment.h"
#include "libs/player/route.h"
#include "libs/rpc/client.h"
#include "mahjong/table/v1/table_service.grpc.pb.h"

namespace mj::player {

namespace table = ::mahjong::table::v1;

// Every call changes nothing when it comes twice, and is made again to whoever holds the table where it
// was not answered. Each fails with why it was refused, or CANCELLED or what happened last when nobody
// could be reached. Not thread-safe; keeps a reference to the route.
class SeatCalls {
 public:
  //   entropy   where nonces come from, one for each round; null: it has none. Outlives the calls.
  SeatCalls(TableRoute& route, std::string table_id, std::string player_id, base::Entropy* entropy);

  // Ready for that round, with the hash of a nonce for it: the same, however often it says so.
  absl::Status SayReady(std::uint32_t round);
  // The nonce of the round that began, if the table has taken its hash. What stands of it is said by the
  // table; too late is no failure.
  absl::Status Reveal(const table::RoundBegan& began, std::uint32_t own_seat);
  // Too late is no failure: the stream says who answered.
  absl::Status Act(std::uint64_t decision, const table::Choice& choice);
  // To have left already is no failure.
  absl::Status Leave();

 private:
  template <typename Request, typename Response>
  absl::Status Call(grpc::Status (table::TableService::StubInterface::*method)(grpc::ClientContext*,
                                                                               const Request&,
                                                                               Response*),
                    Request request);

  TableRoute& route_;
  const std::string table_id_;
  const std::string player_id_;
  base::Entropy* const entropy_;
  fairness::Bytes nonce_;
  std::uint32_t nonce_round_ = 0;  // for which it is; 0: none
};

}  // namespace mj::player
