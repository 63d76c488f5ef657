// A pool's queue while it is being matched, and what is written of a match.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/pg/pool.h"
#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking::store {

// Whether nobody else is at this pool until the transaction is over. Two replicas at one pool would each
// hold a part of it and see fewer than there are.
[[nodiscard]] absl::StatusOr<bool> TakePool(pg::Transaction& tx, const matching::Pool& pool);

// The pool's oldest tickets that can be matched, locked; those that others hold are left out.
[[nodiscard]] absl::StatusOr<std::vector<matching::Ticket>> LockQueue(pg::Transaction& tx,
                                                                      const matching::Pool& pool,
                                                                      std::size_t limit);

// Fills in who of these met whom and who is kept apart from whom, and says what time it is.
[[nodiscard]] absl::StatusOr<matching::TimeMs> ReadPairs(pg::Transaction& tx,
                                                         std::vector<matching::Ticket>& tickets,
                                                         Millis met_for);

// New matches, and their members, as parallel arrays, for unnest.
struct MatchArrays {
  // Adds a match, but for its members.
  void Add(const MatchId& match, const std::string& media_room, const matching::Why& why,
           matching::BotStrength strength, const TablePlace& refill = {});
  // Adds a member to the latest.
  void AddMember(int seat, const matching::Ticket& ticket, const std::string& token);

  std::vector<std::string> matches;
  std::vector<std::string> media_rooms;  // empty: none
  std::vector<std::string> regions;
  std::vector<std::int64_t> latencies;
  std::vector<std::int64_t> ratings_apart;
  std::vector<std::int64_t> rating_windows;
  std::vector<std::int64_t> parties;
  std::vector<std::int64_t> met_again;
  std::vector<std::int64_t> strengths;
  std::vector<std::string> refill_tables;  // empty: none
  std::vector<std::string> refill_addresses;
  // One for each member:
  std::vector<std::string> member_matches;
  std::vector<std::int64_t> seats;
  std::vector<std::string> tickets;
  std::vector<std::string> players;
  std::vector<std::string> tokens;
};

// Writes matches of one pool as proposed. ABORTED if a player got a seat after the queue was read.
// REQUIRES that their tickets are locked and queued.
[[nodiscard]] absl::Status InsertMatches(pg::Transaction& tx, const matching::Pool& pool,
                                         const MatchArrays& rows, Millis lease);

}  // namespace mj::matchmaking::store
