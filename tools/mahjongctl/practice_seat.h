// A seat at a practice table, as a client comes to one.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "libs/base/entropy.h"
#include "mahjong/table/v1/table_service.grpc.pb.h"

namespace mj::mahjongctl {

// host:port of the services; several as A,B.
struct SuiteAddresses {
  std::string wallet;
  std::string matchmaking;
  std::string table;
};

struct PracticeSeat {
  std::unique_ptr<::mahjong::table::v1::TableService::StubInterface> tables;
  std::string player_id;
  std::string table_id;
  std::string join_token;  // opens its seat
};

// Opens an account in practice coins for a new player and queues it for a table with three bots, at
// once. Fails with what the services say; DEADLINE_EXCEEDED when no seat comes in 30 s.
//
//   base       in practice coins.
//   strength   of the bots, a name of bots::Strength; empty: as the suite is configured.
[[nodiscard]] absl::StatusOr<PracticeSeat> TakePracticeSeat(const SuiteAddresses& addresses,
                                                            const std::string& variant,
                                                            std::int64_t base,
                                                            const std::string& strength);

}  // namespace mj::mahjongctl
