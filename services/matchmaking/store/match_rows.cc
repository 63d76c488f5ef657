// Matches: making, taking over, assigning, giving up.
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "services/matchmaking/store/pg_store.h"
#include "services/matchmaking/store/rows.h"

namespace mj::matchmaking::store {
namespace {

using std::int64_t;
using std::string;

// The pool's oldest tickets that can be matched, locked; those that others hold are left out.
absl::StatusOr<std::vector<matching::Ticket>> LockQueue(pg::Transaction& tx,
                                                        const matching::Pool& pool,
                                                        std::size_t limit) {
  const OptionArrays options = ToArrays(pool.options);
  MJ_ASSIGN_OR_RETURN(const pg::Result locked,
                      tx.Execute(R"(
      SELECT t.id, t.player_id, t.party_id, t.party_size, t.rating, t.device_id, t.network,
             CASE WHEN t.latency = '{}' THEN '' ELSE matchmaking.option_lines(t.latency) END,
             array_to_string(t.avoid, ','), (extract(epoch FROM t.queued_at) * 1000)::bigint,
             (extract(epoch FROM t.expires_at) * 1000)::bigint
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

// Fills in who of the queue met whom and who is kept apart from whom, and says what time it is.
absl::StatusOr<matching::TimeMs> ReadPairs(pg::Transaction& tx,
                                           std::vector<matching::Ticket>& queue, Millis met_for) {
  std::vector<string> players;
  std::map<std::string_view, matching::Ticket*> by_player;
  for (matching::Ticket& ticket : queue) {
    players.push_back(ticket.player);
    by_player.emplace(ticket.player, &ticket);
  }
  const pg::Statement statements[] = {
      pg::Statement("SELECT (extract(epoch FROM now()) * 1000)::bigint"),
      pg::Statement(R"(
      SELECT a.player_id, b.player_id
        FROM matchmaking.match_members a
        JOIN matchmaking.match_members b ON b.match_id = a.match_id AND b.player_id <> a.player_id
       WHERE a.player_id = ANY ($1::text[]) AND b.player_id = ANY ($1::text[])
         AND a.seated_at > now() - $2::bigint * interval '1 millisecond'
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

// New matches, and their members, as parallel arrays, for unnest.
struct MatchArrays {
  std::vector<string> matches;
  std::vector<string> media_rooms;  // empty: none
  std::vector<string> regions;
  std::vector<int64_t> latencies;
  std::vector<int64_t> ratings_apart;
  std::vector<int64_t> rating_windows;
  std::vector<int64_t> parties;
  std::vector<int64_t> met_again;
  // One for each member:
  std::vector<string> member_matches;
  std::vector<int64_t> seats;
  std::vector<string> tickets;
  std::vector<string> players;
};

MatchArrays ToMatchArrays(const std::vector<NewMatch>& matches,
                          const std::vector<matching::Ticket>& queue) {
  MatchArrays arrays;
  for (const NewMatch& match : matches) {
    arrays.matches.push_back(match.id.value());
    arrays.media_rooms.push_back(match.media_room);
    arrays.regions.push_back(match.why.region.name);
    arrays.latencies.push_back(match.why.region.latency);
    arrays.ratings_apart.push_back(match.why.rating_apart);
    arrays.rating_windows.push_back(match.why.rating_window);
    arrays.parties.push_back(match.why.parties);
    arrays.met_again.push_back(match.why.met_again);
    for (std::size_t seat = 0; seat < kSeats; ++seat) {
      arrays.member_matches.push_back(match.id.value());
      arrays.seats.push_back(static_cast<int64_t>(seat));
      arrays.tickets.push_back(queue.at(match.tickets[seat]).id);
      arrays.players.push_back(queue.at(match.tickets[seat]).player);
    }
  }
  return arrays;
}

// REQUIRES that the matches' tickets are locked and queued.
absl::Status Insert(pg::Transaction& tx, const matching::Pool& pool, const MatchArrays& rows,
                    Millis lease) {
  const OptionArrays options = ToArrays(pool.options);
  const pg::Statement statements[] = {
      pg::Statement(R"(
      INSERT INTO matchmaking.matches (id, variant, options, base, currency, media, room_id,
             media_room_id, region, latency_ms, rating_apart, rating_window, parties, met_again,
             next_attempt_at, made_at, changed_at)
      SELECT w.id, $9, jsonb_object($10::text[], $11::text[]), $12, $13, $14, $15,
             nullif(w.media_room, ''), w.region, w.latency, w.apart,
             nullif(w.rating_window, 9223372036854775807), w.parties, w.met_again,
             now() + $16::bigint * interval '1 millisecond', now(), now()
        FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[],
                    $7::bigint[], $8::bigint[])
             AS w (id, media_room, region, latency, apart, rating_window, parties, met_again))",
                    rows.matches, rows.media_rooms, rows.regions, rows.latencies,
                    rows.ratings_apart, rows.rating_windows, rows.parties, rows.met_again,
                    pool.variant, options.names, options.values, pool.base, pool.currency,
                    ToText(pool.media), pool.room, lease.count()),
      pg::Statement(R"(
      INSERT INTO matchmaking.match_members (match_id, seat, ticket_id, player_id)
      SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[]))",
                    rows.member_matches, rows.seats, rows.tickets, rows.players),
      pg::Statement(R"(
      INSERT INTO matchmaking.live_seats (player_id, match_id, seat, taken_at)
      SELECT m.*, now() FROM unnest($1::text[], $2::text[], $3::bigint[]) AS m)",
                    rows.players, rows.member_matches, rows.seats),
      pg::Statement(R"(
      UPDATE matchmaking.tickets t SET state = 'matched', match_id = m.match_id, changed_at = now()
        FROM unnest($1::text[], $2::text[]) AS m (ticket_id, match_id)
       WHERE t.id = m.ticket_id AND t.state = 'queued')",
                    rows.tickets, rows.member_matches)};
  MJ_ASSIGN_OR_RETURN(const auto results, tx.ExecuteTogether(statements));
  if (results[3].affected() != static_cast<int64_t>(rows.tickets.size())) {
    return absl::InternalError("a ticket was matched twice");
  }
  return absl::OkStatus();
}

// Changes the state of an unfinished match that is still the caller's; false if it is not.
absl::StatusOr<bool> Finish(pg::Transaction& tx, const Match& match, std::string_view state,
                            std::string_view reason, Millis retry_after) {
  MJ_ASSIGN_OR_RETURN(const pg::Result changed, tx.Execute(R"(
      UPDATE matchmaking.matches
         SET state = $3, last_reason = $4, changed_at = now(),
             next_attempt_at = now() + $5::bigint * interval '1 millisecond'
       WHERE id = $1 AND attempts = $2 AND state IN ('proposed', 'abandoned'))",
                                                           match.id.value(), match.attempts, state,
                                                           reason, retry_after.count()));
  return changed.affected() == 1;
}

absl::Status Requeue(pg::Transaction& tx, const MatchId& match) {
  return tx
      .Execute(R"(
      UPDATE matchmaking.tickets t SET state = 'queued', match_id = NULL, changed_at = now()
        FROM matchmaking.match_members mm
       WHERE mm.match_id = $1 AND t.id = mm.ticket_id AND t.state = 'matched' AND t.match_id = $1)",
               match.value())
      .status();
}

