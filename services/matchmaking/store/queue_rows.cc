// The queue of a pool, and matches as rows.
#include "services/matchmaking/store/queue_rows.h"

#include <map>
#include <string_view>
#include <tuple>

#include "libs/base/status.h"
#include "services/matchmaking/store/rows.h"

namespace mj::matchmaking::store {

using std::int64_t;
using std::string;

absl::StatusOr<bool> TakePool(pg::Transaction& tx, const matching::Pool& pool) {
  MJ_ASSIGN_OR_RETURN(
      const pg::Result lock,
      tx.Execute("SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))", PoolKey(pool)));
  MJ_ASSIGN_OR_RETURN(const auto mine, lock.One<bool>());
  return std::get<0>(mine);
}

absl::StatusOr<std::vector<matching::Ticket>> LockQueue(pg::Transaction& tx,
                                                        const matching::Pool& pool,
                                                        std::size_t limit) {
  const OptionArrays options = ToArrays(pool.options);
  MJ_ASSIGN_OR_RETURN(const pg::Result locked,
                      tx.Execute(R"(
      SELECT t.id, t.player_id, t.party_id, t.party_size, t.rating, t.device_id, t.network,
             CASE WHEN t.latency = '{}' THEN '' ELSE matchmaking.option_lines(t.latency) END,
             array_to_string(t.avoid, ','), (extract(epoch FROM t.queued_at) * 1000)::bigint,
             (extract(epoch FROM t.expires_at) * 1000)::bigint, t.bots, t.bot_strength
        FROM matchmaking.tickets t
       WHERE t.state = 'queued' AND t.variant = $1 AND t.base = $2 AND t.currency = $3
         AND t.media = $4 AND t.room_id = $5 AND t.options = jsonb_object($6::text[], $7::text[])
         AND t.expires_at > now()
         AND NOT EXISTS (SELECT FROM matchmaking.live_seats s WHERE s.player_id = t.player_id)
       ORDER BY t.queued_at, t.id
       LIMIT $8 FOR UPDATE OF t SKIP LOCKED)",
                                 pool.variant, pool.base, pool.currency, ToText(pool.media),
                                 pool.room, options.names, options.values, limit));
  return ReadQueue(locked, pool);
}

absl::StatusOr<matching::TimeMs> ReadPairs(pg::Transaction& tx,
                                           std::vector<matching::Ticket>& tickets, Millis met_for) {
  std::vector<string> players;
  std::map<std::string_view, matching::Ticket*> by_player;
  for (matching::Ticket& ticket : tickets) {
    players.push_back(ticket.player);
    by_player.emplace(ticket.player, &ticket);
  }
  // They have met since their match was assigned; it was made not long before that, which is what bounds how
  // much of a player's past is looked at.
  const pg::Statement statements[] = {
      pg::Statement("SELECT (extract(epoch FROM now()) * 1000)::bigint"),
      pg::Statement(R"(
      SELECT a.player_id, b.player_id
        FROM matchmaking.match_members a
        JOIN matchmaking.match_members b ON b.match_id = a.match_id AND b.player_id <> a.player_id
        JOIN matchmaking.matches m ON m.id = a.match_id AND m.state = 'assigned'
         AND m.changed_at > now() - $2::bigint * interval '1 millisecond'
       WHERE a.player_id = ANY ($1::text[]) AND b.player_id = ANY ($1::text[])
         AND a.seated_at > now() - $2::bigint * interval '1 millisecond' - interval '1 hour'
      UNION ALL
      SELECT x.one, x.other
        FROM matchmaking.meetings m
       CROSS JOIN LATERAL (VALUES (m.player_id, m.other_id), (m.other_id, m.player_id))
             AS x (one, other)
       WHERE m.player_id = ANY ($1::text[]) AND m.other_id = ANY ($1::text[])
         AND m.met_at > now() - $2::bigint * interval '1 millisecond')",
                    players, met_for.count()),
      pg::Statement(R"(
      SELECT player_id, other_id FROM matchmaking.kept_apart
       WHERE player_id = ANY ($1::text[]) AND other_id = ANY ($1::text[]) AND ends_at > now())",
                    players)};
  MJ_ASSIGN_OR_RETURN(const auto results, tx.ExecuteTogether(statements));
  MJ_ASSIGN_OR_RETURN(const auto now, results[0].One<int64_t>());
  MJ_ASSIGN_OR_RETURN(const auto pairs, (results[1].Rows<string, string>()));
  for (const auto& [one, other] : pairs) by_player.at(one)->met.insert(other);
  MJ_ASSIGN_OR_RETURN(const auto apart, (results[2].Rows<string, string>()));
  for (const auto& [one, other] : apart) by_player.at(one)->avoid.insert(other);
  return std::get<0>(now);
}

