#include "services/scoring/rpc/answers.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libs/receipt/arithmetic.h"
#include "libs/receipt/counted.h"
#include "libs/receipt/names.h"
#include "libs/tiles/mpsz.h"
#include "libs/wire/fields.h"
#include "libs/wire/finished_round.h"
#include "services/scoring/rpc/texts.h"

namespace mj::scoring::rpc {
namespace {

namespace common = ::mahjong::common::v1;

using wire::Number;

template <typename Message>
void AddPatterns(const Game& game, const rules::WinQuestion& question, const rules::Worth& worth,
                 const rules::Reading& reading, Message& out) {
  receipt::ForEachCounted(*game.variant, worth, [&](const rules::Pattern& pattern) {
    proto::PatternHit& hit = *out.add_patterns();
    SetView(pattern.id, *hit.mutable_id());
    const int times = receipt::TimesOf(pattern, question, reading);
    SetText(pattern.name_zh, pattern.name_en, *hit.mutable_name());
    hit.set_value(pattern.value * times);
    hit.set_count(static_cast<std::uint32_t>(times));
    hit.set_unit(UnitOf(pattern.role));
  });
}

void FillWin(const Game& game, const rules::WinQuestion& question,
             const rules::Judgement& judgement, proto::WinScore& out) {
  const rules::Win& win = *question.win;
  const rules::VariantInfo& info = game.variant->info();
  const rules::Worth& worth = judgement.worth;
  out.set_seat(Number(win.seat));
  out.set_legal(judgement.legal());
  if (worth.no_win) {
    SetView(receipt::WordFor(*worth.no_win), *out.mutable_reason());
    const receipt::Words words = receipt::WordsFor(*worth.no_win);
    SetText(words.zh, words.en, *out.mutable_reason_text());
    return;
  }
  AddPatterns(game, question, worth, judgement.reading, out);
  if (info.counts_fan) out.set_fan(static_cast<std::int32_t>(worth.fan));
  if (info.counts_multiplier) out.set_multiplier(worth.multiplier);
  if (info.counts_horses) out.set_horses_hit(static_cast<std::uint32_t>(worth.horses_hit));
  SetView(receipt::WordFor(judgement.reading.shape), *out.mutable_shape());
  for (const receipt::Words& title :
       receipt::TitlesOf(*game.variant, win, question.deal->dealer, worth)) {
    SetText(title.zh, title.en, *out.add_titles());
  }
}

// Takes the lines' texts over.
void FillReceipt(std::vector<receipt::Line>& lines, proto::Receipt& out) {
  out.mutable_lines()->Reserve(static_cast<int>(lines.size()));
  for (receipt::Line& line : lines) {
    proto::ReceiptLine& to = *out.add_lines();
    to.set_to_seat(Number(line.to));
    for (const rules::Seat from : line.from) to.add_from_seats(Number(from));
    to.set_coins(line.coins.value());
    to.mutable_rule_ids()->Reserve(static_cast<int>(line.rules.size()));
    for (const rules::RuleId id : line.rules) SetView(id, *to.add_rule_ids());
    to.set_arithmetic(std::move(line.arithmetic));
    to.mutable_text()->set_zh_hans(std::move(line.text_zh));
    to.mutable_text()->set_en(std::move(line.text_en));
  }
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
  AddPatterns(game, question, hand.worth, hand.reading, out);
  if (info.counts_fan) out.set_fan(static_cast<std::int32_t>(hand.worth.fan));
  if (info.counts_multiplier) out.set_multiplier(hand.worth.multiplier);
  out.set_coins(hand.coins.value());
}

}  // namespace

void Fill(const Game& game, const rules::FinishedRound& round, receipt::PricedRound&& priced,
          proto::RoundScore& out) {
  SetView(game.rulebook_version, *out.mutable_rulebook_version());
  out.mutable_wins()->Reserve(static_cast<int>(priced.score.wins.size()));
  out.mutable_transfers()->Reserve(static_cast<int>(priced.transfers.size()));
  out.mutable_net()->Reserve(rules::kSeatCount);
  for (std::size_t i = 0; i < priced.score.wins.size(); ++i) {
    FillWin(game, {.win = &round.wins[i], .deal = &round.deal}, priced.score.wins[i],
            *out.add_wins());
  }
  for (const receipt::CoinTransfer& transfer : priced.transfers) {
    common::Transfer& to = *out.add_transfers();
    to.set_from_seat(Number(transfer.from));
    to.set_to_seat(Number(transfer.to));
    to.set_coins(transfer.coins.value());
    SetView(transfer.rule, *to.mutable_rule_id());
  }
  for (const ledger::Coins net : priced.net) out.add_net(net.value());
  FillReceipt(priced.lines, *out.mutable_receipt());
}

void Fill(const Game& game, const rules::Deal& deal, const rules::Win& win, HandVerdict verdict,
          proto::EvaluateHandResponse& out) {
  SetView(game.rulebook_version, *out.mutable_rulebook_version());
  const rules::WinQuestion question{.win = &win, .deal = &deal};
  FillWin(game, question, verdict.judgement, *out.mutable_score());
  for (const receipt::ReadHand& hand : verdict.readings) {
    FillReading(game, question, hand, verdict.readings.front(), *out.add_readings());
  }
  FillReceipt(verdict.lines, *out.mutable_receipt());
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
