// A Store that hands everything on: a test overrides the one call that it wants to go wrong.
#pragma once

#include <vector>

#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking {

class StoreWrapper : public Store {
 public:
  explicit StoreWrapper(Store& inner) : inner_(inner) {}

  absl::StatusOr<std::optional<Taking>> Foresee(const std::vector<Wish>& wishes) override {
    return inner_.Foresee(wishes);
  }
  absl::StatusOr<Taking> TakeTickets(const std::vector<TicketId>& ids,
                                     const std::vector<Wish>& wishes, Millis lifetime) override {
    return inner_.TakeTickets(ids, wishes, lifetime);
  }
  absl::StatusOr<Ticket> CancelTicket(const TicketId& id) override {
    return inner_.CancelTicket(id);
  }
  absl::StatusOr<std::vector<Ticket>> FindTickets(std::span<const TicketId> ids) override {
    return inner_.FindTickets(ids);
  }
  absl::StatusOr<std::size_t> ExpireTickets(std::size_t limit) override {
    return inner_.ExpireTickets(limit);
  }
  absl::StatusOr<std::vector<matching::Pool>> FullPools() override { return inner_.FullPools(); }
  absl::StatusOr<std::vector<Match>> MakeMatches(const matching::Pool& pool,
                                                 const QueueOptions& options,
                                                 const FormMatches& form) override {
    return inner_.MakeMatches(pool, options, form);
  }
  absl::StatusOr<std::vector<Match>> MakeRefills(std::size_t tables, const QueueOptions& options,
                                                 const FillSeats& fill) override {
    return inner_.MakeRefills(tables, options, fill);
  }
  absl::StatusOr<std::vector<Match>> ClaimDueMatches(std::size_t limit, Millis lease) override {
    return inner_.ClaimDueMatches(limit, lease);
  }
  absl::StatusOr<std::vector<Assigned>> AssignMatches(std::span<const Standing> matches,
                                                      Millis check_after) override {
    return inner_.AssignMatches(matches, check_after);
  }
  absl::Status AbandonMatch(const Match& match, std::string_view reason,
                            Millis retry_after) override {
    return inner_.AbandonMatch(match, reason, retry_after);
  }
  absl::Status ReleaseMatch(const Match& match, std::string_view reason,
                            std::span<const Failure> failures) override {
    return inner_.ReleaseMatch(match, reason, failures);
  }
  absl::StatusOr<Backlog> CountBacklog() override { return inner_.CountBacklog(); }
  absl::StatusOr<std::vector<Millis>> RecentWaits(const matching::Pool& pool,
                                                  std::size_t limit) override {
    return inner_.RecentWaits(pool, limit);
  }
  absl::StatusOr<std::vector<SeatCheck>> ClaimSeatChecks(std::size_t limit,
                                                         Millis interval) override {
    return inner_.ClaimSeatChecks(limit, interval);
  }
  absl::Status FreeSeats(const MatchId& match, std::span<const PlayerId> players) override {
    return inner_.FreeSeats(match, players);
  }
  absl::StatusOr<Whereabouts> Locate(const PlayerId& player) override {
    return inner_.Locate(player);
  }
  absl::StatusOr<Taking> OpenRoom(const Room& room, const TicketId& id, const Wish& wish,
                                  Millis lifetime) override {
    return inner_.OpenRoom(room, id, wish, lifetime);
  }
  absl::StatusOr<Room> FindRoom(std::string_view code) override { return inner_.FindRoom(code); }
  absl::StatusOr<Room> GetRoom(std::string_view id) override { return inner_.GetRoom(id); }
  absl::StatusOr<std::size_t> CloseExpiredRooms(std::size_t limit) override {
    return inner_.CloseExpiredRooms(limit);
  }

 private:
  Store& inner_;
};

}  // namespace mj::matchmaking
