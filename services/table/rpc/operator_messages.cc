#include "services/table/rpc/operator_messages.h"

#include <span>
#include <string>

#include "libs/base/bytes.h"
#include "libs/base/fields.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/ledger/bot_account.h"
#include "libs/tiles/mpsz.h"
#include "services/table/rpc/messages.h"

namespace mj::table::rpc {
namespace {

using base::Cat;
using base::CheckId;
using base::CheckIdIfAny;
using base::CheckSomeText;
using base::Error;
using base::Reason;

// What every write says.
template <typename Request>
absl::Status CheckWrite(const Request& request) {
  MJ_RETURN_IF_ERROR(CheckId("request_id", request.request_id()));
  MJ_RETURN_IF_ERROR(CheckId("operator", request.operator_()));
  return CheckSomeText("reason", request.reason(), base::kReasonBytesMax);
}

template <typename Request>
absl::StatusOr<OperatorActed> ReadOrder(const Request& request, OperationKind kind) {
  MJ_RETURN_IF_ERROR(CheckWrite(request));
  MJ_RETURN_IF_ERROR(CheckId("table_id", request.table_id()));
  return OperatorActed{kind, RequestId(request.request_id()), request.operator_(),
                       request.reason()};
}

template <typename Request>
absl::StatusOr<Operation> ReadOperation(const Request& request, OperationKind kind) {
  MJ_RETURN_IF_ERROR(CheckWrite(request));
  Operation operation;
  operation.kind = kind;
  operation.request = RequestId(request.request_id());
  operation.who = request.operator_();
  operation.reason = request.reason();
  return operation;
}

std::string_view StepOf(RoundStep step) {
  switch (step) {
    case RoundStep::kNonces:
      return "nonces";
    case RoundStep::kDealing:
      return "dealing";
    case RoundStep::kPlaying:
      return "playing";
    case RoundStep::kUnscored:
      return "unscored";
    case RoundStep::kUnpaid:
      return "unpaid";
    case RoundStep::kVoiding:
      return "voiding";
    case RoundStep::kPaid:
      return "paid";
    case RoundStep::kVoid:
      return "void";
  }
  return "";
}

std::string_view KindOf(tiles::MeldKind kind) {
  switch (kind) {
    case tiles::MeldKind::kChow:
      return "chow";
    case tiles::MeldKind::kPung:
      return "pung";
    case tiles::MeldKind::kDiscardKong:
      return "discard_kong";
    case tiles::MeldKind::kAddedKong:
      return "added_kong";
    case tiles::MeldKind::kConcealedKong:
      return "concealed_kong";
  }
  return "";
}

proto::OperationKind KindOf(OperationKind kind) {
  switch (kind) {
    case OperationKind::kVoidRound:
      return proto::OPERATION_KIND_VOID_ROUND;
    case OperationKind::kCloseTable:
      return proto::OPERATION_KIND_CLOSE_TABLE;
    case OperationKind::kRemovePlayer:
      return proto::OPERATION_KIND_REMOVE_PLAYER;
    case OperationKind::kStopRounds:
      return proto::OPERATION_KIND_STOP_NEW_ROUNDS;
    case OperationKind::kResumeRounds:
      return proto::OPERATION_KIND_RESUME_NEW_ROUNDS;
  }
  return proto::OPERATION_KIND_UNSPECIFIED;
}

void Write(const InspectedRound& round, proto::InspectedRound& out) {
  out.set_round_id(round.round.value());
  out.set_round_number(static_cast<std::uint32_t>(round.number));
  out.set_rulebook_version(round.rulebook_version);
  out.set_base(round.base);
  out.set_step(std::string(StepOf(round.step)));
  out.set_wall_left(static_cast<std::uint32_t>(round.wall_left));
  out.set_seed_hash(base::TextOf(round.seed_hash));
  out.set_voiding(round.voiding);
}

void Write(const InspectedSeat& seat, proto::InspectedSeat& out) {
  out.set_player_id(seat.player.value());
  out.set_concealed(static_cast<std::uint32_t>(seat.concealed));
  for (const tiles::Meld& meld : seat.melds) {
    out.add_melds(Cat(KindOf(meld.kind), ":", tiles::ToText(meld)));
  }
  out.set_discards(tiles::ToText(std::span<const Tile>(seat.discards)));
  if (seat.deadline) mj::rpc::ToProto(*seat.deadline, *out.mutable_deadline());
  out.set_auto_play(seat.auto_play);
  out.set_leaving(seat.leaving);
  out.set_removing(seat.removing);
  out.set_connected(seat.connected);
}

}  // namespace

absl::StatusOr<OperatorActed> Read(const proto::VoidRoundRequest& request) {
  MJ_ASSIGN_OR_RETURN(OperatorActed order, ReadOrder(request, OperationKind::kVoidRound));
  MJ_RETURN_IF_ERROR(CheckId("round_id", request.round_id()));
  order.round = RoundId(request.round_id());
  return order;
}

absl::StatusOr<OperatorActed> Read(const proto::CloseTableRequest& request) {
  MJ_ASSIGN_OR_RETURN(OperatorActed order, ReadOrder(request, OperationKind::kCloseTable));
  order.at_once = request.at_once();
  return order;
}

absl::StatusOr<OperatorActed> Read(const proto::RemovePlayerRequest& request) {
  MJ_ASSIGN_OR_RETURN(OperatorActed order, ReadOrder(request, OperationKind::kRemovePlayer));
  MJ_RETURN_IF_ERROR(CheckId("player_id", request.player_id()));
  if (ledger::IsBotAccount(request.player_id())) {
    return Error(Reason::kNotAPlayerAccount, "player_id: a bot of the house",
                 {.field = "player_id"});
  }
  order.player = PlayerId(request.player_id());
  return order;
}

absl::StatusOr<Operation> Read(const proto::StopNewRoundsRequest& request) {
  MJ_ASSIGN_OR_RETURN(Operation operation, ReadOperation(request, OperationKind::kStopRounds));
  if (request.has_from_time()) operation.from = mj::rpc::FromProto(request.from_time());
  return operation;
}

absl::StatusOr<Operation> Read(const proto::ResumeNewRoundsRequest& request) {
  return ReadOperation(request, OperationKind::kResumeRounds);
}

absl::StatusOr<TableFilter> Read(const proto::FindTablesRequest& request) {
  MJ_RETURN_IF_ERROR(CheckIdIfAny("player_id", request.player_id()));
  TableFilter filter;
  filter.variant = request.variant();
  filter.player = PlayerId(request.player_id());
  filter.unsettled = std::chrono::seconds(request.unsettled_seconds());
  filter.quiet = std::chrono::seconds(request.quiet_seconds());
  filter.unheld = request.unheld();
  switch (request.state()) {
    case proto::TABLE_STATE_UNSPECIFIED:
      return filter;
    case proto::TABLE_STATE_WAITING:
      filter.stage = TableStage::kWaiting;
      return filter;
    case proto::TABLE_STATE_PLAYING:
      filter.stage = TableStage::kPlaying;
      return filter;
    case proto::TABLE_STATE_SETTLING:
      filter.stage = TableStage::kSettling;
      return filter;
    default:
      return Error(Reason::kUnknownEnumValue, Cat("state: got ", std::to_string(request.state())),
                   {.field = "state"});
  }
}

absl::StatusOr<OperationFilter> Read(const proto::ListOperationsRequest& request) {
  MJ_RETURN_IF_ERROR(CheckIdIfAny("table_id", request.table_id()));
  MJ_RETURN_IF_ERROR(CheckIdIfAny("player_id", request.player_id()));
  MJ_RETURN_IF_ERROR(CheckIdIfAny("operator", request.operator_()));
  return OperationFilter{TableId(request.table_id()), PlayerId(request.player_id()),
                         request.operator_()};
}

absl::Status Validate(const proto::VoidRoundRequest& request) { return Read(request).status(); }

absl::Status Validate(const proto::CloseTableRequest& request) { return Read(request).status(); }

absl::Status Validate(const proto::RemovePlayerRequest& request) { return Read(request).status(); }

absl::Status Validate(const proto::InspectTableRequest& request) {
  return CheckId("table_id", request.table_id());
}

absl::Status Validate(const proto::StopNewRoundsRequest& request) { return Read(request).status(); }

absl::Status Validate(const proto::ResumeNewRoundsRequest& request) {
  return Read(request).status();
}

absl::Status Validate(const proto::FindTablesRequest& request) { return Read(request).status(); }

absl::Status Validate(const proto::ListOperationsRequest& request) {
  return Read(request).status();
}

void ToProto(const Inspection& seen, std::string_view address,
             const std::vector<JournalledEvent>& latest, proto::InspectTableResponse& out) {
  ToProto(seen.info, address, *out.mutable_table());
  if (seen.round) Write(*seen.round, *out.mutable_round());
  for (Seat seat : rules::kSeats) {
    proto::InspectedSeat& added = *out.add_seats();
    added.set_seat(static_cast<std::uint32_t>(rules::IndexOf(seat)));
    Write(seen.seats[seat], added);
  }
  out.set_events(seen.events);
  for (const JournalledEvent& event : latest) {
    proto::JournalledEvent& added = *out.add_latest_events();
    added.set_number(event.number);
    added.set_kind(event.kind);
    mj::rpc::ToProto(event.time, *added.mutable_time());
  }
  out.set_closing(seen.closing);
  if (seen.stop_from) mj::rpc::ToProto(*seen.stop_from, *out.mutable_no_new_rounds_time());
}

void ToProto(const FoundPage& page, proto::FindTablesResponse& out) {
  for (const FoundTable& table : page.tables) {
    proto::FoundTable& added = *out.add_tables();
    added.set_table_id(table.id.value());
    added.set_variant(table.variant);
    added.set_base(table.base);
    added.set_currency(table.currency == Currency::kCoin
                           ? ::mahjong::common::v1::CURRENCY_COIN
                           : ::mahjong::common::v1::CURRENCY_PRACTICE);
    added.set_state(ToProto(table.stage));
    for (const PlayerId& player : table.players) added.add_player_ids(player.value());
    added.set_address(table.address);
    mj::rpc::ToProto(table.created_at, *added.mutable_create_time());
    mj::rpc::ToProto(table.last_event_at, *added.mutable_last_event_time());
    added.set_round_id(table.round.value());
    added.set_round_number(static_cast<std::uint32_t>(table.round_number));
    if (table.round_began_at) {
      mj::rpc::ToProto(*table.round_began_at, *added.mutable_round_begin_time());
    }
  }
  out.set_next_page_token(page.next);
}

void ToProto(const OperationPage& page, proto::ListOperationsResponse& out) {
  for (const Operation& operation : page.operations) {
    proto::Operation& added = *out.add_operations();
    added.set_number(operation.number);
    added.set_kind(KindOf(operation.kind));
    added.set_request_id(operation.request.value());
    added.set_operator_(operation.who);
    added.set_reason(operation.reason);
    added.set_table_id(operation.table.value());
    added.set_round_id(operation.round.value());
    added.set_player_id(operation.player.value());
    added.set_at_once(operation.kind == OperationKind::kCloseTable && operation.at_once);
    if (operation.from) mj::rpc::ToProto(*operation.from, *added.mutable_from_time());
    mj::rpc::ToProto(operation.written_at, *added.mutable_write_time());
  }
  out.set_next_page_token(page.next);
}

}  // namespace mj::table::rpc
