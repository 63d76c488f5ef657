#include "services/matchmaking/rpc/messages.h"

#include <chrono>
#include <cstdint>
#include <string>

#include "google/protobuf/timestamp.pb.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"

namespace mj::matchmaking::rpc {
namespace {

namespace common = ::mahjong::common::v1;
using base::Cat;
using base::Error;
using base::Reason;

absl::StatusOr<std::string> CurrencyFromProto(common::Currency currency) {
  switch (currency) {
    case common::CURRENCY_UNSPECIFIED:
    case common::CURRENCY_COIN:
      return "COIN";
    case common::CURRENCY_PRACTICE:
      return "PRACTICE";
    default:
      return Error(Reason::kUnknownEnumValue, Cat("currency: got ", std::to_string(currency)),
                   {.field = "currency"});
  }
}

proto::TicketState ToProto(TicketState state) {
  switch (state) {
    case TicketState::kQueued:
      return proto::TICKET_STATE_QUEUED;
    case TicketState::kMatched:
      return proto::TICKET_STATE_MATCHED;
    case TicketState::kAssigned:
      return proto::TICKET_STATE_ASSIGNED;
    case TicketState::kCancelled:
      return proto::TICKET_STATE_CANCELLED;
    case TicketState::kExpired:
      return proto::TICKET_STATE_EXPIRED;
    case TicketState::kFailed:
      return proto::TICKET_STATE_FAILED;
  }
  return proto::TICKET_STATE_UNSPECIFIED;
}

void ToProto(base::WallTime time, google::protobuf::Timestamp& out) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  out.set_seconds(seconds.time_since_epoch().count());
  out.set_nanos(static_cast<std::int32_t>(std::chrono::nanoseconds(time - seconds).count()));
}

}  // namespace

absl::Status CheckId(std::string_view id, std::string_view field) {
  if (id.empty()) {
    return Error(Reason::kFieldRequired, Cat(field, ": empty"), {.field = std::string(field)});
  }
  if (!base::IsId(id)) {
    return Error(Reason::kBadId, Cat(field, ": want 1 to 64 of A-Z a-z 0-9 _ -"),
                 {.field = std::string(field)});
  }
  return absl::OkStatus();
}

absl::StatusOr<TicketRequest> FromProto(const proto::CreateTicketRequest& request) {
  MJ_RETURN_IF_ERROR(CheckId(request.request_id(), "request_id"));
  MJ_RETURN_IF_ERROR(CheckId(request.player_id(), "player_id"));
  if (request.variant().empty()) {
    return Error(Reason::kFieldRequired, "variant: empty", {.field = "variant"});
  }
  TicketRequest ticket;
  ticket.request = RequestId(request.request_id());
  ticket.player = PlayerId(request.player_id());
  ticket.variant = request.variant();
  ticket.options.insert(request.options().begin(), request.options().end());
  ticket.asked_base = request.base();
  MJ_ASSIGN_OR_RETURN(ticket.currency, CurrencyFromProto(request.currency()));
  return ticket;
}

proto::Ticket ToProto(const Ticket& ticket) {
  proto::Ticket out;
  out.set_ticket_id(ticket.id.value());
  out.set_player_id(ticket.wish.player.value());
  out.set_variant(ticket.wish.pool.variant);
  out.mutable_options()->insert(ticket.wish.pool.options.begin(), ticket.wish.pool.options.end());
  out.set_base(ticket.wish.pool.base);
  out.set_currency(ticket.wish.pool.currency == "PRACTICE" ? common::CURRENCY_PRACTICE
                                                           : common::CURRENCY_COIN);
  out.set_state(ToProto(ticket.state));
  ToProto(ticket.queued_at, *out.mutable_create_time());
  if (ticket.assignment) {
    proto::Assignment& assignment = *out.mutable_assignment();
    assignment.set_match_id(ticket.assignment->match.value());
    assignment.set_table_id(ticket.assignment->place.table.value());
    assignment.set_seat(static_cast<std::uint32_t>(ticket.assignment->seat));
    assignment.set_table_address(ticket.assignment->place.address);
  }
  out.set_failure_reason(ticket.failure_reason);
  return out;
}

}  // namespace mj::matchmaking::rpc
