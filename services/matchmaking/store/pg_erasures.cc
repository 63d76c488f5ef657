#include "services/matchmaking/store/pg_erasures.h"

#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "libs/base/status.h"

namespace mj::matchmaking::store {
namespace {

constexpr std::string_view kLive =
    "SELECT EXISTS (SELECT FROM matchmaking.tickets"
    "  WHERE player_id = $1 AND state IN ('queued', 'matched'))"
    "    OR EXISTS (SELECT FROM matchmaking.live_seats WHERE player_id = $1)";

constexpr std::string_view kBefore =
    "SELECT operator, reason, player_id, tickets FROM matchmaking.erasures WHERE request_id = $1";

// The predicates are the indexes' (tickets_personal_player_key, tickets_unseated_key, tickets_seated_key).
constexpr std::string_view kErase = R"sql(
WITH erased AS (
  UPDATE matchmaking.tickets SET device_id = '', network = '', latency = '{}', avoid = '{}'
   WHERE player_id = $4 AND state IN ('assigned', 'cancelled', 'expired', 'failed')
     AND (device_id <> '' OR network <> '' OR latency <> '{}' OR avoid <> '{}')
  RETURNING 1)
INSERT INTO matchmaking.erasures (request_id, operator, reason, player_id, tickets)
SELECT $1, $2, $3, $4, (SELECT count(*) FROM erased)
RETURNING tickets
)sql";

constexpr std::string_view kEraseEnded = R"sql(
WITH unseated AS (
  SELECT id FROM matchmaking.tickets
   WHERE state IN ('cancelled', 'expired', 'failed')
     AND (device_id <> '' OR network <> '' OR latency <> '{}' OR avoid <> '{}')
     AND changed_at < now() - $1::bigint * interval '1 millisecond'
   ORDER BY changed_at LIMIT $3 FOR UPDATE SKIP LOCKED),
seated AS (
  SELECT id FROM matchmaking.tickets
   WHERE state = 'assigned'
     AND (device_id <> '' OR network <> '' OR latency <> '{}' OR avoid <> '{}')
     AND changed_at < now() - $2::bigint * interval '1 millisecond'
   ORDER BY changed_at LIMIT $3 FOR UPDATE SKIP LOCKED)
UPDATE matchmaking.tickets t SET device_id = '', network = '', latency = '{}', avoid = '{}'
  FROM (SELECT id FROM unseated UNION ALL SELECT id FROM seated LIMIT $3) old
 WHERE t.id = old.id
)sql";

}  // namespace

absl::StatusOr<Erasure> PgErasures::Erase(const ErasureOrder& order) {
  std::optional<Erasure> erasure;
  const absl::Status status = pool_.Run(Options(), [&](pg::Transaction& tx) -> absl::Status {
    erasure.reset();
    MJ_ASSIGN_OR_RETURN(const pg::Result before, tx.Execute(kBefore, order.request.value()));
    MJ_ASSIGN_OR_RETURN(const auto written,
                        (before.AtMostOne<std::string, std::string, std::string, std::int64_t>()));
    if (written) {
      const auto& [who, reason, player, tickets] = *written;
      const bool same =
          who == order.who && reason == order.reason && player == order.player.value();
      erasure = same ? Erasure(Erased{tickets}) : Erasure(NotErased::kRequestReused);
      return absl::OkStatus();
    }
    MJ_ASSIGN_OR_RETURN(const pg::Result found, tx.Execute(kLive, order.player.value()));
    MJ_ASSIGN_OR_RETURN(const auto live, found.One<bool>());
    if (std::get<0>(live)) {
      erasure = NotErased::kWaits;
      return absl::OkStatus();
    }
    MJ_ASSIGN_OR_RETURN(const pg::Result done, tx.Execute(kErase, order.request.value(), order.who,
                                                          order.reason, order.player.value()));
    MJ_ASSIGN_OR_RETURN(const auto row, done.One<std::int64_t>());
    erasure = Erased{std::get<0>(row)};
    return absl::OkStatus();
  });
  // Another call with this request id was faster: what it has written is read when it is asked again.
  if (absl::IsAlreadyExists(status)) return absl::AbortedError("asked for at the same time");
  MJ_RETURN_IF_ERROR(status);
  return *erasure;
}

absl::StatusOr<std::int64_t> PgErasures::EraseEnded(const KeepOptions& keep, std::int64_t limit) {
  MJ_ASSIGN_OR_RETURN(
      const pg::Result erased,
      pool_.Execute(Options(), kEraseEnded, keep.unseated.count(), keep.seated.count(), limit));
  return erased.affected();
}

}  // namespace mj::matchmaking::store