absl::Status Fail(pg::Transaction& tx, const MatchId& match, std::span<const Failure> failures) {
  if (failures.empty()) return absl::OkStatus();
  std::vector<string> players;
  std::vector<string> reasons;
  for (const Failure& failure : failures) {
    players.push_back(failure.player.value());
    reasons.push_back(failure.reason);
  }
  return tx
      .Execute(R"(
      UPDATE matchmaking.tickets t
         SET state = 'failed', match_id = NULL, failure_reason = f.reason, changed_at = now()
        FROM matchmaking.match_members mm
        JOIN unnest($2::text[], $3::text[]) AS f (player_id, reason) USING (player_id)
        JOIN matchmaking.tickets named ON named.id = mm.ticket_id
       WHERE mm.match_id = $1
         AND (t.id = named.id OR t.party_id = named.party_id)
         AND (t.state = 'matched' AND t.match_id = $1
              OR t.state = 'queued' AND t.expires_at > now()))",
               match.value(), players, reasons)
      .status();
}

}  // namespace

absl::StatusOr<std::vector<matching::Pool>> PgStore::FullPools() {
  MJ_ASSIGN_OR_RETURN(const pg::Result pools, pool_.Execute(Deadline(), R"(
      SELECT variant, matchmaking.option_lines(options), base, currency, media, room_id
        FROM (SELECT t.variant, t.options, t.base, t.currency, t.media, t.room_id
                FROM matchmaking.tickets t
               WHERE t.state = 'queued' AND t.expires_at > now()
                 AND NOT EXISTS (SELECT FROM matchmaking.live_seats s
                                  WHERE s.player_id = t.player_id)
               GROUP BY t.variant, t.options, t.base, t.currency, t.media, t.room_id
              HAVING count(*) >= 4
               ORDER BY min(t.queued_at)) p)"));
  return ReadPools(pools);
}

absl::StatusOr<std::vector<Match>> PgStore::MakeMatches(const matching::Pool& pool,
                                                        const QueueOptions& options,
                                                        const FormMatches& form) {
  std::vector<Match> made;
  MJ_RETURN_IF_ERROR(pool_.Run(Deadline(), [&](pg::Transaction& tx) -> absl::Status {
    made.clear();
    // Two replicas at one pool would each hold a part of it and see fewer than four.
    MJ_ASSIGN_OR_RETURN(
        const pg::Result lock,
        tx.Execute("SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0))", PoolKey(pool)));
    MJ_ASSIGN_OR_RETURN(const auto mine, lock.One<bool>());
    if (!std::get<0>(mine)) return absl::OkStatus();

    MJ_ASSIGN_OR_RETURN(std::vector<matching::Ticket> queue, LockQueue(tx, pool, options.limit));
    if (queue.empty()) return absl::OkStatus();
    MJ_ASSIGN_OR_RETURN(const matching::TimeMs now, ReadPairs(tx, queue, options.met_for));
    const std::vector<NewMatch> wanted = form(queue, now);
    if (wanted.empty()) return absl::OkStatus();
    for (const NewMatch& one : wanted) {
      Match& match = made.emplace_back();
      match.id = one.id;
      match.pool = pool;
      match.media_room = one.media_room;
      for (std::size_t seat = 0; seat < kSeats; ++seat) {
        const matching::Ticket& ticket = queue.at(one.tickets[seat]);
        match.members[seat] = {TicketId(ticket.id), PlayerId(ticket.player)};
      }
    }
    const absl::Status inserted = Insert(tx, pool, ToMatchArrays(wanted, queue), options.lease);
    // A seat that came into being after the queue was read: read it again.
    if (absl::IsAlreadyExists(inserted)) return absl::AbortedError("live_seats: changed meanwhile");
    return inserted;
  }));
  return made;
}

absl::StatusOr<std::vector<Match>> PgStore::ClaimDueMatches(std::size_t limit, Millis lease) {
  std::vector<Match> claimed;
  MJ_RETURN_IF_ERROR(pool_.Run(Deadline(), [&](pg::Transaction& tx) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(const pg::Result due, tx.Execute(R"(
        UPDATE matchmaking.matches
           SET attempts = attempts + 1,
               next_attempt_at = now() + $2::bigint * interval '1 millisecond'
         WHERE id IN (SELECT id FROM matchmaking.matches
                       WHERE state IN ('proposed', 'abandoned') AND next_attempt_at <= now()
                       ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
        RETURNING id)",
                                                         limit, lease.count()));
    MJ_ASSIGN_OR_RETURN(const auto rows, due.Rows<string>());
    std::vector<string> ids;
    for (const auto& [id] : rows) ids.push_back(id);
    MJ_ASSIGN_OR_RETURN(const pg::Result members, tx.Execute(R"(
        SELECT m.id, m.variant, matchmaking.option_lines(m.options), m.base, m.currency, m.media,
               m.room_id, m.media_room_id, m.attempts, mm.ticket_id, mm.player_id
          FROM matchmaking.matches m JOIN matchmaking.match_members mm ON mm.match_id = m.id
         WHERE m.id = ANY ($1::text[]) ORDER BY m.id, mm.seat)",
                                                             ids));
    MJ_ASSIGN_OR_RETURN(claimed, ReadMatches(members));
    return absl::OkStatus();
  }));
  return claimed;
}

