// The audit trail of accounts, as the wallet's own use cases write it, on a real PostgreSQL.
#include "services/wallet/app/trail.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/pg/cluster_testing.h"
#include "services/wallet/app/wallet.h"
#include "services/wallet/store/books_testing.h"
#include "services/wallet/store/pg_ledger_store.h"
#include "services/wallet/store/pg_trail.h"

namespace mj::wallet::store {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class TrailTest : public ::testing::Test {
 protected:
  TrailTest() {
    for (const char* player : {"ann", "bob"}) {
      EXPECT_THAT(wallet_.OpenAccount(Context(), {.request_id = Next(), .account_id = player}),
                  IsOk());
      EXPECT_THAT(
          wallet_.Deposit(Context(), {.request_id = Next(), .account_id = player, .coins = 100}),
          IsOk());
    }
  }
  std::string Next() { return "r" + std::to_string(++requests_); }
  base::MonotonicTime Deadline() { return clock_.Monotonic() + std::chrono::seconds(60); }
  CallContext Context() { return {"test", Deadline()}; }
  AccountControlRequest On(const std::string& player, const std::string& who = "eve") {
    return {.request_id = Next(), .account_id = player, .reason = "why", .requested_by = who};
  }
  AdjustRequest Adjusts(const std::string& player, std::int64_t coins) {
    return {.request_id = Next(),
            .account_id = player,
            .coins = coins,
            .reason = "ticket 42",
            .requested_by = "eve",
            .approved_by = "max"};
  }
  // "freeze ann eve" and so on.
  std::vector<std::string> Lines(const TrailFilter& filter) {
    std::vector<std::string> texts;
    const auto page = ListTrail(trail_, filter, 0, "", Deadline());
    EXPECT_THAT(page, IsOk());
    if (!page.ok()) return texts;
    constexpr const char* kNames[] = {"freeze", "unfreeze", "close", "adjust", "reverse"};
    for (const TrailLine& line : page->lines) {
      texts.push_back(std::string(kNames[static_cast<int>(line.kind)]) + " " + line.account.id +
                      " " + line.requested_by +
                      (line.approved_by.empty() ? "" : "+" + line.approved_by) +
                      (line.coins == 0 ? "" : " " + std::to_string(line.coins)));
    }
    return texts;
  }

  base::SystemClock clock_;
  pg::testing::Database database_{Migrations()};
  pg::Pool pool_{{.url = database_.url(), .connections_max = 4}, clock_};
  PgLedgerStore store_{pool_};
  Wallet wallet_{store_, clock_};
  PgTrail trail_{pool_};
  int requests_ = 0;
};

TEST_F(TrailTest, TellsWhatOperatorsDidTheNewestFirst) {
  EXPECT_THAT(Lines({}), IsEmpty()) << "money that players moved is not theirs";
  EXPECT_THAT(wallet_.Freeze(Context(), On("ann")), IsOk());
  EXPECT_THAT(wallet_.Unfreeze(Context(), On("ann", "bill")), IsOk());
  const auto given = wallet_.Adjust(Context(), Adjusts("bob", 7));
  ASSERT_THAT(given, IsOk());
  EXPECT_THAT(wallet_.Reverse(Context(), {.request_id = Next(),
                                          .journal_id = given->journal_id,
                                          .reason = "not bob's",
                                          .requested_by = "max",
                                          .approved_by = "eve"}),
              IsOk());
  EXPECT_THAT(Lines({}), ElementsAre("reverse bob max+eve -7", "adjust bob eve+max 7",
                                     "unfreeze ann bill", "freeze ann eve"));
  EXPECT_THAT(Lines({.account_id = "ann"}), ElementsAre("unfreeze ann bill", "freeze ann eve"));
  EXPECT_THAT(Lines({.who = "max"}), ElementsAre("reverse bob max+eve -7", "adjust bob eve+max 7"));
  EXPECT_THAT(Lines({.account_id = "nobody"}), IsEmpty());
}

TEST_F(TrailTest, WhatWasRefusedOrOnlyValidatedIsNotInIt) {
  AdjustRequest alone = Adjusts("ann", 5);
  alone.approved_by = alone.requested_by;
  EXPECT_THAT(wallet_.Adjust(Context(), alone), FailsWith(Reason::kSameApprover));
  EXPECT_THAT(wallet_.Adjust(Context(), Adjusts("ann", -1'000)),
              FailsWith(Reason::kInsufficientFunds));
  EXPECT_THAT(wallet_.CloseAccount(Context(), On("ann")), FailsWith(Reason::kAccountNotEmpty));
  AccountControlRequest dry = On("ann");
  dry.validate_only = true;
  EXPECT_THAT(wallet_.Freeze(Context(), dry), IsOk());
  EXPECT_THAT(Lines({}), IsEmpty());
}

TEST_F(TrailTest, PagesFollowEachOther) {
  for (int i = 0; i < 5; ++i) EXPECT_THAT(wallet_.Adjust(Context(), Adjusts("ann", 1 + i)), IsOk());
  std::vector<std::int64_t> coins;
  std::string token;
  do {
    const auto page = ListTrail(trail_, {.who = "eve"}, 2, token, Deadline());
    ASSERT_THAT(page, IsOk());
    for (const TrailLine& line : page->lines) coins.push_back(line.coins);
    token = page->next;
    if (!token.empty()) {
      EXPECT_THAT(ListTrail(trail_, {}, 2, token, Deadline()), FailsWith(Reason::kBadPageToken));
    }
  } while (!token.empty());
  EXPECT_THAT(coins, ElementsAre(5, 4, 3, 2, 1));
  EXPECT_THAT(ListTrail(trail_, {}, 101, "", Deadline()), FailsWith(Reason::kBadPageSize));
  EXPECT_THAT(ListTrail(trail_, {}, 2, "nonsense", Deadline()), FailsWith(Reason::kBadPageToken));
  EXPECT_THAT(ListTrail(trail_, {.who = "no id"}, 2, "", Deadline()), FailsWith(Reason::kBadId));
}

}  // namespace
}  // namespace mj::wallet::store
