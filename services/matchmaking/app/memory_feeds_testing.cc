// What a MemoryStore knows by the table service's feeds, and does about free seats.
#include <algorithm>
#include <array>
#include <utility>

#include "libs/base/check.h"
#include "services/matchmaking/app/memory_store_testing.h"
#include "services/matchmaking/app/rate.h"

namespace mj::matchmaking {
namespace {

using base::MutexLock;

matching::TimeMs ToMs(base::WallTime time) {
  return std::chrono::duration_cast<Millis>(time.time_since_epoch()).count();
}

}  // namespace

std::map<int, PlayerId> MemoryStore::HeldAt(const TableId& table) {
  std::map<int, PlayerId> held;
  for (const auto& [player, seat] : seats_) {
    const MatchRow& row = matches_.at(seat.match);
    const bool here = (row.state == MatchState::kAssigned && row.place.table == table) ||
                      (row.match.refill && row.match.refill->place.table == table);
    if (here) held.emplace(seat.seat, player);
  }
  return held;
}

std::optional<OpenTable> MemoryStore::OpenTableOf(const OpenRow& row,
                                                  const std::vector<Ticket*>& queue,
                                                  Millis met_for) {
  const MatchRow& made_for = matches_.at(row.match);
  OpenTable table;
  table.place = row.told.place;
  table.pool = made_for.match.pool;
  table.region = made_for.region;
  table.media_room = made_for.match.media_room;
  std::set<PlayerId> there;
  const std::map<int, PlayerId> held = HeldAt(row.told.place.table);
  for (int seat = 0; seat < static_cast<int>(kSeats); ++seat) {
    const PlayerId& told = row.told.seated[static_cast<std::size_t>(seat)];
    if (!told.empty()) there.insert(told);
    if (held.contains(seat)) there.insert(held.at(seat));
    if (told.empty() && !held.contains(seat)) table.free.push_back(seat);
  }
  if (table.free.empty()) return std::nullopt;
  for (const auto& [id, other] : matches_) {
    const bool here =
        (other.state == MatchState::kAssigned && other.place.table == table.place.table) ||
        (other.match.refill && other.match.refill->place.table == table.place.table);
    if (!here) continue;
    for (const Member& member : other.match.members) table.been.insert(member.player);
  }
  std::vector<PlayerId> others;
  for (const Ticket* ticket : queue) others.push_back(ticket->wish.player);
  for (const PlayerId& player : there) {
    const Ticket* came_by = nullptr;
    for (const auto& [id, ticket] : tickets_) {
      const auto match = matches_.find(ticket.match);
      if (ticket.wish.player != player || match == matches_.end()) continue;
      const auto& refill = match->second.match.refill;
      if (match->second.place.table == table.place.table ||
          (refill && refill->place.table == table.place.table)) {
        came_by = &ticket;
      }
    }
    Ticket stranger;
    stranger.wish.player = player;
    stranger.wish.pool = table.pool;
    const auto rated = ratings_.find({player, table.pool.variant});
    stranger.rating = rated == ratings_.end() ? rating::Rating().mean : rated->second.mean;
    table.seated.push_back(Offered(came_by == nullptr ? stranger : *came_by, others, met_for));
  }
  return table;
}

absl::StatusOr<std::vector<Match>> MemoryStore::MakeRefills(std::size_t tables,
                                                            const QueueOptions& options,
                                                            const FillSeats& fill) {
  MutexLock lock(mutex_);
  std::vector<Match> made;
  std::size_t looked_at = 0;
  for (const auto& [id, open] : open_) {
    if (open.when + options.refill_after > clock_.Now()) continue;
    std::vector<Ticket*> queue = Queue(matches_.at(open.match).match.pool);
    queue.resize(std::min(queue.size(), options.limit));
    const std::optional<OpenTable> table = OpenTableOf(open, queue, options.met_for);
    if (!table || looked_at++ >= tables || queue.empty()) continue;
    std::vector<PlayerId> players;
    for (const Ticket* ticket : queue) players.push_back(ticket->wish.player);
    for (const matching::Ticket& there : table->seated) players.emplace_back(there.player);
    std::vector<matching::Ticket> offered;
    for (const Ticket* ticket : queue) {
      offered.push_back(Offered(*ticket, players, options.met_for));
    }
    for (const NewRefill& wanted : fill(*table, offered, ToMs(clock_.Now()))) {
      Ticket& ticket = *queue.at(wanted.ticket);
      MJ_CHECK(ticket.state == TicketState::kQueued, "a ticket is in one match");
      MatchRow row;
      row.match.id = wanted.id;
      row.match.pool = table->pool;
      row.match.media_room = table->media_room;
      row.match.refill = FreeSeat{table->place, wanted.seat};
      row.match.members = {{ticket.id, ticket.wish.player, wanted.token}};
      row.region = wanted.why.region.name;
      row.made = clock_.Now();
      row.due = clock_.Now() + options.lease;
      MJ_CHECK(
          seats_.emplace(ticket.wish.player, SeatRow{wanted.id, {}, wanted.seat, false}).second,
          "a player has one live seat");
      ticket.state = TicketState::kMatched;
      ticket.match = wanted.id;
      made.push_back(row.match);
      matches_.emplace(wanted.id, std::move(row));
    }
  }
  return made;
}

absl::StatusOr<std::optional<std::string>> MemoryStore::ClaimFeed(Feed feed,
                                                                  std::string_view holder,
                                                                  Millis lease) {
  MutexLock lock(mutex_);
  FeedRow& row = feeds_[feed];
  if (row.holder != holder && row.held_until > clock_.Now()) return std::optional<std::string>();
  row.holder = std::string(holder);
  row.held_until = clock_.Now() + lease;
  return std::optional(row.position);
}

absl::StatusOr<bool> MemoryStore::ApplyRounds(std::string_view from,
                                              const FeedBatch<EndedRound>& batch) {
  MutexLock lock(mutex_);
  FeedRow& row = feeds_[Feed::kEndedRounds];
  if (row.position != from) return false;
  row.position = batch.position;
  for (const EndedRound& round : batch.items) {
    for (std::size_t i = 0; IsMeeting(round) && i < kSeats; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        base::WallTime& met =
            meetings_[std::minmax(round.players[i].value(), round.players[j].value())];
        met = std::max(met, round.ended_at);
      }
    }
    if (!Counts(round) || !rated_.insert(round.round).second) continue;
    std::array<rating::Rating, kSeats> before;
    for (std::size_t seat = 0; seat < kSeats; ++seat) {
      before[seat] = ratings_[{round.players[seat], round.variant}];
    }
    const auto after = RatingsAfter(round, before);
    for (std::size_t seat = 0; seat < kSeats; ++seat) {
      ratings_[{round.players[seat], round.variant}] = after[seat];
    }
  }
  return true;
}

