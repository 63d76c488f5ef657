// A Store in memory, for tests of what stands on a Store. Held to store_contract_testing.h like
// PostgreSQL.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/mutex.h"
#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking {

// Thread-safe: one lock around everything, kept while `form` runs. Time is `clock`'s.
class MemoryStore final : public Store {
 public:
  explicit MemoryStore(const base::Clock& clock) : clock_(clock) {}

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
  enum class MatchState : std::uint8_t { kProposed, kAssigned, kAbandoned, kReleased };
  struct MatchRow {
    Match match;
    MatchState state = MatchState::kProposed;
    base::WallTime made{};
    base::WallTime due{};
    TablePlace place;

    bool unfinished() const {
      return state == MatchState::kProposed || state == MatchState::kAbandoned;
    }
  };
  struct SeatRow {
    MatchId match;
    base::WallTime check{};
    bool assigned = false;
  };

  // A queued ticket whose time is over counts as expired, marked or not.
  bool Overdue(const Ticket& ticket) const {
    return ticket.state == TicketState::kQueued && ticket.expires_at <= clock_.Now();
  }
  bool Live(const Ticket& ticket) const { return IsLive(ticket.state) && !Overdue(ticket); }
  Ticket AsItStands(const Ticket& ticket) const;
  absl::StatusOr<std::optional<Taking>> InTheWay(const Wish& wish)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::vector<Ticket*> Queue(const matching::Pool& pool) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The row, if the match is unfinished and still the caller's.
  MatchRow* Held(const Match& match) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void FreeSeatsOf(const MatchId& match) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const base::Clock& clock_;
  base::Mutex mutex_;
  std::map<TicketId, Ticket> tickets_ ABSL_GUARDED_BY(mutex_);
  std::map<MatchId, MatchRow> matches_ ABSL_GUARDED_BY(mutex_);
  std::map<PlayerId, SeatRow> seats_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::matchmaking
