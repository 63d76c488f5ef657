#include "services/wallet/app/wallet_testing.h"

namespace mj::wallet {
namespace {

using base::Reason;

using AccountsTest = WalletTestBase;

OpenAccountRequest Opening() { return {.request_id = "r1", .account_id = "ann"}; }

TEST_F(AccountsTest, AnAccountOpensEmpty) {
  const auto account = wallet_.OpenAccount(Context(), Opening());
  ASSERT_TRUE(account.ok()) << account.status();
  EXPECT_EQ(account->key, (AccountKey{"ann", Currency::kCoin}));
  EXPECT_EQ(account->kind, AccountKind::kPlayer);
  EXPECT_EQ(account->balance, 0);
  EXPECT_EQ(account->last_sequence, 0);
  EXPECT_EQ(*wallet_.GetAccount(Context(), {"ann"}), *account);
}

TEST_F(AccountsTest, TheSameRequestGetsTheFirstAnswer) {
  const auto first = wallet_.OpenAccount(Context(), Opening());
  ASSERT_TRUE(wallet_.Deposit(Context(), {"d", "ann", Currency::kCoin, 5, ""}).ok());
  clock_.Advance(std::chrono::seconds(5));
  EXPECT_EQ(*wallet_.OpenAccount(Context(), Opening()), *first);
}

TEST_F(AccountsTest, OtherRequestsForItAreRefused) {
  ASSERT_TRUE(wallet_.OpenAccount(Context(), Opening()).ok());
  OpenAccountRequest request = Opening();
  request.request_id = "r2";
  EXPECT_THAT(wallet_.OpenAccount(Context(), request),
              FailsWith(Reason::kAccountExists, "account_id"));
  request = Opening();
  request.account_id = "bob";
  EXPECT_THAT(wallet_.OpenAccount(Context(), request),
              FailsWith(Reason::kRequestIdReused, "request_id"));
  request = Opening();
  request.currency = Currency::kPractice;
  EXPECT_THAT(wallet_.OpenAccount(Context(), request),
              FailsWith(Reason::kRequestIdReused, "request_id"));
  // Another caller's ids are its own.
  EXPECT_THAT(wallet_.OpenAccount(Context("another"), Opening()),
              FailsWith(Reason::kAccountExists, "account_id"));
}

TEST_F(AccountsTest, MalformedRequestsAreRefused) {
  OpenAccountRequest request = Opening();
  request.request_id = "";
  EXPECT_THAT(wallet_.OpenAccount(Context(), request),
              FailsWith(Reason::kFieldRequired, "request_id"));
  request = Opening();
  request.account_id = "";
  EXPECT_THAT(wallet_.OpenAccount(Context(), request),
              FailsWith(Reason::kFieldRequired, "account_id"));
  for (const char* const bad : {"a b", "a/b", "潮", "a\n", "'; DROP TABLE wallet.accounts; --"}) {
    request = Opening();
    request.account_id = bad;
    EXPECT_THAT(wallet_.OpenAccount(Context(), request), FailsWith(Reason::kBadId, "account_id"));
  }
  request = Opening();
  request.account_id = std::string(65, 'a');
  EXPECT_THAT(wallet_.OpenAccount(Context(), request), FailsWith(Reason::kBadId, "account_id"));
  request.account_id = std::string(64, 'a');
  EXPECT_TRUE(wallet_.OpenAccount(Context(), request).ok());
}

TEST_F(AccountsTest, BotsHaveNoAccountInCoins) {
  OpenAccountRequest request = Opening();
  request.account_id = "practice-bot-1";
  EXPECT_THAT(wallet_.OpenAccount(Context(), request),
              FailsWith(Reason::kNotAPlayerAccount, "account_id"));
  request.currency = Currency::kPractice;
  EXPECT_TRUE(wallet_.OpenAccount(Context(), request).ok());
}

TEST_F(AccountsTest, TheHousesAccountsAreNotOpened) {
  OpenAccountRequest request = Opening();
  request.kind = AccountKind::kIssue;
  EXPECT_THAT(wallet_.OpenAccount(Context(), request),
              FailsWith(Reason::kUnknownEnumValue, "kind"));
  request = Opening();
  request.account_id = "issue";
  EXPECT_THAT(wallet_.OpenAccount(Context(), request),
              FailsWith(Reason::kAccountExists, "account_id"));
}

TEST_F(AccountsTest, ReadingSaysWhatIsNotThere) {
  Open("ann", 0, Currency::kPractice);
  EXPECT_THAT(wallet_.GetAccount(Context(), {"nobody"}),
              FailsWith(Reason::kAccountNotFound, "account_id"));
  EXPECT_THAT(wallet_.GetAccount(Context(), {"ann", Currency::kCoin}),
              FailsWith(Reason::kCurrencyMixed, "account_id"));
  EXPECT_THAT(wallet_.GetAccount(Context(), {""}), FailsWith(Reason::kFieldRequired, "account_id"));
  EXPECT_THAT(wallet_.GetAccount(Context(), {"*"}), FailsWith(Reason::kBadId, "account_id"));
  EXPECT_EQ(wallet_.GetAccount(Context(), {"house_rake"})->kind, AccountKind::kHouseRake);
}

}  // namespace
}  // namespace mj::wallet