absl::StatusOr<std::optional<std::size_t>> MemoryStore::ApplySeats(
    std::string_view from, const FeedBatch<SeatChange>& batch) {
  MutexLock lock(mutex_);
  FeedRow& row = feeds_[Feed::kSeatChanges];
  if (row.position != from) return std::optional<std::size_t>();
  row.position = batch.position;
  std::size_t freed = 0;
  for (const SeatChange& change : batch.items) {
    for (const PlayerId& player : change.left) {
      const auto seat = seats_.find(player);
      if (seat == seats_.end() || !seat->second.assigned) continue;
      if (matches_.at(seat->second.match).place.table != change.place.table) continue;
      seats_.erase(seat);
      ++freed;
    }
    open_.erase(change.place.table);
    const auto made_for = matches_.find(change.match);
    if (!change.open || made_for == matches_.end()) continue;
    const MatchRow& match = made_for->second;
    if (match.state == MatchState::kAssigned && match.place.table == change.place.table &&
        match.match.pool.room.empty() && match.match.pool.staked() && !match.match.refill) {
      open_.emplace(change.place.table, OpenRow{change.match, change, clock_.Now()});
    }
  }
  return std::optional(freed);
}

absl::StatusOr<std::size_t> MemoryStore::ForgetMeetings(Millis age, std::size_t limit) {
  MutexLock lock(mutex_);
  std::size_t forgotten = 0;
  for (auto met = meetings_.begin(); met != meetings_.end() && forgotten < limit;) {
    const bool old = met->second + age <= clock_.Now();
    met = old ? meetings_.erase(met) : std::next(met);
    forgotten += old ? 1 : 0;
  }
  return forgotten;
}

}  // namespace mj::matchmaking
