#include "services/table/app/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "libs/base/status_testing.h"
#include "services/table/app/world_testing.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using std::chrono::milliseconds;
using std::chrono::seconds;

template <typename T>
int CountOf(const std::vector<Shown>& shown) {
  int count = 0;
  for (const Shown& each : shown) count += std::holds_alternative<T>(*each.event) ? 1 : 0;
  return count;
}

template <typename T>
const T* Latest(const std::vector<Shown>& shown) {
  for (auto it = shown.rbegin(); it != shown.rend(); ++it) {
    if (const auto* event = std::get_if<T>(it->event.get())) return event;
  }
  return nullptr;
}

void ExpectSame(const std::vector<Shown>& a, const std::vector<Shown>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].sequence, b[i].sequence);
    EXPECT_EQ(a[i].time, b[i].time);
    EXPECT_EQ(*a[i].event, *b[i].event) << "event " << a[i].sequence;
  }
}

// ------------------------------------------------------------------------------- a whole round

TEST(TableTest, FourPlayersPlayARoundToItsCoins) {
  World world;
  Company company(world, world.MakeTable());
  company.PlayRound();
  EXPECT_EQ(world.wallet.rounds(), 1U);
  Coins total = 0;
  for (TestPlayer& player : company.players()) {
    EXPECT_EQ(CountOf<RoundOpened>(player.seen()), 1);
    EXPECT_EQ(CountOf<RoundOver>(player.seen()), 1);
    const auto* paid = Latest<RoundPaid>(player.seen());
    ASSERT_NE(paid, nullptr);
    EXPECT_EQ(paid->posted.seats[player.seat()].balance, world.wallet.balance(player.id()));
    total += paid->posted.seats[player.seat()].net;
    // The promise made before the deal is kept.
    EXPECT_EQ(fairness::CommitSeed(paid->seed), Latest<RoundOpened>(player.seen())->seed_hash);
  }
  EXPECT_EQ(total, 0);
  const auto info = world.Get(company.table());
  ASSERT_THAT(info, IsOk());
  EXPECT_EQ(info->stage, TableStage::kWaiting);
  EXPECT_EQ(info->round_number, 1);
  EXPECT_TRUE(info->dealer);
}

TEST(TableTest, EventsOfAStreamAreNumberedWithoutGaps) {
  World world;
  Company company(world, world.MakeTable());
  company.PlayRound();
  company.PlayRound();
  for (TestPlayer& player : company.players()) {
    for (std::size_t i = 0; i < player.seen().size(); ++i) {
      ASSERT_EQ(player.seen()[i].sequence, i + 1);
    }
  }
}

TEST(TableTest, TheHashOfTheSeedIsShownBeforeTheDeal) {
  World world;
  Company company(world, world.MakeTable());
  company.ReadyAll();
  const auto& seen = company.player(Seat::k2).seen();
  std::size_t opened = 0;
  std::size_t dealt = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (std::holds_alternative<RoundOpened>(*seen[i].event)) opened = i;
    const auto* play = std::get_if<PlayShown>(seen[i].event.get());
    if (play != nullptr && std::holds_alternative<round::HandDealt>(play->event)) dealt = i;
  }
  EXPECT_GT(opened, 0U);
  EXPECT_GT(dealt, opened);
}

// ------------------------------------------------------------------------- journal before show

TEST(TableTest, WhileTheLogIsSilentStreamsAreToo) {
  World world;
  const TableId table = world.MakeTable();
  Company company(world, table);
  company.ReadyAll();
  const auto stream = world.Subscribe(table, "p0", company.player(Seat::k0).last());
  ASSERT_THAT(stream, IsOk());
  TestPlayer& player = *company.asked();
  const auto wish = *player.wish();
  std::optional<absl::StatusOr<StreamSeq>> answer;
  world.tables->Act(table, player.id(), wish.decision, wish.choice,
                    [&answer](absl::StatusOr<StreamSeq> a) { answer = a; });
  world.process().runner.RunAll();  // everything but the log's thread
  EXPECT_FALSE(answer);
  EXPECT_TRUE((*stream)->Take(10).events.empty());
  world.Run();
  EXPECT_TRUE(answer);
  EXPECT_FALSE((*stream)->Take(10).events.empty());
}

