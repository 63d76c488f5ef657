// Matches: making, taking over, assigning, giving up.
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "services/matchmaking/store/pg_store.h"
#include "services/matchmaking/store/queue_rows.h"
#include "services/matchmaking/store/rows.h"

namespace mj::matchmaking::store {
namespace {

using std::int64_t;
using std::string;

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
  // From pool to pool along the index, and of each its four oldest: every replica asks many times a
  // second, however long the queues are.
  MJ_ASSIGN_OR_RETURN(const pg::Result pools, pool_.Execute(Deadline(), R"(
      WITH RECURSIVE pools AS (
        (SELECT t.variant, t.base, t.currency, t.media, t.room_id, t.options
           FROM matchmaking.tickets t WHERE t.state = 'queued'
          ORDER BY t.variant, t.base, t.currency, t.media, t.room_id, t.options LIMIT 1)
        UNION ALL
        SELECT n.*
          FROM pools p
         CROSS JOIN LATERAL (
           SELECT t.variant, t.base, t.currency, t.media, t.room_id, t.options
             FROM matchmaking.tickets t
            WHERE t.state = 'queued'
              AND (t.variant, t.base, t.currency, t.media, t.room_id, t.options)
                > (p.variant, p.base, p.currency, p.media, p.room_id, p.options)
            ORDER BY t.variant, t.base, t.currency, t.media, t.room_id, t.options LIMIT 1) n)
      SELECT p.variant, matchmaking.option_lines(p.options), p.base, p.currency, p.media, p.room_id
        FROM pools p
       CROSS JOIN LATERAL (
         SELECT count(*) AS number, bool_or(q.bots <> 'none') AS bots, min(q.queued_at) AS since
           FROM (SELECT t.bots, t.queued_at
                   FROM matchmaking.tickets t
                  WHERE t.state = 'queued' AND t.variant = p.variant AND t.base = p.base
                    AND t.currency = p.currency AND t.media = p.media AND t.room_id = p.room_id
                    AND t.options = p.options AND t.expires_at > now()
                    AND NOT EXISTS (SELECT FROM matchmaking.live_seats s
                                     WHERE s.player_id = t.player_id)
                  ORDER BY t.queued_at, t.id LIMIT 4) q) w
       WHERE w.number = 4 OR w.bots
       ORDER BY w.since)"));
  return ReadPools(pools);
}

absl::StatusOr<std::vector<Match>> PgStore::MakeMatches(const matching::Pool& pool,
                                                        const QueueOptions& options,
                                                        const FormMatches& form) {
  std::vector<Match> made;
  MJ_RETURN_IF_ERROR(pool_.Run(Deadline(), [&](pg::Transaction& tx) -> absl::Status {
    made.clear();
    MJ_ASSIGN_OR_RETURN(const bool mine, TakePool(tx, pool));
    if (!mine) return absl::OkStatus();

    MJ_ASSIGN_OR_RETURN(std::vector<matching::Ticket> queue, LockQueue(tx, pool, options.limit));
    if (queue.empty()) return absl::OkStatus();
    MJ_ASSIGN_OR_RETURN(const matching::TimeMs now, ReadPairs(tx, queue, options.met_for));
    const std::vector<NewMatch> wanted = form(queue, now);
    if (wanted.empty()) return absl::OkStatus();
    MatchArrays rows;
    for (const NewMatch& one : wanted) {
      Match& match = made.emplace_back();
      match.id = one.id;
      match.pool = pool;
      match.media_room = one.media_room;
      match.bot_strength = one.bot_strength;
      rows.Add(one.id, one.media_room, one.why, one.bot_strength);
      for (std::size_t seat = 0; seat < one.tickets.size(); ++seat) {
        const matching::Ticket& ticket = queue.at(one.tickets[seat]);
        const string token = one.tokens.empty() ? string() : one.tokens.at(seat);
        match.members.push_back({TicketId(ticket.id), PlayerId(ticket.player), token});
        rows.AddMember(static_cast<int>(seat), ticket, token);
      }
    }
    return InsertMatches(tx, pool, rows, options.lease);
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
               m.room_id, m.media_room_id, m.attempts, mm.ticket_id, mm.player_id, mm.seat,
               m.refill_table, m.refill_address, mm.join_token, m.bot_strength
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
    if (match.refill && failures.empty()) {
      // What has been told of the table since then stands.
      MJ_RETURN_IF_ERROR(
          tx.Execute("DELETE FROM matchmaking.open_tables WHERE table_id = $1 AND changed_at <"
                     " (SELECT made_at FROM matchmaking.matches WHERE id = $2)",
                     match.refill->place.table.value(), match.id.value())
              .status());
    }
    MJ_RETURN_IF_ERROR(Fail(tx, match.id, failures));
    MJ_RETURN_IF_ERROR(Requeue(tx, match.id));
    MJ_RETURN_IF_ERROR(
        tx.Execute("DELETE FROM matchmaking.live_seats WHERE match_id = $1", match.id.value())
            .status());
    return tx
        .Execute(
            "UPDATE matchmaking.match_members SET released_at = now(), seated_at = NULL"
            " WHERE match_id = $1",
            match.id.value())
        .status();
  });
}

}  // namespace mj::matchmaking::store
