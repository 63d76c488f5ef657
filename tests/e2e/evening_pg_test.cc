// Whole evenings of four bots, from their accounts to the books.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/status_testing.h"
#include "libs/pg/pool.h"
#include "libs/player/lobby.h"
#include "libs/player/table_player.h"
#include "libs/receipt/price.h"
#include "libs/rpc/client.h"
#include "libs/variants/registry.h"
#include "libs/wire/finished_round.h"
#include "tests/e2e/suite_testing.h"
#include "tests/support/counts.h"
#include "tools/demo/books.h"
#include "tools/demo/checks.h"
#include "tools/demo/deal_check.h"

namespace mj::e2e {
namespace {

using base::IsOk;
using demo::RoundStory;
using demo::Sitting;
using rules::Seat;
using std::chrono::seconds;

constexpr seconds kSeating{30};

// Invariant 4: what was posted is what the outcome comes to when it is scored again.
void ExpectScoredAgain(const Sitting& sitting, const RoundStory& story) {
  const auto* ended = EndedIn(story, Seat::k0);
  const auto* settled = SettledIn(story, Seat::k0);
  ASSERT_TRUE(ended != nullptr && settled != nullptr);
  const auto round = wire::FromProto(ended->outcome());
  ASSERT_THAT(round, IsOk());
  const auto priced =
      receipt::PriceRound(*sitting.game, sitting.options, ended->outcome().base(), *round);
  ASSERT_TRUE(priced.ok());
  const auto& transfers = settled->score().transfers();
  ASSERT_EQ(static_cast<std::size_t>(transfers.size()), priced.value().transfers.size());
  for (int i = 0; i < transfers.size(); ++i) {
    const auto& want = priced.value().transfers[static_cast<std::size_t>(i)];
    EXPECT_EQ(transfers[i].from_seat(), static_cast<std::uint32_t>(rules::IndexOf(want.from)));
    EXPECT_EQ(transfers[i].to_seat(), static_cast<std::uint32_t>(rules::IndexOf(want.to)));
    EXPECT_EQ(transfers[i].coins(), want.coins.value());
    EXPECT_EQ(transfers[i].rule_id(), want.rule);
  }
}

// Invariant 3, by the bytes: nothing of the seed before the round is paid, of nobody's nonce before the
// deal is drawn, and no tile of another's hand. (What is drawn is checked event by event in ProblemsOf.)
void ExpectNothingLeaks(const RoundStory& story) {
  const auto* settled = SettledIn(story, Seat::k0);
  ASSERT_NE(settled, nullptr);
  ASSERT_EQ(settled->seed().size(), 128u);
  const std::string part = settled->seed().substr(0, 16);
  for (const Seat seat : rules::kSeats) {
    for (const auto& event : story.StreamOf(seat)) {
      const bool over = event.event_case() == demo::table::TableEvent::kRoundSettled;
      EXPECT_EQ(event.SerializeAsString().find(part) != std::string::npos, over)
          << event.ShortDebugString();
      const bool drawn = event.event_case() == demo::table::TableEvent::kDealDrawn;
      for (const auto& nonce : settled->nonces()) {
        ASSERT_EQ(nonce.nonce().size(), 32u);
        EXPECT_EQ(event.SerializeAsString().find(nonce.nonce()) != std::string::npos, drawn || over)
            << event.ShortDebugString();
      }
    }
  }
}

// The streams count from 1 without gaps, or a client could not know that it missed something.
void ExpectCounted(const RoundStory& story) {
  for (const Seat seat : rules::kSeats) {
    const auto& stream = story.StreamOf(seat);
    for (std::size_t i = 1; i < stream.size(); ++i) {
      EXPECT_EQ(stream[i].sequence(), stream[i - 1].sequence() + 1);
    }
  }
}

// COM-02: where the game asks for it, the dealer rolls, and nobody else is asked; all see the faces.
void ExpectDiceRolled(const Sitting& sitting, const RoundStory& story) {
  const bool dealer_rolls = sitting.game->play(sitting.options).dealer_rolls;
  const auto* drawn = DrawnIn(story, Seat::k0);
  ASSERT_NE(drawn, nullptr);
  for (const Seat seat : rules::kSeats) {
    int asked = 0;
    for (const auto& event : story.StreamOf(seat)) {
      asked += event.decision_offered().decision().kind() == demo::table::DECISION_KIND_DICE;
    }
    const bool dealer = drawn->dealer() == static_cast<std::uint32_t>(rules::IndexOf(seat));
    EXPECT_EQ(asked, dealer_rolls && dealer ? 1 : 0);
    EXPECT_NE(DiceIn(story, seat), nullptr);
  }
}

// What a lone winner was told of its win is what it was paid for it.
void ExpectWorthTold(const Sitting& sitting, const RoundStory& story) {
  const auto* ended = EndedIn(story, Seat::k0);
  const auto* settled = SettledIn(story, Seat::k0);
  ASSERT_TRUE(ended != nullptr && settled != nullptr);
  if (ended->outcome().wins_size() != 1) return;
  const auto round = wire::FromProto(ended->outcome());
  ASSERT_THAT(round, IsOk());
  const auto priced =
      receipt::PriceRound(*sitting.game, sitting.options, ended->outcome().base(), *round);
  ASSERT_TRUE(priced.ok());
  std::int64_t paid = 0;
  for (const receipt::Line& line : priced.value().lines) {
    if (!line.is_kong) paid += line.coins.value() * static_cast<std::int64_t>(line.from.size());
  }
  const Seat winner = round->wins[0].seat;
  const demo::table::WinOffer* offer = nullptr;
  std::uint32_t hits = 0;
  for (const auto& event : story.StreamOf(winner)) {
    if (event.decision_offered().decision().offers().has_win()) {
      offer = &event.decision_offered().decision().offers().win();
    }
    for (const auto& horse : event.horses_turned().horses()) {
      hits += horse.has_hit_seat() ? 1U : 0U;
      EXPECT_TRUE(!horse.has_hit_seat() ||
                  horse.hit_seat() == static_cast<std::uint32_t>(rules::IndexOf(winner)));
    }
  }
  ASSERT_NE(offer, nullptr);
  const auto& score = settled->score().wins(0);
  EXPECT_EQ(hits, score.horses_hit());
  EXPECT_EQ(offer->coins() * (1 + hits), paid);
  EXPECT_EQ(offer->has_fan(), score.has_fan());
  EXPECT_EQ(offer->fan(), score.fan());
  EXPECT_EQ(offer->multiplier(), score.multiplier());
  ASSERT_EQ(offer->pattern_ids_size(), score.patterns_size());
  for (int i = 0; i < offer->pattern_ids_size(); ++i) {
    EXPECT_EQ(offer->pattern_ids(i), score.patterns(i).id());
  }
}

std::vector<std::string> EveryGame() {
  std::vector<std::string> ids;
  for (const rules::Variant* game : variants::All()) ids.emplace_back(game->info().id);
  return ids;
}

class EveningTest : public ::testing::TestWithParam<std::string> {};

TEST_P(EveningTest, EveryRoundIsSettledAndTheBooksBalance) {
  Suite suite;
  const auto sitting = demo::SeatFour(suite.stubs(), "evening", GetParam(), kSeating);
  ASSERT_THAT(sitting, IsOk());

  const auto rounds = static_cast<std::uint32_t>(testing::Count(300));
  rules::PerSeat<std::int64_t> balances;
  std::vector<std::string> players;
  for (const Seat seat : rules::kSeats) {
    balances[seat] = sitting->guests[seat].coins;
    players.push_back(sitting->guests[seat].player_id);
  }
  std::uint32_t told = 0;
  std::set<std::string> round_ids, seeds;
  const absl::Status played = demo::PlayRounds(
      suite.stubs(), *sitting, {.rounds = rounds, .seed = 7}, [&](const RoundStory& story) {
        SCOPED_TRACE("round " + std::to_string(story.number));
        EXPECT_EQ(story.number, ++told);
        EXPECT_THAT(ProblemsOf(story, balances), ::testing::IsEmpty());
        const auto deal = CheckDeal(story, *sitting->game, sitting->options);
        EXPECT_TRUE(deal.good) << deal.text;
        ExpectScoredAgain(*sitting, story);
        ExpectDiceRolled(*sitting, story);
        ExpectWorthTold(*sitting, story);
        ExpectNothingLeaks(story);
        ExpectCounted(story);
        if (const auto* settled = SettledIn(story, Seat::k0)) {
          EXPECT_TRUE(round_ids.insert(settled->round_id()).second);
          EXPECT_TRUE(seeds.insert(settled->seed()).second);
        }
        for (const Seat seat : rules::kSeats) {
          if (story.number < rounds) {
            balances[seat] += demo::BuyIn(balances[seat], sitting->base);
          }
        }
      });
  EXPECT_THAT(played, IsOk());
  EXPECT_EQ(told, rounds);

  base::SystemClock clock;
  pg::Pool pool({.url = suite.database().url(), .application_name = "e2e"}, clock);
  const auto books = demo::ReadBooks(pool, clock, {{sitting->table_id}, players});
  ASSERT_THAT(books, IsOk());
  EXPECT_TRUE(books->balance());
  EXPECT_EQ(books->settlements, rounds);
  for (const Seat seat : rules::kSeats) {
    const auto i = static_cast<std::size_t>(rules::IndexOf(seat));
    EXPECT_EQ(books->players[i].balance, balances[seat]);
    EXPECT_EQ(books->players[i].entries, balances[seat]);
    EXPECT_THAT(player::BalanceOf(*suite.stubs().wallet, players[i]),
                base::IsOkAndHolds(balances[seat]));
  }
}

INSTANTIATE_TEST_SUITE_P(Games, EveningTest, ::testing::ValuesIn(EveryGame()),
                         [](const auto& game) { return game.param; });

// Reads the stream of a seat from after `sequence` until the round is settled.
std::vector<demo::table::TableEvent> ReadAgain(const Suite& suite, const Sitting& sitting,
                                               Seat seat, std::uint64_t after, std::size_t count) {
  demo::table::SubscribeRequest request;
  request.set_table_id(sitting.table_id);
  request.set_player_id(sitting.guests[seat].player_id);
  request.set_join_token(sitting.guests[seat].join_token);
  request.set_after_sequence(after);
  grpc::ClientContext context;
  rpc::Prepare(context, {.timeout = seconds(20)});
  const auto reader = suite.stubs().table->Subscribe(&context, request);
  std::vector<demo::table::TableEvent> events;
  for (demo::table::SubscribeResponse response; events.size() < count && reader->Read(&response);) {
    events.insert(events.end(), response.events().begin(), response.events().end());
  }
  events.resize(std::min(events.size(), count));
  context.TryCancel();
  return events;
}

// A client that has lost everything but its player's id.
TEST(LocateTest, WhoComesBackLearnsWhereToSitWithWhatAndUntilWhenItIsWaitedFor) {
  Suite suite;
  const auto sitting = demo::SeatFour(suite.stubs(), "back", "chaozhou", kSeating);
  ASSERT_THAT(sitting, IsOk());
  for (const Seat seat : {Seat::k0, Seat::k2}) {
    const demo::Guest& guest = sitting->guests[seat];
    ::mahjong::matchmaking::v1::LocatePlayerRequest request;
    request.set_player_id(guest.player_id);
    const auto locate = [&] {
      return rpc::Invoke(
          *suite.stubs().matchmaking,
          &::mahjong::matchmaking::v1::MatchmakingService::StubInterface::LocatePlayer, request,
          {.timeout = seconds(20)});
    };
    auto found = locate();
    // They are asked whether they play as soon as the wallet holds the four seats.
    while (found.ok() && !found->has_deadline()) found = locate();
    ASSERT_THAT(found, IsOk());
    EXPECT_EQ(found->seat().table_id(), sitting->table_id);
    EXPECT_EQ(found->seat().seat(), static_cast<std::uint32_t>(rules::IndexOf(seat)));
    EXPECT_EQ(found->seat().join_token(), guest.join_token);
    EXPECT_EQ(found->round_id(), "");
    EXPECT_FALSE(ReadAgain(suite, *sitting, seat, 0, 1).empty()) << "and that opens its stream";
  }
}

TEST(StreamTest, TellsThePastAgainWordForWord) {
  Suite suite;
  const auto sitting = demo::SeatFour(suite.stubs(), "again", "chaozhou", kSeating);
  ASSERT_THAT(sitting, IsOk());
  bool compared = false;
  const absl::Status played = demo::PlayRounds(
      suite.stubs(), *sitting, {.rounds = 2, .seed = 3}, [&](const RoundStory& story) {
        if (story.number != 1) return;
        for (const Seat seat : rules::kSeats) {
          const auto& first = story.StreamOf(seat);
          // From the beginning of the round, and from its middle.
          for (const std::size_t skipped : {std::size_t{0}, first.size() / 2}) {
            const auto again = ReadAgain(suite, *sitting, seat, first[skipped].sequence() - 1,
                                         first.size() - skipped);
            ASSERT_EQ(again.size(), first.size() - skipped);
            for (std::size_t i = 0; i < again.size(); ++i) {
              EXPECT_EQ(again[i].SerializeAsString(), first[skipped + i].SerializeAsString());
            }
          }
        }
        compared = true;
      });
  EXPECT_THAT(played, IsOk());
  EXPECT_TRUE(compared);
}

TEST(StreamTest, SeveralTablesPlaySideBySide) {
  Suite suite;
  constexpr int kTables = 3;
  std::vector<Sitting> sittings;
  for (int i = 0; i < kTables; ++i) {
    const auto sitting =
        demo::SeatFour(suite.stubs(), "side" + std::to_string(i), "chaozhou", kSeating);
    ASSERT_THAT(sitting, IsOk());
    sittings.push_back(*sitting);
  }
  base::Executor tables({.name = "tables", .threads = kTables, .queue_max = kTables});
  std::array<absl::Status, kTables> played;
  for (int i = 0; i < kTables; ++i) {
    tables.Post([&, i] {
      const auto index = static_cast<std::size_t>(i);
      played.at(index) = demo::PlayRounds(suite.stubs(), sittings[index],
                                          {.rounds = 2, .seed = index}, [](const RoundStory&) {});
    });
  }
  tables.Stop();
  for (const absl::Status& one : played) EXPECT_THAT(one, IsOk());
  EXPECT_EQ(suite.database().Execute("SELECT count(*) FROM wallet.settlements"), "6");
  EXPECT_EQ(suite.database().Execute("SELECT coalesce(sum(coins), 0) FROM wallet.entries"), "0");
}

}  // namespace
}  // namespace mj::e2e
