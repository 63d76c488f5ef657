#include "services/scoring/rpc/rulebooks.h"

#include "libs/receipt/names.h"
#include "libs/tiles/mpsz.h"
#include "libs/wire/score_writer.h"
#include "services/scoring/rpc/texts.h"

namespace mj::scoring::rpc {
namespace {

namespace proto = ::mahjong::scoring::v1;

void FillOption(const rules::OptionDef& option, proto::OptionInfo& out) {
  SetView(option.name, *out.mutable_key());
  SetText(option.meaning_zh, option.meaning_en, *out.mutable_name());
  out.set_default_value(rules::OptionText(option, option.fallback));
  SetView(option.rule, *out.mutable_rule_id());
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
      for (const std::string_view choice : option.choices) SetView(choice, *out.add_choices());
      break;
  }
}

void FillPattern(const rules::Pattern& pattern, proto::PatternInfo& out) {
  SetView(pattern.id, *out.mutable_id());
  SetText(pattern.name_zh, pattern.name_en, *out.mutable_name());
  out.set_value(pattern.value);
  out.set_unit(wire::ToProto(pattern.role));
  for (const rules::RuleId implied : pattern.implies) SetView(implied, *out.add_implies());
  SetView(pattern.source, *out.mutable_source());
  out.set_big(pattern.big);
}

void FillCounting(const rules::VariantInfo& info, proto::CountingInfo& out) {
  out.set_units_per_base(static_cast<std::uint32_t>(info.units_per_base));
  out.set_counts_fan(info.counts_fan);
  out.set_fan_doubles(info.fan_doubles);
  out.set_counts_multiplier(info.counts_multiplier);
  out.set_counts_horses(info.counts_horses);
}

proto::MissedWin MissedWinOf(rules::MissedWin missed_win) {
  switch (missed_win) {
    case rules::MissedWin::kNoLock:
      return proto::MISSED_WIN_NO_LOCK;
    case rules::MissedWin::kSameTile:
      return proto::MISSED_WIN_SAME_TILE;
    case rules::MissedWin::kEveryTile:
      return proto::MISSED_WIN_EVERY_TILE;
  }
  return proto::MISSED_WIN_UNSPECIFIED;
}

proto::LockEnd LockEndOf(const rules::PlayRules& play) {
  if (play.missed_win == rules::MissedWin::kNoLock) return proto::LOCK_END_UNSPECIFIED;
  return play.lock_ends == rules::LockEnds::kOwnDiscard ? proto::LOCK_END_OWN_DISCARD
                                                        : proto::LOCK_END_OWN_DRAW_OR_CALL;
}

proto::WildMode WildModeOf(rules::WildMode wild) {
  switch (wild) {
    case rules::WildMode::kNone:
      return proto::WILD_MODE_NONE;
    case rules::WildMode::kFixed:
      return proto::WILD_MODE_FIXED;
    case rules::WildMode::kFlipped:
      return proto::WILD_MODE_FLIPPED;
  }
  return proto::WILD_MODE_UNSPECIFIED;
}

void FillPlay(const rules::PlayRules& play, proto::PlayInfo& out) {
  out.set_chow(play.chow);
  out.set_winds(play.winds);
  out.set_dealer_rolls(play.dealer_rolls);
  out.set_missed_win(MissedWinOf(play.missed_win));
  out.set_lock_ends(LockEndOf(play));
  out.set_feeder_may_not_rob(play.feeder_may_not_rob);
  out.set_kill(play.kill);
  out.set_horses(static_cast<std::uint32_t>(play.horses));
  out.set_horses_on_robbed_kong(play.horses_on_robbed_kong);
  out.set_wild(WildModeOf(play.wild));
  if (play.wild == rules::WildMode::kFixed) out.set_fixed_wild(tiles::ToText(play.fixed_wild));
}

void FillKongNames(const rules::Variant& variant, proto::KongNames& out) {
  const auto fill = [&variant](rules::MeldKind kind, auto& text) {
    const receipt::Words words = receipt::WordsForMeld(variant, kind);
    SetText(words.zh, words.en, text);
  };
  fill(rules::MeldKind::kDiscardKong, *out.mutable_discard());
  fill(rules::MeldKind::kAddedKong, *out.mutable_added());
  fill(rules::MeldKind::kConcealedKong, *out.mutable_concealed());
}

void FillWords(const rules::VariantInfo& game, proto::GameWords& out) {
  const auto fill = [&game](rules::WinWay way, auto& text) {
    const receipt::Words words = receipt::WordsFor(game, way);
    SetText(words.zh, words.en, text);
  };
  SetText(game.base_zh, "base", *out.mutable_base());
  fill(rules::WinWay::kSelfDraw, *out.mutable_self_draw());
  fill(rules::WinWay::kDiscard, *out.mutable_discard_win());
  fill(rules::WinWay::kRobbedKong, *out.mutable_robbed_kong());
}

void AddShapes(const rules::Shapes& shapes, proto::Rulebook& out) {
  const auto add = [&out](bool wins, rules::Shape shape) {
    if (wins) SetView(receipt::WordFor(shape), *out.add_shapes());
  };
  add(shapes.standard, rules::Shape::kStandard);
  add(shapes.seven_pairs, rules::Shape::kSevenPairs);
  add(shapes.thirteen_orphans, rules::Shape::kThirteenOrphans);
}

}  // namespace

void Fill(const rules::Variant& variant, proto::Variant& out) {
  const rules::VariantInfo& info = variant.info();
  SetView(info.id, *out.mutable_id());
  SetText(info.name_zh, info.name_en, *out.mutable_name());
  const std::span<const ServedVersion> served = Served(variant);
  out.set_rulebook_version(served.front().version);
  for (const ServedVersion& one : served) out.add_served_rulebook_versions(one.version);
  const rules::PlayRules play = variant.play(rules::DefaultOptions(variant.options()));
  out.set_wall_tiles(static_cast<std::uint32_t>(play.wall.total()));
  for (const rules::OptionDef& option : variant.options()) FillOption(option, *out.add_options());
}

void Fill(const rules::Variant& present, const Game& game, proto::Rulebook& out) {
  const rules::Variant& variant = *game.variant;
  Fill(present, *out.mutable_variant());
  if (&variant != &present) {
    out.mutable_variant()->clear_options();
    for (const rules::OptionDef& option : variant.options()) {
      FillOption(option, *out.mutable_variant()->add_options());
    }
  }
  SetView(game.rulebook_version, *out.mutable_rulebook_version());
  for (const rules::Pattern& pattern : variant.patterns()) {
    FillPattern(pattern, *out.add_patterns());
  }
  for (const rules::RuleText& rule : variant.rules()) {
    proto::RuleInfo& to = *out.add_rules();
    SetView(rule.id, *to.mutable_id());
    SetText(rule.name_zh, rule.name_en, *to.mutable_name());
    SetView(rule.source, *to.mutable_source());
  }
  FillCounting(variant.info(), *out.mutable_counting());
  for (auto& [name, value] : rules::ToTexts(variant.options(), game.options, true)) {
    (*out.mutable_options())[name] = value;
  }
  const rules::PlayRules play = variant.play(game.options);
  out.set_wall(tiles::ToText(play.wall));
  AddShapes(variant.shapes(game.options), out);
  FillPlay(play, *out.mutable_play());
  FillKongNames(variant, *out.mutable_kong_names());
  FillWords(variant.info(), *out.mutable_words());
}

}  // namespace mj::scoring::rpc
