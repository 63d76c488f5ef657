#include "services/scoring/rpc/answers.h"

#include <string>
#include <string_view>

#include "libs/receipt/names.h"
#include "libs/tiles/mpsz.h"

namespace mj::scoring::rpc {
namespace {

namespace common = ::mahjong::common::v1;

std::uint32_t Number(rules::Seat seat) { return static_cast<std::uint32_t>(rules::IndexOf(seat)); }

void SetText(std::string_view zh, std::string_view en, common::LocalizedText& out) {
  out.set_zh_hans(std::string(zh));
  out.set_en(std::string(en));
}

proto::PatternUnit UnitOf(rules::PatternRole role) {
  return role == rules::PatternRole::kFan ? proto::PATTERN_UNIT_FAN
                                          : proto::PATTERN_UNIT_MULTIPLIER;
}

template <typename Message>
void AddPatterns(const Game& game, const rules::Worth& worth, Message& out) {
  for (const rules::RuleId id : worth.patterns) {
    proto::PatternHit& hit = *out.add_patterns();
    hit.set_id(std::string(id));
    hit.set_count(1);
    const rules::Pattern* pattern = receipt::FindPattern(*game.variant, id);
    if (pattern == nullptr) continue;
    SetText(pattern->name_zh, pattern->name_en, *hit.mutable_name());
    hit.set_value(pattern->value);
    hit.set_unit(UnitOf(pattern->role));
  }
}

void FillWin(const Game& game, rules::Seat seat, const rules::Judgement& judgement,
             proto::WinScore& out) {
  const rules::VariantInfo& info = game.variant->info();
  const rules::Worth& worth = judgement.worth;
  out.set_seat(Number(seat));
  out.set_legal(judgement.legal());
  if (worth.no_win) {
    out.set_reason(std::string(receipt::WordFor(*worth.no_win)));
    return;
  }
  AddPatterns(game, worth, out);
  if (info.counts_fan) out.set_fan(static_cast<std::int32_t>(worth.fan));
  if (info.counts_multiplier) out.set_multiplier(worth.multiplier);
  if (info.counts_horses) out.set_horses_hit(static_cast<std::uint32_t>(worth.horses_hit));
  out.set_shape(std::string(receipt::WordFor(judgement.reading.shape)));
}

void FillReceipt(std::span<const receipt::Line> lines, proto::Receipt& out) {
  for (const receipt::Line& line : lines) {
    proto::ReceiptLine& to = *out.add_lines();
    to.set_to_seat(Number(line.to));
    for (const rules::Seat from : line.from) to.add_from_seats(Number(from));
    to.set_coins(line.coins.value());
    for (const rules::RuleId id : line.rules) to.add_rule_ids(std::string(id));
    to.set_arithmetic(line.arithmetic);
    SetText(line.text_zh, line.text_en, *to.mutable_text());
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

void FillReading(const Game& game, const receipt::ReadHand& hand, proto::Reading& out) {
  const rules::VariantInfo& info = game.variant->info();
  out.set_shape(std::string(receipt::WordFor(hand.reading.shape)));
  AddSets(hand.reading, out);
  out.set_verdict(VerdictOf(hand.verdict));
  if (hand.worth.no_win) {
    out.set_reason(std::string(receipt::WordFor(*hand.worth.no_win)));
    return;
  }
  AddPatterns(game, hand.worth, out);
  if (info.counts_fan) out.set_fan(static_cast<std::int32_t>(hand.worth.fan));
  if (info.counts_multiplier) out.set_multiplier(hand.worth.multiplier);
  out.set_coins(hand.coins.value());
}

common::WinMethod MethodOf(rules::WinWay way) {
  switch (way) {
    case rules::WinWay::kSelfDraw:
      return common::WIN_METHOD_SELF_DRAW;
    case rules::WinWay::kDiscard:
      return common::WIN_METHOD_DISCARD;
    case rules::WinWay::kRobbedKong:
      return common::WIN_METHOD_ROBBED_KONG;
  }
  return common::WIN_METHOD_UNSPECIFIED;
}

void FillOption(const rules::OptionDef& option, proto::OptionInfo& out) {
  out.set_key(std::string(option.name));
  SetText(option.meaning_zh, option.meaning_en, *out.mutable_name());
  out.set_default_value(rules::OptionText(option, option.fallback));
  out.set_source(std::string(option.rule));
  switch (option.type) {
    case rules::OptionType::kFlag:
      out.set_type(proto::OPTION_TYPE_FLAG);
      break;
    case rules::OptionType::kNumber:
      out.set_type(proto::OPTION_TYPE_NUMBER);
      out.set_min(option.min);
      out.set_max(option.max);
      break;
    case rules::OptionType::kChoice:
      out.set_type(proto::OPTION_TYPE_CHOICE);
      for (const std::string_view choice : option.choices) out.add_choices(std::string(choice));
      break;
  }
}

}  // namespace

void Fill(const Game& game, const rules::FinishedRound& round, const receipt::PricedRound& priced,
          proto::RoundScore& out) {
  out.set_rulebook_version(game.rulebook_version);
  for (std::size_t i = 0; i < priced.score.wins.size(); ++i) {
    FillWin(game, round.wins[i].seat, priced.score.wins[i], *out.add_wins());
  }
  for (const receipt::CoinTransfer& transfer : priced.transfers) {
    common::Transfer& to = *out.add_transfers();
    to.set_from_seat(Number(transfer.from));
    to.set_to_seat(Number(transfer.to));
    to.set_coins(transfer.coins.value());
    to.set_rule_id(std::string(transfer.rule));
  }
  for (const ledger::Coins net : priced.net) out.add_net(net.value());
  FillReceipt(priced.lines, *out.mutable_receipt());
}

void Fill(const Game& game, rules::Seat seat, const HandVerdict& verdict,
          proto::EvaluateHandResponse& out) {
  out.set_rulebook_version(game.rulebook_version);
  FillWin(game, seat, verdict.judgement, *out.mutable_score());
  for (const receipt::ReadHand& hand : verdict.readings) {
    FillReading(game, hand, *out.add_readings());
  }
  FillReceipt(verdict.lines, *out.mutable_receipt());
}

void Fill(const Game& game, rules::Seat seat, std::span<const TileWait> waits,
          proto::ListWaitsResponse& out) {
  out.set_rulebook_version(game.rulebook_version);
  for (const TileWait& wait : waits) {
    proto::Wait& to = *out.add_waits();
    to.set_tile(tiles::ToText(wait.tile));
    to.set_unseen_left(static_cast<std::uint32_t>(wait.unseen));
    for (const WaitWay& way : wait.ways) {
      proto::WaitWay& by = *to.add_ways();
      by.set_how(MethodOf(way.way));
      FillWin(game, seat, way.judgement, *by.mutable_score());
      by.set_coins(way.coins.value());
    }
  }
}

void Fill(const rules::Variant& variant, proto::Variant& out) {
  const rules::VariantInfo& info = variant.info();
  out.set_id(std::string(info.id));
  SetText(info.name_zh, info.name_en, *out.mutable_name());
  out.set_rulebook_version(rules::RulebookVersion(variant));
  const rules::PlayRules play = variant.play(rules::DefaultOptions(variant.options()));
  out.set_wall_tiles(static_cast<std::uint32_t>(play.wall.total()));
  for (const rules::Pattern& pattern : variant.patterns()) {
    proto::PatternInfo& to = *out.add_patterns();
    to.set_id(std::string(pattern.id));
    SetText(pattern.name_zh, pattern.name_en, *to.mutable_name());
    to.set_value(pattern.value);
    to.set_unit(UnitOf(pattern.role));
    for (const rules::RuleId implied : pattern.implies) to.add_implies(std::string(implied));
    to.set_source(std::string(pattern.source));
  }
  for (const rules::OptionDef& option : variant.options()) FillOption(option, *out.add_options());
  for (const rules::RuleText& rule : variant.rules()) {
    proto::RuleInfo& to = *out.add_rules();
    to.set_id(std::string(rule.id));
    SetText(rule.name_zh, rule.name_en, *to.mutable_name());
    to.set_source(std::string(rule.source));
  }
}

}  // namespace mj::scoring::rpc
