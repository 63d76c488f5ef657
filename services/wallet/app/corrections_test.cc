#include "services/wallet/app/wallet_testing.h"

#include <limits>

#include "libs/ledger/coins.h"
#include "services/wallet/app/settle_testing.h"

namespace mj::wallet {
namespace {

using base::Reason;

class CorrectionsTest : public WalletTestBase {
 protected:
  CorrectionsTest() {
    for (const char* const id : {"a", "b", "c", "d"}) Open(id, 1000);
  }

  // a loses 300 to b in Shaoguan's room of 10, with its rake of 4.
  std::string PlayRound(const std::string& id = "round-1") {
    BeginRoundRequest begin = Beginning(id);
    begin.variant = "shaoguan";
    Begin(begin);
    const auto settled = SettleAndWait(wallet_, Context(),
                                       {.round_id = id,
                                        .table_id = "table-1",
                                        .variant = "shaoguan",
                                        .rulebook_version = "v1",
                                        .base = 10,
                                        .player_ids = begin.player_ids,
                                        .transfers = {{0, 1, 300, "SG-40"}}});
    EXPECT_TRUE(settled.ok()) << settled.status();
    return settled.ok() ? settled->journal_id : "";
  }

  static ReverseRequest Reversal(const std::string& journal_id, const std::string& id = "r1") {
    return {.request_id = id,
            .journal_id = journal_id,
            .reason = "scored wrongly",
            .requested_by = "ann",
            .approved_by = "bob"};
  }

  static AdjustRequest Adjustment(std::int64_t coins) {
    return {.request_id = "r1",
            .account_id = "a",
            .coins = coins,
            .reason = "a mistake",
            .requested_by = "ann",
            .approved_by = "bob"};
  }

