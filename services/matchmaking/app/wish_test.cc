#include "services/matchmaking/app/wish.h"

#include <gtest/gtest.h>

#include <functional>

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
  const auto wish = ReadWish(request);
  ASSERT_THAT(wish, base::IsOk());
  EXPECT_EQ(wish->request, RequestId("r"));
  EXPECT_EQ(wish->player, PlayerId("ann"));
  EXPECT_EQ(wish->pool, (matching::Pool{"chaozhou", {{"max_multiplier", "0"}}, 0, "COIN"}));
  EXPECT_EQ(wish->asked_base, 100);
}

TEST(WishTest, DefaultsAreLeftOutSoThatAlikeMeetsAlike) {
  for (const rules::Variant* game : variants::All()) {
    TicketRequest request = Asked();
    request.variant = std::string(game->info().id);
    request.options = rules::ToTexts(game->options(), rules::DefaultOptions(game->options()), true);
    const auto wish = ReadWish(request);
    ASSERT_THAT(wish, base::IsOk()) << request.variant;
    EXPECT_TRUE(wish->pool.options.empty()) << request.variant;
  }
}

TEST(WishTest, OneWritingOfAValue) {
  EXPECT_EQ(ReadWish(Asked({{"max_multiplier", "0020"}}))->pool.options,
            ReadWish(Asked({{"max_multiplier", "20"}}))->pool.options);
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
  EXPECT_THAT(ReadWish(request), FailsWith(GetParam().reason, GetParam().field));
}

// By precedence: each row repairs what was wrong in the one above, and leaves the rest wrong.
INSTANTIATE_TEST_SUITE_P(
    All, BadRequestTest,
    ::testing::Values(BadRequest{"UnknownVariant",
                                 [](auto& r) {
                                   r.variant = "riichi";
                                   r.options["nonsense"] = "1";
                                   r.asked_base = -1;
                                 },
                                 Reason::kUnknownVariant, "variant"},
                      BadRequest{"NoVariant", [](auto& r) { r.variant = ""; },
                                 Reason::kUnknownVariant, "variant"},
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
                      BadRequest{"NegativeBase", [](auto& r) { r.asked_base = -1; },
                                 Reason::kBadBase, "base"},
                      BadRequest{"LowestBase", [](auto& r) { r.asked_base = INT64_MIN; },
                                 Reason::kBadBase, "base"},
                      BadRequest{"BaseTooHigh", [](auto& r) { r.asked_base = kBaseMax + 1; },
                                 Reason::kBadBase, "base"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(WishTest, AGameThatPaysHalvesTakesEvenBasesOnly) {
  for (const rules::Variant* game : variants::All()) {
    TicketRequest request = Asked();
    request.variant = std::string(game->info().id);
    request.asked_base = 11;
    EXPECT_EQ(ReadWish(request).ok(), game->info().units_per_base == 1) << request.variant;
  }
}

}  // namespace
}  // namespace mj::matchmaking
