#include "libs/wire/flat_round.h"

#include <cstddef>
#include <optional>

#include "libs/tiles/mpsz.h"
#include "libs/wire/flat_reader.h"
#include "libs/wire/round_tables.h"

namespace mj::wire {
namespace {

namespace common = ::mahjong::common::v1;
using rules::Seat;
using rules::Tile;

// The readers below write to `out`, and answer whether the field is as it should be.

bool Read(const FlatReader& from, Seat& out) {
  if (!from.is_number() || from.number() >= rules::kSeatCount) return false;
  out = static_cast<Seat>(from.number());
  return true;
}
bool Read(const FlatReader& from, std::optional<Seat>& out) { return Read(from, out.emplace()); }

bool Read(std::string_view text, Tile& out) {
  const std::optional<Tile> tile = tiles::ParseTile(text);
  if (tile) out = *tile;
  return tile.has_value();
}
bool Read(const FlatReader& from, Tile& out) {
  return !from.is_number() && Read(from.bytes(), out);
}
bool Read(const FlatReader& from, std::optional<Tile>& out) { return Read(from, out.emplace()); }

bool Read(const FlatReader& from, std::string_view& out) {
  if (from.is_number()) return false;
  out = from.bytes();
  return true;
}

template <typename Wire, typename Domain, std::size_t N>
bool Read(const Pairs<Wire, Domain, N>& pairs, const FlatReader& from, Domain& out) {
  if (!from.is_number()) return false;
  for (const auto& pair : pairs) {
    if (static_cast<std::uint64_t>(pair.wire) != from.number()) continue;
    out = pair.domain;
    return true;
  }
  return false;
}

// Calls `read(const FlatReader&)` for each field of a message; false as soon as that is. Fields that
// may come `often` are bits of that mask, as the rest may come once.
template <typename ReadField>
bool ForEachField(std::string_view bytes, std::uint32_t often, const ReadField& read) {
  FlatReader from(bytes);
  std::uint32_t seen = 0;
  while (from.Next()) {
    if (from.field() > 31) return false;
    const std::uint32_t bit = std::uint32_t{1} << from.field();
    if ((seen & bit & ~often) != 0) return false;
    seen |= bit;
    if (!read(std::as_const(from))) return false;
  }
  return from.done();
}
template <typename... Fields>
constexpr std::uint32_t Often(Fields... fields) {
  return ((std::uint32_t{1} << fields) | ... | 0);
}

bool Read(const FlatReader& outer, rules::CalledMeld& out) {
  using Meld = common::Meld;
  std::string_view tiles;
  rules::MeldKind kind{};
  bool has_kind = false;
  const auto read = [&](const FlatReader& from) {
    switch (from.field()) {
      case Meld::kKindFieldNumber:
        return has_kind = Read(kMeldKinds, from, kind);
      case Meld::kTilesFieldNumber:
        return Read(from, tiles);
      case Meld::kFromFieldNumber:
        return Read(from, out.from);
    }
    return false;
  };
  if (outer.is_number() || !ForEachField(outer.bytes(), 0, read) || !has_kind) return false;
  const std::optional<rules::Meld> meld = tiles::ParseMeld(kind, tiles);
  if (meld) out.meld = *meld;
  return meld.has_value();
}

bool Read(const FlatReader& outer, rules::WinFlags& out) {
  if (outer.is_number()) return false;  // not packed
  for (const char known : outer.bytes()) {
    const auto member = DomainOf(kFlags, static_cast<common::WinFlag>(known));
    if (!member || std::exchange(out.**member, true)) return false;
  }
  return true;
}

bool Read(const FlatReader& outer, rules::Win& out) {
  using Claimed = common::ClaimedWin;
  bool has_tile = false;
  bool has_way = false;
  const auto read = [&](const FlatReader& from) {
    switch (from.field()) {
      case Claimed::kSeatFieldNumber:
        return Read(from, out.seat);
      case Claimed::kConcealedFieldNumber: {
        if (from.is_number()) return false;
        const auto counts = tiles::ParseCounts(from.bytes());
        if (counts) out.hand.concealed = *counts;
        return counts.has_value();
      }
      case Claimed::kMeldsFieldNumber: {
        rules::CalledMeld meld;
        return Read(from, meld) && out.hand.melds.push_back(meld);
      }
      case Claimed::kTileFieldNumber:
        return has_tile = Read(from, out.tile);
      case Claimed::kHowFieldNumber:
        return has_way = Read(kMethods, from, out.way);
      case Claimed::kFlagsFieldNumber:
        return Read(from, out.flags);
      case Claimed::kFromFieldNumber:
        return Read(from, out.from);
      case Claimed::kKongFeederFieldNumber:
        return Read(from, out.kong_feeder);
      case Claimed::kKillerPaidByFieldNumber:
        return Read(from, out.killed);
    }
    return false;
  };
  return !outer.is_number() &&
         ForEachField(outer.bytes(), Often(Claimed::kMeldsFieldNumber), read) && has_tile &&
         has_way;
}

bool Read(const FlatReader& outer, rules::Kong& out) {
  using Completed = common::CompletedKong;
  bool has_kind = false;
  bool has_tile = false;
  const auto read = [&](const FlatReader& from) {
    switch (from.field()) {
      case Completed::kSeatFieldNumber:
        return Read(from, out.seat);
      case Completed::kKindFieldNumber:
        return has_kind = Read(kKongKinds, from, out.kind);
      case Completed::kTileFieldNumber:
        return has_tile = Read(from, out.tile);
      case Completed::kFromFieldNumber:
        return Read(from, out.from);
      case Completed::kPaidByFieldNumber:
        return Read(from, out.paid_by);
    }
    return false;
  };
  return !outer.is_number() && ForEachField(outer.bytes(), 0, read) && has_kind && has_tile;
}

bool ReadOption(const FlatReader& outer, FlatRound& out) {
  constexpr int kKey = 1;  // of every map
  constexpr int kValue = 2;
  auto& [name, value] = out.options.emplace_back();
  const auto read = [&](const FlatReader& from) {
    if (from.field() == kKey) return Read(from, name);
    return from.field() == kValue && Read(from, value);
  };
  return !outer.is_number() && ForEachField(outer.bytes(), 0, read);
}

bool ReadHorses(const FlatReader& from, rules::FinishedRound& out) {
  if (from.is_number()) return false;
  const auto tiles = tiles::ParseTiles(from.bytes());
  if (!tiles || tiles->size() > out.horses.capacity()) return false;
  for (const Tile tile : *tiles) out.horses.push_back(tile);
  return true;
}

}  // namespace

bool ReadFlatRound(std::string_view bytes, FlatRound& out) {
  using Round = common::FinishedRound;
  rules::FinishedRound& round = out.round;
  bool has_end = false;
  int winds = 0;
  const auto read = [&](const FlatReader& from) {
    switch (from.field()) {
      case Round::kVariantFieldNumber:
        return Read(from, out.variant);
      case Round::kOptionsFieldNumber:
        return ReadOption(from, out);
      case Round::kBaseFieldNumber:
        if (!from.is_number()) return false;
        out.base = static_cast<std::int64_t>(from.number());
        return true;
      case Round::kDealerFieldNumber:
        return Read(from, round.deal.dealer);
      case Round::kRoundWindFieldNumber:
        return Read(from, round.deal.round_wind);
      case Round::kSeatWindsFieldNumber: {
        if (winds == rules::kSeatCount) return false;
        if (!round.deal.seat_winds) round.deal.seat_winds.emplace();
        return Read(from, (*round.deal.seat_winds)[static_cast<Seat>(winds++)]);
      }
      case Round::kWildFieldNumber:
        return Read(from, round.deal.wild);
      case Round::kEndFieldNumber:
        return has_end = Read(kEnds, from, round.end);
      case Round::kWinsFieldNumber: {
        rules::Win win;
        return Read(from, win) && round.wins.push_back(win);
      }
      case Round::kKongsFieldNumber: {
        rules::Kong kong;
        return Read(from, kong) && round.kongs.push_back(kong);
      }
      case Round::kHorsesFieldNumber:
        return ReadHorses(from, round);
    }
    return false;
  };
  constexpr std::uint32_t kOften = Often(Round::kOptionsFieldNumber, Round::kSeatWindsFieldNumber,
                                         Round::kWinsFieldNumber, Round::kKongsFieldNumber);
  return ForEachField(bytes, kOften, read) && has_end && (winds == 0 || winds == rules::kSeatCount);
}

}  // namespace mj::wire
