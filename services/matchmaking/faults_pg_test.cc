// The program mj-matchmaking itself: every replica killed under load, and a table service that makes its tables
// after the client has given up.
#include <gmock/gmock.h>
#include <grpcpp/client_context.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/base/status_testing.h"
#include "libs/pg/cluster_testing.h"
#include "libs/rpc/client.h"
#include "libs/rpc/connected_testing.h"
#include "libs/rpc/program_testing.h"
#include "mahjong/matchmaking/v1/matchmaking_service.grpc.pb.h"
#include "services/matchmaking/peer_servers_testing.h"
#include "tests/support/counts.h"

namespace mj::matchmaking {
namespace {

namespace v1 = ::mahjong::matchmaking::v1;
using base::IsOk;
using Service = v1::MatchmakingService;

// Replicas as processes, of which any may be gone at any moment, and the way to all of them. Thread-safe, but for
// Kill, which one thread calls.
class Crowd {
 public:
  Crowd(std::vector<std::string> flags, int replicas) : flags_(std::move(flags)) {
    for (int i = 0; i < replicas; ++i) {
      programs_.push_back(nullptr);
      stubs_.push_back(nullptr);
      Start(static_cast<std::size_t>(i));
    }
  }
  // As a crash; another one takes its place.
  void Kill(std::size_t replica) {
    programs_[replica]->Kill();
    Start(replica);
  }
  [[nodiscard]] std::size_t size() const { return programs_.size(); }

  std::shared_ptr<Service::Stub> Next() {
    base::MutexLock lock(mutex_);
    return stubs_[turn_++ % stubs_.size()];
  }

  // Asks one replica after the other until one answers.
  template <typename Request, typename Response>
  absl::StatusOr<Response> Ask(grpc::Status (Service::StubInterface::*method)(grpc::ClientContext*,
                                                                              const Request&,
                                                                              Response*),
                               const Request& request) {
    while (true) {
      const auto stub = Next();
      Service::StubInterface& any = *stub;
      auto answer = mj::rpc::Invoke(any, method, request, {.timeout = std::chrono::seconds(120)});
      if (!absl::IsUnavailable(answer.status())) return answer;
    }
  }
  absl::StatusOr<v1::Ticket> Create(const std::string& player) {
    v1::CreateTicketRequest request;
    request.set_request_id("request-" + player);
    request.set_player_id(player);
    request.set_variant("chaozhou");
    const auto created = Ask(&Service::StubInterface::CreateTicket, request);
    if (!created.ok()) return created.status();
    return created->ticket();
  }
  // Watches until it stands so, wherever.
  v1::Ticket Await(const std::string& ticket_id, v1::TicketState state) {
    v1::WatchTicketRequest request;
    request.set_ticket_id(ticket_id);
    v1::WatchTicketResponse response;
    while (true) {
      grpc::ClientContext context;
      mj::rpc::Prepare(context, {.timeout = std::chrono::seconds(120)});
      const auto stub = Next();
      const auto reader = stub->WatchTicket(&context, request);
      while (reader->Read(&response)) {
        if (response.ticket().state() != state) continue;
        context.TryCancel();
        return response.ticket();
      }
      const absl::Status ended = mj::rpc::FromGrpc(reader->Finish());
      if (absl::IsUnavailable(ended)) continue;
      ADD_FAILURE() << "its watch ended as " << response.ticket().ShortDebugString() << " "
                    << ended;
      return {};
    }
  }

 private:
  void Start(std::size_t replica) {
    programs_[replica] = std::make_unique<mj::rpc::Program>(MJ_MATCHMAKING, flags_);
    auto stub =
        Service::NewStub(mj::rpc::ConnectedChannel({.target = programs_[replica]->address()}));
    base::MutexLock lock(mutex_);
    stubs_[replica] = std::move(stub);
  }

  const std::vector<std::string> flags_;
  std::vector<std::unique_ptr<mj::rpc::Program>> programs_;
  base::Mutex mutex_;
  std::vector<std::shared_ptr<Service::Stub>> stubs_ ABSL_GUARDED_BY(mutex_);
  std::size_t turn_ ABSL_GUARDED_BY(mutex_) = 0;
};

class FaultsTest : public ::testing::Test {
 protected:
  std::vector<std::string> Flags(const std::string& peers) const {
    return {"--database",      database_.url(), "--wallet-address",   peers,
            "--table-address", peers,           "--table-timeout-ms", "300"};
  }
  std::string Read(const std::string& sql) const { return database_.Execute(sql); }

