// Tickets: taking, finding, cancelling, running out.
#include <utility>

#include "libs/base/check.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/matchmaking/store/pg_store.h"
#include "services/matchmaking/store/rows.h"

namespace mj::matchmaking::store {
namespace {

using base::Cat;
using base::Error;
using base::Reason;

absl::StatusOr<std::vector<Ticket>> SelectTickets(pg::Transaction& tx,
                                                  const std::vector<std::string>& ids) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found, tx.Execute(R"(
      SELECT t.id, t.request_id, t.player_id, t.variant, matchmaking.option_lines(t.options),
             t.base, t.currency, t.asked_base,
             CASE WHEN t.state = 'queued' AND t.expires_at <= now() THEN 'expired'
                  ELSE t.state END,
             t.match_id, t.failure_reason,
             (extract(epoch FROM t.queued_at) * 1000000)::bigint,
             (extract(epoch FROM t.expires_at) * 1000000)::bigint,
             m.table_id, m.table_address, mm.seat
        FROM matchmaking.tickets t
        LEFT JOIN matchmaking.matches m ON m.id = t.match_id AND t.state = 'assigned'
        LEFT JOIN matchmaking.match_members mm ON mm.match_id = m.id AND mm.ticket_id = t.id
       WHERE t.id = ANY ($1::text[]))",
                                                         ids));
  return ReadTickets(found);
}

// The ticket that this request took, if it asked for the same.
absl::StatusOr<std::optional<Ticket>> TakenBefore(pg::Transaction& tx, const Wish& wish) {
  MJ_ASSIGN_OR_RETURN(
      const pg::Result found,
      tx.Execute("SELECT id FROM matchmaking.tickets WHERE request_id = $1", wish.request.value()));
  MJ_ASSIGN_OR_RETURN(const auto id, found.AtMostOne<std::string>());
  if (!id) return std::optional<Ticket>();
  MJ_ASSIGN_OR_RETURN(std::vector<Ticket> tickets, SelectTickets(tx, {std::get<0>(*id)}));
  if (tickets.size() != 1) return absl::InternalError("a ticket that was there is gone");
  if (!tickets.front().wish.SameQuestion(wish)) {
    return Error(Reason::kRequestIdReused, "request_id: was used for another ticket",
                 {.field = "request_id"});
  }
  return std::optional(std::move(tickets.front()));
}

// TICKET_EXISTS if the player is in the queue.
absl::Status RefuseSecondTicket(pg::Transaction& tx, const PlayerId& player) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found, tx.Execute(R"(
      SELECT id FROM matchmaking.tickets
       WHERE player_id = $1 AND state IN ('queued', 'matched')
         AND (state = 'matched' OR expires_at > now()))",
                                                         player.value()));
  MJ_ASSIGN_OR_RETURN(const auto id, found.AtMostOne<std::string>());
  if (!id) return absl::OkStatus();
  return Error(Reason::kTicketExists, Cat("player_id: is queued with ticket ", std::get<0>(*id)),
               {.field = "player_id", .metadata = {{"ticket_id", std::get<0>(*id)}}});
}

// The seat that the player was assigned and that is not known to have ended.
absl::StatusOr<std::optional<LiveSeat>> FindLiveSeat(pg::Transaction& tx, const PlayerId& player) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found, tx.Execute(R"(
      SELECT m.id, m.table_id, m.table_address
        FROM matchmaking.live_seats s JOIN matchmaking.matches m ON m.id = s.match_id
       WHERE s.player_id = $1 AND m.state = 'assigned')",
                                                         player.value()));
  MJ_ASSIGN_OR_RETURN(const auto row, (found.AtMostOne<std::string, std::string, std::string>()));
  if (!row) return std::optional<LiveSeat>();
  const auto& [match, table, address] = *row;
  return std::optional(LiveSeat{player, MatchId(match), {TableId(table), address}});
}

absl::StatusOr<std::optional<Taking>> InTheWay(pg::Transaction& tx, const Wish& wish) {
  MJ_ASSIGN_OR_RETURN(std::optional<Ticket> before, TakenBefore(tx, wish));
  if (before) return std::optional<Taking>(*std::move(before));
  MJ_RETURN_IF_ERROR(RefuseSecondTicket(tx, wish.player));
  MJ_ASSIGN_OR_RETURN(std::optional<LiveSeat> seat, FindLiveSeat(tx, wish.player));
  if (seat) return std::optional<Taking>(*std::move(seat));
  return std::optional<Taking>();
}

