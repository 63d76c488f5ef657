// Rows ↔ the nouns of app.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "libs/pg/result.h"
#include "services/matchmaking/app/model.h"

namespace mj::matchmaking::store {

// Options as two parallel arrays, for jsonb_object($1::text[], $2::text[]).
struct OptionArrays {
  std::vector<std::string> names;
  std::vector<std::string> values;
};
[[nodiscard]] OptionArrays ToArrays(const std::map<std::string, std::string>& options);

// The text of matchmaking.option_lines: "name=value" lines, empty for no options. INTERNAL for
// anything else.
[[nodiscard]] absl::StatusOr<std::map<std::string, std::string>> ParseOptionLines(
    std::string_view lines);

// A pool as one text: what its advisory lock is made from. Two pools have two keys.
[[nodiscard]] std::string PoolKey(const matching::Pool& pool);

// The columns, in this order: id, request, player, variant, option lines, base, currency, asked
// base, state, match, failure reason, queued at and expires at in microseconds, table, address,
// seat.
[[nodiscard]] absl::StatusOr<std::vector<Ticket>> ReadTickets(const pg::Result& result);

// The columns, in this order: variant, option lines, base, currency.
[[nodiscard]] absl::StatusOr<std::vector<matching::Pool>> ReadPools(const pg::Result& result);

// Four rows for each match, ordered by match and seat. The columns, in this order: match, variant,
// option lines, base, currency, attempts, ticket, player.
[[nodiscard]] absl::StatusOr<std::vector<Match>> ReadMatches(const pg::Result& result);

// The columns, in this order: match, table, address, player; ordered by match.
[[nodiscard]] absl::StatusOr<std::vector<SeatCheck>> ReadSeatChecks(const pg::Result& result);

}  // namespace mj::matchmaking::store
