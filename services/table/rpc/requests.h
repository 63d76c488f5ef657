// What is asked of a table, read from messages. A field that cannot be is refused with its reason
// and path: FIELD_REQUIRED, BAD_ID, BAD_SEAT, BAD_NONCE_HASH, BAD_JOIN_TOKEN_HASH, UNKNOWN_ENUM_VALUE, and
// what libs/wire says of a choice.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/audit/digest.h"
#include "libs/fairness/commitment.h"
#include "libs/round/choice.h"
#include "mahjong/table/v1/table_service.pb.h"
#include "services/table/app/lobby.h"
#include "services/table/app/model.h"
#include "services/table/app/records.h"
#include "services/table/app/stakes.h"

namespace mj::table::rpc {

namespace proto = ::mahjong::table::v1;

// Player and table of a request that has both.
struct Caller {
  TableId table;
  PlayerId player;
};
template <typename Request>
Caller CallerOf(const Request& request) {
  return {TableId(request.table_id()), PlayerId(request.player_id())};
}

struct Creating {
  RequestId request;
  TableSpec spec;  // as it was asked for
  SettingValues settings;
};
[[nodiscard]] absl::StatusOr<Creating> Read(const proto::CreateTableRequest& request);

struct Listing {
  LobbyFilter filter;
  std::int64_t page_size = 0;
  std::string page_token;
};
[[nodiscard]] absl::StatusOr<Listing> Read(const proto::ListTablesRequest& request);
struct RoomsOf {
  std::string variant;
  Currency currency = Currency::kCoin;
};
[[nodiscard]] absl::StatusOr<RoomsOf> Read(const proto::ListRoomsRequest& request);

// The seat that is asked for, if one is.
[[nodiscard]] absl::StatusOr<std::optional<Seat>> SeatAskedFor(
    const proto::JoinTableRequest& request);
// The hash of the token by which it is to be opened, if one came. BAD_JOIN_TOKEN_HASH.
[[nodiscard]] absl::StatusOr<std::optional<audit::Digest>> TokenHashOf(
    const proto::JoinTableRequest& request);
// Who asks for what is one seat's alone.
template <typename Request>
Asker AskerOf(const Request& request) {
  return {PlayerId(request.player_id()), request.join_token()};
}
[[nodiscard]] absl::StatusOr<LeaveReason> ReasonOf(const proto::LeaveTableRequest& request);
// Numbers beyond any round are the greatest that there is.
[[nodiscard]] int RoundNumberOf(std::uint32_t number);
// The hash of a nonce, if one came. BAD_NONCE_HASH.
[[nodiscard]] absl::StatusOr<std::optional<fairness::Digest>> NonceHashOf(
    const proto::ReadyRequest& request);
[[nodiscard]] fairness::Bytes NonceOf(const proto::RevealNonceRequest& request);
[[nodiscard]] absl::StatusOr<Seat> SeatToWatch(const proto::WatchRequest& request);
// A choice of a round, or an answer about the stakes.
using Action = std::variant<round::Choice, StakesAnswer>;
[[nodiscard]] absl::StatusOr<Action> ActionOf(const proto::ActRequest& request);

[[nodiscard]] RoundFilter FilterOf(const proto::ListRoundsRequest& request);

// The same as yes or no, for the door.
[[nodiscard]] absl::Status Validate(const proto::CreateTableRequest& request);
[[nodiscard]] absl::Status Validate(const proto::ListTablesRequest& request);
[[nodiscard]] absl::Status Validate(const proto::ListRoomsRequest& request);
[[nodiscard]] absl::Status Validate(const proto::JoinTableRequest& request);
[[nodiscard]] absl::Status Validate(const proto::ReadyRequest& request);
[[nodiscard]] absl::Status Validate(const proto::RevealNonceRequest& request);
[[nodiscard]] absl::Status Validate(const proto::TakeOverRequest& request);
[[nodiscard]] absl::Status Validate(const proto::SubscribeRequest& request);
[[nodiscard]] absl::Status Validate(const proto::ShowHandRequest& request);
[[nodiscard]] absl::Status Validate(const proto::WatchRequest& request);
[[nodiscard]] absl::Status Validate(const proto::LeaveTableRequest& request);
[[nodiscard]] absl::Status Validate(const proto::GetTableRequest& request);
[[nodiscard]] absl::Status Validate(const proto::GetRoundRecordRequest& request);
[[nodiscard]] absl::Status Validate(const proto::ListRoundsRequest& request);
[[nodiscard]] absl::Status Validate(const proto::ActRequest& request);

}  // namespace mj::table::rpc