TEST(TableTest, AFailingLogShowsNothingAndLosesNothing) {
  World world;
  const TableId table = world.MakeTable();
  Company company(world, table);
  company.ReadyAll();
  for (const auto when :
       {FaultyEventLog::When::kBeforeWriting, FaultyEventLog::When::kAfterWriting}) {
    const auto stream = world.Subscribe(table, "p0", company.player(Seat::k0).last());
    ASSERT_THAT(stream, IsOk());
    TestPlayer& player = *company.asked();
    const auto wish = *player.wish();
    std::optional<absl::StatusOr<StreamSeq>> answer;
    world.log.FailWrites(5, when);
    world.tables->Act(table, player.id(), wish.decision, wish.choice,
                      [&answer](absl::StatusOr<StreamSeq> a) { answer = a; });
    world.Run();
    EXPECT_FALSE(answer);
    EXPECT_TRUE((*stream)->Take(10).events.empty());
    // Reads go on meanwhile.
    EXPECT_THAT(world.Get(table), IsOk());
    world.Advance(seconds(5));
    ASSERT_TRUE(answer);
    EXPECT_THAT(*answer, IsOk());
    EXPECT_FALSE((*stream)->Take(10).events.empty());
    company.Listen();
  }
  company.PlayOn();
  EXPECT_EQ(world.wallet.rounds(), 1U);
}

TEST(TableTest, CommandsDuringAnAppendWaitInOrderUpToALimit) {
  TableLimits limits;
  limits.waiting_max = 3;
  World world(1, limits);
  const TableId table = world.MakeTable();
  std::vector<absl::Status> answers;
  for (int i = 0; i < 6; ++i) {
    world.tables->Ready(
        table, PlayerId(i < 4 ? "p" + std::to_string(i) : "p0"), 1, std::nullopt,
        [&answers](const absl::StatusOr<StreamSeq>& a) { answers.push_back(a.status()); });
  }
  world.process().runner.RunAll();
  // One is at the log, three wait, two find no room.
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_THAT(answers[0], FailsWith(Reason::kOverloaded));
  EXPECT_THAT(answers[1], FailsWith(Reason::kOverloaded));
  world.Run();
  ASSERT_EQ(answers.size(), 6U);
  for (std::size_t i = 2; i < 6; ++i) EXPECT_THAT(answers[i], IsOk());
  EXPECT_EQ(world.Get(table)->stage, TableStage::kPlaying);
}

TEST(TableTest, AFullQueueIsOverloadedAndTheTableGoesOn) {
  TableLimits limits;
  limits.queue_max = 2;
  World world(1, limits);
  const TableId table = world.MakeTable();
  int overloaded = 0;
  int ok = 0;
  world.tables->Get(table, [&](const absl::StatusOr<TableInfo>& first) {
    EXPECT_THAT(first, IsOk());
    // While the table is busy with this one.
    for (int i = 0; i < 10; ++i) {
      world.tables->Get(table, [&](const absl::StatusOr<TableInfo>& info) {
        if (info.ok()) {
          ++ok;
        } else {
          EXPECT_THAT(info, FailsWith(Reason::kOverloaded));
          ++overloaded;
        }
      });
    }
    EXPECT_EQ(overloaded, 8);
  });
  world.Run();
  EXPECT_EQ(ok, 2);
  EXPECT_EQ(overloaded, 8);
  EXPECT_THAT(world.Get(table), IsOk());
}

// -------------------------------------------------------------------------------- fencing, loss

TEST(TableTest, ATableThatSomebodyElseWritesIsLetGoAndLoadedAnew) {
  World world;
  const TableId table = world.MakeTable();
  const auto stream = world.Subscribe(table, "p0");
  ASSERT_THAT(stream, IsOk());
  (void)(*stream)->Take(10);
  // An append of its own, whose answer was lost, has been written after all.
  const auto next = static_cast<std::int64_t>(world.memory.All(table).size()) + 1;
  const Append other{table,
                     world.memory.EpochOf(table),
                     {{next, world.clock.Now(), SeatReadied{Seat::k3, 1, {}}}}};
  ASSERT_EQ(world.memory.Write(std::vector<Append>{other})->at(0), Appended::kWritten);
  EXPECT_THAT(world.Ready(table, "p0"), FailsWith(Reason::kTableMoved));
  EXPECT_EQ(world.monitor.counts().lost, 1);
  EXPECT_THAT(*(*stream)->Take(10).end, FailsWith(Reason::kTableMoved));
  // The next call finds it as the journal says.
  EXPECT_TRUE(world.Get(table)->seats[Seat::k3].ready);
  EXPECT_THAT(world.Ready(table, "p0"), IsOk());
}

