// Rows ↔ the nouns of app.
#pragma once

#include <cstdint>
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

// Latencies as the text of a JSON object. REQUIRES: regions that are ids.
[[nodiscard]] std::string ToJson(const std::map<std::string, int>& latency);

// Ids as one text with commas between them, and back; empty for none.
template <typename Ids>
[[nodiscard]] std::string JoinIds(const Ids& ids) {
  std::string text;
  for (const auto& id : ids) {
    if (!text.empty()) text += ',';
    text += id.value();
  }
  return text;
}
[[nodiscard]] std::vector<PlayerId> SplitIds(std::string_view text);

[[nodiscard]] std::string_view ToText(matching::Media media);
[[nodiscard]] absl::StatusOr<matching::Media> ParseMedia(std::string_view text);
[[nodiscard]] std::string_view ToText(matching::Bots bots);
[[nodiscard]] absl::StatusOr<matching::Bots> ParseBots(std::string_view text);
[[nodiscard]] std::int64_t ToNumber(matching::BotStrength strength);
[[nodiscard]] absl::StatusOr<matching::BotStrength> ParseStrength(std::int64_t number);
[[nodiscard]] absl::StatusOr<std::map<std::string, int>> ParseLatencyLines(std::string_view lines);

// A pool from its columns. INTERNAL for options or media that are none.
[[nodiscard]] absl::StatusOr<matching::Pool> ReadPool(std::string_view variant,
                                                      std::string_view option_lines,
                                                      std::int64_t base, std::string_view currency,
                                                      std::string_view media,
                                                      std::string_view room);

// The select list of ReadTickets, from tickets t, with matches m and match_members mm joined where
// the ticket is assigned.
inline constexpr std::string_view kTicketColumns = R"(
    t.id, t.request_id, t.player_id, t.variant,
    CASE WHEN t.options = '{}' THEN '' ELSE matchmaking.option_lines(t.options) END, t.base,
    t.currency, t.media, t.room_id, t.asked_base, t.asked_room, t.device_id, t.network,
    CASE WHEN t.latency = '{}' THEN '' ELSE matchmaking.option_lines(t.latency) END,
    array_to_string(t.avoid, ','),
    CASE WHEN t.party_id IS NULL THEN '' ELSE
      (SELECT string_agg(f.player_id, ',' ORDER BY f.place) FROM matchmaking.tickets f
        WHERE f.party_id = t.party_id) END,
    t.rating,
    CASE WHEN t.state = 'queued' AND t.expires_at <= now() THEN 'expired' ELSE t.state END,
    t.match_id, t.failure_reason, (extract(epoch FROM t.queued_at) * 1000000)::bigint,
    (extract(epoch FROM t.expires_at) * 1000000)::bigint, m.table_id, m.table_address, mm.seat,
    m.region, m.media_room_id, t.bots, t.bot_strength, mm.join_token)";
inline constexpr std::string_view kTicketJoins = R"(
    FROM matchmaking.tickets t
    LEFT JOIN matchmaking.matches m ON m.id = t.match_id AND t.state = 'assigned'
    LEFT JOIN matchmaking.match_members mm ON mm.match_id = m.id AND mm.ticket_id = t.id)";
[[nodiscard]] absl::StatusOr<std::vector<Ticket>> ReadTickets(const pg::Result& result);

// The columns, in this order: ticket, player, party (NULL if alone), its size, rating, device,
// network, latency lines, avoided players, queued at and expires at in milliseconds, bots, their strength.
[[nodiscard]] absl::StatusOr<std::vector<matching::Ticket>> ReadQueue(const pg::Result& result,
                                                                      const matching::Pool& pool);

// The columns, in this order: variant, option lines, base, currency, media, room.
[[nodiscard]] absl::StatusOr<std::vector<matching::Pool>> ReadPools(const pg::Result& result);

// Four rows for each match, or one that refills a table, ordered by match and seat. The columns, in this
// order: match, variant, option lines, base, currency, media, room, media room, attempts, ticket, player,
// seat, table and address to be refilled, join token, the bots' strength.
[[nodiscard]] absl::StatusOr<std::vector<Match>> ReadMatches(const pg::Result& result);

// The columns, in this order: match, table, address, player; ordered by match.
[[nodiscard]] absl::StatusOr<std::vector<SeatCheck>> ReadSeatChecks(const pg::Result& result);

}  // namespace mj::matchmaking::store
