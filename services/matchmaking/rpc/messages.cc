#include "services/matchmaking/rpc/messages.h"

#include <chrono>
#include <cstdint>
#include <string>

#include "libs/base/fields.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/ledger/bot_account.h"
#include "libs/rpc/time.h"
#include "services/matchmaking/app/room_desk.h"

namespace mj::matchmaking::rpc {
namespace {

namespace common = ::mahjong::common::v1;
using base::Cat;
using base::CheckId;
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

common::Currency ToProto(std::string_view currency) {
  return currency == matching::kUnstaked ? common::CURRENCY_PRACTICE : common::CURRENCY_COIN;
}

absl::StatusOr<matching::Media> MediaFromProto(proto::Media media) {
  switch (media) {
    case proto::MEDIA_UNSPECIFIED:
    case proto::MEDIA_NONE:
      return matching::Media::kNone;
    case proto::MEDIA_VIDEO:
      return matching::Media::kVideo;
    default:
      return Error(Reason::kUnknownEnumValue, Cat("media: got ", std::to_string(media)),
                   {.field = "media"});
  }
}

proto::Media ToProto(matching::Media media) {
  return media == matching::Media::kVideo ? proto::MEDIA_VIDEO : proto::MEDIA_NONE;
}

absl::StatusOr<matching::Bots> BotsFromProto(proto::Bots bots) {
  switch (bots) {
    case proto::BOTS_UNSPECIFIED:
    case proto::BOTS_NONE:
      return matching::Bots::kNone;
    case proto::BOTS_AT_ONCE:
      return matching::Bots::kAtOnce;
    case proto::BOTS_AFTER_WAIT:
      return matching::Bots::kAfterWait;
    default:
      return Error(Reason::kUnknownEnumValue, Cat("bots: got ", std::to_string(bots)),
                   {.field = "bots"});
  }
}

absl::StatusOr<matching::BotStrength> StrengthFromProto(proto::BotStrength strength) {
  switch (strength) {
    case proto::BOT_STRENGTH_UNSPECIFIED:
      return matching::BotStrength::kUsual;
    case proto::BOT_STRENGTH_WEAK:
      return matching::BotStrength::kWeak;
    case proto::BOT_STRENGTH_MEDIUM:
      return matching::BotStrength::kMedium;
    case proto::BOT_STRENGTH_STRONG:
      return matching::BotStrength::kStrong;
    default:
      return Error(Reason::kUnknownEnumValue, Cat("bot_strength: got ", std::to_string(strength)),
                   {.field = "bot_strength"});
  }
}

proto::BotStrength ToProto(matching::BotStrength strength) {
  switch (strength) {
    case matching::BotStrength::kUsual:
      return proto::BOT_STRENGTH_UNSPECIFIED;
    case matching::BotStrength::kWeak:
      return proto::BOT_STRENGTH_WEAK;
    case matching::BotStrength::kMedium:
      return proto::BOT_STRENGTH_MEDIUM;
    case matching::BotStrength::kStrong:
      return proto::BOT_STRENGTH_STRONG;
  }
  return proto::BOT_STRENGTH_UNSPECIFIED;
}

proto::Bots ToProto(matching::Bots bots) {
  switch (bots) {
    case matching::Bots::kNone:
      return proto::BOTS_NONE;
    case matching::Bots::kAtOnce:
      return proto::BOTS_AT_ONCE;
    case matching::Bots::kAfterWait:
      return proto::BOTS_AFTER_WAIT;
  }
  return proto::BOTS_UNSPECIFIED;
}

// Nobody queues a bot of the house.
absl::Status CheckPlayer(std::string_view id, std::string_view field) {
  MJ_RETURN_IF_ERROR(CheckId(field, id));
  if (!ledger::IsBotAccount(id)) return absl::OkStatus();
  return Error(Reason::kNotAPlayerAccount, Cat(field, ": a bot of the house"),
               {.field = std::string(field)});
}

absl::Status CheckOptionalId(std::string_view id, std::string_view field) {
  return id.empty() ? absl::OkStatus() : CheckId(field, id);
}

// What is told of a player; `at` is where it stands in the request.
absl::StatusOr<Details> DetailsFromProto(
    const proto::Client& client, const google::protobuf::RepeatedPtrField<std::string>& avoid,
    const std::string& at) {
  Details details;
  MJ_RETURN_IF_ERROR(CheckOptionalId(client.device_id(), Cat(at, "client.device_id")));
  for (const auto& [region, latency] : client.latency_ms()) {
    MJ_RETURN_IF_ERROR(CheckId(Cat(at, "client.latency_ms"), region));
    details.latency.emplace(region, latency);
  }
  for (int i = 0; i < avoid.size(); ++i) {
    MJ_RETURN_IF_ERROR(CheckId(Cat(at, "avoid_player_ids[", std::to_string(i), "]"), avoid[i]));
    details.avoid.insert(PlayerId(avoid[i]));
  }
  details.device = client.device_id();
  details.address = client.network_address();
  return details;
}

// What CreateTicket and OpenRoom have in common, but for who comes along.
template <typename Request>
absl::StatusOr<TicketRequest> GameFromProto(const Request& request) {
  MJ_RETURN_IF_ERROR(CheckId("request_id", request.request_id()));
  MJ_RETURN_IF_ERROR(CheckPlayer(request.player_id(), "player_id"));
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
  MJ_ASSIGN_OR_RETURN(ticket.media, MediaFromProto(request.media()));
  return ticket;
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

}  // namespace

absl::Status CheckCode(std::string_view code) {
  if (code.empty()) return Error(Reason::kFieldRequired, "code: empty", {.field = "code"});
  if (!IsRoomCode(code)) return Error(Reason::kBadId, "code: want six digits", {.field = "code"});
  return absl::OkStatus();
}

absl::StatusOr<TicketRequest> FromProto(const proto::CreateTicketRequest& request) {
  MJ_ASSIGN_OR_RETURN(TicketRequest ticket, GameFromProto(request));
  MJ_ASSIGN_OR_RETURN(ticket.details,
                      DetailsFromProto(request.client(), request.avoid_player_ids(), ""));
  for (int i = 0; i < request.friends_size(); ++i) {
    const proto::Friend& other = request.friends(i);
    const std::string at = Cat("friends[", std::to_string(i), "].");
    MJ_RETURN_IF_ERROR(CheckPlayer(other.player_id(), Cat(at, "player_id")));
    MJ_ASSIGN_OR_RETURN(const Details details,
                        DetailsFromProto(other.client(), other.avoid_player_ids(), at));
    ticket.friends.push_back({PlayerId(other.player_id()), details});
  }
  MJ_ASSIGN_OR_RETURN(ticket.bots, BotsFromProto(request.bots()));
  MJ_ASSIGN_OR_RETURN(ticket.bot_strength, StrengthFromProto(request.bot_strength()));
  return ticket;
}

absl::StatusOr<TicketRequest> FromProto(const proto::OpenRoomRequest& request) {
  MJ_ASSIGN_OR_RETURN(TicketRequest ticket, GameFromProto(request));
  MJ_ASSIGN_OR_RETURN(ticket.details, DetailsFromProto(request.client(), {}, ""));
  return ticket;
}

absl::StatusOr<EntryRequest> FromProto(const proto::EnterRoomRequest& request) {
  MJ_RETURN_IF_ERROR(CheckId("request_id", request.request_id()));
  MJ_RETURN_IF_ERROR(CheckPlayer(request.player_id(), "player_id"));
  MJ_RETURN_IF_ERROR(CheckCode(request.code()));
  EntryRequest entry;
  entry.request = RequestId(request.request_id());
  entry.player = PlayerId(request.player_id());
  entry.code = request.code();
  MJ_ASSIGN_OR_RETURN(entry.details, DetailsFromProto(request.client(), {}, ""));
  return entry;
}

proto::Assignment ToProto(const LiveSeat& seat) {
  proto::Assignment out;
  out.set_match_id(seat.match.value());
  out.set_table_id(seat.place.table.value());
  out.set_seat(static_cast<std::uint32_t>(seat.seat));
  out.set_table_address(seat.place.address);
  out.set_join_token(seat.token);
  out.set_media_room_id(seat.media_room);
  return out;
}

proto::Ticket ToProto(const Ticket& ticket, std::optional<std::chrono::milliseconds> wait) {
  const Wish& wish = ticket.wish;
  proto::Ticket out;
  out.set_ticket_id(ticket.id.value());
  out.set_player_id(wish.player.value());
  out.set_variant(wish.pool.variant);
  out.mutable_options()->insert(wish.pool.options.begin(), wish.pool.options.end());
  out.set_base(wish.pool.base);
  out.set_currency(ToProto(wish.pool.currency));
  out.set_state(ToProto(ticket.state));
  mj::rpc::ToProto(ticket.queued_at, *out.mutable_create_time());
  mj::rpc::ToProto(ticket.expires_at, *out.mutable_expire_time());
  if (ticket.assignment) {
    const Assignment& found = *ticket.assignment;
    *out.mutable_assignment() = ToProto(
        LiveSeat{wish.player, found.match, found.place, found.seat, found.token, found.media_room});
    out.mutable_assignment()->set_region(found.region);
  }
  out.set_failure_reason(ticket.failure_reason);
  out.set_media(ToProto(wish.pool.media));
  for (const PlayerId& player : ticket.party) out.add_party_player_ids(player.value());
  out.set_room_id(wish.pool.room);
  out.set_bots(ToProto(wish.bots));
  out.set_bot_strength(ToProto(wish.bot_strength));
  if (wait) mj::rpc::ToProto(*wait, *out.mutable_estimated_wait());
  return out;
}

proto::Room ToProto(const Room& room) {
  proto::Room out;
  out.set_room_id(room.id);
  out.set_code(room.code);
  out.set_owner_player_id(room.owner.value());
  out.set_variant(room.pool.variant);
  out.mutable_options()->insert(room.pool.options.begin(), room.pool.options.end());
  out.set_base(room.pool.base);
  out.set_currency(ToProto(room.pool.currency));
  out.set_media(ToProto(room.pool.media));
  for (const PlayerId& player : room.players) out.add_player_ids(player.value());
  mj::rpc::ToProto(room.expires_at, *out.mutable_expire_time());
  return out;
}

}  // namespace mj::matchmaking::rpc