TEST(TableTest, AFencedOwnerWritesAndShowsNothing) {
  World world;
  const TableId table = world.MakeTable();
  Company company(world, table);
  company.ReadyAll();
  ASSERT_THAT(world.memory.End(world.process().self.id), IsOk());
  ASSERT_THAT(world.memory.TakeSome(OwnerId("another"), 1), IsOk());
  const std::size_t before = world.memory.All(table).size();
  TestPlayer& player = *company.asked();
  EXPECT_THAT(world.Act(table, player.id().value(), player.wish()->decision, player.wish()->choice),
              FailsWith(Reason::kTableMoved));
  EXPECT_EQ(world.memory.All(table).size(), before);
}

// -------------------------------------------------------------------------------- the round's end

TEST(SagaTest, PeersThatAreAwayAreAskedUntilTheyAnswer) {
  World world;
  const TableId table = world.MakeTable();
  Company company(world, table);
  const absl::Status away = base::Error(Reason::kUnavailable);
  world.scorer.FailWith({away, away, away});
  world.wallet.FailWith({away, away});
  company.PlayRound();
  EXPECT_EQ(world.wallet.rounds(), 0U);
  EXPECT_EQ(world.Get(table)->stage, TableStage::kSettling);
  EXPECT_EQ(CountOf<RoundOver>(company.player(Seat::k1).seen()), 1);
  EXPECT_EQ(CountOf<RoundPaid>(company.player(Seat::k1).seen()), 0);
  world.Advance(seconds(5));
  company.Listen();
  EXPECT_EQ(world.wallet.rounds(), 1U);
  EXPECT_EQ(CountOf<RoundPaid>(company.player(Seat::k1).seen()), 1);
  EXPECT_EQ(world.Get(table)->stage, TableStage::kWaiting);
  EXPECT_EQ(world.monitor.counts().peer_failed, 5);
  EXPECT_EQ(world.monitor.counts().needs_person, 0);
}

