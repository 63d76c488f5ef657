#include "tools/mahjongctl/queue_run.h"

#include <grpcpp/client_context.h>

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "libs/base/entropy.h"
#include "libs/base/executor.h"
#include "libs/base/mutex.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/player/lobby.h"
#include "libs/player/table_player.h"
#include "libs/rpc/client.h"
#include "libs/rpc/time.h"
#include "mahjong/matchmaking/v1/matchmaking_service.grpc.pb.h"
#include "mahjong/table/v1/table_service.grpc.pb.h"
#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"

namespace mj::mahjongctl {
namespace {

namespace v1 = ::mahjong::matchmaking::v1;

using base::Cat;
using ::mahjong::table::v1::TableService;
using ::mahjong::wallet::v1::WalletService;
using std::chrono::milliseconds;
using v1::MatchmakingService;

constexpr std::int64_t kCoins = 1'000'000;
constexpr int kMakers = 16;                 // accounts made at the same time
constexpr milliseconds kTold{500};          // between two moments
constexpr milliseconds kReplicaPause{100};  // before a call goes to the next replica
constexpr milliseconds kReplicaPatience{20'000};
constexpr std::size_t kWrongMax = 20;

milliseconds Millis(std::chrono::nanoseconds time) {
  return std::chrono::duration_cast<milliseconds>(time);
}

// Every replica of matchmaking, one call each in turn.
class Replicas {
 public:
  Replicas(const std::vector<std::string>& addresses, base::Clock& clock, player::Halt& halt)
      : clock_(clock), halt_(halt) {
    for (const std::string& address : addresses) {
      stubs_.push_back(MatchmakingService::NewStub(rpc::MakeChannel({.target = address})));
    }
  }

  MatchmakingService::StubInterface& Next() { return *stubs_[turn_++ % stubs_.size()]; }

  // A call that may come twice; made again elsewhere when there is no answer.
  template <typename Request, typename Response>
  absl::StatusOr<Response> Call(grpc::Status (MatchmakingService::StubInterface::*method)(
                                    grpc::ClientContext*, const Request&, Response*),
                                const Request& request) {
    const base::MonotonicTime end = clock_.Monotonic() + kReplicaPatience;
    while (true) {
      auto answer = rpc::Invoke(Next(), method, request, {.timeout = player::kCallTimeout});
      if (answer.ok() || !player::IsResumable(answer.status()) || halt_.halted() ||
          clock_.Monotonic() > end) {
        return answer;
      }
      halt_.Pause(kReplicaPause);
    }
  }

 private:
  base::Clock& clock_;
  player::Halt& halt_;
  std::vector<std::unique_ptr<MatchmakingService::Stub>> stubs_;
  std::atomic<std::size_t> turn_ = 0;
};

struct Wait {
  v1::Assignment assignment;
  milliseconds waited{0};
  std::optional<milliseconds> estimate_error;
};

class QueueRun {
 public:
  QueueRun(const std::vector<Party>& crowd, const QueueRunOptions& options, base::Clock& clock,
           QueueOutcome& outcome)
      : crowd_(crowd),
        options_(options),
        clock_(clock),
        replicas_(options.matchmaking, clock, halt_),
        table_(TableService::NewStub(
            rpc::MakeChannel({.target = options.table_address, .retry_safe = true}))),
        outcome_(outcome) {
    for (const Party& party : crowd) players_ += static_cast<int>(party.players.size());
  }

  absl::Status Fund() {
    const auto wallet = WalletService::NewStub(
        rpc::MakeChannel({.target = options_.wallet_address, .retry_safe = true}));
    std::atomic<std::size_t> next = 0;
    base::Mutex mutex;
    absl::Status first;
    {
      base::Executor makers({.name = "accounts", .threads = kMakers});
      for (int i = 0; i < kMakers; ++i) {
        makers.Post([&] {
          for (std::size_t at = next++; at < crowd_.size(); at = next++) {
            for (const std::string& player : crowd_[at].players) {
              const absl::Status funded = player::OpenFunded(*wallet, player, kCoins);
              base::MutexLock lock(mutex);
              first.Update(funded);
              if (!first.ok()) return;
            }
          }
        });
      }
    }
    return first;
  }

  void Play(const std::function<void(const QueueMoment&)>& told) {
    begin_ = clock_.Monotonic();
    // A party waits on the thread of its first; so there is always a thread for everybody.
    base::Executor people({.name = "players", .threads = players_});
    for (const Party& party : crowd_) {
      people.Post([this, &party, &people] { Come(party, people); });
    }
    base::MutexLock lock(mutex_);
    while (gone_ < players_) {
      if (!changed_.WaitFor(mutex_, kTold)) told(Moment());
      if (!halted_ && clock_.Monotonic() - begin_ > options_.limit) {
        halted_ = true;
        Wrong("the time is up");
        halt_.Now();
      }
    }
    told(Moment());
  }

 private:
  QueueMoment Moment() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return {.since_begin = Millis(clock_.Monotonic() - begin_),
            .queued = queued_,
            .tables = static_cast<int>(tables_.size()),
            .left = gone_,
            .wait_p50 = Percentile(outcome_.waits, 50),
            .wait_p99 = Percentile(outcome_.waits, 99)};
  }

  void Wrong(std::string what) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (outcome_.wrong.size() < kWrongMax) outcome_.wrong.push_back(std::move(what));
  }
  void Fault(const std::string& who, const absl::Status& status) {
    if (halt_.halted()) return;
    const auto carried = base::CarriedBy(status);
    base::MutexLock lock(mutex_);
    Wrong(Cat(who, ": ", carried ? Cat(carried->reason, " ") : std::string(),
              base::ToStd(status.message())));
  }
  void Leave(int players) {
    base::MutexLock lock(mutex_);
    gone_ += players;
    if (gone_ >= players_) changed_.NotifyAll();
  }
  void Queued(const Party& party, int sign) {
    base::MutexLock lock(mutex_);
    queued_ += sign * static_cast<int>(party.players.size());
  }

