// Store in PostgreSQL.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "libs/base/clock.h"
#include "libs/pg/pool.h"
#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking::store {

struct PgStoreOptions {
  Millis timeout{3'000};  // of each call, waiting for a connection included
};

// Thread-safe; no state of its own. Keeps references: `pool` and `clock` must outlive it.
class PgStore final : public Store {
 public:
  PgStore(pg::Pool& pool, base::Clock& clock, PgStoreOptions options = {})
      : pool_(pool), clock_(clock), options_(options) {}

  absl::StatusOr<std::optional<Taking>> Foresee(const std::vector<Wish>& wishes) override;
  absl::StatusOr<Taking> TakeTickets(const std::vector<TicketId>& ids,
                                     const std::vector<Wish>& wishes, Millis lifetime) override;
  absl::StatusOr<Ticket> CancelTicket(const TicketId& id) override;
  absl::StatusOr<std::vector<Ticket>> FindTickets(std::span<const TicketId> ids) override;
  absl::StatusOr<std::size_t> ExpireTickets(std::size_t limit) override;
  absl::StatusOr<std::vector<matching::Pool>> FullPools() override;
  absl::StatusOr<std::vector<Match>> MakeMatches(const matching::Pool& pool,
                                                 const QueueOptions& options,
                                                 const FormMatches& form) override;
  absl::StatusOr<std::vector<Match>> MakeRefills(std::size_t tables, const QueueOptions& options,
                                                 const FillSeats& fill) override;
  absl::StatusOr<std::vector<Match>> ClaimDueMatches(std::size_t limit, Millis lease) override;
  absl::StatusOr<std::vector<Assigned>> AssignMatches(std::span<const Standing> matches,
                                                      Millis check_after) override;
  absl::Status AbandonMatch(const Match& match, std::string_view reason,
                            Millis retry_after) override;
  absl::Status ReleaseMatch(const Match& match, std::string_view reason,
                            std::span<const Failure> failures) override;
  absl::StatusOr<Backlog> CountBacklog() override;
  absl::StatusOr<std::vector<Millis>> RecentWaits(const matching::Pool& pool,
                                                  std::size_t limit) override;
  absl::StatusOr<std::vector<SeatCheck>> ClaimSeatChecks(std::size_t limit,
                                                         Millis interval) override;
  absl::Status FreeSeats(const MatchId& match, std::span<const PlayerId> players) override;
  absl::StatusOr<Whereabouts> Locate(const PlayerId& player) override;
  absl::StatusOr<Taking> OpenRoom(const Room& room, const TicketId& id, const Wish& wish,
                                  Millis lifetime) override;
  absl::StatusOr<Room> FindRoom(std::string_view code) override;
  absl::StatusOr<Room> GetRoom(std::string_view id) override;
  absl::StatusOr<std::size_t> CloseExpiredRooms(std::size_t limit) override;

 private:
  // MakeRefills of one table; nothing if another call is at it or its pool, or no seat is free any more.
  absl::StatusOr<std::vector<Match>> RefillOne(const std::string& table,
                                               const QueueOptions& options, const FillSeats& fill);
  // Takes tickets by an insert that refuses what a unique key is against, with `prepare` before it
  // in its transaction.
  absl::StatusOr<Taking> TakeBy(const std::vector<TicketId>& ids, const std::vector<Wish>& wishes,
                                Millis lifetime,
                                const std::function<absl::Status(pg::Transaction& tx)>& prepare);
  pg::RunOptions Deadline() const;

  pg::Pool& pool_;
  base::Clock& clock_;
  const PgStoreOptions options_;
};

}  // namespace mj::matchmaking::store
