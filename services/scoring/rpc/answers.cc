#include "services/scoring/rpc/answers.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libs/base/check.h"
#include "libs/receipt/names.h"
#include "libs/tiles/mpsz.h"
#include "libs/wire/fields.h"
#include "libs/wire/finished_round.h"
#include "libs/wire/flat_writer.h"
#include "libs/wire/score_writer.h"
#include "services/scoring/rpc/texts.h"

namespace mj::scoring::rpc {
namespace {

using wire::Number;

// What `write(wire::FlatWriter&)` writes, as a message.
template <typename Message, typename Write>
void FillBy(const Write& write, Message& out) {
  wire::FlatWriter bytes;
  write(bytes);
  const std::string_view all = bytes.bytes();
  MJ_CHECK(out.MergeFromString({all.data(), all.size()}), "what was written can be read");
}

void FillWin(const Game& game, const rules::WinQuestion& question,
             const rules::Judgement& judgement, proto::WinScore& out) {
  FillBy([&](wire::FlatWriter& to) { wire::WriteWin(*game.variant, question, judgement, to); },
         out);
}

void AddSet(proto::ReadingSetKind kind, const std::string& tiles, bool melded,
            proto::Reading& out) {
  proto::ReadingSet& set = *out.add_sets();
  set.set_kind(kind);
  set.set_tiles(tiles);
  set.set_melded(melded);
}

std::string PairText(rules::Tile tile) {
  rules::TileCounts pair;
  pair.Add(tile, 2);
  return tiles::ToText(pair);
}

void AddSets(const rules::Reading& reading, proto::Reading& out) {
  if (reading.shape == rules::Shape::kSevenPairs) {
    for (const rules::Tile tile : tiles::kAllKinds) {
      for (int pair = 0; pair < reading.tiles[tile] / 2; ++pair) {
        AddSet(proto::READING_SET_KIND_PAIR, PairText(tile), false, out);
      }
    }
  }
  if (reading.shape != rules::Shape::kStandard) return;
  for (const rules::Set& set : reading.sets) {
    const bool sequence = set.kind == rules::Set::Kind::kSequence;
    const rules::Meld meld{sequence   ? rules::MeldKind::kChow
                           : set.kong ? rules::MeldKind::kConcealedKong
                                      : rules::MeldKind::kPung,
                           set.tile};
    AddSet(sequence   ? proto::READING_SET_KIND_CHOW
           : set.kong ? proto::READING_SET_KIND_KONG
                      : proto::READING_SET_KIND_PUNG,
           tiles::ToText(meld), set.melded, out);
  }
  AddSet(proto::READING_SET_KIND_PAIR, PairText(reading.pair), false, out);
}

proto::ReadingVerdict VerdictOf(receipt::Verdict verdict) {
  switch (verdict) {
    case receipt::Verdict::kCounted:
      return proto::READING_VERDICT_COUNTED;
    case receipt::Verdict::kNotAllowed:
      return proto::READING_VERDICT_NOT_ALLOWED;
    case receipt::Verdict::kPaysLess:
      return proto::READING_VERDICT_PAYS_LESS;
    case receipt::Verdict::kFewerPatterns:
      return proto::READING_VERDICT_FEWER_PATTERNS;
    case receipt::Verdict::kLessBeforeLimit:
      return proto::READING_VERDICT_LESS_BEFORE_LIMIT;
    case receipt::Verdict::kLaterInOrder:
      return proto::READING_VERDICT_LATER_IN_ORDER;
  }
  return proto::READING_VERDICT_UNSPECIFIED;
}

void FillReading(const Game& game, const rules::WinQuestion& question,
                 const receipt::ReadHand& hand, const receipt::ReadHand& counted,
                 proto::Reading& out) {
  const rules::VariantInfo& info = game.variant->info();
  SetView(receipt::WordFor(hand.reading.shape), *out.mutable_shape());
  AddSets(hand.reading, out);
  out.set_verdict(VerdictOf(hand.verdict));
  const receipt::Explanation why = receipt::Explain(hand, counted);
  SetText(why.zh, why.en, *out.mutable_explanation());
  if (hand.worth.no_win) {
    SetView(receipt::WordFor(*hand.worth.no_win), *out.mutable_reason());
    return;
  }
  FillBy(
      [&](wire::FlatWriter& to) {
        wire::WritePatterns(*game.variant, question, hand.worth, hand.reading,
                            proto::Reading::kPatternsFieldNumber, to);
      },
      out);
  if (info.counts_fan) out.set_fan(static_cast<std::int32_t>(hand.worth.fan));
  if (info.counts_multiplier) out.set_multiplier(hand.worth.multiplier);
  out.set_coins(hand.coins.value());
}

}  // namespace

void Fill(const Game& game, const rules::Deal& deal, const rules::Win& win, HandVerdict verdict,
          proto::EvaluateHandResponse& out) {
  SetView(game.rulebook_version, *out.mutable_rulebook_version());
  const rules::WinQuestion question{.win = &win, .deal = &deal};
  FillWin(game, question, verdict.judgement, *out.mutable_score());
  for (const receipt::ReadHand& hand : verdict.readings) {
    FillReading(game, question, hand, verdict.readings.front(), *out.add_readings());
  }
  FillBy([&](wire::FlatWriter& to) { wire::WriteReceipt(verdict.lines, to); },
         *out.mutable_receipt());
}

void Fill(const Game& game, const rules::Deal& deal, std::span<const TileWait> waits,
          proto::ListWaitsResponse& out) {
  SetView(game.rulebook_version, *out.mutable_rulebook_version());
  for (const TileWait& wait : waits) {
    proto::Wait& to = *out.add_waits();
    to.set_tile(tiles::ToText(wait.tile));
    to.set_unseen_left(static_cast<std::uint32_t>(wait.unseen));
    for (const WaitWay& way : wait.ways) {
      proto::WaitWay& by = *to.add_ways();
      by.set_how(wire::ToProto(way.win.way));
      FillWin(game, {.win = &way.win, .deal = &deal}, way.judgement, *by.mutable_score());
      by.set_coins(way.coins.value());
    }
  }
}

}  // namespace mj::scoring::rpc
