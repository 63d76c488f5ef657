// What whoever watches a table is told and when, and whose hand they see (COM-13).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/status_testing.h"
#include "services/table/app/watch_testing.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

using WatchTest = WatchedTable;

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
  for (const WatchStream& stream : {*unread, *behind}) {
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

}  // namespace
}  // namespace mj::table
