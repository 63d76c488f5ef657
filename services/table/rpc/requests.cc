#include "services/table/rpc/requests.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>

#include "libs/base/fields.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/ledger/bot_account.h"
#include "libs/wire/choice.h"
#include "libs/wire/fields.h"

namespace mj::table::rpc {
namespace {

using base::Cat;
using base::CheckId;
using base::Error;
using base::Reason;

// Nobody speaks for a bot of the house, or sits down as one.
absl::Status CheckPlayer(std::string_view id, std::string_view field) {
  MJ_RETURN_IF_ERROR(CheckId(field, id));
  if (!ledger::IsBotAccount(id)) return absl::OkStatus();
  return Error(Reason::kNotAPlayerAccount, Cat(field, ": a bot of the house"),
               {.field = std::string(field)});
}

template <typename Request>
absl::Status CheckCaller(const Request& request) {
  MJ_RETURN_IF_ERROR(CheckId("table_id", request.table_id()));
  return CheckPlayer(request.player_id(), "player_id");
}

// `bots` of them sit behind `players`.
absl::Status ReadBots(std::uint32_t bots, int players, PerSeat<bool>& seats) {
  constexpr std::uint32_t kSeats = rules::kSeatCount;
  const auto taken = static_cast<std::uint32_t>(players);
  if (bots > kSeats - taken) {
    return Error(Reason::kBadSeat,
                 Cat("bots: got ", std::to_string(bots), " beside ", std::to_string(players),
                     " players, at most 4 together"),
                 {.field = "bots"});
  }
  for (std::uint32_t i = taken; i < taken + bots; ++i) seats[static_cast<Seat>(i)] = true;
  return absl::OkStatus();
}

absl::StatusOr<audit::Digest> ReadTokenHash(std::string_view bytes, const std::string& field) {
  if (const auto hash = audit::DigestFromBytes(bytes)) return *hash;
  return Error(Reason::kBadJoinTokenHash,
               Cat(field, ": got ", std::to_string(bytes.size()), " bytes, want 32"),
               {.field = field});
}

absl::Status ReadTokenHashes(const proto::CreateTableRequest& request, TableSpec& spec) {
  if (request.join_token_hashes().empty()) return absl::OkStatus();
  if (request.join_token_hashes_size() != request.player_ids_size()) {
    return Error(Reason::kBadJoinTokenHash,
                 Cat("join_token_hashes: got ", std::to_string(request.join_token_hashes_size()),
                     " for ", std::to_string(request.player_ids_size()), " players"),
                 {.field = "join_token_hashes"});
  }
  for (int i = 0; i < request.join_token_hashes_size(); ++i) {
    MJ_ASSIGN_OR_RETURN(
        spec.token_hashes[static_cast<Seat>(i)],
        ReadTokenHash(request.join_token_hashes(i), wire::Element("join_token_hashes", i)));
  }
  return absl::OkStatus();
}

template <typename Request>
absl::Status CheckVariant(const Request& request) {
  if (!request.variant().empty()) return absl::OkStatus();
  return Error(Reason::kFieldRequired, "variant: absent", {.field = "variant"});
}

absl::Status UnknownValue(std::string_view field, int value) {
  return Error(Reason::kUnknownEnumValue, Cat(field, ": got ", std::to_string(value)),
               {.field = std::string(field)});
}

absl::StatusOr<Currency> CurrencyOf(::mahjong::common::v1::Currency currency) {
  switch (currency) {
    case ::mahjong::common::v1::CURRENCY_UNSPECIFIED:
    case ::mahjong::common::v1::CURRENCY_COIN:
      return Currency::kCoin;
    case ::mahjong::common::v1::CURRENCY_PRACTICE:
      return Currency::kPractice;
    default:
      return UnknownValue("currency", currency);
  }
}

}  // namespace

absl::StatusOr<Creating> Read(const proto::CreateTableRequest& request) {
  MJ_RETURN_IF_ERROR(CheckId("request_id", request.request_id()));
  Creating creating;
  creating.request = RequestId(request.request_id());
  MJ_RETURN_IF_ERROR(CheckVariant(request));
  creating.spec.variant = request.variant();
  creating.spec.options = OptionTexts(request.options().begin(), request.options().end());
  creating.spec.base = request.base();
  creating.settings = SettingValues(request.settings().begin(), request.settings().end());
  MJ_ASSIGN_OR_RETURN(creating.spec.currency, CurrencyOf(request.currency()));
  if (request.player_ids_size() > rules::kSeatCount) {
    return Error(Reason::kBadSeat,
                 Cat("player_ids: got ", std::to_string(request.player_ids_size()), ", at most 4"),
                 {.field = "player_ids"});
  }
  for (int i = 0; i < request.player_ids_size(); ++i) {
    MJ_RETURN_IF_ERROR(CheckPlayer(request.player_ids(i), wire::Element("player_ids", i)));
    creating.spec.players[static_cast<Seat>(i)] = PlayerId(request.player_ids(i));
  }
  MJ_RETURN_IF_ERROR(ReadBots(request.bots(), request.player_ids_size(), creating.spec.bots));
  MJ_RETURN_IF_ERROR(ReadTokenHashes(request, creating.spec));
  if (!request.media_room_id().empty()) {
    MJ_RETURN_IF_ERROR(CheckId("media_room_id", request.media_room_id()));
  }
  creating.spec.media_room = request.media_room_id();
  return creating;
}

absl::StatusOr<Listing> Read(const proto::ListTablesRequest& request) {
  MJ_RETURN_IF_ERROR(CheckVariant(request));
  Listing listing;
  listing.filter.variant = request.variant();
  MJ_ASSIGN_OR_RETURN(listing.filter.currency, CurrencyOf(request.currency()));
  listing.filter.room = request.base();
  listing.filter.free_seats = request.free_seats();
  listing.page_size = request.page_size();
  listing.page_token = request.page_token();
  return listing;
}

absl::StatusOr<RoomsOf> Read(const proto::ListRoomsRequest& request) {
  MJ_RETURN_IF_ERROR(CheckVariant(request));
  MJ_ASSIGN_OR_RETURN(const Currency currency, CurrencyOf(request.currency()));
  return RoomsOf{request.variant(), currency};
}

absl::StatusOr<std::optional<Seat>> SeatAskedFor(const proto::JoinTableRequest& request) {
  return wire::MaybeSeat(request, &proto::JoinTableRequest::has_seat,
                         &proto::JoinTableRequest::seat, "seat");
}

absl::StatusOr<std::optional<audit::Digest>> TokenHashOf(const proto::JoinTableRequest& request) {
  if (request.join_token_hash().empty()) return std::optional<audit::Digest>();
  MJ_ASSIGN_OR_RETURN(const audit::Digest hash,
                      ReadTokenHash(request.join_token_hash(), "join_token_hash"));
  return std::optional(hash);
}

absl::StatusOr<LeaveReason> ReasonOf(const proto::LeaveTableRequest& request) {
  switch (request.reason()) {
    case proto::LEAVE_REASON_UNSPECIFIED:
    case proto::LEAVE_REASON_LEFT:
      return LeaveReason::kLeft;
    case proto::LEAVE_REASON_CLIENT_CLOSED:
      return LeaveReason::kClientClosed;
    default:
      return UnknownValue("reason", request.reason());
  }
}

int RoundNumberOf(std::uint32_t number) {
  constexpr std::uint32_t kMax = std::numeric_limits<int>::max();
  return static_cast<int>(std::min(number, kMax));
}

absl::StatusOr<std::optional<fairness::Digest>> NonceHashOf(const proto::ReadyRequest& request) {
  const std::string& text = request.nonce_hash();
  if (text.empty()) return std::optional<fairness::Digest>();
  fairness::Digest hash{};
  if (text.size() != hash.size()) {
    return Error(Reason::kBadNonceHash,
                 Cat("nonce_hash: got ", std::to_string(text.size()), " bytes, want 32"),
                 {.field = "nonce_hash"});
  }
  std::copy(text.begin(), text.end(), hash.begin());
  return std::optional(hash);
}

fairness::Bytes NonceOf(const proto::RevealNonceRequest& request) {
  return {request.nonce().begin(), request.nonce().end()};
}

absl::StatusOr<Action> ActionOf(const proto::ActRequest& request) {
  using Kind = StakesAnswer::Kind;
  if (!request.has_choice()) {
    return Error(Reason::kFieldRequired, "choice: absent", {.field = "choice"});
  }
  const proto::Choice& choice = request.choice();
  if (choice.has_accept()) return StakesAnswer{Kind::kAccept, 0, {}};
  if (choice.has_refuse()) return StakesAnswer{Kind::kRefuse, 0, {}};
  if (choice.has_propose()) {
    const proto::ProposeChoice& propose = choice.propose();
    return StakesAnswer{Kind::kPropose, propose.base(),
                        OptionTexts(propose.options().begin(), propose.options().end())};
  }
  const absl::StatusOr<round::Choice> of_round = wire::FromProto(choice);
  if (!of_round.ok()) return base::InField("choice", of_round.status());
  return *of_round;
}

absl::StatusOr<Seat> SeatToWatch(const proto::WatchRequest& request) {
  if (!request.has_seat()) {
    return Error(Reason::kFieldRequired, "seat: absent", {.field = "seat"});
  }
  return wire::SeatFromNumber(request.seat(), "seat");
}

absl::Status Validate(const proto::CreateTableRequest& request) { return Read(request).status(); }

absl::Status Validate(const proto::ListTablesRequest& request) { return Read(request).status(); }

absl::Status Validate(const proto::ListRoomsRequest& request) { return Read(request).status(); }

absl::Status Validate(const proto::JoinTableRequest& request) {
  MJ_RETURN_IF_ERROR(CheckCaller(request));
  MJ_RETURN_IF_ERROR(SeatAskedFor(request).status());
  return TokenHashOf(request).status();
}

absl::Status Validate(const proto::ReadyRequest& request) {
  MJ_RETURN_IF_ERROR(CheckCaller(request));
  return NonceHashOf(request).status();
}

absl::Status Validate(const proto::RevealNonceRequest& request) {
  MJ_RETURN_IF_ERROR(CheckCaller(request));
  if (request.round_number() == 0) {
    return Error(Reason::kFieldRequired, "round_number: absent", {.field = "round_number"});
  }
  if (request.nonce().empty()) {
    return Error(Reason::kFieldRequired, "nonce: absent", {.field = "nonce"});
  }
  return absl::OkStatus();
}

absl::Status Validate(const proto::TakeOverRequest& request) { return CheckCaller(request); }

absl::Status Validate(const proto::SubscribeRequest& request) { return CheckCaller(request); }

absl::Status Validate(const proto::ShowHandRequest& request) { return CheckCaller(request); }

absl::Status Validate(const proto::WatchRequest& request) {
  MJ_RETURN_IF_ERROR(CheckCaller(request));
  return SeatToWatch(request).status();
}

absl::Status Validate(const proto::LeaveTableRequest& request) {
  MJ_RETURN_IF_ERROR(CheckCaller(request));
  return ReasonOf(request).status();
}

absl::Status Validate(const proto::GetTableRequest& request) {
  MJ_RETURN_IF_ERROR(CheckId("table_id", request.table_id()));
  return request.player_id().empty() ? absl::OkStatus()
                                     : CheckPlayer(request.player_id(), "player_id");
}

RoundFilter FilterOf(const proto::ListRoundsRequest& request) {
  return {PlayerId(request.player_id()), TableId(request.table_id())};
}

absl::Status Validate(const proto::GetRoundRecordRequest& request) {
  return CheckId("round_id", request.round_id());
}

absl::Status Validate(const proto::ListRoundsRequest& request) {
  // Neither, or both: the app says so.
  MJ_RETURN_IF_ERROR(base::CheckIdIfAny("player_id", request.player_id()));
  MJ_RETURN_IF_ERROR(base::CheckIdIfAny("table_id", request.table_id()));
  return absl::OkStatus();
}

absl::Status Validate(const proto::ActRequest& request) {
  MJ_RETURN_IF_ERROR(CheckCaller(request));
  return ActionOf(request).status();
}

}  // namespace mj::table::rpc
