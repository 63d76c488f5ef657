// A Store in memory, for tests of what stands on a Store. Held to store_contract_testing.h like
// PostgreSQL.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/mutex.h"
#include "libs/rating/rating.h"
#include "services/matchmaking/app/feeds.h"
#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking {

// Thread-safe: one lock around everything, kept while `form` runs. Time is `clock`'s.
class MemoryStore final : public Store, public FeedStore {
 public:
  explicit MemoryStore(const base::Clock& clock) : clock_(clock) {}

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

  absl::StatusOr<std::optional<std::string>> ClaimFeed(Feed feed, std::string_view holder,
                                                       Millis lease) override;
  absl::StatusOr<bool> ApplyRounds(std::string_view from,
                                   const FeedBatch<EndedRound>& batch) override;
  absl::StatusOr<std::optional<std::size_t>> ApplySeats(
      std::string_view from, const FeedBatch<SeatChange>& batch) override;
  absl::StatusOr<std::size_t> ForgetMeetings(Millis age, std::size_t limit) override;

 private:
  enum class MatchState : std::uint8_t { kProposed, kAssigned, kAbandoned, kReleased };
  struct MatchRow {
    Match match;
    MatchState state = MatchState::kProposed;
    std::string region;
    base::WallTime made{};
    base::WallTime due{};
    base::WallTime assigned{};
    TablePlace place;

    bool unfinished() const {
      return state == MatchState::kProposed || state == MatchState::kAbandoned;
    }
  };
  struct SeatRow {
    MatchId match;
    base::WallTime check{};
    int seat = 0;
    bool assigned = false;
  };
  struct OpenRow {
    MatchId match;
    SeatChange told;
    base::WallTime when{};
  };
  struct FeedRow {
    std::string position;
    std::string holder;
    base::WallTime held_until{};
  };
  struct RoomRow {
    Room room;
    bool closed = false;
  };

  // A queued ticket whose time is over counts as expired, marked or not.
  bool Overdue(const Ticket& ticket) const {
    return ticket.state == TicketState::kQueued && ticket.expires_at <= clock_.Now();
  }
  bool Live(const Ticket& ticket) const { return IsLive(ticket.state) && !Overdue(ticket); }
  Ticket AsItStands(const Ticket& ticket) const;
  absl::StatusOr<std::optional<Taking>> InTheWay(const std::vector<Wish>& wishes)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Taking Insert(const std::vector<TicketId>& ids, const std::vector<Wish>& wishes,
                base::WallTime expires_at) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The tickets of friends; of who is alone, the one.
  std::vector<Ticket*> PartyOf(const Ticket& ticket) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Those who are in a room.
  std::vector<const Ticket*> LiveIn(std::string_view room) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Room WithPlayers(const Room& room) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Whether this wish may enter its room, which it then knows the end of.
  absl::StatusOr<base::WallTime> Enter(const Wish& wish) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool HaveMet(const std::string& a, const std::string& b, Millis within)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Assigned Assign(const Standing& standing, Millis check_after)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // As matching sees it, with whom it met of `others`.
  matching::Ticket Offered(const Ticket& ticket, const std::vector<PlayerId>& others,
                           Millis met_for) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The table as it can be refilled; nothing if no seat is free.
  std::optional<OpenTable> OpenTableOf(const OpenRow& row, const std::vector<Ticket*>& queue,
                                       Millis met_for) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Who has a place at the table, held or assigned, by seat.
  std::map<int, PlayerId> HeldAt(const TableId& table) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::vector<Ticket*> Queue(const matching::Pool& pool) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The row, if the match is unfinished and still the caller's.
  MatchRow* Held(const Match& match) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void FreeSeatsOf(const MatchId& match) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const base::Clock& clock_;
  base::Mutex mutex_;
  std::map<TicketId, Ticket> tickets_ ABSL_GUARDED_BY(mutex_);
  std::map<MatchId, MatchRow> matches_ ABSL_GUARDED_BY(mutex_);
  std::map<PlayerId, SeatRow> seats_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, RoomRow, std::less<>> rooms_ ABSL_GUARDED_BY(mutex_);
  std::map<TableId, OpenRow> open_ ABSL_GUARDED_BY(mutex_);
  std::map<Feed, FeedRow> feeds_ ABSL_GUARDED_BY(mutex_);
  // By player and game.
  std::map<std::pair<PlayerId, std::string>, rating::Rating> ratings_ ABSL_GUARDED_BY(mutex_);
  std::set<std::string> rated_ ABSL_GUARDED_BY(mutex_);
  // Of two players, the lesser id first.
  std::map<std::pair<std::string, std::string>, base::WallTime> meetings_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::matchmaking
