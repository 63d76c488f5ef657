// Whole rounds of bots, in bulk: the state is possible after every event, and every choice sensible.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>

#include "libs/bots/bot.h"
#include "libs/round/invariants.h"
#include "libs/round/random_testing.h"
#include "libs/round/result.h"
#include "libs/rules/score.h"
#include "libs/variants/registry.h"
#include "tests/support/counts.h"

namespace mj::bots {
namespace {

using round::Choice;
using round::ChoiceKind;
using round::Offer;
using rules::Hand;
using rules::Seat;
using tiles::Tile;

// The choice held against the distances, which know nothing of bots. Nothing for a sensible one,
// else what is wrong with it.
class Judge {
 public:
  // `aims`: the shapes for which the bot plays.
  Judge(const rules::Shapes& aims, Distances& distances) : aims_(aims), distances_(distances) {}

  std::string Fault(const round::SeatView& view, const Choice& choice) {
    const Offer& offer = view.ask->offer;
    if (!offer.Allows(choice)) return "not offered";
    if (offer.win) return choice.kind == ChoiceKind::kWin ? "" : "lets a win go by";
    wild_ = view.deal.wild;
    Hand hand;
    hand.concealed = view.hand;
    hand.melds = view.seats[*view.viewer.seat].melds;
    switch (choice.kind) {
      case ChoiceKind::kDiscard:
        return Discarding(hand, offer, choice.tile);
      case ChoiceKind::kPung:
        return Calling(hand, rules::MeldKind::kPung, *offer.tile, {*offer.tile, *offer.tile});
      case ChoiceKind::kChow:
        return Calling(hand, rules::MeldKind::kChow, std::min(*offer.tile, choice.tile),
                       {choice.tile, choice.other});
      case ChoiceKind::kDiscardKong:
        return Konging(hand, Missing(hand), choice.tile, 3, true);
      case ChoiceKind::kConcealedKong:
        return Konging(hand, AfterBestDiscard(hand), choice.tile, 4, true);
      case ChoiceKind::kAddedKong:
        return Konging(hand, AfterBestDiscard(hand), choice.tile, 1, false);
      case ChoiceKind::kWin:
      case ChoiceKind::kPass:
      case ChoiceKind::kRoll:
        return "";
    }
    return "";
  }

 private:
  int Missing(const Hand& hand) {
    return distances_.Missing(hand.concealed, static_cast<int>(hand.melds.size()), wild_, aims_);
  }
  int MissingWithout(Hand hand, Tile tile) {
    hand.concealed.Remove(tile);
    return Missing(hand);
  }
  int AfterBestDiscard(const Hand& hand) {
    int least = 99;
    for (Tile tile : tiles::kAllKinds) {
      if (hand.concealed.Has(tile)) least = std::min(least, MissingWithout(hand, tile));
    }
    return least;
  }
  // A wait on which no win is allowed counts as one tile more: nothing here knows of that, so that a
  // hand that waits may be left for one that does not.
  static bool NoFurther(int after, int before) {
    return after <= before || (before == 1 && after == 2);
  }

  std::string Discarding(const Hand& hand, const Offer& offer, Tile thrown) {
    int least = 99;
    for (Tile tile : offer.discards) least = std::min(least, MissingWithout(hand, tile));
    return NoFurther(MissingWithout(hand, thrown), least) ? "" : "throws a tile that it needs";
  }
  std::string Calling(const Hand& hand, rules::MeldKind kind, Tile tile,
                      std::initializer_list<Tile> from_hand) {
    const int before = Missing(hand);
    Hand called = hand;
    for (Tile held : from_hand) called.concealed.Remove(held);
    called.melds.push_back({{kind, tile}, Seat::k0});
    const int after = AfterBestDiscard(called);
    return after < before || (before == 1 && after == 1) ? "" : "calls what does not help";
  }
  std::string Konging(const Hand& hand, int before, Tile tile, int from_hand, bool melds) {
    Hand konged = hand;
    konged.concealed.Remove(tile, from_hand);
    if (melds) konged.melds.push_back({{rules::MeldKind::kConcealedKong, tile}, Seat::k0});
    return NoFurther(Missing(konged), before) ? "" : "makes a kong that takes the win further away";
  }

