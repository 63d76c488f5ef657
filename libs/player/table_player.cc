#include "libs/player/table_player.h"

#include <grpcpp/client_context.h>

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "libs/base/bytes.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/bots/bot.h"
#include "libs/fairness/commitment.h"
#include "libs/player/lobby.h"
#include "libs/player/route.h"
#include "libs/round/follow.h"
#include "libs/rpc/client.h"
#include "libs/variants/registry.h"
#include "libs/wire/choice.h"
#include "libs/wire/finished_round.h"
#include "libs/wire/seat_events.h"

namespace mj::player {

namespace {

using base::Cat;
using base::Reason;
using table::TableService;

constexpr std::size_t kNonceBytes = 32;

class TablePlayer {
 public:
  TablePlayer(TableService::StubInterface& stub, const TablePlayerOptions& options,
              const Listener& listener, Halt& halt)
      : route_(stub, options.table_id, halt), options_(options), listener_(listener), halt_(halt) {}

  absl::Status Play() {
    while (!left_) {
      const std::uint64_t before = last_sequence_;
      const absl::Status ended = ReadStream();
      if (left_ || !failure_.ok()) break;
      if (last_sequence_ > before) route_.Reached();
      const bool again = route_.FindAgain(ended);
      if (halt_.halted()) return absl::CancelledError("halted");
      if (!again) return ended;
    }
    return failure_;
  }

 private:
  // Reads until the stream ends, and says how. Sets failure_ for what is no stream's fault.
  absl::Status ReadStream() {
    table::SubscribeRequest request;
    request.set_table_id(options_.table_id);
    request.set_player_id(options_.player_id);
    request.set_after_sequence(last_sequence_);
    request.set_join_token(options_.join_token);
    grpc::ClientContext context;
    rpc::Prepare(context, {.timeout = std::chrono::milliseconds(0)});
    const auto reader = route_.stub().Subscribe(&context, request);
    const StreamHold hold(halt_, context);
    for (table::SubscribeResponse response; reader->Read(&response);) {
      if (TakeAll(response)) continue;
      context.TryCancel();
      break;
    }
    return rpc::FromGrpc(reader->Finish());
  }

  // False: it reads no further.
  bool TakeAll(const table::SubscribeResponse& response) {
    for (const table::TableEvent& event : response.events()) {
      if (event.sequence() <= last_sequence_) continue;
      last_sequence_ = event.sequence();
      listener_(event);
      failure_ = Take(event);
      if (!failure_.ok() || left_) return false;
    }
    return true;
  }

  absl::Status Take(const table::TableEvent& event) {
    switch (event.event_case()) {
      case table::TableEvent::kTableFormed:
        return Sit(event.table_formed());
      case table::TableEvent::kRoundBegan:
        round_ = event.round_began().round_number();
        return Reveal(event.round_began());
      case table::TableEvent::kDealDrawn:
        return BeginRound(event.deal_drawn());
      case table::TableEvent::kStakesAsked:
        return event.stakes_asked().has_decision() ? Propose(event.stakes_asked().decision())
                                                   : absl::OkStatus();
      case table::TableEvent::kStakesProposed:
        // What was said before was said for other stakes.
        MJ_RETURN_IF_ERROR(TakeOptions(event.stakes_proposed().options()));
        return SayReady();
      case table::TableEvent::kConsentAsked: {
        table::Choice choice;
        choice.mutable_accept();
        return Act(event.consent_asked().decision().decision_id(), choice);
      }
      case table::TableEvent::kBaseChanged:
        return SayReady();
      case table::TableEvent::kDecisionOffered:
        if (round_ == options_.idle_round) return Follow(event);
        return Answer(event);
      case table::TableEvent::kTileDiscarded:
        MJ_RETURN_IF_ERROR(Follow(event));
        if (round_ != options_.escape_round || event.tile_discarded().seat() != own_seat_) {
          return absl::OkStatus();
        }
        return Leave();
      case table::TableEvent::kRoundSettled:
      case table::TableEvent::kRoundVoid:
        return EndRound();
      case table::TableEvent::kPlayerLeft:
        if (event.player_left().player_id() != options_.player_id) return absl::OkStatus();
        return absl::FailedPreconditionError(
            Cat("removed from the table: ", table::LeaveReason_Name(event.player_left().reason())));
      case table::TableEvent::kTableClosed:
        return absl::FailedPreconditionError("the table closed");
      default:
        return Follow(event);
    }
  }

  absl::Status Sit(const table::TableFormed& formed) {
    own_seat_ = formed.own_seat();
    game_ = variants::Find(formed.table().variant());
    if (game_ == nullptr) {
      return absl::InternalError(Cat("no game is called ", formed.table().variant()));
    }
    MJ_RETURN_IF_ERROR(TakeOptions(formed.table().options()));
    return SayReady();
  }

  absl::Status TakeOptions(const google::protobuf::Map<std::string, std::string>& texts) {
    if (game_ == nullptr) return absl::InternalError("stakes before the table was formed");
    MJ_ASSIGN_OR_RETURN(const rules::Seat seat, wire::SeatFromNumber(own_seat_, "own_seat"));
    const auto parsed = rules::ParseOptions(
        game_->options(), std::map<std::string, std::string>(texts.begin(), texts.end()));
    const auto* values = std::get_if<rules::Options>(&parsed);
    if (values == nullptr) return absl::InternalError("the table has options that are none");
    play_ = game_->play(*values);
    follower_.emplace(play_, round::Viewer::Player(seat));
    bot_.emplace(*game_, *values, options_.seed, distances_);
    return absl::OkStatus();
  }

