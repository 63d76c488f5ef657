#include "services/wallet/app/wallet_testing.h"

namespace mj::wallet {
namespace {

using base::Reason;

class AccountControlTest : public WalletTestBase {
 protected:
  AccountControlTest() { Open("a", 1000); }

  AccountControlRequest Request(const std::string& account = "a") {
    return {.request_id = "r" + std::to_string(++asked_),
            .account_id = account,
            .reason = "fraud",
            .requested_by = "ops"};
  }

  absl::StatusOr<MoneyAnswer> Withdraw(std::int64_t coins) {
    return wallet_.Withdraw(Context(),
                            {"w" + std::to_string(++asked_), "a", Currency::kCoin, coins, ""});
  }
};

TEST_F(AccountControlTest, AFrozenPlayerTakesNothingOutAndPlaysNowhere) {
  EXPECT_TRUE(wallet_.Freeze(Context(), Request())->standing.frozen);
  EXPECT_THAT(Withdraw(1), FailsWith(Reason::kAccountFrozen, "account_id"));
  EXPECT_THAT(Sit("a"), FailsWith(Reason::kAccountFrozen, "player_id"));
  EXPECT_TRUE(wallet_.Deposit(Context(), {"d", "a", Currency::kCoin, 1, ""}).ok());
  EXPECT_TRUE(wallet_.Freeze(Context(), Request()).ok());
  EXPECT_FALSE(wallet_.Unfreeze(Context(), Request())->standing.frozen);
  EXPECT_TRUE(wallet_.Unfreeze(Context(), Request()).ok());
  EXPECT_TRUE(Withdraw(1).ok());
}

TEST_F(AccountControlTest, ARefusedWithdrawalStaysRefused) {
  ASSERT_TRUE(wallet_.Freeze(Context(), Request()).ok());
  const MoneyRequest withdraw{"w", "a", Currency::kCoin, 1, ""};
  const auto refused = wallet_.Withdraw(Context(), withdraw);
  EXPECT_THAT(refused, FailsWith(Reason::kAccountFrozen, "account_id"));
  ASSERT_TRUE(wallet_.Unfreeze(Context(), Request()).ok());
  EXPECT_EQ(wallet_.Withdraw(Context(), withdraw).status(), refused.status());
}

TEST_F(AccountControlTest, AnEmptyAccountIsClosedForEver) {
  EXPECT_THAT(wallet_.CloseAccount(Context(), Request()),
              FailsWith(Reason::kAccountNotEmpty, "account_id"));
  ASSERT_TRUE(Sit("a").ok());
  EXPECT_THAT(wallet_.CloseAccount(Context(), Request()),
              FailsWith(Reason::kPlayerBusy, "account_id"));
  ASSERT_TRUE(wallet_.Release(Context(), {"l", "a", Currency::kCoin, "table-1"}).ok());
  ASSERT_TRUE(Withdraw(1000).ok());
  EXPECT_TRUE(wallet_.CloseAccount(Context(), Request())->standing.closed);
  EXPECT_THAT(wallet_.Deposit(Context(), {"d", "a", Currency::kCoin, 1, ""}),
              FailsWith(Reason::kAccountClosed, "account_id"));
  EXPECT_THAT(Withdraw(1), FailsWith(Reason::kAccountClosed, "account_id"));
  EXPECT_THAT(Sit("a"), FailsWith(Reason::kAccountClosed, "player_id"));
  EXPECT_THAT(wallet_.Freeze(Context(), Request()),
              FailsWith(Reason::kAccountClosed, "account_id"));
  EXPECT_THAT(wallet_.CloseAccount(Context(), Request()),
              FailsWith(Reason::kAccountClosed, "account_id"));
}

TEST_F(AccountControlTest, NobodyIsClosedDuringARound) {
  for (const char* const id : {"b", "c", "d"}) Open(id, 1000);
  Begin();
  EXPECT_THAT(wallet_.CloseAccount(Context(), Request()),
              FailsWith(Reason::kRoundInProgress, "account_id"));
  EXPECT_TRUE(wallet_.Freeze(Context(), Request()).ok());
}

TEST_F(AccountControlTest, ValidatingGivesTheVerdictWithoutTheEffect) {
  AccountControlRequest request = Request();
  request.validate_only = true;
  EXPECT_TRUE(wallet_.Freeze(Context(), request).ok());
  EXPECT_FALSE(wallet_.GetAccount(Context(), {"a"})->standing.frozen);
  EXPECT_THAT(wallet_.CloseAccount(Context(), request),
              FailsWith(Reason::kAccountNotEmpty, "account_id"));
  request.validate_only = false;  // the id is still free
  EXPECT_TRUE(wallet_.Freeze(Context(), request)->standing.frozen);
}

TEST_F(AccountControlTest, TheSameRequestHasOneEffect) {
  const AccountControlRequest freeze = Request();
  ASSERT_TRUE(wallet_.Freeze(Context(), freeze).ok());
  ASSERT_TRUE(wallet_.Unfreeze(Context(), Request()).ok());
  ASSERT_TRUE(wallet_.Freeze(Context(), freeze).ok());
  EXPECT_FALSE(wallet_.GetAccount(Context(), {"a"})->standing.frozen);
  AccountControlRequest poisoned = freeze;
  poisoned.reason = "another";
  EXPECT_THAT(wallet_.Freeze(Context(), poisoned),
              FailsWith(Reason::kRequestIdReused, "request_id"));
}

TEST_F(AccountControlTest, RequestsAreChecked) {
  AccountControlRequest request = Request();
  request.reason = "";
  EXPECT_THAT(wallet_.Freeze(Context(), request), FailsWith(Reason::kFieldRequired, "reason"));
  request = Request();
  request.requested_by = "";
  EXPECT_THAT(wallet_.Freeze(Context(), request),
              FailsWith(Reason::kFieldRequired, "requested_by"));
  request = Request();
  request.request_id = "";
  EXPECT_THAT(wallet_.Freeze(Context(), request), FailsWith(Reason::kFieldRequired, "request_id"));
  EXPECT_THAT(wallet_.Freeze(Context(), Request("nobody")),
              FailsWith(Reason::kAccountNotFound, "account_id"));
  EXPECT_THAT(wallet_.CloseAccount(Context(), Request("issue")),
              FailsWith(Reason::kNotAPlayerAccount, "account_id"));
}

}  // namespace
}  // namespace mj::wallet