TEST(SagaTest, ThePauseDoublesUpToItsLimit) {
  World world;
  Company company(world, world.MakeTable());
  world.scorer.FailWith(std::vector<absl::Status>(1'000, base::Error(Reason::kUnavailable)));
  company.PlayRound();
  world.Advance(seconds(60));
  // 0.1 + 0.2 + … + 6.4 s, then every 10 s.
  EXPECT_GE(world.scorer.calls(), 11);
  EXPECT_LE(world.scorer.calls(), 14);
}

TEST(SagaTest, ARefusalNeedsAPersonAndTheRoundStillWaits) {
  World world;
  Company company(world, world.MakeTable());
  world.wallet.FailWith({base::Error(Reason::kAccountNotFound)});
  company.PlayRound();
  EXPECT_EQ(world.monitor.counts().needs_person, 1);
  world.Advance(seconds(11));
  EXPECT_EQ(world.wallet.rounds(), 1U);
}

TEST(SagaTest, AnotherRulebookIsNotTaken) {
  World world;
  const TableId table = world.MakeTable();
  Company company(world, table);
  world.scorer.AnswerByAnotherRulebook();
  company.PlayRound();
  EXPECT_EQ(world.monitor.counts().needs_person, 1);
  for (const LogEntry& entry : world.memory.All(table)) {
    EXPECT_FALSE(std::holds_alternative<RoundScored>(entry.event));
  }
  world.Advance(seconds(11));
  EXPECT_EQ(world.wallet.rounds(), 1U);
}

TEST(SagaTest, AWalletWhoseAnswerIsLostPostsOnce) {
  World world;
  Company company(world, world.MakeTable());
  world.wallet.FailWith({base::Error(Reason::kDeadlineExceeded)}, /*posted=*/true);
  company.PlayRound();
  world.Advance(seconds(1));
  company.Listen();
  EXPECT_EQ(world.wallet.rounds(), 1U);
  EXPECT_EQ(world.wallet.calls(), 2);
  EXPECT_EQ(CountOf<RoundPaid>(company.player(Seat::k0).seen()), 1);
}

TEST(SagaTest, LeavingWhileItIsSettledDoesNotDisturbIt) {
  World world;
  const TableId table = world.MakeTable();
  Company company(world, table);
  world.scorer.FailWith({base::Error(Reason::kUnavailable)});
  company.PlayRound();
  EXPECT_THAT(world.Leave(table, "p1"), IsOk());
  world.Advance(seconds(1));
  company.Listen();
  EXPECT_EQ(world.wallet.rounds(), 1U);
  EXPECT_EQ(CountOf<RoundPaid>(company.player(Seat::k0).seen()), 1);
  EXPECT_EQ(CountOf<RoundPaid>(company.player(Seat::k1).seen()), 0);
  EXPECT_NE(Latest<PlayerLeft>(company.player(Seat::k1).seen()), nullptr);
}

TEST(SagaTest, AllGoneTheRoundIsPaidAndTheTableCloses) {
  World world;
  const TableId table = world.MakeTable();
  Company company(world, table);
  world.scorer.FailWith({base::Error(Reason::kUnavailable)});
  company.PlayRound();
  for (const char* player : {"p0", "p1", "p2", "p3"})
    EXPECT_THAT(world.Leave(table, player), IsOk());
  EXPECT_EQ(world.Get(table)->stage, TableStage::kSettling);
  world.Advance(seconds(1));
  EXPECT_EQ(world.wallet.rounds(), 1U);
  EXPECT_EQ(world.Get(table)->stage, TableStage::kClosed);
}

// ------------------------------------------------------------------------------------- streams

TEST(StreamTest, ResumingAnywhereGivesTheSameEvents) {
  TableLimits limits;
  limits.kept_max = 20;  // most of it comes from the journal
  World world(3, limits);
  const TableId table = world.MakeTable();
  Company company(world, table);
  company.PlayRound();
  company.PlayRound();
  for (TestPlayer& player : company.players()) {
    const auto& seen = player.seen();
    for (std::size_t after = 0; after <= seen.size(); after += after < 4 ? 1 : 29) {
      const auto resumed = world.ReadAll(table, player.id().value(), after);
      ExpectSame(resumed, {seen.begin() + static_cast<std::ptrdiff_t>(after), seen.end()});
    }
  }
}

TEST(StreamTest, ReconnectingInTheMiddleMissesAndRepeatsNothing) {
  World world(4);
  const TableId table = world.MakeTable();
  Company interrupted(world, table);
  interrupted.ReadyAll();
  int steps = 0;
  while (interrupted.Step()) {
    if (++steps % 5 == 0) interrupted.Resubscribe();
  }
  for (TestPlayer& player : interrupted.players()) {
    ExpectSame(player.seen(), world.ReadAll(table, player.id().value()));
  }
}

TEST(StreamTest, RefusesStrangersAndTheFuture) {
  World world;
  const TableId table = world.MakeTable();
  EXPECT_THAT(world.Subscribe(table, "stranger"), FailsWith(Reason::kNotSeated));
  EXPECT_THAT(world.Subscribe(table, "p0", 2), IsOk());
  EXPECT_THAT(world.Subscribe(table, "p0", 3), FailsWith(Reason::kSequenceAhead, "after_sequence"));
  EXPECT_THAT(world.Subscribe(table, "p0", ~StreamSeq{0}), FailsWith(Reason::kSequenceAhead));
}

TEST(StreamTest, ASlowReaderIsCutOffAndTheTableGoesOn) {
  TableLimits limits;
  limits.outbox_max = 16;
  World world(5, limits);
  const TableId table = world.MakeTable();
  Company company(world, table);
  const auto slow = world.Subscribe(table, "p0", 1);
  ASSERT_THAT(slow, IsOk());
  company.PlayRound();
  EXPECT_EQ(world.wallet.rounds(), 1U);
  EXPECT_EQ(world.monitor.counts().slow, 1);
  EXPECT_THAT(*(*slow)->Take(10).end, FailsWith(Reason::kStreamTooSlow));
  // Resuming gives what was missed.
  const auto rest = world.ReadAll(table, "p0", 1);
  ExpectSame(rest,
             {company.player(Seat::k0).seen().begin() + 1, company.player(Seat::k0).seen().end()});
}

TEST(StreamTest, EndsWithTheOwnLeave) {
  World world;
  const TableId table = world.MakeTable();
  Company company(world, table);
  const auto stream = world.Subscribe(table, "p2");
  ASSERT_THAT(stream, IsOk());
  ASSERT_THAT(world.Leave(table, "p2"), IsOk());
  const Subscription::Taken taken = (*stream)->Take(10);
  ASSERT_EQ(taken.events.size(), 3U);
  EXPECT_TRUE(std::holds_alternative<PlayerLeft>(*taken.events[2].event));
  ASSERT_TRUE(taken.end);
  EXPECT_THAT(*taken.end, IsOk());
  EXPECT_THAT(world.Subscribe(table, "p2"), FailsWith(Reason::kNotSeated));
}

TEST(StreamTest, WhoComesLaterCountsFromOneAsWell) {
  World world;
  TableSpec spec = World::Spec();
  spec.players[Seat::k1] = spec.players[Seat::k2] = spec.players[Seat::k3] = PlayerId();
  const auto table = world.Create("match", spec);
  ASSERT_THAT(table, IsOk());
  ASSERT_THAT(world.Ready(table->id, "p0"), IsOk());
  ASSERT_THAT(world.Join(table->id, "late", Seat::k3), IsOk());
  ASSERT_THAT(world.Ready(table->id, "late"), IsOk());
  const auto seen = world.ReadAll(table->id, "late");
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].sequence, 1U);
  EXPECT_TRUE(std::get<TableFormed>(*seen[0].event).table.seats[Seat::k0].ready);
  EXPECT_EQ(seen[1].sequence, 2U);
  EXPECT_EQ(world.ReadAll(table->id, "p0").size(), 4U);
}

