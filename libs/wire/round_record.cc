#include "libs/wire/round_record.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/tiles/mpsz.h"
#include "libs/wire/fields.h"

namespace mj::wire {
namespace {

namespace record = ::mahjong::record::v1;
using base::Cat;
using base::InField;
using base::Reason;
using round::Event;
using rules::MeldKind;
using rules::Seat;
using tiles::Tile;

constexpr Pairs<std::string_view, MeldKind, 5> kMelds = {
    {{"chow", MeldKind::kChow},
     {"pung", MeldKind::kPung},
     {"discard_kong", MeldKind::kDiscardKong},
     {"added_kong", MeldKind::kAddedKong},
     {"concealed_kong", MeldKind::kConcealedKong}}};
constexpr Pairs<std::string_view, round::DrawKind, 3> kDraws = {
    {{"deal", round::DrawKind::kDealt},
     {"wall", round::DrawKind::kWall},
     {"replacement", round::DrawKind::kReplacement}}};
constexpr Pairs<std::string_view, round::AnswerBy, 4> kAnswerers = {
    {{"player", round::AnswerBy::kPlayer},
     {"overrun", round::AnswerBy::kOverrun},
     {"auto_play", round::AnswerBy::kAutoPlay},
     {"absence", round::AnswerBy::kAbsence}}};
constexpr Pairs<std::string_view, round::Outcome, 3> kOutcomes = {
    {{"win", round::Outcome::kWin},
     {"exhausted", round::Outcome::kExhausted},
     {"void", round::Outcome::kVoid}}};
constexpr Pairs<std::string_view, round::VoidReason, 4> kVoidReasons = {
    {{"escape", round::VoidReason::kEscape},
     {"connection_lost", round::VoidReason::kConnectionLost},
     {"all_absent", round::VoidReason::kAllAbsent},
     {"operator", round::VoidReason::kOperator}}};
constexpr Pairs<std::string_view, rules::WinWay, 3> kWays = {
    {{"self_draw", rules::WinWay::kSelfDraw},
     {"discard", rules::WinWay::kDiscard},
     {"robbed_kong", rules::WinWay::kRobbedKong}}};
constexpr Pairs<std::string_view, bool rules::WinFlags::*, 4> kFlags = {
    {{"last_tile", &rules::WinFlags::last_tile},
     {"kong_replacement", &rules::WinFlags::kong_replacement},
     {"heavenly", &rules::WinFlags::heavenly},
     {"earthly", &rules::WinFlags::earthly}}};

// A word of one of these tables.
template <typename Domain, std::size_t N>
absl::StatusOr<Domain> Word(const Pairs<std::string_view, Domain, N>& words, std::string_view word,
                            std::string_view field) {
  if (const auto domain = DomainOf(words, word)) return *domain;
  return Wrong(Reason::kUnknownEnumValue, field, Cat("got ", Quoted(word)));
}

absl::StatusOr<std::optional<Tile>> MaybeTile(const std::string& text, std::string_view field) {
  if (text.empty()) return std::optional<Tile>();
  MJ_ASSIGN_OR_RETURN(const Tile tile, TileFromText(text, field));
  return std::optional<Tile>(tile);
}

std::string TextOf(const std::optional<Tile>& tile) { return tile ? tiles::ToText(*tile) : ""; }

// A count that fits a byte, as tiles in a wall and faces of dice do.
absl::StatusOr<std::uint8_t> Byte(std::uint32_t number, std::string_view field) {
  if (number > 255) return Wrong(Reason::kBadTiles, field, Cat("got ", std::to_string(number)));
  return static_cast<std::uint8_t>(number);
}

// ------------------------------------------------------------------------------------- parts

absl::StatusOr<rules::CalledMeld> Read(const record::Meld& from) {
  rules::CalledMeld called;
  MJ_ASSIGN_OR_RETURN(const MeldKind kind, Word(kMelds, from.kind(), "kind"));
  const auto meld = tiles::ParseMeld(kind, from.tiles());
  if (!meld) return Wrong(Reason::kBadMeld, "tiles", Cat("got ", Quoted(from.tiles())));
  called.meld = *meld;
  MJ_ASSIGN_OR_RETURN(called.from,
                      MaybeSeat(from, &record::Meld::has_from, &record::Meld::from, "from"));
  return called;
}

void Write(const rules::CalledMeld& called, record::Meld& to) {
  to.set_kind(std::string(WireOf(kMelds, called.meld.kind)));
  to.set_tiles(tiles::ToText(called.meld));
  if (called.from) to.set_from(Number(*called.from));
}

absl::StatusOr<rules::Kong> Read(const record::Kong& from) {
  rules::Kong kong;
  MJ_ASSIGN_OR_RETURN(kong.seat, SeatFromNumber(from.seat(), "seat"));
  MJ_ASSIGN_OR_RETURN(kong.kind, Word(kMelds, from.kind(), "kind"));
  if (!tiles::IsKong(kong.kind)) return Wrong(Reason::kBadKong, "kind", "no kong");
  MJ_ASSIGN_OR_RETURN(kong.tile, TileFromText(from.tile(), "tile"));
  MJ_ASSIGN_OR_RETURN(kong.from,
                      MaybeSeat(from, &record::Kong::has_from, &record::Kong::from, "from"));
  MJ_ASSIGN_OR_RETURN(
      kong.paid_by, MaybeSeat(from, &record::Kong::has_paid_by, &record::Kong::paid_by, "paid_by"));
  return kong;
}

void Write(const rules::Kong& kong, record::Kong& to) {
  to.set_seat(Number(kong.seat));
  to.set_kind(std::string(WireOf(kMelds, kong.kind)));
  to.set_tile(tiles::ToText(kong.tile));
  if (kong.from) to.set_from(Number(*kong.from));
  if (kong.paid_by) to.set_paid_by(Number(*kong.paid_by));
}

absl::StatusOr<tiles::TileCounts> ReadCounts(const std::string& text, std::string_view field) {
  if (const auto counts = tiles::ParseCounts(text)) return *counts;
  return Wrong(Reason::kBadTiles, field, Cat("got ", Quoted(text)));
}

absl::StatusOr<rules::Win> Read(const record::Win& from) {
  using Stored = record::Win;
  rules::Win win;
  MJ_ASSIGN_OR_RETURN(win.seat, SeatFromNumber(from.seat(), "seat"));
  MJ_ASSIGN_OR_RETURN(win.hand.concealed, ReadCounts(from.concealed(), "concealed"));
  for (int i = 0; i < from.melds_size(); ++i) {
    const auto meld = Read(from.melds(i));
    if (!meld.ok()) return InField(Element("melds", i), meld.status());
    if (!win.hand.melds.push_back(*meld)) return Wrong(Reason::kBadMeld, "melds", "too many");
  }
  MJ_ASSIGN_OR_RETURN(win.tile, TileFromText(from.tile(), "tile"));
  MJ_ASSIGN_OR_RETURN(win.way, Word(kWays, from.how(), "how"));
  for (int i = 0; i < from.flags_size(); ++i) {
    MJ_ASSIGN_OR_RETURN(const auto flag, Word(kFlags, from.flags(i), Element("flags", i)));
    win.flags.*flag = true;
  }
  MJ_ASSIGN_OR_RETURN(win.from, MaybeSeat(from, &Stored::has_from, &Stored::from, "from"));
  MJ_ASSIGN_OR_RETURN(win.kong_feeder, MaybeSeat(from, &Stored::has_kong_feeder,
                                                 &Stored::kong_feeder, "kong_feeder"));
  MJ_ASSIGN_OR_RETURN(win.killed, MaybeSeat(from, &Stored::has_killer_paid_by,
                                            &Stored::killer_paid_by, "killer_paid_by"));
  return win;
}

void Write(const rules::Win& win, record::Win& to) {
  to.set_seat(Number(win.seat));
  to.set_concealed(tiles::ToText(win.hand.concealed));
  for (const rules::CalledMeld& meld : win.hand.melds) Write(meld, *to.add_melds());
  to.set_tile(tiles::ToText(win.tile));
  to.set_how(std::string(WireOf(kWays, win.way)));
  for (const auto& flag : kFlags) {
    if (win.flags.*flag.domain) to.add_flags(std::string(flag.wire));
  }
  if (win.from) to.set_from(Number(*win.from));
  if (win.kong_feeder) to.set_kong_feeder(Number(*win.kong_feeder));
  if (win.killed) to.set_killer_paid_by(Number(*win.killed));
}

absl::StatusOr<round::Choice> ReadChoice(const std::string& text, std::string_view field) {
  if (const auto choice = round::ParseChoice(text)) return *choice;
  return Wrong(Reason::kBadText, field, Cat("got ", Quoted(text)));
}

// The discards apart, every choice is a text of its own.
void Write(const round::Offer& offer, record::Ask& to) {
  to.set_tile(TextOf(offer.tile));
  tiles::TileCounts discards;
  round::ForEachChoice(offer, [&](const round::Choice& choice) {
    if (choice.kind == round::ChoiceKind::kDiscard) {
      discards.Add(choice.tile);
    } else {
      to.add_choices(round::ToText(choice));
    }
  });
  to.set_discards(tiles::ToText(discards));
}

absl::StatusOr<round::Offer> ReadOffer(const record::Ask& from) {
  round::Offer offer;
  for (int i = 0; i < from.choices_size(); ++i) {
    const std::string field = Element("choices", i);
    MJ_ASSIGN_OR_RETURN(const round::Choice choice, ReadChoice(from.choices(i), field));
    if (!offer.Add(choice)) return Wrong(Reason::kBadText, field, "a fourth chow");
  }
  MJ_ASSIGN_OR_RETURN(const tiles::TileCounts discards, ReadCounts(from.discards(), "discards"));
  for (const Tile tile : tiles::kAllKinds) {
    if (discards.Has(tile)) offer.Add(round::Choice::Discard(tile));
  }
  MJ_ASSIGN_OR_RETURN(offer.tile, MaybeTile(from.tile(), "tile"));
  return offer;
}

// -------------------------------------------------------------------------------- each event

absl::StatusOr<Event> Read(const record::Began& from) {
  rules::Deal deal;
  MJ_ASSIGN_OR_RETURN(deal.dealer, SeatFromNumber(from.dealer(), "dealer"));
  MJ_ASSIGN_OR_RETURN(deal.round_wind, MaybeTile(from.round_wind(), "round_wind"));
  MJ_ASSIGN_OR_RETURN(deal.wild, MaybeTile(from.wild(), "wild"));
  if (from.seat_winds_size() != 0 && from.seat_winds_size() != rules::kSeatCount) {
    return Wrong(Reason::kBadWind, "seat_winds", "not one for each seat");
  }
  if (from.seat_winds_size() > 0) {
    rules::PerSeat<Tile> winds;
    for (const Seat seat : rules::kSeats) {
      MJ_ASSIGN_OR_RETURN(winds[seat],
                          TileFromText(from.seat_winds(rules::IndexOf(seat)), "seat_winds"));
    }
    deal.seat_winds = winds;
  }
  return round::RoundBegan{deal};
}

absl::StatusOr<Event> Read(const record::DiceRolled& from) {
  if (from.faces_size() != 2) return Wrong(Reason::kBadText, "faces", "not two");
  round::DiceRolled dice;
  for (int i = 0; i < 2; ++i) {
    MJ_ASSIGN_OR_RETURN(dice.faces[static_cast<std::size_t>(i)], Byte(from.faces(i), "faces"));
  }
  return dice;
}

absl::StatusOr<Event> Read(const record::Dealt& from) {
  if (from.hands_size() != rules::kSeatCount) return Wrong(Reason::kBadText, "hands", "not four");
  round::Dealt dealt;
  for (const Seat seat : rules::kSeats) {
    const int i = rules::IndexOf(seat);
    MJ_ASSIGN_OR_RETURN(dealt.hands[seat], ReadCounts(from.hands(i), Element("hands", i)));
  }
  return dealt;
}

absl::StatusOr<Event> Read(const record::IndicatorTurned& from) {
  round::IndicatorTurned turned;
  MJ_ASSIGN_OR_RETURN(turned.indicator, TileFromText(from.indicator(), "indicator"));
  MJ_ASSIGN_OR_RETURN(turned.wild, TileFromText(from.wild(), "wild"));
  return turned;
}

absl::StatusOr<Event> Read(const record::Drawn& from) {
  round::Drew drew;
  MJ_ASSIGN_OR_RETURN(drew.seat, SeatFromNumber(from.seat(), "seat"));
  MJ_ASSIGN_OR_RETURN(drew.tile, TileFromText(from.tile(), "tile"));
  MJ_ASSIGN_OR_RETURN(drew.kind, Word(kDraws, from.source(), "source"));
  MJ_ASSIGN_OR_RETURN(drew.left, Byte(from.wall_left(), "wall_left"));
  return drew;
}

absl::StatusOr<Event> Read(const record::Asked& from) {
  round::Asked asked;
  for (int i = 0; i < from.asks_size(); ++i) {
    const record::Ask& ask = from.asks(i);
    const std::string field = Element("asks", i);
    const auto seat = SeatFromNumber(ask.seat(), "seat");
    if (!seat.ok()) return InField(field, seat.status());
    auto offer = ReadOffer(ask);
    if (!offer.ok()) return InField(field, offer.status());
    asked.asks[*seat] = round::Ask{ask.decision(), *std::move(offer)};
  }
  return asked;
}

absl::StatusOr<Event> Read(const record::Answered& from) {
  round::Answered answered;
  MJ_ASSIGN_OR_RETURN(answered.seat, SeatFromNumber(from.seat(), "seat"));
  answered.decision = from.decision();
  MJ_ASSIGN_OR_RETURN(answered.choice, ReadChoice(from.choice(), "choice"));
  MJ_ASSIGN_OR_RETURN(answered.by, Word(kAnswerers, from.by(), "by"));
  return answered;
}

absl::StatusOr<Event> Read(const record::Discarded& from) {
  round::Discarded discarded;
  MJ_ASSIGN_OR_RETURN(discarded.seat, SeatFromNumber(from.seat(), "seat"));
  MJ_ASSIGN_OR_RETURN(discarded.tile, TileFromText(from.tile(), "tile"));
  return discarded;
}

absl::StatusOr<Event> Read(const record::Called& from) {
  round::Called called;
  MJ_ASSIGN_OR_RETURN(called.seat, SeatFromNumber(from.seat(), "seat"));
  const auto meld = Read(from.meld());
  if (!meld.ok()) return InField("meld", meld.status());
  called.meld = *meld;
  MJ_ASSIGN_OR_RETURN(called.tile, TileFromText(from.tile(), "tile"));
  called.kills = from.kills();
  return called;
}

absl::StatusOr<Event> Read(const record::KongDeclared& from) {
  round::KongDeclared declared;
  MJ_ASSIGN_OR_RETURN(declared.seat, SeatFromNumber(from.seat(), "seat"));
  MJ_ASSIGN_OR_RETURN(declared.tile, TileFromText(from.tile(), "tile"));
  return declared;
}

absl::StatusOr<Event> Read(const record::KongMade& from) {
  const auto kong = Read(from.kong());
  if (!kong.ok()) return InField("kong", kong.status());
  return round::KongMade{*kong};
}

absl::StatusOr<Event> Read(const record::LeaveNoted& from) {
  round::LeaveNoted noted;
  MJ_ASSIGN_OR_RETURN(noted.seat, SeatFromNumber(from.seat(), "seat"));
  MJ_ASSIGN_OR_RETURN(noted.reason, Word(kVoidReasons, from.reason(), "reason"));
  return noted;
}

absl::StatusOr<Event> Read(const record::Won& from) {
  round::Won won;
  for (int i = 0; i < from.wins_size(); ++i) {
    const auto win = Read(from.wins(i));
    if (!win.ok()) return InField(Element("wins", i), win.status());
    if (!won.wins.push_back(*win)) return Wrong(Reason::kBadWinners, "wins", "too many");
  }
  return won;
}

absl::StatusOr<Event> Read(const record::HorsesTurned& from) {
  round::HorsesTurned turned;
  const auto horses = tiles::ParseTiles(from.tiles());
  if (!horses) return Wrong(Reason::kBadHorses, "tiles", Cat("got ", Quoted(from.tiles())));
  for (const Tile tile : *horses) {
    if (!turned.horses.push_back(tile)) return Wrong(Reason::kBadHorses, "tiles", "too many");
  }
  return turned;
}

absl::StatusOr<Event> Read(const record::Ended& from) {
  round::RoundEnded ended;
  MJ_ASSIGN_OR_RETURN(ended.outcome, Word(kOutcomes, from.outcome(), "outcome"));
  if (!from.void_reason().empty()) {
    MJ_ASSIGN_OR_RETURN(ended.reason, Word(kVoidReasons, from.void_reason(), "void_reason"));
  }
  MJ_ASSIGN_OR_RETURN(ended.seat,
                      MaybeSeat(from, &record::Ended::has_seat, &record::Ended::seat, "seat"));
  return ended;
}

absl::StatusOr<Event> ReadAny(const record::RoundEvent& from) {
  switch (from.event_case()) {
    case record::RoundEvent::kBegan:
      return Read(from.began());
    case record::RoundEvent::kDiceRolled:
      return Read(from.dice_rolled());
    case record::RoundEvent::kDealt:
      return Read(from.dealt());
    case record::RoundEvent::kIndicatorTurned:
      return Read(from.indicator_turned());
    case record::RoundEvent::kDrawn:
      return Read(from.drawn());
    case record::RoundEvent::kAsked:
      return Read(from.asked());
    case record::RoundEvent::kAnswered:
      return Read(from.answered());
    case record::RoundEvent::kDiscarded:
      return Read(from.discarded());
    case record::RoundEvent::kCalled:
      return Read(from.called());
    case record::RoundEvent::kKongDeclared:
      return Read(from.kong_declared());
    case record::RoundEvent::kKongMade:
      return Read(from.kong_made());
    case record::RoundEvent::kLeaveNoted:
      return Read(from.leave_noted());
    case record::RoundEvent::kWon:
      return Read(from.won());
    case record::RoundEvent::kHorsesTurned:
      return Read(from.horses_turned());
    case record::RoundEvent::kEnded:
      return Read(from.ended());
    case record::RoundEvent::EVENT_NOT_SET:
      break;
  }
  return Wrong(Reason::kFieldRequired, "event", "absent, or not known to this program");
}

class Writer {
 public:
  explicit Writer(record::RoundEvent& to) : to_(to) {}

