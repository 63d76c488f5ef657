#include "services/matchmaking/app/saga_sim_testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/reasons.h"
#include "services/matchmaking/app/app_testing.h"
#include "services/matchmaking/app/refill.h"
#include "services/matchmaking/app/seat_keeper.h"
#include "services/matchmaking/app/seating.h"
#include "services/matchmaking/app/store_wrapper_testing.h"
#include "services/matchmaking/app/ticket_desk.h"

namespace mj::matchmaking {
namespace {

using std::size_t;

constexpr int kPlayers = 9;
constexpr int kSteps = 120;
constexpr Millis kLease{3'000};

class Sim;

// A replica's connection to the store: at each write other replicas may run first (this one is
// paused), and the call or its answer may be lost (this one has died, as far as the saga can tell).
class SimStore final : public StoreWrapper {
 public:
  SimStore(Store& inner, Sim& sim) : StoreWrapper(inner), sim_(sim) {}
  absl::StatusOr<Taking> TakeTickets(const std::vector<TicketId>& ids,
                                     const std::vector<Wish>& wishes, Millis lifetime) override;
  absl::StatusOr<std::vector<Assigned>> AssignMatches(std::span<const Standing> matches,
                                                      Millis check_after) override;
  absl::Status AbandonMatch(const Match& match, std::string_view reason,
                            Millis retry_after) override;
  absl::Status ReleaseMatch(const Match& match, std::string_view reason,
                            std::span<const Failure> failures) override;
  absl::Status FreeSeats(const MatchId& match, std::span<const PlayerId> players) override;

 private:
  template <typename Call>
  auto Faulty(Call call) -> decltype(call());
  Sim& sim_;
};

class SimTables final : public Tables {
 public:
  SimTables(Tables& inner, Sim& sim) : inner_(inner), sim_(sim) {}
  absl::StatusOr<TablePlace> CreateTable(const Match& match, base::MonotonicTime until) override;
  absl::StatusOr<TablePlace> JoinTable(const Match& match, base::MonotonicTime until) override;
  absl::StatusOr<TableNow> GetTable(const TablePlace& place) override;
  absl::StatusOr<TableNow> GetTableFor(const LiveSeat& seat) override;
  absl::Status LeaveTable(const TablePlace& place, const PlayerId& player) override;

 private:
  Tables& inner_;
  Sim& sim_;
};

class Sim {
 public:
  // In every other run players also sit down and get up without matchmaking, in the lobby.
  Sim(std::uint64_t seed, Store& store, FeedStore& feeds, std::function<void(Millis)> advance_store)
      : random_(seed),
        lobby_(seed % 2 == 1),
        truth_(store),
        feeds_(feeds),
        advance_store_(std::move(advance_store)) {
    tables_.SetFaults([this] { return NextFault(); });
    for (int i = 0; i < kPlayers; ++i) wallet_.SetBalance(Player(i), 2'000);
  }

  int Run() {
    for (int step = 0; step < kSteps && !::testing::Test::HasFailure(); ++step) {
      Act();
      Advance(Millis(Below(400)));
    }
    faults_on_ = false;
    for (int i = 0; i < kPlayers; ++i) LeaveLobby(Player(i));
    // Long enough for every lease, retry and check to come due.
    for (int i = 0; i < 20; ++i) {
      Advance(Millis(5'000));
      while (HearOfSeats()) {
      }
      MatchAndSeat();
      TakeOver();
      Sweep();
    }
    CheckQuiet();
    return refilled_;
  }

  // Runs somebody else's step in the middle of a call: the caller is a paused replica.
  void Meanwhile() {
    if (!faults_on_ || depth_ >= 4 || Below(3) == 0) return;
    ++depth_;
    if (Below(5) == 0) Advance(kLease);  // paused past its lease
    Act();
    --depth_;
  }
  void Took(const Ticket& ticket) { taken_.emplace(ticket.id, ticket); }
  base::MonotonicTime Monotonic() const { return clock_.Monotonic(); }
  Fault NextFault() {
    if (!faults_on_) return Fault::kNone;
    const unsigned roll = Below(10);
    return roll == 0 ? Fault::kLostOnTheWay : roll == 1 ? Fault::kAnswerLost : Fault::kNone;
  }

 private:
  static PlayerId Player(int i) { return PlayerId("player-" + std::to_string(i)); }
  unsigned Below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }

  void Act() {
    switch (Below(lobby_ ? 12 : 10)) {
      case 0:
      case 1:
      case 2:
        return Enter();
      case 3:
        return Cancel();
      case 4:
      case 5:
        return MatchAndSeat();
      case 6:
      case 7:
        return TakeOver();
      case 8:
        return Below(3) == 0 ? LeaveSomeTable() : Below(2) == 0 ? Sweep() : (void)HearOfSeats();
      case 9:
        EXPECT_THAT(truth_.ExpireTickets(2), base::IsOk());
        return;
      default:
        return VisitLobby();
    }
  }

  void Enter() {
    const int i = static_cast<int>(Below(kPlayers));
    const int size = Below(3) == 0 ? 2 + static_cast<int>(Below(3)) : 1;
    const std::string request =
        "r" + std::to_string(Below(60)) + "-" + std::to_string(i) + "-" + std::to_string(size);
    TicketRequest ask{RequestId(request), Player(i), "chaozhou", {}, 0, "COIN"};
    for (int j = 1; j < size; ++j) ask.friends.push_back({Player((i + j) % kPlayers), {}});
    const auto tickets = desk_.Create(ask);
    if (!tickets.ok()) return;
    for (const Ticket& ticket : *tickets) {
      EXPECT_EQ(taken_.at(ticket.id), ticket) << "the same request, the same answer";
    }
  }

  void Cancel() {
    if (taken_.empty()) return;
    auto it = taken_.begin();
    std::advance(it, Below(static_cast<unsigned>(taken_.size())));
    if (!desk_.Cancel(it->first).ok()) return;
    for (const auto& [id, ticket] : taken_) {
      if (ticket.wish.request == it->second.wish.request) cancelled_.insert(id);
    }
  }

  void MatchAndSeat() {
    const base::MonotonicTime until = clock_.Monotonic() + kLease;
    const MatchRoundOptions options{
        .queue = {.limit = 8, .lease = kLease, .refill_after = Millis(200)}};
    auto matches = RefillTables(truth_, ids_, options, 2);
    ASSERT_THAT(matches, base::IsOk());
    const auto made = MatchPools(truth_, ids_, options);
    ASSERT_THAT(made, base::IsOk());
    matches->insert(matches->end(), made->begin(), made->end());
    for (const Match& match : *matches) {
      if (faults_on_ && Below(4) == 0) continue;  // died right after the match was written
      (void)Drive(match, until);
    }
  }

  void TakeOver() {
    const base::MonotonicTime until = clock_.Monotonic() + kLease;
    const auto due = truth_.ClaimDueMatches(1 + Below(3), kLease);
    ASSERT_THAT(due, base::IsOk());
    for (const Match& match : *due) (void)Drive(match, until);
  }

  // Each time by a replica of its own: another one's write may be under way, and never end.
  absl::StatusOr<Seated> Drive(const Match& match, base::MonotonicTime until) {
    return Seating(store_, peer_, {.check_seats_after = Millis(4'000)}).Drive(match, until);
  }

  void Sweep() { (void)keeper_.Sweep(); }

  // Some of what the table service has to tell, as far as the truth has been told; whether there was more.
  bool HearOfSeats() {
    std::vector<SeatChange> changes = tables_.ChangesAfter(heard_);
    if (changes.empty()) return false;
    changes.resize(std::min<size_t>(changes.size(), 1 + Below(3)));
    const auto position = [](size_t heard) { return heard == 0 ? "" : std::to_string(heard); };
    const size_t after = heard_ + changes.size();
    const auto applied = feeds_.ApplySeats(position(heard_), {changes, position(after)});
    EXPECT_TRUE(applied.ok() && applied->has_value());
    // By another replica that has not heard of it.
    const auto again = feeds_.ApplySeats(position(heard_), {changes, position(after)});
    EXPECT_TRUE(again.ok() && !again->has_value());
    heard_ = after;
    return true;
  }

  void LeaveSomeTable() {
    for (const auto& [player, table] : tables_.Seated()) {
      if (Below(3) != 0) continue;
      // Only who was told of a table can leave it.
      for (const auto& [id, ticket] : taken_) {
        const Ticket now = Find(id);
        if (ticket.wish.player == player && now.assignment &&
            now.assignment->place.table == table) {
          tables_.Leave(table, player);
          left_.insert(id);
        }
      }
    }
  }

  // Sits down at a table of the lobby, or gets up from it.
  void VisitLobby() {
    const PlayerId player = Player(static_cast<int>(Below(kPlayers)));
    if (LeaveLobby(player) || tables_.Seated().contains(player)) return;
    in_lobby_[player] = tables_.Occupy(player);
  }
  bool LeaveLobby(const PlayerId& player) {
    const auto table = in_lobby_.find(player);
    if (table == in_lobby_.end()) return false;
    tables_.Leave(table->second, player);
    in_lobby_.erase(table);
    return true;
  }

  Ticket Find(const TicketId& id) {
    const auto found = truth_.FindTickets(std::span(&id, 1));
    return found.ok() && found->size() == 1 ? found->front() : Ticket();
  }

  void CheckQuiet() {
    std::map<PlayerId, TableId> told;
    std::map<PlayerId, int> live;
    std::map<RequestId, std::size_t> waiting;
    for (const auto& [id, before] : taken_) {
      const Ticket ticket = Find(id);
      EXPECT_EQ(ticket.queued_at, before.queued_at);
      EXPECT_EQ(ticket.wish, before.wish);
      EXPECT_NE(ticket.state, TicketState::kMatched) << "every match is finished";
      if (cancelled_.contains(id)) {
        EXPECT_EQ(ticket.state, TicketState::kCancelled) << "cancelled is for ever";
      }
      if (!lobby_) {
        EXPECT_NE(ticket.state, TicketState::kFailed) << ticket.failure_reason;
      }
      if (IsLive(ticket.state)) {
        ++live[ticket.wish.player];
        ++waiting[ticket.wish.request];
      }
      if (!ticket.assignment) continue;
      const TableId table = ticket.assignment->place.table;
      if (made_at_.emplace(table, ticket.match).first->second != ticket.match) ++refilled_;
      if (left_.contains(id)) continue;
      EXPECT_TRUE(told.emplace(ticket.wish.player, table).second) << "told of two tables";
    }
    // Everybody sits exactly where they were told, nobody anywhere else.
    EXPECT_EQ(tables_.Seated(), told);
    EXPECT_FALSE(FourOf(waiting)) << "four were left waiting";
    CheckParties();
    for (const auto& [player, tickets] : live) {
      EXPECT_EQ(tickets, 1) << player;
      EXPECT_FALSE(told.contains(player)) << player << " waits and sits";
    }
    EXPECT_THAT(truth_.ClaimDueMatches(100, kLease), base::IsOkAndHolds(::testing::IsEmpty()));
  }

  // Whether some of these parties make a table.
  static bool FourOf(const std::map<RequestId, std::size_t>& waiting) {
    std::set<std::size_t> sums = {0};
    for (const auto& [request, size] : waiting) {
      for (const std::size_t sum : std::set(sums)) sums.insert(sum + size);
    }
    return sums.contains(kSeats);
  }

  // Friends share their fate, and their table.
  void CheckParties() {
    std::map<RequestId, Ticket> first;
    for (const auto& [id, before] : taken_) {
      const Ticket ticket = Find(id);
      const Ticket& other = first.emplace(ticket.wish.request, ticket).first->second;
      EXPECT_EQ(ticket.state, other.state) << ticket.wish.request;
      EXPECT_EQ(ticket.match, other.match) << ticket.wish.request;
    }
  }

  // Moves this process's time and the store's.
  void Advance(Millis by) {
    clock_.Advance(by);
    advance_store_(by);
  }

  std::mt19937_64 random_;
  const bool lobby_;
  Store& truth_;
  FeedStore& feeds_;
  const std::function<void(Millis)> advance_store_;
  bool faults_on_ = true;
  int depth_ = 0;
  base::SimulatedClock clock_;
  ZeroEntropy entropy_;
  base::UuidGenerator ids_{clock_, entropy_};
  FakeTables tables_;
  FakeWallet wallet_;
  SimStore store_{truth_, *this};
  SimTables peer_{tables_, *this};
  SeatKeeper keeper_{store_, peer_, {.check_interval = Millis(4'000)}};
  TicketDesk desk_{store_, wallet_, keeper_, ids_, {.ticket_lifetime = Millis(30'000)}};
  std::map<TicketId, Ticket> taken_;
  std::set<TicketId> cancelled_;
  std::set<TicketId> left_;
  size_t heard_ = 0;                    // changes of seats
  std::map<TableId, MatchId> made_at_;  // the match of some ticket there
  int refilled_ = 0;
  std::map<PlayerId, TableId> in_lobby_;
};

template <typename Call>
auto SimStore::Faulty(Call call) -> decltype(call()) {
  sim_.Meanwhile();
  const Fault fault = sim_.NextFault();
  if (fault == Fault::kLostOnTheWay) return base::Error(base::Reason::kUnavailable);
  auto answer = call();
  sim_.Meanwhile();
  if (fault == Fault::kAnswerLost) return base::Error(base::Reason::kUnavailable);
  return answer;
}

absl::StatusOr<Taking> SimStore::TakeTickets(const std::vector<TicketId>& ids,
                                             const std::vector<Wish>& wishes, Millis lifetime) {
  return Faulty([&] {
    auto taking = StoreWrapper::TakeTickets(ids, wishes, lifetime);
    // A ticket is there whether its player heard of it or not.
    if (taking.ok() && std::holds_alternative<Tickets>(*taking)) {
      for (const Ticket& ticket : std::get<Tickets>(*taking)) sim_.Took(ticket);
    }
    return taking;
  });
}
absl::StatusOr<std::vector<Assigned>> SimStore::AssignMatches(std::span<const Standing> matches,
                                                              Millis check_after) {
  return Faulty([&] { return StoreWrapper::AssignMatches(matches, check_after); });
}
absl::Status SimStore::AbandonMatch(const Match& match, std::string_view reason,
                                    Millis retry_after) {
  return Faulty([&] { return StoreWrapper::AbandonMatch(match, reason, retry_after); });
}
absl::Status SimStore::ReleaseMatch(const Match& match, std::string_view reason,
                                    std::span<const Failure> failures) {
  return Faulty([&] { return StoreWrapper::ReleaseMatch(match, reason, failures); });
}
absl::Status SimStore::FreeSeats(const MatchId& match, std::span<const PlayerId> players) {
  return Faulty([&] { return StoreWrapper::FreeSeats(match, players); });
}

absl::StatusOr<TablePlace> SimTables::CreateTable(const Match& match, base::MonotonicTime until) {
  sim_.Meanwhile();
  if (sim_.Monotonic() >= until) return base::Error(base::Reason::kDeadlineExceeded);
  auto answer = inner_.CreateTable(match, until);
  sim_.Meanwhile();
  return answer;
}
absl::StatusOr<TablePlace> SimTables::JoinTable(const Match& match, base::MonotonicTime until) {
  sim_.Meanwhile();
  if (sim_.Monotonic() >= until) return base::Error(base::Reason::kDeadlineExceeded);
  auto answer = inner_.JoinTable(match, until);
  sim_.Meanwhile();
  return answer;
}
absl::StatusOr<TableNow> SimTables::GetTable(const TablePlace& place) {
  sim_.Meanwhile();
  auto answer = inner_.GetTable(place);
  sim_.Meanwhile();
  return answer;
}
absl::StatusOr<TableNow> SimTables::GetTableFor(const LiveSeat& seat) {
  sim_.Meanwhile();
  auto answer = inner_.GetTableFor(seat);
  sim_.Meanwhile();
  return answer;
}
absl::Status SimTables::LeaveTable(const TablePlace& place, const PlayerId& player) {
  sim_.Meanwhile();
  auto answer = inner_.LeaveTable(place, player);
  sim_.Meanwhile();
  return answer;
}

}  // namespace

int RunSagaSim(std::uint64_t seed, Store& store, FeedStore& feeds,
               std::function<void(Millis)> advance_store) {
  return Sim(seed, store, feeds, std::move(advance_store)).Run();
}

}  // namespace mj::matchmaking
