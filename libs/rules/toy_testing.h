// A game for tests: every shape pays one unit, all rules of play set by the test.
#pragma once

#include "libs/rules/variant.h"

namespace mj::rules {

class ToyGame : public Variant {
 public:
  // A full wall of 136 and nothing special, until the test sets it.
  ToyGame();

  PlayRules play_rules;
  Shapes win_shapes = {.standard = true, .seven_pairs = true, .thirteen_orphans = true};
  std::optional<NoWin> discard_refusal;  // set: a win on a discard is none, for this reason

  const VariantInfo& info() const override;
  std::span<const OptionDef> options() const override;
  std::span<const Pattern> patterns() const override;
  std::span<const RuleText> rules() const override;
  Shapes shapes(const Options& options) const override;
  PlayRules play(const Options& options) const override;
  // Heavenly and earthly as the common definition: first own draw, nobody having called.
  WinFlags FirstTurn(const FirstTurnFacts& facts, const Options& options) const override;
  Worth Appraise(const WinQuestion& question, const Reading& reading, const FinishedRound& round,
                 const Options& options) const override;
  void PayWin(const WinQuestion& question, const Worth& worth, const Options& options,
              Transfers& transfers) const override;
  void PayKongs(const FinishedRound& round, const Options& options,
                Transfers& transfers) const override;
  NextDeal Next(const FinishedRound& round) const override;
};

}  // namespace mj::rules
