#include "services/matchmaking/app/assigner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <string>
#include <thread>

#include "libs/base/reasons.h"
#include "services/matchmaking/app/app_testing.h"
#include "services/matchmaking/app/store_wrapper_testing.h"
#include "tests/support/counts.h"

namespace mj::matchmaking {
namespace {

// A store whose first write is held up until so many callers wait for the next.
class SlowStore final : public StoreWrapper {
 public:
  using StoreWrapper::StoreWrapper;
  absl::StatusOr<std::vector<Assigned>> AssignMatches(std::span<const Standing> matches,
                                                      Millis check_after) override {
    EXPECT_FALSE(writing_.exchange(true)) << "one write at a time";
    std::set<MatchId> different;
    for (const Standing& standing : matches) different.insert(standing.match);
    EXPECT_EQ(different.size(), matches.size());
    if (writes.fetch_add(1) == 0) {
      while (called < hold_until) std::this_thread::yield();
    }
    auto answers = failure.ok() ? StoreWrapper::AssignMatches(matches, check_after) : failure;
    writing_ = false;
    return answers;
  }
  std::atomic<int> writes = 0;
  std::atomic<int> called = 0;
  int hold_until = 0;
  absl::Status failure;

 private:
  std::atomic<bool> writing_ = false;
};

class AssignerTest : public AppTest {
 protected:
  static TablePlace Place(const MatchId& match) { return {TableId("t-" + match.value()), "a:1"}; }
  std::vector<Match> MakeMany(int number) {
    for (int i = 0; i < number; ++i) QueueFour("p" + std::to_string(made_++) + "-");
    const auto made = MatchPools(store_, ids_, {});
    EXPECT_THAT(made, base::IsOkAndHolds(::testing::SizeIs(static_cast<std::size_t>(number))));
    return made.value_or(std::vector<Match>());
  }
  int made_ = 0;
};

TEST_F(AssignerTest, EachCallerGetsItsOwnAnswer) {
  for (std::int64_t round = 0; round < mj::testing::Count(500); ++round) {
    constexpr int kMatches = 6;
    const std::vector<Match> made = MakeMany(kMatches);
    ASSERT_EQ(made.size(), static_cast<std::size_t>(kMatches));
    ASSERT_THAT(store_.ReleaseMatch(made[1], "X", {}), base::IsOk());
    for (const Member& member : made[1].members) (void)store_.CancelTicket(member.ticket);
    SlowStore slow(store_);
    slow.hold_until = 2 * kMatches;
    Assigner assigner(slow, Millis(1));
    std::vector<absl::StatusOr<Assigned>> answers(2 * kMatches);
    std::atomic<std::size_t> answered = 0;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < answers.size(); ++i) {  // every match twice
      threads.emplace_back([&, i] {
        ++slow.called;
        const MatchId& match = made[i / 2].id;
        assigner.Assign(match, Place(match), [&, i](const absl::StatusOr<Assigned>& answer) {
          answers[i] = answer;
          ++answered;
        });
      });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(answered, answers.size()) << "each once, and none is left over";
    for (std::size_t i = 0; i < answers.size(); ++i) {
      ASSERT_THAT(answers[i],
                  base::IsOkAndHolds(i / 2 == 1 ? Assigned::kReleased : Assigned::kDone));
    }
    ASSERT_LT(slow.writes, 2 * kMatches) << "they were written together";
    for (const Member& member : made[2].members) {
      ASSERT_EQ(Find(member.ticket).assignment->place, Place(made[2].id));
    }
  }
}

TEST_F(AssignerTest, AFailureIsEverybodysWhoWasWrittenWithIt) {
  const std::vector<Match> made = MakeMany(1);
  SlowStore slow(store_);
  slow.failure = base::Error(base::Reason::kUnavailable);
  Assigner assigner(slow, Millis(1));
  absl::StatusOr<Assigned> answer;
  const auto note = [&](const absl::StatusOr<Assigned>& got) { answer = got; };
  assigner.Assign(made[0].id, Place(made[0].id), note);
  EXPECT_THAT(answer, base::FailsWith(base::Reason::kUnavailable));
  slow.failure = absl::OkStatus();
  assigner.Assign(made[0].id, Place(made[0].id), note);
  EXPECT_THAT(answer, base::IsOkAndHolds(Assigned::kDone));
}

TEST_F(AssignerTest, WhoIsToldMayAssignAgain) {
  const std::vector<Match> made = MakeMany(2);
  Assigner assigner(store_, Millis(1));
  std::vector<MatchId> told;
  assigner.Assign(made[0].id, Place(made[0].id), [&](const absl::StatusOr<Assigned>&) {
    told.push_back(made[0].id);
    assigner.Assign(made[1].id, Place(made[1].id),
                    [&](const absl::StatusOr<Assigned>&) { told.push_back(made[1].id); });
  });
  EXPECT_EQ(told, (std::vector{made[0].id, made[1].id}));
}

}  // namespace
}  // namespace mj::matchmaking
