#include "services/matchmaking/peers/feeds_client.h"

#include <chrono>
#include <optional>
#include <utility>

#include "libs/base/status.h"
#include "libs/rpc/client.h"
#include "libs/rpc/time.h"
#include "services/matchmaking/peers/currency.h"

namespace mj::matchmaking::peers {
namespace {

namespace v1 = ::mahjong::table::v1;
using v1::TableService;

template <typename Ids>
absl::StatusOr<std::array<PlayerId, kSeats>> PlayersOf(const Ids& ids) {
  if (ids.size() != static_cast<int>(kSeats)) {
    return absl::InternalError("a feed of the table service: not four players");
  }
  std::array<PlayerId, kSeats> players;
  for (std::size_t seat = 0; seat < kSeats; ++seat) {
    players[seat] = PlayerId(ids.Get(static_cast<int>(seat)));
  }
  return players;
}

absl::StatusOr<EndedRound> Read(const v1::EndedRound& told) {
  if (told.round_id().empty() || told.coins_size() != static_cast<int>(kSeats)) {
    return absl::InternalError("WatchRounds told of a round without an id or its coins");
  }
  EndedRound round;
  round.round = told.round_id();
  round.variant = told.variant();
  round.currency = CurrencyFromProto(told.currency());
  MJ_ASSIGN_OR_RETURN(round.players, PlayersOf(told.player_ids()));
  round.settled = told.end() == v1::ROUND_END_SETTLED;
  for (std::size_t seat = 0; seat < kSeats; ++seat) {
    round.coins[seat] = told.coins(static_cast<int>(seat));
  }
  round.ended_at = mj::rpc::FromProto(told.end_time());
  return round;
}

absl::StatusOr<SeatChange> Read(const v1::TableSeats& told) {
  if (told.table_id().empty()) {
    return absl::InternalError("WatchOpenSeats told of a table without an id");
  }
  SeatChange change;
  change.place = {TableId(told.table_id()), told.address()};
  change.match = MatchId(told.table_request_id());
  MJ_ASSIGN_OR_RETURN(change.seated, PlayersOf(told.player_ids()));
  change.open = told.open();
  for (const std::string& player : told.left_player_ids()) change.left.emplace_back(player);
  return change;
}

// Hands on a response; whether to go on.
template <typename Item, typename Told, typename Response, typename Take>
absl::StatusOr<bool> HandOn(const Told& told, const Response& response, const Take& take) {
  FeedBatch<Item> batch;
  for (const auto& one : told) {
    MJ_ASSIGN_OR_RETURN(batch.items.emplace_back(), Read(one));
  }
  batch.position = response.position();
  batch.lag = mj::rpc::FromProto(response.lag());
  return take(batch);
}

}  // namespace

bool FeedsClient::Enter(grpc::ClientContext& context) {
  base::MutexLock lock(mutex_);
  if (ended_) return false;
  calls_.insert(&context);
  return true;
}

bool FeedsClient::Leave(grpc::ClientContext& context) {
  base::MutexLock lock(mutex_);
  calls_.erase(&context);
  return ended_;
}

void FeedsClient::End() {
  base::MutexLock lock(mutex_);
  ended_ = true;
  for (grpc::ClientContext* const call : calls_) call->TryCancel();
}

template <typename Response, typename Request, typename Open, typename Read>
absl::Status FeedsClient::Follow(const Open& open, const Request& request,
                                 base::MonotonicTime until, const Read& read) {
  const auto left = std::chrono::floor<Millis>(until - clock_.Monotonic());
  if (left <= Millis(0)) return absl::OkStatus();
  grpc::ClientContext context;
  mj::rpc::Prepare(context, {.timeout = left});
  if (!Enter(context)) return absl::OkStatus();
  const auto reader = open(context, request);
  absl::StatusOr<bool> going_on = true;
  for (Response response; going_on.ok() && *going_on && reader->Read(&response);) {
    going_on = read(response);
  }
  const bool enough = !going_on.ok() || !*going_on;
  if (enough) context.TryCancel();
  const absl::Status end = mj::rpc::FromGrpc(reader->Finish());
  const bool ended = Leave(context);
  MJ_RETURN_IF_ERROR(going_on.status());
  if (enough || ended || absl::IsDeadlineExceeded(end)) return absl::OkStatus();
  return end;
}

absl::Status FeedsClient::FollowRounds(const std::string& position, base::MonotonicTime until,
                                       const Take<EndedRound>& take) {
  v1::WatchRoundsRequest request;
  request.set_position(position);
  return Follow<v1::WatchRoundsResponse>(
      [this](grpc::ClientContext& context, const auto& in) {
        return stub_->WatchRounds(&context, in);
      },
      request, until,
      [&take](const v1::WatchRoundsResponse& told) {
        return HandOn<EndedRound>(told.rounds(), told, take);
      });
}

absl::Status FeedsClient::FollowSeats(const std::string& position, base::MonotonicTime until,
                                      const Take<SeatChange>& take) {
  v1::WatchOpenSeatsRequest request;
  request.set_position(position);
  return Follow<v1::WatchOpenSeatsResponse>(
      [this](grpc::ClientContext& context, const auto& in) {
        return stub_->WatchOpenSeats(&context, in);
      },
      request, until,
      [&take](const v1::WatchOpenSeatsResponse& told) {
        return HandOn<SeatChange>(told.tables(), told, take);
      });
}

std::unique_ptr<FeedsClient> ConnectFeeds(const std::string& target, const base::Clock& clock) {
  return std::make_unique<FeedsClient>(
      TableService::NewStub(mj::rpc::MakeChannel({.target = target})), clock);
}

}  // namespace mj::matchmaking::peers
