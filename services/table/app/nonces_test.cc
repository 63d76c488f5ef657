// The players' part in a deal: hashes with ready, nonces between the round's beginning and its deal
// (libs/fairness/SPEC.md 1).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/fairness/deal.h"
#include "libs/fairness/stream.h"
#include "libs/variants/registry.h"
#include "services/table/app/bench_testing.h"
#include "services/table/app/history.h"
#include "tests/support/counts.h"
#include "tests/support/random.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOk;
using base::IsOkAndHolds;
using base::Reason;
using fairness::Bytes;
using fairness::NonceOutcome;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Bytes Nonce(std::uint8_t byte, std::size_t length = 32) { return Bytes(length, byte); }

constexpr NonceOutcome kNone = NonceOutcome::kNotCommitted;

class NoncesTest : public ::testing::Test {
 protected:
  // Round `number`, with these seats' nonces promised.
  void Begin(const Bench::Nonces& nonces, std::uint8_t seed_byte = 1) {
    bench_.ReadyAll(nonces);
    fairness::Seed seed{};
    seed.fill(seed_byte);
    bench_.Apply(BeginRound(bench_.state, bench_.NextRoundId(), seed));
  }
  static Bench::Nonces All() { return Bench::Nonces({Nonce(10), Nonce(11), Nonce(12), Nonce(13)}); }
  static Bench::Nonces Only(Seat seat, Bytes nonce) {
    Bench::Nonces nonces;
    nonces[seat] = std::move(nonce);
    return nonces;
  }
  // What the seat is told; what follows from it happens.
  absl::Status Send(Seat seat, const Bytes& nonce, int round = 0) {
    const int number = round != 0 ? round : bench_.state.rounds_begun;
    const Reveal reveal = DecideReveal(bench_.state, Bench::At(seat), number, nonce);
    bench_.Apply(reveal.events);
    return reveal.answer;
  }
  void Draw() { bench_.Apply(DrawDeal(bench_.state)); }
  const DealDrawn& Deal() const { return *bench_.state.round->deal; }
  PerSeat<NonceOutcome> Outcomes() const {
    PerSeat<NonceOutcome> outcomes;
    for (Seat seat : rules::kSeats) outcomes[seat] = Deal().nonces[seat].outcome;
    return outcomes;
  }
  Bench bench_;
};

// --------------------------------------------------------------------------- hashes with ready

TEST_F(NoncesTest, TheHashThatCameFirstWithReadyStands) {
  const auto first = fairness::CommitNonce(Nonce(1));
  const auto other = fairness::CommitNonce(Nonce(2));
  bench_.Do(DecideReady(bench_.state, Bench::At(Seat::k0), 1, first));
  bench_.Do(DecideReady(bench_.state, Bench::At(Seat::k1), 1));
  EXPECT_THAT(bench_.All<SeatReadied>(),
              ElementsAre(SeatReadied{Seat::k0, 1, first}, SeatReadied{Seat::k1, 1, {}}));
  for (const auto& again :
       {std::optional(first), std::optional(other), std::optional<fairness::Digest>()}) {
    for (Seat seat : {Seat::k0, Seat::k1}) {
      EXPECT_THAT(DecideReady(bench_.state, Bench::At(seat), 1, again), IsOkAndHolds(IsEmpty()));
    }
  }
  Begin({});
  EXPECT_EQ(bench_.state.round->begun.nonce_hashes,
            (PerSeat<std::optional<fairness::Digest>>({first, {}, {}, {}})));
}

TEST_F(NoncesTest, WhoHasToSaySoAnewSaysItsHashAnew) {
  bench_.ReadyAll(All());
  bench_.Apply({BaseSet{10}});
  Begin(Only(Seat::k2, Nonce(5)));
  const auto& hashes = bench_.state.round->begun.nonce_hashes;
  for (Seat seat : rules::kSeats) {
    EXPECT_EQ(hashes[seat],
              seat == Seat::k2 ? std::optional(fairness::CommitNonce(Nonce(5))) : std::nullopt);
  }
}

