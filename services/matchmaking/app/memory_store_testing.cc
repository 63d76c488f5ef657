#include "services/matchmaking/app/memory_store_testing.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "libs/base/check.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"

namespace mj::matchmaking {
namespace {

using base::Error;
using base::MutexLock;
using base::Reason;

matching::TimeMs ToMs(base::WallTime time) {
  return std::chrono::duration_cast<Millis>(time.time_since_epoch()).count();
}

}  // namespace

Ticket MemoryStore::AsItStands(const Ticket& ticket) const {
  Ticket seen = ticket;
  if (Overdue(ticket)) seen.state = TicketState::kExpired;
  return seen;
}

absl::StatusOr<std::optional<Taking>> MemoryStore::InTheWay(const Wish& wish) {
  for (const auto& [id, ticket] : tickets_) {
    if (ticket.wish.request != wish.request) continue;
    if (!ticket.wish.SameQuestion(wish))
      return Error(Reason::kRequestIdReused, {}, {.field = "request_id"});
    return std::optional<Taking>(AsItStands(ticket));
  }
  for (const auto& [id, ticket] : tickets_) {
    if (ticket.wish.player == wish.player && Live(ticket)) {
      return Error(Reason::kTicketExists, {},
                   {.field = "player_id", .metadata = {{"ticket_id", id.value()}}});
    }
  }
  const auto seat = seats_.find(wish.player);
  if (seat != seats_.end() && seat->second.assigned) {
    const MatchRow& row = matches_.at(seat->second.match);
    return std::optional<Taking>(LiveSeat{wish.player, row.match.id, row.place});
  }
  return std::optional<Taking>();
}

absl::StatusOr<std::optional<Taking>> MemoryStore::Foresee(const Wish& wish) {
  MutexLock lock(mutex_);
  return InTheWay(wish);
}

absl::StatusOr<Taking> MemoryStore::TakeTicket(const TicketId& id, const Wish& wish,
                                               Millis lifetime) {
  MutexLock lock(mutex_);
  MJ_ASSIGN_OR_RETURN(std::optional<Taking> in_the_way, InTheWay(wish));
  if (in_the_way) return *std::move(in_the_way);
  Ticket ticket;
  ticket.id = id;
  ticket.wish = wish;
  ticket.queued_at = clock_.Now();
  ticket.expires_at = ticket.queued_at + lifetime;
  MJ_CHECK(tickets_.emplace(id, ticket).second, "ticket ids are new");
  return Taking(std::move(ticket));
}

absl::StatusOr<Ticket> MemoryStore::CancelTicket(const TicketId& id) {
  MutexLock lock(mutex_);
  const auto found = tickets_.find(id);
  if (found == tickets_.end()) return Error(Reason::kTicketNotFound, {}, {.field = "ticket_id"});
  Ticket& ticket = found->second;
  if (ticket.state == TicketState::kQueued && Live(ticket)) ticket.state = TicketState::kCancelled;
  if (ticket.state != TicketState::kCancelled)
    return Error(Reason::kTicketClosed, {}, {.field = "ticket_id"});
  return ticket;
}

absl::StatusOr<std::vector<Ticket>> MemoryStore::FindTickets(std::span<const TicketId> ids) {
  MutexLock lock(mutex_);
  std::vector<Ticket> found;
  for (const TicketId& id : std::set<TicketId>(ids.begin(), ids.end())) {
    const auto ticket = tickets_.find(id);
    if (ticket == tickets_.end()) continue;
    found.push_back(AsItStands(ticket->second));
  }
  return found;
}

absl::StatusOr<std::size_t> MemoryStore::ExpireTickets(std::size_t limit) {
  MutexLock lock(mutex_);
  std::size_t count = 0;
  for (auto& [id, ticket] : tickets_) {
    if (count == limit) break;
    if (!Overdue(ticket)) continue;
    ticket.state = TicketState::kExpired;
    ++count;
  }
  return count;
}

std::vector<Ticket*> MemoryStore::Queue(const matching::Pool& pool) {
  std::vector<Ticket*> queue;
  for (auto& [id, ticket] : tickets_) {
    if (ticket.state == TicketState::kQueued && Live(ticket) && ticket.wish.pool == pool &&
        !seats_.contains(ticket.wish.player)) {
      queue.push_back(&ticket);
    }
  }
  std::sort(queue.begin(), queue.end(), [](const Ticket* a, const Ticket* b) {
    return std::tie(a->queued_at, a->id) < std::tie(b->queued_at, b->id);
  });
  return queue;
}

absl::StatusOr<std::vector<matching::Pool>> MemoryStore::FullPools() {
  MutexLock lock(mutex_);
  std::set<matching::Pool> pools;
  for (const auto& [id, ticket] : tickets_) pools.insert(ticket.wish.pool);
  std::vector<matching::Pool> full;
  for (const matching::Pool& pool : pools) {
    if (Queue(pool).size() >= kSeats) full.push_back(pool);
  }
  return full;
}

absl::StatusOr<std::vector<Match>> MemoryStore::MakeMatches(const matching::Pool& pool,
                                                            std::size_t limit, Millis lease,
                                                            const FormMatches& form) {
  MutexLock lock(mutex_);
  std::vector<Ticket*> queue = Queue(pool);
  queue.resize(std::min(queue.size(), limit));
  std::vector<matching::Ticket> offered;
  for (const Ticket* ticket : queue) {
    offered.push_back({ticket->id.value(), ticket->wish.player.value(), pool,
                       ToMs(ticket->queued_at), ToMs(ticket->expires_at)});
  }
  std::vector<Match> made;
  for (const NewMatch& wanted : form(offered, ToMs(clock_.Now()))) {
    MatchRow row;
    row.match.id = wanted.id;
    row.match.pool = pool;
    row.made = clock_.Now();
    row.due = clock_.Now() + lease;
    for (std::size_t seat = 0; seat < kSeats; ++seat) {
      Ticket& ticket = *queue.at(wanted.tickets[seat]);
      MJ_CHECK(ticket.state == TicketState::kQueued, "a ticket is in one match");
      MJ_CHECK(seats_.emplace(ticket.wish.player, SeatRow{wanted.id, {}, false}).second,
               "a player has one live seat");
      ticket.state = TicketState::kMatched;
      ticket.match = wanted.id;
      row.match.members[seat] = {ticket.id, ticket.wish.player};
    }
    made.push_back(row.match);
    matches_.emplace(wanted.id, std::move(row));
  }
  return made;
}

absl::StatusOr<std::vector<Match>> MemoryStore::ClaimDueMatches(std::size_t limit, Millis lease) {
  MutexLock lock(mutex_);
  std::vector<Match> claimed;
  for (auto& [id, row] : matches_) {
    if (claimed.size() == limit) break;
    if (!row.unfinished() || row.due > clock_.Now()) continue;
    row.due = clock_.Now() + lease;
    ++row.match.attempts;
    claimed.push_back(row.match);
  }
  return claimed;
}

absl::StatusOr<Assigned> MemoryStore::AssignMatch(const MatchId& match, const TablePlace& place,
                                                  Millis check_after) {
  MutexLock lock(mutex_);
  const auto found = matches_.find(match);
  if (found == matches_.end()) return Assigned::kReleased;
  MatchRow& row = found->second;
  if (!row.unfinished()) {
    const bool here = row.state == MatchState::kAssigned && row.place.table == place.table;
    return here ? Assigned::kDone : Assigned::kReleased;
  }
  for (const Member& member : row.match.members) {
    if (!Live(tickets_.at(member.ticket))) return Assigned::kMemberGone;
  }
  row.state = MatchState::kAssigned;
  row.place = place;
  for (std::size_t seat = 0; seat < kSeats; ++seat) {
    Ticket& ticket = tickets_.at(row.match.members[seat].ticket);
    ticket.state = TicketState::kAssigned;
    ticket.match = match;
    ticket.assignment = Assignment{match, place, static_cast<int>(seat)};
    seats_[ticket.wish.player] = SeatRow{match, clock_.Now() + check_after, true};
  }
  return Assigned::kDone;
}

MemoryStore::MatchRow* MemoryStore::Held(const Match& match) {
  const auto found = matches_.find(match.id);
  if (found == matches_.end() || !found->second.unfinished()) return nullptr;
  return found->second.match.attempts == match.attempts ? &found->second : nullptr;
}

absl::Status MemoryStore::AbandonMatch(const Match& match, std::string_view /*reason*/,
                                       Millis retry_after) {
  MutexLock lock(mutex_);
  MatchRow* row = Held(match);
  if (row == nullptr) return absl::OkStatus();
  row->state = MatchState::kAbandoned;
  row->due = clock_.Now() + retry_after;
  for (const Member& member : row->match.members) {
    Ticket& ticket = tickets_.at(member.ticket);
    if (ticket.state != TicketState::kMatched) continue;
    ticket.state = TicketState::kQueued;
    ticket.match = MatchId();
  }
  return absl::OkStatus();
}

void MemoryStore::FreeSeatsOf(const MatchId& match) {
  std::erase_if(seats_, [&](const auto& seat) { return seat.second.match == match; });
}

absl::Status MemoryStore::ReleaseMatch(const Match& match, std::string_view /*reason*/,
                                       std::span<const Failure> failures) {
  MutexLock lock(mutex_);
  MatchRow* row = Held(match);
  if (row == nullptr) return absl::OkStatus();
  row->state = MatchState::kReleased;
  for (const Member& member : row->match.members) {
    Ticket& ticket = tickets_.at(member.ticket);
    if (!Live(ticket)) continue;
    ticket.state = TicketState::kQueued;
    ticket.match = MatchId();
    for (const Failure& failure : failures) {
      if (failure.player != member.player) continue;
      ticket.state = TicketState::kFailed;
      ticket.failure_reason = failure.reason;
    }
  }
  FreeSeatsOf(match.id);
  return absl::OkStatus();
}

absl::StatusOr<Backlog> MemoryStore::CountBacklog() {
  MutexLock lock(mutex_);
  Backlog backlog;
  const auto count = [now = clock_.Now()](base::WallTime since, std::int64_t& number,
                                          Millis& oldest) {
    ++number;
    oldest = std::max(oldest, std::chrono::duration_cast<Millis>(now - since));
  };
  for (auto& [id, ticket] : tickets_) {
    if (ticket.state != TicketState::kQueued || Overdue(ticket)) continue;
    count(ticket.queued_at, backlog.queued, backlog.oldest_queued);
  }
  for (const auto& [id, row] : matches_) {
    if (row.unfinished()) count(row.made, backlog.unfinished, backlog.oldest_unfinished);
  }
  backlog.seats = static_cast<std::int64_t>(seats_.size());
  return backlog;
}

absl::StatusOr<std::vector<SeatCheck>> MemoryStore::ClaimSeatChecks(std::size_t limit,
                                                                    Millis interval) {
  MutexLock lock(mutex_);
  std::map<MatchId, SeatCheck> checks;
  std::size_t taken = 0;
  for (auto& [player, seat] : seats_) {
    if (taken == limit) break;
    if (!seat.assigned || seat.check > clock_.Now()) continue;
    seat.check = clock_.Now() + interval;
    SeatCheck& check = checks[seat.match];
    check.match = seat.match;
    check.place = matches_.at(seat.match).place;
    check.players.push_back(player);
    ++taken;
  }
  std::vector<SeatCheck> result;
  for (auto& [id, check] : checks) result.push_back(std::move(check));
  return result;
}

absl::Status MemoryStore::FreeSeats(const MatchId& match, std::span<const PlayerId> players) {
  MutexLock lock(mutex_);
  for (const PlayerId& player : players) {
    const auto seat = seats_.find(player);
    if (seat != seats_.end() && seat->second.match == match) seats_.erase(seat);
  }
  return absl::OkStatus();
}

}  // namespace mj::matchmaking