TEST(StreamTest, WhoTakesAFreeSeatBeginsAStreamOfItsOwn) {
  World world;
  const TableId table = world.MakeTable();
  Company company(world, table);
  ASSERT_THAT(world.Leave(table, "p2"), IsOk());
  ASSERT_THAT(world.Join(table, "new"), IsOk());
  const auto seen = world.ReadAll(table, "new");
  ASSERT_EQ(seen.size(), 2U);  // and four are asked anew whether to play on
  EXPECT_TRUE(std::holds_alternative<PlayOnAsked>(*seen[1].event));
  EXPECT_EQ(seen[0].sequence, 1U);
  const auto& formed = std::get<TableFormed>(*seen[0].event);
  EXPECT_EQ(formed.own_seat, Seat::k2);
  EXPECT_EQ(formed.table.seats[Seat::k2].player, PlayerId("new"));
  company.Listen();
  EXPECT_NE(Latest<PlayerJoined>(company.player(Seat::k0).seen()), nullptr);
}

// ------------------------------------------------------------------------------ hidden from others

// What a stream may say of others' tiles before the round is over: nothing that they have not
// shown.
TEST(StreamTest, HoldsNothingThatIsHidden) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    World world(seed);
    const TableId table = world.MakeTable();
    Company company(world, table);
    company.PlayRound();
    for (TestPlayer& player : company.players()) {
      bool over = false;
      for (const Shown& shown : player.seen()) {
        over = over || std::holds_alternative<RoundOver>(*shown.event);
        const bool reveals = std::holds_alternative<RoundPaid>(*shown.event);
        EXPECT_TRUE(over || !reveals) << "the seed";
        const auto* play = std::get_if<PlayShown>(shown.event.get());
        if (play == nullptr) continue;
        EXPECT_FALSE(over);
        if (const auto* drew = std::get_if<round::SeatDrew>(&play->event)) {
          EXPECT_EQ(drew->tile.has_value(), drew->seat == player.seat());
        }
        EXPECT_FALSE(std::holds_alternative<round::Won>(play->event));
      }
    }
  }
}

// Two decks that differ only in what this seat cannot see give it the same stream, until somebody
// acts on the difference: here, up to the dealer's first decision.
TEST(StreamTest, OthersHandsMakeNoDifferenceToAStream) {
  World world;
  const TableId table = world.MakeTable();
  Company company(world, table);
  company.ReadyAll();
  const auto journal = world.memory.All(table);
  const auto drawn_at = std::find_if(journal.begin(), journal.end(), [](const LogEntry& e) {
    return std::holds_alternative<DealDrawn>(e.event);
  });
  ASSERT_NE(drawn_at, journal.end());
  const DealDrawn& drawn = std::get<DealDrawn>(drawn_at->event);
  const Seat viewer = rules::After(drawn.dealer, 2);

  // The same table, with the rest of the wall in another order.
  const auto stream_of = [&](std::vector<Tile> wall) {
    Fold fold;
    std::vector<Shown> stream;
    const auto take = [&](const LogEntry& entry) {
      const auto showings = fold.Apply(entry);
      EXPECT_THAT(showings, IsOk());
      for (const Showing& showing : *showings) {
        if (showing.seat == viewer) stream.push_back(showing.shown);
      }
    };
    for (auto it = journal.begin(); it != drawn_at; ++it) take(*it);
    DealDrawn other = drawn;
    other.wall = std::move(wall);
    take({drawn_at->seq, drawn_at->time, other});
    for (TableEvent& event : OpenPlay(fold.state)) {
      take({fold.state.last_seq + 1, drawn_at->time, std::move(event)});
    }
    return stream;
  };
  std::vector<Tile> swapped = drawn.wall;
  // Dealt three times four tiles each from the dealer on: the dealer's first four, and the undealt
  // rest.
  std::swap_ranges(swapped.begin(), swapped.begin() + 4, swapped.end() - 4);
  std::reverse(swapped.begin() + 60, swapped.end() - 4);
  ASSERT_NE(swapped, drawn.wall);
  ExpectSame(stream_of(drawn.wall), stream_of(swapped));
}

}  // namespace
}  // namespace mj::table
