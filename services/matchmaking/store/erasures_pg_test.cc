// What tickets tell of a person goes with them, on a real PostgreSQL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "libs/base/entropy.h"
#include "libs/base/status_testing.h"
#include "libs/base/uuid.h"
#include "services/matchmaking/store/pg_erasures.h"
#include "services/matchmaking/store/pg_harness_testing.h"

namespace mj::matchmaking::store {
namespace {

using base::IsOk;
using base::IsOkAndHolds;

class ErasuresTest : public ::testing::Test {
 protected:
  TicketId Queue(const std::string& player, const std::string& request) {
    Wish wish;
    wish.request = RequestId(request);
    wish.player = PlayerId(player);
    wish.pool = {.variant = "some-game", .base = 100, .currency = "COIN"};
    wish.client.device = "device-" + player;
    wish.client.network = "192.0.2.1";
    wish.avoid = {PlayerId("enemy")};
    const TicketId id(ids_.Next());
    EXPECT_THAT(harness_.store().TakeTickets({id}, {wish}, Millis(3'600'000)), IsOk());
    return id;
  }
  void Cancel(const TicketId& id) { EXPECT_THAT(harness_.store().CancelTicket(id), IsOk()); }
  // Without a table service: as assigning leaves it.
  void Assign(const TicketId& id) {
    harness_.database().Execute(
        "SET session_replication_role = replica;"
        "UPDATE matchmaking.tickets SET state = 'assigned', match_id = 'm', changed_at ="
        " (SELECT t FROM clock.stands_at) WHERE id = '" +
        id.value() + "'");
  }
  std::string Personal(const TicketId& id) {
    return harness_.database().Execute(
        "SELECT device_id || '|' || network || '|' || latency || '|' || avoid::text"
        "  FROM matchmaking.tickets WHERE id = '" +
        id.value() + "'");
  }
  static constexpr const char* kNothing = "||{}|{}";
  static ErasureOrder Order(const std::string& player, const std::string& request = "e") {
    return {RequestId(request), "eve", "asked for it", PlayerId(player)};
  }
  std::string Count() {
    return harness_.database().Execute("SELECT count(*) FROM matchmaking.erasures");
  }