  // A party from its coming to its seats; then each plays.
  void Come(const Party& party, base::Executor& people) {
    const std::string& first = party.players.front();
    Pause(party.comes);
    if (halt_.halted()) return Leave(static_cast<int>(party.players.size()));
    auto tickets = Ask(party, 1);
    if (!tickets.ok()) return GiveUp(party, tickets.status());
    base::MonotonicTime asked = clock_.Monotonic();
    if (party.changes_its_mind) {
      halt_.Pause(*party.changes_its_mind);
      const absl::StatusOr<bool> cancelled = Cancel(tickets->front());
      if (!cancelled.ok()) return GiveUp(party, cancelled.status());
      if (*cancelled) {
        Queued(party, -1);
        tickets = Ask(party, 2);
        if (!tickets.ok()) return GiveUp(party, tickets.status());
        asked = clock_.Monotonic();
      }
    }
    std::vector<Wait> waits;
    for (const v1::Ticket& ticket : *tickets) {
      absl::StatusOr<Wait> wait = Await(ticket, asked);
      if (!wait.ok()) {
        Queued(party, -1);
        return GiveUp(party, wait.status());
      }
      waits.push_back(*std::move(wait));
    }
    Queued(party, -1);
    for (std::size_t i = 1; i < waits.size(); ++i) {
      people.Post([this, player = party.players[i], wait = waits[i]] { Sit(player, wait); });
    }
    Sit(first, waits.front());
  }

  void GiveUp(const Party& party, const absl::Status& status) {
    Fault(party.players.front(), status);
    Leave(static_cast<int>(party.players.size()));
  }

  void Pause(milliseconds comes) {
    const milliseconds left = comes - Millis(clock_.Monotonic() - begin_);
    if (left > milliseconds(0)) halt_.Pause(left);
  }

