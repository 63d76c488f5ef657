// Matches: making, taking over, assigning, giving up.
#include <cstdint>
#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "services/matchmaking/store/pg_store.h"
#include "services/matchmaking/store/rows.h"

namespace mj::matchmaking::store {
namespace {

using std::int64_t;
using std::string;

// New matches as parallel arrays, for unnest.
struct MatchArrays {
  std::vector<string> matches;
  // One for each member:
  std::vector<string> member_matches;
  std::vector<int64_t> seats;
  std::vector<string> tickets;
  std::vector<string> players;
};

MatchArrays ToMatchArrays(const std::vector<Match>& matches) {
  MatchArrays arrays;
  for (const Match& match : matches) {
    arrays.matches.push_back(match.id.value());
    for (std::size_t seat = 0; seat < kSeats; ++seat) {
      arrays.member_matches.push_back(match.id.value());
      arrays.seats.push_back(static_cast<int64_t>(seat));
      arrays.tickets.push_back(match.members[seat].ticket.value());
      arrays.players.push_back(match.members[seat].player.value());
    }
  }
  return arrays;
}

// The pool's oldest tickets that can be matched, locked; those that others hold are left out.
absl::StatusOr<std::vector<matching::Ticket>> LockQueue(pg::Transaction& tx,
                                                        const matching::Pool& pool,
                                                        std::size_t limit, matching::TimeMs& now) {
  const OptionArrays options = ToArrays(pool.options);
  MJ_ASSIGN_OR_RETURN(const pg::Result locked, tx.Execute(R"(
      SELECT t.id, t.player_id, (extract(epoch FROM t.queued_at) * 1000)::bigint,
             (extract(epoch FROM t.expires_at) * 1000)::bigint,
             (extract(epoch FROM now()) * 1000)::bigint
        FROM matchmaking.tickets t
       WHERE t.state = 'queued' AND t.variant = $1 AND t.base = $2 AND t.currency = $3
         AND t.options = jsonb_object($4::text[], $5::text[]) AND t.expires_at > now()
         AND NOT EXISTS (SELECT FROM matchmaking.live_seats s WHERE s.player_id = t.player_id)
       ORDER BY t.queued_at, t.id
       LIMIT $6 FOR UPDATE OF t SKIP LOCKED)",
                                                          pool.variant, pool.base, pool.currency,
                                                          options.names, options.values, limit));
  MJ_ASSIGN_OR_RETURN(const auto rows, (locked.Rows<string, string, int64_t, int64_t, int64_t>()));
  std::vector<matching::Ticket> queue;
  for (const auto& [id, player, queued_at, expires_at, at] : rows) {
    queue.push_back({id, player, pool, queued_at, expires_at});
    now = at;
  }
  return queue;
}

// REQUIRES that the matches' tickets are locked and queued.
absl::Status Insert(pg::Transaction& tx, const matching::Pool& pool,
                    const std::vector<Match>& matches, Millis lease) {
  const OptionArrays options = ToArrays(pool.options);
  const MatchArrays rows = ToMatchArrays(matches);
  MJ_RETURN_IF_ERROR(tx.Execute(R"(
      INSERT INTO matchmaking.matches (id, variant, options, base, currency, next_attempt_at,
                                       made_at, changed_at)
      SELECT id, $2, jsonb_object($3::text[], $4::text[]), $5, $6,
             now() + $7::bigint * interval '1 millisecond', now(), now()
        FROM unnest($1::text[]) AS id)",
                                rows.matches, pool.variant, options.names, options.values,
                                pool.base, pool.currency, lease.count())
                         .status());
  MJ_RETURN_IF_ERROR(tx.Execute(R"(
      INSERT INTO matchmaking.match_members (match_id, seat, ticket_id, player_id)
      SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[]))",
                                rows.member_matches, rows.seats, rows.tickets, rows.players)
                         .status());
  MJ_RETURN_IF_ERROR(tx.Execute(R"(
      INSERT INTO matchmaking.live_seats (player_id, match_id, seat, taken_at)
      SELECT m.*, now() FROM unnest($1::text[], $2::text[], $3::bigint[]) AS m)",
                                rows.players, rows.member_matches, rows.seats)
                         .status());
  MJ_ASSIGN_OR_RETURN(const pg::Result matched, tx.Execute(R"(
      UPDATE matchmaking.tickets t SET state = 'matched', match_id = m.match_id, changed_at = now()
        FROM unnest($1::text[], $2::text[]) AS m (ticket_id, match_id)
       WHERE t.id = m.ticket_id AND t.state = 'queued')",
                                                           rows.tickets, rows.member_matches));
  if (matched.affected() != static_cast<int64_t>(rows.tickets.size())) {
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
       WHERE mm.match_id = $1 AND t.id = mm.ticket_id
         AND (t.state = 'matched' AND t.match_id = $1
              OR t.state = 'queued' AND t.expires_at > now()))",
               match.value(), players, reasons)
      .status();
}

}  // namespace

