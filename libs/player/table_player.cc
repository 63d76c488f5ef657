#include "libs/player/table_player.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/bots/bot.h"
#include "libs/player/route.h"
#include "libs/player/seat_calls.h"
#include "libs/player/seat_stream.h"
#include "libs/round/follow.h"
#include "libs/variants/registry.h"
#include "libs/wire/choice.h"
#include "libs/wire/finished_round.h"
#include "libs/wire/seat_events.h"

namespace mj::player {

namespace {

using base::Cat;
using table::TableService;

class TablePlayer {
 public:
  TablePlayer(TableService::StubInterface& stub, const TablePlayerOptions& options,
              const Listener& listener, Halt& halt)
      : route_(stub, options.table_id, halt),
        calls_(route_, options.table_id, options.player_id, options.entropy),
        options_(options),
        listener_(listener),
        halt_(halt) {}

  absl::Status Play() {
    return ReadSeat(route_,
                    {.table_id = options_.table_id,
                     .player_id = options_.player_id,
                     .join_token = options_.join_token,
                     .take = [this](const table::TableEvent& event) -> absl::StatusOr<bool> {
                       listener_(event);
                       MJ_RETURN_IF_ERROR(Take(event));
                       return !left_;
                     },
                     .broke = {}},
                    halt_);
  }

 private:
  absl::Status Take(const table::TableEvent& event) {
    switch (event.event_case()) {
      case table::TableEvent::kTableFormed:
        return Sit(event.table_formed());
      case table::TableEvent::kRoundBegan:
        round_ = event.round_began().round_number();
        return round_ == options_.idle_round ? absl::OkStatus()
                                             : calls_.Reveal(event.round_began(), own_seat_);
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
        return calls_.Act(event.consent_asked().decision().decision_id(), choice);
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
    return calls_.Act(decision.decision_id(), choice);
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
    return calls_.Act(event.decision_offered().decision().decision_id(), choice);
  }

  absl::Status EndRound() { return ++rounds_over_ < options_.rounds ? SayReady() : Leave(); }

  absl::Status Leave() {
    left_ = true;
    return calls_.Leave();
  }

  absl::Status SayReady() { return calls_.SayReady(rounds_over_ + 1); }

  TableRoute route_;
  SeatCalls calls_;
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
  std::uint32_t rounds_over_ = 0;
  bool left_ = false;
};

}  // namespace

absl::Status PlayAtTable(TableService::StubInterface& stub, const TablePlayerOptions& options,
                         const Listener& listener, Halt& halt) {
  return TablePlayer(stub, options, listener, halt).Play();
}

}  // namespace mj::player
