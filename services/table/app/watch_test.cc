// Who watches a table (COM-13): what they are told and when, whose hand they see, and that the table
// does not wait for them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/status_testing.h"
#include "services/table/app/history.h"
#include "services/table/app/world_testing.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using std::chrono::milliseconds;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

using Stream = std::shared_ptr<WatchSubscription>;

template <typename T>
int Count(const std::vector<Watched>& seen) {
  int count = 0;
  for (const Watched& watched : seen) count += std::holds_alternative<T>(*watched.event) ? 1 : 0;
  return count;
}

class WatchTest : public ::testing::Test {
 protected:
  explicit WatchTest(TableLimits limits = {}) : world_(1, limits) {}

  TableId Make(SettingValues settings = {{"watch_delay_ms", 0}},
               const std::string& variant = "chaozhou") {
    const auto made = world_.Create("match", World::Spec(variant), settings);
    EXPECT_THAT(made, IsOk());
    return made->id;
  }

  // Everything that there is to take now.
  std::vector<Watched> Read(const Stream& stream) {
    std::vector<Watched> seen;
    while (true) {
      world_.Run();
      WatchSubscription::Taken taken = stream->Take(7);
      end_ = taken.end;
      if (taken.events.empty()) return seen;
      seen.insert(seen.end(), taken.events.begin(), taken.events.end());
    }
  }
  std::vector<Watched> ReadAll(const TableId& table, Seat seat, StreamSeq after = 0) {
    const auto stream = world_.Watch(table, "x", seat, after);
    EXPECT_THAT(stream, IsOk());
    std::vector<Watched> seen = Read(*stream);
    // As it is now, whatever becomes of the stream.
    for (Watched& watched : seen) {
      const auto hand = watched.hand.Look();
      watched.hand = hand ? LentHand(std::make_shared<Lending>(), *hand) : LentHand();
    }
    (*stream)->Cancel();
    world_.Run();
    return seen;
  }

  // What the journal has to tell, with `seat`'s true hand after each event.
  struct Truth {
    StreamSeq sequence = 0;
    WallTime time{};
    std::shared_ptr<const WatchedEvent> event;
    tiles::TileCounts hand;
    bool playing = false;
  };
  std::vector<Truth> TruthOf(const TableId& table, Seat seat = Seat::k0) {
    std::vector<Truth> all;
    Fold fold;
    for (const LogEntry& entry : world_.memory.All(table)) {
      EXPECT_THAT(fold.Apply(entry), IsOk());
      if (!IsWatched(entry.event)) continue;
      const StreamSeq sequence = fold.numbers.last_watched();
      Truth truth{sequence, entry.time, SceneOf(fold.state, entry, sequence).event, {}, false};
      truth.playing = fold.state.stage() == TableStage::kPlaying;
      if (truth.playing) truth.hand = fold.state.round->play.seats[seat].hand.concealed;
      all.push_back(std::move(truth));
    }
    return all;
  }
  static void ExpectTold(const std::vector<Watched>& seen, const std::vector<Truth>& truth,
                         std::size_t from = 0) {
    ASSERT_EQ(seen.size() + from, truth.size());
    for (std::size_t i = 0; i < seen.size(); ++i) {
      EXPECT_EQ(seen[i].sequence, truth[from + i].sequence);
      EXPECT_EQ(seen[i].time, truth[from + i].time);
      EXPECT_TRUE(*seen[i].event == *truth[from + i].event) << i;
    }
  }

