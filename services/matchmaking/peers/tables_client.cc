#include "services/matchmaking/peers/tables_client.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "libs/audit/digest.h"
#include "libs/base/moved.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/rpc/client.h"
#include "libs/rpc/time.h"
#include "services/matchmaking/peers/currency.h"

namespace mj::matchmaking::peers {
namespace {

namespace v1 = ::mahjong::table::v1;
using v1::TableService;

// What the table service learns of a token.
std::string HashOf(std::string_view token) {
  return std::string(audit::AsBytes(audit::Sha256(token)));
}

}  // namespace

absl::StatusOr<Millis> TablesClient::TimeLeft(base::MonotonicTime until) const {
  const Millis left = std::chrono::floor<Millis>(until - clock_.Monotonic());
  const Millis timeout = std::min(options_.timeout, left);
  if (timeout > Millis(0)) return timeout;
  return base::Error(base::Reason::kDeadlineExceeded, "the lease of the match is over");
}

absl::StatusOr<TablePlace> TablesClient::CreateTable(const Match& match,
                                                     base::MonotonicTime until) {
  MJ_ASSIGN_OR_RETURN(const Millis timeout, TimeLeft(until));
  v1::CreateTableRequest request;
  request.set_request_id(match.id.value());
  request.set_variant(match.pool.variant);
  for (const auto& [name, value] : match.pool.options) (*request.mutable_options())[name] = value;
  request.set_base(match.pool.base);
  request.set_currency(CurrencyToProto(match.pool.currency));
  for (const Member& member : match.members) {
    request.add_player_ids(member.player.value());
    // All have one, or none: those of a match that was made by an older program.
    if (!member.token.empty()) *request.add_join_token_hashes() = HashOf(member.token);
  }
  request.set_media_room_id(match.media_room);
  request.set_bots(static_cast<std::uint32_t>(kSeats - match.members.size()));
  if (match.bot_strength != matching::BotStrength::kUsual) {
    (*request.mutable_settings())["bot_strength"] = static_cast<std::int64_t>(match.bot_strength);
  }

  MJ_ASSIGN_OR_RETURN(const v1::CreateTableResponse response,
                      mj::rpc::Invoke(*stub_, &TableService::StubInterface::CreateTable, request,
                                      {.timeout = timeout, .request_id = match.id.value()}));
  const v1::Table& table = response.table();
  if (table.table_id().empty() || table.address().empty()) {
    return absl::InternalError("CreateTable answered without a table id or an address");
  }
  return TablePlace{TableId(table.table_id()), table.address()};
}

absl::StatusOr<TablePlace> TablesClient::JoinTable(const Match& match, base::MonotonicTime until) {
  v1::JoinTableRequest request;
  request.set_table_id(match.refill->place.table.value());
  request.set_player_id(match.members.front().player.value());
  request.set_seat(static_cast<std::uint32_t>(match.refill->seat));
  const std::string& token = match.members.front().token;
  if (!token.empty()) request.set_join_token_hash(HashOf(token));
  const auto join = [&](Stub& stub) -> absl::StatusOr<v1::JoinTableResponse> {
    MJ_ASSIGN_OR_RETURN(const Millis timeout, TimeLeft(until));
    return mj::rpc::Invoke(stub, &TableService::StubInterface::JoinTable, request,
                           {.timeout = timeout, .request_id = match.id.value()});
  };
  const std::string& address = match.refill->place.address;
  absl::StatusOr<v1::JoinTableResponse> response =
      join(address.empty() ? *stub_ : pool_.At(address));
  // The process that held it may be gone: another one knows.
  if (!address.empty() && absl::IsUnavailable(response.status())) response = join(*stub_);
  const auto moved = base::MovedTo(response.status());
  if (moved && !moved->empty()) response = join(pool_.At(*moved));
  if (!response.ok()) return response.status();
  if (response->table().address().empty()) {
    return absl::InternalError("JoinTable answered without an address");
  }
  return TablePlace{match.refill->place.table, response->table().address()};
}

absl::StatusOr<TableNow> TablesClient::GetTable(const TablePlace& place) {
  v1::GetTableRequest request;
  request.set_table_id(place.table.value());
  return Look(request);
}

absl::StatusOr<TableNow> TablesClient::GetTableFor(const LiveSeat& seat) {
  v1::GetTableRequest request;
  request.set_table_id(seat.place.table.value());
  request.set_player_id(seat.player.value());
  request.set_join_token(seat.token);
  return Look(request);
}

absl::StatusOr<TableNow> TablesClient::Look(const v1::GetTableRequest& request) {
  MJ_ASSIGN_OR_RETURN(const v1::GetTableResponse response,
                      mj::rpc::Invoke(*stub_, &TableService::StubInterface::GetTable, request,
                                      {.timeout = options_.timeout}));
  TableNow now;
  now.closed = response.table().state() == v1::TABLE_STATE_CLOSED;
  for (const v1::Seat& seat : response.table().seats()) {
    if (!seat.player_id().empty()) now.seated.push_back(PlayerId(seat.player_id()));
  }
  now.address = response.table().address();
  now.round_id = response.table().round_id();
  if (response.has_deadline()) now.deadline = mj::rpc::FromProto(response.deadline());
  return now;
}

absl::Status TablesClient::LeaveTable(const TablePlace& place, const PlayerId& player) {
  v1::LeaveTableRequest request;
  request.set_table_id(place.table.value());
  request.set_player_id(player.value());
  request.set_reason(v1::LEAVE_REASON_LEFT);
  const auto leave = [&](Stub& stub) {
    return mj::rpc::Invoke(stub, &TableService::StubInterface::LeaveTable, request,
                           {.timeout = options_.timeout})
        .status();
  };
  absl::Status status = leave(*stub_);
  const auto moved = base::MovedTo(status);
  if (moved && !moved->empty()) status = leave(pool_.At(*moved));
  for (const base::Reason gone :
       {base::Reason::kNotSeated, base::Reason::kTableClosed, base::Reason::kTableNotFound}) {
    if (base::HasReason(status, gone)) return absl::OkStatus();
  }
  return status;
}

std::unique_ptr<TablesClient> ConnectTables(const std::string& target, const base::Clock& clock,
                                            TablesClientOptions options) {
  const auto connect = [](const std::string& address) -> std::unique_ptr<TablesClient::Stub> {
    return TableService::NewStub(mj::rpc::MakeChannel({.target = address, .retry_safe = true}));
  };
  return std::make_unique<TablesClient>(connect(target), connect, clock, options);
}

}  // namespace mj::matchmaking::peers
