#include "services/matchmaking/app/wish.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>

#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"
#include "libs/variants/registry.h"

namespace mj::matchmaking {
namespace {

using base::FailsWith;
using base::Reason;

TicketRequest Asked(std::map<std::string, std::string> options = {}) {
  return {RequestId("r"), PlayerId("ann"), "chaozhou", std::move(options), 0, "COIN"};
}

TEST(WishTest, CarriesWhatWasAsked) {
  TicketRequest request = Asked({{"max_multiplier", "0"}});
  request.asked_base = 100;
  const auto wishes = ReadWishes(request);
  ASSERT_THAT(wishes, base::IsOkAndHolds(::testing::SizeIs(1)));
  const Wish* wish = &wishes->front();
  EXPECT_EQ(wish->request, RequestId("r"));
  EXPECT_EQ(wish->player, PlayerId("ann"));
  EXPECT_EQ(wish->pool,
            (matching::Pool{
                .variant = "chaozhou", .options = {{"max_multiplier", "0"}}, .currency = "COIN"}));
  EXPECT_EQ(wish->asked_base, 100);
}

TEST(WishTest, DefaultsAreLeftOutSoThatAlikeMeetsAlike) {
  for (const rules::Variant* game : variants::All()) {
    TicketRequest request = Asked();
    request.variant = std::string(game->info().id);
    request.options = rules::ToTexts(game->options(), rules::DefaultOptions(game->options()), true);
    const auto wishes = ReadWishes(request);
    ASSERT_THAT(wishes, base::IsOk()) << request.variant;
    EXPECT_TRUE(wishes->front().pool.options.empty()) << request.variant;
  }
}

TEST(WishTest, OneWritingOfAValue) {
  EXPECT_EQ(ReadWishes(Asked({{"max_multiplier", "0020"}}))->front().pool.options,
            ReadWishes(Asked({{"max_multiplier", "20"}}))->front().pool.options);
}

TEST(WishTest, WhatIsToldOfAPlayerIsBroughtToOneForm) {
  TicketRequest request = Asked();
  request.media = matching::Media::kVideo;
  request.details = {"phone", "2001:0DB8::1", {{"east", 0}, {"west", 10'000}}, {PlayerId("bob")}};
  const auto wishes = ReadWishes(request);
  ASSERT_THAT(wishes, base::IsOk());
  const Wish& wish = wishes->front();
  EXPECT_EQ(wish.pool.media, matching::Media::kVideo);
  EXPECT_EQ(wish.client, (Client{"phone", "2001:db8:0:0", {{"east", 0}, {"west", 10'000}}}));
  EXPECT_EQ(wish.avoid, std::set<PlayerId>{PlayerId("bob")});
}

TEST(WishTest, FriendsAskForTheSameGame) {
  TicketRequest request = Asked({{"max_multiplier", "0"}});
  request.friends = {{PlayerId("bob"), {.device = "tablet"}}, {PlayerId("cid"), {}}};
  const auto wishes = ReadWishes(request);
  ASSERT_THAT(wishes, base::IsOkAndHolds(::testing::SizeIs(3)));
  EXPECT_EQ((*wishes)[1].player, PlayerId("bob"));
  EXPECT_EQ((*wishes)[1].client.device, "tablet");
  for (const Wish& wish : *wishes) EXPECT_EQ(wish.pool, wishes->front().pool);
}

TEST(WishTest, FriendsOfOneDeviceMayPractise) {
  TicketRequest request = Asked();
  request.details.device = "phone";
  request.friends = {{PlayerId("bob"), {.device = "phone"}}};
  EXPECT_THAT(ReadWishes(request), FailsWith(Reason::kSharedDevice, "friends[0].client.device_id"));
  request.currency = "PRACTICE";
  EXPECT_THAT(ReadWishes(request), base::IsOk());
}

TEST(WishTest, BotsAreWishedForPracticeAlone) {
  TicketRequest request = Asked();
  request.bots = matching::Bots::kAtOnce;
  EXPECT_THAT(ReadWishes(request), FailsWith(Reason::kBotsForPracticeOnly, "bots"));
  request.currency = "PRACTICE";
  request.friends = {{PlayerId("bob"), {}}};
  const auto wishes = ReadWishes(request);
  ASSERT_THAT(wishes, base::IsOkAndHolds(::testing::SizeIs(2)));
  for (const Wish& wish : *wishes) {
    EXPECT_EQ(wish.bots, matching::Bots::kAtOnce);
    EXPECT_EQ(ForMatching(wish).bots, matching::Bots::kAtOnce);
  }
  Wish other = wishes->front();
  other.bots = matching::Bots::kNone;
  EXPECT_FALSE(other.SameQuestion(wishes->front()));
}

TEST(WishTest, HowWellTheBotsPlayIsPartOfTheWish) {
  TicketRequest request = Asked();
  request.currency = "PRACTICE";
  request.bots = matching::Bots::kAtOnce;
  request.bot_strength = matching::BotStrength::kWeak;
  const auto wishes = ReadWishes(request);
  ASSERT_THAT(wishes, base::IsOk());
  EXPECT_EQ(wishes->front().bot_strength, matching::BotStrength::kWeak);
  EXPECT_EQ(ForMatching(wishes->front()).bot_strength, matching::BotStrength::kWeak);
  Wish other = wishes->front();
  other.bot_strength = matching::BotStrength::kStrong;
  EXPECT_FALSE(other.SameQuestion(wishes->front()));
}

struct BadRequest {
  std::string_view name;
  std::function<void(TicketRequest&)> spoil;
  Reason reason;
  std::string_view field;
};

void PrintTo(const BadRequest& bad, std::ostream* os) { *os << bad.name; }

class BadRequestTest : public ::testing::TestWithParam<BadRequest> {};

TEST_P(BadRequestTest, IsRefusedWithItsReasonAndField) {
  TicketRequest request = Asked();
  GetParam().spoil(request);
  EXPECT_THAT(ReadWishes(request), FailsWith(GetParam().reason, GetParam().field));
}

// By precedence: each row repairs what was wrong in the one above, and leaves the rest wrong.
INSTANTIATE_TEST_SUITE_P(
    All, BadRequestTest,
    ::testing::Values(
        BadRequest{"UnknownVariant",
                   [](auto& r) {
                     r.variant = "riichi";
                     r.options["nonsense"] = "1";
                     r.asked_base = -1;
                   },
                   Reason::kUnknownVariant, "variant"},
        BadRequest{"NoVariant", [](auto& r) { r.variant = ""; }, Reason::kUnknownVariant,
                   "variant"},
        BadRequest{"UnknownOption",
                   [](auto& r) {
                     r.options["nonsense"] = "1";
                     r.asked_base = -1;
                   },
                   Reason::kUnknownOption, "options.nonsense"},
        BadRequest{"NotANumber",
                   [](auto& r) {
                     r.options["max_multiplier"] = "ten";
                     r.asked_base = -1;
                   },
                   Reason::kOptionOutOfRange, "options.max_multiplier"},
        BadRequest{"OutOfRange", [](auto& r) { r.options["max_multiplier"] = "-1"; },
                   Reason::kOptionOutOfRange, "options.max_multiplier"},
        BadRequest{"NegativeBase", [](auto& r) { r.asked_base = -1; }, Reason::kBadBase, "base"},
        BadRequest{"LowestBase", [](auto& r) { r.asked_base = INT64_MIN; }, Reason::kBadBase,
                   "base"},
        BadRequest{"BaseTooHigh", [](auto& r) { r.asked_base = kBaseMax + 1; }, Reason::kBadBase,
                   "base"},
        BadRequest{"TooManyRegions",
                   [](auto& r) {
                     for (std::size_t i = 0; i <= kRegionsMax; ++i) {
                       r.details.latency["r" + std::to_string(i)] = -1;
                     }
                   },
                   Reason::kBatchTooLarge, "client.latency_ms"},
        BadRequest{"NegativeLatency",
                   [](auto& r) {
                     r.details.latency = {{"east", -1}};
                     r.details.address = "x";
                   },
                   Reason::kBadLatency, "client.latency_ms.east"},
        BadRequest{"LongLatency", [](auto& r) { r.details.latency = {{"east", kLatencyMax + 1}}; },
                   Reason::kBadLatency, "client.latency_ms.east"},
        BadRequest{"BadAddress",
                   [](auto& r) {
                     r.details.address = "203.0.113.7:80";
                     for (std::size_t i = 0; i <= kAvoidMax; ++i) {
                       r.details.avoid.insert(PlayerId("p" + std::to_string(i)));
                     }
                   },
                   Reason::kBadAddress, "client.network_address"},
        BadRequest{"TooManyAvoided",
                   [](auto& r) {
                     for (std::size_t i = 0; i <= kAvoidMax; ++i) {
                       r.details.avoid.insert(PlayerId("p" + std::to_string(i)));
                     }
                     r.friends.resize(4);
                   },
                   Reason::kBatchTooLarge, "avoid_player_ids"},
        BadRequest{"TooManyFriends",
                   [](auto& r) {
                     r.friends.resize(4);
                     r.friends[0].details.address = "x";
                   },
                   Reason::kBatchTooLarge, "friends"},
        BadRequest{"AFriendsBadAddress",
                   [](auto& r) {
                     r.friends = {{r.player, {}}, {PlayerId("bob"), {}}};
                     r.friends[1].details.address = "x";
                   },
                   Reason::kBadAddress, "friends[1].client.network_address"},
        BadRequest{"AFriendOfOneself", [](auto& r) { r.friends = {{r.player, {}}}; },
                   Reason::kDuplicatePlayer, "friends[0].player_id"},
        BadRequest{"AFriendTwice",
                   [](auto& r) {
                     r.friends = {{PlayerId("bob"), {.device = "phone"}},
                                  {PlayerId("bob"), {.device = "phone"}}};
                   },
                   Reason::kDuplicatePlayer, "friends[1].player_id"},
        BadRequest{"FriendsOfOneNetwork",
                   [](auto& r) {
                     r.friends = {{PlayerId("bob"), {.address = "2001:db8::1"}},
                                  {PlayerId("cid"), {.address = "2001:db8::2"}}};
                   },
                   Reason::kSharedNetwork, "friends[1].client.network_address"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(WishTest, AGameThatPaysHalvesTakesEvenBasesOnly) {
  for (const rules::Variant* game : variants::All()) {
    TicketRequest request = Asked();
    request.variant = std::string(game->info().id);
    request.asked_base = 11;
    EXPECT_EQ(ReadWishes(request).ok(), game->info().units_per_base == 1) << request.variant;
  }
}

}  // namespace
}  // namespace mj::matchmaking