  void operator()(const round::RoundBegan& event) {
    record::Began& began = *to_.mutable_began();
    began.set_dealer(Number(event.deal.dealer));
    began.set_round_wind(TextOf(event.deal.round_wind));
    if (event.deal.seat_winds) {
      for (const Tile wind : *event.deal.seat_winds) began.add_seat_winds(tiles::ToText(wind));
    }
    began.set_wild(TextOf(event.deal.wild));
  }
  void operator()(const round::DiceRolled& event) {
    for (const std::uint8_t face : event.faces) to_.mutable_dice_rolled()->add_faces(face);
  }
  void operator()(const round::Dealt& event) {
    for (const auto& hand : event.hands) to_.mutable_dealt()->add_hands(tiles::ToText(hand));
  }
  void operator()(const round::IndicatorTurned& event) {
    to_.mutable_indicator_turned()->set_indicator(tiles::ToText(event.indicator));
    to_.mutable_indicator_turned()->set_wild(tiles::ToText(event.wild));
  }
  void operator()(const round::Drew& event) {
    record::Drawn& drawn = *to_.mutable_drawn();
    drawn.set_seat(Number(event.seat));
    drawn.set_tile(tiles::ToText(event.tile));
    drawn.set_source(std::string(WireOf(kDraws, event.kind)));
    drawn.set_wall_left(event.left);
  }
  void operator()(const round::Asked& event) {
    record::Asked& asked = *to_.mutable_asked();
    for (const Seat seat : rules::kSeats) {
      const auto& ask = event.asks[seat];
      if (!ask) continue;
      record::Ask& to = *asked.add_asks();
      to.set_seat(Number(seat));
      to.set_decision(ask->decision);
      Write(ask->offer, to);
    }
  }
  void operator()(const round::Answered& event) {
    record::Answered& answered = *to_.mutable_answered();
    answered.set_seat(Number(event.seat));
    answered.set_decision(event.decision);
    answered.set_choice(round::ToText(event.choice));
    answered.set_by(std::string(WireOf(kAnswerers, event.by)));
  }
  void operator()(const round::Discarded& event) {
    to_.mutable_discarded()->set_seat(Number(event.seat));
    to_.mutable_discarded()->set_tile(tiles::ToText(event.tile));
  }
  void operator()(const round::Called& event) {
    record::Called& called = *to_.mutable_called();
    called.set_seat(Number(event.seat));
    Write(event.meld, *called.mutable_meld());
    called.set_tile(tiles::ToText(event.tile));
    called.set_kills(event.kills);
  }
  void operator()(const round::KongDeclared& event) {
    to_.mutable_kong_declared()->set_seat(Number(event.seat));
    to_.mutable_kong_declared()->set_tile(tiles::ToText(event.tile));
  }
  void operator()(const round::KongMade& event) {
    Write(event.kong, *to_.mutable_kong_made()->mutable_kong());
  }
  void operator()(const round::LeaveNoted& event) {
    to_.mutable_leave_noted()->set_seat(Number(event.seat));
    to_.mutable_leave_noted()->set_reason(std::string(WireOf(kVoidReasons, event.reason)));
  }
  void operator()(const round::Won& event) {
    record::Won& won = *to_.mutable_won();
    for (const rules::Win& win : event.wins) Write(win, *won.add_wins());
  }
  void operator()(const round::HorsesTurned& event) {
    to_.mutable_horses_turned()->set_tiles(
        tiles::ToText(std::span(event.horses.begin(), event.horses.size())));
  }
  void operator()(const round::RoundEnded& event) {
    record::Ended& ended = *to_.mutable_ended();
    ended.set_outcome(std::string(WireOf(kOutcomes, event.outcome)));
    if (event.reason) ended.set_void_reason(std::string(WireOf(kVoidReasons, *event.reason)));
    if (event.seat) ended.set_seat(Number(*event.seat));
  }

 private:
  record::RoundEvent& to_;
};

}  // namespace

absl::StatusOr<Event> FromRecord(const record::RoundEvent& record) {
  auto event = ReadAny(record);
  if (event.ok()) return event;
  return absl::DataLossError(
      base::ToAbsl(Cat("a stored event cannot be read: ", base::ToStd(event.status().message()))));
}

void ToRecord(const Event& event, record::RoundEvent& record) {
  record.Clear();
  std::visit(Writer(record), event);
}

}  // namespace mj::wire
