// What single games ask of a table: dice that the dealer rolls, wins whose worth is shown, horses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/fairness/stream.h"
#include "libs/receipt/price.h"
#include "libs/tiles/mpsz.h"
#include "libs/variants/registry.h"
#include "services/table/app/world_testing.h"
#include "tests/support/counts.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;

template <typename T>
const T* FirstPlay(const TestPlayer& player) {
  for (const Shown& shown : player.seen()) {
    const auto* play = std::get_if<PlayShown>(shown.event.get());
    if (play == nullptr) continue;
    if (const auto* event = std::get_if<T>(&play->event)) return event;
  }
  return nullptr;
}

template <typename T>
T FirstOf(World& world, const TableId& table) {
  for (const LogEntry& entry : world.memory.All(table)) {
    if (const auto* event = std::get_if<T>(&entry.event)) return *event;
  }
  ADD_FAILURE() << "no round has begun";
  return {};
}

// ------------------------------------------------------------------------------- dice (COM-02)

class DiceTest : public ::testing::Test {
 protected:
  // The one who is asked, and nobody else is.
  TestPlayer& Dealer() {
    TestPlayer* dealer = nullptr;
    for (TestPlayer& player : company_.players()) {
      if (!player.offer()) continue;
      EXPECT_EQ(dealer, nullptr) << "two are asked";
      dealer = &player;
    }
    EXPECT_NE(dealer, nullptr);
    return *dealer;
  }

  World world_;
  TableId table_ = world_.MakeTable("guangdong");
  Company company_{world_, table_};
};

TEST_F(DiceTest, GuangdongsDealerIsAskedToRollBeforeAnythingIsDealt) {
  company_.ReadyAll();
  TestPlayer& dealer = Dealer();
  EXPECT_EQ(dealer.seat(), FirstOf<DealDrawn>(world_, table_).dealer);
  EXPECT_TRUE(dealer.offer()->roll);
  EXPECT_EQ(dealer.wish()->choice, round::Choice::Roll());
  for (TestPlayer& player : company_.players()) {
    EXPECT_EQ(FirstPlay<round::DiceRolled>(player), nullptr);
    EXPECT_EQ(FirstPlay<round::HandDealt>(player), nullptr);
  }
  // Nothing else, and nobody else.
  const DecisionRef decision = dealer.wish()->decision;
  EXPECT_THAT(world_.Act(table_, dealer.id().value(), decision, round::Choice::Pass()),
              FailsWith(Reason::kChoiceNotOffered));
  TestPlayer& other = company_.player(rules::After(dealer.seat()));
  EXPECT_THAT(world_.Act(table_, other.id().value(), decision, round::Choice::Roll()),
              FailsWith(Reason::kDecisionNotOffered));

  ASSERT_THAT(world_.Act(table_, dealer.id().value(), decision, round::Choice::Roll()), IsOk());
  company_.Listen();
  for (TestPlayer& player : company_.players()) {
    ASSERT_NE(FirstPlay<round::DiceRolled>(player), nullptr);
    ASSERT_NE(FirstPlay<round::HandDealt>(player), nullptr);
  }
}

// Whoever rolls: the faces are the seed's.
TEST_F(DiceTest, TheFacesComeFromTheSeedAndEverySeatSeesThem) {
  company_.PlayRound();
  const auto begun = FirstOf<RoundBegun>(world_, table_);
  fairness::RoundContext context;
  context.round_id = begun.round.value();
  context.variant = "guangdong";
  for (const LogEntry& entry : world_.memory.All(table_)) {
    if (const auto* made = std::get_if<TableCreated>(&entry.event)) {
      context.options = made->spec.options;
    }
  }
  const fairness::Dice dice = fairness::RollDice(fairness::ContextDigest(context), begun.seed);
  for (TestPlayer& player : company_.players()) {
    const auto* rolled = FirstPlay<round::DiceRolled>(player);
    ASSERT_NE(rolled, nullptr);
    EXPECT_EQ(rolled->faces[0], dice.first);
    EXPECT_EQ(rolled->faces[1], dice.second);
  }
}

TEST_F(DiceTest, ARestartBeforeTheRollAsksAgain) {
  company_.ReadyAll();
  const DecisionRef decision = Dealer().wish()->decision;
  world_.Restart();
  company_.Resubscribe();
  EXPECT_EQ(Dealer().wish()->decision, decision);
  company_.PlayOn();
  EXPECT_EQ(world_.wallet.rounds(), 1U);
}

TEST(SystemDiceTest, ElsewhereTheSystemRolls) {
  for (const rules::Variant* game : variants::All()) {
    const std::string id(game->info().id);
    if (id == "guangdong") continue;
    World world;
    Company company(world, world.MakeTable(id));
    company.ReadyAll();
    for (TestPlayer& player : company.players()) {
      EXPECT_NE(FirstPlay<round::DiceRolled>(player), nullptr) << id;
      EXPECT_FALSE(player.offer() && player.offer()->roll) << id;
    }
  }
}

// ------------------------------------------------------------- the worth of a win that is offered