  absl::Status Propose(const table::Decision& decision) {
    if (decision.offers().bases().empty()) return absl::InternalError("no base to choose from");
    table::Choice choice;
    choice.mutable_propose()->set_base(options_.base != 0 ? options_.base
                                                          : decision.offers().bases(0));
    return Act(decision.decision_id(), choice);
  }

  // What stands of its nonce is said by the table: another ready may have been first.
  absl::Status Reveal(const table::RoundBegan& began) {
    if (nonce_.empty() || nonce_round_ != round_ || round_ == options_.idle_round ||
        began.nonce_hashes_size() != rules::kSeatCount || own_seat_ >= rules::kSeatCount ||
        began.nonce_hashes(static_cast<int>(own_seat_)) !=
            base::TextOf(fairness::CommitNonce(nonce_))) {
      return absl::OkStatus();
    }
    table::RevealNonceRequest request;
    request.set_table_id(options_.table_id);
    request.set_player_id(options_.player_id);
    request.set_round_number(round_);
    request.set_nonce(base::TextOf(nonce_));
    const absl::Status revealed = Call(&TableService::StubInterface::RevealNonce, request);
    return IsTooLate(revealed) ? absl::OkStatus() : revealed;
  }

  absl::Status BeginRound(const table::DealDrawn& drawn) {
    if (!follower_) return absl::InternalError("a round began before the table was formed");
    MJ_ASSIGN_OR_RETURN(
        const rules::Deal deal,
        wire::DealFromProto(drawn.dealer(), drawn.round_wind(), drawn.seat_winds(), ""));
    follower_->Take(round::RoundBegan{.deal = deal});
    return absl::OkStatus();
  }

  absl::Status Follow(const table::TableEvent& event) {
    MJ_ASSIGN_OR_RETURN(const std::optional<wire::PlayedEvent> played,
                        wire::PlayedFromProto(event));
    if (!played) return absl::OkStatus();
    if (!follower_) return absl::InternalError("play before the table was formed");
    follower_->Take(played->event);
    return absl::OkStatus();
  }

  absl::Status Answer(const table::TableEvent& event) {
    MJ_RETURN_IF_ERROR(Follow(event));
    if (!follower_ || !follower_->view().ask) {
      return absl::InternalError("a decision without offers");
    }
    table::Choice choice;
    wire::ToProto(bot_->Choose(follower_->view()), choice);
    return Act(event.decision_offered().decision().decision_id(), choice);
  }

  absl::Status Act(std::uint64_t decision, const table::Choice& choice) {
    table::ActRequest request;
    request.set_table_id(options_.table_id);
    request.set_player_id(options_.player_id);
    request.set_decision_id(decision);
    *request.mutable_choice() = choice;
    const absl::Status acted = Call(&TableService::StubInterface::Act, request);
    return IsTooLate(acted) ? absl::OkStatus() : acted;
  }

  absl::Status EndRound() { return ++rounds_over_ < options_.rounds ? SayReady() : Leave(); }

  absl::Status Leave() {
    table::LeaveTableRequest request;
    request.set_table_id(options_.table_id);
    request.set_player_id(options_.player_id);
    request.set_reason(table::LEAVE_REASON_LEFT);
    left_ = true;
    const absl::Status left = Call(&TableService::StubInterface::LeaveTable, request);
    // Where the first answer was lost it has left already.
    const bool gone =
        base::HasReason(left, Reason::kNotSeated) || base::HasReason(left, Reason::kTableClosed);
    return gone ? absl::OkStatus() : left;
  }

  absl::Status SayReady() {
    table::ReadyRequest request;
    request.set_table_id(options_.table_id);
    request.set_player_id(options_.player_id);
    request.set_round_number(rounds_over_ + 1);
    if (options_.entropy != nullptr)
      request.set_nonce_hash(base::TextOf(fairness::CommitNonce(Nonce())));
    return Call(&TableService::StubInterface::Ready, request);
  }

  // Of the round for which it is ready: the same, however often it says so.
  const fairness::Bytes& Nonce() {
    if (nonce_round_ != rounds_over_ + 1) {
      nonce_round_ = rounds_over_ + 1;
      nonce_.resize(kNonceBytes);
      options_.entropy->Fill(std::as_writable_bytes(std::span(nonce_)));
    }
    return nonce_;
  }

  // A call that changes nothing when it comes twice, to whoever holds the table.
  template <typename Request, typename Response>
  absl::Status Call(grpc::Status (TableService::StubInterface::*method)(grpc::ClientContext*,
                                                                        const Request&, Response*),
                    const Request& request) {
    while (true) {
      const absl::Status status =
          rpc::Invoke(route_.stub(), method, request, {.timeout = kCallTimeout}).status();
      if (status.ok() || !route_.FindAgain(status)) return status;
    }
  }

  TableRoute route_;
  const TablePlayerOptions& options_;
  std::uint32_t own_seat_ = 0;
  std::uint32_t round_ = 0;  // the present one, or the latest
  const Listener& listener_;
  Halt& halt_;
  const rules::Variant* game_ = nullptr;
  rules::PlayRules play_;
  bots::Distances distances_;
  std::optional<bots::Bot> bot_;
  std::optional<round::Follower> follower_;
  std::uint64_t last_sequence_ = 0;
  std::uint32_t rounds_over_ = 0;
  fairness::Bytes nonce_;
  std::uint32_t nonce_round_ = 0;  // for which it is; 0: none
  bool left_ = false;
  absl::Status failure_;
};

}  // namespace

absl::Status PlayAtTable(TableService::StubInterface& stub, const TablePlayerOptions& options,
                         const Listener& listener, Halt& halt) {
  return TablePlayer(stub, options, listener, halt).Play();
}

}  // namespace mj::player
