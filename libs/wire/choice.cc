#include "libs/wire/choice.h"

#include <optional>
#include <string>
#include <string_view>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/tiles/mpsz.h"
#include "libs/wire/fields.h"

namespace mj::wire {
namespace {

namespace common = ::mahjong::common::v1;
namespace table = ::mahjong::table::v1;
using base::InField;
using base::Reason;
using round::Choice;
using round::ChoiceKind;
using tiles::Tile;

constexpr Pairs<common::KongKind, ChoiceKind, 3> kKongs = {
    {{common::KONG_KIND_DISCARD, ChoiceKind::kDiscardKong},
     {common::KONG_KIND_ADDED, ChoiceKind::kAddedKong},
     {common::KONG_KIND_CONCEALED, ChoiceKind::kConcealedKong}}};

absl::StatusOr<Choice> ChowFromText(const std::string& tiles, std::string_view field) {
  const auto choice = round::ParseChoice(base::Cat("chow ", tiles));
  if (!choice) {
    return Wrong(Reason::kBadTiles, field,
                 base::Cat("got ", Quoted(tiles), ", want two tiles of a sequence"));
  }
  return *choice;
}

absl::StatusOr<Choice> KongFromProto(const table::KongChoice& message) {
  const auto kind = DomainOf(kKongs, message.kind());
  if (!kind) return Wrong(Reason::kBadKong, "kind", "absent, or not known");
  MJ_ASSIGN_OR_RETURN(const Tile tile, TileFromText(message.tile(), "tile"));
  return Choice{*kind, tile, {}};
}

void KongToProto(ChoiceKind kind, Tile tile, table::KongChoice& message) {
  message.set_kind(WireOf(kKongs, kind));
  message.set_tile(tiles::ToText(tile));
}

std::string TextOf(Tile low, Tile high) {
  const Tile both[] = {low, high};
  return tiles::ToText(both);
}

std::string TextOf(round::TileSet set) {
  tiles::TileCounts counts;
  for (const Tile tile : set) counts.Add(tile);
  return tiles::ToText(counts);
}

table::DecisionKind KindOf(const round::Offer& offer) {
  if (offer.roll) return table::DECISION_KIND_DICE;
  // On a turn something can always be thrown; on another's tile nothing can.
  return offer.discards.empty() ? table::DECISION_KIND_CLAIM : table::DECISION_KIND_TURN;
}

}  // namespace

absl::StatusOr<Choice> FromProto(const table::Choice& message) {
  switch (message.choice_case()) {
    case table::Choice::kPass:
      return Choice::Pass();
    case table::Choice::kWin:
      return Choice::Win();
    case table::Choice::kPung:
      return Choice::Pung();
    case table::Choice::kRoll:
      return Choice::Roll();
    case table::Choice::kChow:
      return ChowFromText(message.chow().tiles(), "chow.tiles");
    case table::Choice::kKong: {
      const auto kong = KongFromProto(message.kong());
      return kong.ok() ? kong : InField("kong", kong.status());
    }
    case table::Choice::kDiscard: {
      MJ_ASSIGN_OR_RETURN(const Tile tile, TileFromText(message.discard().tile(), "discard.tile"));
      return Choice::Discard(tile);
    }
    // About the stakes: whoever takes these reads them itself.
    case table::Choice::kPropose:
    case table::Choice::kAccept:
    case table::Choice::kRefuse:
      return Wrong(Reason::kChoiceNotOffered, "choice", "not one of a round");
    case table::Choice::CHOICE_NOT_SET:
      break;
  }
  return Wrong(Reason::kFieldRequired, "choice", "absent, or not known");
}

void ToProto(const Choice& choice, table::Choice& message) {
  switch (choice.kind) {
    case ChoiceKind::kPass:
      message.mutable_pass();
      return;
    case ChoiceKind::kWin:
      message.mutable_win();
      return;
    case ChoiceKind::kPung:
      message.mutable_pung();
      return;
    case ChoiceKind::kRoll:
      message.mutable_roll();
      return;
    case ChoiceKind::kChow:
      message.mutable_chow()->set_tiles(TextOf(choice.tile, choice.other));
      return;
    case ChoiceKind::kDiscardKong:
    case ChoiceKind::kAddedKong:
    case ChoiceKind::kConcealedKong:
      KongToProto(choice.kind, choice.tile, *message.mutable_kong());
      return;
    case ChoiceKind::kDiscard:
      message.mutable_discard()->set_tile(tiles::ToText(choice.tile));
      return;
  }
}

void ToProto(const round::Offer& offer, table::Decision& message) {
  message.set_kind(KindOf(offer));
  if (offer.tile) message.set_tile(tiles::ToText(*offer.tile));
  table::Offers& offers = *message.mutable_offers();
  offers.set_pass(offer.pass);
  if (offer.win) offers.mutable_win();
  offers.set_pung(offer.pung);
  offers.set_roll(offer.roll);
  for (const round::Offer::Chow& chow : offer.chows) {
    offers.add_chows(TextOf(chow.low, chow.high));
  }
  if (offer.discard_kong && offer.tile) {
    KongToProto(ChoiceKind::kDiscardKong, *offer.tile, *offers.add_kongs());
  }
  for (const Tile tile : offer.added_kongs) {
    KongToProto(ChoiceKind::kAddedKong, tile, *offers.add_kongs());
  }
  for (const Tile tile : offer.concealed_kongs) {
    KongToProto(ChoiceKind::kConcealedKong, tile, *offers.add_kongs());
  }
  offers.set_discards(TextOf(offer.discards));
}

absl::StatusOr<round::Offer> FromProto(const table::Decision& message) {
  round::Offer offer;
  if (!message.tile().empty()) {
    MJ_ASSIGN_OR_RETURN(offer.tile, TileFromText(message.tile(), "tile"));
  }
  const table::Offers& offers = message.offers();
  offer.pass = offers.pass();
  offer.win = offers.has_win();
  offer.pung = offers.pung();
  offer.roll = offers.roll();
  for (int i = 0; i < offers.chows_size(); ++i) {
    const std::string field = Element("offers.chows", i);
    MJ_ASSIGN_OR_RETURN(const Choice chow, ChowFromText(offers.chows(i), field));
    if (!offer.Add(chow)) return Wrong(Reason::kBadTiles, field, "a fourth chow");
  }
  for (int i = 0; i < offers.kongs_size(); ++i) {
    const auto kong = KongFromProto(offers.kongs(i));
    if (!kong.ok()) return InField(Element("offers.kongs", i), kong.status());
    offer.Add(*kong);
  }
  const auto discards = tiles::ParseTiles(offers.discards());
  if (!discards) {
    return Wrong(Reason::kBadTiles, "offers.discards",
                 base::Cat("got ", Quoted(offers.discards()), ", want tiles"));
  }
  for (const Tile tile : *discards) offer.Add(Choice::Discard(tile));
  return offer;
}

}  // namespace mj::wire
