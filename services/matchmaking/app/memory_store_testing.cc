#include "services/matchmaking/app/memory_store_testing.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "libs/base/check.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "services/matchmaking/app/wish.h"

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

std::vector<Ticket*> MemoryStore::PartyOf(const Ticket& ticket) {
  std::vector<Ticket*> party;
  for (auto& [id, other] : tickets_) {
    if (other.wish.request == ticket.wish.request) party.push_back(&other);
  }
  return party;
}

absl::StatusOr<std::optional<Taking>> MemoryStore::InTheWay(const std::vector<Wish>& wishes) {
  Tickets before;
  for (const auto& [id, ticket] : tickets_) {
    if (ticket.wish.request == wishes[0].request) before.push_back(AsItStands(ticket));
  }
  if (!before.empty()) {
    if (!std::equal(before.begin(), before.end(), wishes.begin(), wishes.end(),
                    [](const Ticket& a, const Wish& b) { return a.wish.SameQuestion(b); })) {
      return Error(Reason::kRequestIdReused, {}, {.field = "request_id"});
    }
    return std::optional<Taking>(std::move(before));
  }
  for (const Wish& wish : wishes) {
    for (const auto& [id, ticket] : tickets_) {
      if (ticket.wish.player != wish.player || !Live(ticket)) continue;
      return Error(Reason::kTicketExists, {},
                   {.field = "player_id",
                    .metadata = {{"ticket_id", id.value()}, {"player_id", wish.player.value()}}});
    }
  }
  for (const Wish& wish : wishes) {
    const auto seat = seats_.find(wish.player);
    if (seat == seats_.end() || !seat->second.assigned) continue;
    const MatchRow& row = matches_.at(seat->second.match);
    return std::optional<Taking>(LiveSeat{wish.player, row.match.id, row.place, seat->second.seat});
  }
  return std::optional<Taking>();
}

absl::StatusOr<std::optional<Taking>> MemoryStore::Foresee(const std::vector<Wish>& wishes) {
  MutexLock lock(mutex_);
  return InTheWay(wishes);
}

Taking MemoryStore::Insert(const std::vector<TicketId>& ids, const std::vector<Wish>& wishes,
                           base::WallTime expires_at) {
  Tickets taken;
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    Ticket ticket;
    ticket.id = ids[i];
    ticket.wish = wishes[i];
    ticket.queued_at = clock_.Now();
    ticket.expires_at = expires_at;
    const auto rated = ratings_.find({wishes[i].player, wishes[i].pool.variant});
    ticket.rating = rated == ratings_.end() ? rating::Rating().mean : rated->second.mean;
    for (std::size_t j = 0; wishes.size() > 1 && j < wishes.size(); ++j) {
      ticket.party.push_back(wishes[j].player);
    }
    MJ_CHECK(tickets_.emplace(ids[i], ticket).second, "ticket ids are new");
    taken.push_back(std::move(ticket));
  }
  return taken;
}

absl::StatusOr<Taking> MemoryStore::TakeTickets(const std::vector<TicketId>& ids,
                                                const std::vector<Wish>& wishes, Millis lifetime) {
  MutexLock lock(mutex_);
  MJ_ASSIGN_OR_RETURN(std::optional<Taking> in_the_way, InTheWay(wishes));
  if (in_the_way) return *std::move(in_the_way);
  base::WallTime expires_at = clock_.Now() + lifetime;
  if (!wishes[0].pool.room.empty()) {
    MJ_ASSIGN_OR_RETURN(expires_at, Enter(wishes[0]));
  }
  return Insert(ids, wishes, expires_at);
}

absl::StatusOr<Ticket> MemoryStore::CancelTicket(const TicketId& id) {
  MutexLock lock(mutex_);
  const auto found = tickets_.find(id);
  if (found == tickets_.end()) return Error(Reason::kTicketNotFound, {}, {.field = "ticket_id"});
  Ticket& ticket = found->second;
  if (ticket.state == TicketState::kQueued && Live(ticket)) {
    for (Ticket* member : PartyOf(ticket)) member->state = TicketState::kCancelled;
  }
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
    const std::vector<Ticket*> queue = Queue(pool);
    const bool bots = std::any_of(queue.begin(), queue.end(), [](const Ticket* ticket) {
      return ticket->wish.bots != matching::Bots::kNone;
    });
    if (queue.size() >= kSeats || bots) full.push_back(pool);
  }
  return full;
}

bool MemoryStore::HaveMet(const std::string& a, const std::string& b, Millis within) {
  const auto there = [](const Match& match, const std::string& player) {
    return std::any_of(match.members.begin(), match.members.end(),
                       [&](const Member& member) { return member.player.value() == player; });
  };
  const auto met = meetings_.find(std::minmax(a, b));
  if (met != meetings_.end() && met->second + within > clock_.Now()) return true;
  return std::any_of(matches_.begin(), matches_.end(), [&](const auto& entry) {
    const MatchRow& row = entry.second;
    return row.state == MatchState::kAssigned && row.assigned + within > clock_.Now() &&
           there(row.match, a) && there(row.match, b);
  });
}

