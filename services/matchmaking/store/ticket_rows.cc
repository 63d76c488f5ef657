// Tickets: taking, finding, cancelling, running out.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "libs/base/check.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/matchmaking/store/pg_store.h"
#include "services/matchmaking/store/room_rows.h"
#include "services/matchmaking/store/rows.h"

namespace mj::matchmaking::store {
namespace {

using base::Cat;
using base::Error;
using base::Reason;

const std::string kSelectById =
    Cat("SELECT", kTicketColumns, kTicketJoins, " WHERE t.id = ANY ($1::text[])");
const std::string kSelectByRequest =
    Cat("SELECT", kTicketColumns, kTicketJoins, " WHERE t.request_id = $1 ORDER BY t.place");

absl::StatusOr<std::vector<Ticket>> SelectTickets(pg::Transaction& tx,
                                                  const std::vector<std::string>& ids) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found, tx.Execute(kSelectById, ids));
  return ReadTickets(found);
}

std::vector<std::string> PlayersOf(const std::vector<Wish>& wishes) {
  std::vector<std::string> players;
  for (const Wish& wish : wishes) players.push_back(wish.player.value());
  return players;
}

// The tickets that this request took, if it asked for the same.
absl::StatusOr<std::optional<Tickets>> TakenBefore(pg::Transaction& tx,
                                                   const std::vector<Wish>& wishes) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found,
                      tx.Execute(kSelectByRequest, wishes[0].request.value()));
  MJ_ASSIGN_OR_RETURN(Tickets tickets, ReadTickets(found));
  if (tickets.empty()) return std::optional<Tickets>();
  if (!std::equal(tickets.begin(), tickets.end(), wishes.begin(), wishes.end(),
                  [](const Ticket& a, const Wish& b) { return a.wish.SameQuestion(b); })) {
    return Error(Reason::kRequestIdReused, "request_id: was used for another ticket",
                 {.field = "request_id"});
  }
  return std::optional(std::move(tickets));
}

// TICKET_EXISTS if one of the players is in the queue.
absl::Status RefuseSecondTicket(pg::Transaction& tx, const std::vector<std::string>& players) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found, tx.Execute(R"(
      SELECT id, player_id FROM matchmaking.tickets
       WHERE player_id = ANY ($1::text[]) AND state IN ('queued', 'matched')
         AND (state = 'matched' OR expires_at > now())
       ORDER BY array_position($1::text[], player_id) LIMIT 1)",
                                                         players));
  MJ_ASSIGN_OR_RETURN(const auto row, (found.AtMostOne<std::string, std::string>()));
  if (!row) return absl::OkStatus();
  const auto& [id, player] = *row;
  return Error(Reason::kTicketExists, Cat("player_id: ", player, " is queued with ticket ", id),
               {.field = "player_id", .metadata = {{"ticket_id", id}, {"player_id", player}}});
}

// The seat that one of the players was assigned and that is not known to have ended.
absl::StatusOr<std::optional<LiveSeat>> FindLiveSeat(pg::Transaction& tx,
                                                     const std::vector<std::string>& players) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found, tx.Execute(R"(
      SELECT s.player_id, m.id, m.table_id, m.table_address, s.seat
        FROM matchmaking.live_seats s JOIN matchmaking.matches m ON m.id = s.match_id
       WHERE s.player_id = ANY ($1::text[]) AND m.state = 'assigned'
       ORDER BY array_position($1::text[], s.player_id) LIMIT 1)",
                                                         players));
  MJ_ASSIGN_OR_RETURN(
      const auto row,
      (found.AtMostOne<std::string, std::string, std::string, std::string, std::int64_t>()));
  if (!row) return std::optional<LiveSeat>();
  const auto& [player, match, table, address, seat] = *row;
  return std::optional(LiveSeat{
      PlayerId(player), MatchId(match), {TableId(table), address}, static_cast<int>(seat)});
}

