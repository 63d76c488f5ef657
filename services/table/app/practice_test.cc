// Practice tables: bots of the house at their seats.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/variants/registry.h"
#include "services/table/app/bot_seats.h"
#include "services/table/app/compaction.h"
#include "services/table/app/hidden_testing.h"
#include "services/table/app/world_testing.h"
#include "tests/support/counts.h"
#include "tests/support/random.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using std::chrono::milliseconds;

// `players` of them, "p0" and on, and bots on the other seats.
TableSpec PracticeSpec(const std::string& game, int players = 1) {
  TableSpec spec = World::Spec(game);
  spec.currency = Currency::kPractice;
  for (Seat seat : rules::kSeats) {
    if (rules::IndexOf(seat) < players) continue;
    spec.players[seat] = PlayerId();
    spec.bots[seat] = true;
  }
  return spec;
}

// The player at one seat.
class Guest {
 public:
  Guest(World& world, TableId table, const std::string& id = "p0", Seat seat = Seat::k0)
      : world_(world), table_(std::move(table)), player_(PlayerId(id), seat) {
    Resubscribe();
  }

  void Resubscribe() {
    const auto stream = world_.Subscribe(table_, player_.id().value(), player_.last());
    ASSERT_THAT(stream, IsOk());
    stream_ = *stream;
    Listen();
  }
  void Hang() {
    stream_->Cancel();
    stream_ = nullptr;
    world_.Run();
  }
  void Listen() {
    world_.Run();
    while (stream_ != nullptr) {
      const Subscription::Taken taken = stream_->Take(50);
      if (taken.events.empty()) return;
      for (const Shown& shown : taken.events) player_.See(shown);
      world_.Run();
    }
  }
  void Ready() { ASSERT_THAT(world_.Ready(table_, player_.id().value()), IsOk()); }
  // Answers what it is asked; false: nothing.
  bool Answer() {
    Listen();
    const auto wish = player_.wish();
    if (!wish) return false;
    EXPECT_THAT(world_.Act(table_, player_.id().value(), wish->decision, wish->choice), IsOk());
    Listen();
    return true;
  }
  // Until `done`, as time goes on.
  void PlayUntil(const std::function<bool()>& done) {
    for (int steps = 0; steps < 20'000 && !done(); ++steps) {
      if (!Answer()) world_.Advance(milliseconds(50));
    }
    EXPECT_TRUE(done());
  }
  [[nodiscard]] std::size_t paid() const {
    std::size_t rounds = 0;
    for (const Shown& shown : player_.seen()) {
      if (std::holds_alternative<RoundPaid>(*shown.event)) ++rounds;
    }
    return rounds;
  }
  void PlayRound() {
    const std::size_t before = paid();
    Ready();
    PlayUntil([&] { return paid() > before; });
  }
  TestPlayer& player() { return player_; }

 private:
  World& world_;
  TableId table_;
  TestPlayer player_;
  std::shared_ptr<Subscription> stream_;
};

template <typename T>
std::vector<T> All(const World& world, const TableId& table) {
  std::vector<T> events;
  for (const LogEntry& entry : world.memory.All(table)) {
    if (const auto* event = std::get_if<T>(&entry.event)) events.push_back(*event);
  }
  return events;
}

// How often bots were answered for by the system.
int LateBots(const World& world, const TableId& table) {
  int late = 0;
  PerSeat<bool> bots;
  for (const LogEntry& entry : world.memory.All(table)) {
    if (const auto* made = std::get_if<TableCreated>(&entry.event)) bots = made->spec.bots;
    const auto* played = std::get_if<RoundPlayed>(&entry.event);
    if (played == nullptr) continue;
    const auto* answered = std::get_if<round::Answered>(&played->event);
    if (answered != nullptr && bots[answered->seat] && answered->by != round::AnswerBy::kPlayer) {
      ++late;
    }
  }
  return late;
}

// ---------------------------------------------------------------------------------- every game

class PracticeGamesTest : public ::testing::TestWithParam<const rules::Variant*> {
 protected:
  const std::string game_{GetParam()->info().id};
};

