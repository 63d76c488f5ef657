// Rounds in which players are late, are away, and leave: books balance, and every round is closed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <iostream>
#include <optional>
#include <string>

#include "libs/base/status_testing.h"
#include "libs/variants/registry.h"
#include "services/table/app/world_testing.h"
#include "tests/support/counts.h"
#include "tests/support/random.h"

namespace mj::table {
namespace {

using base::IsOk;
using std::chrono::milliseconds;

class CarelessTest : public ::testing::TestWithParam<const rules::Variant*> {};

INSTANTIATE_TEST_SUITE_P(Games, CarelessTest,
                         ::testing::ValuesIn(variants::All().begin(), variants::All().end()),
                         [](const auto& game) { return std::string(game.param->info().id); });

TEST_P(CarelessTest, WhateverPlayersDoTheBooksBalance) {
  const std::string id(GetParam()->info().id);
  const std::int64_t rounds = testing::Count(10'000);
  World world(77);
  testing::Random random(78);
  const SettingValues settings{{"act_ms", 50}, {"claim_ms", 50}, {"auto_play_ms", 20}};
  const auto made = world.Create("match", World::Spec(id), settings);
  ASSERT_THAT(made, IsOk());
  const TableId table = made->id;
  Company company(world, table);
  Coins house = 0;
  int escapes = 0;
  for (std::int64_t r = 0; r < rounds; ++r) {
    company.ReadyAll();
    const bool leaves = random.OneIn(10);
    std::optional<Seat> left;
    while (world.Get(table)->stage == TableStage::kPlaying) {
      if (leaves && !left && random.OneIn(40)) {
        left = static_cast<Seat>(random.Below(4));
        ASSERT_THAT(world.Leave(table, "p" + std::to_string(rules::IndexOf(*left))), IsOk());
        company.Listen();
      } else if (random.OneIn(8) || company.asked() == nullptr ||
                 (left && company.asked()->seat() == *left)) {
        world.Advance(milliseconds(10 * (1 + random.Below(12))));
        company.Listen();
      } else {
        company.Step();
      }
    }
    ASSERT_EQ(world.Get(table)->stage, TableStage::kWaiting);
    ASSERT_EQ(world.wallet.open_rounds(), 0U) << "closed, once";
    if (!left) continue;
    const auto& seen = company.player(rules::After(*left)).seen();
    // Of this round: it is the last but for who left.
    std::optional<PenaltyPosted> voided;
    for (std::size_t i = seen.size() > 4 ? seen.size() - 4 : 0; i < seen.size(); ++i) {
      const auto* dropped = std::get_if<RoundDropped>(seen[i].event.get());
      if (dropped != nullptr) voided = dropped->penalty;
    }
    if (voided) {
      ++escapes;
      for (const SeatPosted& seat : voided->seats) house -= seat.net;
    }
    company.Rejoin(*left);
  }
  Coins total = house;
  for (TestPlayer& player : company.players()) total += world.wallet.balance(player.id());
  EXPECT_EQ(total, 4 * FakeWallet::kOpening);
  std::cout << "[  figures ] " << id << ": " << rounds << " rounds, " << escapes << " escapes\n";
  EXPECT_GT(escapes, 0);
  EXPECT_EQ(world.wallet.rounds() + static_cast<std::size_t>(escapes),
            static_cast<std::size_t>(rounds));
}

}  // namespace
}  // namespace mj::table