// Inserts the ticket; false if a unique key is against it.
absl::StatusOr<bool> Insert(pg::Transaction& tx, const TicketId& id, const Wish& wish,
                            Millis lifetime) {
  // A ticket that has run out keeps its player's place until it is marked.
  MJ_RETURN_IF_ERROR(tx.Execute(R"(
      UPDATE matchmaking.tickets SET state = 'expired', changed_at = now()
       WHERE player_id = $1 AND state = 'queued' AND expires_at <= now())",
                                wish.player.value())
                         .status());
  const OptionArrays options = ToArrays(wish.pool.options);
  MJ_ASSIGN_OR_RETURN(const pg::Result inserted,
                      tx.Execute(R"(
      INSERT INTO matchmaking.tickets (id, request_id, player_id, variant, options, base, currency,
                                       asked_base, queued_at, expires_at, changed_at)
      VALUES ($1, $2, $3, $4, jsonb_object($5::text[], $6::text[]), $7, $8, $9,
              now(), now() + $10::bigint * interval '1 millisecond', now())
      ON CONFLICT DO NOTHING)",
                                 id.value(), wish.request.value(), wish.player.value(),
                                 wish.pool.variant, options.names, options.values, wish.pool.base,
                                 wish.pool.currency, wish.asked_base, lifetime.count()));
  return inserted.affected() == 1;
}

}  // namespace

pg::RunOptions PgStore::Deadline() const {
  return {.deadline = clock_.Monotonic() + options_.timeout};
}

absl::StatusOr<std::optional<Taking>> PgStore::Foresee(const Wish& wish) {
  std::optional<Taking> in_the_way;
  MJ_RETURN_IF_ERROR(pool_.Run(Deadline(), [&](pg::Transaction& tx) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(in_the_way, InTheWay(tx, wish));
    return absl::OkStatus();
  }));
  return in_the_way;
}

absl::StatusOr<Taking> PgStore::TakeTicket(const TicketId& id, const Wish& wish, Millis lifetime) {
  std::optional<Taking> taking;
  std::optional<LiveSeat> seat;
  const absl::Status status = pool_.Run(Deadline(), [&](pg::Transaction& tx) -> absl::Status {
    taking.reset();
    seat.reset();
    MJ_ASSIGN_OR_RETURN(const bool inserted, Insert(tx, id, wish, lifetime));
    if (!inserted) {
      MJ_ASSIGN_OR_RETURN(taking, InTheWay(tx, wish));
      // Whatever was in the way has gone meanwhile: once more.
      return taking ? absl::OkStatus() : absl::AbortedError("tickets: changed meanwhile");
    }
    // Looked for after the insert: an earlier ticket of this player keeps its place in the unique
    // key until its assignment, seat and all, is committed. So no seat is overlooked.
    MJ_ASSIGN_OR_RETURN(seat, FindLiveSeat(tx, wish.player));
    if (seat) return absl::FailedPreconditionError("seated");  // undoes the insert
    MJ_ASSIGN_OR_RETURN(std::vector<Ticket> tickets, SelectTickets(tx, {id.value()}));
    if (tickets.size() != 1) return absl::InternalError("a ticket was not written");
    taking = std::move(tickets.front());
    return absl::OkStatus();
  });
  if (seat) return Taking(*std::move(seat));
  if (!status.ok()) return status;
  return *std::move(taking);
}

absl::StatusOr<Ticket> PgStore::CancelTicket(const TicketId& id) {
  std::optional<Ticket> ticket;
  MJ_RETURN_IF_ERROR(pool_.Run(Deadline(), [&](pg::Transaction& tx) -> absl::Status {
    // Waits for whoever is matching it, and then sees what came of that.
    MJ_ASSIGN_OR_RETURN(const pg::Result cancelled, tx.Execute(R"(
        UPDATE matchmaking.tickets SET state = 'cancelled', changed_at = now()
         WHERE id = $1 AND state = 'queued' AND expires_at > now())",
                                                               id.value()));
    MJ_CHECK(cancelled.affected() <= 1, "ids are unique");
    MJ_ASSIGN_OR_RETURN(std::vector<Ticket> tickets, SelectTickets(tx, {id.value()}));
    if (tickets.empty()) return Error(Reason::kTicketNotFound, {}, {.field = "ticket_id"});
    if (tickets.front().state != TicketState::kCancelled) {
      return Error(Reason::kTicketClosed, {}, {.field = "ticket_id"});
    }
    ticket = std::move(tickets.front());
    return absl::OkStatus();
  }));
  return *std::move(ticket);
}

absl::StatusOr<std::vector<Ticket>> PgStore::FindTickets(std::span<const TicketId> ids) {
  std::vector<std::string> texts;
  for (const TicketId& id : ids) texts.push_back(id.value());
  std::vector<Ticket> tickets;
  MJ_RETURN_IF_ERROR(pool_.Run(Deadline(), [&](pg::Transaction& tx) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(tickets, SelectTickets(tx, texts));
    return absl::OkStatus();
  }));
  return tickets;
}

absl::StatusOr<std::size_t> PgStore::ExpireTickets(std::size_t limit) {
  MJ_ASSIGN_OR_RETURN(const pg::Result expired, pool_.Execute(Deadline(), R"(
      UPDATE matchmaking.tickets SET state = 'expired', changed_at = now()
       WHERE id IN (SELECT id FROM matchmaking.tickets
                     WHERE state = 'queued' AND expires_at <= now()
                     ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED))",
                                                              limit));
  return static_cast<std::size_t>(expired.affected());
}

}  // namespace mj::matchmaking::store