  // Asks for seats, and reads at other replicas what was written: everybody's ticket, in order.
  absl::StatusOr<std::vector<v1::Ticket>> Ask(const Party& party, int time) {
    v1::CreateTicketRequest request;
    request.set_request_id(Cat("queue-", party.players.front(), "-", std::to_string(time)));
    request.set_player_id(party.players.front());
    request.set_variant(options_.variant);
    request.set_currency(::mahjong::common::v1::CURRENCY_COIN);
    for (std::size_t i = 1; i < party.players.size(); ++i) {
      request.add_friends()->set_player_id(party.players[i]);
    }
    MJ_ASSIGN_OR_RETURN(const v1::CreateTicketResponse created,
                        replicas_.Call(&MatchmakingService::StubInterface::CreateTicket, request));
    Queued(party, 1);
    std::vector<v1::Ticket> tickets{created.ticket()};
    tickets.insert(tickets.end(), created.friend_tickets().begin(), created.friend_tickets().end());
    if (tickets.size() != party.players.size()) {
      return absl::InternalError("the party was given another number of tickets");
    }
    for (const v1::Ticket& ticket : tickets) {
      MJ_RETURN_IF_ERROR(Get(ticket.ticket_id()).status());
      MJ_ASSIGN_OR_RETURN(const v1::LocatePlayerResponse found, Locate(ticket.player_id()));
      if (found.ticket().ticket_id() != ticket.ticket_id() && !found.has_seat()) {
        return absl::InternalError("a replica does not know of the ticket that another one took");
      }
    }
    return tickets;
  }

  absl::StatusOr<v1::Ticket> Get(const std::string& ticket) {
    v1::GetTicketRequest request;
    request.set_ticket_id(ticket);
    MJ_ASSIGN_OR_RETURN(const v1::GetTicketResponse got,
                        replicas_.Call(&MatchmakingService::StubInterface::GetTicket, request));
    base::MutexLock lock(mutex_);
    ++outcome_.reads;
    return got.ticket();
  }

  absl::StatusOr<v1::LocatePlayerResponse> Locate(const std::string& player) {
    v1::LocatePlayerRequest request;
    request.set_player_id(player);
    auto located = replicas_.Call(&MatchmakingService::StubInterface::LocatePlayer, request);
    base::MutexLock lock(mutex_);
    ++outcome_.reads;
    return located;
  }

  // Whether it was taken out of the queue; false: it was matched before.
  absl::StatusOr<bool> Cancel(const v1::Ticket& ticket) {
    v1::CancelTicketRequest request;
    request.set_ticket_id(ticket.ticket_id());
    const absl::Status cancelled =
        replicas_.Call(&MatchmakingService::StubInterface::CancelTicket, request).status();
    const bool late = base::HasReason(cancelled, base::Reason::kTicketClosed);
    if (!late) MJ_RETURN_IF_ERROR(cancelled);
    MJ_ASSIGN_OR_RETURN(const v1::Ticket read, Get(ticket.ticket_id()));
    if (late == (read.state() == v1::TICKET_STATE_CANCELLED)) {
      return absl::InternalError(Cat("a ticket that was ", late ? "not " : "", "cancelled is ",
                                     v1::TicketState_Name(read.state())));
    }
    base::MutexLock lock(mutex_);
    ++(late ? outcome_.cancelled_too_late : outcome_.cancelled);
    return !late;
  }