  PgHarness harness_{2};
  base::SystemClock clock_;
  base::SystemEntropy entropy_;
  base::UuidGenerator ids_{clock_, entropy_};
  pg::Pool pool_{{.url = harness_.database().url()}, clock_};
  PgErasures erasures_{pool_, clock_, PgHarness::kPatience.timeout};
};

// What a seated player's ticket tells keeps others apart at refills.
TEST_F(ErasuresTest, WhoSitsAtATableHasToLeaveFirst) {
  const TicketId ticket = Queue("ann", "1");
  Assign(ticket);
  harness_.database().Execute(
      "SET session_replication_role = replica;"
      "INSERT INTO matchmaking.live_seats (player_id, match_id, seat, check_after)"
      " VALUES ('ann', 'm', 0, now())");
  EXPECT_THAT(erasures_.Erase(Order("ann")), IsOkAndHolds(Erasure(NotErased::kWaits)));
  EXPECT_NE(Personal(ticket), kNothing);
  harness_.database().Execute("DELETE FROM matchmaking.live_seats");
  EXPECT_THAT(erasures_.Erase(Order("ann")), IsOkAndHolds(Erasure(Erased{1})));
  EXPECT_EQ(Personal(ticket), kNothing);
}

TEST_F(ErasuresTest, APlayersTicketsAreEmptiedAndItIsWrittenDownOnce) {
  const TicketId first = Queue("ann", "1");
  Cancel(first);
  const TicketId second = Queue("ann", "2");
  Cancel(second);
  const TicketId other = Queue("bob", "3");
  Cancel(other);
  EXPECT_NE(Personal(first), kNothing);
  EXPECT_THAT(erasures_.Erase(Order("ann")), IsOkAndHolds(Erasure(Erased{2})));
  EXPECT_EQ(Personal(first), kNothing);
  EXPECT_EQ(Personal(second), kNothing);
  EXPECT_NE(Personal(other), kNothing);
  EXPECT_THAT(erasures_.Erase(Order("ann")), IsOkAndHolds(Erasure(Erased{2}))) << "the same answer";
  EXPECT_THAT(erasures_.Erase(Order("bob")), IsOkAndHolds(Erasure(NotErased::kRequestReused)));
  EXPECT_THAT(erasures_.Erase(Order("ann", "f")), IsOkAndHolds(Erasure(Erased{0})));
  EXPECT_EQ(Count(), "2");
  EXPECT_EQ(harness_.database().Execute("SELECT player_id || ' ' || state || ' ' || rating"
                                        "  FROM matchmaking.tickets WHERE id = '" +
                                        first.value() + "'"),
            "ann cancelled 25000000");
}

TEST_F(ErasuresTest, WhoWaitsForASeatIsNotErased) {
  const TicketId id = Queue("ann", "1");
  EXPECT_THAT(erasures_.Erase(Order("ann")), IsOkAndHolds(Erasure(NotErased::kWaits)));
  EXPECT_NE(Personal(id), kNothing);
  EXPECT_EQ(Count(), "0");
  Cancel(id);
  EXPECT_THAT(erasures_.Erase(Order("ann")), IsOkAndHolds(Erasure(Erased{1})));
}

TEST_F(ErasuresTest, TimeErasesWhatIsOfNoUse) {
  const KeepOptions keep{.unseated = Millis(60'000), .seated = Millis(600'000)};
  const TicketId live = Queue("ann", "1");
  const TicketId cancelled = Queue("bob", "2");
  Cancel(cancelled);
  const TicketId seated = Queue("cat", "3");
  Assign(seated);
  EXPECT_THAT(erasures_.EraseEnded(keep, 100), IsOkAndHolds(0));
  harness_.Advance(Millis(60'001));
  EXPECT_THAT(erasures_.EraseEnded(keep, 100), IsOkAndHolds(1));
  EXPECT_EQ(Personal(cancelled), kNothing);
  EXPECT_NE(Personal(seated), kNothing);
  harness_.Advance(Millis(540'000));
  EXPECT_THAT(erasures_.EraseEnded(keep, 100), IsOkAndHolds(1));
  EXPECT_EQ(Personal(seated), kNothing);
  EXPECT_NE(Personal(live), kNothing);
  EXPECT_THAT(erasures_.EraseEnded(keep, 100), IsOkAndHolds(0));
}

TEST_F(ErasuresTest, SoManyAtOnceAndNoMore) {
  for (const char* player : {"a", "b", "c"}) Cancel(Queue(player, player));
  harness_.Advance(Millis(10));
  EXPECT_THAT(erasures_.EraseEnded({.unseated = Millis(1)}, 2), IsOkAndHolds(2));
  EXPECT_THAT(erasures_.EraseEnded({.unseated = Millis(1)}, 2), IsOkAndHolds(1));
}

// What the database itself holds: an ended ticket is emptied or left alone, the trail never altered.
TEST_F(ErasuresTest, NothingElseOfAnEndedTicketChanges) {
  const TicketId id = Queue("ann", "1");
  const TicketId live = Queue("bob", "2");
  Cancel(id);
  EXPECT_THAT(erasures_.Erase(Order("ann")), IsOk());
  const auto& database = harness_.database();
  const std::string of = " WHERE id = '" + id.value() + "'";
  for (const std::string set : {"device_id = 'x'", "device_id = '', rating = 1", "player_id = 'z'",
                                "state = 'queued'", "avoid = '{x}'"}) {
    EXPECT_EQ(database.Refusal("UPDATE matchmaking.tickets SET " + set + of), "23001") << set;
  }
  EXPECT_EQ(database.Refusal("UPDATE matchmaking.tickets SET device_id = ''" + of), std::nullopt);
  EXPECT_EQ(database.Refusal("UPDATE matchmaking.tickets SET device_id = '' WHERE id = '" +
                             live.value() + "'"),
            "23001")
      << "a live one stays as it was taken";
  for (const char* sql : {"UPDATE matchmaking.erasures SET reason = 'x'",
                          "DELETE FROM matchmaking.erasures", "TRUNCATE matchmaking.erasures"}) {
    EXPECT_EQ(database.Refusal(sql), "23001") << sql;
  }
}

}  // namespace
}  // namespace mj::matchmaking::store