  const pg::testing::Database database_{};
  FakeTables tables_;
};

TEST_F(FaultsTest, EveryReplicaIsKilledUnderLoadAndNoTicketIsLostNorItsAge) {
  constexpr std::size_t kReplicas = 3;
  constexpr int kClients = 24;
  const std::int64_t players = mj::testing::Count(20'000);
  ASSERT_EQ(players % 4, 0) << "nobody is left over";
  std::atomic<std::int64_t> calls = 0;
  tables_.SetFaults([&] { return ++calls % 9 == 0 ? Fault::kAnswerLost : Fault::kNone; });
  const auto peers = StartPeers(tables_);
  Crowd crowd(Flags(peers->address()), kReplicas);

  std::atomic<std::int64_t> next = 0;
  std::atomic<std::int64_t> seated = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < kClients; ++i) {
    clients.emplace_back([&] {
      for (std::int64_t at = next++; at < players && !HasFailure(); at = next++) {
        const auto ticket = crowd.Create("p" + std::to_string(at));
        ASSERT_THAT(ticket, IsOk());
        const v1::Ticket found = crowd.Await(ticket->ticket_id(), v1::TICKET_STATE_ASSIGNED);
        ++seated;
        EXPECT_EQ(found.create_time().SerializeAsString(),
                  ticket->create_time().SerializeAsString());
        EXPECT_EQ(found.player_id(), ticket->player_id());
        EXPECT_EQ(tables_.Seated().at(PlayerId(ticket->player_id())).value(),
                  found.assignment().table_id());
      }
    });
  }
  for (std::size_t replica = 0; replica < crowd.size(); ++replica) {
    const auto enough = static_cast<std::int64_t>(replica + 1) * players / 6;
    while (seated < enough && !HasFailure()) std::this_thread::yield();
    crowd.Kill(replica);
  }
  for (std::thread& client : clients) client.join();

  EXPECT_EQ(seated, players);
  EXPECT_EQ(Read("SELECT count(*) FROM matchmaking.tickets WHERE state = 'assigned'"),
            std::to_string(players));
  EXPECT_EQ(Read("SELECT count(*) FROM matchmaking.matches WHERE state = 'assigned'"),
            std::to_string(players / 4));
  EXPECT_EQ(Read("SELECT count(*) FROM matchmaking.matches WHERE state <> 'assigned'"), "0");
  EXPECT_EQ(tables_.tables_made(), static_cast<std::size_t>(players / 4)) << "no table for nobody";
}

// Tables that are made when somebody lets it happen, and not before.
class LateTables final : public Tables {
 public:
  explicit LateTables(Tables& inner) : inner_(inner) {}

  absl::StatusOr<TablePlace> CreateTable(const Match& match, base::MonotonicTime until) override {
    {
      base::MutexLock lock(mutex_);
      while (!open_) changed_.Wait(mutex_);
    }
    return inner_.CreateTable(match, until);
  }
  absl::StatusOr<TablePlace> JoinTable(const Match& match, base::MonotonicTime until) override {
    return inner_.JoinTable(match, until);
  }
  absl::StatusOr<TableNow> GetTable(const TablePlace& place) override {
    return inner_.GetTable(place);
  }
  absl::StatusOr<TableNow> GetTableFor(const LiveSeat& seat) override {
    return inner_.GetTableFor(seat);
  }
  absl::Status LeaveTable(const TablePlace& place, const PlayerId& player) override {
    return inner_.LeaveTable(place, player);
  }
  void Open() {
    base::MutexLock lock(mutex_);
    open_ = true;
    changed_.NotifyAll();
  }

 private:
  Tables& inner_;
  base::Mutex mutex_;
  base::CondVar changed_;
  bool open_ ABSL_GUARDED_BY(mutex_) = false;
};

class LateTableTest : public FaultsTest {
 protected:
  LateTableTest() {
    for (int i = 0; i < 4; ++i) tickets_.push_back(*crowd_.Create("p" + std::to_string(i)));
    // The client's patience is over, while the call stands at the table service.
    while (Read("SELECT count(*) FROM matchmaking.matches WHERE state = 'abandoned'") != "1") {
    }
  }
  ~LateTableTest() override { late_.Open(); }
  LateTableTest(const LateTableTest&) = delete;
  LateTableTest& operator=(const LateTableTest&) = delete;

  std::set<std::string> TablesOf(const std::vector<std::string>& tickets) {
    std::set<std::string> tables;
    for (const std::string& id : tickets) {
      tables.insert(crowd_.Await(id, v1::TICKET_STATE_ASSIGNED).assignment().table_id());
    }
    return tables;
  }

  LateTables late_{tables_};
  const std::unique_ptr<mj::rpc::RunningService> peers_ = StartPeers(late_);
  Crowd crowd_{Flags(peers_->address()), 2};
  std::vector<v1::Ticket> tickets_;
};

TEST_F(LateTableTest, TheFourWhoWaitForItAreSeatedThere) {
  const v1::Ticket back = crowd_.Await(tickets_[2].ticket_id(), v1::TICKET_STATE_QUEUED);
  EXPECT_EQ(back.create_time().SerializeAsString(), tickets_[2].create_time().SerializeAsString());
  late_.Open();
  std::vector<std::string> ids;
  for (const v1::Ticket& ticket : tickets_) ids.push_back(ticket.ticket_id());
  EXPECT_EQ(TablesOf(ids).size(), 1U);
  EXPECT_EQ(tables_.tables_made(), 1U);
}

TEST_F(LateTableTest, WhoCancelledMeanwhileIsSeatedNowhereAndTheOthersPlay) {
  v1::CancelTicketRequest cancel;
  cancel.set_ticket_id(tickets_[3].ticket_id());
  ASSERT_THAT(crowd_.Ask(&Service::StubInterface::CancelTicket, cancel), IsOk());
  const auto fifth = crowd_.Create("p4");
  ASSERT_THAT(fifth, IsOk());
  late_.Open();
  EXPECT_EQ(TablesOf({tickets_[0].ticket_id(), tickets_[1].ticket_id(), tickets_[2].ticket_id(),
                      fifth->ticket_id()})
                .size(),
            1U);
  EXPECT_FALSE(tables_.Seated().contains(PlayerId("p3")));
  EXPECT_EQ(tables_.Seated().size(), 4U);
}

}  // namespace
}  // namespace mj::matchmaking
