// The checks that the demo and the other tests here rely on find what is wrong: a round is really
// played, then its telling is falsified in one place at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>

#include "libs/base/status_testing.h"
#include "tests/e2e/suite_testing.h"
#include "tools/demo/checks.h"
#include "tools/demo/deal_check.h"

namespace mj::e2e {
namespace {

using demo::RoundStory;
using demo::table::TableEvent;
using rules::Seat;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ChecksTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    Suite suite;
    const auto sitting =
        demo::SeatFour(suite.stubs(), "checks", "chaozhou", std::chrono::seconds(30));
    ASSERT_THAT(sitting, base::IsOk());
    ASSERT_THAT(demo::PlayRounds(suite.stubs(), *sitting, {.rounds = 1, .seed = 1},
                                 [&](const RoundStory& told) { story_ = told; }),
                base::IsOk());
    sitting_ = *sitting;
  }

  static std::vector<std::string> Problems(const RoundStory& story) {
    rules::PerSeat<std::int64_t> balances;
    for (const Seat seat : rules::kSeats) balances[seat] = sitting_->guests[seat].coins;
    return ProblemsOf(story, balances);
  }
  static demo::CheckResult Deal(const RoundStory& story) {
    return CheckDeal(story, *sitting_->game, sitting_->options);
  }

  // The first event of this kind in the seat's stream, to be changed.
  static TableEvent& Find(RoundStory& story, std::size_t seat, TableEvent::EventCase kind) {
    for (TableEvent& event : story.streams[seat]) {
      if (event.event_case() == kind) return event;
    }
    ADD_FAILURE() << "there is no such event";
    return story.streams[seat].front();
  }
  // In all four streams.
  static RoundStory Falsified(TableEvent::EventCase kind,
                              const std::function<void(TableEvent&)>& change) {
    RoundStory story = *story_;
    for (std::size_t seat = 0; seat < story.streams.size(); ++seat) {
      change(Find(story, seat, kind));
    }
    return story;
  }

  static std::optional<RoundStory> story_;
  static std::optional<demo::Sitting> sitting_;
};
std::optional<RoundStory> ChecksTest::story_;
std::optional<demo::Sitting> ChecksTest::sitting_;

TEST_F(ChecksTest, FindNothingInWhatWasToldTruly) {
  ASSERT_TRUE(story_ && sitting_);
  EXPECT_THAT(Problems(*story_), IsEmpty());
  EXPECT_TRUE(Deal(*story_).good);
}

TEST_F(ChecksTest, FindAnotherSeatsTile) {
  RoundStory story = *story_;
  for (TableEvent& event : story.streams[1]) {
    if (event.event_case() != TableEvent::kTileDrawn || event.tile_drawn().seat() == 1) continue;
    event.mutable_tile_drawn()->set_tile("1m");
    break;
  }
  EXPECT_THAT(Problems(story), Not(IsEmpty()));
}

TEST_F(ChecksTest, FindAnEndThatOnlyOneSeatWasTold) {
  RoundStory story = *story_;
  Find(story, 2, TableEvent::kRoundSettled).mutable_round_settled()->set_next_dealer(7);
  EXPECT_THAT(Problems(story), Not(IsEmpty()));
  story = *story_;
  story.streams[3].pop_back();
  EXPECT_THAT(Problems(story), Not(IsEmpty()));
}

TEST_F(ChecksTest, FindCoinsThatDoNotAddUp) {
  const auto changed = [](const std::function<void(demo::table::RoundSettled&)>& change) {
    return Problems(Falsified(TableEvent::kRoundSettled,
                              [&](TableEvent& event) { change(*event.mutable_round_settled()); }));
  };
  EXPECT_THAT(
      changed([](auto& settled) { settled.mutable_seats(0)->set_net(settled.seats(0).net() + 1); }),
      Not(IsEmpty()));
  EXPECT_THAT(changed([](auto& settled) {
                settled.mutable_seats(3)->set_balance(settled.seats(3).balance() - 1);
              }),
              Not(IsEmpty()));
  EXPECT_THAT(changed([](auto& settled) {
                auto* transfer = settled.mutable_score()->add_transfers();
                transfer->set_to_seat(1);
                transfer->set_coins(5);
              }),
              Not(IsEmpty()));
  EXPECT_THAT(changed([](auto& settled) { settled.clear_seats(); }), Not(IsEmpty()));
}

TEST_F(ChecksTest, FindADealThatIsNotTheSeeds) {
  const auto text = [](const RoundStory& story) {
    const demo::CheckResult result = Deal(story);
    EXPECT_FALSE(result.good);
    return result.text;
  };
  EXPECT_THAT(text(Falsified(TableEvent::kRoundSettled,
                             [](TableEvent& event) {
                               std::string& seed = *event.mutable_round_settled()->mutable_seed();
                               seed[0] = static_cast<char>(seed[0] ^ 1);
                             })),
              HasSubstr("does not hash"));
  EXPECT_THAT(text(Falsified(TableEvent::kRoundBegan,
                             [](TableEvent& event) {
                               event.mutable_round_began()->set_round_id("another-round");
                             })),
              Not(IsEmpty()));
  EXPECT_THAT(text(Falsified(TableEvent::kDiceRolled,
                             [](TableEvent& event) {
                               auto& dice = *event.mutable_dice_rolled();
                               dice.set_faces(0, dice.faces(0) % 6 + 1);
                             })),
              HasSubstr("dice"));
  const auto other_nonce = [](auto& told) {
    std::string& nonce = *told.mutable_nonces(1)->mutable_nonce();
    nonce[0] = static_cast<char>(nonce[0] ^ 1);
  };
  RoundStory nonces = Falsified(TableEvent::kRoundSettled, [&](TableEvent& event) {
    other_nonce(*event.mutable_round_settled());
  });
  EXPECT_THAT(text(nonces), HasSubstr("others after the round"));
  for (std::size_t seat = 0; seat < nonces.streams.size(); ++seat) {
    other_nonce(*Find(nonces, seat, TableEvent::kDealDrawn).mutable_deal_drawn());
  }
  EXPECT_THAT(text(nonces), HasSubstr("the nonce of seat 1"));
  EXPECT_THAT(text(Falsified(
                  TableEvent::kRoundBegan,
                  [](TableEvent& event) { event.mutable_round_began()->set_nonce_hashes(2, ""); })),
              HasSubstr("the nonce of seat 2"));
  EXPECT_THAT(text(Falsified(TableEvent::kDealDrawn,
                             [](TableEvent& event) {
                               auto& drawn = *event.mutable_deal_drawn();
                               drawn.set_dealer((drawn.dealer() + 1) % 4);
                             })),
              HasSubstr("dealer"));
  RoundStory dealt = *story_;
  Find(dealt, 2, TableEvent::kTilesDealt).mutable_tiles_dealt()->set_hand("1111222233334m");
  EXPECT_THAT(text(dealt), HasSubstr("seat 2 was dealt other tiles"));

  RoundStory drawn = *story_;
  for (auto& stream : drawn.streams) {
    for (TableEvent& event : stream) {
      if (event.event_case() != TableEvent::kTileDrawn) continue;
      const std::string& tile = event.tile_drawn().tile();
      if (!tile.empty()) event.mutable_tile_drawn()->set_tile(tile == "1m" ? "2m" : "1m");
    }
  }
  EXPECT_THAT(text(drawn), HasSubstr("is not the wall's tile"));
}

}  // namespace
}  // namespace mj::e2e