INSTANTIATE_TEST_SUITE_P(Games, PracticeGamesTest,
                         ::testing::ValuesIn(variants::All().begin(), variants::All().end()),
                         [](const auto& game) { return std::string(game.param->info().id); });

TEST_P(PracticeGamesTest, APlayerPlaysWholeRoundsAgainstThreeBots) {
  World world(5);
  const auto made = world.Create("practice", PracticeSpec(game_), {{"bot_think_ms", 0}});
  ASSERT_THAT(made, IsOk());
  Guest guest(world, made->id);
  const std::int64_t rounds = testing::Count(300);
  for (std::int64_t i = 0; i < rounds; ++i) guest.PlayRound();
  EXPECT_EQ(static_cast<std::int64_t>(world.wallet.rounds()), rounds);
  EXPECT_EQ(world.wallet.open_rounds(), 0U);
  EXPECT_EQ(LateBots(world, made->id), 0);
  for (const auto& begun : All<RoundBegun>(world, made->id)) {
    EXPECT_EQ(begun.bots, PracticeSpec(game_).bots);
  }
  // One grant for each bot is enough.
  EXPECT_EQ(world.wallet.grants(), 3U);
}

TEST_P(PracticeGamesTest, TilesThatABotCannotSeeMakeNoDifferenceToIt) {
  std::int64_t moves = 0;
  for (std::int64_t sample = 0; sample < testing::Count(2'000); ++sample) {
    testing::Random random(static_cast<std::uint64_t>(sample) + 1);
    const auto viewer = static_cast<Seat>(random.Below(4));
    const TwoPlays plays = PlayTwice(game_, random, viewer);
    bots::Distances distances;
    const auto play = [&](const std::vector<Shown>& stream) {
      std::vector<std::pair<DecisionRef, round::Choice>> answers;
      BotPlayer bot(std::get<TableFormed>(*stream.front().event), stream.front().time, distances);
      for (std::size_t i = 1; i < stream.size(); ++i) {
        bot.See(stream[i]);
        while (bot.next()) {
          const BotMove move = bot.Move();
          const auto* turn = std::get_if<AnswerTurn>(&move);
          if (turn != nullptr) answers.emplace_back(turn->decision, turn->choice);
        }
      }
      return answers;
    };
    const auto one = play(plays.one.StreamOf(viewer));
    EXPECT_EQ(one, play(plays.other.StreamOf(viewer))) << game_ << " sample " << sample;
    moves += static_cast<std::int64_t>(one.size());
  }
  std::cout << "[  figures ] " << game_ << ": " << moves << " answers\n";
  EXPECT_GT(moves, 0);
}

TEST_P(PracticeGamesTest, WhoeverTakesTheTableOverPlaysTheBotsOn) {
  World world(6);
  world.Keep();
  world.AddProcess();
  const auto made = world.Create("practice", PracticeSpec(game_), {{"bot_think_ms", 400}});
  ASSERT_THAT(made, IsOk());
  Guest guest(world, made->id);
  guest.Ready();
  int answers = 0;
  while (answers < 3) answers += guest.Answer() ? 1 : (world.Advance(milliseconds(50)), 0);
  world.Kill(0);
  world.Use(1);
  world.Advance(std::chrono::seconds(6));
  guest.Resubscribe();
  guest.PlayUntil([&] { return guest.paid() == 1; });
  EXPECT_EQ(LateBots(world, made->id), 0);
  guest.PlayRound();
  EXPECT_EQ(world.wallet.open_rounds(), 0U);
  EXPECT_EQ(world.wallet.grants(), 3U);
}

// Each strength sits at a table of its own, and plays it to the end.
TEST_P(PracticeGamesTest, BotsOfEveryStrengthPlay) {
  for (std::int64_t strength = 1; strength <= 3; ++strength) {
    World world(7);
    const auto made = world.Create("practice", PracticeSpec(game_),
                                   {{"bot_think_ms", 0}, {"bot_strength", strength}});
    ASSERT_THAT(made, IsOk());
    Guest guest(world, made->id);
    guest.PlayRound();
    EXPECT_EQ(world.wallet.open_rounds(), 0U);
    EXPECT_EQ(LateBots(world, made->id), 0);
  }
}

// ------------------------------------------------------------------------------------- one game

class PracticeTest : public ::testing::Test {
 protected:
  TableId Make(int players = 1, const SettingValues& settings = {},
               const std::string& game = "guangdong") {
    const auto made = world_.Create("practice", PracticeSpec(game, players), settings);
    EXPECT_THAT(made, IsOk());
    return made->id;
  }
  TableStage StageOf(const TableId& table) { return world_.Get(table)->stage; }
  // That nothing of it is held at the wallet any more.
  void ExpectAllReleased(const TableId& table) {
    EXPECT_TRUE(world_.wallet.held_at(PlayerId("p0")).empty());
    for (Seat seat : {Seat::k1, Seat::k2, Seat::k3}) {
      EXPECT_TRUE(world_.wallet.held_at(BotIdOf(table, seat)).empty());
    }
  }

  World world_{3};
};

TEST_F(PracticeTest, BotSeatsAreToldAsSuch) {
  const TableId table = Make();
  const auto info = world_.Get(table);
  ASSERT_THAT(info, IsOk());
  EXPECT_FALSE(info->seats[Seat::k0].bot);
  for (Seat seat : {Seat::k1, Seat::k2, Seat::k3}) {
    EXPECT_TRUE(info->seats[seat].bot);
    EXPECT_EQ(info->seats[seat].player, BotIdOf(table, seat));
  }
  const auto stream = world_.ReadAll(table, "p0");
  EXPECT_TRUE(std::get<TableFormed>(*stream.front().event).table.seats[Seat::k3].bot);
}

TEST_F(PracticeTest, BotsSitWhereNobodyPlaysForCoins) {
  TableSpec coins = PracticeSpec("guangdong");
  coins.currency = Currency::kCoin;
  EXPECT_THAT(world_.Create("a", coins), FailsWith(Reason::kBotsForPracticeOnly, "bots"));
  TableSpec alone = PracticeSpec("guangdong", 0);
  alone.base = 0;
  EXPECT_THAT(world_.Create("b", alone), FailsWith(Reason::kBotsForPracticeOnly, "bots"));
  EXPECT_TRUE(world_.memory.All(TableId("a")).empty());
  EXPECT_EQ(world_.wallet.grants(), 0U);
}

TEST_F(PracticeTest, ARepeatedRequestFindsTheTable) {
  const TableId table = Make();
  const auto again = world_.Create("practice", PracticeSpec("guangdong"));
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(again->id, table);
  TableSpec fewer = PracticeSpec("guangdong");
  fewer.bots[Seat::k3] = false;
  EXPECT_THAT(world_.Create("practice", fewer), FailsWith(Reason::kRequestIdReused));
}

TEST_F(PracticeTest, BotsThinkForAWhileAndNeverLong) {
  const TableId table = Make();
  Guest guest(world_, table);
  guest.PlayRound();
  PerSeat<std::optional<WallTime>> asked;
  int answers = 0;
  for (const LogEntry& entry : world_.memory.All(table)) {
    if (std::holds_alternative<ClocksRestarted>(entry.event)) asked = {};
    const auto* played = std::get_if<RoundPlayed>(&entry.event);
    if (played == nullptr) continue;
    if (const auto* ask = std::get_if<round::Asked>(&played->event)) {
      for (Seat seat : rules::kSeats) {
        if (ask->asks[seat]) asked[seat] = entry.time;
      }
    }
    const auto* answered = std::get_if<round::Answered>(&played->event);
    if (answered == nullptr || answered->seat == Seat::k0 || !asked[answered->seat]) continue;
    const auto thought = entry.time - *asked[answered->seat];
    EXPECT_GE(thought, milliseconds(900));
    EXPECT_LE(thought, milliseconds(1'500) + milliseconds(20));
    ++answers;
  }
  EXPECT_GT(answers, 10);
  EXPECT_EQ(LateBots(world_, table), 0);
}

TEST_F(PracticeTest, ABotDoesNotThinkBeyondHalfOfItsTime) {
  const TableId table = Make(1, {{"bot_think_ms", 10'000}, {"act_ms", 200}, {"claim_ms", 200}});
  Guest guest(world_, table);
  guest.PlayRound();
  EXPECT_EQ(LateBots(world_, table), 0);
}

TEST_F(PracticeTest, TheSameTableIsPlayedTheSameAgain) {
  const TableId table = Make();
  Guest(world_, table).PlayRound();
  World other(3);
  const auto made = other.Create("practice", PracticeSpec("guangdong"));
  ASSERT_THAT(made, IsOk());
  ASSERT_EQ(made->id, table);
  Guest(other, table).PlayRound();
  EXPECT_EQ(other.memory.All(table), world_.memory.All(table));
}

TEST_F(PracticeTest, WhoLeavesInARoundEscapesAndTheTableCloses) {
  const TableId table = Make();
  Guest guest(world_, table);
  guest.Ready();
  while (!guest.Answer()) world_.Advance(milliseconds(50));
  ASSERT_THAT(world_.Leave(table, "p0"), IsOk());
  world_.Advance(std::chrono::seconds(2));
  EXPECT_EQ(StageOf(table), TableStage::kClosed);
  const auto voided = All<RoundVoided>(world_, table);
  ASSERT_EQ(voided.size(), 1U);
  EXPECT_EQ(voided.front().escaped, Seat::k0);
  EXPECT_EQ(All<SeatLeft>(world_, table).size(), 4U);
  EXPECT_TRUE(All<SeatLeaving>(world_, table).size() == 1U) << "bots do not leave a round";
  ExpectAllReleased(table);
}

TEST_F(PracticeTest, WhoLeavesBetweenRoundsClosesTheTable) {
  const TableId table = Make();
  Guest guest(world_, table);
  guest.PlayRound();
  ASSERT_THAT(world_.Leave(table, "p0"), IsOk());
  EXPECT_EQ(StageOf(table), TableStage::kClosed);
  EXPECT_TRUE(All<RoundVoided>(world_, table).empty());
  ExpectAllReleased(table);
  // Its journal is one that any process can read.
  world_.Restart();
  EXPECT_EQ(StageOf(table), TableStage::kClosed);
}

TEST_F(PracticeTest, WhoIsAwayTooLongEscapesAndBotsNeverDo) {
  const TableId table = Make(1, {{"away_ms", 5'000}});
  Guest guest(world_, table);
  guest.Ready();
  while (!guest.Answer()) world_.Advance(milliseconds(50));
  guest.Hang();
  world_.Advance(std::chrono::seconds(7));
  const auto voided = All<RoundVoided>(world_, table);
  ASSERT_EQ(voided.size(), 1U);
  EXPECT_EQ(voided.front().reason, VoidReason::kConnectionLost);
  EXPECT_EQ(voided.front().escaped, Seat::k0);
  EXPECT_EQ(StageOf(table), TableStage::kClosed);
}

TEST_F(PracticeTest, WhoDoesNotSayThatItPlaysOnLeavesAndTheTableCloses) {
  const TableId table = Make(1, {{"question_ms", 5'000}});
  Guest guest(world_, table);
  world_.Advance(std::chrono::seconds(7));
  EXPECT_EQ(StageOf(table), TableStage::kClosed);
  const auto left = All<SeatLeft>(world_, table);
  ASSERT_EQ(left.size(), 4U);
  EXPECT_EQ(left.front().player, PlayerId("p0"));
  EXPECT_EQ(left.front().reason, LeaveReason::kNoAnswer);
  ExpectAllReleased(table);
}

TEST_F(PracticeTest, WhoHasTooFewPracticeCoinsIsRemovedAndTheTableCloses) {
  world_.wallet.SetBalance(PlayerId("p0"), 3);
  const TableId table = Make();
  world_.Advance(std::chrono::seconds(1));
  EXPECT_EQ(StageOf(table), TableStage::kClosed);
  EXPECT_EQ(All<SeatLeft>(world_, table).front().reason, LeaveReason::kBelowMinimum);
}

TEST_F(PracticeTest, BotsStayWithWhoeverStays) {
  const TableId table = Make(2, {}, "chaozhou");
  Guest one(world_, table);
  Guest other(world_, table, "p1", Seat::k1);
  ASSERT_THAT(world_.Leave(table, "p0"), IsOk());
  EXPECT_EQ(StageOf(table), TableStage::kWaiting);
  ASSERT_THAT(world_.Join(table, "p5"), IsOk());
  Guest third(world_, table, "p5");
  third.Ready();
  other.Ready();
  other.PlayUntil([&] {
    third.Answer();
    return other.paid() == 1;
  });
  EXPECT_EQ(LateBots(world_, table), 0);
}

// GD-90: the proposer leaves, and somebody of the others is asked, a bot too.
TEST_F(PracticeTest, BotsNameStakesAndAcceptThem) {
  const TableId table = Make(2);
  Guest one(world_, table);
  Guest other(world_, table, "p1", Seat::k1);
  ASSERT_THAT(world_.Leave(table, "p0"), IsOk());
  const auto answer = [&](Guest& guest) {
    guest.Listen();
    const auto wish = guest.player().stakes_wish();
    if (!wish) return;
    (void)world_.AnswerStakes(table, guest.player().id().value(), wish->decision, wish->answer);
  };
  for (int i = 0; i < 100 && world_.Get(table)->base == 0; ++i) {
    answer(other);
    world_.Advance(milliseconds(100));
  }
  EXPECT_EQ(world_.Get(table)->base, 10);
  world_.Advance(std::chrono::seconds(4));
  ASSERT_THAT(world_.Join(table, "p5"), IsOk());
  Guest third(world_, table, "p5");
  for (int i = 0; i < 50; ++i) {
    answer(other);
    answer(third);
    world_.Advance(milliseconds(100));
  }
  const auto info = world_.Get(table);
  for (Seat seat : rules::kSeats) EXPECT_TRUE(info->agreed[seat]);
  third.Ready();
  other.Ready();
  other.PlayUntil([&] {
    third.Answer();
    return other.paid() == 1;
  });
}

TEST_F(PracticeTest, ABotThatRunsLowIsGivenCoinsOnceARound) {
  const TableId table = Make(1, {{"bot_think_ms", 0}});
  Guest guest(world_, table);
  EXPECT_EQ(world_.wallet.grants(), 3U);
  guest.PlayRound();
  world_.wallet.SetBalance(BotIdOf(table, Seat::k2), 5);
  guest.PlayRound();  // held already
  guest.PlayRound();
  EXPECT_EQ(world_.wallet.grants(), 4U);
  EXPECT_GE(world_.wallet.balance(BotIdOf(table, Seat::k2)), kBotLeast);
}

TEST_F(PracticeTest, AWalletThatIsAwayIsAskedForBotsAgain) {
  world_.wallet.FailHoldsWith({base::Error(Reason::kUnavailable), base::Error(Reason::kUnavailable),
                               base::Error(Reason::kUnavailable)});
  const TableId table = Make();
  world_.Advance(std::chrono::seconds(1));
  Guest guest(world_, table);
  guest.PlayRound();
  EXPECT_EQ(world_.wallet.grants(), 3U);
}

// Whichever bot's answer is lost, and after it was written.
TEST_F(PracticeTest, ABotsAnswerIsJournalledOnce) {
  const TableId table = Make(1, {{"bot_think_ms", 200}});
  Guest guest(world_, table);
  guest.Ready();
  while (!guest.Answer()) world_.Advance(milliseconds(50));
  world_.log.FailWrites(1, FaultyEventLog::When::kAfterWriting);
  world_.Advance(std::chrono::seconds(4));
  guest.Resubscribe();
  guest.PlayUntil([&] { return guest.paid() == 1; });
  EXPECT_EQ(LateBots(world_, table), 0);
}

TEST_F(PracticeTest, ARoundsRecordSaysWhoIsABot) {
  const TableId table = Make();
  Guest guest(world_, table);
  guest.PlayRound();
  const RoundId round = All<RoundBegun>(world_, table).front().round;
  const auto row = world_.wallet.ReadRow(round);
  ASSERT_THAT(row, IsOk());
  const auto record = Compact(world_.memory.All(table), round, *row);
  ASSERT_THAT(record, IsOk());
  EXPECT_EQ(record->bots, PracticeSpec("guangdong").bots);
  EXPECT_EQ(record->currency, Currency::kPractice);
}

}  // namespace
}  // namespace mj::table
