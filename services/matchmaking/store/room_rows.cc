// Private rooms: opening, entering, finding, running out.
#include "services/matchmaking/store/room_rows.h"

#include <optional>
#include <string>
#include <utility>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/matchmaking/app/wish.h"
#include "services/matchmaking/store/pg_store.h"
#include "services/matchmaking/store/rows.h"

namespace mj::matchmaking::store {
namespace {

using base::Error;
using base::Reason;
using std::string;

constexpr std::string_view kColumns = R"(
    SELECT r.id, r.code, r.owner_id, r.variant, matchmaking.option_lines(r.options), r.base,
           r.currency, r.media, (extract(epoch FROM r.expires_at) * 1000000)::bigint,
           coalesce((SELECT string_agg(t.player_id, ',' ORDER BY t.queued_at, t.id)
                       FROM matchmaking.tickets t
                      WHERE t.state IN ('queued', 'matched') AND t.room_id = r.id
                        AND t.variant = r.variant AND t.base = r.base
                        AND (t.state = 'matched' OR t.expires_at > now())), '')
      FROM matchmaking.rooms r)";
const string kByCode =
    base::Cat(kColumns, " WHERE r.code = $1 AND r.closed_at IS NULL AND r.expires_at > now()");
const string kById = base::Cat(kColumns, " WHERE r.id = $1");

absl::StatusOr<Room> ReadRoom(const pg::Result& result, std::string_view field) {
  MJ_ASSIGN_OR_RETURN(const auto row,
                      (result.AtMostOne<string, string, string, string, string, std::int64_t,
                                        string, string, base::WallTime, string>()));
  if (!row) return Error(Reason::kRoomNotFound, {}, {.field = string(field)});
  const auto& [id, code, owner, variant, options, base, currency, media, expires_at, players] =
      *row;
  Room room;
  room.id = id;
  room.code = code;
  room.owner = PlayerId(owner);
  MJ_ASSIGN_OR_RETURN(room.pool, ReadPool(variant, options, base, currency, media, id));
  room.expires_at = expires_at;
  room.players = SplitIds(players);
  return room;
}

}  // namespace

absl::Status EnterRoom(pg::Transaction& tx, const Wish& wish) {
  MJ_ASSIGN_OR_RETURN(const pg::Result room, tx.Execute(R"(
      SELECT id FROM matchmaking.rooms
       WHERE id = $1 AND closed_at IS NULL AND expires_at > now() FOR UPDATE)",
                                                        wish.pool.room));
  if (room.empty()) return Error(Reason::kRoomNotFound, {}, {.field = "code"});
  MJ_ASSIGN_OR_RETURN(const pg::Result found, tx.Execute(R"(
      SELECT player_id, device_id, network FROM matchmaking.tickets
       WHERE state IN ('queued', 'matched') AND room_id = $1
         AND (state = 'matched' OR expires_at > now()) ORDER BY queued_at, id)",
                                                         wish.pool.room));
  MJ_ASSIGN_OR_RETURN(const auto there, (found.Rows<string, string, string>()));
  if (there.size() >= kSeats) return Error(Reason::kRoomFull, {}, {.field = "code"});
  for (const auto& [player, device, network] : there) {
    matching::Ticket other;
    other.id = other.player = player;
    other.pool = wish.pool;
    other.device = device;
    other.network = network;
    MJ_RETURN_IF_ERROR(RefuseSharing(ForMatching(wish), other, "client"));
  }
  return absl::OkStatus();
}

absl::StatusOr<Taking> PgStore::OpenRoom(const Room& room, const TicketId& id, const Wish& wish,
                                         Millis lifetime) {
  MJ_ASSIGN_OR_RETURN(std::optional<Taking> in_the_way, Foresee({wish}));
  if (in_the_way) return *std::move(in_the_way);
  return TakeBy({id}, {wish}, lifetime, [&](pg::Transaction& tx) -> absl::Status {
    const OptionArrays options = ToArrays(room.pool.options);
    // An expired room gives up its code, swept or not.
    const pg::Statement statements[] = {
        pg::Statement(R"(
        UPDATE matchmaking.rooms SET closed_at = now()
         WHERE code = $1 AND closed_at IS NULL AND expires_at <= now())",
                      room.code),
        pg::Statement(R"(
        INSERT INTO matchmaking.rooms (id, code, owner_id, variant, options, base, currency, media,
                                       opened_at, expires_at)
        VALUES ($1, $2, $3, $4, jsonb_object($5::text[], $6::text[]), $7, $8, $9, now(),
                now() + $10::bigint * interval '1 millisecond')
        ON CONFLICT (code) WHERE closed_at IS NULL DO NOTHING)",
                      room.id, room.code, room.owner.value(), room.pool.variant, options.names,
                      options.values, room.pool.base, room.pool.currency, ToText(room.pool.media),
                      lifetime.count())};
    MJ_ASSIGN_OR_RETURN(const auto results, tx.ExecuteTogether(statements));
    if (results[1].affected() == 1) return absl::OkStatus();
    return absl::AlreadyExistsError("rooms.code");
  });
}

absl::StatusOr<Room> PgStore::FindRoom(std::string_view code) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found, pool_.Execute(Deadline(), kByCode, code));
  return ReadRoom(found, "code");
}

absl::StatusOr<Room> PgStore::GetRoom(std::string_view id) {
  MJ_ASSIGN_OR_RETURN(const pg::Result found, pool_.Execute(Deadline(), kById, id));
  return ReadRoom(found, "room_id");
}

absl::StatusOr<std::size_t> PgStore::CloseExpiredRooms(std::size_t limit) {
  MJ_ASSIGN_OR_RETURN(const pg::Result closed, pool_.Execute(Deadline(), R"(
      UPDATE matchmaking.rooms SET closed_at = now()
       WHERE id IN (SELECT id FROM matchmaking.rooms
                     WHERE closed_at IS NULL AND expires_at <= now()
                     LIMIT $1 FOR UPDATE SKIP LOCKED))",
                                                             limit));
  return static_cast<std::size_t>(closed.affected());
}

}  // namespace mj::matchmaking::store
