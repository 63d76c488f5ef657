#include "services/matchmaking/app/room_desk.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libs/base/reasons.h"
#include "services/matchmaking/app/app_testing.h"
#include "services/matchmaking/app/seating.h"
#include "services/matchmaking/app/ticket_desk.h"

namespace mj::matchmaking {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;

// Bytes in a row that a test lays down, zeros after them.
class LaidEntropy final : public base::Entropy {
 public:
  void Fill(std::span<std::byte> out) override {
    for (std::byte& byte : out) {
      byte = next.empty() ? std::byte{0} : static_cast<std::byte>(next.front());
      if (!next.empty()) next.erase(next.begin());
    }
  }
  std::vector<unsigned> next;
};

class RoomDeskTest : public AppTest {
 protected:
  RoomDeskTest() {
    for (const char* player : {"ann", "bob", "cid", "dan", "eve"}) {
      wallet_.SetBalance(PlayerId(player), 2'000);
    }
  }
  static EntryRequest Entry(const std::string& player, const std::string& code,
                            const std::string& request = "") {
    return {RequestId(request.empty() ? "request-" + player : request), PlayerId(player), code, {}};
  }

  LaidEntropy laid_;
  SeatKeeper seats_{store_, tables_, {}};
  RoomDesk desk_{store_, wallet_, seats_, ids_, laid_, {.lifetime = Millis(60'000)}};
};

TEST(RoomCodeTest, IsSixDigits) {
  LaidEntropy entropy;
  entropy.next = {0, 0, 0, 7};
  EXPECT_EQ(NewRoomCode(entropy), "000007");
  // 4,294,000,000 and above would make some codes likelier than others: drawn anew.
  entropy.next = {0xff, 0xf1, 0x3d, 0x80, 0, 0x0f, 0x42, 0x3f};
  EXPECT_EQ(NewRoomCode(entropy), "999999");
  entropy.next = {0xff, 0xf1, 0x3d, 0x7f};
  EXPECT_EQ(NewRoomCode(entropy), "999999") << "the last number that counts";
  EXPECT_TRUE(IsRoomCode("012345"));
  for (const char* text : {"", "12345", "1234567", "12345a", "-12345", " 12345", "１２"}) {
    EXPECT_FALSE(IsRoomCode(text)) << text;
  }
}

TEST_F(RoomDeskTest, FourWhoKnowTheCodePlayTogether) {
  const auto opened = desk_.Open(Asked("ann"));
  ASSERT_THAT(opened, IsOk());
  EXPECT_EQ(opened->room.players, std::vector<PlayerId>{PlayerId("ann")});
  EXPECT_EQ(opened->room.pool.base, 100) << "the owner's tier";
  EXPECT_EQ(opened->room.expires_at, clock_.Now() + Millis(60'000));
  wallet_.SetBalance(PlayerId("bob"), 900'000);
  for (const char* player : {"bob", "cid", "dan"}) {
    clock_.Advance(Millis(1));
    const auto entered = desk_.Enter(Entry(player, opened->room.code));
    ASSERT_THAT(entered, IsOk());
    EXPECT_EQ(entered->ticket.wish.pool, opened->room.pool) << "at the room's base";
    EXPECT_EQ(entered->room.players.back(), PlayerId(player));
  }
  const Match match = MatchFour();
  EXPECT_EQ(match.members[0].player, PlayerId("ann"));
  EXPECT_THAT(Seating(store_, tables_, {}).Drive(match, {}), base::IsOkAndHolds(Seated::kAssigned));
  EXPECT_THAT(desk_.Find(opened->room.code), FailsWith(Reason::kRoomNotFound));
}

TEST_F(RoomDeskTest, RoomsAndTheOpenQueueDoNotMix) {
  ASSERT_THAT(desk_.Open(Asked("ann")), IsOk());
  TicketDesk tickets(store_, wallet_, seats_, ids_, {});
  for (const char* player : {"bob", "cid", "dan"}) {
    ASSERT_THAT(tickets.Create(Asked(player)), IsOk());
  }
  EXPECT_THAT(MatchPools(store_, ids_, {}), base::IsOkAndHolds(::testing::IsEmpty()));
  ASSERT_THAT(tickets.Create(Asked("eve")), IsOk());
  EXPECT_THAT(MatchPools(store_, ids_, {}), base::IsOkAndHolds(::testing::SizeIs(1)));
}

TEST_F(RoomDeskTest, TheSameRequestGetsTheFirstAnswer) {
  const auto opened = desk_.Open(Asked("ann"));
  ASSERT_THAT(opened, IsOk());
  laid_.next = {0, 0, 0, 9};
  const auto again = desk_.Open(Asked("ann"));
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(again->room, opened->room);
  EXPECT_EQ(again->ticket, opened->ticket);
  const auto entered = desk_.Enter(Entry("bob", opened->room.code));
  ASSERT_THAT(entered, IsOk());
  EXPECT_EQ(desk_.Enter(Entry("bob", opened->room.code))->ticket, entered->ticket);
  EXPECT_EQ(wallet_.calls(), 2) << "answered without the wallet";
  EXPECT_THAT(desk_.Enter(Entry("bob", "777777")), FailsWith(Reason::kRequestIdReused));
  EXPECT_THAT(desk_.Open(Asked("bob")), FailsWith(Reason::kRequestIdReused));
}

TEST_F(RoomDeskTest, ACodeThatIsTakenIsDrawnAnew) {
  laid_.next = {0, 0, 0, 7};
  ASSERT_THAT(desk_.Open(Asked("ann")), IsOk());
  laid_.next = {0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 8};
  const auto second = desk_.Open(Asked("bob"));
  ASSERT_THAT(second, IsOk());
  EXPECT_EQ(second->room.code, "000008");
  laid_.next = std::vector<unsigned>(100, 0);
  for (std::size_t i = 3; i < laid_.next.size(); i += 4) laid_.next[i] = 7;
  EXPECT_THAT(desk_.Open(Asked("cid")), base::HasCode(absl::StatusCode::kResourceExhausted));
}

TEST_F(RoomDeskTest, RefusalsChangeNothing) {
  const auto opened = desk_.Open(Asked("ann"));
  ASSERT_THAT(opened, IsOk());
  const std::string& code = opened->room.code;
  EXPECT_THAT(desk_.Enter(Entry("bob", "999999")), FailsWith(Reason::kRoomNotFound));
  wallet_.SetBalance(PlayerId("bob"), 1'599);
  EXPECT_THAT(desk_.Enter(Entry("bob", code)), FailsWith(Reason::kBelowMinimum));
  EXPECT_THAT(desk_.Enter(Entry("nobody", code)), FailsWith(Reason::kAccountNotFound));
  EntryRequest entry = Entry("cid", code);
  entry.details.address = "nowhere";
  EXPECT_THAT(desk_.Enter(entry), FailsWith(Reason::kBadAddress, "client.network_address"));
  EXPECT_THAT(desk_.Enter(Entry("ann", code, "r2")), FailsWith(Reason::kTicketExists));
  EXPECT_EQ(desk_.Find(code)->players, std::vector<PlayerId>{PlayerId("ann")});
  wallet_.SetBalance(PlayerId("bob"), 1'600);
  EXPECT_THAT(desk_.Enter(Entry("bob", code)), IsOk()) << "the request id was not used up";
}

TEST_F(RoomDeskTest, WhoCancelsHasLeftAndAnotherMayCome) {
  const auto opened = desk_.Open(Asked("ann"));
  const auto bob = desk_.Enter(Entry("bob", opened->room.code));
  ASSERT_THAT(bob, IsOk());
  ASSERT_THAT(store_.CancelTicket(opened->ticket.id), IsOk()) << "even the owner";
  EXPECT_EQ(desk_.Find(opened->room.code)->players, std::vector<PlayerId>{PlayerId("bob")});
}

}  // namespace
}  // namespace mj::matchmaking