void MatchArrays::Add(const MatchId& match, const string& media_room, const matching::Why& why,
                      matching::BotStrength strength, const TablePlace& refill) {
  matches.push_back(match.value());
  media_rooms.push_back(media_room);
  regions.push_back(why.region.name);
  latencies.push_back(why.region.latency);
  ratings_apart.push_back(why.rating_apart);
  rating_windows.push_back(why.rating_window);
  parties.push_back(why.parties);
  met_again.push_back(why.met_again);
  strengths.push_back(ToNumber(strength));
  refill_tables.push_back(refill.table.value());
  refill_addresses.push_back(refill.address);
}

void MatchArrays::AddMember(int seat, const matching::Ticket& ticket, const string& token) {
  member_matches.push_back(matches.back());
  seats.push_back(seat);
  tickets.push_back(ticket.id);
  players.push_back(ticket.player);
  tokens.push_back(token);
}

absl::Status InsertMatches(pg::Transaction& tx, const matching::Pool& pool, const MatchArrays& rows,
                           Millis lease) {
  const OptionArrays options = ToArrays(pool.options);
  const pg::Statement statements[] = {
      pg::Statement(R"(
      INSERT INTO matchmaking.matches (id, variant, options, base, currency, media, room_id,
             media_room_id, region, latency_ms, rating_apart, rating_window, parties, met_again,
             refill_table, refill_address, bot_strength, next_attempt_at, made_at, changed_at)
      SELECT w.id, $11, jsonb_object($12::text[], $13::text[]), $14, $15, $16, $17,
             nullif(w.media_room, ''), w.region, w.latency, w.apart,
             nullif(w.rating_window, 9223372036854775807), w.parties, w.met_again,
             nullif(w.refill_table, ''),
             CASE WHEN w.refill_table <> '' THEN w.refill_address END,
             w.strength, now() + $18::bigint * interval '1 millisecond', now(), now()
        FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[],
                    $7::bigint[], $8::bigint[], $9::text[], $10::text[], $19::bigint[])
             AS w (id, media_room, region, latency, apart, rating_window, parties, met_again,
                   refill_table, refill_address, strength))",
                    rows.matches, rows.media_rooms, rows.regions, rows.latencies,
                    rows.ratings_apart, rows.rating_windows, rows.parties, rows.met_again,
                    rows.refill_tables, rows.refill_addresses, pool.variant, options.names,
                    options.values, pool.base, pool.currency, ToText(pool.media), pool.room,
                    lease.count(), rows.strengths),
      pg::Statement(R"(
      INSERT INTO matchmaking.match_members (match_id, seat, ticket_id, player_id, join_token,
             seated_at)
      SELECT m.*, now()
        FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[]) AS m)",
                    rows.member_matches, rows.seats, rows.tickets, rows.players, rows.tokens),
      pg::Statement(R"(
      INSERT INTO matchmaking.live_seats (player_id, match_id, seat, taken_at)
      SELECT m.*, now() FROM unnest($1::text[], $2::text[], $3::bigint[]) AS m)",
                    rows.players, rows.member_matches, rows.seats),
      pg::Statement(R"(
      UPDATE matchmaking.tickets t SET state = 'matched', match_id = m.match_id, changed_at = now()
        FROM unnest($1::text[], $2::text[]) AS m (ticket_id, match_id)
       WHERE t.id = m.ticket_id AND t.state = 'queued')",
                    rows.tickets, rows.member_matches)};
  const auto results = tx.ExecuteTogether(statements);
  // A seat that came into being after the queue was read: read it again.
  if (absl::IsAlreadyExists(results.status())) {
    return absl::AbortedError("live_seats: changed meanwhile");
  }
  MJ_RETURN_IF_ERROR(results.status());
  if (results->at(3).affected() != static_cast<int64_t>(rows.tickets.size())) {
    return absl::InternalError("a ticket was matched twice");
  }
  return absl::OkStatus();
}

}  // namespace mj::matchmaking::store
