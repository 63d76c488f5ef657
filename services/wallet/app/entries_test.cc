#include <limits>

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

}  // namespace
}  // namespace mj::wallet