TEST_F(NoncesTest, WhoComesIntoASeatHasNotWhatWasSaidBefore) {
  bench_.Do(DecideReady(bench_.state, PlayerId("p1"), 1, fairness::CommitNonce(Nonce(1))));
  bench_.Leave(Seat::k1);
  bench_.Do(DecideJoin(bench_.state, PlayerId("p1"), Seat::k1));
  Begin({});
  EXPECT_FALSE(bench_.state.round->begun.nonce_hashes[Seat::k1]);
}

// ------------------------------------------------------------------------------------- waiting

TEST_F(NoncesTest, NobodyWithoutANonceIsWaitedFor) {
  Begin({});
  EXPECT_EQ(NextStepOf(bench_.state), NextStep::kDrawDeal);
  EXPECT_FALSE(NextDue(bench_.state));
  Draw();
  EXPECT_EQ(NextStepOf(bench_.state), NextStep::kOpenPlay);
  EXPECT_EQ(Outcomes(), (PerSeat<NonceOutcome>({kNone, kNone, kNone, kNone})));
}

TEST_F(NoncesTest, TheDealIsDrawnWithTheLastNonce) {
  Begin(All());
  for (Seat seat : {Seat::k2, Seat::k0, Seat::k3, Seat::k1}) {
    EXPECT_EQ(NextStepOf(bench_.state), NextStep::kNothing);
    EXPECT_EQ(NextDue(bench_.state), bench_.now + milliseconds(2'000));
    EXPECT_THAT(Send(seat, *All()[seat]), IsOk());
  }
  EXPECT_EQ(NextStepOf(bench_.state), NextStep::kDrawDeal);
  Draw();
  EXPECT_FALSE(NextDue(bench_.state));
  for (Seat seat : rules::kSeats) {
    EXPECT_EQ(Deal().nonces[seat], (SeatNonce{All()[seat], NonceOutcome::kRevealed}));
  }
}

TEST_F(NoncesTest, WhoDoesNotRevealInTimeCountsAsEmpty) {
  TableSpec spec = Spec();
  spec.settings.reveal_ms = 700;
  bench_ = Bench(spec);
  Begin(All());
  EXPECT_THAT(Send(Seat::k1, Nonce(11)), IsOk());
  bench_.Wait(milliseconds(699));
  EXPECT_TRUE(bench_.state.to_draw());
  bench_.Wait(milliseconds(1));
  ASSERT_FALSE(bench_.state.to_draw());
  EXPECT_EQ(Outcomes(),
            (PerSeat<NonceOutcome>({NonceOutcome::kNotRevealed, NonceOutcome::kRevealed,
                                    NonceOutcome::kNotRevealed, NonceOutcome::kNotRevealed})));
  EXPECT_THAT(Send(Seat::k0, Nonce(10)), FailsWith(Reason::kNonceTooLate));
  EXPECT_FALSE(NextDue(bench_.state));
}

// Its call cannot come any more. What it has done is an escape once it is dealt.
TEST_F(NoncesTest, WhoLeavesIsNotWaitedFor) {
  Begin(Only(Seat::k2, Nonce(12)));
  bench_.Leave(Seat::k2);
  EXPECT_THAT(Send(Seat::k2, Nonce(12)), FailsWith(Reason::kNotSeated));
  ASSERT_EQ(NextStepOf(bench_.state), NextStep::kDrawDeal);
  Draw();
  EXPECT_EQ(Outcomes()[Seat::k2], NonceOutcome::kNotRevealed);
  ASSERT_EQ(NextStepOf(bench_.state), NextStep::kOpenPlay);
  bench_.Apply(OpenPlay(bench_.state));
  ASSERT_EQ(NextStepOf(bench_.state), NextStep::kEscape);
  bench_.Apply(LeaveNow(bench_.state, bench_.now));
  EXPECT_EQ(VoidingOf(bench_.state).escaped, Seat::k2);
}

TEST_F(NoncesTest, ARestartGivesTheFullTimeAndTellsWhomItMatters) {
  Begin(Bench::Nonces({Nonce(10), Nonce(11), {}, Nonce(13)}));
  EXPECT_THAT(Send(Seat::k1, Nonce(11)), IsOk());
  bench_.Wait(milliseconds(1'500));
  bench_.Apply({ClocksRestarted{}});
  EXPECT_EQ(NextDue(bench_.state), bench_.now + milliseconds(2'000));
  Fold fold;
  std::vector<Showing> last;
  for (const LogEntry& entry : bench_.journal) last = *fold.Apply(entry);
  ASSERT_THAT(last, SizeIs(2));
  for (const Showing& showing : last) {
    EXPECT_TRUE(showing.seat == Seat::k0 || showing.seat == Seat::k3);
    EXPECT_EQ(std::get<ClockMoved>(*showing.shown.event),
              (ClockMoved{0, bench_.now + milliseconds(2'000)}));
  }
}

TEST_F(NoncesTest, AReplayWaitsAsLong) {
  Begin(All());
  bench_.Wait(milliseconds(300));
  EXPECT_THAT(Send(Seat::k0, Nonce(10)), IsOk());
  TableState replayed;
  for (const LogEntry& entry : bench_.journal) ASSERT_THAT(Apply(replayed, entry), IsOk());
  EXPECT_EQ(NextDue(replayed), NextDue(bench_.state));
  EXPECT_EQ(DrawDeal(replayed), DrawDeal(bench_.state));
}

// ------------------------------------------------------------------------ nonces that do not fit

TEST_F(NoncesTest, AWrongOneIsRefusedAndRecorded) {
  struct Case {
    Bytes promised;
    Bytes sent;
    Bytes kept;
    NonceOutcome outcome;
  };
  const std::vector<Case> cases = {
      {Nonce(1), Nonce(2), Nonce(2), NonceOutcome::kMismatch},
      {Nonce(1), Nonce(1, 31), Nonce(1, 31), NonceOutcome::kMismatch},
      {Nonce(1, 15), Nonce(1, 15), Nonce(1, 15), NonceOutcome::kBadLength},
      {Nonce(1, 65), Nonce(1, 65), Nonce(1, 65), NonceOutcome::kBadLength},
      {Nonce(1, 9'999), Nonce(1, 9'999), Nonce(1, 65), NonceOutcome::kBadLength},
      {Nonce(1), {}, {}, NonceOutcome::kBadLength},
  };
  for (const Case& one : cases) {
    bench_ = Bench();
    Begin(Only(Seat::k3, one.promised));
    EXPECT_THAT(Send(Seat::k3, one.sent), FailsWith(Reason::kBadNonce, "nonce"));
    EXPECT_EQ(NextStepOf(bench_.state), NextStep::kNothing) << "the right one may still come";
    bench_.Wait(milliseconds(2'000));
    ASSERT_FALSE(bench_.state.to_draw());
    EXPECT_EQ(Deal().nonces[Seat::k3], (SeatNonce{one.kept, one.outcome}));
    // Whoever checks it afterwards comes to the same.
    EXPECT_EQ(fairness::CheckNonce({fairness::CommitNonce(one.promised), one.kept}), one.outcome);
  }
}

TEST_F(NoncesTest, TheShortestAndTheLongestCount) {
  for (const std::size_t length : {std::size_t{16}, std::size_t{64}}) {
    bench_ = Bench();
    Begin(Only(Seat::k0, Nonce(1, length)));
    EXPECT_THAT(Send(Seat::k0, Nonce(1, length)), IsOk());
    Draw();
    EXPECT_EQ(Outcomes()[Seat::k0], NonceOutcome::kRevealed);
  }
}

TEST_F(NoncesTest, AfterAWrongOneTheRightOneCounts) {
  Begin(Only(Seat::k0, Nonce(1)));
  EXPECT_THAT(Send(Seat::k0, Nonce(2)), FailsWith(Reason::kBadNonce));
  EXPECT_THAT(Send(Seat::k0, Nonce(3)), FailsWith(Reason::kBadNonce));
  EXPECT_THAT(bench_.All<NonceRevealed>(), ElementsAre(NonceRevealed{Seat::k0, Nonce(2)}))
      << "however often it is tried, the journal keeps one";
  EXPECT_THAT(Send(Seat::k0, Nonce(1)), IsOk());
  EXPECT_THAT(Send(Seat::k0, Nonce(2)), FailsWith(Reason::kBadNonce));
  Draw();
  EXPECT_EQ(Deal().nonces[Seat::k0], (SeatNonce{Nonce(1), NonceOutcome::kRevealed}));
  EXPECT_THAT(bench_.All<NonceRevealed>(), SizeIs(2));
}

TEST_F(NoncesTest, TheSameAgainIsOkHoweverLate) {
  Begin(All());
  EXPECT_THAT(Send(Seat::k0, Nonce(10)), IsOk());
  const std::size_t events = bench_.journal.size();
  EXPECT_THAT(Send(Seat::k0, Nonce(10)), IsOk());
  EXPECT_EQ(bench_.journal.size(), events);
  bench_.Wait(milliseconds(2'000));
  EXPECT_THAT(Send(Seat::k0, Nonce(10)), IsOk());
  EXPECT_THAT(Send(Seat::k0, Nonce(9)), FailsWith(Reason::kNonceTooLate));
  EXPECT_THAT(Send(Seat::k1, Nonce(11)), FailsWith(Reason::kNonceTooLate));
  bench_.Apply(OpenPlay(bench_.state));
  bench_.PlayToEnd();
  EXPECT_THAT(Send(Seat::k0, Nonce(10)), IsOk());
  bench_.Score();
  bench_.Post();
  EXPECT_THAT(Send(Seat::k0, Nonce(10)), IsOk());
  Begin({}, 2);
  EXPECT_THAT(Send(Seat::k0, Nonce(10), 1), FailsWith(Reason::kNonceTooLate, "round_number"));
}

TEST_F(NoncesTest, WhoPromisedNoneHasNone) {
  Begin(Only(Seat::k0, Nonce(1)));
  EXPECT_THAT(Send(Seat::k1, Nonce(1)), FailsWith(Reason::kNonceNotCommitted));
  EXPECT_THAT(bench_.All<NonceRevealed>(), IsEmpty());
}

TEST_F(NoncesTest, NoneIsTakenBeforeTheSeedsHashIsOut) {
  bench_.ReadyAll(All());
  EXPECT_THAT(Send(Seat::k0, Nonce(10), 1), FailsWith(Reason::kRoundNotInProgress, "round_number"));
  Begin({});
  EXPECT_THAT(Send(Seat::k0, Nonce(10), 2), FailsWith(Reason::kRoundNotInProgress));
}

TEST_F(NoncesTest, WhoCameAfterTheRoundHasNoPartInIt) {
  Begin(All());
  bench_.Wait(milliseconds(2'000));
  bench_.Apply(OpenPlay(bench_.state));
  bench_.PlayToEnd();
  bench_.Leave(Seat::k0);
  bench_.Do(DecideJoin(bench_.state, PlayerId("new"), Seat::k0));
  EXPECT_THAT(DecideReveal(bench_.state, PlayerId("new"), 1, Nonce(10)).answer,
              FailsWith(Reason::kRoundNotInProgress));
}

// ------------------------------------------------------------------------------- what they change

TEST_F(NoncesTest, TheBeginningDoesNotHangOnThem) {
  Begin(All());
  const RoundBegun begun = bench_.state.round->begun;
  for (const bool reveals : {false, true}) {
    bench_ = Bench();
    Begin(All());
    if (reveals) {
      EXPECT_THAT(Send(Seat::k0, Nonce(10)), IsOk());
    }
    EXPECT_EQ(bench_.state.round->begun, begun);
  }
}

TEST_F(NoncesTest, EveryNonceThatCountsChangesTheWallAndNoOtherDoes) {
  std::vector<std::vector<Tile>> walls;
  const auto deal = [&](const std::vector<std::pair<Seat, Bytes>>& sent) {
    bench_ = Bench();
    Begin(All());
    for (const auto& [seat, nonce] : sent) (void)Send(seat, nonce);
    Draw();
    return Deal().wall;
  };
  const auto none = deal({});
  EXPECT_EQ(deal({{Seat::k0, Nonce(1)}, {Seat::k1, Nonce(2, 3)}}), none) << "empty is empty";
  walls.push_back(none);
  for (Seat seat : rules::kSeats) walls.push_back(deal({{seat, *All()[seat]}}));
  walls.push_back(deal({{Seat::k0, Nonce(10)}, {Seat::k1, Nonce(11)}}));
  for (std::size_t i = 0; i < walls.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(walls[i], walls[j]) << i << " " << j;
  }
  EXPECT_EQ(deal({{Seat::k1, Nonce(11)}, {Seat::k0, Nonce(10)}}), walls.back()) << "in any order";
}

TEST_F(NoncesTest, WhetherDealerAndWindsAreDrawnIsSaid) {
  for (const rules::Variant* game : variants::All()) {
    TableSpec spec = Spec();
    spec.variant = std::string(game->info().id);
    bench_ = Bench(spec);
    bench_.Begin();
    EXPECT_TRUE(Deal().anew);
    const PerSeat<Tile> winds = Deal().seat_winds.value_or(PerSeat<Tile>());
    bench_.PlayToEnd();
    bench_.Score();
    bench_.Post();
    const Seat next = bench_.state.next->dealer;
    EXPECT_EQ(bench_.state.info().dealer, next);
    Begin({}, 2);
    EXPECT_EQ(bench_.state.info().dealer, next) << "known before the deal is drawn";
    Draw();
    EXPECT_FALSE(Deal().anew);
    EXPECT_EQ(Deal().dealer, next);
    EXPECT_EQ(Deal().seat_winds.value_or(PerSeat<Tile>()), winds);
  }
}

TEST_F(NoncesTest, TheFirstDealerIsNotKnownBeforeTheDealIsDrawn) {
  Begin(All());
  EXPECT_FALSE(bench_.state.info().dealer);
  Draw();
  EXPECT_EQ(bench_.state.info().dealer, Deal().dealer);
}

// ---------------------------------------------------------------------------- what cannot follow

TEST_F(NoncesTest, AJournalWithTheseOutOfPlaceIsRefused) {
  const auto refused = [this](const TableEvent& event) {
    TableState state = bench_.state;
    return Apply(state, {state.last_seq + 1, {}, event}).code() == absl::StatusCode::kDataLoss;
  };
  bench_.ReadyAll();
  EXPECT_TRUE(refused(NonceRevealed{}));
  EXPECT_TRUE(refused(DealDrawn{}));
  Begin(Only(Seat::k0, Nonce(1)));
  EXPECT_TRUE(refused(NonceRevealed{Seat::k1, Nonce(1)})) << "it promised none";
  EXPECT_TRUE(refused(DealDrawn{})) << "without a wall";
  EXPECT_TRUE(refused(RoundPlayed{round::RoundBegan{}}));
  EXPECT_TRUE(refused(RoundVoided{VoidReason::kRefused, {}, {}}));
  EXPECT_FALSE(refused(DrawDeal(bench_.state).front()));
  Draw();
  EXPECT_TRUE(refused(NonceRevealed{Seat::k0, Nonce(1)}));
  EXPECT_TRUE(refused(Deal()));
}

// ----------------------------------------------------------------------------------- the streams

struct Told {
  std::map<Seat, std::vector<Shown>> seats;
  std::vector<Scene> watchers;
};
Told TellAll(const std::vector<LogEntry>& journal) {
  Told told;
  Fold fold;
  for (const LogEntry& entry : journal) {
    const auto showings = fold.Apply(entry);
    EXPECT_THAT(showings, IsOk());
    for (const Showing& showing : *showings) told.seats[showing.seat].push_back(showing.shown);
    if (IsWatched(entry.event)) {
      told.watchers.push_back(SceneOf(fold.state, entry, fold.numbers.last_watched()));
    }
  }
  return told;
}

// Up to the deal it makes no difference to anybody who has revealed what.
TEST_F(NoncesTest, NobodyIsToldOfANonceBeforeTheDealIsDrawn) {
  Begin(All());
  auto quiet = TellAll(bench_.journal);
  EXPECT_THAT(Send(Seat::k0, Nonce(10)), IsOk());
  EXPECT_THAT(Send(Seat::k1, Nonce(99)), FailsWith(Reason::kBadNonce));
  EXPECT_THAT(Send(Seat::k2, Nonce(12)), IsOk());
  auto told = TellAll(bench_.journal);
  for (Seat seat : rules::kSeats) {
    ASSERT_EQ(told.seats[seat].size(), quiet.seats[seat].size());
    const auto& opened = std::get<RoundOpened>(*told.seats[seat].back().event);
    EXPECT_EQ(opened.nonce_hashes, bench_.state.round->begun.nonce_hashes);
    EXPECT_EQ(opened.reveal_due, bench_.now + milliseconds(2'000));
  }
  EXPECT_EQ(told.watchers.size(), quiet.watchers.size());
  Draw();
  auto after = TellAll(bench_.journal);
  for (Seat seat : rules::kSeats) {
    ASSERT_EQ(after.seats[seat].size(), quiet.seats[seat].size() + 1);
    EXPECT_EQ(std::get<DealOpened>(*after.seats[seat].back().event).nonces, Deal().nonces);
  }
  ASSERT_EQ(after.watchers.size(), quiet.watchers.size() + 1);
  EXPECT_EQ(std::get<DealOpened>(*after.watchers.back().event).nonces, Deal().nonces);
}

// ------------------------------------------------------------------------ whatever is sent when

// Hashes, nonces, leaves, waits and restarts at random: what is recorded is what the specification says
// of it, the deal comes from that alone, and the journal stays small.
TEST_F(NoncesTest, WhateverIsSentWhenTheRecordAndTheDealFollowFromIt) {
  std::set<NonceOutcome> seen;
  const std::int64_t samples = testing::Count(20'000);
  for (std::int64_t sample = 0; sample < samples; ++sample) {
    testing::Random random(static_cast<std::uint64_t>(sample) + 1);
    bench_ = Bench();
    const auto some = [&random] {
      static constexpr std::size_t kLengths[] = {15, 16, 32, 64, 65};
      return Nonce(static_cast<std::uint8_t>(random.Below(3)), kLengths[random.Below(5)]);
    };
    Bench::Nonces nonces;
    for (Seat seat : rules::kSeats) {
      if (random.Below(4) > 0) nonces[seat] = some();
    }
    Begin(nonces, static_cast<std::uint8_t>(random.Below(256)));
    PerSeat<std::optional<Bytes>> first;   // that came, and does not count
    PerSeat<std::optional<Bytes>> counts;  // …and does
    while (bench_.state.to_draw() && NextStepOf(bench_.state) == NextStep::kNothing) {
      const auto seat = static_cast<Seat>(random.Below(4));
      const int dice = random.Below(100);
      if (dice < 60) {
        const Bytes sent = random.Below(2) == 0 && nonces[seat] ? *nonces[seat] : some();
        if (!Send(seat, sent).ok()) {
          const bool heard = nonces[seat] && !bench_.state.leaving[seat];
          if (heard && !first[seat]) first[seat] = sent;
        } else {
          counts[seat] = sent;
        }
      } else if (dice < 65 && !bench_.state.leaving[seat]) {
        bench_.Leave(seat);
      } else if (dice < 70) {
        bench_.Apply({ClocksRestarted{}});
      } else {
        bench_.Wait(milliseconds(random.Below(500)));
      }
    }
    if (bench_.state.to_draw()) Draw();
    fairness::RoundContext context;
    context.round_id = "r1";
    context.variant = "chaozhou";
    context.options = bench_.state.spec.options;
    for (Seat seat : rules::kSeats) {
      const auto& kept = Deal().nonces[seat];
      const auto hash =
          nonces[seat] ? std::optional(fairness::CommitNonce(*nonces[seat])) : std::nullopt;
      seen.insert(kept.outcome);
      ASSERT_EQ(kept.outcome, fairness::CheckNonce({hash, kept.reveal})) << sample;
      ASSERT_EQ(kept.reveal, counts[seat] ? counts[seat] : first[seat]) << sample;
      ASSERT_EQ(kept.outcome == NonceOutcome::kRevealed, counts[seat].has_value()) << sample;
      context.nonces[static_cast<std::size_t>(seat)] = counts[seat].value_or(Bytes());
    }
    ASSERT_EQ(Deal().wall, fairness::ShuffleWall(
                               bench_.state.variant->play(bench_.state.options).wall,
                               fairness::ContextDigest(context), bench_.state.round->begun.seed))
        << sample;
    ASSERT_LE(bench_.All<NonceRevealed>().size(), 8U) << sample;
    TableState replayed;
    for (const LogEntry& entry : bench_.journal) ASSERT_THAT(Apply(replayed, entry), IsOk());
    ASSERT_EQ(replayed.round->deal, bench_.state.round->deal) << sample;
  }
  EXPECT_THAT(seen, SizeIs(5)) << "every outcome";
}

}  // namespace
}  // namespace mj::table