matching::Ticket MemoryStore::Offered(const Ticket& ticket, const std::vector<PlayerId>& others,
                                      Millis met_for) {
  matching::Ticket seen = ForMatching(ticket.wish);
  seen.id = ticket.id.value();
  seen.queued_at = ToMs(ticket.queued_at);
  seen.expires_at = ToMs(ticket.expires_at);
  seen.rating = ticket.rating;
  if (!ticket.party.empty()) {
    seen.party = PartyOf(ticket).front()->id.value();
    seen.party_size = static_cast<int>(ticket.party.size());
  }
  for (const PlayerId& other : others) {
    if (other.value() == seen.player) continue;
    if (HaveMet(seen.player, other.value(), met_for)) seen.met.insert(other.value());
  }
  return seen;
}

absl::StatusOr<std::vector<Match>> MemoryStore::MakeMatches(const matching::Pool& pool,
                                                            const QueueOptions& options,
                                                            const FormMatches& form) {
  MutexLock lock(mutex_);
  std::vector<Ticket*> queue = Queue(pool);
  queue.resize(std::min(queue.size(), options.limit));
  std::vector<PlayerId> players;
  for (const Ticket* ticket : queue) players.push_back(ticket->wish.player);
  std::vector<matching::Ticket> offered;
  for (const Ticket* ticket : queue) offered.push_back(Offered(*ticket, players, options.met_for));
  std::vector<Match> made;
  for (const NewMatch& wanted : form(offered, ToMs(clock_.Now()))) {
    MatchRow row;
    row.match.id = wanted.id;
    row.match.pool = pool;
    row.match.media_room = wanted.media_room;
    row.match.bot_strength = wanted.bot_strength;
    row.region = wanted.why.region.name;
    row.made = clock_.Now();
    row.due = clock_.Now() + options.lease;
    for (std::size_t seat = 0; seat < wanted.tickets.size(); ++seat) {
      Ticket& ticket = *queue.at(wanted.tickets[seat]);
      MJ_CHECK(ticket.state == TicketState::kQueued, "a ticket is in one match");
      MJ_CHECK(
          seats_.emplace(ticket.wish.player, SeatRow{wanted.id, {}, static_cast<int>(seat), false})
              .second,
          "a player has one live seat");
      ticket.state = TicketState::kMatched;
      ticket.match = wanted.id;
      row.match.members.push_back({ticket.id, ticket.wish.player,
                                   wanted.tokens.empty() ? std::string() : wanted.tokens.at(seat)});
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

Assigned MemoryStore::Assign(const Standing& standing, Millis check_after) {
  const auto found = matches_.find(standing.match);
  if (found == matches_.end()) return Assigned::kReleased;
  MatchRow& row = found->second;
  if (!row.unfinished()) {
    const bool here = row.state == MatchState::kAssigned && row.place.table == standing.place.table;
    return here ? Assigned::kDone : Assigned::kReleased;
  }
  for (const Member& member : row.match.members) {
    if (!Live(tickets_.at(member.ticket))) return Assigned::kMemberGone;
  }
  row.state = MatchState::kAssigned;
  row.place = standing.place;
  row.assigned = clock_.Now();
  for (std::size_t i = 0; i < row.match.members.size(); ++i) {
    Ticket& ticket = tickets_.at(row.match.members[i].ticket);
    const int number = row.match.refill ? row.match.refill->seat : static_cast<int>(i);
    ticket.state = TicketState::kAssigned;
    ticket.match = standing.match;
    ticket.assignment =
        Assignment{standing.match, standing.place,       number,
                   row.region,     row.match.media_room, row.match.members[i].token};
    seats_[ticket.wish.player] = SeatRow{standing.match, clock_.Now() + check_after, number, true};
  }
  const auto room = rooms_.find(row.match.pool.room);
  if (room != rooms_.end()) room->second.closed = true;
  return Assigned::kDone;
}

absl::StatusOr<std::vector<Assigned>> MemoryStore::AssignMatches(std::span<const Standing> matches,
                                                                 Millis check_after) {
  MutexLock lock(mutex_);
  std::vector<Assigned> answers;
  for (const Standing& standing : matches) answers.push_back(Assign(standing, check_after));
  return answers;
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
  }
  for (const Failure& failure : failures) {
    for (const Member& member : row->match.members) {
      if (failure.player != member.player) continue;
      for (Ticket* ticket : PartyOf(tickets_.at(member.ticket))) {
        if (!Live(*ticket)) continue;
        ticket->state = TicketState::kFailed;
        ticket->failure_reason = failure.reason;
      }
    }
  }
  FreeSeatsOf(match.id);
  if (row->match.refill && failures.empty()) {
    // What has been told of the table since then stands.
    const auto open = open_.find(row->match.refill->place.table);
    if (open != open_.end() && open->second.when < row->made) open_.erase(open);
  }
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

absl::StatusOr<std::vector<Millis>> MemoryStore::RecentWaits(const matching::Pool& pool,
                                                             std::size_t limit) {
  MutexLock lock(mutex_);
  std::vector<const MatchRow*> assigned;
  for (const auto& [id, row] : matches_) {
    if (row.state == MatchState::kAssigned && row.match.pool == pool) assigned.push_back(&row);
  }
  std::sort(assigned.begin(), assigned.end(), [](const MatchRow* a, const MatchRow* b) {
    return std::tie(b->assigned, b->match.id) < std::tie(a->assigned, a->match.id);
  });
  std::vector<Millis> waits;
  for (const MatchRow* row : assigned) {
    for (const Member& member : row->match.members) {
      if (waits.size() == limit) return waits;
      waits.push_back(
          std::chrono::duration_cast<Millis>(row->assigned - tickets_.at(member.ticket).queued_at));
    }
  }
  return waits;
}

absl::StatusOr<Whereabouts> MemoryStore::Locate(const PlayerId& player) {
  MutexLock lock(mutex_);
  Whereabouts known;
  for (const auto& [id, ticket] : tickets_) {
    if (ticket.wish.player == player && Live(ticket)) known.ticket = ticket;
  }
  const auto seat = seats_.find(player);
  if (seat != seats_.end() && seat->second.assigned) {
    const MatchRow& row = matches_.at(seat->second.match);
    known.seat = LiveSeat{player, seat->second.match, row.place, seat->second.seat};
    known.seat->media_room = row.match.media_room;
    for (const Member& member : row.match.members) {
      if (member.player == player) known.seat->token = member.token;
    }
  }
  return known;
}

std::vector<const Ticket*> MemoryStore::LiveIn(std::string_view room) {
  std::vector<const Ticket*> in_room;
  for (const auto& [id, ticket] : tickets_) {
    if (ticket.wish.pool.room == room && Live(ticket)) in_room.push_back(&ticket);
  }
  std::sort(in_room.begin(), in_room.end(), [](const Ticket* a, const Ticket* b) {
    return std::tie(a->queued_at, a->id) < std::tie(b->queued_at, b->id);
  });
  return in_room;
}

Room MemoryStore::WithPlayers(const Room& room) {
  Room seen = room;
  for (const Ticket* ticket : LiveIn(room.id)) seen.players.push_back(ticket->wish.player);
  return seen;
}

absl::StatusOr<base::WallTime> MemoryStore::Enter(const Wish& wish) {
  const auto found = rooms_.find(wish.pool.room);
  if (found == rooms_.end() || found->second.closed ||
      found->second.room.expires_at <= clock_.Now()) {
    return Error(Reason::kRoomNotFound, {}, {.field = "code"});
  }
  const std::vector<const Ticket*> there = LiveIn(wish.pool.room);
  if (there.size() >= kSeats) return Error(Reason::kRoomFull, {}, {.field = "code"});
  for (const Ticket* ticket : there) {
    MJ_RETURN_IF_ERROR(RefuseSharing(ForMatching(wish), ForMatching(ticket->wish), "client"));
  }
  return found->second.room.expires_at;
}

absl::StatusOr<Taking> MemoryStore::OpenRoom(const Room& room, const TicketId& id, const Wish& wish,
                                             Millis lifetime) {
  MutexLock lock(mutex_);
  MJ_ASSIGN_OR_RETURN(std::optional<Taking> in_the_way, InTheWay({wish}));
  if (in_the_way) return *std::move(in_the_way);
  for (const auto& [other, row] : rooms_) {
    const bool open = !row.closed && row.room.expires_at > clock_.Now();
    if (open && row.room.code == room.code) return absl::AlreadyExistsError("code");
  }
  RoomRow row{room, false};
  row.room.expires_at = clock_.Now() + lifetime;
  row.room.players.clear();
  const base::WallTime expires_at = row.room.expires_at;
  rooms_.emplace(room.id, std::move(row));
  return Insert({id}, {wish}, expires_at);
}

absl::StatusOr<Room> MemoryStore::FindRoom(std::string_view code) {
  MutexLock lock(mutex_);
  for (const auto& [id, row] : rooms_) {
    if (row.room.code == code && !row.closed && row.room.expires_at > clock_.Now()) {
      return WithPlayers(row.room);
    }
  }
  return Error(Reason::kRoomNotFound, {}, {.field = "code"});
}

absl::StatusOr<Room> MemoryStore::GetRoom(std::string_view id) {
  MutexLock lock(mutex_);
  const auto found = rooms_.find(id);
  if (found == rooms_.end()) return Error(Reason::kRoomNotFound, {}, {.field = "room_id"});
  return WithPlayers(found->second.room);
}

absl::StatusOr<std::size_t> MemoryStore::CloseExpiredRooms(std::size_t limit) {
  MutexLock lock(mutex_);
  std::size_t count = 0;
  for (auto& [id, row] : rooms_) {
    if (count == limit) break;
    if (row.closed || row.room.expires_at > clock_.Now()) continue;
    row.closed = true;
    ++count;
  }
  return count;
}

}  // namespace mj::matchmaking