  std::optional<int> Told(const std::shared_ptr<Subscription>& stream) {
    world_.Run();
    const Subscription::Taken taken = stream->Take(1'000);
    if (!taken.notice) return std::nullopt;
    return taken.notice->observers;
  }

  World world_;
  std::optional<absl::Status> end_;
};

TEST_F(WatchTest, WhatIsPublicIsToldEventByEvent) {
  const TableId table = Make();
  const auto stream = world_.Watch(table, "x", Seat::k2);
  ASSERT_THAT(stream, IsOk());
  Company company(world_, table);
  company.PlayRound();
  const std::vector<Watched> seen = Read(*stream);
  ExpectTold(seen, TruthOf(table));
  EXPECT_TRUE(std::holds_alternative<TableMade>(*seen.front().event));
  EXPECT_EQ(Count<RoundStarted>(seen), 1);
  EXPECT_EQ(Count<HandsDealt>(seen), 1);
  EXPECT_EQ(Count<RoundOver>(seen), 1);
  EXPECT_EQ(Count<RoundPaid>(seen), 1);
  EXPECT_GT(Count<round::Discarded>(seen), 10);
  for (const Watched& watched : seen) EXPECT_EQ(watched.hand.Look(), std::nullopt);
  // Who plays is said when a round begins.
  for (const Watched& watched : seen) {
    const auto* started = std::get_if<RoundStarted>(watched.event.get());
    if (started == nullptr) continue;
    EXPECT_EQ(started->table.seats[Seat::k3].player, PlayerId("p3"));
  }
}

TEST_F(WatchTest, WhoComesLaterBeginsWithTheLatestRound) {
  const TableId table = Make();
  Company company(world_, table);
  company.PlayRound();
  company.PlayRound();
  company.ReadyAll();
  company.Step();
  const std::vector<Watched> seen = ReadAll(table, Seat::k0);
  EXPECT_TRUE(std::holds_alternative<RoundStarted>(*seen.front().event));
  EXPECT_EQ(Count<RoundStarted>(seen), 1);
  const std::vector<Truth> truth = TruthOf(table);
  ExpectTold(seen, truth, truth.size() - seen.size());
}

TEST_F(WatchTest, ResumingAnywhereGivesTheRest) {
  const TableId table = Make();
  Company company(world_, table);
  company.PlayRound();
  company.PlayRound();
  const std::vector<Truth> truth = TruthOf(table);
  for (StreamSeq after = 1; after <= truth.size(); after += 11) {
    ExpectTold(ReadAll(table, Seat::k1, after), truth, after);
  }
  // …and while another one watches.
  const auto other = world_.Watch(table, "y", Seat::k1);
  for (StreamSeq after = 1; after <= truth.size(); after += 11) {
    ExpectTold(ReadAll(table, Seat::k1, after), truth, after);
  }
}

TEST_F(WatchTest, EveryEndOfARoundIsTold) {
  const TableId table = Make();
  Company company(world_, table);
  const auto stream = world_.Watch(table, "x", Seat::k0);
  company.ReadyAll();
  company.Step();
  while (company.asked()->seat() == Seat::k1) company.Step();
  ASSERT_THAT(world_.Leave(table, "p1"), IsOk());
  company.Listen();
  const std::vector<Watched> seen = Read(*stream);
  EXPECT_EQ(Count<RoundDropped>(seen), 1);
  EXPECT_EQ(Count<PlayerLeft>(seen), 1);
}

// --------------------------------------------------------------------------------------- delay

TEST_F(WatchTest, NothingIsToldBeforeItsTimeAndEverythingAtIt) {
  constexpr milliseconds kDelay{250};
  const TableId table = Make({{"watch_delay_ms", kDelay.count()}});
  const auto stream = world_.Watch(table, "x", Seat::k0);
  ASSERT_THAT(stream, IsOk());
  Company company(world_, table);
  company.ReadyAll();
  std::vector<Watched> seen;
  for (int ms = 0; ms < 1'500; ++ms) {
    for (const Watched& watched : Read(*stream)) {
      EXPECT_EQ(world_.clock.Now(), watched.time + kDelay);
      seen.push_back(watched);
    }
    if (ms % 31 == 0) company.Step();
    world_.clock.Advance(milliseconds(1));
    world_.Run();
  }
  EXPECT_GT(seen.size(), 40U);
  for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i].sequence, i + 1);
  // The number of an event that is not told yet is no place to go on from.
  world_.Advance(kDelay);
  const StreamSeq old = TruthOf(table).size();
  EXPECT_THAT(world_.Watch(table, "x", Seat::k0, old), IsOk());
  company.Step();
  const StreamSeq fresh = TruthOf(table).size();
  ASSERT_GT(fresh, old);
  EXPECT_THAT(world_.Watch(table, "x", Seat::k0, fresh),
              FailsWith(Reason::kSequenceAhead, "after_sequence"));
}