absl::StatusOr<std::vector<matching::Pool>> PgStore::FullPools() {
  MJ_ASSIGN_OR_RETURN(const pg::Result pools, pool_.Execute(Deadline(), R"(
      SELECT variant, matchmaking.option_lines(options), base, currency
        FROM (SELECT t.variant, t.options, t.base, t.currency
                FROM matchmaking.tickets t
               WHERE t.state = 'queued' AND t.expires_at > now()
                 AND NOT EXISTS (SELECT FROM matchmaking.live_seats s
                                  WHERE s.player_id = t.player_id)
               GROUP BY t.variant, t.options, t.base, t.currency
              HAVING count(*) >= 4
               ORDER BY min(t.queued_at)) p)"));
  return ReadPools(pools);
}

absl::StatusOr<std::vector<Match>> PgStore::MakeMatches(const matching::Pool& pool,
                                                        std::size_t limit, Millis lease,
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

    matching::TimeMs now = 0;
    MJ_ASSIGN_OR_RETURN(const std::vector<matching::Ticket> queue, LockQueue(tx, pool, limit, now));
    if (queue.empty()) return absl::OkStatus();
    for (const NewMatch& wanted : form(queue, now)) {
      Match& match = made.emplace_back();
      match.id = wanted.id;
      match.pool = pool;
      for (std::size_t seat = 0; seat < kSeats; ++seat) {
        const matching::Ticket& ticket = queue.at(wanted.tickets[seat]);
        match.members[seat] = {TicketId(ticket.id), PlayerId(ticket.player)};
      }
    }
    if (made.empty()) return absl::OkStatus();
    const absl::Status inserted = Insert(tx, pool, made, lease);
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
        SELECT m.id, m.variant, matchmaking.option_lines(m.options), m.base, m.currency,
               m.attempts, mm.ticket_id, mm.player_id
          FROM matchmaking.matches m JOIN matchmaking.match_members mm ON mm.match_id = m.id
         WHERE m.id = ANY ($1::text[]) ORDER BY m.id, mm.seat)",
                                                             ids));
    MJ_ASSIGN_OR_RETURN(claimed, ReadMatches(members));
    return absl::OkStatus();
  }));
  return claimed;
}

absl::StatusOr<Assigned> PgStore::AssignMatch(const MatchId& match, const TablePlace& place,
                                              Millis check_after) {
  Assigned assigned = Assigned::kDone;
  const absl::Status status = pool_.Run(Deadline(), [&](pg::Transaction& tx) -> absl::Status {
    assigned = Assigned::kDone;
    MJ_ASSIGN_OR_RETURN(
        const pg::Result found,
        tx.Execute("SELECT state, table_id FROM matchmaking.matches WHERE id = $1 FOR UPDATE",
                   match.value()));
    MJ_ASSIGN_OR_RETURN(const auto row, (found.AtMostOne<string, std::optional<string>>()));
    if (!row) {
      assigned = Assigned::kReleased;
      return absl::OkStatus();
    }
    const auto& [state, table] = *row;
    if (state == "released" || (state == "assigned" && table != place.table.value())) {
      assigned = Assigned::kReleased;
      return absl::OkStatus();
    }
    if (state == "assigned") return absl::OkStatus();
    MJ_ASSIGN_OR_RETURN(const pg::Result tickets, tx.Execute(R"(
        UPDATE matchmaking.tickets t SET state = 'assigned', match_id = $1, changed_at = now()
          FROM matchmaking.match_members mm
         WHERE mm.match_id = $1 AND t.id = mm.ticket_id
           AND (t.state = 'matched' AND t.match_id = $1
                OR t.state = 'queued' AND t.expires_at > now()))",
                                                             match.value()));
    if (tickets.affected() != static_cast<int64_t>(kSeats)) {
      assigned = Assigned::kMemberGone;
      return absl::FailedPreconditionError("a member is gone");  // undoes the update
    }
    MJ_RETURN_IF_ERROR(tx.Execute(R"(
        UPDATE matchmaking.matches
           SET state = 'assigned', table_id = $2, table_address = $3, changed_at = now()
         WHERE id = $1)",
                                  match.value(), place.table.value(), place.address)
                           .status());
    return tx
        .Execute(R"(
        UPDATE matchmaking.live_seats
           SET check_after = now() + $2::bigint * interval '1 millisecond' WHERE match_id = $1)",
                 match.value(), check_after.count())
        .status();
  });
  if (!status.ok() && assigned != Assigned::kMemberGone) return status;
  return assigned;
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
