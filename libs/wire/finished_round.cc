#include "libs/wire/finished_round.h"

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/tiles/mpsz.h"
#include "libs/wire/fields.h"
#include "libs/wire/round_tables.h"

namespace mj::wire {
namespace {

namespace common = ::mahjong::common::v1;
using base::Cat;
using base::InField;
using base::Reason;
using rules::MeldKind;
using rules::Seat;
using rules::Tile;

absl::StatusOr<rules::WinFlags> FlagsFromProto(const common::ClaimedWin& message) {
  rules::WinFlags flags;
  for (int i = 0; i < message.flags_size(); ++i) {
    const auto member = DomainOf(kFlags, message.flags(i));
    if (!member) {
      return Wrong(Reason::kContradictoryFlags, Element("flags", i), "no flag that is known");
    }
    if (std::exchange(flags.**member, true)) {
      return Wrong(Reason::kContradictoryFlags, Element("flags", i), "stands twice");
    }
  }
  return flags;
}

}  // namespace

absl::StatusOr<rules::TileCounts> CountsFromText(std::string_view text, std::string_view field) {
  if (const auto counts = tiles::ParseCounts(text)) return *counts;
  return Wrong(Reason::kBadTiles, field, Cat("got ", Quoted(text), ", want tiles"));
}

absl::StatusOr<rules::CalledMeld> FromProto(const common::Meld& message) {
  rules::CalledMeld called;
  const std::optional<MeldKind> kind = DomainOf(kMeldKinds, message.kind());
  if (!kind) return Wrong(Reason::kBadMeld, "kind", "absent, or not known");
  const std::optional<rules::Meld> meld = tiles::ParseMeld(*kind, message.tiles());
  if (!meld) {
    if (!tiles::ParseTiles(message.tiles())) {
      return Wrong(Reason::kBadTiles, "tiles",
                   Cat("got ", Quoted(message.tiles()), ", want tiles"));
    }
    return Wrong(Reason::kBadMeld, "tiles",
                 Cat("got ", Quoted(message.tiles()), ", which is no meld of this kind"));
  }
  called.meld = *meld;
  MJ_ASSIGN_OR_RETURN(called.from,
                      MaybeSeat(message, &common::Meld::has_from, &common::Meld::from, "from"));
  return called;
}

absl::StatusOr<rules::Melds> MeldsFromProto(const RepeatedMelds& melds) {
  rules::Melds out;
  for (int i = 0; i < melds.size(); ++i) {
    const absl::StatusOr<rules::CalledMeld> meld = FromProto(melds[i]);
    if (!meld.ok()) return InField(Element("melds", i), meld.status());
    if (!out.push_back(*meld)) {
      return Wrong(Reason::kBadMeld, Element("melds", i), "more than four melds");
    }
  }
  return out;
}

absl::StatusOr<rules::Win> FromProto(const common::ClaimedWin& message) {
  using Claimed = common::ClaimedWin;
  rules::Win win;
  MJ_ASSIGN_OR_RETURN(win.seat, SeatFromNumber(message.seat(), "seat"));
  MJ_ASSIGN_OR_RETURN(win.hand.concealed, CountsFromText(message.concealed(), "concealed"));
  MJ_ASSIGN_OR_RETURN(win.hand.melds, MeldsFromProto(message.melds()));
  MJ_ASSIGN_OR_RETURN(win.tile, TileFromText(message.tile(), "tile"));
  MJ_ASSIGN_OR_RETURN(win.way, NeedEnum(kMethods, message.how(), "how"));
  MJ_ASSIGN_OR_RETURN(win.flags, FlagsFromProto(message));
  MJ_ASSIGN_OR_RETURN(win.from, MaybeSeat(message, &Claimed::has_from, &Claimed::from, "from"));
  MJ_ASSIGN_OR_RETURN(win.kong_feeder, MaybeSeat(message, &Claimed::has_kong_feeder,
                                                 &Claimed::kong_feeder, "kong_feeder"));
  MJ_ASSIGN_OR_RETURN(win.killed, MaybeSeat(message, &Claimed::has_killer_paid_by,
                                            &Claimed::killer_paid_by, "killer_paid_by"));
  return win;
}

absl::StatusOr<rules::Kong> FromProto(const common::CompletedKong& message) {
  using Completed = common::CompletedKong;
  rules::Kong kong;
  MJ_ASSIGN_OR_RETURN(kong.seat, SeatFromNumber(message.seat(), "seat"));
  const std::optional<MeldKind> kind = DomainOf(kKongKinds, message.kind());
  if (!kind) return Wrong(Reason::kBadKong, "kind", "absent, or not known");
  kong.kind = *kind;
  MJ_ASSIGN_OR_RETURN(kong.tile, TileFromText(message.tile(), "tile", Reason::kBadTiles));
  MJ_ASSIGN_OR_RETURN(kong.from,
                      MaybeSeat(message, &Completed::has_from, &Completed::from, "from"));
  MJ_ASSIGN_OR_RETURN(kong.paid_by,
                      MaybeSeat(message, &Completed::has_paid_by, &Completed::paid_by, "paid_by"));
  return kong;
}

absl::StatusOr<rules::InlineVector<Tile, rules::kMaxHorses>> HorsesFromText(
    std::string_view horses) {
  rules::InlineVector<Tile, rules::kMaxHorses> out;
  const auto tiles = tiles::ParseTiles(horses);
  if (!tiles) {
    return Wrong(Reason::kBadHorses, "horses", Cat("got ", Quoted(horses), ", want tiles"));
  }
  for (const Tile tile : *tiles) {
    if (!out.push_back(tile)) return Wrong(Reason::kBadHorses, "horses", "more than four tiles");
  }
  return out;
}

absl::StatusOr<rules::Deal> DealFromProto(std::uint32_t dealer, const std::string& round_wind,
                                          const RepeatedText& seat_winds, const std::string& wild) {
  rules::Deal deal;
  MJ_ASSIGN_OR_RETURN(deal.dealer, SeatFromNumber(dealer, "dealer"));
  if (!round_wind.empty()) {
    MJ_ASSIGN_OR_RETURN(deal.round_wind, TileFromText(round_wind, "round_wind", Reason::kBadWind));
  }
  if (!seat_winds.empty()) {
    if (seat_winds.size() != rules::kSeatCount) {
      return Wrong(Reason::kBadWind, "seat_winds",
                   Cat("got ", std::to_string(seat_winds.size()), ", want one for each seat"));
    }
    rules::PerSeat<Tile> winds;
    for (const Seat seat : rules::kSeats) {
      const int i = rules::IndexOf(seat);
      const std::optional<Tile> wind = tiles::ParseTile(seat_winds[i]);
      if (!wind)
        return TileFromText(seat_winds[i], Element("seat_winds", i), Reason::kBadWind).status();
      winds[seat] = *wind;
    }
    deal.seat_winds = winds;
  }
  if (!wild.empty()) {
    MJ_ASSIGN_OR_RETURN(deal.wild, TileFromText(wild, "wild", Reason::kBadWild));
  }
  return deal;
}

absl::StatusOr<rules::FinishedRound> FromProto(const common::FinishedRound& message) {
  rules::FinishedRound round;
  MJ_ASSIGN_OR_RETURN(round.deal, DealFromProto(message.dealer(), message.round_wind(),
                                                message.seat_winds(), message.wild()));
  MJ_ASSIGN_OR_RETURN(round.end, NeedEnum(kEnds, message.end(), "end"));
  for (int i = 0; i < message.wins_size(); ++i) {
    const absl::StatusOr<rules::Win> win = FromProto(message.wins(i));
    if (!win.ok()) return InField(Element("wins", i), win.status());
    if (!round.wins.push_back(*win)) {
      return Wrong(Reason::kBadWinners, "wins", "more than three wins");
    }
  }
  for (int i = 0; i < message.kongs_size(); ++i) {
    const absl::StatusOr<rules::Kong> kong = FromProto(message.kongs(i));
    if (!kong.ok()) return InField(Element("kongs", i), kong.status());
    if (!round.kongs.push_back(*kong)) {
      return Wrong(Reason::kBadKong, "kongs", "more than sixteen kongs");
    }
  }
  MJ_ASSIGN_OR_RETURN(round.horses, HorsesFromText(message.horses()));
  return round;
}

void ToProto(const rules::CalledMeld& meld, common::Meld& message) {
  message.set_kind(ToProto(meld.meld.kind));
  message.set_tiles(tiles::ToText(meld.meld));
  if (meld.from) message.set_from(Number(*meld.from));
}

void ToProto(const rules::Win& win, common::ClaimedWin& message) {
  message.set_seat(Number(win.seat));
  message.set_concealed(tiles::ToText(win.hand.concealed));
  for (const rules::CalledMeld& meld : win.hand.melds) ToProto(meld, *message.add_melds());
  message.set_tile(tiles::ToText(win.tile));
  message.set_how(ToProto(win.way));
  for (const auto& flag : kFlags) {
    if (win.flags.*flag.domain) message.add_flags(flag.wire);
  }
  if (win.from) message.set_from(Number(*win.from));
  if (win.kong_feeder) message.set_kong_feeder(Number(*win.kong_feeder));
  if (win.killed) message.set_killer_paid_by(Number(*win.killed));
}

void ToProto(const rules::Kong& kong, common::CompletedKong& message) {
  message.set_seat(Number(kong.seat));
  message.set_kind(KongKindToProto(kong.kind));
  message.set_tile(tiles::ToText(kong.tile));
  if (kong.from) message.set_from(Number(*kong.from));
  if (kong.paid_by) message.set_paid_by(Number(*kong.paid_by));
}

void ToProto(const rules::FinishedRound& round, common::FinishedRound& message) {
  message.set_dealer(Number(round.deal.dealer));
  if (round.deal.round_wind) message.set_round_wind(tiles::ToText(*round.deal.round_wind));
  if (round.deal.seat_winds) {
    for (const Tile wind : *round.deal.seat_winds) message.add_seat_winds(tiles::ToText(wind));
  }
  if (round.deal.wild) message.set_wild(tiles::ToText(*round.deal.wild));
  message.set_end(WireOf(kEnds, round.end));
  for (const rules::Win& win : round.wins) ToProto(win, *message.add_wins());
  for (const rules::Kong& kong : round.kongs) ToProto(kong, *message.add_kongs());
  message.set_horses(tiles::ToText(std::span(round.horses.begin(), round.horses.size())));
}

common::WinMethod ToProto(rules::WinWay way) { return WireOf(kMethods, way); }
common::MeldKind ToProto(MeldKind kind) { return WireOf(kMeldKinds, kind); }
common::KongKind KongKindToProto(MeldKind kind) { return WireOf(kKongKinds, kind); }
std::optional<rules::WinWay> WinWayOf(common::WinMethod how) { return DomainOf(kMethods, how); }
std::optional<MeldKind> MeldKindOf(common::MeldKind kind) { return DomainOf(kMeldKinds, kind); }
std::optional<MeldKind> MeldKindOf(common::KongKind kind) { return DomainOf(kKongKinds, kind); }

}  // namespace mj::wire
