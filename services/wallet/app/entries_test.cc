#include <limits>

#include "libs/audit/digest.h"
#include "services/wallet/app/settle_testing.h"
#include "services/wallet/app/wallet_testing.h"

namespace mj::wallet {
namespace {

using base::Reason;

class EntriesTest : public WalletTestBase {
 protected:
  ListEntriesRequest Request(std::int64_t page_size = 0, std::string token = {}) {
    return {"ann", Currency::kCoin, page_size, std::move(token)};
  }
};

TEST_F(EntriesTest, PagesCoverTheListOnce) {
  Open("ann");
  for (int i = 1; i <= 7; ++i) {
    ASSERT_TRUE(wallet_
                    .Deposit(Context(), {"d" + std::to_string(i), "ann", Currency::kCoin, i,
                                         "no. " + std::to_string(i)})
                    .ok());
  }
  std::vector<std::int64_t> sequences;
  std::string token;
  int pages = 0;
  do {
    const auto page = wallet_.ListEntries(Context(), Request(3, token));
    ASSERT_TRUE(page.ok()) << page.status();
    for (const ListedEntry& entry : page->entries) {
      sequences.push_back(entry.sequence);
      EXPECT_EQ(entry.coins.value(), entry.sequence);
      EXPECT_EQ(entry.reason, "no. " + std::to_string(entry.sequence));
    }
    token = page->next_page_token;
    ++pages;
    // What comes in meanwhile does not shift the pages.
    ASSERT_TRUE(
        wallet_
            .Deposit(Context(), {"late" + std::to_string(pages), "ann", Currency::kCoin, 100, ""})
            .ok());
  } while (!token.empty());
  EXPECT_THAT(sequences, ::testing::ElementsAre(7, 6, 5, 4, 3, 2, 1));
  EXPECT_EQ(pages, 3);
}

TEST_F(EntriesTest, AFullLastPageHasNoNext) {
  Open("ann", 5);
  const auto page = wallet_.ListEntries(Context(), Request(1));
  EXPECT_EQ(page->entries.size(), 1U);
  EXPECT_EQ(page->next_page_token, "");
}

TEST_F(EntriesTest, NoEntriesIsNotNoAccount) {
  Open("ann");
  EXPECT_TRUE(wallet_.ListEntries(Context(), Request())->entries.empty());
  ListEntriesRequest request = Request();
  request.account_id = "nobody";
  EXPECT_THAT(wallet_.ListEntries(Context(), request),
              FailsWith(Reason::kAccountNotFound, "account_id"));
  request = Request();
  request.currency = Currency::kPractice;
  EXPECT_THAT(wallet_.ListEntries(Context(), request),
              FailsWith(Reason::kCurrencyMixed, "account_id"));
}

TEST_F(EntriesTest, SizesAndTokensAreChecked) {
  Open("ann", 5);
  for (const std::int64_t size :
       {std::int64_t{-1}, std::int64_t{1001}, std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_THAT(wallet_.ListEntries(Context(), Request(size)),
                FailsWith(Reason::kBadPageSize, "page_size"));
  }
  EXPECT_TRUE(wallet_.ListEntries(Context(), Request(1000)).ok());
  EXPECT_THAT(wallet_.ListEntries(Context(), Request(1, "nonsense")),
              FailsWith(Reason::kBadPageToken, "page_token"));
  ASSERT_TRUE(wallet_.Deposit(Context(), {"d", "ann", Currency::kCoin, 5, ""}).ok());
  const std::string token = wallet_.ListEntries(Context(), Request(1))->next_page_token;
  ASSERT_NE(token, "");
  Open("bob", 5);
  ListEntriesRequest other = Request(1, token);
  other.account_id = "bob";
  EXPECT_THAT(wallet_.ListEntries(Context(), other),
              FailsWith(Reason::kBadPageToken, "page_token"));
  EXPECT_THAT(wallet_.ListEntries(Context(), {"", Currency::kCoin, 0, ""}),
              FailsWith(Reason::kFieldRequired, "account_id"));
}

class SettlementsTest : public WalletTestBase {
 protected:
  SettlementsTest() {
    for (const char* const id : {"a", "b", "c", "d"}) Open(id, 10000);
    for (int round = 1; round <= 5; ++round) {
      const std::string id = "round-" + std::to_string(round);
      Begin(id);
      if (round == 3) {
        EXPECT_TRUE(wallet_.VoidRound(Context(), {id, "test", "ops"}).ok());
        continue;
      }
      const auto settled = SettleAndWait(wallet_, Context(),
                                         {.round_id = id,
                                          .table_id = "table-1",
                                          .variant = "chaozhou",
                                          .rulebook_version = "v1",
                                          .base = 10,
                                          .player_ids = {"a", "b", "c", "d"},
                                          .transfers = {{0, 1, round, "CZ-11"}}});
      EXPECT_TRUE(settled.ok()) << settled.status();
      journal_ids_.push_back(settled.ok() ? settled->journal_id : "");
    }
  }

  std::vector<std::string> journal_ids_;
};

TEST_F(SettlementsTest, PagesOfAPlayerAndOfATableCoverTheirRoundsOnce) {
  for (const ListSettlementsRequest& of :
       {ListSettlementsRequest{.account_id = "d"},
        ListSettlementsRequest{.account_id = "", .table_id = "table-1"}}) {
    ListSettlementsRequest request = of;
    request.page_size = 3;
    const auto first = wallet_.ListSettlements(Context(), request);
    ASSERT_TRUE(first.ok()) << first.status();
    ASSERT_EQ(first->settlements.size(), 3U);
    EXPECT_EQ(first->settlements[0].round_id, "round-5");
    EXPECT_EQ(first->settlements[1].round_id, "round-4");
    EXPECT_EQ(first->settlements[2].round_id, "round-2");
    EXPECT_EQ(first->settlements[0].settlement.owed_lines[0].rule_id, "CZ-11");
    request.page_token = first->next_page_token;
    const auto second = wallet_.ListSettlements(Context(), request);
    ASSERT_TRUE(second.ok()) << second.status();
    ASSERT_EQ(second->settlements.size(), 1U);
    EXPECT_EQ(second->settlements[0].round_id, "round-1");
    EXPECT_EQ(second->next_page_token, "");
  }
}

TEST_F(SettlementsTest, OneIsReadByItsRoundOrItsRowAndSaysIfItWasReversed) {
  const auto by_round = wallet_.GetSettlement(Context(), {"round-2", ""});
  ASSERT_TRUE(by_round.ok()) << by_round.status();
  EXPECT_EQ(*wallet_.GetSettlement(Context(), {"", journal_ids_[1]}), *by_round);
  EXPECT_EQ(by_round->reversed_by, 0);
  const auto reversed = wallet_.Reverse(Context(), {.request_id = "r",
                                                    .journal_id = journal_ids_[1],
                                                    .reason = "wrong",
                                                    .requested_by = "ann",
                                                    .approved_by = "bob"});
  ASSERT_TRUE(reversed.ok()) << reversed.status();
  EXPECT_EQ(std::to_string(wallet_.GetSettlement(Context(), {"round-2", ""})->reversed_by),
            reversed->journal_id);
  EXPECT_THAT(wallet_.GetSettlement(Context(), {"round-3", ""}),
              FailsWith(Reason::kJournalNotFound, "round_id"));
  EXPECT_THAT(wallet_.GetSettlement(Context(), {"", "999"}),
              FailsWith(Reason::kJournalNotFound, "journal_id"));
  EXPECT_THAT(wallet_.GetSettlement(Context(), {"", ""}),
              FailsWith(Reason::kFieldRequired, "round_id"));
  EXPECT_THAT(wallet_.GetSettlement(Context(), {"round-2", "1"}),
              FailsWith(Reason::kFieldRequired, "round_id"));
  EXPECT_THAT(wallet_.GetSettlement(Context(), {"", "x"}), FailsWith(Reason::kBadId, "journal_id"));
}

TEST_F(SettlementsTest, ARowIsReadAsItIsHashed) {
  const auto by_round = wallet_.GetJournalRow(Context(), {"round-2", ""});
  ASSERT_TRUE(by_round.ok()) << by_round.status();
  EXPECT_EQ(std::to_string(by_round->journal_no), journal_ids_[1]);
  EXPECT_EQ(by_round->hash, audit::Sha256(by_round->canonical));
  EXPECT_EQ(*wallet_.GetJournalRow(Context(), {"", journal_ids_[1]}), *by_round);
  EXPECT_THAT(wallet_.GetJournalRow(Context(), {"round-9", ""}),
              FailsWith(Reason::kJournalNotFound, "round_id"));
  EXPECT_THAT(wallet_.GetJournalRow(Context(), {"", "999"}),
              FailsWith(Reason::kJournalNotFound, "journal_id"));
  EXPECT_THAT(wallet_.GetJournalRow(Context(), {"", ""}),
              FailsWith(Reason::kFieldRequired, "round_id"));
  EXPECT_THAT(wallet_.GetJournalRow(Context(), {"round-2", "1"}),
              FailsWith(Reason::kFieldRequired, "round_id"));
  EXPECT_THAT(wallet_.GetJournalRow(Context(), {"no id", ""}),
              FailsWith(Reason::kBadId, "round_id"));
  EXPECT_THAT(wallet_.GetJournalRow(Context(), {"", "x"}), FailsWith(Reason::kBadId, "journal_id"));
}

TEST_F(SettlementsTest, ListsAreOfOneThing) {
  EXPECT_THAT(wallet_.ListSettlements(Context(), {}),
              FailsWith(Reason::kFieldRequired, "account_id"));
  ListSettlementsRequest request{.account_id = "a", .table_id = "table-1"};
  EXPECT_THAT(wallet_.ListSettlements(Context(), request),
              FailsWith(Reason::kFieldRequired, "account_id"));
  request = {.account_id = "nobody"};
  EXPECT_THAT(wallet_.ListSettlements(Context(), request),
              FailsWith(Reason::kAccountNotFound, "account_id"));
  request = {.account_id = "a", .page_size = 1001};
  EXPECT_THAT(wallet_.ListSettlements(Context(), request),
              FailsWith(Reason::kBadPageSize, "page_size"));
  request = {.account_id = "a", .page_size = 1};
  const auto page = wallet_.ListSettlements(Context(), request);
  request.account_id = "b";
  request.page_token = page->next_page_token;
  EXPECT_THAT(wallet_.ListSettlements(Context(), request),
              FailsWith(Reason::kBadPageToken, "page_token"));
  EXPECT_TRUE(wallet_.ListSettlements(Context(), {.account_id = "", .table_id = "empty"})
                  ->settlements.empty());
}

TEST_F(SettlementsTest, AWatcherIsToldWhatItHasNotSeen) {
  const auto all = wallet_.EntriesAfter(Context(), {"a", Currency::kCoin, 0}, 10);
  ASSERT_TRUE(all.ok()) << all.status();
  ASSERT_EQ(all->size(), 5U);
  for (std::size_t i = 0; i < all->size(); ++i) {
    EXPECT_EQ((*all)[i].sequence, static_cast<std::int64_t>(i) + 1);
  }
  EXPECT_EQ(wallet_.EntriesAfter(Context(), {"a", Currency::kCoin, 3}, 1)->front().sequence, 4);
  EXPECT_TRUE(wallet_.EntriesAfter(Context(), {"a", Currency::kCoin, 5}, 10)->empty());
  EXPECT_THAT(wallet_.EntriesAfter(Context(), {"a", Currency::kCoin, 6}, 10),
              FailsWith(Reason::kSequenceAhead, "after_sequence"));
}

}  // namespace
}  // namespace mj::wallet
