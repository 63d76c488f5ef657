#include "libs/wire/seat_events.h"

#include <span>
#include <string>
#include <utility>
#include <variant>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/tiles/mpsz.h"
#include "libs/wire/choice.h"
#include "libs/wire/fields.h"
#include "libs/wire/finished_round.h"

namespace mj::wire {
namespace {

namespace table = ::mahjong::table::v1;
using base::InField;
using base::Reason;
using round::SeatEvent;

constexpr Pairs<table::DrawSource, round::DrawKind, 3> kSources = {
    {{table::DRAW_SOURCE_DEAL, round::DrawKind::kDealt},
     {table::DRAW_SOURCE_WALL, round::DrawKind::kWall},
     {table::DRAW_SOURCE_REPLACEMENT, round::DrawKind::kReplacement}}};
constexpr Pairs<table::AnsweredBy, round::AnswerBy, 4> kAnswerers = {
    {{table::ANSWERED_BY_PLAYER, round::AnswerBy::kPlayer},
     {table::ANSWERED_BY_OVERRUN, round::AnswerBy::kOverrun},
     {table::ANSWERED_BY_AUTO_PLAY, round::AnswerBy::kAutoPlay},
     {table::ANSWERED_BY_ABSENCE, round::AnswerBy::kAbsence}}};

class Writer {
 public:
  Writer(std::uint64_t decision_id, table::TableEvent& to) : decision_id_(decision_id), to_(to) {}

  bool operator()(const round::RoundBegan&) { return false; }
  bool operator()(const round::Won&) { return false; }
  bool operator()(const round::RoundEnded&) { return false; }

  bool operator()(const round::DiceRolled& event) {
    ToProto(event, *to_.mutable_dice_rolled());
    return true;
  }
  bool operator()(const round::HandDealt& event) {
    table::TilesDealt& dealt = *to_.mutable_tiles_dealt();
    if (event.hand) dealt.set_hand(tiles::ToText(*event.hand));
    return true;
  }
  bool operator()(const round::IndicatorTurned& event) {
    ToProto(event, *to_.mutable_indicator_turned());
    return true;
  }
  bool operator()(const round::SeatDrew& event) {
    table::TileDrawn& drawn = *to_.mutable_tile_drawn();
    drawn.set_seat(Number(event.seat));
    if (event.tile) drawn.set_tile(tiles::ToText(*event.tile));
    drawn.set_source(ToProto(event.kind));
    drawn.set_wall_left(event.left);
    return true;
  }
  bool operator()(const round::YouAreAsked& event) {
    table::Decision& decision = *to_.mutable_decision_offered()->mutable_decision();
    ToProto(event.ask.offer, decision);
    decision.set_decision_id(decision_id_);
    return true;
  }
  bool operator()(const round::YouAnswered& event) {
    table::DecisionAnswered& answered = *to_.mutable_decision_answered();
    answered.set_decision_id(decision_id_);
    ToProto(event.choice, *answered.mutable_choice());
    answered.set_by(WireOf(kAnswerers, event.by));
    return true;
  }
  bool operator()(const round::Discarded& event) {
    ToProto(event, *to_.mutable_tile_discarded());
    return true;
  }
  bool operator()(const round::Called& event) {
    ToProto(event, *to_.mutable_meld_called());
    return true;
  }
  bool operator()(const round::KongDeclared& event) {
    ToProto(event, *to_.mutable_kong_declared());
    return true;
  }
  bool operator()(const round::KongMade& event) {
    ToProto(event, *to_.mutable_kong_made());
    return true;
  }
  bool operator()(const round::HorsesTurned& event) {
    to_.mutable_horses_turned()->set_tiles(
        tiles::ToText(std::span(event.horses.begin(), event.horses.size())));
    return true;
  }