  rules::Shapes aims_;
  Distances& distances_;
  std::optional<Tile> wild_;
};

struct Figures {
  std::int64_t rounds = 0, self_drawn = 0, on_discards = 0, robbed = 0, exhausted = 0;
  std::int64_t decisions = 0, calls = 0, kongs = 0, draws = 0;
};

std::string Tenths(std::int64_t part, std::int64_t whole) {
  const std::int64_t tenths = whole == 0 ? 0 : (10 * part + whole / 2) / whole;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

void Count(const round::State& state, Figures& figures) {
  ++figures.rounds;
  if (state.wins.empty()) {
    ++figures.exhausted;
  } else {
    ++(state.wins[0].way == rules::WinWay::kSelfDraw  ? figures.self_drawn
       : state.wins[0].way == rules::WinWay::kDiscard ? figures.on_discards
                                                      : figures.robbed);
  }
  figures.kongs += static_cast<std::int64_t>(state.kongs.size());
}

void Print(const rules::Variant& game, const Figures& figures) {
  const auto percent = [&](std::int64_t part) { return Tenths(100 * part, figures.rounds) + " %"; };
  const auto each = [&](std::int64_t part) { return Tenths(part, figures.rounds); };
  std::cout << "[  figures ] " << game.info().id << ": of " << figures.rounds << " rounds "
            << percent(figures.self_drawn) << " self-drawn, " << percent(figures.on_discards)
            << " on a discard, " << percent(figures.robbed) << " by a robbed kong, "
            << percent(figures.exhausted) << " exhausted; each " << each(figures.decisions)
            << " decisions, " << each(figures.calls) << " calls, " << each(figures.kongs)
            << " kongs\n";
}

class BotRoundsTest : public ::testing::TestWithParam<const rules::Variant*> {};

INSTANTIATE_TEST_SUITE_P(Games, BotRoundsTest,
                         ::testing::ValuesIn(variants::All().begin(), variants::All().end()),
                         [](const auto& game) { return std::string(game.param->info().id); });

TEST_P(BotRoundsTest, EveryStateIsPossibleAndEveryChoiceSensible) {
  const rules::Variant& game = *GetParam();
  const std::int64_t rounds = testing::Count(100'000);
  Distances distances;
  Figures figures;  // of rounds with the options' defaults
  for (std::int64_t i = 0; i < rounds; ++i) {
    testing::Random random(static_cast<std::uint64_t>(i));  // a failure names the round
    const bool usual = i % 4 != 3;
    const rules::Options options =
        usual ? rules::DefaultOptions(game.options()) : round::RandomOptions(game, random);
    const round::Setup setup = round::RandomSetup(game, options, random);
    Bot bot(game, options, random.Next(), distances);
    Judge judge(bot.aims(), distances);
    std::string fault;
    const auto choose = [&](const round::State& now, Seat seat, const Offer&) {
      const round::SeatView view = Project(setup, now, seat);
      const Choice choice = bot.Choose(view);
      if (fault.empty()) fault = judge.Fault(view, choice);
      if (usual) ++figures.decisions;
      return choice;
    };
    const auto seen = [&](const round::State& now, const round::Event& event) {
      const auto breach = round::CheckInvariants(setup, now);
      if (breach && fault.empty()) fault = "breach " + std::to_string(static_cast<int>(*breach));
      if (usual && std::holds_alternative<round::Called>(event)) ++figures.calls;
    };
    round::State state;
    ASSERT_TRUE(round::PlayOut(setup, state, random, choose, seen, 1000)) << "round " << i;
    ASSERT_EQ(fault, "") << "round " << i;
    const auto finished = round::Finished(state);
    ASSERT_TRUE(finished) << "round " << i;
    const rules::RoundScore score = rules::ScoreRound(game, options, *finished);
    for (const rules::Judgement& win : score.wins) ASSERT_TRUE(win.legal()) << "round " << i;
    if (usual) Count(state, figures);
  }
  Print(game, figures);
}

}  // namespace
}  // namespace mj::bots
