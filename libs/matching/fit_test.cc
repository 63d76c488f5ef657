#include "libs/matching/fit.h"

#include <gtest/gtest.h>

#include <functional>
#include <string_view>
#include <vector>

namespace mj::matching {
namespace {

constexpr TimeMs kNow = 100'000;
constexpr Windows kWindows{};

Ticket Someone(const std::string& name, TimeMs waited = 0) {
  Ticket ticket;
  ticket.id = "ticket-" + name;
  ticket.player = name;
  ticket.pool = {.variant = "game", .options = {{"cap", "10"}}, .base = 100, .currency = "COIN"};
  ticket.queued_at = kNow - waited;
  ticket.expires_at = kNow + 1;
  ticket.rating = 25'000'000;
  ticket.device = "device-" + name;
  ticket.network = "network-" + name;
  return ticket;
}

Party Alone(const Ticket& ticket) { return {{&ticket}, ticket.rating, ticket.queued_at}; }

bool Fit(const Ticket& a, const Ticket& b) {
  const bool fits = Fits(Alone(a), Alone(b), kNow, kWindows);
  EXPECT_EQ(Fits(Alone(b), Alone(a), kNow, kWindows), fits) << "the other way round";
  return fits;
}

struct Row {
  std::string_view name;
  std::function<void(Ticket&, Ticket&)> change;  // of two who would fit
  Conflict conflict;
};
void PrintTo(const Row& row, std::ostream* os) { *os << row.name; }

class ConflictTest : public ::testing::TestWithParam<Row> {};

TEST_P(ConflictTest, IsTheSameBothWaysAndWhateverTheWait) {
  Ticket a = Someone("a", 3'600'000);
  Ticket b = Someone("b", 3'600'000);
  GetParam().change(a, b);
  EXPECT_EQ(ConflictOf(a, b), GetParam().conflict);
  EXPECT_EQ(ConflictOf(b, a), GetParam().conflict);
  EXPECT_EQ(Fit(a, b), GetParam().conflict == Conflict::kNone);
}

void Practice(Ticket& a, Ticket& b) { a.pool.currency = b.pool.currency = "PRACTICE"; }
void Room(Ticket& a, Ticket& b) { a.pool.room = b.pool.room = "room-1"; }

INSTANTIATE_TEST_SUITE_P(
    All, ConflictTest,
    ::testing::Values(
        Row{"Strangers", [](Ticket&, Ticket&) {}, Conflict::kNone},
        Row{"SamePlayer", [](Ticket& a, Ticket& b) { b.player = a.player; }, Conflict::kSamePlayer},
        Row{"SameTicket", [](Ticket& a, Ticket& b) { b.id = a.id; }, Conflict::kSamePlayer},
        Row{"SameDevice", [](Ticket& a, Ticket& b) { b.device = a.device; }, Conflict::kDevice},
        Row{"SameNetwork", [](Ticket& a, Ticket& b) { b.network = a.network; }, Conflict::kNetwork},
        Row{"DeviceBeforeNetwork",
            [](Ticket& a, Ticket& b) { b.device = a.device, b.network = a.network; },
            Conflict::kDevice},
        Row{"NobodyKnowsTheDevices",
            [](Ticket& a, Ticket& b) { a.device = b.device = a.network = b.network = ""; },
            Conflict::kNone},
        Row{"PracticeOnOneDevice",
            [](Ticket& a, Ticket& b) { Practice(a, b), b.device = a.device; }, Conflict::kNone},
        Row{"PracticeOnOneNetwork",
            [](Ticket& a, Ticket& b) { Practice(a, b), b.network = a.network; }, Conflict::kNone},
        Row{"Avoided", [](Ticket& a, Ticket& b) { a.avoid = {"x", b.player}; }, Conflict::kAvoided},
        Row{"AvoidedInPractice", [](Ticket& a, Ticket& b) { Practice(a, b), b.avoid = {a.player}; },
            Conflict::kAvoided},
        Row{"AvoidedButInvited", [](Ticket& a, Ticket& b) { Room(a, b), a.avoid = {b.player}; },
            Conflict::kNone},
        Row{"InvitedOnOneDevice", [](Ticket& a, Ticket& b) { Room(a, b), b.device = a.device; },
            Conflict::kDevice},
        Row{"AvoidsSomebodyElse", [](Ticket& a, Ticket&) { a.avoid = {"x"}; }, Conflict::kNone}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(FitTest, RatingsWithinTheNarrowerWindow) {
  Ticket a = Someone("a", 10'000);  // 4 + 10 × 0.5 = 9
  Ticket b = Someone("b", 2'000);   // 4 + 2 × 0.5 = 5
  b.rating = a.rating + 5'000'000;
  EXPECT_TRUE(Fit(a, b));
  b.rating += 1;
  EXPECT_FALSE(Fit(a, b)) << "a would take b, b would not yet take a";
  b.queued_at -= 1;
  EXPECT_TRUE(Fit(a, b)) << "a moment later";
}

TEST(FitTest, WhoHasWaitedLongEnoughTakesAnybody) {
  Ticket a = Someone("a", kWindows.open_after);
  Ticket b = Someone("b", kWindows.open_after);
  a.rating = -1'000'000'000;
  b.rating = 1'000'000'000;
  EXPECT_TRUE(Fit(a, b));
  b.queued_at += 1;
  EXPECT_FALSE(Fit(a, b));
}

TEST(FitTest, WhoJustMetMeetsAgainAfterBothHaveWaited) {
  Ticket a = Someone("a", kWindows.meet_again_after);
  Ticket b = Someone("b", kWindows.meet_again_after - 1);
  EXPECT_TRUE(Fit(a, b));
  b.met = {"a"};
  EXPECT_FALSE(Fit(a, b));
  b.queued_at -= 1;
  EXPECT_TRUE(Fit(a, b));
}

TEST(FitTest, InAPrivateRoomNeitherRatingsNorMeetingsCount) {
  Ticket a = Someone("a");
  Ticket b = Someone("b");
  a.rating = 90'000'000;
  a.met = {"b"};
  EXPECT_FALSE(Fit(a, b));
  Room(a, b);
  EXPECT_TRUE(Fit(a, b));
}

TEST(FitTest, APartyFitsIfAllItsMembersDo) {
  const Ticket a = Someone("a");
  const Ticket b = Someone("b");
  Ticket c = Someone("c");
  const auto fits = [&] {
    return Fits({{&a, &b}, a.rating, a.queued_at}, Alone(c), kNow, kWindows);
  };
  EXPECT_TRUE(fits());
  c.avoid = {"b"};
  EXPECT_FALSE(fits());
}

// --- regions ---

std::optional<Region> Common(const std::vector<Ticket>& tickets) {
  std::vector<Party> parties;
  for (const Ticket& ticket : tickets) parties.push_back(Alone(ticket));
  std::vector<const Party*> group;
  for (const Party& party : parties) group.push_back(&party);
  return CommonRegion(group, kNow, kWindows);
}

TEST(RegionTest, TheOneThatIsNearestForTheFarthest) {
  Ticket a = Someone("a");
  Ticket b = Someone("b");
  a.latency = {{"east", 10}, {"north", 40}, {"south", 50}};
  b.latency = {{"east", 80}, {"north", 60}, {"south", 60}};
  EXPECT_EQ(Common({a, b}), (Region{"north", 60})) << "the first by name of two that are as good";
  b.latency["south"] = 59;
  EXPECT_EQ(Common({a, b}), (Region{"south", 59}));
}

TEST(RegionTest, WhoNamesNoneFollowsTheOthers) {
  Ticket a = Someone("a");
  EXPECT_EQ(Common({a, Someone("b")}), Region{});
  a.latency = {{"east", 70}};
  EXPECT_EQ(Common({Someone("b"), a, Someone("c")}), (Region{"east", 70}));
}

TEST(RegionTest, NoneWithoutOneThatAllKnow) {
  Ticket a = Someone("a", kWindows.open_after);
  Ticket b = Someone("b", kWindows.open_after);
  a.latency = {{"east", 10}};
  b.latency = {{"west", 10}};
  EXPECT_EQ(Common({a, b}), std::nullopt);
}

TEST(RegionTest, TheWayMayBeLongerTheLongerOneWaits) {
  Ticket a = Someone("a", 2'000);  // 80 + 2 × 10
  a.latency = {{"east", 100}};
  EXPECT_EQ(Common({a}), (Region{"east", 100}));
  a.latency = {{"east", 101}};
  EXPECT_EQ(Common({a}), std::nullopt);
  a.pool.room = "room-1";
  EXPECT_EQ(Common({a}), (Region{"east", 101})) << "friends play at any distance";
  a.pool.room.clear();
  a.queued_at = kNow - kWindows.open_after;
  a.latency = {{"east", 9'000}};
  EXPECT_EQ(Common({a}), (Region{"east", 9'000}));
}

}  // namespace
}  // namespace mj::matching