  // Watches a ticket until its end; a replica that is gone is followed by the next.
  absl::StatusOr<Wait> Await(const v1::Ticket& ticket, base::MonotonicTime asked) {
    v1::WatchTicketRequest request;
    request.set_ticket_id(ticket.ticket_id());
    std::optional<std::pair<milliseconds, base::MonotonicTime>> estimate;
    base::MonotonicTime heard = clock_.Monotonic();
    while (true) {
      v1::Ticket last;
      grpc::ClientContext context;
      rpc::Prepare(context, {.timeout = options_.limit});
      const auto reader = replicas_.Next().WatchTicket(&context, request);
      const player::StreamHold hold(halt_, context);
      for (v1::WatchTicketResponse response; reader->Read(&response);) {
        last = response.ticket();
        heard = clock_.Monotonic();
        if (!estimate && last.has_estimated_wait()) {
          estimate.emplace(rpc::FromProto(last.estimated_wait()), heard);
        }
      }
      const absl::Status ended = rpc::FromGrpc(reader->Finish());
      if (last.state() == v1::TICKET_STATE_ASSIGNED) {
        Wait wait{.assignment = last.assignment(),
                  .waited = Millis(heard - asked),
                  .estimate_error = std::nullopt};
        if (estimate) {
          wait.estimate_error =
              std::chrono::abs(Millis(heard - estimate->second) - estimate->first);
        }
        return wait;
      }
      if (ended.ok()) {
        return absl::FailedPreconditionError(Cat("its ticket ended as ",
                                                 v1::TicketState_Name(last.state()), " ",
                                                 last.failure_reason()));
      }
      if (halt_.halted() || !player::IsResumable(ended) ||
          clock_.Monotonic() - heard > kReplicaPatience) {
        return ended;
      }
      halt_.Pause(kReplicaPause);
    }
  }

  void Sit(const std::string& player, const Wait& wait) {
    const std::string& table = wait.assignment.table_id();
    {
      base::MutexLock lock(mutex_);
      outcome_.seats.push_back({player, table, wait.assignment.seat()});
      outcome_.waits.push_back(wait.waited);
      if (wait.estimate_error) outcome_.estimate_errors.push_back(*wait.estimate_error);
      ++tables_[table];
    }
    const absl::Status played = PlayAndLeave(player, wait.assignment);
    if (!played.ok()) Fault(player, played);
    {
      base::MutexLock lock(mutex_);
      if (--tables_[table] == 0) tables_.erase(table);
    }
    Leave(1);
  }

  absl::Status PlayAndLeave(const std::string& player, const v1::Assignment& seat) {
    MJ_ASSIGN_OR_RETURN(const v1::LocatePlayerResponse there, Locate(player));
    if (there.seat().table_id() != seat.table_id() || there.seat().seat() != seat.seat() ||
        there.seat().join_token() != seat.join_token()) {
      return absl::InternalError("a replica does not know of the seat that another one gave");
    }
    base::SystemEntropy entropy;
    MJ_RETURN_IF_ERROR(player::PlayAtTable(
        *table_,
        {.table_id = seat.table_id(),
         .player_id = player,
         .join_token = seat.join_token(),
         .seed = options_.seed * 4 + seat.seat(),
         .rounds = 1,
         .entropy = &entropy},
        [](const ::mahjong::table::v1::TableEvent&) {}, halt_));
    MJ_ASSIGN_OR_RETURN(const v1::LocatePlayerResponse gone, Locate(player));
    if (gone.has_seat() || gone.has_ticket()) {
      return absl::InternalError("it has left, and still has a seat or a ticket");
    }
    return absl::OkStatus();
  }

  const std::vector<Party>& crowd_;
  const QueueRunOptions& options_;
  base::Clock& clock_;
  player::Halt halt_;
  Replicas replicas_;
  const std::unique_ptr<TableService::Stub> table_;
  int players_ = 0;
  base::MonotonicTime begin_;

  base::Mutex mutex_;
  base::CondVar changed_;
  QueueOutcome& outcome_;  // under the mutex while anybody plays
  int queued_ ABSL_GUARDED_BY(mutex_) = 0;
  int gone_ ABSL_GUARDED_BY(mutex_) = 0;
  bool halted_ ABSL_GUARDED_BY(mutex_) = false;
  std::map<std::string, int> tables_ ABSL_GUARDED_BY(mutex_);  // who sits there now, a number
};

}  // namespace

absl::Status RunQueue(const std::vector<Party>& crowd, const QueueRunOptions& options,
                      base::Clock& clock, const std::function<void(const QueueMoment&)>& told,
                      QueueOutcome& outcome) {
  QueueRun run(crowd, options, clock, outcome);
  MJ_RETURN_IF_ERROR(run.Fund());
  run.Play(told);
  return absl::OkStatus();
}

}  // namespace mj::mahjongctl