 private:
  const std::uint64_t decision_id_;
  table::TableEvent& to_;
};

using Played = absl::StatusOr<PlayedEvent>;

// A number that fits a byte, as tiles in a wall and faces of dice do.
absl::StatusOr<std::uint8_t> Byte(std::uint32_t number, std::string_view field) {
  if (number > 255) {
    return Wrong(Reason::kBadTiles, field, base::Cat("got ", std::to_string(number)));
  }
  return static_cast<std::uint8_t>(number);
}

Played Read(const table::DiceRolled& from) {
  round::DiceRolled rolled;
  if (from.faces_size() != 2) return Wrong(Reason::kFieldRequired, "faces", "want two");
  MJ_ASSIGN_OR_RETURN(rolled.faces[0], Byte(from.faces(0), "faces"));
  MJ_ASSIGN_OR_RETURN(rolled.faces[1], Byte(from.faces(1), "faces"));
  return PlayedEvent{rolled};
}

Played Read(const table::TilesDealt& from) {
  MJ_ASSIGN_OR_RETURN(const tiles::TileCounts hand, CountsFromText(from.hand(), "hand"));
  return PlayedEvent{round::HandDealt{from.hand().empty() ? std::nullopt : std::optional(hand)}};
}

Played Read(const table::IndicatorTurned& from) {
  round::IndicatorTurned turned;
  MJ_ASSIGN_OR_RETURN(turned.indicator, TileFromText(from.indicator(), "indicator"));
  MJ_ASSIGN_OR_RETURN(turned.wild, TileFromText(from.wild(), "wild"));
  return PlayedEvent{turned};
}

Played Read(const table::TileDrawn& from) {
  round::SeatDrew drew;
  MJ_ASSIGN_OR_RETURN(drew.seat, SeatFromNumber(from.seat(), "seat"));
  if (!from.tile().empty()) {
    MJ_ASSIGN_OR_RETURN(drew.tile, TileFromText(from.tile(), "tile"));
  }
  MJ_ASSIGN_OR_RETURN(drew.kind, NeedEnum(kSources, from.source(), "source"));
  MJ_ASSIGN_OR_RETURN(drew.left, Byte(from.wall_left(), "wall_left"));
  return PlayedEvent{drew};
}

Played Read(const table::DecisionOffered& from) {
  auto offer = FromProto(from.decision());
  if (!offer.ok()) return InField("decision", offer.status());
  return PlayedEvent{round::YouAreAsked{{0, *std::move(offer)}}, from.decision().decision_id()};
}

Played Read(const table::DecisionAnswered& from) {
  const auto choice = FromProto(from.choice());
  if (!choice.ok()) return InField("choice", choice.status());
  MJ_ASSIGN_OR_RETURN(const auto by, NeedEnum(kAnswerers, from.by(), "by"));
  return PlayedEvent{round::YouAnswered{0, *choice, by}, from.decision_id()};
}

Played Read(const table::TileDiscarded& from) {
  round::Discarded discarded;
  MJ_ASSIGN_OR_RETURN(discarded.seat, SeatFromNumber(from.seat(), "seat"));
  MJ_ASSIGN_OR_RETURN(discarded.tile, TileFromText(from.tile(), "tile"));
  return PlayedEvent{discarded};
}

Played Read(const table::MeldCalled& from) {
  round::Called called;
  MJ_ASSIGN_OR_RETURN(called.seat, SeatFromNumber(from.seat(), "seat"));
  const auto meld = FromProto(from.meld());
  if (!meld.ok()) return InField("meld", meld.status());
  called.meld = *meld;
  MJ_ASSIGN_OR_RETURN(called.tile, TileFromText(from.tile(), "tile"));
  called.kills = from.kills();
  return PlayedEvent{called};
}

Played Read(const table::KongDeclared& from) {
  round::KongDeclared declared;
  MJ_ASSIGN_OR_RETURN(declared.seat, SeatFromNumber(from.seat(), "seat"));
  MJ_ASSIGN_OR_RETURN(declared.tile, TileFromText(from.tile(), "tile"));
  return PlayedEvent{declared};
}

Played Read(const table::KongMade& from) {
  const auto kong = FromProto(from.kong());
  if (!kong.ok()) return InField("kong", kong.status());
  return PlayedEvent{round::KongMade{*kong}};
}

Played Read(const table::HorsesTurned& from) {
  const auto horses = HorsesFromText(from.tiles());
  if (!horses.ok()) {
    return Wrong(Reason::kBadHorses, "tiles", base::Cat("got ", Quoted(from.tiles())));
  }
  return PlayedEvent{round::HorsesTurned{*horses}};
}

// `played` as an answer, with the payload's name before the field.
absl::StatusOr<std::optional<PlayedEvent>> Named(std::string_view payload, Played played) {
  if (!played.ok()) return InField(payload, played.status());
  return std::optional(*std::move(played));
}

}  // namespace

void ToProto(const round::DiceRolled& event, table::DiceRolled& message) {
  for (const std::uint8_t face : event.faces) message.add_faces(face);
}

void ToProto(const round::IndicatorTurned& event, table::IndicatorTurned& message) {
  message.set_indicator(tiles::ToText(event.indicator));
  message.set_wild(tiles::ToText(event.wild));
}

table::DrawSource ToProto(round::DrawKind kind) { return WireOf(kSources, kind); }

void ToProto(const round::Discarded& event, table::TileDiscarded& message) {
  message.set_seat(Number(event.seat));
  message.set_tile(tiles::ToText(event.tile));
}

void ToProto(const round::Called& event, table::MeldCalled& message) {
  message.set_seat(Number(event.seat));
  ToProto(event.meld, *message.mutable_meld());
  message.set_tile(tiles::ToText(event.tile));
  message.set_kills(event.kills);
}

void ToProto(const round::KongDeclared& event, table::KongDeclared& message) {
  message.set_seat(Number(event.seat));
  message.set_tile(tiles::ToText(event.tile));
}

void ToProto(const round::KongMade& event, table::KongMade& message) {
  ToProto(event.kong, *message.mutable_kong());
}

bool ToProto(const SeatEvent& event, std::uint64_t decision_id, table::TableEvent& message) {
  return std::visit(Writer(decision_id, message), event);
}

absl::StatusOr<std::optional<PlayedEvent>> PlayedFromProto(const table::TableEvent& message) {
  switch (message.event_case()) {
    case table::TableEvent::kDiceRolled:
      return Named("dice_rolled", Read(message.dice_rolled()));
    case table::TableEvent::kTilesDealt:
      return Named("tiles_dealt", Read(message.tiles_dealt()));
    case table::TableEvent::kIndicatorTurned:
      return Named("indicator_turned", Read(message.indicator_turned()));
    case table::TableEvent::kTileDrawn:
      return Named("tile_drawn", Read(message.tile_drawn()));
    case table::TableEvent::kDecisionOffered:
      return Named("decision_offered", Read(message.decision_offered()));
    case table::TableEvent::kDecisionAnswered:
      return Named("decision_answered", Read(message.decision_answered()));
    case table::TableEvent::kTileDiscarded:
      return Named("tile_discarded", Read(message.tile_discarded()));
    case table::TableEvent::kMeldCalled:
      return Named("meld_called", Read(message.meld_called()));
    case table::TableEvent::kKongDeclared:
      return Named("kong_declared", Read(message.kong_declared()));
    case table::TableEvent::kKongMade:
      return Named("kong_made", Read(message.kong_made()));
    case table::TableEvent::kHorsesTurned:
      return Named("horses_turned", Read(message.horses_turned()));
    default:
      return std::optional<PlayedEvent>();
  }
}

}  // namespace mj::wire