  void Spend(const std::string& id, std::int64_t coins) {
    EXPECT_TRUE(wallet_.Release(Context(), {"free-" + id, id, Currency::kCoin, "table-1"}).ok());
    EXPECT_TRUE(wallet_.Withdraw(Context(), {"spend-" + id, id, Currency::kCoin, coins, ""}).ok());
  }
};

TEST_F(CorrectionsTest, AReversalGivesEverythingBack) {
  const std::string journal = PlayRound();
  EXPECT_EQ(Balance("a"), 696);
  EXPECT_EQ(Balance("b"), 1296);
  const auto answer = wallet_.Reverse(Context(), Reversal(journal));
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->covered, 0);
  for (const char* const id : {"a", "b", "c", "d"}) EXPECT_EQ(Balance(id), 1000);
  EXPECT_EQ(Balance("house_rake"), 0);
  const auto page = wallet_.ListEntries(Context(), {"a", Currency::kCoin, 1});
  EXPECT_EQ(page->entries[0].kind, JournalKind::kReversal);
  EXPECT_EQ(page->entries[0].coins.value(), 304);
}

TEST_F(CorrectionsTest, ARowIsReversedOnceEver) {
  const std::string journal = PlayRound();
  const auto first = wallet_.Reverse(Context(), Reversal(journal));
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(wallet_.Reverse(Context(), Reversal(journal))->journal_id, first->journal_id);
  const auto again = wallet_.Reverse(Context(), Reversal(journal, "r2"));
  EXPECT_THAT(again, FailsWith(Reason::kAlreadyReversed, "journal_id"));
  EXPECT_EQ(base::CarriedBy(again.status())->details.metadata.at("reversed_by"), first->journal_id);
  EXPECT_THAT(wallet_.Reverse(Context(), Reversal(first->journal_id, "r3")),
              FailsWith(Reason::kNotReversible, "journal_id"));
  EXPECT_EQ(Balance("a"), 1000);
}

TEST_F(CorrectionsTest, WhatTheWinnerHasSpentIsMissing) {
  const std::string journal = PlayRound();
  Spend("b", 1200);
  const auto refused = wallet_.Reverse(Context(), Reversal(journal));
  EXPECT_THAT(refused, FailsWith(Reason::kInsufficientFunds, "journal_id"));
  const auto facts = base::CarriedBy(refused.status())->details.metadata;
  EXPECT_EQ(facts.at("account_id"), "b");
  EXPECT_EQ(facts.at("missing"), "200");
  EXPECT_EQ(Balance("a"), 696);
  // That stays the answer to this request, also when the coins are there again.
  ASSERT_TRUE(wallet_.Deposit(Context(), {"d", "b", Currency::kCoin, 500, ""}).ok());
  EXPECT_EQ(wallet_.Reverse(Context(), Reversal(journal)).status(), refused.status());
  EXPECT_TRUE(wallet_.Reverse(Context(), Reversal(journal, "r2")).ok());
}

TEST_F(CorrectionsTest, TheHouseCoversWhereItMay) {
  const std::string journal = PlayRound();
  Spend("b", 1200);
  ReverseRequest request = Reversal(journal);
  request.cover_from_house = true;
  const auto answer = wallet_.Reverse(Context(), request);
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_EQ(answer->covered, 200);
  EXPECT_EQ(Balance("a"), 1000);  // whole
  EXPECT_EQ(Balance("b"), 0);
  EXPECT_EQ(Balance("house_loss"), -200);
  EXPECT_EQ(wallet_.Reverse(Context(), request)->covered, 200);
}

TEST_F(CorrectionsTest, HeldCoinsAreTakenBackToo) {
  const std::string journal = PlayRound();
  // b still sits, with 640 held, and has 1,296.
  ASSERT_TRUE(wallet_.Withdraw(Context(), {"w", "b", Currency::kCoin, 656, ""}).ok());
  ASSERT_TRUE(wallet_.Reverse(Context(), Reversal(journal)).ok());
  EXPECT_EQ(Balance("b"), 344);
  EXPECT_EQ(HoldOf("b")->coins.value(), 344);
}

TEST_F(CorrectionsTest, NobodyIsReversedDuringARound) {
  const std::string journal = PlayRound();
  Begin("round-2");
  EXPECT_THAT(wallet_.Reverse(Context(), Reversal(journal)),
              FailsWith(Reason::kRoundInProgress, "journal_id"));
  ASSERT_TRUE(wallet_.VoidRound(Context(), {"round-2", "test", "ops"}).ok());
  EXPECT_TRUE(wallet_.Reverse(Context(), Reversal(journal)).ok());  // the id was not used up
}

TEST_F(CorrectionsTest, DepositsWithdrawalsPenaltiesAndAdjustmentsAreReversedToo) {
  const auto deposit = wallet_.Deposit(Context(), {"d", "a", Currency::kCoin, 50, ""});
  ASSERT_TRUE(wallet_.Reverse(Context(), Reversal(deposit->journal_id, "r1")).ok());
  EXPECT_EQ(Balance("a"), 1000);
  const auto withdrawal = wallet_.Withdraw(Context(), {"w", "a", Currency::kCoin, 70, ""});
  ASSERT_TRUE(wallet_.Reverse(Context(), Reversal(withdrawal->journal_id, "r2")).ok());
  EXPECT_EQ(Balance("a"), 1000);
  Begin();
  const auto penalty = wallet_.ApplyPenalty(Context(), {"round-1", 0, ""});
  ASSERT_TRUE(wallet_.Reverse(Context(), Reversal(penalty->journal_id, "r3")).ok());
  for (const char* const id : {"a", "b", "c", "d"}) EXPECT_EQ(Balance(id), 1000);
  EXPECT_EQ(Balance("penalties"), 0);
  const auto adjusted = wallet_.Adjust(Context(), Adjustment(5));
  ASSERT_TRUE(wallet_.Reverse(Context(), Reversal(adjusted->journal_id, "r4")).ok());
  EXPECT_EQ(Balance("a"), 1000);
  EXPECT_EQ(Balance("house_loss"), 0);
  EXPECT_EQ(Balance("issue"), -4000);
}

TEST_F(CorrectionsTest, AVoidRoundHasNothingToReverse) {
  Begin();
  const auto closed = wallet_.VoidRound(Context(), {"round-1", "test", "ops"});
  EXPECT_THAT(wallet_.Reverse(Context(), Reversal(closed->journal_id)),
              FailsWith(Reason::kNotReversible, "journal_id"));
}

TEST_F(CorrectionsTest, ReversalsAreAskedForAndApprovedByTwo) {
  const std::string journal = PlayRound();
  ReverseRequest request = Reversal(journal);
  request.approved_by = "ann";
  EXPECT_THAT(wallet_.Reverse(Context(), request), FailsWith(Reason::kSameApprover, "approved_by"));
  request.approved_by = "";
  EXPECT_THAT(wallet_.Reverse(Context(), request),
              FailsWith(Reason::kFieldRequired, "approved_by"));
  request = Reversal(journal);
  request.requested_by = "";
  EXPECT_THAT(wallet_.Reverse(Context(), request),
              FailsWith(Reason::kFieldRequired, "requested_by"));
  request = Reversal(journal);
  request.reason = "";
  EXPECT_THAT(wallet_.Reverse(Context(), request), FailsWith(Reason::kFieldRequired, "reason"));
  EXPECT_THAT(wallet_.Reverse(Context(), Reversal("")),
              FailsWith(Reason::kFieldRequired, "journal_id"));
  for (const char* const bad : {"x", "-1", "0", "99999999999999999999", "1 2"}) {
    EXPECT_THAT(wallet_.Reverse(Context(), Reversal(bad)), FailsWith(Reason::kBadId, "journal_id"))
        << bad;
  }
  EXPECT_THAT(wallet_.Reverse(Context(), Reversal("9999")),
              FailsWith(Reason::kJournalNotFound, "journal_id"));
  EXPECT_EQ(Balance("a"), 696);
}

TEST_F(CorrectionsTest, ValidatingGivesTheVerdictWithoutTheEffect) {
  const std::string journal = PlayRound();
  ReverseRequest request = Reversal(journal);
  request.validate_only = true;
  const auto would = wallet_.Reverse(Context(), request);
  ASSERT_TRUE(would.ok()) << would.status();
  EXPECT_EQ(would->journal_id, "");
  EXPECT_EQ(Balance("a"), 696);
  AdjustRequest adjust = Adjustment(-697);
  adjust.validate_only = true;
  EXPECT_THAT(wallet_.Adjust(Context(), adjust), FailsWith(Reason::kInsufficientFunds, "coins"));
  adjust = Adjustment(4);
  adjust.validate_only = true;
  EXPECT_EQ(wallet_.Adjust(Context(), adjust)->balance.value(), 700);
  EXPECT_EQ(Balance("a"), 696);
  // Neither has used an id up.
  EXPECT_TRUE(wallet_.Reverse(Context(), Reversal(journal)).ok());
  EXPECT_TRUE(wallet_.Adjust(Context(), Adjustment(4)).ok());
}

TEST_F(CorrectionsTest, AnAdjustmentIsTheHousesLoss) {
  ASSERT_TRUE(wallet_.Adjust(Context(), Adjustment(30)).ok());
  EXPECT_EQ(Balance("a"), 1030);
  EXPECT_EQ(Balance("house_loss"), -30);
  AdjustRequest back = Adjustment(-50);
  back.request_id = "r2";
  EXPECT_EQ(wallet_.Adjust(Context(), back)->balance.value(), 980);
  EXPECT_EQ(Balance("house_loss"), 20);
  back.request_id = "r3";
  back.coins = -981;
  EXPECT_THAT(wallet_.Adjust(Context(), back), FailsWith(Reason::kInsufficientFunds, "coins"));
  back.approved_by = back.requested_by;
  EXPECT_THAT(wallet_.Adjust(Context(), back), FailsWith(Reason::kSameApprover, "approved_by"));
}

TEST_F(CorrectionsTest, AdjustmentsHaveBothEnds) {
  for (const std::int64_t bad :
       {std::int64_t{0}, ledger::kCoinsMax + 1, -ledger::kCoinsMax - 1,
        std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_THAT(wallet_.Adjust(Context(), Adjustment(bad)), FailsWith(Reason::kBadAmount, "coins"));
  }
  EXPECT_THAT(wallet_.Adjust(Context(), Adjustment(ledger::kCoinsMax)),
              FailsWith(Reason::kBalanceOverflow, "coins"));
  AdjustRequest request = Adjustment(1);
  request.account_id = "issue";
  EXPECT_THAT(wallet_.Adjust(Context(), request),
              FailsWith(Reason::kNotAPlayerAccount, "account_id"));
  Begin();
  EXPECT_THAT(wallet_.Adjust(Context(), Adjustment(-1)),
              FailsWith(Reason::kRoundInProgress, "account_id"));
  EXPECT_TRUE(wallet_.Adjust(Context(), Adjustment(1)).ok());
}

}  // namespace
}  // namespace mj::wallet