struct OneWin {
  WinWorth told;
  RoundOver over;
};

// The round's one win as its winner was offered it. Nothing when there was none, or several.
std::optional<OneWin> OneWinOf(const TestPlayer& player) {
  std::optional<WinWorth> told;
  std::optional<OneWin> won;
  for (const Shown& shown : player.seen()) {
    if (const auto* play = std::get_if<PlayShown>(shown.event.get())) {
      if (const auto* asked = std::get_if<round::YouAreAsked>(&play->event)) {
        EXPECT_EQ(play->win.has_value(), asked->ask.offer.win);
        told = play->win;
      } else {
        EXPECT_FALSE(play->win);
      }
    }
    const auto* over = std::get_if<RoundOver>(shown.event.get());
    if (over == nullptr) continue;
    const bool own = over->outcome.wins.size() == 1 && over->outcome.wins[0].seat == player.seat();
    won = own && told ? std::optional(OneWin{*told, *over}) : std::nullopt;
    told.reset();
  }
  return won;
}

class WorthTest : public ::testing::TestWithParam<const rules::Variant*> {};

INSTANTIATE_TEST_SUITE_P(Games, WorthTest,
                         ::testing::ValuesIn(variants::All().begin(), variants::All().end()),
                         [](const auto& game) { return std::string(game.param->info().id); });

TEST_P(WorthTest, IsWhatTheWinBrings) {
  const rules::Variant& game = *GetParam();
  int compared = 0;
  const std::int64_t rounds = testing::Count(4'000);
  for (std::int64_t seed = 1; seed <= rounds; ++seed) {
    World world(static_cast<std::uint64_t>(seed));
    Company company(world, world.MakeTable(std::string(game.info().id)));
    company.PlayRound();
    for (const TestPlayer& player : company.players()) {
      const auto won = OneWinOf(player);
      if (!won) continue;
      ++compared;
      rules::FinishedRound bare = won->over.outcome;
      bare.kongs.clear();
      bare.horses.clear();
      const auto priced =
          receipt::PriceRound(game, rules::DefaultOptions(game.options()), won->over.base, bare);
      ASSERT_TRUE(priced.ok());
      EXPECT_EQ(won->told.coins, priced.value().net[player.seat()].value());
      const rules::Worth& worth = priced.value().score.wins[0].worth;
      EXPECT_EQ(won->told.patterns, worth.patterns);
      EXPECT_EQ(won->told.fan, game.info().counts_fan ? std::optional(worth.fan) : std::nullopt);
      EXPECT_EQ(won->told.multiplier,
                game.info().counts_multiplier ? std::optional(worth.multiplier) : std::nullopt);
    }
  }
  std::cout << "[  figures ] " << game.info().id << ": " << compared << " wins of " << rounds
            << " rounds\n";
  EXPECT_GT(compared, 0);
}

// ------------------------------------------------------------------------------ horses (SG-20)

// The text's own table: dealer 1 5 9 East Red, next seat 2 6 South Green, opposite 3 7 West White,
// fourth seat 4 8 North.
int PositionByTheText(Tile tile) {
  const std::string_view positions[] = {"159m159p159s17z", "26m26p26s26z", "37m37p37s35z",
                                        "48m48p48s4z"};
  for (int position = 0; position < 4; ++position) {
    if (tiles::ParseCounts(positions[position])->Has(tile)) return position;
  }
  return -1;
}

TEST(HorsesTest, EachTileIsShownWithTheWinnerThatItHits) {
  int hits = 0;
  int misses = 0;
  const std::int64_t rounds = testing::Count(4'000);
  for (std::int64_t seed = 1; seed <= rounds; ++seed) {
    World world(static_cast<std::uint64_t>(seed));
    Company company(world, world.MakeTable("shaoguan"));
    company.PlayRound();
    const auto& seen = company.player(Seat::k1).seen();
    const RoundOver* over = nullptr;
    const PlayShown* turned = nullptr;
    for (const Shown& shown : seen) {
      if (const auto* event = std::get_if<RoundOver>(shown.event.get())) over = event;
      const auto* play = std::get_if<PlayShown>(shown.event.get());
      if (play == nullptr) continue;
      const bool horses = std::holds_alternative<round::HorsesTurned>(play->event);
      if (horses) turned = play;
      EXPECT_EQ(play->hits.empty(), !horses);
    }
    ASSERT_NE(over, nullptr);
    if (turned == nullptr) continue;
    const auto& horses = std::get<round::HorsesTurned>(turned->event).horses;
    ASSERT_EQ(horses.size(), turned->hits.size());
    for (std::size_t i = 0; i < horses.size(); ++i) {
      const Seat owner = rules::After(over->outcome.deal.dealer, PositionByTheText(horses[i]));
      const bool hit = over->outcome.wins[0].seat == owner;
      EXPECT_EQ(turned->hits[i], hit ? std::optional(owner) : std::nullopt);
      ++(hit ? hits : misses);
    }
  }
  EXPECT_GT(hits, 0);
  EXPECT_GT(misses, 0);
}

}  // namespace
}  // namespace mj::table
