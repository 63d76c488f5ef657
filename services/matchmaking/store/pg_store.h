// Store in PostgreSQL.
#pragma once

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

  absl::StatusOr<std::optional<Taking>> Foresee(const Wish& wish) override;
  absl::StatusOr<Taking> TakeTicket(const TicketId& id, const Wish& wish, Millis lifetime) override;
  absl::StatusOr<Ticket> CancelTicket(const TicketId& id) override;
  absl::StatusOr<std::vector<Ticket>> FindTickets(std::span<const TicketId> ids) override;
  absl::StatusOr<std::size_t> ExpireTickets(std::size_t limit) override;
  absl::StatusOr<std::vector<matching::Pool>> FullPools() override;
  absl::StatusOr<std::vector<Match>> MakeMatches(const matching::Pool& pool, std::size_t limit,
                                                 Millis lease, const FormMatches& form) override;
  absl::StatusOr<std::vector<Match>> ClaimDueMatches(std::size_t limit, Millis lease) override;
  absl::StatusOr<Assigned> AssignMatch(const MatchId& match, const TablePlace& place,
                                       Millis check_after) override;
  absl::Status AbandonMatch(const Match& match, std::string_view reason,
                            Millis retry_after) override;
  absl::Status ReleaseMatch(const Match& match, std::string_view reason,
                            std::span<const Failure> failures) override;
  absl::StatusOr<Backlog> CountBacklog() override;
  absl::StatusOr<std::vector<SeatCheck>> ClaimSeatChecks(std::size_t limit,
                                                         Millis interval) override;
  absl::Status FreeSeats(const MatchId& match, std::span<const PlayerId> players) override;

 private:
  pg::RunOptions Deadline() const;

  pg::Pool& pool_;
  base::Clock& clock_;
  const PgStoreOptions options_;
};

}  // namespace mj::matchmaking::store
