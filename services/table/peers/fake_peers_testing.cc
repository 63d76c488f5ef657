#include "services/table/peers/fake_peers_testing.h"

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server_builder.h>

#include <optional>
#include <string>
#include <vector>

#include "libs/base/check.h"
#include "libs/rpc/grpc_status.h"
#include "libs/wire/fields.h"
#include "libs/wire/finished_round.h"
#include "mahjong/scoring/v1/scoring_service.grpc.pb.h"
#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"

namespace mj::table::peers {
namespace {

namespace common = ::mahjong::common::v1;
namespace scoring = ::mahjong::scoring::v1;
namespace wallet = ::mahjong::wallet::v1;

// The fakes answer before they return.
template <typename T>
absl::StatusOr<T> Now(const std::function<void(std::function<void(absl::StatusOr<T>)>)>& ask) {
  std::optional<absl::StatusOr<T>> answer;
  ask([&answer](absl::StatusOr<T> value) { answer = std::move(value); });
  MJ_CHECK(answer.has_value());
  return *std::move(answer);
}

grpc::Status Failed(const absl::Status& status) {
  return mj::rpc::ToGrpc(status, base::Language::kEn);
}

grpc::Status Told(const std::function<void(std::function<void(absl::Status)>)>& ask) {
  std::optional<absl::Status> answer;
  ask([&answer](absl::Status status) { answer = std::move(status); });
  MJ_CHECK(answer.has_value());
  return answer->ok() ? grpc::Status::OK : Failed(*answer);
}

template <typename Request>
SeatHold SeatOf(const Request& request) {
  SeatHold seat;
  seat.request = RequestId(request.request_id());
  seat.table = TableId(request.table_id());
  seat.player = PlayerId(request.player_id());
  seat.currency =
      request.currency() == common::CURRENCY_PRACTICE ? Currency::kPractice : Currency::kCoin;
  return seat;
}

}  // namespace

class FakePeers::Scoring final : public scoring::ScoringService::Service {
 public:
  explicit Scoring(FakeScorer& scorer) : scorer_(scorer) {}

  grpc::Status ScoreRound(grpc::ServerContext*, const scoring::ScoreRoundRequest* request,
                          scoring::ScoreRoundResponse* response) override {
    const auto round = wire::FromProto(request->round());
    if (!round.ok()) return Failed(round.status());
    const ScoreQuestion question{
        request->round().variant(),
        OptionTexts(request->round().options().begin(), request->round().options().end()),
        request->round().base(), *round, request->rulebook_version()};
    const auto score =
        Now<Score>([&](auto done) { scorer_.ScoreRound(question, std::move(done)); });
    if (!score.ok()) return Failed(score.status());
    scoring::RoundScore& out = *response->mutable_score();
    out.set_rulebook_version(score->rulebook_version);
    for (const SeatTransfer& transfer : score->scored.transfers) {
      common::Transfer& added = *out.add_transfers();
      added.set_from_seat(wire::Number(transfer.from));
      added.set_to_seat(wire::Number(transfer.to));
      added.set_coins(transfer.coins);
      added.set_rule_id(transfer.rule);
    }
    return grpc::Status::OK;
  }

 private:
  FakeScorer& scorer_;
};

class FakePeers::Settling final : public wallet::WalletService::Service {
 public:
  explicit Settling(FakeWallet& fake) : wallet_(fake) {}

  grpc::Status ListStakeTiers(grpc::ServerContext*, const wallet::ListStakeTiersRequest* request,
                              wallet::ListStakeTiersResponse* response) override {
    const auto rooms = Now<std::vector<Room>>([&](auto done) {
      wallet_.ListRooms(request->variant(), Currency::kCoin, std::move(done));
    });
    if (!rooms.ok()) return Failed(rooms.status());
    for (const Room& room : *rooms) {
      wallet::StakeTier& tier = *response->add_tiers();
      tier.set_base(room.base);
      tier.set_minimum_balance(room.minimum);
      tier.set_rake_per_player(room.rake);
      tier.set_escape_penalty(room.escape_penalty);
    }
    return grpc::Status::OK;
  }
  grpc::Status Reserve(grpc::ServerContext*, const wallet::ReserveRequest* request,
                       wallet::ReserveResponse* response) override {
    SeatHold seat = SeatOf(*request);
    seat.base = request->base();
    const auto balance = Now<Coins>([&](auto done) { wallet_.Reserve(seat, std::move(done)); });
    if (!balance.ok()) return Failed(balance.status());
    response->set_balance(*balance);
    return grpc::Status::OK;
  }
  grpc::Status Release(grpc::ServerContext*, const wallet::ReleaseRequest* request,
                       wallet::ReleaseResponse*) override {
    return Told([&](auto done) { wallet_.Release(SeatOf(*request), std::move(done)); });
  }
  grpc::Status OpenAccount(grpc::ServerContext*, const wallet::OpenAccountRequest*,
                           wallet::OpenAccountResponse*) override {
    return grpc::Status::OK;  // with its first grant
  }
  grpc::Status Deposit(grpc::ServerContext*, const wallet::DepositRequest* request,
                       wallet::DepositResponse*) override {
    const BotGrant grant{RequestId(request->request_id()), PlayerId(request->account_id()),
                         request->coins()};
    return Told([&](auto done) { wallet_.GrantBot(grant, std::move(done)); });
  }
  grpc::Status BeginRound(grpc::ServerContext*, const wallet::BeginRoundRequest* request,
                          wallet::BeginRoundResponse*) override {
    Beginning beginning;
    beginning.round = RoundId(request->round_id());
    beginning.base = request->base();
    beginning.table = TableId(request->table_id());
    for (Seat seat : rules::kSeats) {
      beginning.players[seat] = PlayerId(request->player_ids(rules::IndexOf(seat)));
    }
    return Told([&](auto done) { wallet_.BeginRound(beginning, std::move(done)); });
  }