TEST_F(WatchTest, TheDelayHoldsForWhoComesInTheMiddleAndInAnotherProcess) {
  constexpr milliseconds kDelay{5'000};
  const TableId table = Make({});
  Company company(world_, table);
  company.ReadyAll();
  const auto play = [&](int steps) {
    for (int i = 0; i < steps; ++i) {
      company.Step();
      world_.Advance(milliseconds(400));
    }
  };
  const auto expect_told = [&](const std::vector<Watched>& seen, StreamSeq after) {
    std::size_t due = 0;
    for (const Truth& truth : TruthOf(table)) {
      due += truth.sequence > after && truth.time + kDelay <= world_.clock.Now() ? 1U : 0U;
    }
    EXPECT_EQ(seen.size(), due);
    EXPECT_GT(due, 0U);
  };
  play(20);
  std::vector<Watched> seen = ReadAll(table, Seat::k0);
  expect_told(seen, seen.front().sequence - 1);
  play(3);
  StreamSeq last = seen.back().sequence;
  seen = ReadAll(table, Seat::k0, last);
  expect_told(seen, last);
  world_.Restart();
  company.Resubscribe();
  play(3);
  last = seen.back().sequence;
  seen = ReadAll(table, Seat::k0, last);
  expect_told(seen, last);
  EXPECT_EQ(seen.front().sequence, last + 1) << "nothing is missed, nothing twice";
}

// --------------------------------------------------------------------------------------- hands

TEST_F(WatchTest, AHandIsSeenFromTheNextEventOnAndByWhoWatchesFromThatSeat) {
  const TableId table = Make();
  Company company(world_, table);
  const auto own = world_.Watch(table, "x", Seat::k2);
  const auto other = world_.Watch(table, "y", Seat::k1);
  company.ReadyAll();
  company.Step();
  for (const Watched& watched : Read(*own)) EXPECT_EQ(watched.hand.Look(), std::nullopt);
  ASSERT_THAT(world_.ShowHand(table, "p2", true), IsOk());
  EXPECT_THAT(Read(*own), IsEmpty()) << "that is nobody's event but the player's";
  const StreamSeq before = TruthOf(table).size();
  company.PlayOn();
  const std::vector<Truth> truth = TruthOf(table, Seat::k2);
  const std::vector<Watched> seen = Read(*own);
  ASSERT_EQ(seen.size() + before, truth.size());
  int hands = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const Truth& t = truth[before + i];
    if (t.playing) {
      EXPECT_THAT(seen[i].hand.Look(), Optional(t.hand));
      ++hands;
    } else {
      EXPECT_EQ(seen[i].hand.Look(), std::nullopt);
    }
  }
  EXPECT_GT(hands, 10);
  for (const Watched& watched : Read(*other)) EXPECT_EQ(watched.hand.Look(), std::nullopt);
}

TEST_F(WatchTest, ItsPlayerIsToldAndNobodyElse) {
  const TableId table = Make();
  Company company(world_, table);
  ASSERT_THAT(world_.ShowHand(table, "p1", true), IsOk());
  ASSERT_THAT(world_.ShowHand(table, "p1", true), IsOk());  // once is enough
  ASSERT_THAT(world_.ShowHand(table, "p1", false), IsOk());
  company.Listen();
  for (TestPlayer& player : company.players()) {
    std::vector<bool> told;
    for (const Shown& shown : player.seen()) {
      if (const auto* showing = std::get_if<HandShowing>(shown.event.get())) {
        told.push_back(showing->on);
      }
    }
    if (player.id() == PlayerId("p1")) {
      EXPECT_THAT(told, ElementsAre(true, false));
    } else {
      EXPECT_THAT(told, IsEmpty());
    }
  }
}

