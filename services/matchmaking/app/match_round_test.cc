#include "services/matchmaking/app/match_round.h"

#include <gtest/gtest.h>

#include "libs/base/reasons.h"
#include "services/matchmaking/app/app_testing.h"
#include "services/matchmaking/app/store_wrapper_testing.h"

namespace mj::matchmaking {
namespace {

using base::IsOkAndHolds;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class MatchRoundTest : public AppTest {};

TEST_F(MatchRoundTest, NobodyNothing) {
  EXPECT_THAT(MatchPools(store_, ids_, {}), IsOkAndHolds(IsEmpty()));
}

TEST_F(MatchRoundTest, EveryFullPoolGetsItsMatches) {
  for (const char* prefix : {"a", "b", "c"}) QueueFour(prefix);
  const auto matches = MatchPools(store_, ids_, {});
  ASSERT_THAT(matches, IsOkAndHolds(SizeIs(3)));
  EXPECT_EQ((*matches)[0].members[0].player, PlayerId("a0"));
  EXPECT_NE((*matches)[0].id, (*matches)[1].id);
  EXPECT_THAT(MatchPools(store_, ids_, {}), IsOkAndHolds(IsEmpty()));
}

TEST_F(MatchRoundTest, BotsSitDownWithWhoWaitedForPlayersInVain) {
  TicketRequest asked = Asked("ann");
  asked.currency = "PRACTICE";
  asked.bots = matching::Bots::kAfterWait;
  Wish wish = ReadWishes(asked).value().front();
  wish.pool.base = 100;
  ASSERT_THAT(store_.TakeTickets({TicketId("t")}, {wish}, Millis(60'000)), base::IsOk());
  const MatchRoundOptions options{.windows = {.bots_after = 5'000}};
  EXPECT_THAT(MatchPools(store_, ids_, options), IsOkAndHolds(IsEmpty()));
  clock_.Advance(Millis(5'000));
  const auto matches = MatchPools(store_, ids_, options);
  ASSERT_THAT(matches, IsOkAndHolds(SizeIs(1)));
  ASSERT_EQ(matches->front().members.size(), 1u);
  EXPECT_EQ(matches->front().members[0].ticket, TicketId("t"));
  EXPECT_EQ(matches->front().members[0].player, PlayerId("ann"));
  EXPECT_EQ(matches->front().members[0].token.size(), 32u) << "a secret of its own";
}

TEST_F(MatchRoundTest, ALargePoolIsWorkedOffInBatches) {
  for (const char* prefix : {"a", "b", "c"}) QueueFour(prefix);
  EXPECT_THAT(MatchPools(store_, ids_, {.queue = {.limit = 8}}), IsOkAndHolds(SizeIs(2)));
  EXPECT_THAT(MatchPools(store_, ids_, {.queue = {.limit = 8}}), IsOkAndHolds(SizeIs(1)));
}

TEST_F(MatchRoundTest, AFailingPoolDoesNotHoldUpTheOthers) {
  class Failing final : public StoreWrapper {
   public:
    using StoreWrapper::StoreWrapper;
    std::int64_t bad_base = 0;
    absl::StatusOr<std::vector<Match>> MakeMatches(const matching::Pool& pool,
                                                   const QueueOptions& options,
                                                   const FormMatches& form) override {
      if (pool.base == bad_base) return base::Error(base::Reason::kUnavailable);
      return StoreWrapper::MakeMatches(pool, options, form);
    }
  };
  Failing failing(store_);
  failing.bad_base = 100;
  QueueFour();
  EXPECT_THAT(MatchPools(failing, ids_, {}), base::FailsWith(base::Reason::kUnavailable));
  for (int i = 0; i < 4; ++i) {
    Wish wish = ReadWishes(Asked("rich" + std::to_string(i))).value().front();
    wish.pool.base = 1'000;
    EXPECT_THAT(store_.TakeTickets({TicketId(ids_.Next())}, {wish}, Millis(60'000)), base::IsOk());
  }
  EXPECT_THAT(MatchPools(failing, ids_, {}), IsOkAndHolds(SizeIs(1)));
}

}  // namespace
}  // namespace mj::matchmaking