absl::StatusOr<std::optional<Taking>> InTheWay(pg::Transaction& tx,
                                               const std::vector<Wish>& wishes) {
  const std::vector<std::string> players = PlayersOf(wishes);
  MJ_ASSIGN_OR_RETURN(std::optional<Tickets> before, TakenBefore(tx, wishes));
  if (before) return std::optional<Taking>(*std::move(before));
  MJ_RETURN_IF_ERROR(RefuseSecondTicket(tx, players));
  MJ_ASSIGN_OR_RETURN(std::optional<LiveSeat> seat, FindLiveSeat(tx, players));
  if (seat) return std::optional<Taking>(*std::move(seat));
  return std::optional<Taking>();
}

// Inserts the tickets; false if a unique key is against one of them.
absl::StatusOr<bool> Insert(pg::Transaction& tx, const std::vector<TicketId>& ids,
                            const std::vector<Wish>& wishes, Millis lifetime) {
  const Wish& first = wishes.front();
  const OptionArrays options = ToArrays(first.pool.options);
  const std::vector<std::string> players = PlayersOf(wishes);
  std::vector<std::string> tickets;
  std::vector<std::string> devices;
  std::vector<std::string> networks;
  std::vector<std::string> latencies;
  std::vector<std::string> avoided;
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    tickets.push_back(ids[i].value());
    devices.push_back(wishes[i].client.device);
    networks.push_back(wishes[i].client.network);
    latencies.push_back(ToJson(wishes[i].client.latency));
    avoided.push_back(JoinIds(wishes[i].avoid));
  }
  const std::optional<std::string> party =
      ids.size() > 1 ? std::optional(ids.front().value()) : std::nullopt;
  // A ticket that has run out keeps its player's place until it is marked. Players in one order, so
  // that two parties who share friends wait for each other instead of both.
  const pg::Statement statements[] = {
      pg::Statement(R"(
      UPDATE matchmaking.tickets SET state = 'expired', changed_at = now()
       WHERE player_id = ANY ($1::text[]) AND state = 'queued' AND expires_at <= now())",
                    players),
      pg::Statement(R"(
      INSERT INTO matchmaking.tickets (id, request_id, place, party_id, party_size, player_id,
             variant, options, base, currency, media, room_id, asked_base, asked_room, device_id,
             network, latency, avoid, rating, queued_at, expires_at, changed_at, bots,
             bot_strength)
      SELECT w.id, $7, w.place - 1, $8, cardinality($1::text[]), w.player_id, $9,
             jsonb_object($10::text[], $11::text[]), $12, $13, $14, $15, $16, $17, w.device_id,
             w.network, w.latency::jsonb, string_to_array(w.avoid, ','),
             coalesce(r.mean, 25000000), now(),
             coalesce((SELECT expires_at FROM matchmaking.rooms WHERE id = $15),
                      now() + $18::bigint * interval '1 millisecond'), now(), $19, $20
        FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
             WITH ORDINALITY AS w (id, player_id, device_id, network, latency, avoid, place)
        LEFT JOIN matchmaking.ratings r ON r.player_id = w.player_id AND r.variant = $9
       ORDER BY w.player_id
      ON CONFLICT DO NOTHING)",
                    tickets, players, devices, networks, latencies, avoided, first.request.value(),
                    party, first.pool.variant, options.names, options.values, first.pool.base,
                    first.pool.currency, ToText(first.pool.media), first.pool.room,
                    first.asked_base, first.asked_room, lifetime.count(), ToText(first.bots),
                    ToNumber(first.bot_strength))};
  MJ_ASSIGN_OR_RETURN(const std::vector<pg::Result> results, tx.ExecuteTogether(statements));
  return results[1].affected() == static_cast<std::int64_t>(wishes.size());
}

}  // namespace

pg::RunOptions PgStore::Deadline() const {
  return {.deadline = clock_.Monotonic() + options_.timeout};
}

