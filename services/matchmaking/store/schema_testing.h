// The schema that the store writes to, in a database of one's own.
#pragma once

#include <string>
#include <vector>

namespace mj::matchmaking::store {

inline std::vector<std::string> Migrations() {
  return {"0003_matchmaking.sql",  "0017_matchmaking_feeds.sql",  "0018_practice_tickets.sql",
          "0019_kept_apart.sql",   "0020_matchmaking_refill.sql", "0023_join_tokens.sql",
          "0025_bot_strength.sql", "0027_ticket_erasure.sql"};
}

}  // namespace mj::matchmaking::store