  grpc::Status ApplyPenalty(grpc::ServerContext*, const wallet::ApplyPenaltyRequest* request,
                            wallet::ApplyPenaltyResponse* response) override {
    const Seat escaper = static_cast<Seat>(request->escaper_seat());
    const auto posted = Void({RoundId(request->round_id()), VoidReason::kEscape, escaper});
    if (!posted.ok()) return Failed(posted.status());
    const PenaltyPosted& penalty = **posted;
    response->set_journal_id(penalty.journal_id);
    response->set_taken(-penalty.seats[escaper].net);
    response->set_share(penalty.seats[rules::After(escaper)].net);
    response->set_shortfall(penalty.shortfall);
    for (const SeatPosted& seat : penalty.seats) response->add_balances(seat.balance);
    return grpc::Status::OK;
  }

  grpc::Status VoidRound(grpc::ServerContext*, const wallet::VoidRoundRequest* request,
                         wallet::VoidRoundResponse* response) override {
    const auto posted = Void({RoundId(request->round_id()), VoidReason::kAllAbsent, {}});
    if (!posted.ok()) return Failed(posted.status());
    response->set_journal_id("journal-void-" + request->round_id());
    return grpc::Status::OK;
  }

  grpc::Status SettleRound(grpc::ServerContext*, const wallet::SettleRoundRequest* request,
                           wallet::SettleRoundResponse* response) override {
    Settlement settlement;
    settlement.round = RoundId(request->round_id());
    for (Seat seat : rules::kSeats) {
      settlement.players[seat] = PlayerId(request->player_ids(rules::IndexOf(seat)));
    }
    for (const common::Transfer& transfer : request->transfers()) {
      settlement.transfers.push_back({static_cast<Seat>(transfer.from_seat()),
                                      static_cast<Seat>(transfer.to_seat()), transfer.coins(),
                                      transfer.rule_id()});
    }
    const auto posted =
        Now<RoundPosted>([&](auto done) { wallet_.SettleRound(settlement, std::move(done)); });
    if (!posted.ok()) return Failed(posted.status());
    response->set_journal_id(posted->journal_id);
    for (Seat seat : rules::kSeats) {
      wallet::SeatSettlement& added = *response->add_seats();
      added.set_seat(wire::Number(seat));
      added.set_net(posted->seats[seat].net);
      added.set_balance(posted->seats[seat].balance);
    }
    return grpc::Status::OK;
  }

  grpc::Status GetJournalRow(grpc::ServerContext*, const wallet::GetJournalRowRequest* request,
                             wallet::GetJournalRowResponse* response) override {
    const auto row = wallet_.ReadRow(RoundId(request->round_id()));
    if (!row.ok()) return Failed(row.status());
    response->set_journal_id(row->journal_id);
    response->set_canonical(row->canonical);
    response->set_hash(std::string(row->hash.begin(), row->hash.end()));
    return grpc::Status::OK;
  }

 private:
  absl::StatusOr<std::optional<PenaltyPosted>> Void(const Voiding& voiding) {
    return Now<std::optional<PenaltyPosted>>(
        [&](auto done) { wallet_.VoidRound(voiding, std::move(done)); });
  }

  FakeWallet& wallet_;
};

FakePeers::FakePeers()
    : scoring_(std::make_unique<Scoring>(scorer)), settling_(std::make_unique<Settling>(wallet)) {
  Start();
}

FakePeers::~FakePeers() { Stop(); }

void FakePeers::Stop() {
  if (server_ == nullptr) return;
  server_->Shutdown();
  server_->Wait();
  server_ = nullptr;
}

void FakePeers::Start() {
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort(address_, grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(scoring_.get());
  builder.RegisterService(settling_.get());
  server_ = builder.BuildAndStart();
  MJ_CHECK(server_ != nullptr);
  address_ = "127.0.0.1:" + std::to_string(port);
}

}  // namespace mj::table::peers