absl::StatusOr<std::optional<Taking>> PgStore::Foresee(const std::vector<Wish>& wishes) {
  std::optional<Taking> in_the_way;
  MJ_RETURN_IF_ERROR(pool_.Run(Deadline(), [&](pg::Transaction& tx) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(in_the_way, InTheWay(tx, wishes));
    return absl::OkStatus();
  }));
  return in_the_way;
}

absl::StatusOr<Taking> PgStore::TakeBy(
    const std::vector<TicketId>& ids, const std::vector<Wish>& wishes, Millis lifetime,
    const std::function<absl::Status(pg::Transaction& tx)>& prepare) {
  constexpr int kAttempts = 8;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    bool conflict = false;
    std::optional<LiveSeat> seat;
    Tickets tickets;
    const absl::Status status = pool_.Run(Deadline(), [&](pg::Transaction& tx) -> absl::Status {
      conflict = false;
      seat.reset();
      if (prepare) MJ_RETURN_IF_ERROR(prepare(tx));
      MJ_ASSIGN_OR_RETURN(const bool inserted, Insert(tx, ids, wishes, lifetime));
      conflict = !inserted;
      // Undoes the insert: of a party, some may have gone in.
      if (conflict) return absl::FailedPreconditionError("in the way");
      // Looked for after the insert: an earlier ticket of a player keeps its place in the unique key
      // until its assignment, seat and all, is committed. So no seat is overlooked.
      MJ_ASSIGN_OR_RETURN(seat, FindLiveSeat(tx, PlayersOf(wishes)));
      if (seat) return absl::FailedPreconditionError("seated");
      MJ_ASSIGN_OR_RETURN(const pg::Result found,
                          tx.Execute(kSelectByRequest, wishes[0].request.value()));
      MJ_ASSIGN_OR_RETURN(tickets, ReadTickets(found));
      if (tickets.size() == wishes.size()) return absl::OkStatus();
      return absl::InternalError("a ticket was not written");
    });
    if (seat) return Taking(*std::move(seat));
    if (!conflict && !status.ok()) return status;
    if (!conflict) return Taking(std::move(tickets));
    MJ_ASSIGN_OR_RETURN(std::optional<Taking> in_the_way, Foresee(wishes));
    if (in_the_way) return *std::move(in_the_way);
    // Whatever was in the way has gone meanwhile: once more.
  }
  return Error(Reason::kConflict);
}

absl::StatusOr<Taking> PgStore::TakeTickets(const std::vector<TicketId>& ids,
                                            const std::vector<Wish>& wishes, Millis lifetime) {
  if (wishes.front().pool.room.empty()) return TakeBy(ids, wishes, lifetime, nullptr);
  // Who took tickets before is told of them, whatever has become of the room.
  MJ_ASSIGN_OR_RETURN(std::optional<Taking> in_the_way, Foresee(wishes));
  if (in_the_way) return *std::move(in_the_way);
  return TakeBy(ids, wishes, lifetime,
                [&](pg::Transaction& tx) { return EnterRoom(tx, wishes.front()); });
}

absl::StatusOr<Ticket> PgStore::CancelTicket(const TicketId& id) {
  std::optional<Ticket> ticket;
  MJ_RETURN_IF_ERROR(pool_.Run(Deadline(), [&](pg::Transaction& tx) -> absl::Status {
    // Waits for whoever is matching it or its party, and then sees what came of that. Locked in one
    // order, so that two friends who cancel at once do not wait for each other.
    MJ_ASSIGN_OR_RETURN(const pg::Result cancelled, tx.Execute(R"(
        WITH locked AS MATERIALIZED (
          SELECT id, state FROM matchmaking.tickets
           WHERE id = $1 OR party_id = (SELECT party_id FROM matchmaking.tickets WHERE id = $1)
           ORDER BY id FOR UPDATE)
        UPDATE matchmaking.tickets t SET state = 'cancelled', changed_at = now()
          FROM locked l
         WHERE t.id = l.id AND l.state = 'queued' AND t.expires_at > now())",
                                                               id.value()));
    MJ_CHECK(cancelled.affected() <= static_cast<std::int64_t>(kSeats), "a party is four at most");
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