// What happened while it was lent, and is not read yet, is taken back as well; for good.
TEST_F(WatchTest, AHandThatIsTakenBackIsNotSeenAnyMore) {
  const TableId table = Make({{"watch_delay_ms", 1'000}});
  Company company(world_, table);
  ASSERT_THAT(world_.ShowHand(table, "p2", true), IsOk());
  company.ReadyAll();
  const auto unread = world_.Watch(table, "x", Seat::k2);
  const auto behind = world_.Watch(table, "y", Seat::k2);
  for (int i = 0; i < 8; ++i) company.Step();
  world_.Advance(milliseconds(1'000));         // told, and waits for its readers
  for (int i = 0; i < 8; ++i) company.Step();  // not told yet
  const auto taken = (*behind)->Take(3);
  ASSERT_EQ(taken.events.size(), 3U);
  ASSERT_THAT(world_.ShowHand(table, "p2", false), IsOk());
  ASSERT_THAT(world_.ShowHand(table, "p2", true), IsOk());
  const StreamSeq lent_anew = TruthOf(table).size();
  for (int i = 0; i < 8; ++i) company.Step();
  world_.Advance(milliseconds(1'000));
  bool again = false;
  for (const Stream& stream : {*unread, *behind}) {
    for (const Watched& watched : Read(stream)) {
      if (watched.sequence <= lent_anew) {
        EXPECT_EQ(watched.hand.Look(), std::nullopt) << watched.sequence;
      } else {
        again = again || watched.hand.Look().has_value();
      }
    }
  }
  EXPECT_TRUE(again);
  for (const Watched& watched : taken.events) EXPECT_EQ(watched.hand.Look(), std::nullopt);
  // Nor is it from the journal.
  for (const Watched& watched : ReadAll(table, Seat::k2)) {
    EXPECT_TRUE(watched.sequence > lent_anew || !watched.hand.Look());
  }
}

TEST_F(WatchTest, WhatWasLentStaysSoInAnotherProcess) {
  const TableId table = Make();
  Company company(world_, table);
  ASSERT_THAT(world_.ShowHand(table, "p0", true), IsOk());
  ASSERT_THAT(world_.ShowHand(table, "p3", true), IsOk());
  ASSERT_THAT(world_.ShowHand(table, "p3", false), IsOk());
  company.ReadyAll();
  company.Step();
  const auto hands = [&](Seat seat) {
    std::vector<tiles::TileCounts> all;
    for (const Watched& watched : ReadAll(table, seat)) {
      if (const auto hand = watched.hand.Look()) all.push_back(*hand);
    }
    return all;
  };
  const auto before = hands(Seat::k0);
  EXPECT_FALSE(before.empty());
  world_.Restart();
  EXPECT_EQ(hands(Seat::k0), before);
  EXPECT_THAT(hands(Seat::k3), IsEmpty());
}

TEST_F(WatchTest, TheSeatsNextPlayerHasLentNothing) {
  const TableId table = Make();
  Company company(world_, table);
  ASSERT_THAT(world_.ShowHand(table, "p1", true), IsOk());
  ASSERT_THAT(world_.Leave(table, "p1"), IsOk());
  ASSERT_THAT(world_.Join(table, "n", Seat::k1), IsOk());
  for (const char* player : {"p0", "n", "p2", "p3"}) {
    ASSERT_THAT(world_.Ready(table, player), IsOk());
  }
  for (const Watched& watched : ReadAll(table, Seat::k1)) {
    EXPECT_EQ(watched.hand.Look(), std::nullopt);
  }
}

// ------------------------------------------------------------------------------- who may watch

TEST_F(WatchTest, WhoIsRefusedIsToldWhy) {
  const TableId table = Make();
  EXPECT_THAT(world_.Watch(table, "p1", Seat::k0), FailsWith(Reason::kSeatedHere));
  EXPECT_THAT(world_.Watch(table, "x", Seat::k0, 99),
              FailsWith(Reason::kSequenceAhead, "after_sequence"));
  EXPECT_THAT(world_.Watch(TableId("none"), "x", Seat::k0), FailsWith(Reason::kTableNotFound));
  for (const char* player : {"p0", "p1", "p2", "p3"}) {
    ASSERT_THAT(world_.Leave(table, player), IsOk());
  }
  EXPECT_THAT(world_.Watch(table, "x", Seat::k0), FailsWith(Reason::kTableClosed));
}

TEST_F(WatchTest, ATableCanBeClosedToThem) {
  const TableId table = Make({{"watchable", 0}});
  EXPECT_THAT(world_.Watch(table, "x", Seat::k0), FailsWith(Reason::kTableNotWatchable));
  EXPECT_THAT(world_.ShowHand(table, "p0", true), FailsWith(Reason::kTableNotWatchable));
  EXPECT_THAT(world_.ShowHand(table, "p0", false), IsOk());
  EXPECT_EQ(base::CarriedBy(world_.Join(table, "x").status())->details.metadata.at("watchable"),
            "false");
}

TEST_F(WatchTest, AFifthIsToldThatTheTableCanBeWatched) {
  const TableId table = Make();
  const auto full = world_.Join(table, "x");
  EXPECT_THAT(full, FailsWith(Reason::kTableFull));
  EXPECT_EQ(base::CarriedBy(full.status())->details.metadata.at("watchable"), "true");
}

TEST_F(WatchTest, TheSettingsHaveRanges) {
  for (const auto& [name, value] : SettingValues{{"watchable", 2}, {"watch_delay_ms", 300'001}}) {
    EXPECT_THAT(world_.Create("m", World::Spec(), {{name, value}}),
                FailsWith(Reason::kOptionOutOfRange, "settings"));
    EXPECT_THAT(world_.Create("m", World::Spec(), {{name, -1}}),
                FailsWith(Reason::kOptionOutOfRange, "settings"));
  }
}

TEST_F(WatchTest, WhoWatchesCanDoNothingElse) {
  const TableId table = Make();
  Company company(world_, table);
  const auto stream = world_.Watch(table, "x", Seat::k0);
  company.ReadyAll();
  const auto wish = company.asked()->wish();
  EXPECT_THAT(world_.Act(table, "x", wish->decision, wish->choice), FailsWith(Reason::kNotSeated));
  EXPECT_THAT(world_.Ready(table, "x"), FailsWith(Reason::kNotSeated));
  EXPECT_THAT(world_.TakeOver(table, "x"), FailsWith(Reason::kNotSeated));
  EXPECT_THAT(world_.Leave(table, "x"), FailsWith(Reason::kNotSeated));
  EXPECT_THAT(world_.ShowHand(table, "x", true), FailsWith(Reason::kNotSeated));
  EXPECT_THAT(world_.Subscribe(table, "x"), FailsWith(Reason::kNotSeated));
}

TEST_F(WatchTest, WhoTakesASeatWatchesNoMore) {
  const TableId table = Make();
  ASSERT_THAT(world_.Leave(table, "p1"), IsOk());
  const auto stream = world_.Watch(table, "x", Seat::k0);
  const auto stays = world_.Watch(table, "y", Seat::k0);
  ASSERT_THAT(world_.Join(table, "x"), IsOk());
  EXPECT_THAT(Read(*stream), IsEmpty());
  ASSERT_TRUE(end_);
  EXPECT_THAT(*end_, FailsWith(Reason::kSeatedHere));
  EXPECT_EQ(Count<PlayerJoined>(Read(*stays)), 1);
}

// ------------------------------------------------------------------------------ how many watch

TEST_F(WatchTest, TheFourAreToldHowManyWatch) {
  const TableId table = Make();
  const auto seat = world_.Subscribe(table, "p0");
  EXPECT_EQ(Told(*seat), std::nullopt) << "nobody: nothing to say";
  const auto x = world_.Watch(table, "x", Seat::k0);
  EXPECT_THAT(Told(*seat), Optional(1));
  const auto x_again = world_.Watch(table, "x", Seat::k3);
  EXPECT_EQ(Told(*seat), std::nullopt) << "the same person";
  const auto y = world_.Watch(table, "y", Seat::k0);
  EXPECT_THAT(Told(*seat), Optional(2));
  EXPECT_THAT(Told(*world_.Subscribe(table, "p3")), Optional(2)) << "who comes later too";
  (*x)->Cancel();
  EXPECT_EQ(Told(*seat), std::nullopt);
  (*x_again)->Cancel();
  (*y)->Cancel();
  EXPECT_THAT(Told(*seat), Optional(0));
  EXPECT_EQ(TruthOf(table).size(), 2U) << "nothing of it is journalled";
}

TEST_F(WatchTest, NoticesTakeNoRoomInAStream) {
  const TableId table = Make();
  const auto seat = world_.Subscribe(table, "p0");
  for (int i = 0; i < 1'000; ++i) (*world_.Watch(table, "x", Seat::k0))->Cancel();
  EXPECT_THAT(Told(*seat), Optional(0));
  EXPECT_EQ(world_.monitor.counts().slow, 0);
}

// --------------------------------------------------------------------------- the table goes on

class NarrowWatchTest : public WatchTest {
 protected:
  static TableLimits Narrow() {
    TableLimits limits;
    limits.outbox_max = 16;
    limits.kept_max = 4;
    limits.watchers_max = 2;
    return limits;
  }
  NarrowWatchTest() : WatchTest(Narrow()) {}
};

TEST_F(NarrowWatchTest, WhoDoesNotReadIsCutOffAndCanResume) {
  const TableId table = Make();
  Company company(world_, table);
  const auto slow = world_.Watch(table, "x", Seat::k0);
  company.PlayRound();
  EXPECT_EQ(world_.wallet.rounds(), 1U) << "the table went on";
  EXPECT_EQ(world_.monitor.counts().slow, 1);
  EXPECT_THAT(Read(*slow), IsEmpty());
  ASSERT_TRUE(end_);
  EXPECT_THAT(*end_, FailsWith(Reason::kStreamTooSlow));
  const std::vector<Truth> truth = TruthOf(table);
  ExpectTold(ReadAll(table, Seat::k0, 1), truth, 1);
}

TEST_F(NarrowWatchTest, NoMoreThanSoManyWatch) {
  const TableId table = Make();
  const auto x = world_.Watch(table, "x", Seat::k0);
  const auto y = world_.Watch(table, "y", Seat::k0);
  EXPECT_THAT(world_.Watch(table, "z", Seat::k0), FailsWith(Reason::kOverloaded));
  (*x)->Cancel();
  world_.Run();
  EXPECT_THAT(world_.Watch(table, "z", Seat::k0), IsOk());
}

TEST_F(WatchTest, AJournalThatCannotBeReadIsTheirsToTryAgain) {
  const TableId table = Make();
  Company company(world_, table);
  world_.log.FailReads(1, base::Error(Reason::kUnavailable));
  EXPECT_THAT(world_.Watch(table, "x", Seat::k0), FailsWith(Reason::kUnavailable));
  company.PlayRound();
  EXPECT_FALSE(ReadAll(table, Seat::k0).empty());
}

TEST_F(WatchTest, TheEndOfAProcessEndsTheirStreams) {
  const TableId table = Make();
  const auto stream = world_.Watch(table, "x", Seat::k0);
  world_.tables->Stop();
  EXPECT_THAT(Read(*stream), IsEmpty());
  ASSERT_TRUE(end_);
  EXPECT_THAT(*end_, FailsWith(Reason::kShuttingDown));
  EXPECT_THAT(world_.Watch(table, "x", Seat::k0), FailsWith(Reason::kShuttingDown));
}

TEST_F(WatchTest, ATableThatIsLostEndsTheirStreams) {
  const TableId table = Make();
  const auto stream = world_.Watch(table, "x", Seat::k0);
  world_.memory.TakeOver(table);
  (void)world_.Ready(table, "p0");
  (void)Read(*stream);
  ASSERT_TRUE(end_);
  EXPECT_THAT(*end_, FailsWith(Reason::kUnavailable));
}

TEST_F(WatchTest, AClosedTableIsHeldUntilTheyHaveBeenTold) {
  const TableId table = Make({{"watch_delay_ms", 1'000}});
  Company company(world_, table);
  world_.Advance(milliseconds(1'000));
  const auto stream = world_.Watch(table, "x", Seat::k0);
  const StreamSeq before = Read(*stream).back().sequence;
  for (const char* player : {"p0", "p1", "p2", "p3"}) {
    ASSERT_THAT(world_.Leave(table, player), IsOk());
  }
  EXPECT_EQ(world_.tables->held(), 1U);
  EXPECT_THAT(Read(*stream), IsEmpty());
  EXPECT_FALSE(end_);
  world_.Advance(milliseconds(1'000));
  const std::vector<Watched> seen = Read(*stream);
  EXPECT_EQ(Count<PlayerLeft>(seen), 4);
  EXPECT_EQ(Count<TableClosed>(seen), 1);
  ASSERT_TRUE(end_);
  EXPECT_THAT(*end_, IsOk());
  EXPECT_EQ(world_.tables->held(), 0U);
  // Whoever missed the end gets it later.
  EXPECT_EQ(ReadAll(table, Seat::k0, before).size(), seen.size());
  EXPECT_THAT(*end_, IsOk());
}

TEST_F(WatchTest, WhatIsNotToldYetOfAClosedTableIsToBeAskedForAgain) {
  const TableId table = Make({{"watch_delay_ms", 1'000}});
  world_.Advance(milliseconds(1'000));
  for (const char* player : {"p0", "p1", "p2", "p3"}) {
    ASSERT_THAT(world_.Leave(table, player), IsOk());
  }
  EXPECT_EQ(world_.tables->held(), 0U) << "nobody watches";
  EXPECT_THAT(world_.Watch(table, "x", Seat::k0, 1), FailsWith(Reason::kUnavailable));
  world_.Advance(milliseconds(1'000));
  EXPECT_FALSE(ReadAll(table, Seat::k0, 1).empty());
}

TEST_F(WatchTest, ManyTogetherAreToldTheSame) {
  const TableId table = Make({{"watch_delay_ms", 300}}, "jieyang");
  Company company(world_, table);
  std::vector<std::pair<Stream, std::vector<Watched>>> all;
  for (int round = 0; round < 2; ++round) {
    company.ReadyAll();
    while (company.Step()) {
      if (all.size() < 40) {
        all.emplace_back(*world_.Watch(table, "x" + std::to_string(all.size()), Seat::k2), 0);
      }
      for (auto& [stream, seen] : all) {
        for (Watched& watched : Read(stream)) seen.push_back(std::move(watched));
      }
      world_.Advance(milliseconds(50));
      company.Listen();
    }
  }
  world_.Advance(milliseconds(300));
  const std::vector<Truth> truth = TruthOf(table);
  for (auto& [stream, seen] : all) {
    for (Watched& watched : Read(stream)) seen.push_back(std::move(watched));
    ExpectTold(seen, truth, truth.size() - seen.size());
  }
}

}  // namespace
}  // namespace mj::table