absl::StatusOr<Backlog> PgStore::CountBacklog() {
  MJ_ASSIGN_OR_RETURN(const pg::Result counted, pool_.Execute(Deadline(), R"(
      SELECT q.number, (extract(epoch FROM now() - q.oldest) * 1000)::bigint,
             m.number, (extract(epoch FROM now() - m.oldest) * 1000)::bigint,
             (SELECT count(*) FROM matchmaking.live_seats)
        FROM (SELECT count(*) AS number, coalesce(min(queued_at), now()) AS oldest
                FROM matchmaking.tickets WHERE state = 'queued' AND expires_at > now()) q,
             (SELECT count(*) AS number, coalesce(min(made_at), now()) AS oldest
                FROM matchmaking.matches WHERE state IN ('proposed', 'abandoned')) m)"));
  MJ_ASSIGN_OR_RETURN(const auto row, (counted.One<int64_t, int64_t, int64_t, int64_t, int64_t>()));
  const auto& [queued, oldest_queued, unfinished, oldest_unfinished, seats] = row;
  return Backlog{queued, Millis(oldest_queued), unfinished, Millis(oldest_unfinished), seats};
}

absl::Status PgStore::AbandonMatch(const Match& match, std::string_view reason,
                                   Millis retry_after) {
  return pool_.Run(Deadline(), [&](pg::Transaction& tx) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(const bool mine, Finish(tx, match, "abandoned", reason, retry_after));
    return mine ? Requeue(tx, match.id) : absl::OkStatus();
  });
}

absl::Status PgStore::ReleaseMatch(const Match& match, std::string_view reason,
                                   std::span<const Failure> failures) {
  return pool_.Run(Deadline(), [&](pg::Transaction& tx) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(const bool mine, Finish(tx, match, "released", reason, Millis(0)));
    if (!mine) return absl::OkStatus();
    MJ_RETURN_IF_ERROR(Fail(tx, match.id, failures));
    MJ_RETURN_IF_ERROR(Requeue(tx, match.id));
    MJ_RETURN_IF_ERROR(
        tx.Execute("DELETE FROM matchmaking.live_seats WHERE match_id = $1", match.id.value())
            .status());
    return tx
        .Execute("UPDATE matchmaking.match_members SET released_at = now() WHERE match_id = $1",
                 match.id.value())
        .status();
  });
}

}  // namespace mj::matchmaking::store
